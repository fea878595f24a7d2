// Requests the analysis of the position on the board, and shows it beside the board.

import * as api from './api.js';
import { candidateTable } from './candidates.js';
import { MISSING } from './engine.js';
import { cellName, counted, el, percent, remembered } from './dom.js';
import { PlayerChoice } from './players.js';
import { isNumber, toIndex, toRows } from './position.js';

/** The minimum time between two requests, in milliseconds. If changes come faster, only the last one is asked about. */
const PAUSE = 70;
/** The number of proofs shown before `Show all`. */
const FEW = 8;

const FIRST = {
  safe: 'Open any cell: the mines are dealt after it, and it is safe.',
  opening: 'Open any cell: the mines are dealt after it, and it is a 0.',
  any: 'It may be a mine, like any other.',
};

export class Analysis {
  /** The mine probability of each cell in the last analysed position, or null. */
  shares = null;
  /** Class names by cell, for the cells that contradict each other. */
  marks = new Map();
  answer = null;
  #root;
  #hooks;
  #known;
  #loaded = false;
  #players;
  #timer = 0;
  #asked = 0;
  #abort = null;
  #position = null;
  #body = el('div', { class: 'analysis-body' });

  /** `about` is a promise with the available players. `hooks`: `answered()` after each answer, `highlight(groups)`, `goTo(index)`. */
  constructor(root, about, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    this.#players = new PlayerChoice(remembered.read('players', ['11.0', '7.0', '4.0']), (names) => {
      remembered.write('players', names);
      if (this.#position) this.ask(this.#position);
    });
    this.#known = about.then(({ players }) => this.#players.know(players));
    root.replaceChildren(this.#body, this.#players.element);
  }

  /** Shows this content instead of an analysis: the end of a game, or a note that probabilities are hidden. */
  say(...content) {
    this.#drop();
    this.#position = null;
    this.shares = null;
    this.marks = new Map();
    this.#players.element.hidden = true;
    this.#body.replaceChildren(...content);
    this.#root.setAttribute('aria-busy', 'false');
  }

  /** Requests the analysis of a position. The answer to an earlier request is discarded at once, even if this request must wait. */
  ask(position) {
    this.#drop();
    this.#position = position;
    this.#root.setAttribute('aria-busy', 'true');
    const wait = Math.max(0, this.#asked + PAUSE - performance.now());
    if (wait) this.#timer = setTimeout(() => this.#send(position), wait);
    else this.#send(position);
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  async #send(position) {
    this.#asked = performance.now();
    const abort = (this.#abort = new AbortController());
    const { width, height, mines, firstClick, cells } = position;
    try {
      await this.#known;
      const question = { width, height, mines, rows: toRows(cells, width), first_click: firstClick };
      const { chosen } = this.#players;
      // Players first need their models, which may be a download. The first request therefore asks only for the probabilities.
      for (const players of this.#loaded ? [chosen] : [[], chosen]) {
        if (abort !== this.#abort) return;
        const answer = await this.#analysis(question, players, abort.signal);
        if (abort !== this.#abort) return;
        this.#show(answer, position);
        this.#hooks.answered();
      }
      this.#loaded = true;
    } catch (error) {
      if (error.name === 'AbortError' || abort !== this.#abort) return;
      this.#showRefusal(error, position);
      this.#hooks.answered();
    }
    this.#players.element.hidden = false;
    this.#root.setAttribute('aria-busy', 'false');
  }

  /** Requests an analysis. If a player's model can't be downloaded, the result has the probabilities and the error of each player. */
  async #analysis(question, players, signal) {
    try {
      return await api.analyse({ ...question, players }, signal);
    } catch (error) {
      if (error.status !== MISSING || !players.length) throw error;
      const answer = await api.analyse({ ...question, players: [] }, signal);
      return { ...answer, advice: players.map((player) => ({ player, error: error.message })) };
    }
  }

  #showRefusal(refusal, { width }) {
    this.answer = null;
    this.shares = null;
    this.marks = new Map(refusal.cells.map((cell) => [toIndex(cell, width), 'error']));
    const names = refusal.cells.map(cellName).join(', ');
    this.#body.replaceChildren(
      el('div', { class: 'verdict wrong' }, el('div', {}, el('h2', { text: refusal.cells.length ? 'These numbers can’t all be true' : 'No analysis' }), el('p', { class: 'refusal', text: sentence(refusal.message) }))),
      names ? el('p', { class: 'soft', text: `Outlined on the board: ${names}. ${refusal.cells.length > 1 ? 'Change one of them.' : 'Change it.'}` }) : '',
    );
  }

  #show(answer, position) {
    this.answer = answer;
    this.shares = answer.mine_probability.flat();
    this.marks = new Map();
    this.#body.replaceChildren(
      this.#verdict(answer, position),
      answer.candidates.length ? candidateTable(answer.candidates, position.width, this.#hooks) : '',
      answer.proofs.length ? this.#proofs(answer.proofs, position.width) : '',
      this.#advice(answer.advice, position.width),
    );
  }

  #verdict({ safe, mines, won, win, exact, candidates, solutions }, { cells, firstClick }) {
    const untouched = !cells.some(isNumber);
    let title;
    let text = '';
    if (won) {
      title = 'The game is won';
      text = 'Every cell without a mine is open.';
    } else if (safe.length) {
      title = `${counted(safe.length, 'cell')} ${safe.length === 1 ? 'is' : 'are'} safe`;
      if (mines.length) text = `${counted(mines.length, 'cell')} ${mines.length === 1 ? 'is a mine' : 'are mines'}.`;
    } else if (untouched) {
      title = 'The first click';
      text = FIRST[firstClick];
    } else {
      title = 'A guess';
      if (candidates.length) text = `No cell is certain. ${cellName(candidates[0].cell)} is the best of ${candidates.length}: a mine in ${percent(candidates[0].mine)} of 100 cases.`;
    }
    return el(
      'div',
      { class: `verdict ${won ? 'good' : ''}` },
      el('div', {}, el('h2', { text: title }), text ? el('p', { text }) : '', won ? '' : el('p', { class: 'soft layouts' }, ...layouts(solutions))),
      win === null || won ? '' : el('p', { class: 'win', title: exact ? 'Exact chance to win from here by best play' : 'Estimated chance to win from here by good play' }, el('b', { text: `${percent(win)} %` }), el('span', { text: exact ? 'to win, exact' : 'to win' })),
    );
  }

  #proofs(all, width) {
    const proofs = grouped(all);
    const list = el('ol', { class: 'proofs', tabindex: -1 });
    const fill = (shown) => {
      list.replaceChildren(...shown.map(({ text, cells, because }) => this.#lit(`${cells.map(cellName).join(', ')}: ${text}`, { target: cells, because }, width)));
    };
    fill(proofs.slice(0, FEW));
    const more = el('button', { type: 'button', class: 'quiet', text: `Show all ${proofs.length}`, on: { click: () => (fill(proofs), more.remove()) } });
    return el('section', {}, el('h3', { text: 'Why they are safe' }), list, proofs.length > FEW ? more : '');
  }

  #advice(advice, width) {
    if (!advice.length) return '';
    const lines = advice.map(({ player, text, error, moves }) => {
      const words = error ? `can’t say: ${error}` : text.startsWith(`${player} `) ? text.slice(player.length + 1) : text;
      return el('div', {}, el('dt', { text: player }), el('dd', {}, this.#lit(words, { target: moves ?? [] }, width, 'span')));
    });
    return el('section', {}, el('h3', { text: 'What players would do' }), el('dl', { class: 'advice' }, ...lines));
  }

  /** Creates a text that highlights its cells while the pointer or the focus is on it. A click goes to its target cell. */
  #lit(text, groups, width, name = 'li') {
    const indices = Object.fromEntries(Object.entries(groups).map(([group, cells]) => [group, cells.map((cell) => toIndex(cell, width))]));
    const on = () => this.#hooks.highlight(indices);
    const off = () => this.#hooks.highlight({});
    const target = indices.target[0];
    const button = el('button', { type: 'button', class: 'line', text, on: { focus: on, blur: off, click: () => target !== undefined && this.#hooks.goTo(target) } });
    return el(name, { on: { mouseenter: on, mouseleave: off } }, button);
  }
}

/** Groups the cells that have the same proof. */
function grouped(proofs) {
  const groups = new Map();
  for (const { cell, text, because } of proofs) {
    const key = JSON.stringify([text, because]);
    if (!groups.has(key)) groups.set(key, { text, because, cells: [] });
    groups.get(key).cells.push(cell);
  }
  return [...groups.values()];
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** Describes the number of consistent layouts, exactly if it has at most nine digits. */
function layouts(solutions) {
  if (solutions === '1') return ['One layout of the mines fits.'];
  if (solutions.length <= 9) return [`${solutions.replace(/\B(?=(\d{3})+$)/g, '\u202f')} layouts of the mines fit.`];
  return [`${solutions[0]}.${solutions.slice(1, 3)} × 10`, el('sup', { text: solutions.length - 1 }), ' layouts of the mines fit.'];
}
