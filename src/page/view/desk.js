// A game, or a position to be analysed, and the actions on it. Draws nothing. Dispatches `change` after each change, `opened` after each
// opening (with the state before it and the opened cells), `dealing` while the mines are requested, and `refusal` if they can't be dealt.

import * as api from './api.js';
import * as rules from './position.js';

/** The tool that sets the next value of a cell at each click. Every other tool is the value that it sets. */
export const STEP = 'step';

/** The states that undo goes back at most. */
const MOST_STATES = 2000;

/** Returns a random seed from 0 to 2^31 - 1. */
const anySeed = () => Math.floor(Math.random() * 2 ** 31);

export class Desk extends EventTarget {
  /**
   * width, height, mines, firstClick, cells; field: the true mines, or null if they are not dealt or unknown; moves: the moves in order, each
   * with its kind, the index of the clicked cell, those that it opens, and the time `at`; over: null, 'won' or 'lost'; from: the number of moves that somebody else made; deal: how the mines
   * are dealt by a seed, or null; beat: a time to beat, or null; editing: whether clicks set cells.
   */
  state;
  tool = STEP;
  /** The number of hints in this game. */
  hints = 0;
  /** The states for undo and redo. */
  past = [];
  future = [];
  #busy = false;
  #startedAt = 0;
  #seconds = 0;

  /** Starts a new game; `cells` has no open number. The mines are dealt at the first click. */
  newGame({ width, height, mines, firstClick, cells = rules.blank(width, height), seed = anySeed(), game = 0, noGuess = false, level = null, field = null, editing = false }) {
    this.#begin();
    const deal = field || editing ? null : { seed, game, noGuess, level, found: null };
    this.#set({ width, height, mines, firstClick, cells, field, moves: [], over: null, deal, beat: null, editing });
  }

  /** Starts a game on these mines, with its first cell open. The clock starts at the next move. `deal` is that of the mines; Undo brings `own` back. */
  replayMines({ width, height, mines, firstClick, field, first = null, deal = null, beat = null, own = null }) {
    const paused = own && { ...own, paused: this.seconds };
    this.#begin();
    if (paused) this.past = [paused];
    const cells = rules.blank(width, height);
    if (first !== null) rules.open(cells, field, width, [first]);
    const moves = first === null ? [] : [{ kind: 'open', cell: first, cells: [first], at: 0 }];
    this.#set({ width, height, mines, firstClick, cells, field, moves, over: null, deal, beat, editing: false });
  }

  /** Starts the same mines again. Before the first click, there are none. */
  restart() {
    const { field, moves } = this.state;
    if (!field) return this.newGame({ ...this.state, cells: undefined, ...this.state.deal });
    const first = moves[0]?.cells[0] ?? null;
    this.replayMines({ ...this.state, first: first !== null && field[first] ? null : first });
  }

  /** Shows a position. If its true mines are unknown, the position can only be edited. `runs` tells that its clock goes on. */
  load({ width, height, mines, firstClick, cells, field = null, moves = [], deal = null, beat = null, seconds = 0, runs = false, hints = 0, noGuess = false, from = 0 }) {
    if (this.state) this.#keep();
    this.#stopClock(seconds);
    if (runs) this.#startClock();
    this.hints = hints;
    this.#set({ width, height, mines, firstClick, cells: Int8Array.from(cells), field, moves, over: null, deal, beat, noGuess, from, editing: false });
  }

  /** Whether clicks can open cells, because the mines are known or can still be dealt. */
  get canPlay() {
    return this.state.field !== null || this.state.deal !== null;
  }

  get seconds() {
    return this.#seconds + (this.#startedAt ? (performance.now() - this.#startedAt) / 1000 : 0);
  }

  get minesLeft() {
    const { cells, mines } = this.state;
    return mines - rules.count(cells, rules.FLAG) - rules.count(cells, rules.WRONG_FLAG);
  }

  undo() {
    if (!this.past.length) return;
    this.future.push(this.state);
    const past = this.past.pop();
    if (past.paused !== undefined) this.#stopClock(past.paused);
    this.#set(past);
    if (this.state.over === null && this.state.moves.length) this.#startClock();
  }

  redo() {
    if (!this.future.length) return;
    this.past.push(this.state);
    this.#set(this.future.pop());
    if (this.state.over) this.#stopClock();
  }

  edit(editing) {
    this.#set({ ...this.state, editing });
  }

  async primary(index) {
    const { cells, width, over, editing } = this.state;
    if (editing) return this.setCell(index, this.tool === STEP ? nextCode(cells[index]) : this.tool);
    if (over || this.#busy || !this.canPlay) return;
    const targets = rules.isNumber(cells[index]) ? rules.chord(cells, width, index) : cells[index] === rules.COVERED ? [index] : [];
    if (targets.length) await this.open(targets, rules.isNumber(cells[index]) ? 'chord' : 'open', index);
  }

  secondary(index) {
    const { cells, editing, over } = this.state;
    const code = cells[index];
    if (editing) return this.setCell(index, code === rules.FLAG ? rules.COVERED : rules.FLAG);
    if (over || this.#busy || !this.canPlay || !rules.isCovered(code)) return;
    this.#keep();
    this.#set({ ...this.state, cells: withCell(cells, index, code === rules.FLAG ? rules.COVERED : rules.FLAG) });
  }

  /** Sets a cell of a position; Undo takes it back. */
  setCell(index, code) {
    if (this.state.cells[index] !== code) this.change({ cells: withCell(this.state.cells.map(hidden), index, code) });
  }

  /** Opens cells that are known to be safe, all at once. */
  async openAll(indices) {
    const targets = indices.filter((index) => rules.isCovered(this.state.cells[index]));
    if (!this.state.over && !this.#busy && this.canPlay && targets.length) await this.open(targets);
  }

  /** Flags cells. */
  flagAll(indices) {
    if (!indices.some((index) => this.state.cells[index] === rules.COVERED)) return;
    this.#keep();
    this.#set({ ...this.state, cells: this.state.cells.map((code, index) => (code === rules.COVERED && indices.includes(index) ? rules.FLAG : code)) });
  }

  /** Handles a move of the pressed mouse onto a cell. Returns whether the cell was painted. */
  paint(index, from) {
    if (!this.state.editing || this.tool === STEP) return false;
    if (this.state.cells[from] !== this.tool) this.setCell(from, this.tool);
    this.setCell(index, this.tool);
    return true;
  }

  /** Changes a part of the position, which then has no known mines. */
  change(part) {
    this.#keep();
    this.#set({ ...this.state, ...UNKNOWN, ...part });
  }

  /** Opens these cells in a move of this kind. On mines that are dealt, all is done at once. */
  async open(targets, kind = 'open', cell = targets[0]) {
    const { width, height, mines, firstClick, deal } = this.state;
    if (!this.state.field) {
      this.#busy = true;
      this.dispatchEvent(new Event('dealing'));
      const before = this.state;
      try {
        const { seed, game, noGuess, level } = deal;
        const dealt = await api.deal({ width, height, mines, first_click: firstClick, first: rules.toCell(targets[0], width), seed, game, no_guess: noGuess, level });
        if (this.state !== before) return;
        this.#keep();
        this.state = { ...before, field: rules.fromField(dealt.field), deal: { ...deal, found: { game: dealt.game, level: dealt.level } } };
      } catch (error) {
        this.dispatchEvent(new CustomEvent('refusal', { detail: error }));
        return;
      } finally {
        this.#busy = false;
      }
    } else {
      this.#keep();
    }
    const { field } = this.state;
    const cells = this.state.cells.slice();
    const hit = rules.open(cells, field, width, targets);
    const moves = [...this.state.moves, { kind, cell, cells: [...targets], at: this.seconds }];
    const before = this.state;
    let over = null;
    if (hit >= 0) {
      over = 'lost';
      rules.reveal(cells, field);
    } else if (rules.isWon(cells, mines)) {
      over = 'won';
      cells.forEach((code, index) => code === rules.COVERED && (cells[index] = rules.FLAG));
    }
    if (over) this.#stopClock();
    else this.#startClock();
    const opened = cells.reduce((sum, code, index) => sum + (rules.isNumber(code) && !rules.isNumber(before.cells[index]) ? 1 : 0), 0);
    this.dispatchEvent(new CustomEvent('opened', { detail: { before, targets, opened } }));
    this.#set({ ...this.state, cells, moves, over });
  }

  #begin() {
    this.past = [];
    this.future = [];
    this.#stopClock(0);
    this.hints = 0;
  }

  #keep() {
    this.past.push(this.state);
    if (this.past.length > MOST_STATES) this.past.shift();
    this.future = [];
  }

  #set(state) {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }

  #startClock() {
    if (!this.#startedAt) this.#startedAt = performance.now();
  }

  #stopClock(seconds = this.seconds) {
    this.#seconds = seconds;
    this.#startedAt = 0;
  }
}

/** The changes to the state when a user sets a cell of a game: the game becomes an edited position. */
const UNKNOWN = { field: null, deal: null, moves: [], over: null, noGuess: false };

/** Returns a cell's code in an edited position: mines shown after a lost game become covered cells. */
const hidden = (code) => (code === rules.WRONG_FLAG ? rules.FLAG : code > 8 ? rules.COVERED : code);

/** Returns the next value of a cell, in the cycle covered, 1 to 8, 0. */
const nextCode = (code) => (code === 8 ? 0 : code === 0 ? rules.COVERED : rules.isNumber(code) ? code + 1 : 1);

function withCell(cells, index, code) {
  const changed = cells.slice();
  changed[index] = code;
  return changed;
}
