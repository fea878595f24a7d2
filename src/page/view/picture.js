// A picture of a position, as a PNG file.

import { EXPLODED, FLAG, MINE, WRONG_FLAG, isNumber } from './position.js';

const CELL = 32;
const EDGE = 16;
const FOOT = 36;

/** Draws a position in the colours of the page, with a line of text below. Returns a promise of the file. */
export function picture({ width, height, cells }, words) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const canvas = Object.assign(document.createElement('canvas'), { width: width * CELL + 2 * EDGE, height: height * CELL + 2 * EDGE + FOOT });
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour('--paper');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  cells.forEach((code, index) => {
    const [x, y] = [EDGE + (index % width) * CELL, EDGE + Math.floor(index / width) * CELL];
    pen.fillStyle = code === EXPLODED ? '#e8842c' : colour(isNumber(code) ? '--opened' : '--covered');
    pen.fillRect(x + 1, y + 1, CELL - 2, CELL - 2);
    if (code > 0 && code <= 8) write(pen, String(code), colour(`--n${code}`), x, y);
    if (code === FLAG || code === WRONG_FLAG) flag(pen, x, y, colour('--ink'));
    if (code === MINE || code === EXPLODED) mine(pen, x, y);
  });
  pen.textAlign = 'left';
  pen.font = '600 15px system-ui, sans-serif';
  pen.fillStyle = colour('--ink');
  pen.fillText(words ?? 'mineflow', EDGE, canvas.height - FOOT / 2 - 4, canvas.width - 2 * EDGE);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function write(pen, text, colour, x, y) {
  pen.fillStyle = colour;
  pen.font = `700 ${CELL * 0.6}px system-ui, sans-serif`;
  pen.fillText(text, x + CELL / 2, y + CELL / 2 + 1);
}

/** Fills a shape: the points of a polygon, in cells. */
function fill(pen, colour, x, y, points) {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [right, down] of points) pen.lineTo(x + right * CELL, y + down * CELL);
  pen.fill();
}

function flag(pen, x, y, ink) {
  fill(pen, ink, x, y, [[0.35, 0.2], [0.41, 0.2], [0.41, 0.82], [0.35, 0.82]]);
  fill(pen, '#b3361b', x, y, [[0.41, 0.2], [0.8, 0.37], [0.41, 0.54]]);
}

const mine = (pen, x, y) => fill(pen, '#16181b', x, y, [[0.5, 0.2], [0.71, 0.29], [0.8, 0.5], [0.71, 0.71], [0.5, 0.8], [0.29, 0.71], [0.2, 0.5], [0.29, 0.29]]);
