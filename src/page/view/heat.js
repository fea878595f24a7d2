// The first click: for each cell, the chance that it opens a 0.

import { el, percent } from './dom.js';
import { BOARDS } from './levels.js';
import { neighbours } from './position.js';
import { t } from './texts.js';

/** Returns the chance that a cell with this many neighbours shows a 0, if it is safe itself. */
const zeroChance = (cells, mines, near) => Math.max(0, Array.from({ length: near }, (_, at) => (cells - 1 - mines - at) / (cells - 1 - at)).reduce((chance, factor) => chance * factor, 1));

/** Fills a section. */
export function firstClickHeat(root) {
  const place = el('div', { class: 'frame board heat-board' });
  const show = (name) => {
    const [width, height, mines] = BOARDS[name];
    const near = neighbours(width, height);
    const shares = near.map((around) => zeroChance(width * height, mines, around.length));
    const most = Math.max(...shares);
    const rows = [];
    for (let row = 0; row < height; row++) {
      const cells = shares.slice(row * width, (row + 1) * width).map((share, column) => {
        const words = `${t.board.place(row + 1, column + 1)}: ${t.practice.firstChance(percent(share, 0))}`;
        return el('div', { class: `cell covered heat h${Math.round((1 - share / most) * 8)}`, role: 'gridcell', 'aria-label': words, title: words, text: percent(share, 0) });
      });
      rows.push(el('div', { class: 'row', role: 'row' }, ...cells));
    }
    place.style.setProperty('--columns', width);
    place.style.setProperty('--rows', height);
    place.replaceChildren(el('div', { class: 'grid', role: 'grid', 'aria-label': t.practice.firstTitle }, ...rows));
    for (const chip of chips) chip.setAttribute('aria-pressed', chip.dataset.level === name);
  };
  const chips = Object.keys(BOARDS).map((name) => el('button', { type: 'button', class: 'chip', 'data-level': name, text: t.play.level[name], on: { click: () => show(name) } }));
  root.replaceChildren(el('h2', { text: t.practice.firstTitle }), el('p', { class: 'soft', text: t.practice.firstAbout }), el('div', { class: 'chips' }, ...chips), place);
  show('beginner');
}
