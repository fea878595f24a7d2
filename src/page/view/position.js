// Positions and the rules of the game. This module draws nothing and doesn't ask the server.

export const COVERED = -1;
export const FLAG = -2;
/** The codes of cells at the end of a lost game: the mine that was opened, all other mines, and a flag without a mine. */
export const EXPLODED = 9;
export const MINE = 10;
export const WRONG_FLAG = 11;

const neighbourTables = new Map();

/** Returns the neighbours of each cell. */
export function neighbours(width, height) {
  const key = `${width}x${height}`;
  const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => [row, column])).filter(([row, column]) => row || column);
  const isOn = ([row, column]) => row >= 0 && row < height && column >= 0 && column < width;
  const near = ([row, column]) => around.map(([r, c]) => [row + r, column + c]).filter(isOn).map((cell) => toIndex(cell, width));
  if (!neighbourTables.has(key)) neighbourTables.set(key, Array.from({ length: width * height }, (_, index) => near(toCell(index, width))));
  return neighbourTables.get(key);
}

export const isCovered = (code) => code === COVERED || code === FLAG;
export const isNumber = (code) => code >= 0 && code <= 8;
export const toCell = (index, width) => [Math.floor(index / width), index % width];
export const toIndex = ([row, column], width) => row * width + column;

/** Returns a board of covered cells. */
export const blank = (width, height) => new Int8Array(width * height).fill(COVERED);

/** Parses cells from rows of `#`, `F` and digits. */
export function fromRows(rows) {
  const cells = [];
  for (const row of rows) for (const letter of row) cells.push(letter === 'F' ? FLAG : letter >= '0' && letter <= '8' ? Number(letter) : COVERED);
  return Int8Array.from(cells);
}

const rowsOf = (cells, width, letter) => Array.from({ length: cells.length / width }, (_, row) => Array.from(cells.slice(row * width, (row + 1) * width), letter).join(''));

/** Formats cells as rows of `#`, `F` and digits. Mines that are shown count as covered. */
export const toRows = (cells, width) => rowsOf(cells, width, (code) => (isNumber(code) ? code : code === FLAG || code === WRONG_FLAG ? 'F' : '#'));

/** Parses rows of `*` and `.`. The result is 1 for each mine and 0 for each safe cell. */
export const fromField = (rows) => Uint8Array.from([...rows.join('')], (letter) => (letter === '*' ? 1 : 0));

export const toField = (mines, width) => rowsOf(mines, width, (mine) => (mine ? '*' : '.'));

/** Opens covered cells on the true mines, and the neighbours of each 0, in place. Returns the mine that was hit, or -1. */
export function open(cells, mines, width, targets) {
  const near = neighbours(width, cells.length / width);
  const waiting = [...targets];
  let hit = -1;
  while (waiting.length) {
    const index = waiting.pop();
    if (!isCovered(cells[index])) continue;
    if (mines[index]) {
      cells[index] = EXPLODED;
      hit = index;
      continue;
    }
    let count = 0;
    for (const other of near[index]) count += mines[other];
    cells[index] = count;
    if (count === 0) waiting.push(...near[index]);
  }
  return hit;
}

/** Returns the cells that a chord on a number opens: its neighbours without a flag, if as many flags are around it as it shows. */
export function chord(cells, width, index) {
  const near = neighbours(width, cells.length / width)[index];
  if (!isNumber(cells[index])) return [];
  const flags = near.filter((other) => cells[other] === FLAG).length;
  return flags === cells[index] ? near.filter((other) => cells[other] === COVERED) : [];
}

export const count = (cells, code) => cells.reduce((sum, other) => sum + (other === code ? 1 : 0), 0);

/** Returns whether only mines are covered. */
export const isWon = (cells, mineCount) => cells.reduce((sum, code) => sum + (isNumber(code) ? 0 : 1), 0) === mineCount && !cells.includes(EXPLODED);

/** Shows the positions of the mines, in place. */
export function reveal(cells, mines) {
  for (let index = 0; index < cells.length; index++) {
    if (mines[index] && cells[index] === COVERED) cells[index] = MINE;
    if (!mines[index] && cells[index] === FLAG) cells[index] = WRONG_FLAG;
  }
}

const LETTERS = { [COVERED]: 'H', [FLAG]: 'F' };

/** Returns whether the board of a position needs no guess, so that there is no chance to win. */
export const isNoGuess = ({ noGuess = false, deal }) => noGuess || Boolean(deal?.noGuess);

/** Formats a position as a part of an address, such as `30x16x99/safe/480H`: runs of `H` (covered), `F` (flag), `a` to `i` (0 to 8). */
export function toAddress({ width, height, mines, firstClick, cells, ...more }) {
  const letters = Array.from(cells, (code) => (isNumber(code) ? 'abcdefghi'[code] : (LETTERS[code] ?? 'H'))).join('');
  const runs = letters.replace(/(.)\1+/g, (run, letter) => `${run.length}${letter}`);
  return `${width}x${height}x${mines}${isNoGuess(more) ? 'n' : ''}/${firstClick}/${runs}`;
}

/** Parses the position in an address. Returns null if it has none. */
export function fromAddress(text) {
  const parts = /^(\d{1,5})x(\d{1,5})x(\d{1,5})(n?)\/(safe|opening|any)\/((?:\d{0,5}[HFa-i])+)$/.exec(text);
  if (!parts) return null;
  const [width, height, mines] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const cells = [];
  for (const [, times, letter] of parts[6].matchAll(/(\d*)([HFa-i])/g)) {
    const code = letter === 'H' ? COVERED : letter === 'F' ? FLAG : letter.charCodeAt(0) - 97;
    const run = times === '' ? 1 : Number(times);
    if (cells.length + run > width * height) return null;
    for (let step = 0; step < run; step++) cells.push(code);
  }
  if (cells.length !== width * height || width < 1 || mines > width * height) return null;
  return { width, height, mines, firstClick: parts[5], cells: Int8Array.from(cells), noGuess: parts[4] !== '' };
}
