// Over all games of a folder: points lost by own mistakes and by luck, a place on the ladder of our players, the costliest habits.

import * as api from './api.js';
import { el } from './dom.js';
import { losses } from './facts.js';
import { kept } from './kept.js';
import { mistakesOf } from './learn.js';
import { isNumber, neighbours } from './position.js';
import { t } from './texts.js';

/**
 * What the guesses of our players lose a game against 11.0, in points, with 95 % errors: the losses of data/README.md less that of 11.0, which
 * tells the commands. Those of 16x16x40 opening are of 130 games and more, as the judge of this page counts them.
 */
const RUNGS = {
  '9x9x10 safe': [['11.0', 0, 0], ['11.0-fast', 0.01, 0.01], ['7.0', 0.14, 0.06], ['5.0', 0.73, 0.12], ['4.0', 1.25, 0.1], ['3.5', 2.22, 0.22]],
  '16x16x40 safe': [['11.0', 0, 0], ['11.0-fast', 0.03, 0.06], ['7.0', 0.62, 0.25], ['5.0', 2.35, 0.38], ['4.0', 4.08, 0.36], ['3.5', 5.37, 0.59]],
  '16x16x40 opening': [['11.0', 0, 0], ['7.0', 0.8, 0.62], ['4.0', 2.99, 1.25]],
  '30x16x99 safe': [['11.0', 0, 0], ['11.0-fast', 0.26, 0.14], ['7.0', 2.18, 0.36], ['5.0', 7.69, 0.58], ['4.0', 9.71, 0.64]],
  '30x16x99 opening': [['11.0', 0, 0], ['11.0-fast', 0.43, 0.23], ['7.0', 2.25, 0.72], ['5.0', 7.99, 1.32], ['4.0', 8.66, 1.43]],
};
const HABITS = 5;
const FEW = 20; // games that say something about a player
const FEWEST = 3; // games with a place on the ladder, and an error

/** Names the habit of a mistake. */
function habitOf({ verdict, position, chosen, mark }, { exact }) {
  if (verdict === 'known-mine') return 'known-mine';
  const { cells, width, height } = position;
  const open = cells.reduce((sum, code) => sum + (isNumber(code) ? 1 : 0), 0) / cells.length;
  if (mark === 'blunder') return open < 0.25 ? 'needless-early' : 'needless';
  if (exact) return 'endgame';
  return neighbours(width, height)[chosen[0]].some((index) => isNumber(cells[index])) ? 'border' : 'away';
}

export class Ladder {
  #root;
  #hooks;
  #run = 0;

  /** `root` is a part that can be closed. `hooks`: `show(replay, step)`. */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
  }

  /** Shows and judges the games of a folder, unless the browser has kept them. `tell(at, replay)` gets each; null if it is no game. */
  async open(list, { name: title, sources, id }, tell) {
    const run = ++this.#run;
    const said = el('span', { class: 'soft', role: 'status' });
    const totals = el('div', { class: 'ladder' });
    const stop = el('button', { type: 'button', text: t.frame.stop, on: { click: () => this.#run++ } });
    this.#root.replaceChildren(el('summary', {}, title, ' · ', said), totals, stop, list);
    const games = [];
    const failed = [];
    for (const [at, source] of sources.entries()) {
      if (run !== this.#run) break;
      said.textContent = t.review.judging(at + 1, sources.length);
      try {
        const key = `${id}/${at}`;
        const { what, replay } = (await kept.read(key)) ?? (await api.read(source));
        if (what !== 'replay') throw new Error(t.review.notSaved);
        kept.write(key, { what, replay });
        games.push({ replay, mistakes: mistakesOf(replay) });
        tell(at, replay);
      } catch (error) {
        failed.push(t.review.notRead(source.name, error.message));
        tell(at, null);
      }
      if (run === this.#run && games.length) totals.replaceChildren(...this.#totals(games));
    }
    stop.remove();
    said.textContent = t.review.ladder(games.length);
    list.after(...failed.slice(0, 5).map((text) => el('p', { class: 'error', text })));
  }

  #totals(games) {
    const replays = games.map(({ replay }) => replay);
    const luck = mean(replays.map((replay) => replay.luck));
    const lost = meanLoss(replays, () => true);
    const facts = [[t.review.lostByMistakes, t.review.points(lost.words), t.review.factTitles.cost], [t.review.lostByLuck, t.review.points(`${luck.mean < 0 ? '' : '+'}${luck.words}`), t.review.factTitles.luck], [t.review.rung, rung(replays)]];
    const judged = (replay) => (mistake) => ({ ...replay.moves[mistake.step], replay, step: mistake.step, habit: habitOf(mistake, replay.moves[mistake.step]) });
    const habits = Map.groupBy(games.flatMap(({ replay, mistakes }) => mistakes.map(judged(replay))), ({ habit }) => habit);
    const cost = (times) => times.reduce((sum, { loss }) => sum + loss, 0);
    const costly = [...habits].sort(([, one], [, other]) => cost(other) - cost(one)).slice(0, HABITS);
    const link = ({ replay, step }, at) => el('button', { type: 'button', class: 'quiet', text: String(at + 1), 'aria-label': t.review.move(step, replay.moves.length), on: { click: () => this.#hooks.show(replay, step) } });
    const links = (times) => [...times].sort((one, other) => other.loss - one.loss).slice(0, 5).map(link);
    return [
      el('dl', { class: 'facts' }, ...facts.map(([name, value, title]) => el('div', { title }, el('dt', { text: name }), el('dd', { text: value })))),
      games.length < FEW ? el('p', { class: 'soft', text: t.review.few }) : '',
      costly.length ? el('h3', { text: t.review.habits }) : '',
      el('ul', { class: 'habits' }, ...costly.map(([name, times]) => el('li', {}, t.review.habitLine(t.review.habit[name], losses(times), times.length), ' ', ...links(times)))),
    ];
  }
}

const boardOf = ({ width, height, mines, first_click: rule }) => `${width}x${height}x${mines} ${rule}`;

/** Returns the mean of shares of games, in points, and its 95 % error over games, which holds that of estimates, or `noise` if larger. */
function mean(shares, noise = 0) {
  const [points, { length }] = [shares.map((share) => share * 100), shares];
  const mean = points.reduce((sum, one) => sum + one, 0) / length;
  const spread = length < FEWEST ? Infinity : Math.max(noise * 100, 1.96 * Math.sqrt(points.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (length - 1) / length));
  const words = `${mean < 0 ? '−' : ''}${Math.abs(mean).toFixed(1)}`;
  return { mean, spread, words: spread < Infinity ? `${words} ± ${spread.toFixed(1)}` : words };
}

/** Returns the `mean` of the losses of games by the moves that count. */
function meanLoss(games, counts) {
  const sum = (moves, of) => moves.filter(counts).reduce((total, move) => total + of(move), 0);
  const noise = Math.sqrt(sum(games.flatMap(({ moves }) => moves), ({ loss_error: error }) => (error ?? 0) ** 2)) / games.length;
  return mean(games.map(({ moves }) => sum(moves, ({ loss }) => loss ?? 0)), noise);
}

/** Describes the place on the ladder of players, or says why there is none. */
function rung(games) {
  const [{ width, height, mines, first_click: rule }] = games;
  // If the first click may be a mine, a game that survives it goes on as if it were safe.
  const survived = rule === 'any' ? 1 - mines / (width * height) : 1;
  const board = boardOf(games[0]);
  const rungs = RUNGS[board.replace('any', 'safe')];
  if (games.some((game) => boardOf(game) !== board)) return t.review.noRung.boards;
  if (!rungs) return t.review.noRung.board;
  if (games.length < FEWEST) return t.review.noRung.few(FEWEST);
  const { mean: lost, spread, words } = meanLoss(games, ({ verdict }) => verdict === 'guess');
  const [player, own, error] = rungs.map(([name, ...figures]) => [name, ...figures.map((figure) => figure * survived)]).sort((one, other) => Math.abs(one[1] - lost) - Math.abs(other[1] - lost))[0];
  const isWorse = player === rungs.at(-1)[0] && lost - spread > own + error;
  return t.review.likes(player, isWorse, words, `${own.toFixed(1)} ± ${error.toFixed(1)}`);
}
