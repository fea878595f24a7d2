// Answers requests in a separate thread, one at a time; see workers.js.

import { Engine } from './engine.js';

let engine = null;

/** Downloads an artifact from the folder `models` beside the folder of this file. */
async function load(file) {
  postMessage({ loads: true });
  const response = await fetch(new URL(`../models/${file}`, import.meta.url));
  if (!response.ok) throw new Error(`${file} answers ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  postMessage({ loads: false });
  return bytes;
}

addEventListener('message', async ({ data: { module, name, body } }) => {
  if (module) return void (engine = new Engine(module, load));
  try {
    postMessage(await engine.ask(name, body));
  } catch (error) {
    // A download failed, or the program crashed. After a crash, this worker can't answer any more.
    postMessage({ failed: error.message, ended: error instanceof WebAssembly.RuntimeError });
  }
});
