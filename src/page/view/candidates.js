// A table of the candidates of a guess.

import { cellName, el, fewFirst, lights, percent, svg } from './dom.js';
import { chance } from './facts.js';
import { toIndex } from './position.js';
import { t } from './texts.js';

const FEW = 10;

/** The columns of an analysis: the class and the content of a cell. */
const ANALYSIS = [
  ['r strong', ({ mine }) => percent(mine)], ['r', ({ progress }) => percent(progress)], ['r', ({ safety }) => percent(safety)], ['r strong', chance],
  ['', (candidate) => numbers(candidate.numbers)], ['who', ({ players }) => players.join(', ')],
];

/** Creates the table. `heads` are pairs of a name and its meaning. `isBest` marks rows, and `isWanted` shows rows from the start. */
export function candidateTable(candidates, width, hooks, { heads = t.analyse.columns, columns = ANALYSIS, isBest = () => false, isWanted } = {}) {
  const row = (candidate) => {
    const index = toIndex(candidate.cell, width);
    const name = el('button', { type: 'button', class: 'line', text: cellName(candidate.cell), on: { click: () => hooks.goTo(index) } });
    const cells = columns.map(([kind, show]) => el('td', { class: kind }, show(candidate)));
    return el('tr', { class: isBest(candidate) ? 'best' : null, 'data-cell': index, on: lights(hooks.highlight, { target: [index] }) }, el('th', { scope: 'row' }, name), ...cells);
  };
  const body = el('tbody');
  const more = fewFirst(body, candidates, FEW, row, t.frame.showAll, isWanted);
  const head = el('tr', {}, ...heads.map(([name, meaning], at) => el('th', { scope: 'col', title: meaning, class: columns[at - 1]?.[0].startsWith('r') ? 'r' : null, text: name })));
  return el('section', {}, el('div', { class: 'scroll' }, el('table', { class: 'candidates' }, el('caption', { class: 'unseen', text: t.analyse.candidates }), el('thead', {}, head), body)), more);
}

/** Draws nine bars, one for the probability of each number. */
function numbers(shares) {
  const likely = shares.map((share, number) => [share, number]).filter(([share]) => share > 0).sort((one, other) => other[0] - one[0]);
  const text = likely.slice(0, 4).map(([share, number]) => `${number}: ${percent(share, 0)} %`).join(', ');
  const most = Math.max(...shares, 1e-9);
  const bars = shares.map((share, number) => {
    const height = share > 0 ? Math.max(1, (share / most) * 16) : 0.5;
    return svg('rect', { x: number * 5, y: 17 - height, width: 4, height, class: `bar b${number}` });
  });
  return svg('svg', { class: 'numbers', viewBox: '0 0 45 17', width: 45, height: 17, role: 'img', 'aria-label': text }, svg('title', { text }), ...bars);
}
