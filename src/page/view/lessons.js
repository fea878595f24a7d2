// Patterns: twelve lessons with positions of games that need no guess. The user marks everything that can be proved.

import { Board } from './board.js';
import { announce, el, remembered, showCurrent } from './dom.js';
import { blank, fromRows, isCovered, isNumber, toIndex } from './position.js';
import { t } from './texts.js';
import { analysisOf } from './tutor.js';
import { explain, proofList, proofOf, shownProof, spoken } from './why.js';

/** The positions of a lesson. */
const LENGTH = 20;
const BOARD = { width: 9, height: 9, mines: 12, firstClick: 'opening' };

const isDone = (bits, at) => bits & (1 << at);
const count = (bits) => Array.from({ length: LENGTH }).filter((_, at) => isDone(bits, at)).length;

/** Returns a promise of the cells of all positions, lesson by lesson. */
async function positions() {
  const text = await (await fetch(new URL('lessons.txt', import.meta.url))).text();
  return text.trim().split('\n').map((rows) => fromRows(rows.split('/')));
}

export class Lessons {
  #hooks;
  #board;
  #all = null;
  #lesson = -1;
  /** The number of the shown position in its lesson. */
  #at = -1;
  #task = null;
  #run = null;
  #marks = new Map();
  #clean = true;
  #mineMode = false;
  /** For each lesson, a bit for each position that was solved. */
  #done = remembered.read('patterns', t.practice.lessons.map(() => 0));
  #list = el('ol', { class: 'puzzle-list' });
  #said = el('p', { role: 'status' });
  #why = el('div');
  #title = el('h2');
  #later = el('button', { type: 'button', class: 'strong', text: t.practice.nextOne, on: { click: () => this.#next() } });
  #check = el('button', { type: 'button', text: t.practice.check, on: { click: () => this.#showRest() } });
  #mode = el('button', { type: 'button', 'aria-pressed': 'false', text: t.practice.mineMode, on: { click: () => this.#mode.setAttribute('aria-pressed', (this.#mineMode = !this.#mineMode)) } });

  constructor(root, hooks) {
    this.#hooks = hooks;
    const frame = el('div', { class: 'frame' });
    this.#board = new Board(frame, t.practice.patterns, { primary: (index) => this.#mark(index, this.#mineMode), secondary: (index) => this.#mark(index, true) });
    this.#board.resize(BOARD.width, BOARD.height);
    this.#board.draw(blank(BOARD.width, BOARD.height));
    const exercise = el('div', { class: 'exercise' }, el('div', {}, this.#title, frame), el('div', { class: 'learn' }, this.#said, this.#why, el('p', { class: 'actions' }, this.#mode, this.#check, this.#later)));
    root.replaceChildren(el('div', { class: 'puzzles' }, el('div', {}, el('h2', { text: t.practice.lessonsTitle }), el('p', { class: 'soft', text: t.practice.lessonsAbout }), this.#list), exercise));
  }

  /** Shows a lesson; without its number, the first that is not done. */
  enter(number) {
    const wanted = Number(number) - 1;
    const isLesson = wanted in t.practice.lessons;
    if (number !== undefined && !isLesson) this.#hooks.warn(new Error(t.frame.noPlace));
    const first = Math.max(0, this.#done.findIndex((bits) => count(bits) < LENGTH));
    const lesson = isLesson ? wanted : this.#lesson >= 0 ? this.#lesson : first;
    if (lesson === this.#lesson && this.#task) return;
    this.#lesson = lesson;
    this.#at = -1;
    this.#fill();
    this.#next();
  }

  #fill() {
    const line = (name, at) => el('a', { class: 'line', href: `#practice/patterns/${at + 1}`, 'aria-current': at === this.#lesson ? 'true' : null }, t.practice.lesson(at + 1, name), ' ', el('span', { class: 'soft', text: t.practice.done(count(this.#done[at]), LENGTH) }));
    this.#list.replaceChildren(...t.practice.lessons.map((name, at) => el('li', {}, line(name, at))));
    showCurrent(this.#list);
  }

  /** Shows the next position that was not solved yet; if all were, the next one. */
  async #next() {
    const lesson = this.#lesson;
    const later = Array.from({ length: LENGTH }, (_, by) => (this.#at + 1 + by) % LENGTH);
    this.#at = later.find((at) => !isDone(this.#done[lesson], at)) ?? later[0];
    this.#task = null;
    this.#marks = new Map();
    this.#clean = true;
    this.#board.highlight({});
    this.#why.replaceChildren();
    this.#title.textContent = t.practice.lesson(lesson + 1, t.practice.lessons[lesson]);
    const run = (this.#run = {});
    try {
      const cells = (await (this.#all ??= positions()))[lesson * LENGTH + this.#at];
      const position = { ...BOARD, cells };
      const answer = await analysisOf(position);
      if (run !== this.#run) return;
      this.#task = { position, answer, proof: shownProof(lesson, answer) };
      this.#said.textContent = t.practice.mark;
      this.#draw();
    } catch (error) {
      this.#all = null;
      this.#hooks.warn(error);
    }
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
    if (this.#clean) {
      this.#done[this.#lesson] |= 1 << this.#at;
      remembered.write('patterns', this.#done);
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
