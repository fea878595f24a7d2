// Shares a game, a position or a judged game: as a link, a picture, a text, and in the formats of other programs.

import * as api from './api.js';
import { gameOf, playAddress } from './codes.js';
import { byId, clock, el } from './dom.js';
import { bvOf } from './facts.js';
import { picture } from './picture.js';
import { isNumber, toAddress, toField, toRows } from './position.js';
import { t } from './texts.js';

function copyButton(text) {
  const button = el('button', { type: 'button', text: t.frame.copy });
  button.addEventListener('click', async () => {
    const copied = (async () => navigator.clipboard.writeText(text))();
    button.textContent = await copied.then(() => t.frame.copied, () => t.frame.byHand);
    setTimeout(() => (button.textContent = t.frame.copy), 2000);
  });
  return button;
}

/** Saves bytes in a file of this name. */
function save(name, bytes) {
  const address = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes]));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const saveButton = (text, name, bytes) => el('button', { type: 'button', text, on: { click: () => save(name, bytes) } });
const line = (label, value) => el('div', { class: 'share-line' }, el('label', {}, el('span', { text: label }), el('input', { type: 'text', readonly: true, value })), copyButton(value));
const link = (hash) => new URL(`#${hash}`, location.href).href;

/** Creates the links of a game or position on the desk. */
function deskLinks({ state, seconds }) {
  const lines = [];
  if (state.field) {
    const first = state.moves[0]?.cells[0] ?? null;
    const isFirstSafe = first !== null && !state.field[first];
    lines.push(line(t.shareDialog.game, link(playAddress(state, isFirstSafe ? first : null, state.over === 'won' ? Math.round(seconds * 10) / 10 : null))), el('p', { class: 'soft', text: t.shareDialog.gameWarn }));
  }
  if (state.cells.some(isNumber) || !state.field) lines.push(line(t.shareDialog.position, link(`board/${toAddress(state)}`)));
  return lines;
}

/** Returns a line of text about a game that has ended. */
function summary({ state, seconds }) {
  if (!state.over) return null;
  const time = clock(seconds);
  const result = state.over === 'won' ? t.shareDialog.won(time, bvOf(state.field, state.width)) : t.shareDialog.lost(time);
  return t.shareDialog.line(`${state.width}×${state.height}/${state.mines}`, result);
}

/** Sets up the dialog. Returns the function that opens it, for `{ desk }` or `{ replay }`. */
export function shareDialog() {
  const dialog = byId('share-dialog');
  const body = byId('share-body');

  return async ({ desk, replay }) => {
    if (replay === null) return byId('open').click();
    if (replay) {
      body.replaceChildren(line(t.shareDialog.judged, link(replay.address)), line(t.shareDialog.game, link(playAddress(gameOf(replay), null, null))));
      return dialog.showModal();
    }
    const { state } = desk;
    const { width, height, mines, cells, field } = state;
    const words = summary(desk);
    const withMines = el('input', { type: 'checkbox' });
    // The mines of an unfinished game stay hidden.
    withMines.checked = state.over !== null;
    const formats = el('div', { 'aria-live': 'polite' });
    const choice = field ? el('label', { class: 'check' }, withMines, t.shareDialog.withMines) : '';
    const draw = el('button', { type: 'button', text: t.shareDialog.picture, on: { click: async () => save('mineflow.png', await picture(state, words)) } });

    const fill = async () => {
      try {
        const rows = toRows(cells, width);
        const made = await api.write({ width, height, mines, rows, ...(withMines.checked && field ? { field: toField(field, width) } : {}) });
        const bytes = made.mbf ? Uint8Array.from(atob(made.mbf), (letter) => letter.charCodeAt(0)) : null;
        formats.replaceChildren(
          ...made.links.map(({ name, url }) => el('div', { class: 'share-open' }, line(name, url), el('a', { href: url, target: '_blank', rel: 'noreferrer noopener', text: t.shareDialog.open }))),
          el('label', { class: 'share-text' }, el('span', { text: made.mine ? t.shareDialog.asMine : t.shareDialog.asText }), el('textarea', { rows: Math.min(8, height + 2), readonly: true, spellcheck: 'false', text: made.mine ?? made.text })),
          el('p', { class: 'actions' }, copyButton(made.mine ?? made.text), made.mine ? saveButton(t.shareDialog.saveMine, 'board.mine', made.mine) : '', bytes ? saveButton(t.shareDialog.saveMbf, 'board.mbf', bytes) : ''),
          ...(field && !withMines.checked ? made.notes.with(-1, t.shareDialog.tick) : made.notes).map((note) => el('p', { class: 'soft', text: note })),
        );
      } catch (error) {
        formats.replaceChildren(el('p', { class: 'error', text: error.message }));
      }
    };
    withMines.addEventListener('change', fill);
    body.replaceChildren(...deskLinks(desk), words ? line(t.shareDialog.asText, words) : '', el('p', { class: 'actions' }, draw), el('h3', { text: t.shareDialog.more }), choice, formats);
    dialog.showModal();
    return fill();
  };
}
