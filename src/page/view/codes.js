// Addresses of games: the board, its mines and its moves as letters of a link.

import { fromField, toIndex } from './position.js';

/** Decodes a part of an address, as far as it can be decoded. */
export const decoded = (text) => new URLSearchParams(`text=${text}`).get('text');

/** Formats mines as base64url, eight cells a byte. */
export function minesText(field) {
  const bytes = new Uint8Array(Math.ceil(field.length / 8));
  field.forEach((mine, index) => mine && (bytes[index >> 3] |= 1 << (index & 7)));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Parses `minesText`. Returns null if the text has another number of cells or mines. */
export function minesOf(text, cells, mines) {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    if (bytes.length !== Math.ceil(cells / 8)) return null;
    const field = Uint8Array.from({ length: cells }, (_, index) => (bytes.charCodeAt(index >> 3) >> (index & 7)) & 1);
    return field.reduce((sum, mine) => sum + mine, 0) === mines ? field : null;
  } catch {
    return null;
  }
}

/** The letters of the moves that don't open a cell each. */
const LETTERS = { chord: 'C', flag: 'F', unflag: 'U' };
export const isFlag = ({ kind }) => kind === 'flag' || kind === 'unflag';

/** Formats moves: their cells and the tenths of a second since the last move, in base 36. A chord begins with the number that was clicked. */
export function movesText(moves) {
  let last = 0;
  return moves
    .map(({ kind, cell, cells, at }) => {
      const tenths = Math.max(0, Math.round((at ?? last / 10) * 10) - last);
      last += tenths;
      const places = kind === 'chord' ? [cell, ...cells] : cells;
      return `${LETTERS[kind] ?? ''}${places.map((index) => index.toString(36)).join('-')}${tenths ? `~${tenths.toString(36)}` : ''}`;
    })
    .join('.');
}

/** Parses `movesText`. The times are null if there are none. Returns null if a cell is off the board. */
export function movesOf(text, cells) {
  let last = 0;
  const moves = text.split('.').map((move) => {
    const [, letter, places, tenths = '0'] = /^([CFU]?)([^~]*)~?(.+)?$/.exec(move);
    last += parseInt(tenths, 36);
    const [cell, ...others] = places.split('-').map((place) => parseInt(place, 36));
    const kind = Object.keys(LETTERS).find((name) => LETTERS[name] === letter) ?? 'open';
    return { kind, cell, cells: kind === 'chord' ? others : [cell, ...others], at: text.includes('~') ? last / 10 : null };
  });
  return moves.every((move) => [move.cell, ...move.cells].every((index) => index >= 0 && index < cells)) && Number.isFinite(last) ? moves : null;
}

/** The letter `n` tells that the board was chosen because it needs no guess. */
const board = ({ width, height, mines, firstClick, field, deal, noGuess = deal?.noGuess }) => `${width}x${height}x${mines}${noGuess ? 'n' : ''}/${firstClick}/${minesText(field)}`;

/** Returns the address of a game to be played: its mines, its first cell or null, and a time to beat or null. */
export const playAddress = (game, first, seconds) => `play/${board(game)}/${first === null ? '' : first.toString(36)}/${seconds ?? ''}`;

/** Returns the address of a game to be reviewed; without a player, the user played it. `moves` have `kind`, `cell`, `cells` and the time `at`. */
export const reviewAddress = (game, moves, player = '') => `review/own/${board(game)}/${movesText(moves)}${player && `/${encodeURIComponent(player)}`}`;

function boardOf(size, rule, text) {
  const [width, height, mines] = /^\d{1,3}x\d{1,3}x\d{1,5}n?$/.test(size ?? '') ? size.split('x').map((part) => parseInt(part, 10)) : [0, 0, 0];
  if (!width || !height || !['safe', 'opening', 'any'].includes(rule) || mines >= width * height) return null;
  const field = minesOf(text ?? '', width * height, mines);
  return field && { width, height, mines, firstClick: rule, field, noGuess: size.endsWith('n') };
}

/** Parses `playAddress`. Returns null for any other text. */
export function playOf(hash) {
  const [, size, rule, text, first = '', seconds = ''] = hash.split('/');
  const game = boardOf(size, rule, text);
  if (!game) return null;
  const cell = parseInt(first, 36);
  return { ...game, first: cell >= 0 && cell < game.field.length ? cell : null, beat: seconds && Number(seconds) > 0 ? Number(seconds) : null };
}

/** Parses `reviewAddress`. Returns null for any other text. */
export function reviewOf(hash) {
  const [, , size, rule, text, moves = '', player = ''] = hash.split('/');
  const game = boardOf(size, rule, text);
  const made = game && movesOf(moves, game.field.length);
  return made && { ...game, moves: made, player: decoded(player) };
}

/** Returns the game of a judged replay in the form that `reviewAddress` takes. */
export function gameOf({ width, height, mines, first_click: firstClick, field, moves }) {
  const made = moves.map(({ kind, cell, cells, seconds }) => ({ kind, cell: toIndex(cell, width), cells: cells.map((one) => toIndex(one, width)), at: seconds }));
  return { width, height, mines, firstClick, field: fromField(field), moves: made };
}
