// Opens the user's input: pasted text, links, chosen files, and files dropped on the page.

import * as api from './api.js';
import { byId } from './dom.js';
import { blank, fromField, fromRows, isNumber } from './position.js';
import { t } from './texts.js';

/** The maximum sizes, in bytes, of a text or a board file and of a file of games. Of a file of games, a question has only one game. */
const MOST_BYTES = 1_000_000;
const MOST_BYTES_OF_GAMES = 200_000_000;

/** Reads a file for a question: as text, or as bytes if it is not UTF-8. */
async function source(file) {
  const most = /\.jsonl$/i.test(file.name) ? MOST_BYTES_OF_GAMES : MOST_BYTES;
  if (file.size > most) throw new Error(t.openDialog.tooLong(file.name, file.size, most));
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (!bytes.includes(0)) return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The file is not UTF-8.
  }
  return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}

/** Returns a promise of the files in a dropped file or folder, sorted by name. */
async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  const next = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  for (let some; (some = await next()).length; ) found.push(...some);
  found.sort((one, other) => one.name.localeCompare(other.name));
  return (await Promise.all(found.map(filesIn))).flat();
}

/** Returns the lines of a text with a saved game on each line, or an empty list for any other text. */
function gameLines(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  return /^\{.*\}$/.test(lines[0] ?? '') ? lines : [];
}

/** Sets up the dialog and the dropping of files. Returns the functions that open the dialog and take files. `hooks` take what is read. */
export function openDialog(desk, hooks) {
  const dialog = byId('open-dialog');
  const error = byId('open-error');

  async function take(wanted, name = t.openDialog.pasted) {
    const own = /^\S+#((?:play|board|review)\/\S+)$/.exec(wanted.text?.trim() ?? '');
    if (own) return hooks.goTo(own[1]);
    const games = gameLines(wanted.text ?? '');
    if (games.length > 1) return hooks.listGames(name, games.map((line) => ({ name, text: line })));
    const found = await api.read(wanted);
    if (found.what === 'replay') return hooks.showReplay(found.replay);
    const { width, height, mines } = found;
    const cells = found.rows ? fromRows(found.rows) : blank(width, height);
    if (found.field && !cells.some(isNumber)) return hooks.playField({ width, height, mines, firstClick: 'any', cells, field: fromField(found.field) });
    desk.load({ width, height, mines, firstClick: desk.state?.firstClick ?? 'safe', cells });
    return hooks.showBoard();
  }

  /** Takes files: one as it is, several as a folder of replays. */
  async function takeFiles(files, name = t.review.folderName) {
    if (files.length === 1) return take(await source(files[0]), files[0].name);
    const sources = [];
    for (const file of files) {
      const wanted = await source(file);
      const games = gameLines(wanted.text ?? '');
      if (games.length > 1) sources.push(...games.map((line) => ({ name: file.name, text: line })));
      else sources.push({ name: file.name, ...wanted });
    }
    return hooks.listGames(name, sources);
  }

  byId('open-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    const files = [...byId('open-file').files];
    const text = byId('open-text').value;
    try {
      if (!files.length && !text.trim()) throw new Error(t.openDialog.nothing);
      await (files.length ? takeFiles(files) : take({ text }));
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
  const attempt = (work) => work.catch(hooks.warn);
  document.addEventListener('drop', (event) => {
    document.body.classList.remove('dropping');
    if (event.target.closest('textarea, input')) return;
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = [...event.dataTransfer.files];
    const text = event.dataTransfer.getData('text/plain');
    if (entries.some(({ isDirectory }) => isDirectory)) attempt(Promise.all(entries.map(filesIn)).then((found) => takeFiles(found.flat())));
    else if (files.length) attempt(takeFiles(files));
    else if (text) attempt(take({ text }));
  });
  document.addEventListener('paste', (event) => {
    if (event.target.closest('input, textarea') || document.querySelector('dialog[open]')) return;
    const text = event.clipboardData.getData('text/plain');
    if (text.trim()) attempt(take({ text }));
  });

  return {
    takeFiles: (files) => attempt(takeFiles(files)),
    open() {
      error.textContent = '';
      byId('open-file').value = '';
      dialog.showModal();
      byId('open-text').select();
    },
  };
}
