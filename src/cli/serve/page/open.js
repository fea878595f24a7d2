// Opens what people bring: pasted text, links, files, files dropped on the page.

import * as api from './api.js';
import { byId } from './dom.js';
import { fromField, fromRows } from './position.js';

const MOST_BYTES = 1_000_000;

/** What is sent to the server for a file: bytes for .mbf, text else. */
async function source(file) {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} has ${file.size} bytes; at most ${MOST_BYTES} are read.`);
  if (!/\.mbf$/i.test(file.name)) return { text: await file.text() };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return { base64: btoa(letters) };
}

/**
 * Sets the dialog and dropping up; returns what opens the dialog. `hooks`: `showBoard()`, `showReplay(replay)`, `warn(error)`.
 */
export function openDialog(desk, hooks) {
  const dialog = byId('open-dialog');
  const error = byId('open-error');

  async function take(wanted) {
    const found = await api.read(wanted);
    if (found.what === 'replay') return hooks.showReplay(found.replay);
    const { width, height, mines } = found;
    const firstClick = desk.state?.firstClick ?? 'safe';
    if (found.what === 'field') desk.newGame({ width, height, mines, firstClick: 'any', field: fromField(found.field) });
    else desk.load({ width, height, mines, firstClick, cells: fromRows(found.rows) });
    hooks.showBoard();
  }

  byId('open-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    const file = byId('open-file').files[0];
    const text = byId('open-text').value;
    if (!file && !text.trim()) {
      error.textContent = 'Paste something, or choose a file.';
      return;
    }
    try {
      await take(file ? await source(file) : { text });
      dialog.close();
    } catch (problem) {
      error.textContent = problem.message;
    }
  });

  document.addEventListener('dragover', (event) => {
    if (![...event.dataTransfer.types].some((type) => type === 'Files' || type === 'text/plain')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => event.relatedTarget || document.body.classList.remove('dropping'));
  document.addEventListener('drop', async (event) => {
    document.body.classList.remove('dropping');
    if (event.target.closest('textarea, input')) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const text = event.dataTransfer.getData('text/plain');
    try {
      if (file || text) await take(file ? await source(file) : { text });
    } catch (problem) {
      hooks.warn(problem);
    }
  });
  document.addEventListener('paste', async (event) => {
    if (event.target.closest('input, textarea') || document.querySelector('dialog[open]')) return;
    const text = event.clipboardData.getData('text/plain');
    if (!text.trim()) return;
    try {
      await take({ text });
    } catch (problem) {
      hooks.warn(problem);
    }
  });

  return () => {
    error.textContent = '';
    byId('open-file').value = '';
    dialog.showModal();
    byId('open-text').select();
  };
}
