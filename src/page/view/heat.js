// The first click: for each cell, in how many of 100 games a player wins that opens it first.

import { el, percent } from './dom.js';
import { BOARDS } from './levels.js';
import { t } from './texts.js';

/** Cells that are this far from an edge, or farther, are not told apart. */
const FARTHEST = 3;

/** Returns a promise of the measured games: [won, games] by board, first-click rule, and the distances from two edges. */
async function measured() {
  const text = await (await fetch(new URL('first-cells.csv', import.meta.url))).text();
  return new Map(text.trim().split('\n').map((line) => line.split(',')).map(([won, games, ...of]) => [of.join(), [Number(won), Number(games)]]));
}

/** Fills a section. Returns a function that shows it. */
export function firstClickHeat(root, hooks) {
  const place = el('div', { class: 'frame board heat-board' });
  const about = el('p', { class: 'soft' });
  const asked = { level: 'beginner', rule: 'opening' };
  let table = null;
  const show = async () => {
    const [width, height, mines] = BOARDS[asked.level];
    const far = (at, size) => Math.min(at, size - 1 - at, FARTHEST);
    const games = await (table ??= measured());
    const at = (index) => games.get([width, height, mines, asked.rule, far(Math.floor(index / width), height), far(index % width, width)].join());
    const chances = Array.from({ length: width * height }, (_, index) => at(index)[0] / at(index)[1]);
    const [least, most] = [Math.min(...chances), Math.max(...chances)];
    const cell = (chance, index) => {
      const words = `${t.board.place(Math.floor(index / width) + 1, (index % width) + 1)}: ${t.practice.firstChance(percent(chance))}`;
      return el('div', { class: `cell covered heat h${Math.round(((most - chance) / (most - least)) * 8)}`, role: 'gridcell', 'aria-label': words, title: words, text: percent(chance, 0) });
    };
    const cells = chances.map(cell);
    const rows = Array.from({ length: height }, (_, row) => el('div', { class: 'row', role: 'row' }, ...cells.slice(row * width, (row + 1) * width)));
    place.style.cssText = `--columns: ${width}; --rows: ${height}`;
    place.replaceChildren(el('div', { class: 'grid', role: 'grid', 'aria-label': t.practice.firstTitle }, ...rows));
    about.textContent = t.practice.firstAbout(at(0)[1], (Math.ceil(1960 * Math.sqrt(Math.max(...chances.map((chance) => chance * (1 - chance))) / at(0)[1])) / 10).toFixed(1));
    for (const chip of chips) chip.setAttribute('aria-pressed', Object.values(asked).includes(chip.dataset.ask));
  };
  const enter = (change = {}) => show(Object.assign(asked, change)).catch(hooks.warn);
  const chip = (ask, change, text) => el('button', { type: 'button', class: 'chip', 'data-ask': ask, text, on: { click: () => enter(change) } });
  const rules = ['opening', 'safe'].map((rule) => chip(rule, { rule }, t.practice.firstRule[rule]));
  const chips = [...Object.keys(BOARDS).map((level) => chip(level, { level }, t.play.level[level])), ...rules];
  root.replaceChildren(el('h2', { text: t.practice.firstTitle }), about, el('div', { class: 'chips' }, ...chips), place);
  return enter;
}
