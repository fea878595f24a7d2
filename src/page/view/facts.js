// The facts of a game: its 3BV, what its clicks were worth, and what the judge says in figures, with their errors.

import { percent } from './dom.js';
import { blank, fromField, isNumber, neighbours, open } from './position.js';
import { t } from './texts.js';

/** Returns the 3BV of a board: its openings and the numbers beside none. */
export function bvOf(field, width) {
  const near = neighbours(width, field.length / width);
  const cells = blank(width, field.length / width);
  let openings = 0;
  field.forEach((mine, index) => {
    if (mine || isNumber(cells[index]) || near[index].some((other) => field[other])) return;
    openings++;
    open(cells, field, width, [index]);
  });
  return openings + cells.filter((code, index) => !isNumber(code) && !field[index]).length;
}

/** Returns the facts of a judged game; unknown ones are null. */
export function factsOf(replay) {
  const { moves, width } = replay;
  const bv = bvOf(fromField(replay.field), width);
  const times = moves.map(({ seconds }) => seconds).filter((seconds) => typeof seconds === 'number');
  const seconds = times.length ? Math.max(...times) : null;
  const clicks = moves.reduce((sum, { kind, cells }) => sum + (kind === 'open' ? cells.length : 1), 0);
  // The sum of -log10 of the chances of the guesses, as other programs count the luck of a game.
  const pluck = moves.reduce((sum, { mine, hit }) => (mine > 0 && mine < 1 && !hit ? sum - Math.log10(1 - mine) : sum), 0);
  const marks = {};
  for (const { mark } of moves) if (mark) marks[mark] = (marks[mark] ?? 0) + 1;
  return { bv, seconds, clicks, pluck, marks, perSecond: seconds > 0 && replay.end === 'won' ? bv / seconds : null, efficiency: replay.end === 'won' && clicks ? bv / clicks : null };
}

/** The signs of the marks, from the worst. */
export const SIGNS = { blunder: '??', mistake: '?', inaccuracy: '?!', good: '!', forced: '=' };
/** The marks to learn from. */
export const isMistake = ({ mark }) => mark === 'blunder' || mark === 'mistake' || mark === 'inaccuracy';

/** Formats counts of marks: `?? 2  ? 1`. */
export const marksLine = (marks) => Object.entries(SIGNS).filter(([mark]) => marks[mark] && mark !== 'forced').map(([mark, sign]) => `${sign} ${marks[mark]}`).join('  ');

/** Formats a change of the chance to win, in points, with its sign. */
export const signed = (share) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`;

/** Formats a chance to win, per cent: with a decimal if it is exact, with its error if that is known, and in round figures if nothing measured it. */
export function chance({ win, exact, win_error: ofMove, error = ofMove }) {
  if (exact || win === null) return percent(win);
  if (error > 0) return `${percent(win, 0)} ± ${(error * 100).toFixed(0)}`;
  return `≈ ${win < 0.075 || win > 0.925 ? percent(win, 0) : Math.round(win * 20) * 5}`;
}

/** Formats the sum of the losses of moves in points, with the error of independent estimates. */
export function losses(moves) {
  const known = moves.filter(({ loss }) => typeof loss === 'number');
  const sum = (of) => known.reduce((total, move) => total + of(move), 0);
  const lost = sum(({ loss }) => loss) * 100;
  const error = Math.sqrt(sum(({ loss_error: one }) => (one ?? 0) ** 2)) * 100;
  const digits = error < 1 ? 1 : 0;
  return t.review.points(error > 0 ? `${lost.toFixed(digits)} ± ${error.toFixed(digits)}` : lost.toFixed(1));
}
