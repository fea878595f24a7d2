// A played game, move by move. This module draws nothing.

import { cellName, clock, percent } from './dom.js';
import { factsOf, isMistake, losses, signed } from './facts.js';
import * as rules from './position.js';
import { t } from './texts.js';

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

/** Returns the moves that were not certain, with their numbers. */
export const decisions = ({ moves }) => moves.map((move, step) => ({ move, step })).filter(({ move }) => move.verdict && move.verdict !== 'certain');

/** Returns whether a better move is known, beyond the error of its loss. */
const isWorse = (move) => isMistake(move) && move.best !== null && move.loss !== null;

function names({ kind, cell, cells }) {
  if (kind === 'chord') return t.review.around(cellName(cell));
  const few = cells.slice(0, 4).map(cellName).join(', ');
  return cells.length > 4 ? t.review.andMore(few, cells.length - 4) : few;
}

const ACTS = { open: t.review.opens, chord: t.review.opens, flag: t.review.flags, unflag: t.review.unflags };
const OWN_ACTS = { open: t.review.open, chord: t.review.open, flag: t.review.flag, unflag: t.review.unflag };

/** Describes a move. Returns the parts of a sentence. */
function parts(move, acts = ACTS) {
  const said = [`${acts[move.kind]} ${names(move)}`];
  if (move.verdict) said.push(t.review.verdicts[move.verdict]);
  if (move.mine > 0 && move.mine < 1) said.push(t.review.mineIn(percent(move.mine)));
  if (isWorse(move)) said.push(t.review.better(cellName(move.best.cell), move.verdict === 'needless', losses([move])));
  if (move.luck !== null) said.push(t.review.luckOf(t.review.points(signed(move.luck))));
  return said;
}

/** Returns a line of the list of decisions: "Move 26 opens (11, 16); a needless guess; …". */
export const decisionSentence = (move, step) => t.review.moveLine(step + 1, parts(move));

/** Describes a step in a sentence. */
export function moveSentence({ player, moves, end }, step) {
  const who = player === 'you' ? t.review.you : player;
  if (step >= moves.length) return end === 'unfinished' ? t.review.unfinished : t.review.ended(who, t.review.end[end]);
  const [act, ...more] = parts(moves[step], player === 'you' ? OWN_ACTS : ACTS);
  return t.review.sentence([`${who} ${act}`, ...more]);
}

/** Returns the facts of the game and the effects of mistakes and luck, each `[name, label, value, title]`. */
export function totals(replay) {
  const facts = factsOf(replay);
  const { moves, luck, corrected_result: corrected, survival, unjudged } = replay;
  const number = (value, digits) => (value === null ? null : value.toFixed(digits));
  /** A sum over all moves, which is unknown if one of them could not be judged. */
  const ofAll = (value) => (unjudged ? null : value);
  const values = {
    time: facts.seconds === null ? null : clock(facts.seconds), cost: moves.some(({ loss }) => typeof loss === 'number') ? losses(moves) : null, luck: ofAll(t.review.points(signed(luck))), bv: String(facts.bv), bvs: number(facts.perSecond, 2), clicks: String(facts.clicks), efficiency: facts.efficiency === null ? null : `${Math.round(facts.efficiency * 100)} %`, pluck: ofAll(number(facts.pluck, 2)),
    survival: ofAll(t.review.of100(percent(survival))), corrected: replay.end === 'unfinished' ? null : ofAll(t.review.points(signed(corrected))), unjudged: unjudged ? t.review.moves(unjudged) : null,
  };
  return Object.entries(values).filter(([, value]) => value !== null).map(([name, value]) => [name, t.review.facts[name], value, t.review.factTitles[name]]);
}

/** Returns the step at which a game opens: its first mistake, or else its end, one before the last move of a lost game. */
export function firstStep({ moves, end }) {
  const step = moves.findIndex(isMistake);
  return step >= 0 ? step : end === 'lost' ? moves.length - 1 : moves.length;
}

/** Returns the marks on the board at a step: the cells that are about to be opened, and a better cell. */
export function marksAt(replay, step) {
  const marks = new Map();
  const move = replay.moves[step];
  if (!move) return marks;
  if (isMistake(move) && move.best) marks.set(rules.toIndex(move.best.cell, replay.width), 'better');
  for (const cell of move.cells) marks.set(rules.toIndex(cell, replay.width), isMistake(move) ? 'chosen worse' : 'chosen');
  return marks;
}
