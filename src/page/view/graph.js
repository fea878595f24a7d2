// The graph of a judged game, in steps: the chance to win before each decision. Grey drops are luck, red drops are the player's own.

import { svg } from './dom.js';
import { chance, isMistake, SIGNS } from './facts.js';
import { t } from './texts.js';

const HEIGHT = matchMedia('(max-width: 700px)').matches ? 110 : 150;
const EDGE = { top: 14, bottom: 20, left: 30, right: 10 };

/** Returns the decisions with a chance to win, and the end: `{ x, win, after, move }`. */
export function decisionPoints({ moves, end }) {
  const points = moves.flatMap((move, x) => (move.win === null ? [] : [{ x, win: move.win, after: isMistake(move) && move.after !== null ? Math.min(move.win, move.after) : move.win, move }]));
  return end === 'unfinished' ? points : [...points, { x: moves.length, win: end === 'won' ? 1 : 0, after: null, move: null }];
}

export class Graph {
  #root;
  #replays = [];
  #steps = 1;
  #cursor = 0;
  #pick;
  #observer;

  /** `pick(step)` is called when a step is clicked. */
  constructor(root, pick) {
    this.#root = root;
    this.#pick = pick;
    root.classList.add('win-graph');
    this.#observer = new ResizeObserver(() => this.#draw());
    this.#observer.observe(root);
  }

  set(replays) {
    this.#replays = replays;
    this.#steps = Math.max(1, ...replays.map(({ moves }) => moves.length));
    this.#draw();
  }

  setCursor(step) {
    this.#cursor = step;
    this.#root.querySelector('.cursor')?.remove();
    this.#root.querySelector('svg')?.append(this.#cursorLine());
  }

  close() {
    this.#observer.disconnect();
  }

  #x(step) {
    return EDGE.left + (step / this.#steps) * (this.#root.clientWidth - EDGE.left - EDGE.right);
  }

  #y(share) {
    return EDGE.top + (1 - share) * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  #cursorLine() {
    const x = this.#x(this.#cursor);
    return svg('g', { class: 'cursor' }, svg('line', { x1: x, x2: x, y1: EDGE.top, y2: HEIGHT - EDGE.bottom }));
  }

  #draw() {
    const width = Math.floor(this.#root.clientWidth);
    if (!width || !this.#replays.length) return;
    const drawing = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img', 'aria-label': t.review.graph });
    for (const share of [0, 0.5, 1]) {
      drawing.append(svg('line', { x1: EDGE.left, x2: width - EDGE.right, y1: this.#y(share), y2: this.#y(share), class: 'rule' }));
      drawing.append(svg('text', { x: EDGE.left - 5, y: this.#y(share) + 4, class: 'tick', 'text-anchor': 'end', text: share * 100 }));
    }
    this.#replays.forEach((replay, side) => this.#line(drawing, replay, side));
    drawing.append(this.#cursorLine());
    drawing.addEventListener('click', (event) => {
      const at = (event.clientX - drawing.getBoundingClientRect().left - EDGE.left) / (width - EDGE.left - EDGE.right);
      this.#pick(Math.round(Math.min(1, Math.max(0, at)) * this.#steps));
    });
    this.#root.replaceChildren(drawing);
  }

  #line(drawing, replay, side) {
    const points = decisionPoints(replay);
    if (!points.length) return;
    const [x, y] = [(step) => this.#x(step).toFixed(1), (share) => this.#y(share).toFixed(1)];
    const path = [`${x(0)},${y(points[0].win)}`];
    const drops = [];
    points.forEach((point, at) => {
      path.push(`${x(point.x)},${y(point.win)}`);
      const next = points[at + 1];
      if (!next) return;
      if (point.after < point.win) drops.push(svg('line', { x1: x(point.x), x2: x(point.x), y1: y(point.win), y2: y(point.after), class: 'drop own' }));
      if (next.win !== point.after) drops.push(svg('line', { x1: x(point.x), x2: x(point.x), y1: y(point.after), y2: y(next.win), class: `drop ${next.win < point.after ? 'luck' : 'gain'}` }));
      path.push(`${x(point.x)},${y(next.win)}`);
    });
    drawing.append(svg('polyline', { points: path.join(' '), class: `line c${side}`, 'data-points': points.length }), ...drops);
    for (const { x: step, win, move } of points) {
      if (!move?.mark || move.mark === 'forced') continue;
      const label = `${t.review.move(step, replay.moves.length)} ${SIGNS[move.mark]}, ${chance(move)} %`;
      drawing.append(svg('text', { x: x(step), y: Math.max(11, this.#y(win) - 5).toFixed(1), class: `sign ${move.mark}`, 'text-anchor': 'middle', text: SIGNS[move.mark] }, svg('title', { text: label })));
    }
  }
}
