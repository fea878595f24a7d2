// The Games tab: lets players play games, lists saved games, and judges the games of people.

import * as api from './api.js';
import { byId, counted, el, remembered } from './dom.js';
import { boardFields, choiceField, lastGame, numberField } from './new_game.js';
import { Viewer, playSame } from './viewer.js';

const PAGE = 50;

/**
 * Sets up the tab with the answer of the promise `asked`. `hooks`: `warn(error)`, and `address(hash)`, which is called if the shown game has
 * an address of its own. Returns a promise of the tab.
 */
export async function startGamesTab(asked, hooks) {
  return new GamesTab(await asked, hooks);
}

/** The form by which players are asked to play a game. */
class GameForm {
  #player;
  #other;
  #board;
  #seed;
  #number;
  #submit = el('button', { type: 'submit', class: 'strong', text: 'Play' });
  #note = el('p', { class: 'error', role: 'alert' });

  /** `play(wanted)` is called with the game that is asked for. */
  constructor(about, names, play) {
    const strongest = names.includes('11.0') ? '11.0' : names.at(-1);
    const last = lastGame('game-form', { player: strongest, other: '', seed: 1, game: 0 });
    const choices = names.map((name) => [name, name]);
    this.#player = choiceField('Player', 'player', choices, last.player);
    this.#other = choiceField('Beside it', 'other', [['', 'nobody'], ...choices], last.other);
    this.#board = boardFields(about, last);
    this.#seed = numberField('Seed', 'seed', last.seed);
    this.#number = numberField('Game', 'game', last.game);
    const fields = [this.#player.element, this.#other.element, ...this.#board.elements, this.#seed.element, this.#number.element];
    const form = byId('game-form');
    form.replaceChildren(...fields, this.#submit, this.#note);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const wanted = this.#read();
      if (wanted) play(wanted);
    });
  }

  /** Returns the game in the form and remembers it. Returns null, and says why, if the board is not valid. */
  #read() {
    let chosen;
    try {
      chosen = this.#board.read();
    } catch (error) {
      this.say(error.message);
      return null;
    }
    const { firstClick, ...size } = chosen;
    const game = { seed: this.#seed.read() ?? 1, game: this.#number.read() ?? 0, player: this.#player.read(), other: this.#other.read() };
    remembered.write('game-form', { ...chosen, board: this.#board.name(), ...game });
    return { ...size, first_click: firstClick, ...game };
  }

  /** Fills the form with a game. */
  set({ width, height, mines, first_click: firstClick, player, other, seed, game }) {
    this.#board.set({ width, height, mines, firstClick });
    this.#player.input.value = player;
    this.#other.input.value = other;
    this.#seed.input.value = seed;
    this.#number.input.value = game;
  }

  /** Shows whether a game is being played. */
  setPlaying(isPlaying) {
    this.#submit.disabled = isPlaying;
    this.#submit.textContent = isPlaying ? 'Playing…' : 'Play';
  }

  say(text) {
    this.#note.textContent = text;
  }
}

class GamesTab {
  #hooks;
  #form;
  #viewer;
  /** The address of the shown games. */
  #shown = 'games';

  constructor(about, hooks) {
    const names = about.players.map(({ name }) => name);
    this.#hooks = hooks;
    this.#viewer = new Viewer(byId('viewer'), { players: () => names, warn: hooks.warn });
    this.#form = new GameForm(about, names, (wanted) => this.#play(wanted));
    byId('kept').addEventListener('toggle', () => byId('kept').open && this.#listKept());
  }

  async #play(wanted) {
    const { other: beside, ...question } = wanted;
    this.#form.setPlaying(true);
    this.#form.say('');
    byId('viewer').setAttribute('aria-busy', 'true');
    try {
      const first = await api.game(question);
      this.#viewer.show(beside ? [first, await playSame(first, beside)] : [first]);
      this.#setShown(address(wanted));
    } catch (error) {
      this.#form.say(error.message);
    } finally {
      this.#form.setPlaying(false);
      byId('viewer').setAttribute('aria-busy', 'false');
    }
  }

  async #listKept() {
    const place = byId('kept-list');
    try {
      const files = await api.replays();
      if (files.length) place.replaceChildren(...files.map(({ name, games }) => this.#keptFile(name, games)));
      else place.replaceChildren(el('p', { class: 'soft', text: 'The server was started without saved games. pipeline eval --keep-games N writes some; pipeline serve --replays FILE lists them here.' }));
    } catch (error) {
      place.replaceChildren(el('p', { class: 'error', text: error.message }));
    }
  }

  #keptFile(name, count) {
    const load = async (from) => (await api.replayList(name, from, PAGE)).map((game) => ({ ...game, show: () => this.#showKept(name, game.index) }));
    return gameList(name, count, load, this.#hooks.warn);
  }

  #showKept(name, index) {
    return this.#showSaved(api.replay(name, index), `games/kept/${encodeURIComponent(name)}/${index}`);
  }

  /** Shows the game of a promise, at this address. */
  async #showSaved(asked, at) {
    try {
      this.#viewer.show([await asked]);
      this.#setShown(at);
      byId('viewer').scrollIntoView({ block: 'nearest' });
    } catch (error) {
      this.#hooks.warn(error);
    }
  }

  #setShown(at) {
    this.#shown = at;
    this.#hooks.address(at);
  }

  /** Returns the address of the shown games. */
  address() {
    return this.#shown;
  }

  /** Shows these games. */
  show(replays) {
    this.#viewer.show(replays);
    this.#shown = 'games';
  }

  /** Lists the games of a file with one game per line. */
  list(name, lines) {
    const show = (line) => this.#showSaved(api.read({ text: line }).then(({ replay }) => replay), 'games');
    const load = (from) => lines.slice(from, from + PAGE).map((line, at) => ({ index: from + at, ...ofLine(line), show: () => show(line) }));
    const list = gameList(name, lines.length, load, this.#hooks.warn);
    byId('opened-games').replaceChildren(list);
    list.open = true;
  }

  pause() {
    this.#viewer.pause();
  }

  /** Shows the game that an address names, unless it is already shown. */
  follow(hash) {
    if (hash === this.#shown) return;
    const kept = /^games\/kept\/([^/]+)\/(\d+)$/.exec(hash);
    if (kept) {
      this.#showKept(decodeURIComponent(kept[1]), Number(kept[2]));
      return;
    }
    const wanted = fromAddress(hash);
    if (!wanted) return;
    this.#form.set(wanted);
    this.#play(wanted);
  }
}

/** Creates a collapsed list of games. `load(from)` returns the next games, each with a function that shows it. */
function gameList(name, count, load, warn) {
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
      warn(error);
    }
  };
  more.addEventListener('click', next);
  const details = el('details', {}, el('summary', {}, name, ' ', el('span', { class: 'soft', text: counted(count, 'game') })), list, more);
  details.addEventListener('toggle', () => details.open && from === 0 && next(), { once: true });
  return details;
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
