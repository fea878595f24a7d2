// A played game as something to step through. Nothing here draws.

import { cellName, percent } from './dom.js';
import * as rules from './position.js';

/** The cells before each move, and after the last one. */
export function unfold(replay) {
  const { width, height, field, moves } = replay;
  const mines = rules.fromField(field);
  const states = [rules.blank(width, height)];
  for (const move of moves) {
    const cells = states.at(-1).slice();
    rules.open(cells, mines, width, move.cells.map((cell) => rules.toIndex(cell, width)));
    states.push(cells);
  }
  const end = states.at(-1).slice();
  if (!replay.won) rules.reveal(end, mines);
  states[states.length - 1] = end;
  return states;
}

/** The win estimate before each move that has one; the end is certain. */
export function curve(replay) {
  const points = replay.moves.flatMap(({ win }, step) => (win === null || win === undefined ? [] : [{ x: step, y: win }]));
  return [...points, { x: replay.moves.length, y: replay.won ? 1 : 0 }];
}

/** Smaller losses are noise of the estimate. */
const LEAST_LOSS = 0.001;

/** The moves that gave most away, worst first. */
export function worst(replay, most) {
  return replay.moves
    .map((move, step) => ({ move, step }))
    .filter(({ move }) => move.loss >= LEAST_LOSS)
    .sort((one, other) => other.move.loss - one.move.loss)
    .slice(0, most);
}

/** All that was given away, in shares of a win. */
export const given = (replay) => replay.moves.reduce((sum, { loss }) => sum + (loss ?? 0), 0);

const points = (loss) => `${(loss * 100).toFixed(1)} points`;

/** "gave away 3.2 points: guessed (3, 4), better (5, 6)". */
export function lossSentence(move) {
  return `gave away ${points(move.loss)}: ${verb(move, false)} ${names(move)}${move.best ? `, better ${cellName(move.best.cell)}` : ''}`;
}

function verb({ reason }, now) {
  if (reason === 'guess') return now ? 'guesses' : 'guessed';
  return now ? 'opens' : 'opened';
}

function names({ cells }) {
  const few = cells.slice(0, 4).map(cellName).join(', ');
  return cells.length > 4 ? `${few} and ${cells.length - 4} more` : few;
}

/** What happens at a step, as a sentence. */
export function moveSentence(replay, step) {
  const who = replay.player === 'you' ? 'You' : replay.player;
  if (step >= replay.moves.length) return replay.won ? `${who} won.` : `${who} lost.`;
  const move = replay.moves[step];
  const act = who === 'You' ? (move.reason === 'guess' ? 'guess' : 'open') : verb(move, true);
  const parts = [`${who} ${act} ${names(move)}`];
  if (move.reason === 'certain') parts.push(move.cells.length > 1 ? 'all are certainly safe' : 'certainly safe');
  else if (move.reason === 'first-click') parts.push('the first click');
  if (move.reason !== 'certain' && move.mine !== null && move.mine !== undefined && move.mine > 0) parts.push(`a mine in ${percent(move.mine)} of 100 cases`);
  if (move.best && move.loss >= LEAST_LOSS) parts.push(`better ${cellName(move.best.cell)}, by ${points(move.loss)}`);
  return `${parts.join('; ')}.`;
}

/** What is marked on the board at a step: what is about to be opened, and what were better. */
export function marksAt(replay, step) {
  const marks = new Map();
  const move = replay.moves[step];
  if (!move) return marks;
  if (move.best && move.loss >= LEAST_LOSS) marks.set(rules.toIndex(move.best.cell, replay.width), 'better');
  for (const cell of move.cells) marks.set(rules.toIndex(cell, replay.width), move.loss >= LEAST_LOSS && move.best ? 'chosen worse' : 'chosen');
  return marks;
}
