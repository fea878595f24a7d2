// Live curves of training runs: a stream for each chosen stage, and a chart for each metric.

import * as api from './api.js';
import { Chart } from './chart.js';
import { el } from './dom.js';
import { t } from './texts.js';

/** The maximum number of streams. A browser opens at most six connections to a server, and questions need some of them. */
const MOST_STREAMS = 4;
/** The time without new data, in milliseconds, after which a stage that isn't running may lose its stream to another stage. */
const QUIET = 1500;
/** The metrics without a chart. */
const HIDDEN = new Set(['round', 'number', 'steps', 'rows', 'games', 'wins', 'win_low', 'win_high', 'largest_difference', 'learning_rate']);
const ORDER = ['win_ratio', 'validation_loss', 'loss'];

export class Curves {
  #root;
  #stages = new Map();
  #charts = new Map();
  #redraw = 0;
  #hint;

  constructor(root) {
    this.#root = root;
    this.#hint = el('p', { class: 'soft', text: t.lab.tick });
    root.replaceChildren(this.#hint);
  }

  /** Shows the curves of exactly these stages: `{run, stage, live}`. */
  choose(wanted) {
    const keys = new Set(wanted.map(({ run, stage }) => `${run}/${stage}`));
    for (const [key, stage] of this.#stages) {
      if (keys.has(key)) continue;
      this.#disconnect(stage);
      this.#stages.delete(key);
    }
    for (const { run, stage, live } of wanted) {
      const key = `${run}/${stage}`;
      const known = this.#stages.get(key);
      if (known) known.live = live;
      else this.#stages.set(key, { key, run, stage, live, lines: [], source: null, complete: false, heard: 0, colour: this.#freeColour() });
    }
    this.#connect();
    this.#draw();
  }

  /** Closes all streams while the place is hidden. */
  sleep() {
    for (const stage of this.#stages.values()) this.#disconnect(stage);
  }

  wake() {
    for (const stage of this.#stages.values()) if (stage.live) stage.complete = false;
    this.#connect();
  }

  #freeColour() {
    const taken = new Set([...this.#stages.values()].map(({ colour }) => colour));
    for (let colour = 0; ; colour++) if (!taken.has(colour)) return colour;
  }

  #disconnect(stage) {
    stage.source?.close();
    stage.source = null;
    clearTimeout(stage.quiet);
  }

  #connect() {
    const all = [...this.#stages.values()];
    let open = all.filter(({ source }) => source).length;
    for (const stage of all.filter(({ source, complete }) => !source && !complete).sort((one, other) => other.live - one.live)) {
      if (open++ >= MOST_STREAMS) break;
      this.#listen(stage);
    }
  }

  #listen(stage) {
    const source = (stage.source = new EventSource(api.metricsAddress(stage.run, stage.stage)));
    const settle = () => {
      clearTimeout(stage.quiet);
      stage.quiet = setTimeout(() => this.#settled(stage), QUIET);
    };
    source.addEventListener('open', () => {
      stage.lines = [];
      settle();
    });
    source.addEventListener('message', ({ data }) => {
      try {
        stage.lines.push(JSON.parse(data));
      } catch {
        return;
      }
      settle();
      this.#redraw ||= setTimeout(() => {
        this.#redraw = 0;
        this.#draw();
      }, 100);
    });
  }

  /** Closes the stream of a stage that has sent all its data, if other stages wait for a stream. */
  #settled(stage) {
    const waiting = [...this.#stages.values()].some(({ source, complete }) => !source && !complete);
    if (stage.live || !waiting) return;
    stage.complete = true;
    this.#disconnect(stage);
    this.#connect();
  }

  #draw() {
    const figures = new Set();
    for (const { lines } of this.#stages.values()) {
      const line = lines.at(-1) ?? {};
      for (const [key, value] of Object.entries(line)) if (typeof value === 'number' && !HIDDEN.has(key)) figures.add(key);
    }
    const rank = (figure) => (ORDER.includes(figure) ? ORDER.indexOf(figure) : ORDER.length);
    const sorted = [...figures].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
    this.#hint.hidden = sorted.length > 0;
    for (const [figure, { chart, box }] of this.#charts) {
      if (figures.has(figure)) continue;
      chart.close();
      box.remove();
      this.#charts.delete(figure);
    }
    for (const figure of sorted) {
      if (!this.#charts.has(figure)) this.#charts.set(figure, this.#chart(figure));
      const { chart, box } = this.#charts.get(figure);
      this.#root.append(box);
      chart.set([...this.#stages.values()].map((stage) => series(stage, figure)).filter(({ points }) => points.length));
    }
  }

  #chart(figure) {
    const place = el('div', { 'data-figure': figure });
    const box = el('section', { class: 'curve' }, el('h3', { text: t.lab.curves[figure] ?? figure.replaceAll('_', ' ') }), place);
    const share = figure === 'win_ratio';
    const format = (value, exact) => (share ? `${(value * 100).toFixed(exact ? 2 : 1)}${exact ? ' %' : ''}` : exact ? value.toPrecision(5) : Number(value.toPrecision(3)).toString());
    return { box, chart: new Chart(place, { label: t.lab.curves[figure] ?? figure, format, xWord: t.lab.round }) };
  }
}

function series({ key, colour, lines }, figure) {
  const points = lines.flatMap((line, index) => {
    const x = typeof line.number === 'number' ? line.number : typeof line.round === 'number' ? line.round : index + 1;
    if (typeof line[figure] !== 'number') return [];
    const band = figure === 'win_ratio' && typeof line.win_low === 'number' && typeof line.win_high === 'number' ? { low: line.win_low, high: line.win_high } : {};
    return [{ x, y: line[figure], ...band }];
  });
  return { name: key, colour: colour % 6, points };
}
