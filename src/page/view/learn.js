// Mistakes to learn from: the position before one, and the search for a better cell. Review and Practice use it.

import { announce, el, percent } from './dom.js';
import { isMistake } from './facts.js';
import { isCovered, toCell, toIndex } from './position.js';
import { unfold } from './replay.js';
import { t } from './texts.js';
import { analysisOf } from './tutor.js';
import { explain, proofList, proofOf, spoken } from './why.js';

/** The loss, in the chance to win, that counts as none where an estimate has no error. */
const WITHIN = 0.02;

/** Returns the mistakes of a judged game, with their steps, in the form that `Mistake` takes. */
export function mistakesOf(replay) {
  const states = unfold(replay);
  const { width, height, mines, first_click: firstClick, moves } = replay;
  return moves.flatMap((move, step) => {
    if (!isMistake(move)) return [];
    const position = { width, height, mines, firstClick, cells: states[step] };
    return [{ step, position, chosen: move.cells.map((cell) => toIndex(cell, width)), mark: move.mark, verdict: move.verdict, mine: move.mine, loss: move.loss, best: move.best ? toIndex(move.best.cell, width) : null }];
  });
}

export class Mistake {
  #board;
  #root;
  #hooks;
  #mistake = null;
  #answer = null;
  #done = false;
  #isLast = false;

  /** `hooks`: `next()` when the user goes on, `told(isRight)` after an answer; `warn(error)`. */
  constructor(board, root, hooks) {
    this.#board = board;
    this.#root = root;
    this.#hooks = hooks;
  }

  close() {
    this.#mistake = null;
    this.#root.replaceChildren();
  }

  /** Shows the position before a mistake. `title` is that of the card; `isLast` tells that no other one comes after it. */
  show(mistake, title, isLast) {
    this.#mistake = mistake;
    this.#isLast = isLast;
    this.#done = false;
    const { position, mine, verdict } = mistake;
    this.#answer = analysisOf(position, { rollOuts: mistake.verdict === 'guess' || mistake.verdict === '50/50' });
    this.#answer.catch(this.#hooks.warn);
    this.#board.highlight({});
    this.#draw();
    const task = verdict === 'needless' ? t.review.learnSafe : verdict === 'known-mine' ? t.review.learnMine : t.review.learnBetter;
    const told = [verdict === 'known-mine' ? '' : t.review.learnGuess(percent(mine, 0)), task].filter(Boolean).join(' ');
    this.said = el('p', { role: 'status' });
    this.why = el('div');
    const acts = [['learn-show', t.review.show, () => this.#reveal(false)], ['learn-next', t.review.skip, () => this.#hooks.next()]];
    const buttons = acts.map(([id, text, click]) => el('button', { type: 'button', id, text, on: { click } }));
    this.#root.replaceChildren(el('h3', { text: title }), el('p', { text: told }), this.said, this.why, el('p', { class: 'actions' }, ...buttons));
    announce(told);
  }

  #draw(marks = []) {
    const { position, chosen } = this.#mistake;
    this.#board.draw(position.cells, null, new Map([...chosen.map((index) => [index, 'chosen worse']), ...marks]));
  }

  /** Takes a click of the user as an answer. */
  async guess(index) {
    const mistake = this.#mistake;
    if (!mistake || this.#done || !isCovered(mistake.position.cells[index])) return;
    const answer = await this.#answer.catch(() => null);
    if (!answer || mistake !== this.#mistake || this.#done) return;
    if (this.#isRight(answer, index)) return this.#reveal(true, index);
    const words = answer.safe.length ? t.review.wrongSafe : t.review.wrongBetter;
    this.said.textContent = words;
    this.#hooks.told?.(false);
    announce(words);
  }

  /** Whether a cell is proved safe or, in a guess, no worse than the best beyond the error. */
  #isRight({ safe, candidates, exact }, index) {
    const { width } = this.#mistake.position;
    if (safe.length) return safe.some((cell) => toIndex(cell, width) === index);
    if (index === this.#mistake.best) return true;
    const found = candidates.find(({ cell }) => toIndex(cell, width) === index);
    const best = candidates[0];
    if (!found || best.win === null || found.win === null) return false;
    if (found.behind) return found.behind[0] <= found.behind[1];
    return best.win - found.win <= (exact ? 1e-9 : WITHIN);
  }

  async #reveal(isRight, index = null) {
    const mistake = this.#mistake;
    const answer = await this.#answer.catch(() => null);
    if (!answer || mistake !== this.#mistake) return;
    this.#done = true;
    const { position, best } = mistake;
    const proof = index !== null ? proofOf(answer, index, position.width) : (answer.why.find(({ mine }) => !mine) ?? null);
    const better = index ?? (proof ? toIndex(proof.cell, position.width) : (best ?? (answer.candidates.length ? toIndex(answer.candidates[0].cell, position.width) : null)));
    this.#draw(better === null ? [] : [[better, 'better']]);
    const found = answer.candidates.find(({ cell }) => toIndex(cell, position.width) === better);
    this.said.textContent = [isRight ? t.review.right : '', found ? t.review.mineIn(percent(found.mine, 0)) : ''].filter(Boolean).join(' ');
    const told = proof?.steps.length ? explain(proof, position, answer) : null;
    if (told) this.why.replaceChildren(proofList(told, position, (groups) => this.#board.highlight(groups)));
    this.#hooks.told?.(isRight);
    const place = better === null ? '' : t.review.betterAt(t.board.place(...toCell(better, position.width).map((at) => at + 1)));
    announce([this.said.textContent, told ? spoken(told, position) : place].filter(Boolean).join(' '));
    this.#root.querySelector('#learn-show').disabled = true;
    this.#root.scrollIntoView({ block: 'nearest' });
    this.#root.querySelector('#learn-next').textContent = this.#isLast ? t.review.done : t.review.nextOne;
  }
}
