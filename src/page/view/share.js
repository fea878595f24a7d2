// Shares a position, in the formats of other programs and as a link to this page.

import * as api from './api.js';
import { byId, el } from './dom.js';
import { toAddress, toField, toRows } from './position.js';

function copyButton(text) {
  const button = el('button', { type: 'button', text: 'Copy' });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Mark it and copy by hand';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  return button;
}

/** Creates a button that saves bytes in a file of this name. */
function saveButton(text, name, bytes) {
  return el('button', {
    type: 'button',
    text,
    on: {
      click: () => {
        const address = URL.createObjectURL(new Blob([bytes]));
        el('a', { href: address, download: name }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
      },
    },
  });
}

const line = (label, value) => el('div', { class: 'share-line' }, el('label', {}, el('span', { text: label }), el('input', { type: 'text', readonly: true, value })), copyButton(value));

/** Sets up the dialog. Returns the function that opens it. */
export function shareDialog(desk) {
  const dialog = byId('share-dialog');
  const body = byId('share-body');

  return async () => {
    const { state } = desk;
    const { width, height, mines, cells, field } = state;
    const here = line('A link to this page', new URL(`#board/${toAddress(state)}`, location.href).href);
    const withMines = el('input', { type: 'checkbox' });
    // The mines of an unfinished game stay hidden.
    withMines.checked = state.over !== null;
    const formats = el('div', { 'aria-live': 'polite' });
    const choice = field ? el('label', { class: 'check' }, withMines, 'with the mines of this game') : '';

    const fill = async () => {
      try {
        const rows = toRows(cells, width);
        const made = await api.write({ width, height, mines, rows, ...(withMines.checked && field ? { field: toField(field, width) } : {}) });
        const bytes = made.mbf ? Uint8Array.from(atob(made.mbf), (letter) => letter.charCodeAt(0)) : null;
        formats.replaceChildren(
          ...made.links.map(({ name, url }) => el('div', { class: 'share-open' }, line(name, url), el('a', { href: url, target: '_blank', rel: 'noreferrer noopener', text: 'Open' }))),
          el('label', { class: 'share-text' }, el('span', { text: made.mine ? 'As .mine text' : 'As text' }), el('textarea', { rows: Math.min(12, height + 2), readonly: true, spellcheck: 'false', text: made.mine ?? made.text })),
          el('p', { class: 'actions' }, copyButton(made.mine ?? made.text), made.mine ? saveButton('Save .mine', 'board.mine', made.mine) : '', bytes ? saveButton('Save .mbf', 'board.mbf', bytes) : ''),
          ...made.notes.map((note) => el('p', { class: 'soft', text: note })),
        );
      } catch (error) {
        formats.replaceChildren(el('p', { class: 'error', text: error.message }));
      }
    };
    withMines.addEventListener('change', fill);
    body.replaceChildren(here, choice, formats);
    dialog.showModal();
    await fill();
  };
}
