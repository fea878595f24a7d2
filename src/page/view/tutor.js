// The tutor beside the game: hints in three steps, why a cell is safe or a mine, the coach's words after a blunder.

import * as api from './api.js';
import { announce, el, percent, tenths } from './dom.js';
import { isCovered, isNoGuess, isNumber, neighbours, toIndex, toRows } from './position.js';
import { t } from './texts.js';
import { distinct, easiest, explain, lessonOf, proofOf, spoken, whyCell } from './why.js';

/** Asks for the analysis of a position. `rollOuts` measures the candidates of a guess. Boards that need no guess have no chance to win. */
export function analysisOf({ width, height, mines, firstClick, cells, ...more }, { signal, rollOuts = false } = {}) {
  return api.analyse({ width, height, mines, rows: toRows(cells, width), first_click: firstClick, players: [], roll_outs: rollOuts, no_guess: isNoGuess(more) }, signal);
}

const button = (text, click, strong = false) => el('button', { type: 'button', class: strong ? 'strong' : null, text, on: { click } });
const heading = (text, note = '') => el('div', { class: 'tutor-head' }, el('h2', { text }), note ? el('span', { class: 'soft', text: note }) : '');

export class Tutor {
  /** The analysis of the shown position, or null while it is not there. */
  answer = null;
  #root;
  #board;
  #desk;
  #hooks;
  #abort = null;
  #asked = null;
  #stage = 0;
  #reason = 0;
  #pinned = false;

  /** `hooks`: `answered()` after each analysis, `shown()` after each change of what is said. */
  constructor(root, board, desk, hooks) {
    this.#root = root;
    this.#board = board;
    this.#desk = desk;
    this.#hooks = hooks;
  }

  /** Starts with a changed position: asks for its analysis, and shows nothing yet. */
  follow() {
    const { state } = this.#desk;
    this.#stage = 0;
    this.#reason = 0;
    this.#pinned = false;
    this.answer = null;
    this.#abort?.abort();
    this.#abort = null;
    this.#board.highlight({});
    this.#root.dispatchEvent(new Event('done'));
    const isAsked = !state.over && state.cells.some(isNumber);
    this.#root.setAttribute('aria-busy', isAsked);
    if (!state.over) this.#say(this.#idle());
    this.#asked = isAsked ? this.#ask(state) : null;
  }

  async #ask(state) {
    const abort = (this.#abort = new AbortController());
    try {
      const answer = await analysisOf(state, { signal: abort.signal });
      if (abort !== this.#abort) return null;
      this.answer = answer;
      this.#hooks.answered(answer);
      return answer;
    } catch (error) {
      if (abort === this.#abort && error.name !== 'AbortError') this.#say(heading(t.tutor.refused), el('p', { text: t.dot(error.message) }));
      return null;
    } finally {
      if (abort === this.#abort) this.#root.setAttribute('aria-busy', 'false');
    }
  }

  /** Returns a promise of the analysis of the shown position; null if it changes meanwhile, or has none: then says how a game begins. */
  async #current() {
    const { state } = this.#desk;
    if (!state.over && !state.cells.some(isNumber)) return this.#tell(heading(t.tutor.firstClick), this.#first);
    const answer = this.answer ?? (await this.#asked);
    return state === this.#desk.state ? answer : null;
  }

  /** What to do on an untouched board. */
  get #first() {
    const { field, firstClick } = this.#desk.state;
    return field ? t.play.dealt : t.play.first[firstClick];
  }

  #idle() {
    const { beat, cells } = this.#desk.state;
    const words = beat ? t.play.beat(tenths(beat)) : cells.some(isNumber) ? '' : this.#first;
    return el('div', {}, heading(t.tutor.label), words ? el('p', { text: words }) : '', el('p', { class: 'soft', text: matchMedia('(pointer: coarse)').matches ? t.tutor.readyToTouch : t.tutor.ready }));
  }

  #say(...content) {
    this.#root.querySelector('.tutor-body').replaceChildren(...content);
    this.#hooks.shown();
  }

  /** Shows and announces words below a heading, with buttons. Returns null. */
  #tell(head, words, ...buttons) {
    this.#pinned = true;
    this.#say(head, el('p', { text: words }), el('p', { class: 'actions' }, ...buttons));
    announce(words);
    return null;
  }

  /** Shows these elements instead of hints. */
  say(...content) {
    this.#board.highlight({});
    this.#pinned = true;
    this.#say(...content);
  }

  /** Whether the pointer may ask about cells: what is shown was not asked for, thus it may be replaced. */
  get isIdle() {
    return !this.#pinned;
  }

  /** Gives the next step of the hint: where, why, do it. */
  async hint() {
    const { state } = this.#desk;
    if (state.over) return;
    if (!this.#stage && state.cells.some(isNumber)) this.#desk.hints++;
    this.#root.dispatchEvent(new Event('wanted'));
    const answer = await this.#current();
    if (!answer) return;
    this.#stage = this.#stage % 3 + 1;
    const reasons = this.#reasons();
    if (reasons.length) this.#hintProof(reasons[this.#reason % reasons.length], reasons.length);
    else await this.#hintGuess(answer);
  }

  /** The proofs that a hint may show: of one proof for each last step, the cells that are still to be opened, or mines without a flag. */
  #reasons() {
    const { cells, width } = this.#desk.state;
    const all = distinct(this.answer.why.filter(({ cell, mine }) => !mine || isCovered(cells[toIndex(cell, width)])));
    const safe = all.filter(({ mine }) => !mine);
    return safe.length ? safe : all.filter(({ cell }) => cells[toIndex(cell, width)] === -1 && this.answer.safe.length > 0);
  }

  #hintProof(proof, count) {
    const { state } = this.#desk;
    const told = explain(proof, state, this.answer);
    const { width, height } = state;
    const last = told.steps.at(-1).groups;
    const targets = [...(last.safe ?? []), ...(last.mine ?? [])].filter((index) => isCovered(state.cells[index]));
    const act = () => (proof.mine ? this.#desk.flagAll(targets) : this.#desk.openAll(targets));
    if (this.#stage === 3) return act();
    this.#pinned = true;
    if (this.#stage === 1) {
      const near = neighbours(width, height);
      const region = new Set(told.steps.flatMap(({ groups }) => [...groups.a, ...groups.b, ...(groups.safe ?? []), ...(groups.mine ?? [])]).flatMap((index) => [index, ...near[index]]));
      this.#board.highlight({ region: [...region] });
      const [rows, columns] = [[...region].map((index) => Math.floor(index / width) + 1), [...region].map((index) => (index % width) + 1)];
      const place = t.tutor.within(...[rows, columns].flatMap((all) => [Math.min(...all), Math.max(...all)]));
      return this.#tell(heading(t.tutor.whereTitle, t.tutor.hintOf(1)), (proof.mine ? t.tutor.whereMine : t.tutor.where)(place), button(t.tutor.next, () => this.hint(), true));
    }
    const another = button(t.tutor.another, () => {
      this.#reason++;
      this.#stage = 1;
      this.hint();
    });
    const does = proof.mine ? t.tutor.doFlag : t.tutor.doOpen(targets.length);
    return announce(this.#showWhy(targets[0], t.tutor.hintOf(2), proof, button(does, act, true), count > 1 ? another : ''));
  }

  /** Says why a cell is safe, a mine or neither, or shows this proof. */
  #showWhy(index, note, proof, ...buttons) {
    const { title, content, told } = whyCell(this.answer, this.#desk.state, index, (groups) => this.#board.highlight(groups), proof);
    const lesson = told && el('a', { class: 'quiet', href: `#practice/patterns/${lessonOf(told.steps) + 1}`, text: t.why.patterns });
    this.#say(heading(title, note), ...content, el('p', { class: 'actions' }, ...buttons, lesson));
    return told ? spoken(told, this.#desk.state) : content.map(({ textContent }) => textContent).join(' ');
  }

  async #hintGuess(answer) {
    const { state } = this.#desk;
    const [best] = answer.candidates;
    if (answer.too_hard) return this.#tell(heading(t.tutor.tooHard), t.dot(answer.too_hard));
    if (this.#stage === 1 || !best) return this.#tell(heading(t.tutor.guessTitle, t.tutor.hintOf(1)), t.tutor.mustGuess, button(t.tutor.guessNext, () => this.hint(), true));
    const index = toIndex(best.cell, state.width);
    if (this.#stage === 3) return this.#desk.openAll([index]);
    this.#board.highlight({ target: [index] });
    const words = t.tutor.best.replace('{cell}', t.board.place(best.cell[0] + 1, best.cell[1] + 1)).replace('{mine}', percent(best.mine, 0)).replace('{progress}', percent(best.progress, 0));
    return this.#tell(heading(t.tutor.guessTitle, t.tutor.hintOf(2)), words, button(t.tutor.doGuess, () => this.#desk.openAll([index]), true));
  }

  /** Says why a cell is safe, a mine, or neither. `pinned` keeps the answer until the next position. */
  async why(index, pinned = true) {
    const { state } = this.#desk;
    if (state.over || index < 0) return;
    if (pinned) this.#root.dispatchEvent(new Event('wanted'));
    const answer = await this.#current();
    if (!answer) return;
    if (pinned) {
      this.#pinned = true;
      this.#stage = 2;
    }
    if (isNumber(state.cells[index])) return pinned && this.#tell(heading(t.tutor.label), t.tutor.isOpen);
    const proof = proofOf(answer, index, state.width);
    const words = this.#showWhy(index, '', proof, !proof && answer.safe.length ? button(t.tutor.showMe, () => this.showSafe()) : '');
    if (pinned) announce(words);
  }

  /** Shows the easiest proof of the position. */
  showSafe() {
    const proof = this.answer && easiest(this.answer);
    if (!proof) return;
    this.#pinned = true;
    this.#stage = 2;
    announce(this.#showWhy(null, '', proof));
  }

  /** Moves the focus to the next proved safe cell. */
  async nextSafe() {
    const { state } = this.#desk;
    const answer = await this.#current();
    if (!answer) return;
    const cells = answer.safe.map((cell) => toIndex(cell, state.width)).sort((one, other) => one - other);
    if (!cells.length) return announce(answer.too_hard ? t.dot(answer.too_hard) : t.tutor.nowhere);
    this.#desk.hints++;
    return this.#board.goTo(cells.find((index) => index > this.#board.current) ?? cells[0]);
  }

  /** Moves the focus to the best guess. */
  async bestGuess() {
    const { state } = this.#desk;
    const answer = await this.#current();
    if (!answer) return;
    if (!answer.candidates.length) return this.nextSafe();
    this.#desk.hints++;
    this.#stage = 2;
    this.#board.goTo(toIndex(answer.candidates[0].cell, state.width));
    return this.#hintGuess(answer);
  }

  /** Speaks after a move if it was a blunder, and returns a promise of whether. `before` is the state before it, `answer` its analysis if there was one. */
  async coach(before, targets, known) {
    const state = this.#desk.state;
    if (!before.cells.some(isNumber)) return;
    const answer = known ?? (await analysisOf(before).catch(() => null));
    if (!answer || state !== this.#desk.state) return;
    const share = Math.max(...targets.map((index) => answer.mine_probability.flat()[index] ?? 0));
    if (!(share === 1 || (share > 0 && answer.safe.length))) return;
    const words = share === 1 ? t.tutor.coachMine : t.tutor.coachGuess(percent(share, 0));
    const showMe = button(t.tutor.showMe, () => this.#takeBack(state, () => this.showSafe()));
    this.#board.highlight({});
    this.#tell(heading(t.tutor.coach), words, answer.safe.length ? showMe : '', button(t.tutor.takeBack, () => this.#takeBack(state)));
    this.#root.dispatchEvent(new Event('wanted'));
    return true;
  }

  async #takeBack(state, then = () => {}) {
    if (state === this.#desk.state) this.#desk.undo();
    await this.#asked;
    then();
  }
}
