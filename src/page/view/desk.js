// The game or position on the Board tab, and the actions on it. Draws nothing. Dispatches `change` after each change, `dealing` while the
// mines are requested, and `refusal` if they can't be dealt.

import * as api from './api.js';
import { History } from './history.js';
import * as rules from './position.js';

/** The tool that sets the next value of a cell at each click. Every other tool is the value that it sets. */
export const STEP = 'step';

/** Returns a random seed from 0 to 2^31 - 1. */
const anySeed = () => Math.floor(Math.random() * 2 ** 31);

export class Desk extends EventTarget {
  /**
   * width, height, mines, firstClick, cells; field: the true mines, or null if they are not dealt or unknown; moves: the moves in order;
   * over: null, 'won' or 'lost'; deal: seed, game, noGuess and level of the dealt mines, or null if the mines are not dealt; editing.
   */
  state;
  tool = STEP;
  #history = new History();
  #busy = false;
  #startedAt = 0;
  #seconds = 0;

  /** Starts a new game; `cells` has no open number. The mines are dealt at the first click. */
  newGame({ width, height, mines, firstClick, cells = rules.blank(width, height), seed = anySeed(), game = 0, noGuess = false, level = null, field = null, editing = false }) {
    this.#history.clear();
    this.#stopClock(0);
    const deal = field || editing ? null : { seed, game, noGuess, level, found: null };
    this.#set({ width, height, mines, firstClick, cells, field, moves: [], over: null, deal, editing });
  }

  /** Shows a position. If its true mines are unknown, the position can only be edited. */
  load({ width, height, mines, firstClick, cells, field = null, moves = [], deal = null, seconds = 0 }) {
    if (this.state) this.#history.keep(this.state);
    this.#stopClock(seconds);
    this.#set({ width, height, mines, firstClick, cells, field, moves, over: null, deal, editing: field === null });
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
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
    if (!this.canUndo) return;
    this.#set(this.#history.undo(this.state));
    if (this.state.over === null && this.state.moves.length) this.#startClock();
  }

  redo() {
    if (!this.canRedo) return;
    this.#set(this.#history.redo(this.state));
    if (this.state.over) this.#stopClock();
  }

  edit(editing) {
    if (!editing && !this.canPlay) return;
    this.#set({ ...this.state, editing });
  }

  async primary(index) {
    const { cells, width, over, editing } = this.state;
    if (editing) return this.#editCell(index, this.tool === STEP ? nextCode(cells[index]) : this.tool);
    if (over || this.#busy) return;
    const targets = rules.isNumber(cells[index]) ? rules.chord(cells, width, index) : cells[index] === rules.COVERED ? [index] : [];
    if (targets.length) await this.#open(targets);
  }

  secondary(index) {
    const { cells, editing, over } = this.state;
    const code = cells[index];
    if (editing) return this.#editCell(index, code === rules.FLAG ? rules.COVERED : rules.FLAG);
    if (over || this.#busy || !rules.isCovered(code)) return;
    this.#keep();
    this.#set({ ...this.state, cells: withCell(cells, index, code === rules.FLAG ? rules.COVERED : rules.FLAG) });
  }

  /** Handles a digit typed on a cell. */
  digit(index, code) {
    if (this.state.editing) this.#editCell(index, code === -1 ? rules.COVERED : code);
  }

  /** Handles a move of the pressed mouse onto a cell. Returns whether the cell was painted. */
  paint(index, from) {
    if (!this.state.editing || this.tool === STEP) return false;
    if (this.state.cells[from] !== this.tool) this.#editCell(from, this.tool);
    this.#editCell(index, this.tool);
    return true;
  }

  setMines(mines) {
    this.#keep();
    this.#set({ ...this.state, ...UNKNOWN, mines });
  }

  /** Covers all cells of the position that is edited. */
  cover() {
    this.#keep();
    this.#set({ ...this.state, ...UNKNOWN, cells: rules.blank(this.state.width, this.state.height) });
  }

  #editCell(index, code) {
    if (this.state.cells[index] === code) return;
    this.#keep();
    this.#set({ ...this.state, ...UNKNOWN, cells: withCell(this.state.cells.map(hidden), index, code) });
  }

  async #open(targets) {
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
    const moves = [...this.state.moves, { cells: targets.map((index) => rules.toCell(index, width)) }];
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
    this.#set({ ...this.state, cells, moves, over });
  }

  #keep() {
    this.#history.keep(this.state);
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
const UNKNOWN = { field: null, deal: null, moves: [], over: null, editing: true };

/** Returns a cell's code in an edited position: mines shown after a lost game become covered cells. */
const hidden = (code) => (code === rules.WRONG_FLAG ? rules.FLAG : code > 8 ? rules.COVERED : code);

/** Returns the next value of a cell, in the cycle covered, 1 to 8, 0. */
const nextCode = (code) => (code === 8 ? 0 : code === 0 ? rules.COVERED : rules.isNumber(code) ? code + 1 : 1);

function withCell(cells, index, code) {
  const changed = cells.slice();
  changed[index] = code;
  return changed;
}
