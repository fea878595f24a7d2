// The last games and the mistakes of the user, which the browser keeps.

import { reviewAddress } from './codes.js';
import { remembered } from './dom.js';
import { fromAddress, toAddress } from './position.js';

const MOST = 100;
/** The days until a mistake comes again, after none, one, two or more right answers in a row. */
const DAYS = [0, 1, 3, 7];
const DAY = 86_400_000;

const stored = (key) => remembered.read(key, [{}]).filter(({ address }) => typeof address === 'string');

/** Returns the kept games, the last one first: `{ address, at, width, height, mines, won, seconds, hints, marks }`. */
export const keptGames = () => stored('games');

/** Keeps a game that has ended, once. `game` is a state of the desk. Returns its address. */
export function keepGame(game, { seconds, hints }) {
  const address = reviewAddress(game, game.moves);
  if (keptGames().some((other) => other.address === address)) return address;
  const { width, height, mines, over } = game;
  const record = { address, at: Date.now(), width, height, mines, won: over === 'won', seconds: Math.round(seconds * 10) / 10, hints };
  remembered.write('games', [record, ...keptGames()].slice(0, MOST));
  return address;
}

/** Adds the marks of a judged game to its record, and its mistakes (see `mistakesOf`) to those to be learnt from, once. */
export function keepMarks(address, marks, mistakes) {
  const games = keptGames();
  const record = games.find((game) => game.address === address);
  if (!record || record.marks) return;
  record.marks = marks;
  remembered.write('games', games);
  remembered.write('mistakes', [...stored('mistakes'), ...mistakes.map((mistake) => ({ ...mistake, address, position: toAddress(mistake.position), right: 0, due: Date.now() }))].slice(-MOST));
}

/** Returns all mistakes, in the form of `mistakesOf` with `address`, `right` (answers in a row) and `due`. */
export const keptMistakes = () =>
  stored('mistakes').flatMap((one) => {
    const position = fromAddress(String(one.position));
    return position && Array.isArray(one.chosen) ? [{ ...one, position }] : [];
  });

/** Returns the mistakes that are due, the oldest first. */
export const dueMistakes = () => keptMistakes().filter(({ due }) => due <= Date.now());

/** Sets when a mistake comes again. After the last interval it is learnt. */
export function answerMistake({ address, step }, isRight) {
  const all = stored('mistakes').map((one) => {
    if (one.address !== address || one.step !== step) return one;
    const right = isRight ? one.right + 1 : 0;
    return { ...one, right, due: Date.now() + DAYS[Math.min(Math.max(right, 1), DAYS.length - 1)] * DAY };
  });
  remembered.write('mistakes', all.filter(({ right }) => right < DAYS.length));
}
