// Draws a board. The cells are created once per board size; afterwards only changed cells are updated.

import { COVERED, EXPLODED, FLAG, MINE, WRONG_FLAG, isCovered, isNumber, neighbours } from './position.js';
import { el } from './dom.js';
import { listen } from './input.js';
import { t } from './texts.js';

/** The upper ends of the colour levels. Most levels lie below one half, because most decisions do. */
const LEVELS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.26, 0.35, 0.5, 0.75, 0.95];

const heatLevel = (share) => {
  if (share === 0) return 'safe';
  if (share === 1) return 'sure';
  const level = LEVELS.findIndex((end) => share < end);
  return level < 0 ? LEVELS.length : level;
};

/** Returns the text shown in a covered cell with this mine probability. */
export function shareText(share) {
  if (share === 0) return '+';
  if (share === 1) return '×';
  const value = share * 100;
  if (value < 1) return '<1';
  if (value > 99) return '>99';
  return String(Math.round(value));
}

const KINDS = { [COVERED]: 'covered', [FLAG]: 'covered flag', [EXPLODED]: 'exploded', [MINE]: 'mine', [WRONG_FLAG]: 'covered flag wrong' };
const WORDS = { [COVERED]: t.board.covered, [FLAG]: t.board.flag, [EXPLODED]: t.board.exploded, [MINE]: t.board.mine, [WRONG_FLAG]: t.board.wrongFlag, 0: t.board.empty };

/** Calls `work` when the browser is idle, at the latest after 300 ms. */
const soon = (work) => (window.requestIdleCallback ? requestIdleCallback(work, { timeout: 300 }) : setTimeout(work, 100));

export class Board {
  #root;
  #grid;
  #cells = [];
  #drawn = [];
  #naming = 0;
  width = 0;
  height = 0;
  /** The cell to which keys apply. */
  current = 0;

  /** `root` becomes the board. `handlers` are those of `listen`, or null for a board without input. */
  constructor(root, label, handlers = null) {
    this.#root = root;
    this.#grid = el('div', { class: 'grid', role: 'grid', 'aria-label': label });
    this.#root.classList.add('board');
    this.#root.append(this.#grid);
    listen(this, this.#grid, handlers);
  }

  /** Creates the cells of a board of this size, unless the board already has this size. */
  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.current = 0;
    this.#cells = [];
    this.#drawn = [];
    this.#grid.setAttribute('aria-rowcount', height);
    this.#grid.setAttribute('aria-colcount', width);
    const ruler = el('div', { class: 'ruler', 'aria-hidden': 'true' });
    for (let column = 0; column < width; column++) ruler.append(el('span', { text: column + 1 }));
    const rows = [ruler];
    for (let row = 0; row < height; row++) {
      const line = el('div', { class: 'row', role: 'row', 'aria-rowindex': row + 1 }, el('span', { class: 'mark', 'aria-hidden': 'true', text: row + 1 }));
      for (let column = 0; column < width; column++) {
        const cell = el('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': column + 1, 'data-index': row * width + column });
        this.#cells.push(cell);
        this.#drawn.push({ look: '', text: cell.appendChild(new Text()), code: null, share: null, label: null });
        line.append(cell);
      }
      rows.push(line);
    }
    this.#grid.replaceChildren(...rows);
    this.#cells[0].tabIndex = 0;
    for (const element of [this.#root, this.#root.closest('.desk')]) element?.style.setProperty('--columns', width);
    this.#root.style.setProperty('--rows', height);
  }

  /** Shows cells: their mine probabilities or null, class names by cell, and the proved mines that the numbers leave out, or null. */
  draw(cells, shares = null, marks = new Map(), known = null) {
    const near = neighbours(this.width, this.height);
    for (let index = 0; index < cells.length; index++) {
      const code = cells[index];
      const share = shares && isCovered(code) ? (shares[index] ?? null) : null;
      let look = `cell ${isNumber(code) ? `open n${code}` : KINDS[code]}`;
      let text = code > 0 && isNumber(code) ? String(code) : '';
      if (share !== null) {
        look += ` heat h${heatLevel(share)}`;
        if (code === COVERED) text = shareText(share);
        // Cells next to no number all have the same probability, and are thus less prominent.
        if (share > 0 && share < 1 && !near[index].some((other) => isNumber(cells[other]))) look += ' far';
      }
      if (known && code > 0 && isNumber(code)) {
        const left = code - near[index].filter((other) => known.has(other)).length;
        if (left !== code) {
          look = `${look.replace(` n${code}`, ` n${left}`)} less`;
          text = String(left);
        }
      }
      const mark = marks.get(index);
      if (mark) look += ` ${mark}`;
      this.#put(index, look, text, code, share);
    }
    this.#naming ||= soon(() => {
      this.#naming = 0;
      this.#name();
    });
  }

  #put(index, look, text, code, share) {
    const drawn = this.#drawn[index];
    if (drawn.look !== look) this.#cells[index].className = drawn.look = look;
    if (drawn.text.data !== text) drawn.text.data = text;
    drawn.code = code;
    drawn.share = this.#cells[index].share = share;
  }

  /** Writes the labels that screen readers read. Waits until the browser is idle, because nobody listens to 480 cells at once. */
  #name() {
    for (let index = 0; index < this.#drawn.length; index++) {
      const drawn = this.#drawn[index];
      const chance = drawn.share === null ? '' : `, ${drawn.share === 0 ? t.board.safe : drawn.share === 1 ? t.board.aMine : t.board.chance(shareText(drawn.share))}`;
      const label = `${t.board.place(Math.floor(index / this.width) + 1, (index % this.width) + 1)}: ${WORDS[drawn.code] ?? drawn.code}${chance}`;
      if (drawn.label !== label) this.#cells[index].setAttribute('aria-label', (drawn.label = label));
    }
  }

  /** Changes the current cell; `focus` also moves the keyboard focus there. */
  goTo(index, focus = true) {
    this.#cells[this.current].tabIndex = -1;
    this.current = index;
    this.#cells[index].tabIndex = 0;
    if (focus) this.#cells[index].focus();
  }

  /** Highlights groups of cells, on top of the drawn board, until the next call. A cell may belong to several groups. */
  highlight(groups = {}) {
    for (const cell of this.#grid.querySelectorAll('[data-light]')) delete cell.dataset.light;
    for (const [name, indices] of Object.entries(groups)) {
      for (const index of indices) {
        const cell = this.#cells[index];
        if (cell) cell.dataset.light = cell.dataset.light ? `${cell.dataset.light} ${name}` : name;
      }
    }
  }
}
