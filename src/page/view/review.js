// The place Review: the last games of the user, games of players, opened replays and folders of them.

import * as api from './api.js';
import { decoded, gameOf, reviewAddress, reviewOf } from './codes.js';
import { byId, clock, el, fewFirst } from './dom.js';
import { judgeGame } from './end.js';
import { factsOf, marksLine } from './facts.js';
import { kept } from './kept.js';
import { Ladder } from './ladder.js';
import { mistakesOf } from './learn.js';
import { BOARDS } from './levels.js';
import { keepMarks, keptGames } from './records.js';
import { t } from './texts.js';
import { Viewer } from './viewer.js';
import { GameForm, watchAddress, watchOf } from './watch.js';

const PAGE = 50;
/** The number of the user's last games that are shown at first. */
const FEW = 8;

/** Returns the name of a level, or the size of a board of another kind. */
function boardName({ width, height, mines }) {
  const level = Object.entries(BOARDS).find(([, board]) => board.join() === [width, height, mines].join());
  return level ? t.play.level[level[0]] : `${width}×${height}/${mines}`;
}

export class Review {
  /** Whether the next game that is shown begins with its mistakes. */
  learnNext = false;
  viewer;
  #hooks;
  #form;
  /** The address of the shown game, and the player who plays the same mines beside it. */
  #base = 'review';
  #beside = '';
  #replay = null;
  #wanted = null;
  #moved = 0;
  #own = el('details', { class: 'kept', id: 'own-games', open: true });
  #opened = el('details', { class: 'kept', id: 'opened-games', hidden: true });
  #ladder;

  /** `hooks`: `warn(error)`, `address(hash)`, `analyse(position)`, `playHere(state)`, `goTo(hash)`, `openFiles()`, `takeFiles(files)`. */
  constructor(about, hooks) {
    const names = about.players.map(({ name }) => name);
    this.#hooks = hooks;
    const beside = (player) => this.#work(async () => [this.#replay, await playSame(this.#replay, player)], (games) => this.#show(games, this.#base, player, 0));
    this.viewer = new Viewer(byId('viewer'), { players: () => names, beside, moved: () => this.#tell(), ...hooks });
    const form = el('form', { class: 'strip', id: 'game-form' });
    this.#form = new GameForm(form, about, names, (wanted) => this.#play(wanted));
    const keptList = el('div', { id: 'kept-list' });
    const atServer = el('details', { class: 'kept at-server', id: 'kept' }, el('summary', { text: t.review.kept }), keptList);
    atServer.addEventListener('toggle', () => atServer.open && this.#listKept(keptList));
    const watch = el('details', { class: 'kept', id: 'watch' }, el('summary', { text: t.review.watch }), el('p', { text: t.review.watchAbout }), form);
    const folder = el('input', { type: 'file', webkitdirectory: true, multiple: true, hidden: true, id: 'folder' });
    folder.addEventListener('click', () => (folder.value = ''));
    folder.addEventListener('change', () => hooks.takeFiles([...folder.files].sort((one, other) => one.name.localeCompare(other.name))));
    const buttons = el('p', { class: 'actions' }, el('button', { type: 'button', text: t.review.openFolder, on: { click: hooks.openFiles } }), el('button', { type: 'button', text: t.review.folder, on: { click: () => folder.click() } }), folder);
    byId('review-list').replaceChildren(this.#own, watch, atServer, this.#opened, buttons);
    this.#ladder = new Ladder(this.#opened, { show: (replay, step) => this.show(replay, step) });
    this.#listOwn();
    kept.read('folder').then((folder) => folder && this.#list(folder, !this.#replay));
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

  async #play(wanted) {
    this.#form.setPlaying(true);
    this.#form.say('');
    await this.#open(watchAddress(wanted));
    this.#form.setPlaying(false);
  }

  /** Shows the games that `find` returns a promise of, unless others are wanted meanwhile. The viewer is busy until then. */
  async #work(find, show) {
    const wanted = (this.#wanted = {});
    byId('viewer').setAttribute('aria-busy', 'true');
    const games = await find().catch((error) => wanted === this.#wanted && this.#hooks.warn(error));
    if (wanted !== this.#wanted) return;
    byId('viewer').setAttribute('aria-busy', 'false');
    if (games) show(games);
  }

  /** Shows the game at an address, a player beside it, and a step or where a game opens. */
  #open(base, beside = '', step = null) {
    const find = async () => {
      const games = await this.#gamesAt(base);
      return beside ? [games[0], await playSame(games[0], beside)] : games;
    };
    return this.#work(find, (games) => this.#show(games, base, beside, step));
  }

  /** Returns a promise of the games at an address: one of this server, one that a person played, or those of players. */
  async #gamesAt(base) {
    const saved = /^review\/kept\/([^/]+)\/(\d+)$/.exec(base);
    if (saved) return [await api.replay(decoded(saved[1]), Number(saved[2]))];
    const own = reviewOf(base);
    if (own) {
      const replay = await judgeGame(own);
      keepMarks(base, factsOf(replay).marks, mistakesOf(replay));
      return [replay];
    }
    const wanted = watchOf(base);
    if (!wanted) throw new Error(t.frame.noGame);
    this.#form.set(wanted);
    const { other, ...question } = wanted;
    const replay = await api.game(question);
    return other ? [replay, await playSame(replay, other)] : [replay];
  }

  async #listKept(place) {
    const files = await api.replays().catch(this.#hooks.warn);
    const games = async (name, from) => ((await api.replayList(name, from, PAGE).catch(this.#hooks.warn)) ?? []).map((game) => ({ ...game, end: game.won ? 'won' : 'lost', show: () => this.#open(`review/kept/${encodeURIComponent(name)}/${game.index}`) }));
    if (files) place.replaceChildren(...files.map((file) => gameList(file.name, file.games, (from) => games(file.name, from))), files.length ? '' : el('p', { class: 'soft', text: t.review.keptNone }));
  }

  #show(replays, base, beside = '', step = null) {
    [this.#replay] = replays;
    this.#base = base;
    this.#beside = beside;
    this.#own.open = false;
    this.#opened.open = false;
    byId('review-list').classList.add('small');
    this.viewer.show(replays, step, this.learnNext);
    this.learnNext = false;
    byId('viewer').scrollIntoView({ block: 'nearest' });
  }

  /** Tells the address of the shown step, at most five times a second. */
  #tell() {
    clearTimeout(this.#moved);
    this.#moved = setTimeout(() => this.#hooks.address(this.#address()), 200);
  }

  /** Returns the address of the shown games and of the step, with `!` if the user learns from the mistake there. */
  #address() {
    if (!this.#replay) return this.#base;
    return `${this.#base}${this.#beside && `+${encodeURIComponent(this.#beside)}`}@${this.viewer.step}${this.viewer.isLearning ? '!' : ''}`;
  }

  /** Returns the game that is shown, with an address for any machine, or null. */
  shown() {
    return this.#replay && { ...this.#replay, address: this.#base.startsWith('review/own/') ? this.#base : addressOf(this.#replay) };
  }

  /** Shows a game that no address has named. */
  show(replay, step = null) {
    this.#wanted = null;
    this.#show([replay], addressOf(replay), '', step);
  }

  /** Keeps, lists and judges the games of a folder or of a file with many games. */
  async folder(name, sources) {
    const folder = { name, sources, id: Date.now() };
    await kept.clear();
    kept.write('folder', folder);
    this.#list(folder, true);
  }

  #list(folder, isOpen) {
    const { sources } = folder;
    const show = (source) => this.#work(() => api.read(source), ({ replay }) => this.show(replay));
    /** The ends of the judged games, or null for files that are none. */
    const known = new Map();
    const load = (from) => sources.slice(from, from + PAGE).map((source, at) => ({ index: from + at, name: source.name, ...ofLine(source.text ?? ''), ...known.get(from + at), show: () => show(source) }));
    const list = gameList('', sources.length, load);
    list.open = true;
    this.#opened.hidden = false;
    this.#opened.open = isOpen;
    this.#ladder.open(list, folder, (at, replay) => {
      known.set(at, { end: replay?.end ?? null });
      const games = sources.length - [...known.values()].filter(({ end }) => !end).length;
      list.querySelector('summary .soft').textContent = t.counted.game(games);
      const line = list.querySelector(`[data-at="${at}"]`);
      if (line) dressGame(line, load(at)[0]);
    });
  }

  /** Shows the games that an address names, unless they are already shown, and its step. */
  follow(hash) {
    this.#listOwn();
    if (hash === 'review') return this.#hooks.address(this.#address());
    const [, base, beside = '', digits = null, learn = ''] = /^(.*?)(?:\+([^+@/]+))?(?:@(\d+)(!?))?$/.exec(hash);
    const step = digits && Number(digits);
    const player = decoded(beside);
    const learns = learn && !(this.viewer.isLearning && this.viewer.step === step);
    if (base === this.#base && player === this.#beside && !this.learnNext && !learns) return step === null || learn || this.viewer.go(step);
    this.learnNext ||= learn !== '';
    return this.#open(base, player, step);
  }
}

/** Returns the address of a judged game. */
function addressOf(replay) {
  const game = gameOf(replay);
  return reviewAddress(game, game.moves, replay.player);
}

/** Returns a promise of another player's game on the same mines, from the same first cell. */
function playSame(replay, player) {
  const { width, height, mines, first_click, field, moves } = replay;
  const first = moves.find(({ kind }) => kind === 'open');
  return api.game({ width, height, mines, first_click, seed: 0, game: 0, player, field, ...(first ? { first: first.cells[0] } : {}) });
}

/** Creates a collapsed list of games. `load(from)` returns the next games, each with a function that shows it. */
function gameList(name, count, load) {
  const list = el('div', { class: 'kept-games' });
  const more = el('button', { type: 'button', class: 'quiet', text: t.frame.more });
  let from = 0;
  const next = async () => {
    const found = await load(from);
    from += found.length;
    list.append(...found.map((game) => dressGame(el('button', { type: 'button', 'data-at': game.index, on: { click: game.show } }), game)));
    more.hidden = from >= count || !found.length;
  };
  more.addEventListener('click', next);
  const details = el('details', {}, el('summary', {}, name, ' ', el('span', { class: 'soft', text: t.counted.game(count) })), list, more);
  details.addEventListener('toggle', () => details.open && from === 0 && next(), { once: true });
  return details;
}

/** Writes what is known of a game on its button: its result once it is read, null if the file is no game. */
function dressGame(button, { index, name, player, board, end, moves }) {
  const result = end === null ? t.review.notSaved : t.review.end[end];
  button.textContent = player === undefined || end === null ? `${index + 1}: ${[name, result].filter(Boolean).join(', ')}` : t.review.line(index + 1, player, board, result, moves);
  button.className = `kept-game ${end ?? ''}`;
  return button;
}

/** Summarises a saved game from its line. The summary is empty if the line can't be read; opening it tells why. */
function ofLine(line) {
  try {
    const { player, board, end, moves } = JSON.parse(line);
    return { player, board, end, moves: moves.split(' ').length };
  } catch {
    return {};
  }
}
