// The place Review: the last games of the user, games of players, opened replays and folders of them.

import * as api from './api.js';
import { reviewOf } from './codes.js';
import { byId, clock, el, fewFirst } from './dom.js';
import { judgeGame } from './end.js';
import { factsOf, marksLine } from './facts.js';
import { Ladder } from './ladder.js';
import { mistakesOf } from './learn.js';
import { BOARDS } from './levels.js';
import { keepMarks, keptGames } from './records.js';
import { t } from './texts.js';
import { Viewer, playSame } from './viewer.js';
import { GameForm, watchAddress, watchOf } from './watch.js';

const PAGE = 50;
/** The number of the user's last games that are shown at first. */
const FEW = 8;

/**
 * Sets up the place with the answer of the promise `asked`. `hooks`: `warn(error)`, `address(hash)` for the shown games, `analyse(position)`,
 * `playHere(state)`, `goTo(hash)`. Returns a promise of the place.
 */
export async function startReview(asked, hooks) {
  return new Review(await asked, hooks);
}

/** Returns the name of a level, or the size of a board of another kind. */
function boardName({ width, height, mines }) {
  const level = Object.entries(BOARDS).find(([, board]) => board.join() === [width, height, mines].join());
  return level ? t.play.level[level[0]] : `${width}×${height}/${mines}`;
}

class Review {
  /** Whether the next game that is shown begins with its mistakes. */
  learnNext = false;
  #hooks;
  #form;
  #viewer;
  /** The address of the shown games. */
  #at = 'review';
  #replay = null;
  #own = el('details', { class: 'kept', id: 'own-games', open: true });
  #opened = el('div', { id: 'opened-games' });
  #ladder;

  constructor(about, hooks) {
    const names = about.players.map(({ name }) => name);
    this.#hooks = hooks;
    this.#viewer = new Viewer(byId('viewer'), { players: () => names, ...hooks });
    const form = el('form', { class: 'strip', id: 'game-form' });
    this.#form = new GameForm(form, about, names, (wanted) => this.#play(wanted));
    const keptList = el('div', { id: 'kept-list' });
    const kept = el('details', { class: 'kept at-server', id: 'kept' }, el('summary', { text: t.review.kept }), keptList);
    kept.addEventListener('toggle', () => kept.open && this.#listKept(keptList));
    const watch = el('details', { class: 'kept', id: 'watch' }, el('summary', { text: t.review.watch }), el('p', { text: t.review.watchAbout }), form);
    const folder = el('input', { type: 'file', webkitdirectory: true, multiple: true, hidden: true, id: 'folder' });
    folder.addEventListener('change', () => this.#openFolder(folder));
    const buttons = el('p', { class: 'actions' }, el('button', { type: 'button', text: t.review.openFolder, on: { click: () => byId('open').click() } }), el('button', { type: 'button', text: t.review.folder, on: { click: () => folder.click() } }), folder);
    byId('review-list').replaceChildren(this.#own, watch, kept, buttons, this.#opened);
    this.#ladder = new Ladder(this.#opened, { show: (replay, step) => this.show([replay], step), warn: hooks.warn });
    this.#listOwn();
  }

  /** Lists the user's last games. */
  #listOwn() {
    const games = keptGames();
    const line = (game) => {
      const words = [t.review.game(boardName(game), t.review.end[game.won ? 'won' : 'lost'], clock(game.seconds)), game.marks ? marksLine(game.marks) : '', t.review.when(new Date(game.at))];
      return el('li', {}, el('button', { type: 'button', class: `kept-game ${game.won ? 'won' : 'lost'}`, text: words.filter(Boolean).join(' · '), on: { click: () => this.#hooks.goTo(game.address) } }));
    };
    const list = el('ol', { class: 'kept-games' });
    const more = fewFirst(list, games, FEW, line, t.frame.showAll);
    this.#own.replaceChildren(el('summary', {}, el('h2', { text: t.review.listTitle })), games.length ? list : el('p', { class: 'soft', text: t.review.noGames }), more);
  }

  async #openFolder(input) {
    const files = [...input.files].sort((one, other) => one.name.localeCompare(other.name));
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.value = '';
    byId('open-file').files = transfer.files;
    byId('open-form').requestSubmit();
  }

  async #play(wanted) {
    const { other: beside, ...question } = wanted;
    this.#form.setPlaying(true);
    this.#form.say('');
    const play = async () => {
      const first = await api.game(question);
      this.#show(beside ? [first, await playSame(first, beside)] : [first], watchAddress(wanted));
    };
    await this.#work(play, (error) => this.#form.say(error.message));
    this.#form.setPlaying(false);
  }

  /** Does this while the viewer is busy. `failed` is told of an error, too. */
  async #work(act, failed = () => {}) {
    byId('viewer').setAttribute('aria-busy', 'true');
    await act().catch((error) => (failed(error), this.#hooks.warn(error)));
    byId('viewer').setAttribute('aria-busy', 'false');
  }

  async #listKept(place) {
    try {
      const files = await api.replays();
      if (files.length) place.replaceChildren(...files.map(({ name, games }) => this.#keptFile(name, games)));
      else place.replaceChildren(el('p', { class: 'soft', text: t.review.keptNone }));
    } catch (error) {
      place.replaceChildren(el('p', { class: 'error', text: error.message }));
    }
  }

  #keptFile(name, count) {
    const load = async (from) => (await api.replayList(name, from, PAGE)).map((game) => ({ ...game, show: () => this.#showKept(name, game.index) }));
    return gameList(name, count, load, this.#hooks.warn);
  }

  #showKept(name, index) {
    return this.#showSaved(api.replay(name, index), `review/kept/${encodeURIComponent(name)}/${index}`);
  }

  /** Shows the game of a promise, at this address. */
  async #showSaved(asked, at) {
    await this.#work(async () => this.#show([await asked], at));
    byId('viewer').scrollIntoView({ block: 'nearest' });
  }

  #show(replays, at, step = null) {
    this.#replay = replays[0];
    this.#own.open = false;
    byId('review-list').classList.add('small');
    this.#viewer.show(replays, step, this.learnNext);
    this.learnNext = false;
    this.#at = at ?? this.#viewer.ownAddress();
    this.#hooks.address(this.#at);
  }

  /** Returns the address of the shown games. */
  address() {
    this.#listOwn();
    return this.#at;
  }

  /** Returns the game that is shown, with its address, or null. */
  shown() {
    return this.#replay && { ...this.#replay, address: this.#viewer.ownAddress() };
  }

  /** Shows these games. */
  show(replays, step = null) {
    this.#show(replays, null, step);
  }

  /** Lists and judges the games of a folder or of a file with many games. */
  folder(name, sources) {
    const show = (source) => this.#showSaved(api.read(source.text === undefined ? { base64: source.base64 } : { text: source.text }).then(({ replay }) => replay), null);
    const load = (from) => sources.slice(from, from + PAGE).map((source, at) => ({ index: from + at, name: source.name, ...ofLine(source.text ?? ''), show: () => show(source) }));
    const list = gameList(name, sources.length, load, this.#hooks.warn);
    list.open = true;
    this.#ladder.open(list, sources);
  }

  pause() {
    this.#viewer.pause();
  }

  /** Shows the game that an address names, unless it is already shown. */
  follow(hash) {
    this.#listOwn();
    if (hash === this.#at && !this.learnNext) return;
    const kept = /^review\/kept\/([^/]+)\/(\d+)$/.exec(hash);
    if (kept) {
      this.#showKept(decodeURIComponent(kept[1]), Number(kept[2]));
      return;
    }
    const own = reviewOf(hash);
    if (own) {
      this.#showOwn(own, hash);
      return;
    }
    const wanted = watchOf(hash);
    if (!wanted) {
      this.#hooks.warn(new Error(t.frame.noGame));
      return;
    }
    this.#form.set(wanted);
    this.#play(wanted);
  }

  #showOwn(game, hash) {
    return this.#work(async () => {
      const replay = await judgeGame(game);
      keepMarks(hash, factsOf(replay).marks, mistakesOf(replay));
      this.#show([replay], hash);
    });
  }
}

/** Creates a collapsed list of games. `load(from)` returns the next games, each with a function that shows it. */
function gameList(name, count, load, warn) {
  const list = el('div', { class: 'kept-games' });
  const more = el('button', { type: 'button', class: 'quiet', text: t.frame.more });
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
  const details = el('details', {}, el('summary', {}, name, ' ', el('span', { class: 'soft', text: t.counted.game(count) })), list, more);
  details.addEventListener('toggle', () => details.open && from === 0 && next(), { once: true });
  return details;
}

const gameText = ({ index, name, player, board, won, moves }) => (player === undefined ? `${index}: ${/\.jsonl?$/.test(name ?? '') ? t.review.notSaved : (name ?? t.review.notSaved)}` : t.review.line(index, player, board, won, moves));

/** Summarises a saved game from its line. The summary is empty if the line can't be read; opening it tells why. */
function ofLine(line) {
  try {
    const { player, board, end, moves } = JSON.parse(line);
    return { player, board, won: end === 'won', moves: moves.split(' ').length };
  } catch {
    return {};
  }
}
