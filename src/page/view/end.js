// The card at the end of a game: its facts, its marks, and what to do next.

import * as api from './api.js';
import { isFlag, reviewAddress } from './codes.js';
import { announce, clock, el, percent, tenths } from './dom.js';
import { bvOf, factsOf, marksLine, signed } from './facts.js';
import { mistakesOf } from './learn.js';
import { EXPLODED, toCell, toField } from './position.js';
import { keepGame, keepMarks } from './records.js';
import { t } from './texts.js';

/** What is said of a move that opens nothing. */
const UNJUDGED = { opened: [], hit: null, verdict: null, mine: null, win: null, after: null, best: null, loss: null, loss_error: null, luck: null, exact: false, win_error: null, mark: null };

/** Judges a game whose moves are known. Returns a promise of the replay, with the times of its moves and its flags. */
export async function judgeGame({ width, height, mines, firstClick, field, moves, player, deal, noGuess = deal?.noGuess ?? false }) {
  const made = moves.filter((move) => !isFlag(move)).map(({ cells }) => ({ cells: cells.map((index) => toCell(index, width)) }));
  const replay = await api.judge({ width, height, mines, first_click: firstClick, field: toField(field, width), moves: made, no_guess: noGuess, player });
  const judged = replay.moves.values();
  const join = ({ kind, cell, cells, at }) => ({ ...UNJUDGED, ...(isFlag({ kind }) ? {} : judged.next().value), kind, cell: toCell(cell, width), cells: cells.map((index) => toCell(index, width)), seconds: at });
  return { ...replay, moves: moves.map(join) };
}

/** Creates the card, and keeps the game. `answer`: the analysis before the last move, or null. `hooks`: the acts of its buttons. */
export function endCard(desk, answer, hooks) {
  const { state } = desk;
  const won = state.over === 'won';
  const seconds = desk.seconds;
  const bv = bvOf(state.field, state.width);
  const { from = 0 } = state;
  const address = from ? reviewAddress(state, state.moves) : keepGame(state, { seconds, hints: desk.hints });
  const hit = state.cells.indexOf(EXPLODED);
  const share = hit >= 0 && answer ? answer.mine_probability.flat()[hit] : null;
  const said = [];
  const hitWords = (mine, isNeedless) => (mine === 1 ? t.tutor.coachMine : (isNeedless ? t.end.wasGuess : t.end.wasMine)(percent(mine, 0)));
  if (!won && typeof share === 'number') said.push(hitWords(share, answer.safe.length));
  if (state.beat && won) said.push((seconds < state.beat ? t.end.beaten : t.end.notBeaten)(tenths(state.beat)));
  const luck = el('dd', { text: t.end.judging });
  const marks = el('dd', { id: 'end-marks', text: t.end.judging });
  const learn = el('button', { type: 'button', class: 'strong', id: 'learn', text: t.end.learn, hidden: true, on: { click: () => hooks.review(address, true) } });
  const facts = [[t.end.time, (state.beat ? tenths : clock)(seconds)], [t.end.bv, String(bv)], [t.end.luck, luck], [t.end.marks, marks], ...(desk.hints ? [[t.end.hints, String(desk.hints)]] : [])];
  judgeGame(state).then(
    (replay) => {
      const moves = replay.moves.slice(from);
      const found = factsOf({ ...replay, moves });
      luck.textContent = replay.unjudged ? '–' : signed(from ? moves.reduce((sum, move) => sum + (move.luck ?? 0), 0) : replay.luck);
      luck.title = t.end.luckTitle;
      marks.textContent = marksLine(found.marks) || (replay.unjudged ? t.end.notJudged : t.end.none);
      const mistakes = mistakesOf(replay);
      learn.hidden = from > 0 || !mistakes.length;
      // A game that is loaded again has no analysis before its last move, but the judge's.
      const { mine, verdict } = replay.moves.at(-1);
      if (!won && !answer && mine !== null) marks.closest('.end').querySelector('dl').before(el('p', { text: hitWords(mine, verdict === 'needless') }));
      keepMarks(address, found.marks, mistakes);
    },
    (error) => {
      marks.textContent = luck.textContent = '–';
      if (error.name !== 'AbortError') hooks.warn(error);
    },
  );
  announce([won ? t.end.won : t.end.lost, ...said].join('. '));
  const acts = [['judge', t.end.review, () => hooks.review(address, false)], [null, t.end.again, hooks.again], [null, t.end.same, hooks.same], ...(won ? [] : [[null, t.end.takeBack, hooks.takeBack]])];
  const buttons = acts.map(([id, text, click]) => el('button', { type: 'button', id, text, on: { click } }));
  const list = facts.map(([name, value]) => el('div', {}, el('dt', { text: name }), value instanceof Node ? value : el('dd', { text: value })));
  return el('div', { class: `end ${won ? 'good' : 'wrong'}` }, el('h2', { text: won ? t.end.won : t.end.lost }), ...said.map((text) => el('p', { text })), el('dl', { class: 'facts' }, ...list), el('p', { class: 'actions' }, learn, ...buttons));
}
