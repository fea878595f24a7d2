// The Games tab: lets players play games, lists saved games, and judges the games of people.

import * as api from './api.js';
import { byId, counted, el, remembered } from './dom.js';
import { boardFields, choiceField, lastGame, numberField } from './new_game.js';
import { Viewer, playSame } from './viewer.js';

const PAGE = 50;

/**
 * Sets up the tab with the answer of the promise `asked`. `hooks`: `warn(error)`, and `address(hash)`, which is called if the shown game has
 * an address of its own. Returns a promise of the functions that the rest of the page calls.
 */
export async function startGamesTab(asked, hooks) {
  const about = await asked;
  const names = about.players.map(({ name }) => name);
  const viewer = new Viewer(byId('viewer'), { players: () => names, warn: hooks.warn });
  const strongest = names.includes('11.0') ? '11.0' : names.at(-1);
  const last = lastGame('game-form', { player: strongest, other: '', seed: 1, game: 0 });
  const player = choiceField('Player', 'player', names.map((name) => [name, name]), last.player);
  const other = choiceField('Beside it', 'other', [['', 'nobody'], ...names.map((name) => [name, name])], last.other);
  const board = boardFields(about, last);
  const seed = numberField('Seed', 'seed', last.seed);
  const number = numberField('Game', 'game', last.game);
  const submit = el('button', { type: 'submit', class: 'strong', text: 'Play' });
  const note = el('p', { class: 'error', role: 'alert' });
  const form = byId('game-form');
  form.replaceChildren(player.element, other.element, ...board.elements, seed.element, number.element, submit, note);

  async function play(wanted) {
    const { other: beside, ...question } = wanted;
    submit.disabled = true;
    submit.textContent = 'Playing…';
    note.textContent = '';
    byId('viewer').setAttribute('aria-busy', 'true');
    try {
      const first = await api.game(question);
      const games = beside ? [first, await playSame(first, beside)] : [first];
      viewer.show(games);
      shown = address(wanted);
      hooks.address(shown);
    } catch (error) {
      note.textContent = error.message;
    } finally {
      submit.disabled = false;
      submit.textContent = 'Play';
      byId('viewer').setAttribute('aria-busy', 'false');
    }
  }

  let shown = 'games';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    let chosen;
    try {
      chosen = board.read();
    } catch (error) {
      note.textContent = error.message;
      return;
    }
    const { firstClick, ...size } = chosen;
    const wanted = { ...size, first_click: firstClick, seed: seed.read() ?? 1, game: number.read() ?? 0, player: player.read(), other: other.read() };
    remembered.write('game-form', { ...chosen, board: board.name(), seed: wanted.seed, game: wanted.game, player: wanted.player, other: wanted.other });
    play(wanted);
  });

  byId('kept').addEventListener('toggle', () => byId('kept').open && listKept());

  async function listKept() {
    const place = byId('kept-list');
    try {
      const files = await api.replays();
      if (files.length) place.replaceChildren(...files.map(({ name, games }) => keptFile(name, games)));
      else place.replaceChildren(el('p', { class: 'soft', text: 'The server was started without saved games. pipeline eval --keep-games N writes some; pipeline serve --replays FILE lists them here.' }));
    } catch (error) {
      place.replaceChildren(el('p', { class: 'error', text: error.message }));
    }
  }

  const keptFile = (name, count) =>
    gameList(name, count, async (from) => (await api.replayList(name, from, PAGE)).map((game) => ({ ...game, show: () => showKept(name, game.index) })));

  /** Creates a collapsed list of games. `load(from)` returns the next games, each with a function that shows it. */
  function gameList(name, count, load) {
    const list = el('div', { class: 'kept-games' });
    const more = el('button', { type: 'button', class: 'quiet', text: 'More' });
    let from = 0;
    const next = async () => {
      try {
        const found = await load(from);
        from += found.length;
        list.append(...found.map(({ show, ...game }) => el('button', { type: 'button', class: `kept-game ${game.won ? 'won' : 'lost'}`, text: gameText(game), on: { click: show } })));
        more.hidden = from >= count || !found.length;
      } catch (error) {
        hooks.warn(error);
      }
    };
    more.addEventListener('click', next);
    const details = el('details', {}, el('summary', {}, name, ' ', el('span', { class: 'soft', text: counted(count, 'game') })), list, more);
    details.addEventListener('toggle', () => details.open && from === 0 && next(), { once: true });
    return details;
  }

  async function showLine(line) {
    try {
      viewer.show([(await api.read({ text: line })).replay]);
      shown = 'games';
      hooks.address(shown);
      byId('viewer').scrollIntoView({ block: 'nearest' });
    } catch (error) {
      hooks.warn(error);
    }
  }

  async function showKept(name, index) {
    try {
      viewer.show([await api.replay(name, index)]);
      shown = `games/kept/${encodeURIComponent(name)}/${index}`;
      hooks.address(shown);
      byId('viewer').scrollIntoView({ block: 'nearest' });
    } catch (error) {
      hooks.warn(error);
    }
  }

  return {
    /** Returns the address of the shown games. */
    address: () => shown,
    /** Shows these games. */
    show(replays) {
      viewer.show(replays);
      shown = 'games';
    },
    /** Lists the games of a file with one game per line. */
    list(name, lines) {
      const load = (from) => lines.slice(from, from + PAGE).map((line, at) => ({ index: from + at, ...ofLine(line), show: () => showLine(line) }));
      const list = gameList(name, lines.length, load);
      byId('opened-games').replaceChildren(list);
      list.open = true;
    },
    pause: () => viewer.pause(),
    /** Shows the game that an address names, unless it is already shown. */
    follow(hash) {
      if (hash === shown) return;
      const kept = /^games\/kept\/([^/]+)\/(\d+)$/.exec(hash);
      if (kept) return showKept(decodeURIComponent(kept[1]), Number(kept[2]));
      const wanted = fromAddress(hash);
      if (!wanted) return;
      const { width, height, mines, first_click: firstClick } = wanted;
      board.set({ width, height, mines, firstClick });
      player.input.value = wanted.player;
      other.input.value = wanted.other;
      seed.input.value = wanted.seed;
      number.input.value = wanted.game;
      play(wanted);
    },
  };
}

const gameText = ({ index, player, board, won, moves }) =>
  player === undefined ? `${index}: not a saved game` : `${index}: ${player} on ${board}, ${won ? 'won' : 'lost'}, ${counted(moves, 'move')}`;

/** Summarises a saved game from its line. The summary is empty if the line can't be read; the server explains why if it is opened. */
function ofLine(line) {
  try {
    const { player, board, end, moves } = JSON.parse(line);
    return { player, board, won: end === 'won', moves: moves.split(' ').length };
  } catch {
    return {};
  }
}

/** Returns the address of a game: `games/30x16x99/safe/SEED/GAME/PLAYER[/OTHER]`. */
function address({ width, height, mines, first_click, seed, game, player, other }) {
  const parts = ['games', `${width}x${height}x${mines}`, first_click, seed, game, encodeURIComponent(player)];
  if (other) parts.push(encodeURIComponent(other));
  return parts.join('/');
}

function fromAddress(hash) {
  const parts = /^games\/(\d{1,3})x(\d{1,3})x(\d{1,5})\/(safe|opening|any)\/(\d{1,15})\/(\d{1,15})\/([^/]+)(?:\/([^/]+))?$/.exec(hash);
  if (!parts) return null;
  const [width, height, mines, seed, game] = [1, 2, 3, 5, 6].map((group) => Number(parts[group]));
  return { width, height, mines, first_click: parts[4], seed, game, player: decodeURIComponent(parts[7]), other: decodeURIComponent(parts[8] ?? '') };
}
