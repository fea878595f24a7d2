// A played game, move by move. This module draws nothing.

import { cellName, percent } from './dom.js';
import * as rules from './position.js';

/** Returns the cells before each move and after the last one. */
export function unfold({ width, height, field, moves, end }) {
  const mines = rules.fromField(field);
  const near = rules.neighbours(width, height);
  const states = [rules.blank(width, height)];
  for (const { kind, cell, opened, hit } of moves) {
    const cells = states.at(-1).slice();
    if (kind === 'flag' || kind === 'unflag') cells[rules.toIndex(cell, width)] = kind === 'flag' ? rules.FLAG : rules.COVERED;
    for (const place of opened) {
      const index = rules.toIndex(place, width);
      cells[index] = near[index].reduce((sum, other) => sum + mines[other], 0);
    }
    if (hit) cells[rules.toIndex(hit, width)] = rules.EXPLODED;
    states.push(cells);
  }
  if (end === 'lost') {
    const last = states.at(-1).slice();
    rules.reveal(last, mines);
    states[states.length - 1] = last;
  }
  return states;
}

/** Returns the win probability before each move that has one, and the result at the end of the game. */
export function curve({ moves, end }) {
  const points = moves.flatMap(({ win }, step) => (win === null ? [] : [{ x: step, y: win }]));
  return end === 'unfinished' ? points : [...points, { x: moves.length, y: end === 'won' ? 1 : 0 }];
}

/** Returns the moves that were not certain, with their numbers. */
export const decisions = ({ moves }) => moves.map((move, step) => ({ move, step })).filter(({ move }) => move.verdict && move.verdict !== 'certain');

/** Returns whether a better move existed, beyond the error of its loss. */
export const isWorse = ({ mark, loss, best }) => best !== null && loss !== null && ['blunder', 'mistake', 'inaccuracy'].includes(mark);

const points = (value) => `${(value * 100).toFixed(1)} points`;
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)} points`;

function names({ kind, cell, cells }) {
  if (kind === 'chord') return `around ${cellName(cell)}`;
  const few = cells.slice(0, 4).map(cellName).join(', ');
  return cells.length > 4 ? `${few} and ${cells.length - 4} more` : few;
}

const ACTS = { open: 'opens', chord: 'opens', flag: 'flags', unflag: 'takes the flag from' };
const WORDS = {
  certain: 'certainly safe',
  'first-click': 'the first click',
  '50/50': 'a 50/50 that no play avoids',
  guess: 'a guess',
  needless: 'a needless guess',
  'known-mine': 'certainly a mine',
};

/** Describes a move. Returns the parts of a sentence. */
function parts(move) {
  const said = [`${ACTS[move.kind]} ${names(move)}`];
  if (move.verdict) said.push(WORDS[move.verdict]);
  if (move.mine > 0 && move.mine < 1) said.push(`a mine in ${percent(move.mine)} of 100 cases`);
  if (isWorse(move)) said.push(`${cellName(move.best.cell)} is ${move.verdict === 'needless' ? 'safe and ' : ''}${points(move.loss)} better`);
  if (move.luck !== null) said.push(`luck ${signed(move.luck)}`);
  return said;
}

/** Returns a line of the list of decisions: "Move 26 opens (11, 16); a needless guess; …". */
export const decisionSentence = (move, step) => `Move ${step} ${parts(move).join('; ')}.`;

/** Describes a step in a sentence. */
export function moveSentence({ player, moves, end }, step) {
  const who = player === 'you' ? 'You' : player;
  if (step >= moves.length) return end === 'unfinished' ? 'The game is unfinished.' : `${who} ${end}.`;
  const [act, ...more] = parts(moves[step]);
  const done = who === 'You' ? act.replace(/^(open|flag|take)s/, '$1') : act;
  return `${[`${who} ${done}`, ...more].join('; ')}.`;
}

/** Returns the effects of mistakes and luck on the whole game, each with an explanation. */
export function totals({ loss, luck, corrected_result: corrected, survival, unjudged }) {
  const left = unjudged ? [['Not judged', `${unjudged} moves`, 'too hard to count; the sums leave them out']] : [];
  return [
    ...left,
    ['Mistakes cost', points(loss), 'how much worse the moves were than the best ones, in percentage points of the win rate'],
    ['Luck gave', signed(luck), 'what the guesses turned out to be worth, less their expectations; 0 on average'],
    ['Result without luck', `${(corrected * 100).toFixed(1)} %`, 'the result, 100 or 0 %, less the luck; its mean over many games is the win rate'],
    ['All guesses are safe in', `${percent(survival)} of 100 cases`, 'the product over all guesses'],
  ];
}

/** Returns the marks on the board at a step: the cells that are about to be opened, and a better cell. */
export function marksAt(replay, step) {
  const marks = new Map();
  const move = replay.moves[step];
  if (!move) return marks;
  if (isWorse(move)) marks.set(rules.toIndex(move.best.cell, replay.width), 'better');
  for (const cell of move.cells) marks.set(rules.toIndex(cell, replay.width), isWorse(move) ? 'chosen worse' : 'chosen');
  return marks;
}
