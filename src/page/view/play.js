// The Board tab: buttons, counters, palette, board and analysis of the game in `desk.js`.

import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { STEP } from './desk.js';
import { announce, byId, cellName, clock, el, percent, remembered } from './dom.js';
import { COVERED, EXPLODED, FLAG, isNumber, toCell, toField } from './position.js';

/**
 * Sets up the tab. `about` is a promise with the available players. `hooks`: `newGame()`, `open()`, `share()`, `judge(game)`, `warn(error)`,
 * and `moved()` after each change of the position.
 */
export function startBoardTab(desk, about, hooks) {
  const board = new Board(byId('board'), 'Minefield', {
    primary: (index) => (flagMode && !desk.state.editing && !isNumber(desk.state.cells[index]) ? desk.secondary(index) : desk.primary(index)),
    secondary: (index) => desk.secondary(index),
    digit: (index, code) => desk.digit(index, code),
    paint: (index, from) => desk.paint(index, from),
  });
  const analysis = new Analysis(byId('analysis'), about, {
    answered: draw,
    highlight: (groups) => board.highlight(groups),
    goTo: (index) => board.goTo(index),
  });
  let chances = remembered.read('chances', true);
  let flagMode = false;
  let lastOver = null;

  function draw() {
    const { cells, over } = desk.state;
    board.resize(desk.state.width, desk.state.height);
    board.draw(cells, chances && !over && !dealtLater(desk.state) ? analysis.shares : null, over ? new Map() : analysis.marks);
  }

  function changed() {
    const { state } = desk;
    if (analysis.shares && analysis.shares.length !== state.cells.length) analysis.shares = null;
    analysis.marks = new Map();
    board.highlight({});
    if (state.over) analysis.say(endOfGame(desk, analysis, hooks));
    else if (!chances) analysis.say(el('p', { class: 'soft', text: 'Chances are off. Press Chances, or H, to see how likely each cell is a mine and what players would do.' }));
    else analysis.ask(state);
    draw();
    byId('mines-left').textContent = desk.minesLeft;
    byId('time').textContent = clock(desk.seconds);
    byId('outcome').textContent = state.over === 'won' ? 'Won' : state.over === 'lost' ? 'Lost' : state.editing ? 'Editing' : '';
    byId('outcome').dataset.kind = state.over ?? '';
    byId('undo').disabled = !desk.canUndo;
    byId('redo').disabled = !desk.canRedo;
    press('edit', state.editing);
    byId('edit').disabled = state.editing && !desk.canPlay;
    byId('edit').title = byId('edit').disabled ? 'Nobody knows where the mines are here, so it can only be edited' : 'Set numbers yourself (E)';
    byId('palette').hidden = !state.editing;
    byId('board').classList.toggle('editing', state.editing);
    drawPalette(desk);
    byId('board-line').textContent = describe(state);
    if (state.over && state.over !== lastOver) announce(state.over === 'won' ? 'Won' : 'Lost');
    lastOver = state.over;
    hooks.moved();
  }

  const setChances = (wanted) => {
    chances = wanted;
    remembered.write('chances', wanted);
    press('chances', wanted);
    changed();
  };
  const setFlagMode = (wanted) => {
    flagMode = wanted;
    press('flag-mode', wanted);
  };
  const listeners = {
    new: hooks.newGame,
    undo: () => desk.undo(),
    redo: () => desk.redo(),
    edit: () => desk.edit(!desk.state.editing),
    chances: () => setChances(!chances),
    'flag-mode': () => setFlagMode(!flagMode),
    open: hooks.open,
    share: hooks.share,
    smaller: () => zoom(-1),
    larger: () => zoom(1),
  };
  for (const [id, listener] of Object.entries(listeners)) byId(id).addEventListener('click', listener);
  press('chances', chances);
  zoom(0);
  setInterval(() => desk.state && (byId('time').textContent = clock(desk.seconds)), 1000);
  desk.addEventListener('change', changed);
  desk.addEventListener('dealing', () => byId('analysis').setAttribute('aria-busy', 'true'));
  desk.addEventListener('refusal', (event) => {
    byId('analysis').setAttribute('aria-busy', 'false');
    hooks.warn(event.detail);
  });
  document.addEventListener('keydown', (event) => {
    if (byId('tab-board').hidden || document.querySelector('dialog[open]') || event.target.closest('input, textarea, select') || event.altKey) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const acts = command
      ? { z: () => (event.shiftKey ? desk.redo() : desk.undo()), y: () => desk.redo() }
      : { n: hooks.newGame, e: () => desk.edit(!desk.state.editing), h: () => setChances(!chances) };
    if (!(key in acts)) return;
    event.preventDefault();
    acts[key]();
  });
}

/** Whether the mines are dealt after the first click, which is then safe on every cell. Probabilities are hidden until then. */
const dealtLater = ({ cells, firstClick, deal }) => deal !== null && firstClick !== 'any' && !cells.some(isNumber);

const press = (id, pressed) => byId(id).setAttribute('aria-pressed', pressed);

const ZOOMS = [0.6, 0.8, 1, 1.25, 1.5, 2];

function zoom(step) {
  const at = Math.min(ZOOMS.length - 1, Math.max(0, remembered.read('zoom', 2) + step));
  remembered.write('zoom', at);
  byId('board').style.setProperty('--zoom', ZOOMS[at]);
  byId('smaller').disabled = at === 0;
  byId('larger').disabled = at === ZOOMS.length - 1;
}

/** Draws the palette of an edited position, and its number of mines. */
function drawPalette(desk) {
  const palette = byId('palette');
  if (!palette.childElementCount) {
    const tools = [[STEP, 'Step', 'Each click sets the next number'], [COVERED, '', 'Covered'], [FLAG, '', 'Flag'], ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((code) => [code, String(code), `Number ${code}`])];
    for (const [code, text, title] of tools) {
      const button = el('button', { type: 'button', class: `tool t-${code}`, title, 'aria-label': title, 'data-tool': code, text });
      button.addEventListener('click', () => {
        desk.tool = code;
        drawPalette(desk);
      });
      palette.append(button);
    }
    const mines = el('input', { type: 'number', id: 'edit-mines', min: 0, inputmode: 'numeric' });
    mines.addEventListener('change', () => {
      const wanted = Math.round(Number(mines.value));
      if (Number.isFinite(wanted) && wanted >= 0 && wanted <= desk.state.cells.length) desk.setMines(wanted);
      else mines.value = desk.state.mines;
    });
    palette.append(el('label', { class: 'edit-mines' }, 'Mines ', mines), el('button', { type: 'button', text: 'Cover all', on: { click: () => desk.cover() } }));
  }
  for (const button of palette.querySelectorAll('[data-tool]')) button.setAttribute('aria-pressed', button.dataset.tool === String(desk.tool));
  const mines = byId('edit-mines');
  if (document.activeElement !== mines || !palette.hidden) mines.value = desk.state.mines;
}

/** Describes the board in one line: its size, its rule, and the source of its mines. */
function describe({ width, height, mines, firstClick, deal, field, editing }) {
  const parts = [`${width}×${height}, ${mines} mines (${((mines / (width * height)) * 100).toFixed(1)} %)`];
  parts.push({ safe: 'the first click is safe', opening: 'the first click opens a 0', any: 'the first click may be a mine' }[firstClick]);
  if (deal && !editing) {
    parts.push(`seed ${deal.seed}, game ${deal.found?.game ?? deal.game}`);
    if (deal.noGuess) parts.push(`no guess needed${deal.found?.level ? ` (${deal.found.level})` : ''}`);
  } else if (field === null) {
    parts.push('the mines are not known');
  }
  return `${parts.join(' · ')}.`;
}

function endOfGame(desk, analysis, hooks) {
  const { state } = desk;
  const won = state.over === 'won';
  const hit = state.cells.indexOf(EXPLODED);
  const share = hit >= 0 ? analysis.shares?.[hit] : null;
  const sentence = won
    ? `In ${clock(desk.seconds)}, ${state.moves.length} moves.`
    : `${cellName(toCell(hit, state.width))} was a mine${typeof share === 'number' ? `, as it is in ${percent(share)} of 100 such cases` : ''}.`;
  const judge = () =>
    hooks.judge({ width: state.width, height: state.height, mines: state.mines, first_click: state.firstClick, field: toField(state.field, state.width), moves: state.moves });
  return el(
    'div',
    { class: `verdict end ${won ? 'good' : 'wrong'}` },
    el('div', {}, el('h2', { text: won ? 'You won' : 'You lost' }), el('p', { text: sentence }),
      el('p', { class: 'actions' },
        el('button', { type: 'button', class: 'strong', id: 'judge', text: 'Judge my game', on: { click: judge } }),
        el('button', { type: 'button', text: 'New game', on: { click: hooks.newGame } }),
        won ? '' : el('button', { type: 'button', text: 'Take it back', on: { click: () => desk.undo() } }))),
  );
}
