// Compares the page's WebAssembly with the program: signatures of players, and answers. `src/page/check` runs this script.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const [pipeline, server, games] = process.argv.slice(2);
const page = new URL('../../target/web/', import.meta.url);
const root = new URL('../../', import.meta.url);
// Node 18 does not treat a .js file as an ES module, and thus the text of the file is imported.
const { Engine } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(new URL('src/page/view/engine.js', root), 'utf8'))}`);
const PLAYERS = ['7.0', '11.0-fast', '11.0'];
const SEED = 1;
/** The maximum difference between two numbers: relative to numbers above 1, absolute below. */
const ROUNDING = 1e-12;

let passed = 0;
let failed = 0;

function check(name, found, wanted) {
  if (found === wanted) passed += 1;
  else {
    failed += 1;
    console.log(`FAIL ${name}: ${found}, not ${wanted}`);
  }
}

/** Returns the processor time of this process in milliseconds. */
function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const [, wasm] = /data-wasm="([^"]+)"/.exec(readFileSync(new URL('index.html', page), 'utf8'));
const module = new WebAssembly.Module(readFileSync(new URL(wasm, page)));
const engine = new Engine(module, async (file) => readFileSync(new URL(`models/${file}`, page)), cpuTime);
const lines = (path) => readFileSync(new URL(path, root), 'utf8').trim().split('\n').map((line) => JSON.parse(line));

/**
 * Returns where two answers first differ; null if they are the same. Numbers may differ by rounding, because win probabilities depend on
 * `ln` and `exp` of the system, whose last bits differ between systems. Everything else, and its order, must be equal.
 */
function difference(one, other, at = 'answer') {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), 1) ? null : `${at} is ${one}, not ${other}`;
  }
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') {
    return one === other ? null : `${at} is ${JSON.stringify(one)}, not ${JSON.stringify(other)}`;
  }
  if (String(Object.keys(one)) !== String(Object.keys(other))) return `${at} has ${Object.keys(one)}, not ${Object.keys(other)}`;
  for (const key of Object.keys(one)) {
    const found = difference(one[key], other[key], `${at}.${key}`);
    if (found) return found;
  }
  return null;
}

/** Asks the WebAssembly and the server the same question; their answers must have the same status and contents. */
async function same(title, name, question) {
  const body = JSON.stringify(question);
  const start = performance.now();
  const own = await engine.ask(name, body);
  const took = performance.now() - start;
  const response = await fetch(`${server}api/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const answer = JSON.parse(own.text);
  check(`${title}: status of ${name}`, own.status, response.status);
  check(`${title}: ${name}`, difference(answer, await response.json()), null);
  return { took, answer };
}

async function signatures() {
  // V8 recompiles functions that are called often. The first calls make it do so before the measured ones.
  for (const player of PLAYERS) {
    await engine.ask('bench', JSON.stringify({ player, board: 'expert', games: player === '11.0' ? 30 : 300, seed: SEED }));
    const native = execFileSync(pipeline, ['--quiet', '--seed', String(SEED), 'bench', '--players', player, '--games', games, '--json'], { encoding: 'utf8' });
    for (const row of native.trim().split('\n').map((line) => JSON.parse(line))) {
      const answer = await engine.ask('bench', JSON.stringify({ player, board: row.board, games: row.games, seed: SEED }));
      const own = JSON.parse(answer.text);
      for (const key of ['wins', 'timeouts', 'signature']) check(`${player} on ${row.board}: ${key}`, own[key], row[key]);
      const [speed, share] = [own.games / own.seconds, row.cpu_seconds / own.seconds];
      console.log(`${player} on ${row.board}: ${own.signature}, ${row.games_per_cpu_second.toFixed(0)} games a second native, ${speed.toFixed(0)} in WebAssembly (${(100 * share).toFixed(0)} %)`);
    }
  }
}

async function puzzles() {
  const all = lines('src/page/answers/puzzles.jsonl');
  for (const { name, width, height, mines, rows, first_click } of all) {
    await same(`puzzle ${name}`, 'analyse', { width, height, mines, rows, first_click, players: PLAYERS });
  }
  const own = JSON.parse((await engine.ask('puzzles')).text);
  check('puzzles', difference(own, all), null);
  console.log(`${all.length} puzzles have the same analysis`);
}

async function layouts() {
  const times = [];
  for (const { id, width, height, mines, rows, solutions } of lines('tests/minesweeper/data/layout_counts.jsonl')) {
    const { took, answer } = await same(`position ${id}`, 'analyse', { width: width ?? rows[0].length, height: height ?? rows.length, mines, rows, players: [] });
    check(`layouts of ${id}`, answer.solutions, solutions);
    times.push(took);
  }
  for (const file of readdirSync(new URL('tests/data/positions', root))) {
    const { answer } = await same(file, 'read', { text: readFileSync(new URL(`tests/data/positions/${file}`, root), 'utf8') });
    const { took } = await same(file, 'analyse', answer);
    times.push(took);
  }
  console.log(`${times.length} boards have the same analysis, the slowest in ${Math.max(...times).toFixed(0)} ms`);
}

async function gamesAndBoards() {
  for (const [width, height, mines] of [[9, 9, 10], [16, 16, 40], [30, 16, 99]]) {
    const board = { width, height, mines, first_click: 'opening' };
    const { answer } = await same('a game', 'game', { ...board, seed: 3, game: 7, player: '11.0' });
    await same('a game of a person', 'judge', { ...board, field: answer.field, moves: answer.moves.map(({ cells }) => ({ cells })) });
    await same('a board as others write it', 'write', { width, height, mines, field: answer.field });
    await same('mines', 'deal', { ...board, first: [0, 0], seed: 5, game: 0 });
  }
  await same('a board without a guess', 'deal', { width: 9, height: 9, mines: 10, first_click: 'opening', first: [4, 4], seed: 5, game: 0, no_guess: true });
  await same('a wrong position', 'analyse', { width: 4, height: 2, mines: 3, rows: ['1#11', '1#3#'] });
  await same('a wrong question', 'analyse', { width: 4 });
  console.log('games, judgements, boards and refusals are the same');
}

await signatures();
await puzzles();
await layouts();
await gamesAndBoards();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
