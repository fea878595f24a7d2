// Opens the user's input: pasted text, links, chosen files, and files dropped on the page.

import * as api from './api.js';
import { byId, focusBoard } from './dom.js';
import { blank, fromField, fromRows, isNumber } from './position.js';

/** The maximum sizes, in bytes, of a text or a board file and of a file of games. Of a file of games, a question has only one game. */
const MOST_BYTES = 1_000_000;
const MOST_BYTES_OF_GAMES = 200_000_000;

/** Reads a file for a question: as text, or as bytes if it is not UTF-8. */
async function source(file) {
  const most = /\.jsonl$/i.test(file.name) ? MOST_BYTES_OF_GAMES : MOST_BYTES;
  if (file.size > most) throw new Error(`${file.name} has ${file.size} bytes; at most ${most} are read.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (!bytes.includes(0)) return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The file is not UTF-8.
  }
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return { base64: btoa(letters) };
}

/** Returns the lines of a text with a saved game on each line, or an empty list for any other text. */
function gameLines(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  return /^\{.*\}$/.test(lines[0] ?? '') ? lines : [];
}

/**
 * Sets up the dialog and the dropping of files. Returns the function that opens the dialog.
 * `hooks`: `showBoard()`, `showReplay(replay)`, `listGames(name, lines)`, `warn(error)`.
 */
export function openDialog(desk, hooks) {
  const dialog = byId('open-dialog');
  const error = byId('open-error');

  async function take(wanted, name = 'Pasted games') {
    const games = gameLines(wanted.text ?? '');
    if (games.length > 1) return hooks.listGames(name, games);
    const found = await api.read(wanted);
    if (found.what === 'replay') return hooks.showReplay(found.replay);
    const { width, height, mines } = found;
    const cells = found.rows ? fromRows(found.rows) : blank(width, height);
    if (found.field && !cells.some(isNumber)) desk.newGame({ width, height, mines, firstClick: 'any', cells, field: fromField(found.field) });
    else desk.load({ width, height, mines, firstClick: desk.state?.firstClick ?? 'safe', cells });
    hooks.showBoard();
  }

  const takeFile = async (file) => take(await source(file), file.name);

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
      await (file ? takeFile(file) : take({ text }));
      dialog.close();
      focusBoard();
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
      if (file) await takeFile(file);
      else if (text) await take({ text });
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
