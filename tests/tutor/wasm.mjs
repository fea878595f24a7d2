// Times roll-outs of the page's WebAssembly. Reads questions as JSON Lines, and writes milliseconds of processor time and answers; `measure.py` runs this script.

import { readFileSync } from 'node:fs';

const page = new URL('../../target/web/', import.meta.url);
const code = readFileSync(new URL('../../src/page/view/engine.js', import.meta.url), 'utf8');
const { Engine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const [, wasm] = /data-wasm="([^"]+)"/.exec(readFileSync(new URL('index.html', page), 'utf8'));
// The limit of three seconds counts processor time, so that other work on the machine changes nothing.
const cpuTime = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
const engine = new Engine(new WebAssembly.Module(readFileSync(new URL(wasm, page))), async (file) => readFileSync(new URL(`models/${file}`, page)), cpuTime);
const questions = readFileSync(0, 'utf8').trim().split('\n');
// The first answer loads the models and compiles the code.
await engine.ask('analyse', questions[0]);
for (const question of questions) {
  const start = cpuTime();
  const { text } = await engine.ask('analyse', question);
  console.log(JSON.stringify({ took: cpuTime() - start, answer: JSON.parse(text) }));
}
