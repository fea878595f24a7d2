// The form for a board: its size and mines, its first-click rule, and the source of its mines. The place Review also uses parts of it.

import { byId, el, focusBoard, remembered } from './dom.js';
import { t } from './texts.js';

/** The most columns and rows of a board. */
const MOST = 200;
/** The game that the page opens with until the user has chosen another. */
const FIRST_GAME = { board: 'beginner', firstClick: 'opening', width: 9, height: 9, mines: 10, level: '' };

/** Returns the settings stored as `key` over FIRST_GAME and `more`. A size that no board has is that of FIRST_GAME. */
export function lastGame(key, more = {}) {
  const last = remembered.read(key, { ...FIRST_GAME, ...more });
  const { width, height, mines } = last;
  const isBoard = width > 0 && height > 0 && width <= MOST && height <= MOST && mines < width * height;
  return isBoard ? last : { ...last, ...FIRST_GAME };
}

const option = (value, text, chosen) => el('option', { value, selected: value === chosen, text });
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const field = (label, input) => el('label', { class: 'field' }, el('span', { text: label }), input);

/** Creates the fields of a board and its rule. `read()` returns width, height, mines and firstClick, or throws a message for the user. */
export function boardFields({ boards, first_clicks: firstClicks, max_cells: maxCells }, { board, firstClick, width, height, mines }) {
  const select = el('select', { name: 'board' }, ...boards.map((known) => option(known.name, `${capital(known.name)} ${known.width}×${known.height}/${known.mines}`, board)), option('custom', t.newGame.own, board));
  const number = (name, value, most) => el('input', { type: 'number', name, min: 1, max: most, value, inputmode: 'numeric', required: true });
  const inputs = { width: number('width', width, MOST), height: number('height', height, MOST), mines: number('mines', mines, maxCells) };
  const own = el('span', { class: 'own' }, field(t.newGame.columns, inputs.width), field(t.newGame.rows, inputs.height), field(t.newGame.mines, inputs.mines));
  const first = el('select', { name: 'first-click' }, ...firstClicks.map((rule) => option(rule, t.newGame.rules[rule] ?? rule, firstClick)));
  const toggle = () => {
    own.hidden = select.value !== 'custom';
    for (const input of Object.values(inputs)) input.disabled = own.hidden;
    const known = boards.find(({ name }) => name === select.value);
    if (known) for (const [name, input] of Object.entries(inputs)) input.value = known[name];
  };
  select.addEventListener('change', toggle);
  toggle();
  return {
    elements: [field(t.newGame.board, select), own, field(t.newGame.first, first)],
    name: () => select.value,
    read() {
      const [w, h, m] = ['width', 'height', 'mines'].map((name) => Number(inputs[name].value));
      if (![w, h, m].every(Number.isInteger) || w < 1 || h < 1 || m < 0) throw new Error(t.newGame.whole);
      if (w * h > maxCells) throw new Error(t.newGame.cells(w * h, maxCells));
      if (m >= w * h) throw new Error(t.newGame.full(m, w, h));
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

/** Sets up the dialog when `asked` is answered. The hook `edit(board)` shows an empty board. Returns a promise of the function that opens it. */
export async function newGameDialog(desk, asked, hooks) {
  const last = lastGame('new-game');
  const newGame = ({ level, editing, ...wanted }) => (editing ? hooks.edit(wanted) : desk.newGame({ ...wanted, noGuess: level !== '', level: level === 'any' ? null : level || null }));
  const board = boardFields(await asked, last);
  const level = choiceField(t.newGame.guesses, 'level', t.newGame.levels, last.level);
  const seed = numberField(t.newGame.seed, 'seed', '', t.newGame.any);
  const number = numberField(t.newGame.game, 'game', '', '0');
  const error = el('p', { class: 'error', role: 'alert' });
  const dialog = byId('new-dialog');
  const fields = el('div', { class: 'fields' }, ...board.elements, level.element, seed.element, number.element);
  const buttons = el('div', { class: 'dialog-buttons' }, el('button', { type: 'button', text: t.frame.cancel, 'data-close': true }), el('button', { type: 'submit', value: 'play', class: 'strong', text: t.newGame.play }), el('button', { type: 'submit', value: 'edit', text: t.newGame.edit }));
  byId('new-fields').replaceChildren(fields, el('p', { class: 'soft', text: t.newGame.same }), error, buttons);
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
  return () => {
    error.textContent = '';
    dialog.showModal();
  };
}
