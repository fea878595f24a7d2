// Guesses: positions that require a guess. The user guesses, and then sees the win probabilities of the candidates.

import * as api from './api.js';
import { Board } from './board.js';
import { candidateTable } from './candidates.js';
import { decoded } from './codes.js';
import { announce, cellName, el, percent, remembered, showCurrent } from './dom.js';
import { choiceField } from './new_game.js';
import { fromRows, isCovered, toAddress, toCell, toIndex } from './position.js';
import { t } from './texts.js';

const DAY = 86_400_000;

const isUntouched = ({ rows }) => rows.every((row) => /^#+$/.test(row));

const sentence = ({ width, height, mines }) => `${width}×${height}, ${t.counted.mine(mines)}`;

/** Returns how hard a puzzle is, by the share of our players that find a best cell. */
function levelOf({ choices, best }) {
  const all = Object.values(choices).filter(Boolean);
  const right = all.filter((cell) => best.some((other) => String(other) === String(cell))).length / Math.max(1, all.length);
  return right >= 2 / 3 ? 'easy' : right >= 1 / 3 ? 'medium' : 'hard';
}

/** Sets up the part. `about` is a promise with the players. `hooks`: `warn(error)`, `address(hash)`. Returns the function `enter(name)`. */
export function startGuesses(root, about, hooks) {
  const level = choiceField(t.practice.level, 'level', [['', t.practice.anyLevel], ...['easy', 'medium', 'hard'].map((name) => [name, t.practice[name]])], '');
  const kind = choiceField(t.practice.kind, 'kind', [['', t.practice.allKinds], ...Object.entries(t.practice.kinds)], '');
  const known = choiceField(t.practice.known, 'known', [['', t.practice.anyWay], ['exact', t.practice.exactly], ['roll-outs', t.practice.byRollOuts]], '');
  const count = el('p', { class: 'soft', role: 'status' });
  const list = el('ol', { class: 'puzzle-list' });
  const frame = el('div', { class: 'frame' });
  const board = new Board(frame, t.practice.puzzle, { primary: guess, secondary: () => {} });
  const title = el('h2');
  const question = el('p');
  const giveUp = el('button', { type: 'button', text: t.practice.answer, on: { click: () => answer(null) } });
  const next = el('button', { type: 'button', text: t.practice.next, on: { click: () => show(following(), true) } });
  const result = el('div', { class: 'puzzle-answer', 'aria-live': 'polite' });
  const filter = el('div', { class: 'strip', id: 'puzzle-filter' }, level.element, kind.element, known.element, count);
  root.replaceChildren(filter, el('div', { class: 'puzzles' }, el('div', { id: 'puzzle-list' }, el('h2', { text: t.practice.today }), list), el('div', { id: 'puzzle' }, title, question, frame, el('div', { class: 'actions' }, giveUp, next), result)));
  for (const { input } of [level, kind, known]) input.addEventListener('change', () => (fill(), show(shown()[0], true)));

  /** The names of the players that exist. */
  let players = [];
  about.then((found) => (players = found.players.map(({ name }) => name)), () => {});
  let puzzles = [];
  let current = null;
  /** For each puzzle's name, whether the user's last guess was a best cell. */
  const guessed = remembered.read('puzzles', {});

  const shown = () => puzzles.filter((one) => (!level.read() || levelOf(one) === level.read()) && (!kind.read() || one.kinds.includes(kind.read())) && (!known.read() || one.known.by === known.read()));
  const following = () => {
    const all = shown();
    return all[(all.indexOf(current) + 1) % all.length];
  };
  const address = () => (current ? `practice/guesses/${encodeURIComponent(current.name)}` : 'practice/guesses');
  const ofPlayers = (choices) => Object.entries(choices).filter(([player]) => players.includes(player));

  function fill() {
    const all = shown();
    const found = all.filter(({ name }) => guessed[name]).length;
    count.textContent = t.practice.status(all.length, found);
    list.replaceChildren(...all.map(line));
    showCurrent(list);
  }

  function line(puzzle) {
    const mark = puzzle.name in guessed ? (guessed[puzzle.name] ? t.practice.foundMark : t.practice.missedMark) : '';
    const button = el('button', { type: 'button', class: 'line', 'aria-current': puzzle === current ? 'true' : null, on: { click: () => show(puzzle, true) } }, puzzle.name, ' ', el('span', { class: 'soft', text: [sentence(puzzle), t.practice[levelOf(puzzle)], mark].filter(Boolean).join('; ') }));
    return el('li', {}, button);
  }

  function show(puzzle, wanted = false) {
    if (!puzzle) return;
    current = puzzle;
    fill();
    title.textContent = puzzle.name;
    const rule = t.newGame.rules[puzzle.first_click];
    question.textContent = (isUntouched(puzzle) ? t.practice.firstQuestion : t.practice.question)(sentence(puzzle), rule);
    giveUp.disabled = false;
    result.replaceChildren();
    board.resize(puzzle.width, puzzle.height);
    board.highlight({});
    board.draw(fromRows(puzzle.rows));
    if (wanted) hooks.address(address());
  }

  function guess(index) {
    if (current && !giveUp.disabled && isCovered(fromRows(current.rows)[index])) answer(index);
  }

  /** Shows the values of the cells. `index` is the user's guess, or null if the user gave up. */
  async function answer(index) {
    const puzzle = current;
    const { width, height, mines, first_click, rows, best } = puzzle;
    const bestCells = best.map((cell) => toIndex(cell, width));
    const own = index === null ? null : (puzzle.candidates.find(({ cell }) => toIndex(cell, width) === index) ?? null);
    // Cells that are not worse beyond the error of the roll-outs are right, too.
    const found = bestCells.includes(index) || (own?.behind ? own.behind[0] <= 0 : false);
    giveUp.disabled = true;
    if (index !== null) {
      guessed[puzzle.name] = found;
      remembered.write('puzzles', guessed);
    }
    fill();
    const marks = new Map(bestCells.map((cell) => [cell, 'better']));
    if (index !== null) marks.set(index, found ? 'chosen' : 'chosen worse');
    const way = puzzle.known;
    const how = way.by === 'exact' ? t.practice.exact(way.layouts) : t.practice.rolled(way.player, way.lines);
    const position = toAddress({ width, height, mines, firstClick: first_click, cells: fromRows(rows) });
    const analyse = el('a', { class: 'quiet', href: `#board/${position}`, text: t.practice.analyse });
    result.replaceChildren(el('h3', { text: verdict(puzzle, index, found, own) }), el('p', { text: puzzle.shows }), table(puzzle), el('p', { class: 'soft', text: how }), el('p', {}, analyse));
    announce(result.firstChild.textContent);
    board.draw(fromRows(rows), null, marks);
    if (isUntouched(puzzle)) return;
    const analysed = await api.analyse({ width, height, mines, first_click, rows, players: [] }).catch(hooks.warn);
    if (analysed && puzzle === current && giveUp.disabled) board.draw(fromRows(rows), analysed.mine_probability.flat(), marks);
  }

  function verdict({ best, candidates, width, known: { by } }, index, found, own) {
    const share = ({ win, interval }) => (interval ? `${percent(win)} ± ${((interval[1] - interval[0]) * 50).toFixed(1)}` : percent(win));
    const most = share(candidates[0]);
    const few = best.slice(0, 4).map(cellName).join(', ');
    const names = best.length > 4 ? t.review.andMore(few, best.length - 4) : few;
    if (index === null) return t.practice.bestIs(names, best.length > 1, most);
    if (found && !best.some((cell) => toIndex(cell, width) === index)) return t.practice.rightWithin;
    if (found) return (best.length > 1 ? t.practice.rightMany : t.practice.rightOne)(most);
    const yours = own ? t.practice.wins(share(own)) : by === 'exact' ? t.practice.isMine : t.practice.notTried;
    return t.practice.yours(cellName(toCell(index, width)), yours, names, most);
  }

  function table({ candidates, best, choices, width, known: { by } }) {
    const who = ({ cell }) => ofPlayers(choices).filter(([, chosen]) => String(chosen) === String(cell)).map(([player]) => player).join(', ');
    const isBest = ({ cell }) => best.some((other) => String(other) === String(cell));
    const interval = (pair) => (pair ? t.practice.interval(percent(Math.max(pair[0], 0)), percent(pair[1])) : '');
    const rolled = by === 'exact' ? [] : [['r', ({ interval: of }) => interval(of)], ['r', ({ behind }) => interval(behind)]];
    const columns = [['r', ({ mine }) => percent(mine)], ['r strong', ({ win }) => percent(win)], ...rolled, ['who', (one) => [isBest(one) ? t.practice.isBest : '', who(one)].filter(Boolean).join(': ')]];
    const heads = [...t.practice.heads, ...(rolled.length ? t.practice.more : []), t.practice.who].map((name) => [name]);
    return candidateTable([...candidates].sort((one, other) => other.win - one.win), width, { highlight: (groups) => board.highlight(groups), goTo: (index) => board.goTo(index) }, { heads, columns, isBest, isWanted: who });
  }

  return {
    /** Shows the puzzle of this name, or else the last one, at first that of today. */
    async enter(encoded) {
      if (!puzzles.length) puzzles = (await api.puzzles().catch(hooks.warn)) ?? [];
      if (!puzzles.length) return;
      const name = decoded(encoded ?? '');
      const named = puzzles.find((one) => one.name === name);
      if (name && !named) hooks.warn(new Error(t.frame.noPlace));
      if (named && !shown().includes(named)) level.input.value = kind.input.value = known.input.value = '';
      if (!current || (named && named !== current)) show(named ?? puzzles[Math.floor(Date.now() / DAY) % puzzles.length]);
      hooks.address(address());
    },
  };
}
