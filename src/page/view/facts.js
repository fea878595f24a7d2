// The facts of a game: its 3BV, and what its clicks were worth.

import { blank, fromField, isNumber, neighbours, open } from './position.js';

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
