// The form for a board: its size and mines, its first-click rule, and the source of its mines. The Games tab also uses parts of it.

import { byId, el, focusBoard, remembered } from './dom.js';

/** The most columns and rows of a board. */
const MOST = 200;
const RULES = { safe: 'is safe', opening: 'opens a 0', any: 'may be a mine' };
/** The game that the page opens with until the user has chosen another. */
const FIRST_GAME = { board: 'expert', firstClick: 'safe', width: 30, height: 16, mines: 99, level: '' };

/** Returns the settings stored as `key` over FIRST_GAME and `more`. A size that no board has is that of FIRST_GAME. */
export function lastGame(key, more = {}) {
  const last = remembered.read(key, { ...FIRST_GAME, ...more });
  const { width, height, mines } = last;
  const isBoard = width > 0 && height > 0 && width <= MOST && height <= MOST && mines < width * height;
  return isBoard ? last : { ...last, ...FIRST_GAME };
}

const LEVELS = [['', 'may need guesses'], ['any', 'needs no guess'], ['single-numbers', 'no guess: single numbers are enough'], ['pairs', 'no guess: pairs of numbers are needed'], ['whole-count', 'no guess: the whole count is needed']];

const option = (value, text, chosen) => el('option', { value, selected: value === chosen, text });
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const field = (label, input) => el('label', { class: 'field' }, el('span', { text: label }), input);

/** Creates the fields of a board and its rule. `read()` returns width, height, mines and firstClick, or throws a message for the user. */
export function boardFields({ boards, first_clicks: firstClicks, max_cells: maxCells }, { board, firstClick, width, height, mines }) {
  const select = el('select', { name: 'board' }, ...boards.map((known) => option(known.name, `${capital(known.name)} ${known.width}×${known.height}/${known.mines}`, board)), option('custom', 'Your own', board));
  const number = (name, value, most) => el('input', { type: 'number', name, min: 1, max: most, value, inputmode: 'numeric', required: true });
  const inputs = { width: number('width', width, MOST), height: number('height', height, MOST), mines: number('mines', mines, maxCells) };
  const own = el('span', { class: 'own' }, field('Columns', inputs.width), field('Rows', inputs.height), field('Mines', inputs.mines));
  const first = el('select', { name: 'first-click' }, ...firstClicks.map((rule) => option(rule, RULES[rule] ?? rule, firstClick)));
  const toggle = () => {
    own.hidden = select.value !== 'custom';
    for (const input of Object.values(inputs)) input.disabled = own.hidden;
    const known = boards.find(({ name }) => name === select.value);
    if (known) for (const [name, input] of Object.entries(inputs)) input.value = known[name];
  };
  select.addEventListener('change', toggle);
  toggle();
  return {
    elements: [field('Board', select), own, field('The first click', first)],
    name: () => select.value,
    read() {
      const [w, h, m] = ['width', 'height', 'mines'].map((name) => Number(inputs[name].value));
      if (![w, h, m].every(Number.isInteger) || w < 1 || h < 1 || m < 0) throw new Error('Columns, rows and mines are whole numbers.');
      if (w * h > maxCells) throw new Error(`The board has ${w * h} cells; this server takes at most ${maxCells}.`);
      if (m >= w * h) throw new Error(`${m} mines leave no cell free on ${w}×${h}.`);
      return { width: w, height: h, mines: m, firstClick: first.value };
    },
    set(position) {
      const known = boards.find((other) => ['width', 'height', 'mines'].every((name) => other[name] === position[name]));
      select.value = known?.name ?? 'custom';
      toggle();
      for (const [name, input] of Object.entries(inputs)) input.value = position[name];
      first.value = position.firstClick;
    },
  };
}

/** Creates a field for a whole number. Its value is null if it is empty. */
export function numberField(label, name, value = '', placeholder = '') {
  const input = el('input', { type: 'number', name, min: 0, step: 1, value, placeholder, inputmode: 'numeric' });
  return { element: field(label, input), input, read: () => (input.value === '' ? null : Math.max(0, Math.round(Number(input.value)))) };
}

/** Creates a field for a choice among pairs `[value, text]`. */
export function choiceField(label, name, choices, chosen) {
  const input = el('select', { name }, ...choices.map(([value, text]) => option(value, text, chosen)));
  return { element: field(label, input), input, read: () => input.value };
}

/** Sets up the dialog with the answer of the promise `asked`. `show()` opens it; `start()` starts the game that was last chosen. */
export function newGameDialog(desk, asked) {
  const last = lastGame('new-game');
  const newGame = ({ level, ...wanted }) => desk.newGame({ ...wanted, noGuess: level !== '', level: level === 'any' ? null : level || null });
  const dialog = asked.then((about) => fillDialog(about, last, newGame));
  return { show: () => dialog.then((show) => show()), start: () => newGame(last) };
}

/** Creates the fields of the dialog. Returns the function that opens it. */
function fillDialog(about, last, newGame) {
  const board = boardFields(about, last);
  const level = choiceField('Guesses', 'level', LEVELS, last.level);
  const seed = numberField('Seed', 'seed', '', 'any');
  const number = numberField('Game', 'game', '', '0');
  const error = el('p', { class: 'error', role: 'alert' });
  const dialog = byId('new-dialog');
  byId('new-fields').replaceChildren(
    el('div', { class: 'fields' }, ...board.elements, level.element, seed.element, number.element),
    el('p', { class: 'soft', text: 'The same seed, game and first click give the same mines.' }),
    error,
    el(
      'div',
      { class: 'dialog-buttons' },
      el('button', { type: 'button', text: 'Cancel', 'data-close': true }),
      el('button', { type: 'submit', value: 'edit', text: 'Empty board to edit' }),
      el('button', { type: 'submit', value: 'play', class: 'strong', text: 'Play' }),
    ),
  );
  const start = (editing) => {
    const wanted = board.read();
    const game = { ...wanted, board: board.name(), level: level.read() };
    remembered.write('new-game', game);
    newGame({ ...game, seed: seed.read() ?? undefined, game: number.read() ?? 0, editing });
  };
  byId('new-form').addEventListener('submit', (event) => {
    event.preventDefault();
    try {
      start(event.submitter?.value === 'edit');
      dialog.close();
      focusBoard();
    } catch (problem) {
      error.textContent = problem.message;
    }
  });
  // Enter in a field presses the last button, not the first.
  byId('new-form').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target.matches('input')) {
      event.preventDefault();
      byId('new-form').requestSubmit(byId('new-form').querySelector('[value=play]'));
    }
  });
  return () => {
    error.textContent = '';
    dialog.showModal();
  };
}
