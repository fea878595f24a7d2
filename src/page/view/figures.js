// Formats what the judge says: chances to win and losses, with their errors.

import { percent } from './dom.js';
import { t } from './texts.js';

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
