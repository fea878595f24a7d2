// The Puzzles tab: positions that require a guess. The user guesses, and then sees the win probabilities of the candidates.

import * as api from './api.js';
import { Board } from './board.js';
import { announce, byId, cellName, counted, el, percent, remembered } from './dom.js';
import { choiceField } from './new_game.js';
import { fromRows, isCovered, toAddress, toCell, toIndex } from './position.js';

/** The number of candidates shown before `Show all`. */
const FEW = 10;
const KINDS = {
  opening: 'opening moves',
  small: 'small boards',
  endgame: 'ends of games',
  'safest-loses': 'the safest cell is wrong',
  'equal-safety': 'equally safe, not equally good',
  'dead-cell': 'a safe-looking cell tells nothing',
  'even-chance': 'a 50/50 to take now',
  'away-from-numbers': 'far from the numbers',
  corner: 'corners',
  'mine-count': 'the mines left decide',
};

const RULES = { safe: 'is safe', opening: 'opens a 0', any: 'may be a mine' };

const isUntouched = ({ rows }) => rows.every((row) => /^#+$/.test(row));

const sentence = ({ width, height, mines }) => `${width}×${height}, ${counted(mines, 'mine')}`;

/** Sets up the tab. `hooks`: `warn(error)`, `address(hash)`. Returns the functions that the rest of the page calls. */
export function startPuzzlesTab(hooks) {
  const kind = choiceField('Kind', 'kind', [['', 'all'], ...Object.entries(KINDS)], '');
  const known = choiceField('Known', 'known', [['', 'any way'], ['exact', 'exactly'], ['roll-outs', 'by roll-outs']], '');
  const count = el('p', { class: 'soft', role: 'status' });
  const list = el('ol', { class: 'puzzle-list' });
  const frame = el('div', { class: 'frame' });
  const board = new Board(frame, 'Puzzle', { primary: guess, secondary: () => {} });
  const title = el('h2');
  const question = el('p');
  const giveUp = el('button', { type: 'button', text: 'Show the answer', on: { click: () => answer(null) } });
  const next = el('button', { type: 'button', text: 'Next puzzle', on: { click: () => show(following(), true) } });
  const result = el('div', { class: 'puzzle-answer', 'aria-live': 'polite' });
  byId('puzzle-filter').replaceChildren(kind.element, known.element, count);
  byId('puzzle-list').replaceChildren(list);
  byId('puzzle').replaceChildren(title, question, frame, el('div', { class: 'actions' }, giveUp, next), result);
  kind.input.addEventListener('change', () => (fill(), show(shown()[0], true)));
  known.input.addEventListener('change', () => (fill(), show(shown()[0], true)));

  let puzzles = [];
  let current = null;
  /** For each puzzle's name, whether the user's last guess was a best cell. */
  const guessed = remembered.read('puzzles', {});

  const shown = () => puzzles.filter((one) => (!kind.read() || one.kinds.includes(kind.read())) && (!known.read() || one.known.by === known.read()));
  const following = () => {
    const all = shown();
    return all[(all.indexOf(current) + 1) % all.length];
  };
  const address = () => (current ? `puzzles/${encodeURIComponent(current.name)}` : 'puzzles');

  function fill() {
    const all = shown();
    const found = all.filter(({ name }) => guessed[name]).length;
    count.textContent = `${counted(all.length, 'puzzle')}, ${found} found`;
    list.replaceChildren(...all.map(line));
  }

  function line(puzzle) {
    const mark = puzzle.name in guessed ? (guessed[puzzle.name] ? 'found' : 'missed') : '';
    const button = el('button', { type: 'button', class: 'line', 'aria-current': puzzle === current ? 'true' : null, on: { click: () => show(puzzle, true) } }, puzzle.name, ' ', el('span', { class: 'soft', text: [sentence(puzzle), mark].filter(Boolean).join('; ') }));
    return el('li', {}, button);
  }

  function show(puzzle, wanted = false) {
    if (!puzzle) return;
    current = puzzle;
    fill();
    title.textContent = puzzle.name;
    const rule = RULES[puzzle.first_click];
    question.textContent = `${sentence(puzzle)}. ${isUntouched(puzzle) ? `The first click ${rule}.` : `No cell is certain; the first click ${rule}.`} Which cell do you open?`;
    giveUp.disabled = false;
    result.replaceChildren();
    board.resize(puzzle.width, puzzle.height);
    board.highlight({});
    board.draw(fromRows(puzzle.rows));
    if (wanted) hooks.address(address());
  }

  function guess(index) {
    if (!current || giveUp.disabled || !isCovered(fromRows(current.rows)[index])) return;
    answer(index);
  }

  /** Shows the values of the cells. `index` is the user's guess, or null if the user gave up. */
  async function answer(index) {
    const puzzle = current;
    const { width, height, mines, first_click, rows, best } = puzzle;
    const bestCells = best.map((cell) => toIndex(cell, width));
    const found = bestCells.includes(index);
    giveUp.disabled = true;
    if (index !== null) {
      guessed[puzzle.name] = found;
      remembered.write('puzzles', guessed);
    }
    fill();
    const own = index === null ? null : puzzle.candidates.find(({ cell }) => toIndex(cell, width) === index);
    const marks = new Map(bestCells.map((cell) => [cell, 'better']));
    if (index !== null) marks.set(index, found ? 'chosen' : 'chosen worse');
    result.replaceChildren(el('h3', { text: verdict(puzzle, index, found, own) }), el('p', { text: puzzle.shows }), table(puzzle), el('p', { class: 'soft', text: how(puzzle) }), links(puzzle));
    announce(result.firstChild.textContent);
    board.draw(fromRows(rows), null, marks);
    if (isUntouched(puzzle)) return;
    try {
      const { mine_probability: shares } = await api.analyse({ width, height, mines, first_click, rows, players: [] });
      if (puzzle === current && giveUp.disabled) board.draw(fromRows(rows), shares.flat(), marks);
    } catch (error) {
      hooks.warn(error);
    }
  }

  function verdict({ best, candidates, width, known: { by } }, index, found, own) {
    const most = `${percent(candidates[0].win)} %`;
    const names = `${best.slice(0, 4).map(cellName).join(', ')}${best.length > 4 ? ` and ${best.length - 4} more` : ''}`;
    if (index === null) return `Best: ${names}, which ${best.length > 1 ? 'win' : 'wins'} ${most}.`;
    if (found) return best.length > 1 ? `Right: no cell wins more than ${most}.` : `Right: it wins ${most}, more than any other.`;
    const yours = own ? `wins ${percent(own.win)} %` : by === 'exact' ? 'is a mine' : 'was not tried';
    return `${cellName(toCell(index, width))} ${yours}. Best: ${names}, with ${most}.`;
  }

  function table({ candidates, best, choices, width, known: { by } }) {
    const who = (cell) => Object.entries(choices).filter(([, chosen]) => String(chosen) === String(cell)).map(([player]) => player).join(', ');
    const isBest = (cell) => best.some((other) => String(other) === String(cell));
    const interval = (pair) => (pair ? `${percent(Math.max(pair[0], 0))} to ${percent(pair[1])}` : '');
    const row = ({ cell, mine, win, interval: of, behind }) => {
      const index = toIndex(cell, width);
      const [on, off] = [() => board.highlight({ target: [index] }), () => board.highlight({})];
      const name = el('button', { type: 'button', class: 'line', text: cellName(cell), on: { focus: on, blur: off, click: () => board.goTo(index) } });
      const extra = by === 'exact' ? [] : [el('td', { class: 'r', text: interval(of) }), el('td', { class: 'r', text: interval(behind) })];
      return el('tr', { on: { mouseenter: on, mouseleave: off }, class: isBest(cell) ? 'best' : null }, el('th', { scope: 'row' }, name), el('td', { class: 'r', text: percent(mine) }), el('td', { class: 'r strong', text: percent(win) }), ...extra, el('td', { class: 'who', text: [isBest(cell) ? 'best' : '', who(cell)].filter(Boolean).join(': ') }));
    };
    const sorted = [...candidates].sort((one, other) => other.win - one.win);
    const body = el('tbody');
    const fillRows = (rows) => body.replaceChildren(...rows.map(row));
    fillRows(sorted.filter(({ cell }, place) => place < FEW || who(cell)));
    const more = el('button', { type: 'button', class: 'quiet', text: `Show all ${sorted.length}`, on: { click: () => (fillRows(sorted), more.remove()) } });
    const heads = ['Cell', 'Mine %', 'Win %', ...(by === 'exact' ? [] : ['95 % interval', 'Behind the best']), 'Who opens it'];
    return el(
      'div',
      { class: 'scroll' },
      el('table', { class: 'candidates' }, el('caption', { class: 'unseen', text: 'Candidates, best first' }), el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col', class: /Mine|Win|95|Behind/.test(head) ? 'r' : null, text: head })))), body),
      body.childElementCount < sorted.length ? more : '',
    );
  }

  function how({ known: way }) {
    return way.by === 'exact' ? `Exact: all play is searched, over ${counted(way.layouts, 'layout')} of the mines.` : `${way.player} played on ${way.lines} times after each of these cells, on the same layouts; the luck of its guesses is taken out.`;
  }

  function links({ width, height, mines, first_click: firstClick, rows }) {
    const position = toAddress({ width, height, mines, firstClick, cells: fromRows(rows) });
    return el('p', {}, el('a', { class: 'quiet', href: `#board/${position}`, text: 'Analyse this position' }));
  }

  return {
    address,
    /** Shows the puzzle that an address names, or else the puzzle that was last shown. */
    async follow(hash) {
      try {
        if (!puzzles.length) puzzles = await api.puzzles();
      } catch (error) {
        hooks.warn(error);
        return;
      }
      const name = decodeURIComponent(hash.split('/')[1] ?? '');
      const named = puzzles.find((one) => one.name === name);
      if (named && !shown().includes(named)) kind.input.value = known.input.value = '';
      if (!current || (named && named !== current)) show(named ?? puzzles[0]);
      hooks.address(address());
    },
  };
}
