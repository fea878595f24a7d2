// Over all games of a folder: points lost by own mistakes and by luck, a place on the ladder of our players, the costliest habits.

import * as api from './api.js';
import { el } from './dom.js';
import { mistakesOf } from './learn.js';
import { isNumber, neighbours } from './position.js';
import { t } from './texts.js';

/** What the guesses of our players lose a game, in wins, with 95 % errors, as the judge of this page counts it over 130 games and more; by board and rule. */
const RUNGS = {
  '16x16x40 opening': [['11.0', 0, 0], ['7.0', 0.008, 0.0062], ['4.0', 0.0299, 0.0125]],
  '30x16x99 opening': [['11.0', 0, 0], ['11.0-fast', 0.0039, 0.0024], ['7.0', 0.0275, 0.0103], ['4.0', 0.0865, 0.026]],
};
const HABITS = 5;
/** The games that say something about a player. */
const FEW = 20;
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
function rung(games) {
  const board = ({ width, height, mines, first_click: rule }) => `${width}x${height}x${mines} ${rule}`;
  const rungs = RUNGS[board(games[0])];
  if (!rungs || games.some((game) => board(game) !== board(games[0]))) return [];
  const guessed = ({ moves }) => moves.reduce((sum, { verdict, loss }) => sum + (verdict === 'guess' ? (loss ?? 0) : 0), 0);
  const loss = games.reduce((sum, game) => sum + guessed(game), 0) / games.length;
  const [player, own, error] = [...rungs].sort((one, other) => Math.abs(one[1] - loss) - Math.abs(other[1] - loss))[0];
  return [[t.review.rung, t.review.likes(player, points(loss), `${points(own)} ± ${points(error)}`)]];
}
