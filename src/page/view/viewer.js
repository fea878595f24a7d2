// Shows a played game move by move, or two games on the same mines side by side.

import * as api from './api.js';
import { Board } from './board.js';
import { gameOf, isFlag } from './codes.js';
import { el, remembered, svg } from './dom.js';
import { chance, factsOf, isMistake, marksLine, SIGNS } from './facts.js';
import { Graph } from './graph.js';
import { Mistake, mistakesOf } from './learn.js';
import { fromField } from './position.js';
import { decisionSentence, decisions, firstStep, marksAt, moveSentence, totals, unfold } from './replay.js';
import { t } from './texts.js';
import { analysisOf } from './tutor.js';

const PACE = 700;
/** The paths of icons. They are drawn, because fonts may lack these symbols. */
const ICONS = { first: 'M5 4v12M16 4 8 10l8 6z', back: 'M14 4 6 10l8 6z', next: 'M6 4l8 6-8 6z', last: 'M15 4v12M4 4l8 6-8 6z', pause: 'M7 4v12M13 4v12' };
const icon = (name) => svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true', class: 'filled' }, svg('path', { d: ICONS[name] }));

export class Viewer {
  /** The number of moves before the shown position. */
  step = 0;
  #root;
  #hooks;
  #sides = [];
  #steps = 0;
  #timer = 0;
  #graph = null;
  #mistake = null;
  #mistakes = [];
  #learning = -1;
  #chances = remembered.read('viewer-chances', false);
  #asked = 0;
  #parts = {};

  /** `hooks`: `players()`, which returns names, `beside(player)`, `moved()` at each step, `analyse(position)`, `playHere(state)`, `warn(error)`. */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    document.addEventListener('keydown', ({ key, target, altKey }) => {
      if (altKey || !this.#steps || !root.checkVisibility() || target.closest('[role=grid], input, select, dialog')) return;
      if (key === 'ArrowLeft') this.go(this.step - 1);
      if (key === 'ArrowRight') this.go(this.step + 1);
    });
  }

  /** Whether the user is asked for a better cell than that of a mistake. */
  get isLearning() {
    return this.#learning >= 0;
  }

  /** Shows one or two games, at a step or at the first mistake. `learn`: asks about the mistake there, or else the first one. */
  show(replays, at = null, learn = false) {
    this.pause();
    this.#graph?.close();
    this.#steps = Math.max(...replays.map(({ moves }) => moves.length));
    this.#sides = replays.map((replay, side) => ({ replay, states: unfold(replay), shares: new Map(), side }));
    this.#mistakes = mistakesOf(replays[0]);
    this.#learning = -1;
    this.#build();
    this.go(Math.min(at ?? firstStep(replays[0]), this.#steps));
    if (learn && this.#mistakes.length) this.#learn(Math.max(0, this.#mistakes.findIndex(({ step }) => step === this.step)));
  }

  /** Shows the position before a mistake, for the user to find a better cell. */
  #learn(number) {
    if (number >= this.#mistakes.length) {
      this.#learning = -1;
      this.#mistake.close();
      this.go(this.step);
      return this.#parts.learn.replaceChildren(el('p', { text: t.review.learned }), this.#learnButton());
    }
    this.#learning = -1;
    this.go(this.#mistakes[number].step);
    this.#learning = number;
    this.#mistake.show(this.#mistakes[number], t.review.learnOf(number + 1, this.#mistakes.length), number + 1 === this.#mistakes.length);
    this.#parts.sentence.textContent = '';
    return this.#parts.learn.scrollIntoView({ block: 'nearest' });
  }

  #learnButton() {
    if (!this.#mistakes.length) return el('p', { class: 'soft', text: this.#sides[0].replay.unjudged ? t.review.noneJudged : t.review.noMistakes });
    return el('button', { type: 'button', class: 'strong', id: 'learn-mistakes', text: t.review.learn, on: { click: () => this.#learn(0) } });
  }

  /** Returns the position of a side at the shown step. */
  #position({ replay, states }) {
    const { width, height, mines, first_click: firstClick } = replay;
    return { width, height, mines, firstClick, cells: states[Math.min(this.step, replay.moves.length)] };
  }

  go(step) {
    this.step = Math.min(this.#steps, Math.max(0, step));
    const { slider, position } = this.#parts;
    slider.value = this.step;
    position.textContent = t.review.move(this.step, this.#steps);
    slider.setAttribute('aria-valuetext', position.textContent);
    if (this.#learning >= 0) {
      this.#learning = -1;
      this.#mistake.close();
      this.#parts.learn.replaceChildren(this.#learnButton());
    }
    for (const side of this.#sides) this.#drawSide(side);
    this.#graph.setCursor(this.step);
    this.#hooks.moved();
    if (this.#chances) this.#ask();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    if (this.#parts.play) this.#label('next', t.review.playIt);
  }

  #play() {
    if (this.#timer) return this.pause();
    if (this.step >= this.#steps) this.go(0);
    this.#label('pause', t.review.pause);
    this.#timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step >= this.#steps) this.pause();
    }, PACE);
  }

  #label(name, text) {
    this.#parts.play.replaceChildren(icon(name), text);
  }

  #drawSide(side) {
    const { replay, states, board, sentence, estimate } = side;
    const at = Math.min(this.step, replay.moves.length);
    board.draw(states[at], this.#chances ? (side.shares.get(at) ?? null) : null, marksAt(replay, at));
    sentence.textContent = moveSentence(replay, at);
    const { win = null, mark } = replay.moves[at] ?? {};
    estimate.textContent = win === null ? '' : t.review.winAt(chance(replay.moves[at]));
    side.mark.textContent = mark ? SIGNS[mark] : '';
    side.mark.title = mark ? t.review.marksTitle[SIGNS[mark]] : '';
    side.mark.dataset.mark = mark ?? '';
  }

  /** Requests the exact mine probabilities at this step, once for each step. */
  async #ask() {
    const asked = ++this.#asked;
    for (const side of this.#sides) {
      const { replay, states, shares } = side;
      const at = Math.min(this.step, replay.moves.length);
      if (shares.has(at) || at === replay.moves.length) continue;
      const answer = await analysisOf({ ...replay, firstClick: replay.first_click, cells: states[at] }).catch(this.#hooks.warn);
      if (!answer) return;
      shares.set(at, answer.mine_probability.flat());
      if (asked !== this.#asked) return;
      this.#drawSide(side);
    }
  }

  #build() {
    const button = (name, to) => el('button', { type: 'button', class: 'icon', 'aria-label': t.review[name], title: t.review[name], on: { click: () => this.go(to()) } }, icon(name));
    const slider = el('input', { type: 'range', min: 0, max: this.#steps, value: 0, 'aria-label': t.review.slider, on: { input: () => this.go(Number(slider.value)) } });
    const play = el('button', { type: 'button', class: 'play', on: { click: () => this.#play() } });
    const position = el('span', { class: 'position soft', 'aria-live': 'off' });
    const chances = el('button', { type: 'button', 'aria-pressed': this.#chances, text: t.review.odds, title: t.review.oddsTitle });
    chances.addEventListener('click', () => {
      this.#chances = !this.#chances;
      remembered.write('viewer-chances', this.#chances);
      chances.setAttribute('aria-pressed', this.#chances);
      this.go(this.step);
    });
    this.#parts = { slider, play, position };
    this.pause();
    const [first, back, next, last] = [button('first', () => 0), button('back', () => this.step - 1), button('next', () => this.step + 1), button('last', () => this.#steps)];
    const controls = el('div', { class: 'controls', role: 'group', 'aria-label': t.review.steps }, first, back, play, next, last, slider, position, chances);
    const graphBox = el('div');
    const learn = el('div', { class: 'learn' }, this.#learnButton());
    const sides = this.#sides.map((side) => this.#side(side));
    const [shown] = this.#sides;
    Object.assign(this.#parts, { learn, sentence: shown.sentence });
    this.#mistake = new Mistake(shown.board, learn, { next: () => this.#learn(this.#learning + 1), warn: this.#hooks.warn });
    this.#root.className = this.#sides.length > 1 ? 'two' : 'one';
    const act = (text, click) => el('button', { type: 'button', text, on: { click } });
    const acts = el('p', { class: 'actions' }, act(t.review.analyse, () => this.#hooks.analyse(this.#position(shown))), act(t.review.playHere, () => this.#playHere(shown)), this.#beside());
    const graph = el('section', {}, el('h3', { text: t.review.graph }), graphBox, el('p', { class: 'soft legend', text: t.review.legend }));
    const listed = el('section', { class: 'decisions' }, el('h3', { text: t.review.decisions }), ...this.#sides.map((side) => this.#decisions(side)));
    const below = el('div', { class: 'below' }, ...this.#sides.map(({ sentence }) => sentence), graph, learn, listed, acts);
    this.#root.replaceChildren(el('div', { class: 'totals-row' }, ...this.#sides.map((side) => this.#totals(side))), el('div', { class: 'sides' }, ...sides), controls, below);
    this.#graph = new Graph(graphBox, (step) => this.go(step));
    this.#graph.set(this.#sides.map(({ replay }) => replay));
  }

  /** Plays on from the shown position of a game, on its mines. */
  #playHere(side) {
    const { replay } = side;
    const moves = gameOf(replay).moves.slice(0, this.step).filter((move) => !isFlag(move));
    this.#hooks.playHere({ ...this.#position(side), field: fromField(replay.field), moves: moves.map((move) => ({ ...move, at: 0 })) });
  }

  #totals({ replay, side }) {
    const marks = marksLine(factsOf(replay).marks);
    const sums = totals(replay).map(([name, label, value, title]) => el('div', { class: `fact-${name}`, title }, el('dt', { text: label }), el('dd', { text: value })));
    return el('dl', { class: `facts totals s${side}` }, marks ? el('div', { class: 'fact-marks' }, el('dt', { text: t.end.marks }), el('dd', { text: marks })) : '', ...sums);
  }

  #side(side) {
    const { replay } = side;
    const frame = el('div', { class: 'frame' });
    side.sentence = el('p', { class: 'sentence' });
    side.estimate = el('b');
    side.mark = el('b', { class: 'mark-sign' });
    side.board = new Board(frame, t.review.boardOf(replay.player), { primary: (index) => side.side === 0 && this.#mistake.guess(index), secondary: () => {} });
    side.board.resize(replay.width, replay.height);
    const words = [replay.player === 'you' ? t.review.you : replay.player, ' ', el('span', { class: 'soft', text: t.review.heading(t.review.end[replay.end], replay.moves.length) })];
    return el('article', { class: `side s${side.side}` }, el('h3', {}, el('span', { class: `key c${side.side}`, 'aria-hidden': 'true' }), ...words, side.mark, side.estimate), frame);
  }

  #decisions({ replay }) {
    const name = this.#sides.length > 1 ? el('h4', { text: replay.player }) : '';
    const line = ({ move, step }) => {
      const sign = move.mark ? el('b', { class: 'mark-sign', 'data-mark': move.mark, text: SIGNS[move.mark] }) : '';
      return el('li', { class: isMistake(move) ? 'worse' : null }, el('button', { type: 'button', class: 'line', on: { click: () => this.go(step) } }, sign, ' ', decisionSentence(move, step)));
    };
    return el('div', {}, name, el('ol', {}, ...decisions(replay).map(line)));
  }

  /** Creates the form that lets another player play the same mines. */
  #beside() {
    const select = el('select', { 'aria-label': t.review.player }, ...this.#hooks.players().map((name) => el('option', { value: name, text: name })));
    const add = el('button', { type: 'button', text: t.review.same, on: { click: () => this.#hooks.beside(select.value) } });
    return el('span', { class: 'beside' }, t.review.besideTitle, select, ' ', add);
  }
}
