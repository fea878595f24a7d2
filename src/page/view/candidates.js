// A table of the candidates of a guess.

import { cellName, el, percent, svg } from './dom.js';
import { toIndex } from './position.js';

const COLUMNS = [
  ['Cell', 'Row and column, counted from 0'],
  ['Mine', 'Chance that it is a mine, per cent'],
  ['Progress', 'Probability that some cell is then proved safe, per cent'],
  ['2 steps', 'Two-step safety: chance to live through this guess and the next move, per cent'],
  ['Win', 'Chance to win after this guess, per cent: exact near the end, else an estimate'],
  ['Shows', 'How likely each number 0 to 8 is'],
  ['Who', 'The asked players that would open it'],
];
const FEW = 10;

/** Creates the table. `hooks`: `highlight(groups)`, `goTo(index)`. */
export function candidateTable(candidates, width, hooks) {
  const body = el('tbody');
  const fill = (shown) => body.replaceChildren(...shown.map((candidate) => row(candidate, width, hooks)));
  fill(candidates.slice(0, FEW));
  const more = el('button', { type: 'button', class: 'quiet', text: `Show all ${candidates.length}`, on: { click: () => (fill(candidates), more.remove()) } });
  const head = el('tr', {}, ...COLUMNS.map(([name, meaning], column) => el('th', { scope: 'col', title: meaning, class: column > 0 && column < 5 ? 'r' : null, text: name })));
  return el(
    'section',
    {},
    el('div', { class: 'scroll' }, el('table', { class: 'candidates' }, el('caption', { class: 'unseen', text: 'Candidates, best first' }), el('thead', {}, head), body)),
    candidates.length > FEW ? more : '',
  );
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
