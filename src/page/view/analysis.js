// Requests the analysis of the position on the board, and shows it beside the board.

import * as api from './api.js';
import { candidateTable } from './candidates.js';
import { chance } from './facts.js';
import { MISSING } from './engine.js';
import { cellName, el, fewFirst, lights, percent, remembered } from './dom.js';
import { PlayerChoice } from './players.js';
import { isNoGuess, isNumber, toIndex, toRows } from './position.js';
import { t } from './texts.js';
import { count, distinct, explain, whyCell } from './why.js';

/** The minimum time between two requests, in milliseconds. If changes come faster, only the last one is asked about. */
const PAUSE = 70;
/** The time before a guess is measured by roll-outs, in milliseconds: nobody waits for those of a position that has changed. */
const BEFORE_ROLL_OUTS = 600;
/** The number of proofs shown before `Show all`. */
const FEW = 8;

export class Analysis {
  /** The mine probability of each cell in the last analysed position, or null. */
  shares = null;
  /** Class names by cell, for the cells that contradict each other. */
  marks = new Map();
  answer = null;
  #root;
  #busy;
  #hooks;
  #known;
  #loaded = false;
  #players;
  #timer = 0;
  #asked = 0;
  #abort = null;
  #position = null;
  #body = el('div', { class: 'analysis-body' });
  #cell = el('div', { class: 'cell-why', 'aria-live': 'polite' });

  /** `root` gets the analysis; `busy` is busy then. `hooks`: `answered()`, `highlight(groups)`, `goTo(index)`, `try(index, number)`. */
  constructor(root, busy, about, hooks) {
    this.#root = root;
    this.#busy = busy;
    this.#hooks = hooks;
    this.#players = new PlayerChoice(remembered.read('players', ['11.0', '7.0', '4.0']), (names) => {
      remembered.write('players', names);
      if (this.#position) this.ask(this.#position);
    });
    this.#known = about.then(({ players }) => this.#players.know(players));
    root.replaceChildren(this.#cell, this.#body, this.#players.element);
  }

  /** Shows this content instead of an analysis: a note that probabilities are hidden. */
  say(...content) {
    this.#drop();
    this.#position = null;
    this.shares = null;
    this.marks = new Map();
    this.#players.element.hidden = true;
    this.#cell.replaceChildren();
    this.#body.replaceChildren(...content);
    this.#busy.setAttribute('aria-busy', 'false');
  }

  /** Requests the analysis of a position. The answer to an earlier request is discarded at once, even if this request must wait. */
  ask(position) {
    this.#drop();
    if (position !== this.#position) this.#cell.replaceChildren();
    this.#position = position;
    this.#busy.setAttribute('aria-busy', 'true');
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
      const question = { width, height, mines, rows: toRows(cells, width), first_click: firstClick, no_guess: isNoGuess(position) };
      const { chosen } = this.#players;
      // The models of players may be a download: the first request asks only for the probabilities, and roll-outs come last.
      let answer;
      for (const players of this.#loaded ? [chosen] : [[], chosen]) {
        if (abort !== this.#abort) return;
        answer = await this.#analysis(question, players, abort.signal);
        if (abort !== this.#abort) return;
        this.#show(answer, position);
        this.#hooks.answered();
      }
      this.#loaded = true;
      if (!answer.exact && answer.candidates.length > 1) this.#measure({ ...question, players: chosen, roll_outs: true }, abort, position);
    } catch (error) {
      if (error.name === 'AbortError' || abort !== this.#abort) return;
      this.#showRefusal(error, position);
      this.#hooks.answered();
    }
    this.#players.element.hidden = false;
    this.#busy.setAttribute('aria-busy', 'false');
  }

  /** Replaces the estimates of a guess by those of roll-outs. */
  async #measure(question, abort, position) {
    await new Promise((done) => setTimeout(done, BEFORE_ROLL_OUTS));
    if (abort !== this.#abort) return;
    try {
      const answer = await api.analyse(question, abort.signal);
      if (abort === this.#abort && this.#position === position) this.#show(answer, position);
    } catch (error) {
      if (error.name !== 'AbortError') this.#body.append(el('p', { class: 'soft', text: error.message }));
    }
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

  /** Says why a cell is safe, a mine, or neither, and lets the user try numbers there. */
  why(index) {
    const { answer } = this;
    const position = this.#position;
    if (!answer || !position || index < 0 || isNumber(position.cells[index])) return;
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((code) => el('button', { type: 'button', class: 'tool', title: t.analyse.tryTitle(code), text: String(code), on: { click: () => this.#hooks.try(index, code) } }));
    const { title, content } = whyCell(answer, position, index, (groups) => this.#hooks.highlight(groups));
    this.#busy.dispatchEvent(new Event('wanted'));
    this.#cell.replaceChildren(el('h2', { text: title }), ...content, el('div', { class: 'trial' }, el('span', { class: 'soft', text: t.analyse.try }), ...numbers));
  }

  #showRefusal(refusal, { width }) {
    this.answer = null;
    this.shares = null;
    this.marks = new Map(refusal.cells.map((cell) => [toIndex(cell, width), 'error']));
    const words = sentence(refusal.message);
    this.#body.replaceChildren(el('div', { class: 'verdict wrong' }, el('div', {}, el('h2', { text: refusal.cells.length ? t.tutor.contradiction : t.tutor.refused }), el('p', { class: 'refusal', text: words }), refusal.cells.length ? el('p', { class: 'soft', text: t.tutor.outlined }) : '')));
  }

  #show(answer, position) {
    this.answer = answer;
    this.shares = answer.mine_probability.flat();
    this.marks = new Map();
    this.#body.replaceChildren(this.#verdict(answer, position), answer.candidates.length ? candidateTable(answer.candidates.map((one) => ({ ...one, exact: answer.exact })), position.width, this.#hooks) : '', answer.why.length ? this.#proofs(answer, position) : '', this.#advice(answer.advice, position.width, answer));
  }

  #verdict(answer, { cells, firstClick }) {
    const { safe, mines, won, candidates, solutions, too_hard: tooHard } = answer;
    let title;
    let text = '';
    if (won) [title, text] = [t.analyse.wonTitle, t.analyse.won];
    else if (safe.length) [title, text] = [t.analyse.safe(safe.length), mines.length ? t.analyse.mine(mines.length) : ''];
    else if (!cells.some(isNumber)) [title, text] = [t.analyse.firstTitle, t.analyse.first[firstClick]];
    else if (tooHard) title = t.tutor.tooHard;
    else [title, text] = [t.analyse.guess, candidates.length ? t.analyse.best(cellName(candidates[0].cell), candidates.length, percent(candidates[0].mine)) : ''];
    const [many, power] = count(solutions).split('^');
    const fit = tooHard ? [sentence(tooHard)] : solutions === '1' ? [t.analyse.oneLayout] : [many, power ? el('sup', { text: power }) : '', t.analyse.fit];
    return el('div', { class: `verdict ${won ? 'good' : ''}` }, el('div', {}, el('h2', { text: title }), text ? el('p', { text }) : '', won ? '' : el('p', { class: 'soft layouts' }, ...fit)), winOf(answer));
  }

  /** Creates the list of what is proved, one line for each kind of reason. Its clicks tell one reason of the kind after another. */
  #proofs(answer, position) {
    const kinds = new Map();
    for (const proof of distinct(answer.why.filter(({ steps }) => steps.length))) {
      const { title, steps } = explain(proof, position, answer);
      const words = `${title}: ${steps.at(-1).title}${steps.length > 1 ? `, ${t.counted.step(steps.length)}` : ''}`;
      kinds.set(words, [...(kinds.get(words) ?? []), steps.at(-1).groups]);
    }
    const list = el('ul', { class: 'proofs', tabindex: -1 });
    const line = ([words, all]) => {
      const targets = all.map(({ safe, mine }) => (safe ?? mine)[0]);
      const lit = Object.fromEntries(['a', 'b', 'safe', 'mine'].map((name) => [name, all.flatMap((groups) => groups[name] ?? [])]));
      let turn = 0;
      const text = all.length > 1 ? t.analyse.reasons(words, all.length) : words;
      return el('li', { on: lights(this.#hooks.highlight, lit) }, el('button', { type: 'button', class: 'line', text, on: { click: () => this.why(targets[turn++ % targets.length]) } }));
    };
    return el('section', {}, el('h3', { text: t.analyse.whySafe }), list, fewFirst(list, [...kinds], FEW, line, t.frame.showAll));
  }

  #advice(advice, width, answer) {
    if (!advice.length) return '';
    const lines = advice.map((one) => {
      const target = (one.moves ?? []).map((cell) => toIndex(cell, width));
      const button = el('button', { type: 'button', class: 'line', text: adviceText(one, answer), on: { click: () => target.length && this.#hooks.goTo(target[0]) } });
      return el('div', {}, el('dt', { text: one.player }), el('dd', {}, el('span', { on: lights(this.#hooks.highlight, { target }) }, button)));
    });
    return el('section', {}, el('h3', { text: t.analyse.players }), el('dl', { class: 'advice' }, ...lines));
  }
}

/** Describes the move of a player, and how it chose: what it reckons, its rule, and ties. */
function adviceText({ error, moves, reason, own, tied, draws, by, why, solutions }, { mine_probability: shares }) {
  if (error) return t.analyse.cantSay(error);
  const cell = cellName(moves[0]);
  const says = why ? [t.analyse.says(why)] : [];
  if (reason === 'first-click') return [t.analyse.begins(cell), ...says].join('; ');
  const share = shares[moves[0][0]][moves[0][1]];
  if (reason === 'certain' || share === 0) return moves.length === 1 ? t.analyse.opens(cell) : t.analyse.opensMany(moves.length, cell);
  if (typeof share !== 'number') return [t.analyse.guesses(cell, null), ...says].join('; ');
  const least = Math.min(...shares.flat().filter((one) => one !== null));
  const differs = (other) => Math.abs(other - share) > 5e-5;
  const words = [t.analyse.guesses(cell, percent(share, 2)), differs(least) && t.analyse.least(percent(least, 2)), solutions && t.analyse.solutions(...solutions), own !== null && differs(own) && t.analyse.reckons(percent(own, 2)), tied > 1 && t.analyse.tied(tied, draws), by && (t.analyse.by[by] ?? t.analyse.rule(by)), ...says];
  return words.filter(Boolean).join('; ');
}

/** Creates the chance to win: exact, measured with its error, or in round figures. */
function winOf({ won, win, exact, candidates = [] }) {
  if (won || typeof win !== 'number') return '';
  const error = candidates[0]?.error;
  const words = exact ? t.analyse.exact : typeof error === 'number' ? t.analyse.rolled : t.analyse.estimate;
  return el('p', { class: 'win', title: exact ? t.analyse.exactTitle : t.analyse.estimateTitle }, el('b', { text: `${chance({ win, exact, error })} %` }), el('span', { text: words }));
}

const sentence = (text) => t.dot(`${text[0].toUpperCase()}${text.slice(1)}`);
