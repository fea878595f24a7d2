// The chips of the levels, and the game that the page starts with.

import { byId, el, remembered } from './dom.js';
import { t } from './texts.js';

export const BOARDS = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [30, 16, 99] };
const FIRST = { board: 'beginner', noGuess: false };

/** Sets up the chips. `hooks`: `start(game)`, `more()`. Returns the functions `start()` and `show(state)`. */
export function levelChips(hooks) {
  let chosen = remembered.read('level', FIRST);
  const start = (change = {}) => {
    chosen = { ...chosen, ...change };
    if (!(chosen.board in BOARDS)) chosen.board = FIRST.board;
    remembered.write('level', chosen);
    const [width, height, mines] = BOARDS[chosen.board];
    hooks.start({ width, height, mines, firstClick: 'opening', noGuess: chosen.noGuess, level: null });
  };
  const chips = Object.keys(BOARDS).map((board) => el('button', { type: 'button', class: 'chip', 'data-level': board, text: t.play.level[board], on: { click: () => start({ board }) } }));
  const tick = el('input', { type: 'checkbox', id: 'no-guess', on: { change: () => start({ noGuess: tick.checked }) } });
  byId('chips').replaceChildren(...chips, el('button', { type: 'button', class: 'chip', id: 'new', text: t.play.more, on: { click: hooks.more } }), el('label', { class: 'check', title: t.play.noGuessTitle }, tick, t.play.noGuess));
  return {
    start,
    /** Marks the chip of the shown game. */
    show({ width, height, mines, firstClick, deal }) {
      const at = Object.entries(BOARDS).find(([, board]) => board.join() === [width, height, mines].join() && firstClick === 'opening')?.[0];
      for (const chip of chips) chip.setAttribute('aria-pressed', chip.dataset.level === at);
      tick.checked = deal ? deal.noGuess : false;
    },
  };
}
