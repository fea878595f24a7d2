// Shows a played game move by move, or two games on the same mines side by side.

import * as api from './api.js';
import { Board } from './board.js';
import { Chart } from './chart.js';
import { counted, el, percent, remembered, svg } from './dom.js';
import { toAddress, toRows } from './position.js';
import { curve, decisionSentence, decisions, isWorse, marksAt, moveSentence, totals, unfold } from './replay.js';

const PACE = 700;
/** The paths of icons. They are drawn, because fonts may lack these symbols. */
const ICONS = { first: 'M5 4v12M16 4 8 10l8 6z', back: 'M14 4 6 10l8 6z', next: 'M6 4l8 6-8 6z', last: 'M15 4v12M4 4l8 6-8 6z', pause: 'M7 4v12M13 4v12' };
const icon = (name) => svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true', class: 'filled' }, svg('path', { d: ICONS[name] }));

export class Viewer {
  #root;
  #hooks;
  #sides = [];
  #steps = 0;
  #at = 0;
  #timer = 0;
  #chart = null;
  #chances = remembered.read('viewer-chances', false);
  #asked = 0;
  #parts = {};

  /** `hooks`: `players()`, which returns names, and `warn(error)`. */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
  }

  get loaded() {
    return this.#sides.length > 0;
  }

  /** Shows one or two games. */
  show(replays, at = 0) {
    this.pause();
    this.#chart?.close();
    this.#steps = Math.max(...replays.map(({ moves }) => moves.length));
    this.#sides = replays.map((replay, side) => ({ replay, states: unfold(replay), shares: new Map(), side }));
    this.#build();
    this.go(Math.min(at, this.#steps));
  }

  get step() {
    return this.#at;
  }

  go(step) {
    this.#at = Math.min(this.#steps, Math.max(0, step));
    const { slider, position } = this.#parts;
    slider.value = this.#at;
    slider.setAttribute('aria-valuetext', `move ${this.#at} of ${this.#steps}`);
    position.textContent = `Move ${this.#at} of ${this.#steps}`;
    for (const side of this.#sides) this.#drawSide(side);
    this.#chart.setCursor(this.#at);
    if (this.#chances) this.#ask();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    if (this.#parts.play) this.#label('next', 'Play');
  }

  #play() {
    if (this.#timer) return this.pause();
    if (this.#at >= this.#steps) this.go(0);
    this.#label('pause', 'Pause');
    this.#timer = setInterval(() => {
      this.go(this.#at + 1);
      if (this.#at >= this.#steps) this.pause();
    }, PACE);
  }

  #label(name, text) {
    this.#parts.play.replaceChildren(icon(name), text);
  }

  #drawSide(side) {
    const { replay, states, board, sentence, estimate } = side;
    const at = Math.min(this.#at, replay.moves.length);
    board.draw(states[at], this.#chances ? (side.shares.get(at) ?? null) : null, marksAt(replay, at));
    sentence.textContent = moveSentence(replay, at);
    const { win = null, exact } = replay.moves[at] ?? {};
    estimate.textContent = win === null ? '' : `${percent(win)} % to win${exact ? '' : ' (estimate)'}`;
  }

  /** Requests the exact mine probabilities at this step, once for each step. */
  async #ask() {
    const asked = ++this.#asked;
    for (const side of this.#sides) {
      const { replay, states, shares } = side;
      const at = Math.min(this.#at, replay.moves.length);
      if (shares.has(at) || at === replay.moves.length) continue;
      const { width, height, mines, first_click } = replay;
      try {
        const answer = await api.analyse({ width, height, mines, first_click, rows: toRows(states[at], width), players: [] });
        shares.set(at, answer.mine_probability.flat());
      } catch (error) {
        this.#hooks.warn(error);
        return;
      }
      if (asked !== this.#asked) return;
      this.#drawSide(side);
    }
  }

  #build() {
    const button = (label, name, click) => el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, on: { click } }, icon(name));
    const slider = el('input', { type: 'range', min: 0, max: this.#steps, value: 0, 'aria-label': 'Move', on: { input: () => this.go(Number(slider.value)) } });
    const play = el('button', { type: 'button', class: 'play', on: { click: () => this.#play() } });
    const position = el('span', { class: 'position soft', 'aria-live': 'off' });
    const chances = el('button', { type: 'button', 'aria-pressed': this.#chances, text: 'Chances', title: 'Show how likely each cell is a mine' });
    chances.addEventListener('click', () => {
      this.#chances = !this.#chances;
      remembered.write('viewer-chances', this.#chances);
      chances.setAttribute('aria-pressed', this.#chances);
      this.go(this.#at);
    });
    this.#parts = { slider, play, position };
    this.pause();
    const controls = el(
      'div',
      { class: 'controls', role: 'group', 'aria-label': 'Steps' },
      button('First', 'first', () => this.go(0)),
      button('Back', 'back', () => this.go(this.#at - 1)),
      play,
      button('Next', 'next', () => this.go(this.#at + 1)),
      button('Last', 'last', () => this.go(this.#steps)),
      slider,
      position,
      chances,
    );
    const chartBox = el('div');
    this.#root.className = this.#sides.length > 1 ? 'two' : 'one';
    this.#root.replaceChildren(
      el('div', { class: 'sides' }, ...this.#sides.map((side) => this.#side(side))),
      controls,
      el('div', { class: 'below' }, el('section', {}, el('h3', { text: 'Chance to win before each guess, per cent' }), chartBox), el('section', { class: 'decisions' }, el('h3', { text: 'Moves that were not certain' }), ...this.#sides.map((side) => this.#decisions(side))), this.#beside()),
    );
    this.#root.onkeydown = (event) => {
      if (event.target.closest('[role=grid], input, select')) return;
      const steps = { ArrowLeft: -1, ArrowRight: 1 };
      if (event.key in steps) this.go(this.#at + steps[event.key]);
    };
    this.#chart = new Chart(chartBox, {
      label: 'Win estimate by move',
      format: (share, exact) => (exact ? `${percent(share)} %` : (share * 100).toFixed(0)),
      xWord: 'move',
      range: [0, 1],
      domain: [0, this.#steps],
      pick: (step) => this.go(step),
    });
    this.#chart.set(
      this.#sides.map(({ replay, side }) => ({
        name: replay.player,
        colour: side,
        points: curve(replay),
        marks: decisions(replay)
          .filter(({ move }) => isWorse(move) && move.win !== null)
          .map(({ move, step }) => ({ x: step, y: move.win, text: decisionSentence(move, step) })),
      })),
    );
  }

  #side(side) {
    const { replay } = side;
    const frame = el('div', { class: 'frame' });
    side.sentence = el('p', { class: 'sentence' });
    side.estimate = el('b');
    side.board = new Board(frame, `Board of ${replay.player}`);
    side.board.resize(replay.width, replay.height);
    const analyse = el('a', { class: 'quiet', href: '#board', text: 'Analyse this position' });
    analyse.addEventListener('click', () => {
      const cells = side.states[Math.min(this.#at, replay.moves.length)];
      analyse.href = `#board/${toAddress({ width: replay.width, height: replay.height, mines: replay.mines, firstClick: replay.first_click, cells })}`;
    });
    return el(
      'article',
      { class: `side s${side.side}` },
      el('h3', {}, el('span', { class: `key c${side.side}`, 'aria-hidden': 'true' }), replay.player, ' ', el('span', { class: 'soft', text: `${replay.end} after ${counted(replay.moves.length, 'move')}` }), side.estimate),
      frame,
      side.sentence,
      analyse,
    );
  }

  #decisions(side) {
    const { replay } = side;
    const name = this.#sides.length > 1 ? el('h4', { text: replay.player }) : '';
    const line = ({ move, step }) => el('li', { class: isWorse(move) ? 'worse' : null }, el('button', { type: 'button', class: 'line', text: decisionSentence(move, step), on: { click: () => this.go(step) } }));
    const sums = totals(replay).flatMap(([label, value, title]) => [el('dt', { text: label, title }), el('dd', { text: value })]);
    return el('div', {}, name, el('ol', {}, ...decisions(replay).map(line)), el('dl', { class: 'totals' }, ...sums));
  }

  /** Creates the form that lets another player play the same mines. */
  #beside() {
    const { replay } = this.#sides[0];
    const select = el('select', { 'aria-label': 'Player' }, ...this.#hooks.players().map((name) => el('option', { value: name, text: name })));
    const add = el('button', { type: 'button', text: 'Play the same mines' });
    add.addEventListener('click', async () => {
      add.disabled = true;
      try {
        const other = await playSame(replay, select.value);
        this.show([replay, other], 0);
      } catch (error) {
        this.#hooks.warn(error);
      } finally {
        add.disabled = false;
      }
    });
    return el('p', { class: 'beside' }, 'Beside it: ', select, ' ', add);
  }
}

/** Returns a promise of another player's game on the same mines, from the same first cell. */
export function playSame(replay, player) {
  const { width, height, mines, first_click, field, moves } = replay;
  const first = moves.find(({ kind }) => kind === 'open');
  return api.game({ width, height, mines, first_click, seed: 0, game: 0, player, field, ...(first ? { first: first.cells[0] } : {}) });
}
