// Over all games of a folder: points lost by own mistakes and by luck, a place on the ladder of our players, the costliest habits.

import * as api from './api.js';
import { el } from './dom.js';
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
const points = (value) => (value * 100).toFixed(1);

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

  /** `hooks`: `show(replay, step)`, `warn(error)`. */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
  }

  /** Shows a list of games and judges the games of `sources`, one after another. */
  async open(list, sources) {
    const run = ++this.#run;
    const said = el('p', { class: 'soft', role: 'status' });
    const totals = el('div', { class: 'ladder' });
    const stop = el('button', { type: 'button', text: t.frame.stop, on: { click: () => this.#run++ } });
    this.#root.replaceChildren(totals, el('p', { class: 'actions' }, said, stop), list);
    const games = [];
    const failed = [];
    for (const [at, { name, ...source }] of sources.entries()) {
      if (run !== this.#run) break;
      said.textContent = t.review.judging(at + 1, sources.length);
      try {
        const found = await api.read(source.text === undefined ? { base64: source.base64 } : { text: source.text });
        if (found.what === 'replay') games.push(found.replay);
      } catch (error) {
        failed.push(t.review.notRead(name, error.message));
      }
      if (run === this.#run && games.length) totals.replaceChildren(...this.#totals(games));
    }
    stop.remove();
    said.textContent = t.review.ladder(games.length);
    this.#root.append(...failed.slice(0, 5).map((text) => el('p', { class: 'error', text })));
  }

  #totals(games) {
    const mean = (of) => games.reduce((sum, game) => sum + of(game), 0) / games.length;
    const loss = mean((game) => game.loss);
    const facts = [[t.review.lostByMistakes, t.review.points(points(loss))], [t.review.lostByLuck, t.review.points(points(mean((game) => game.luck)))], ...rung(games)];
    const habits = new Map();
    for (const replay of games) {
      for (const mistake of mistakesOf(replay)) {
        const name = habitOf(mistake, replay.moves[mistake.step]);
        const habit = habits.get(name) ?? { name, loss: 0, times: [] };
        habit.loss += mistake.loss ?? 0;
        habit.times.push({ replay, step: mistake.step, loss: mistake.loss ?? 0 });
        habits.set(name, habit);
      }
    }
    const costly = [...habits.values()].sort((one, other) => other.loss - one.loss).slice(0, HABITS);
    const links = ({ times }) => times.sort((one, other) => other.loss - one.loss).slice(0, 5).map(({ replay, step }, at) => el('button', { type: 'button', class: 'quiet', text: String(at + 1), 'aria-label': t.review.move(step, replay.moves.length), on: { click: () => this.#hooks.show(replay, step) } }));
    return [
      el('h2', { text: t.review.ladderTitle }),
      el('dl', { class: 'facts' }, ...facts.map(([name, value]) => el('div', {}, el('dt', { text: name }), el('dd', { text: value })))),
      games.length < FEW ? el('p', { class: 'soft', text: t.review.few }) : '',
      costly.length ? el('h3', { text: t.review.habits }) : '',
      el('ul', { class: 'habits' }, ...costly.map((habit) => el('li', {}, t.review.habitLine(t.review.habit[habit.name], points(habit.loss), habit.times.length), ' ', ...links(habit)))),
    ];
  }
}

/** Returns the place on the ladder of players, if all games are on a board that it has. */
function rung(games, { width, height, mines, first_click: rule } = games[0]) {
  const board = ({ width, height, mines, first_click: rule }) => `${width}x${height}x${mines} ${rule}`;
  // If the first click may be a mine, a game that survives it goes on as if it were safe.
  const survived = rule === 'any' ? 1 - mines / (width * height) : 1;
  const rungs = RUNGS[board(games[0]).replace('any', 'safe')];
  if (!rungs || games.some((game) => board(game) !== board(games[0]))) return [];
  const each = games.map(({ moves }) => moves.reduce((sum, { verdict, loss }) => sum + (verdict === 'guess' ? (loss ?? 0) : 0), 0) * 100);
  const lost = each.reduce((sum, one) => sum + one, 0) / each.length;
  const spread = 1.96 * Math.sqrt(each.reduce((sum, one) => sum + (one - lost) ** 2, 0) / Math.max(1, each.length - 1) / each.length);
  const [player, own, error] = rungs.map(([name, ...figures]) => [name, ...figures.map((figure) => figure * survived)]).sort((one, other) => Math.abs(one[1] - lost) - Math.abs(other[1] - lost))[0];
  const words = player === rungs.at(-1)[0] && lost - spread > own + error ? t.review.worse : t.review.likes;
  return [[t.review.rung, words(player, `${lost.toFixed(1)} ± ${spread.toFixed(1)}`, `${own.toFixed(1)} ± ${error.toFixed(1)}`)]];
}
