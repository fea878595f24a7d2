// A table of the candidates of a guess.

import { cellName, el, fewFirst, percent, svg } from './dom.js';
import { toIndex } from './position.js';
import { t } from './texts.js';

const FEW = 10;

/** Creates the table. `hooks`: `highlight(groups)`, `goTo(index)`. */
export function candidateTable(candidates, width, hooks) {
  const body = el('tbody');
  const more = fewFirst(body, candidates, FEW, (candidate) => row(candidate, width, hooks), t.frame.showAll);
  const head = el('tr', {}, ...t.analyse.columns.map(([name, meaning], column) => el('th', { scope: 'col', title: meaning, class: column > 0 && column < 5 ? 'r' : null, text: name })));
  return el('section', {}, el('div', { class: 'scroll' }, el('table', { class: 'candidates' }, el('caption', { class: 'unseen', text: t.analyse.candidates }), el('thead', {}, head), body)), more);
}

function row(candidate, width, hooks) {
  const index = toIndex(candidate.cell, width);
  const on = () => hooks.highlight({ target: [index] });
  const off = () => hooks.highlight({});
  const name = el('button', { type: 'button', class: 'line', text: cellName(candidate.cell), on: { focus: on, blur: off, click: () => hooks.goTo(index) } });
  return el(
    'tr',
    { on: { mouseenter: on, mouseleave: off }, 'data-cell': index },
    el('th', { scope: 'row' }, name),
    el('td', { class: 'r strong', text: percent(candidate.mine) }),
    el('td', { class: 'r', text: percent(candidate.progress) }),
    el('td', { class: 'r', text: percent(candidate.safety) }),
    el('td', { class: 'r strong', text: percent(candidate.win) }),
    el('td', {}, numbers(candidate.numbers)),
    el('td', { class: 'who', text: candidate.players.join(', ') }),
  );
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
