// Patterns: twelve lessons with positions of games that need no guess. The user marks everything that can be proved.

import * as api from './api.js';
import { Board } from './board.js';
import { announce, el, remembered, showCurrent } from './dom.js';
import { blank, fromField, isCovered, isNumber, open, toCell, toIndex } from './position.js';
import { t } from './texts.js';
import { analysisOf } from './tutor.js';
import { easiest, explain, lessonOf, proofList, proofOf, spoken } from './why.js';

/** The positions of a lesson. */
const LENGTH = 20;
/** The most cells that a position asks for, and the time that the search for one may take, in milliseconds. */
const MOST_CELLS = 16;
const PATIENCE = 30_000;
const LEVELS = ['single-numbers', 'single-numbers', 'single-numbers', 'pairs', 'pairs', 'pairs', 'pairs', 'pairs', 'whole-count', 'whole-count', 'whole-count', 'whole-count'];
const BOARD = { width: 9, height: 9, mines: 12, firstClick: 'opening' };

/** Looks for a position of a lesson. Returns it with its analysis and the proof that it is chosen for, or null. `isWanted()` tells whether to go on. */
async function find(lesson, isWanted) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const start = performance.now();
  for (let game = 0; performance.now() - start < PATIENCE; game++) {
    const first = Math.floor(BOARD.width * BOARD.height / 2);
    const dealt = await api.deal({ width: BOARD.width, height: BOARD.height, mines: BOARD.mines, first_click: BOARD.firstClick, first: toCell(first, BOARD.width), seed: (seed + game) % 2 ** 31, game: 0, no_guess: true, level: LEVELS[lesson] });
    const field = fromField(dealt.field);
    const cells = blank(BOARD.width, BOARD.height);
    open(cells, field, BOARD.width, [first]);
    for (let move = 0; move < 60 && isWanted(); move++) {
      const position = { ...BOARD, cells: cells.slice() };
      const answer = await analysisOf(position);
      const proofs = answer.why.filter(({ steps }) => steps.length);
      if (answer.won || !answer.safe.length || !proofs.length) break;
      const shown = proofs.length > 1 && proofs.length <= MOST_CELLS ? fitting(lesson, proofs, position, answer) : null;
      if (shown) return { position, answer, proof: shown };
      // The easiest step is done for the user, so that harder positions come.
      const proof = easiest({ why: proofs });
      if (proof.mine) break;
      const last = JSON.stringify(proof.steps.at(-1));
      const targets = proofs.filter(({ steps, mine }) => !mine && JSON.stringify(steps.at(-1)) === last);
      open(cells, field, BOARD.width, targets.map(({ cell }) => toIndex(cell, BOARD.width)));
    }
    if (!isWanted()) return null;
  }
  return null;
}

/** Returns the proof that makes a position one of a lesson, or null. */
function fitting(lesson, proofs, position, answer) {
  const proof = lesson === 0 ? proofs.find(({ mine }) => mine) : easiest({ why: proofs });
  return proof && lessonOf(explain(proof, position, answer).steps) === lesson ? proof : null;
}

export class Lessons {
  #hooks;
  #board;
  #lesson = -1;
  #task = null;
  #run = null;
  #marks = new Map();
  #clean = true;
  #mineMode = false;
  #done = remembered.read('lessons', LEVELS.map(() => 0));
  #list = el('ol', { class: 'puzzle-list' });
  #said = el('p', { role: 'status' });
  #why = el('div');
  #title = el('h2');
  #next = el('button', { type: 'button', class: 'strong', text: t.practice.nextOne, on: { click: () => this.#find() } });
  #check = el('button', { type: 'button', text: t.practice.check, on: { click: () => this.#showRest() } });
  #mode = el('button', { type: 'button', 'aria-pressed': 'false', text: t.practice.mineMode, on: { click: () => this.#mode.setAttribute('aria-pressed', (this.#mineMode = !this.#mineMode)) } });

  constructor(root, hooks) {
    this.#hooks = hooks;
    const frame = el('div', { class: 'frame' });
    this.#board = new Board(frame, t.practice.patterns, { primary: (index) => this.#mark(index, this.#mineMode), secondary: (index) => this.#mark(index, true) });
    this.#board.resize(BOARD.width, BOARD.height);
    this.#board.draw(blank(BOARD.width, BOARD.height));
    const exercise = el('div', { class: 'exercise' }, el('div', {}, this.#title, frame), el('div', { class: 'learn' }, this.#said, this.#why, el('p', { class: 'actions' }, this.#mode, this.#check, this.#next)));
    root.replaceChildren(el('div', { class: 'puzzles' }, el('div', {}, el('h2', { text: t.practice.lessonsTitle }), el('p', { class: 'soft', text: t.practice.lessonsAbout }), this.#list), exercise));
  }

  /** Shows a lesson; without its number, the first that is not done. */
  enter(number) {
    const wanted = Number(number) - 1;
    if (number !== undefined && !(wanted in LEVELS)) this.#hooks.warn(new Error(t.frame.noPlace));
    const first = Math.max(0, this.#done.findIndex((count) => count < LENGTH));
    const lesson = wanted in LEVELS ? wanted : this.#lesson >= 0 ? this.#lesson : first;
    if (lesson === this.#lesson && this.#task) return;
    this.#lesson = lesson;
    this.#fill();
    this.#find();
  }

  #fill() {
    const line = (name, at) => el('a', { class: 'line', href: `#practice/patterns/${at + 1}`, 'aria-current': at === this.#lesson ? 'true' : null }, t.practice.lesson(at + 1, name), ' ', el('span', { class: 'soft', text: t.practice.done(this.#done[at] ?? 0, LENGTH) }));
    this.#list.replaceChildren(...t.practice.lessons.map((name, at) => el('li', {}, line(name, at))));
    showCurrent(this.#list);
  }

  async #find() {
    const lesson = this.#lesson;
    this.#task = null;
    this.#marks = new Map();
    this.#clean = true;
    this.#board.highlight({});
    this.#board.draw(blank(BOARD.width, BOARD.height));
    this.#why.replaceChildren();
    this.#title.textContent = t.practice.lesson(lesson + 1, t.practice.lessons[lesson]);
    this.#said.textContent = t.practice.searching;
    const run = (this.#run = {});
    const found = (await find(lesson, () => run === this.#run).catch(this.#hooks.warn)) ?? null;
    if (run !== this.#run) return;
    this.#task = found;
    this.#said.textContent = found ? t.practice.mark : t.practice.none;
    if (found) this.#draw();
  }

  #draw() {
    this.#board.draw(this.#task.position.cells, null, this.#marks);
  }

  #mark(index, isMine) {
    if (!this.#task) return;
    const { position, answer } = this.#task;
    if (!isCovered(position.cells[index]) || isNumber(position.cells[index])) return;
    const proof = proofOf(answer, index, position.width);
    if (!proof || proof.mine !== isMine) {
      this.#clean = false;
      return this.#say(proof ? t.practice.other : t.practice.wrong);
    }
    this.#marks.set(index, isMine ? 'proved-mine' : 'proved-safe');
    this.#draw();
    const all = answer.why.length;
    return this.#marks.size < all ? this.#say(t.practice.found(this.#marks.size, all)) : this.#finish(t.practice.all);
  }

  #showRest() {
    if (!this.#task) return;
    const { position, answer } = this.#task;
    const left = answer.why.length - this.#marks.size;
    if (left) this.#clean = false;
    for (const { cell, mine } of answer.why) this.#marks.set(toIndex(cell, position.width), mine ? 'proved-mine' : 'proved-safe');
    this.#draw();
    this.#finish(left ? t.practice.unmarked(left) : t.practice.all);
  }

  #finish(words) {
    const { position, answer, proof } = this.#task;
    const told = explain(proof, position, answer);
    this.#say(words);
    announce(`${words} ${spoken(told, position)}`);
    if (this.#clean && this.#done[this.#lesson] < LENGTH) {
      this.#done[this.#lesson]++;
      remembered.write('lessons', this.#done);
      this.#fill();
    }
    this.#clean = false;
    this.#why.replaceChildren(proofList(told, position, (groups) => this.#board.highlight(groups)));
  }

  #say(words) {
    this.#said.textContent = words;
    announce(words);
  }
}
