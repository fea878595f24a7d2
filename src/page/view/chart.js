// A small line chart with bands and labels at the ends of lines. It is drawn again when its size changes.

import { svg } from './dom.js';

const HEIGHT = 210;
const EDGE = { top: 12, bottom: 30, left: 46 };

/** Returns about `wanted` round numbers that cover a range. */
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step) found.push(Number(tick.toPrecision(12)));
  return found;
}

export class Chart {
  #root;
  #options;
  #series = [];
  #scale = null;
  #observer;

  /** `options`: `label`, `format(y)`, `xWord`. A series: `{name, colour (0 to 5), points: [{x, y, low?, high?}]}`. */
  constructor(root, options) {
    this.#root = root;
    this.#options = options;
    root.classList.add('line-chart');
    this.#observer = new ResizeObserver(() => this.#draw());
    this.#observer.observe(root);
  }

  set(series) {
    this.#series = series;
    this.#draw();
  }

  close() {
    this.#observer.disconnect();
  }

  #draw() {
    const width = Math.floor(this.#root.clientWidth);
    const all = this.#series.flatMap(({ points }) => points);
    if (!width) return;
    if (!all.length) return this.#root.replaceChildren();
    const longest = Math.max(...this.#series.map(({ name }) => name.length));
    const right = Math.min(width * 0.4, longest * 7.3 + 16);
    const { low, high } = this.#range(all);
    const [first, last] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
    const span = last - first || 1;
    const x = (value) => EDGE.left + ((value - first) / span) * (width - EDGE.left - right);
    const y = (value) => HEIGHT - EDGE.bottom - ((value - low) / (high - low || 1)) * (HEIGHT - EDGE.top - EDGE.bottom);
    this.#scale = { x, y, first, last, back: (pixel) => first + ((pixel - EDGE.left) / (width - EDGE.left - right)) * span };

    const drawing = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img', 'aria-label': this.#options.label });
    for (const tick of ticks(low, high, 4)) {
      drawing.append(svg('line', { x1: EDGE.left, x2: width - right, y1: y(tick), y2: y(tick), class: 'rule' }));
      drawing.append(svg('text', { x: EDGE.left - 7, y: y(tick) + 4, class: 'tick', 'text-anchor': 'end', text: this.#options.format(tick) }));
    }
    for (const tick of ticks(first, last, Math.max(2, Math.floor(width / 110))).filter(Number.isInteger)) {
      drawing.append(svg('text', { x: x(tick), y: HEIGHT - EDGE.bottom + 17, class: 'tick', 'text-anchor': 'middle', text: tick }));
    }
    drawing.append(svg('text', { x: EDGE.left, y: HEIGHT - 1, class: 'tick word', text: this.#options.xWord }));
    for (const series of this.#series) this.#line(drawing, series, x, y);
    this.#labels(drawing, x, y);
    this.#root.replaceChildren(drawing);
    this.#listen(drawing);
  }

  #range(all) {
    // The first rounds of training are far from the rest and would compress the later ones, which users look at.
    const tail = this.#series.flatMap(({ points }) => (points.length > 12 ? points.slice(Math.ceil(points.length * 0.05)) : points));
    const values = (tail.length ? tail : all).flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = (high - low) * 0.06 || Math.abs(high) * 0.05 || 0.01;
    return { low: low - margin, high: high + margin };
  }

  #line(drawing, { name, colour, points }, x, y) {
    if (!points.length) return;
    const clip = (value) => Math.min(HEIGHT - EDGE.bottom, Math.max(EDGE.top, y(value)));
    const banded = points.filter(({ low }) => low !== undefined);
    if (banded.length > 1) {
      const upper = banded.map((point) => `${x(point.x).toFixed(1)},${clip(point.high).toFixed(1)}`);
      const lower = banded.map((point) => `${x(point.x).toFixed(1)},${clip(point.low).toFixed(1)}`).reverse();
      drawing.append(svg('polygon', { points: [...upper, ...lower].join(' '), class: `band c${colour}` }));
    }
    drawing.append(svg('polyline', { points: points.map((point) => `${x(point.x).toFixed(1)},${clip(point.y).toFixed(1)}`).join(' '), class: `line c${colour}`, 'data-points': points.length }, svg('title', { text: name })));
    if (points.length === 1) drawing.append(svg('circle', { cx: x(points[0].x), cy: clip(points[0].y), r: 3.5, class: `dot c${colour}` }));
  }

  /** Writes the names at the ends of the lines, moved apart where they would overlap. */
  #labels(drawing, x, y) {
    const ends = this.#series
      .filter(({ points }) => points.length)
      .map(({ name, colour, points }) => ({ name, colour, x: x(points.at(-1).x), y: Math.min(HEIGHT - EDGE.bottom, Math.max(EDGE.top, y(points.at(-1).y))) }))
      .sort((one, other) => one.y - other.y);
    let free = EDGE.top - 6;
    for (const end of ends) {
      end.at = Math.max(end.y, free);
      free = end.at + 15;
    }
    const over = Math.max(0, free - 15 - (HEIGHT - EDGE.bottom + 4));
    for (const end of ends) drawing.append(svg('text', { x: end.x + 8, y: end.at - over + 4, class: `end c${end.colour}`, text: end.name }));
  }

  #listen(drawing) {
    const tip = svg('text', { class: 'tip', y: EDGE.top, 'text-anchor': 'middle' });
    drawing.append(tip);
    const nearest = (event) => {
      const at = this.#scale.back(event.clientX - drawing.getBoundingClientRect().left);
      return Math.round(Math.min(this.#scale.last, Math.max(this.#scale.first, at)));
    };
    drawing.addEventListener('pointermove', (event) => {
      const at = nearest(event);
      const values = this.#series.flatMap(({ points }) => {
        const point = points.findLast((other) => other.x <= at);
        return point ? [this.#options.format(point.y, true)] : [];
      });
      tip.textContent = `${at}: ${values.join(' · ')}`;
      tip.setAttribute('x', Math.min(drawing.clientWidth - 60, Math.max(90, this.#scale.x(at))));
    });
    drawing.addEventListener('pointerleave', () => (tip.textContent = ''));
  }
}
