// The card at the end of a game: its facts, its marks, and what to do next.

import * as api from './api.js';
import { announce, clock, el, percent } from './dom.js';
import { bvOf, factsOf, marksLine } from './facts.js';
import { mistakesOf } from './learn.js';
import { EXPLODED, toCell, toField } from './position.js';
import { keepGame, keepMarks } from './records.js';
import { t } from './texts.js';

/** Judges a game that was played here. Returns a promise of the replay, with the times of its moves. */
export async function judgeGame({ width, height, mines, firstClick, field, moves, deal, noGuess = deal?.noGuess ?? false }) {
  const made = moves.map(({ cells }) => ({ cells: cells.map((index) => toCell(index, width)) }));
  const replay = await api.judge({ width, height, mines, first_click: firstClick, field: toField(field, width), moves: made, no_guess: noGuess });
  replay.moves.forEach((move, at) => (move.seconds ??= moves[at]?.at ?? null));
  return replay;
}

const signed = (points) => `${points < 0 ? '−' : '+'}${Math.abs(points * 100).toFixed(1)}`;

/**
 * Creates the card, and keeps the game. `answer` is the analysis before the last move, or null. `hooks`: `again()`, `same()`, `takeBack()`,
 * `review(address, learn)`, `warn(error)`.
 */
export function endCard(desk, answer, hooks) {
  const { state } = desk;
  const won = state.over === 'won';
  const seconds = desk.seconds;
  const bv = bvOf(state.field, state.width);
  const address = keepGame(state, { seconds, hints: desk.hints });
  const hit = state.cells.indexOf(EXPLODED);
  const share = hit >= 0 && answer ? answer.mine_probability.flat()[hit] : null;
  const said = [];
  if (!won && typeof share === 'number') said.push(share === 1 ? t.tutor.coachMine : (answer.safe.length ? t.end.wasGuess : t.end.wasMine)(percent(share, 0)));
  if (state.beat && won) said.push((seconds < state.beat ? t.end.beaten : t.end.notBeaten)(clock(state.beat)));
  const luck = el('dd', { text: t.end.judging });
  const marks = el('dd', { id: 'end-marks', text: t.end.judging });
  const learn = el('button', { type: 'button', class: 'strong', id: 'learn', text: t.end.learn, hidden: true, on: { click: () => hooks.review(address, true) } });
  const fact = (name, value) => [el('dt', { text: name }), value instanceof Node ? value : el('dd', { text: value })];
  judgeGame(state).then(
    (replay) => {
      const found = factsOf(replay);
      luck.textContent = signed(replay.luck);
      luck.title = t.end.luckTitle;
      marks.textContent = marksLine(found.marks) || t.end.none;
      const mistakes = mistakesOf(replay);
      learn.hidden = !mistakes.length;
      keepMarks(address, found.marks, mistakes);
    },
    (error) => {
      marks.textContent = luck.textContent = '–';
      if (error.name !== 'AbortError') hooks.warn(error);
    },
  );
  announce([won ? t.end.won : t.end.lost, ...said].join('. '));
  return el(
    'div',
    { class: `end ${won ? 'good' : 'wrong'}` },
    el('h2', { text: won ? t.end.won : t.end.lost }),
    ...said.map((text) => el('p', { text })),
    el('dl', { class: 'facts' }, ...[fact(t.end.time, clock(seconds)), fact(t.end.bv, String(bv)), fact(t.end.luck, luck), fact(t.end.marks, marks), ...(desk.hints ? [fact(t.end.hints, String(desk.hints))] : [])].map((pair) => el('div', {}, ...pair))),
    el('p', { class: 'actions' },
      learn,
      el('button', { type: 'button', id: 'judge', text: t.end.review, on: { click: () => hooks.review(address, false) } }),
      el('button', { type: 'button', text: t.end.again, on: { click: hooks.again } }),
      el('button', { type: 'button', text: t.end.same, on: { click: hooks.same } }),
      won ? '' : el('button', { type: 'button', text: t.end.takeBack, on: { click: hooks.takeBack } })),
  );
}
