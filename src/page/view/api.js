// The requests of the page to the server or to its own workers. Each request has a function.

import { t } from './texts.js';
import { Workers } from './workers.js';

/** A refusal to answer. `message` is a sentence for the user, and `cells` are the cells that cause the refusal. */
export class Refusal extends Error {
  constructor(message, cells = [], status = 0) {
    super(message);
    this.cells = cells;
    this.status = status;
  }
}

/** The address of the WebAssembly, which src/page/build writes into index.html for a page without a server. */
const wasm = document.documentElement.dataset.wasm;
/** Whether a server answers the requests. Only a server has runs, folders and a list of models. */
export const hasServer = wasm === undefined;

/** The requests that wait for an answer, and whether a model is being downloaded. Dispatches `change`. */
export const work = Object.assign(new EventTarget(), { asked: new Set(), loads: 0 });

const changed = () => work.dispatchEvent(new Event('change'));

const workers = hasServer
  ? null
  : new Workers(new URL(wasm, document.baseURI), (loads) => {
      work.loads = loads;
      changed();
    });

/** Aborts all requests except `about`. Their promises are rejected. */
export function stop() {
  for (const question of work.asked) question.abort();
}

async function askServer(name, body, signal) {
  const options = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const response = await fetch(`api/${name}`, { ...options, signal });
  return { status: response.status, text: await response.text() };
}

/** Returns a promise of the answer to a request. `signal` aborts the request. */
async function ask(name, question, signal) {
  const own = new AbortController();
  const abort = () => own.abort();
  signal?.addEventListener('abort', abort);
  // `stop` doesn't abort `about`, because the forms of the page need its answer.
  if (name !== 'about') work.asked.add(own);
  changed();
  let answer;
  try {
    const body = question === undefined ? undefined : JSON.stringify(question);
    answer = await (hasServer ? askServer(name, body, own.signal) : workers.ask(name, body, own.signal));
  } catch (error) {
    if (signal?.aborted) throw new DOMException(error.message, 'AbortError');
    if (own.signal.aborted) throw new Refusal(t.frame.stopped);
    throw new Refusal(hasServer ? t.frame.noAnswer : error.message);
  } finally {
    signal?.removeEventListener('abort', abort);
    work.asked.delete(own);
    changed();
  }
  const { status, text } = answer;
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Refusal(t.frame.noSentence(status), [], status);
  }
  if (status !== 200) throw new Refusal(found.error ?? t.frame.answered(status), found.cells ?? [], status);
  return found;
}

/** Joins the names of a run, a stage or a file to a path, with each name percent-encoded. */
const path = (...names) => names.map((name) => name.split('/').map(encodeURIComponent).join('/')).join('/');

export const about = () => ask('about');
export const analyse = (position, signal) => ask('analyse', position, signal);
export const deal = (wanted) => ask('deal', wanted);
export const game = (wanted) => ask('game', wanted);
export const judge = (played) => ask('judge', played);
export const read = (source) => ask('read', source);
export const write = (position) => ask('write', position);
export const models = () => ask('models');
export const puzzles = () => ask('puzzles');
export const runs = () => ask('runs');
export const replays = () => ask('replays');
export const replayList = (name, from, count) => ask(`replays/${encodeURIComponent(name)}?from=${from}&count=${count}`);
export const replay = (name, index) => ask(`replays/${encodeURIComponent(name)}/${index}`);
export const metricsAddress = (run, stage) => `api/runs/${path(run, stage)}/metrics`;
export const file = async (...names) => (await fetch(fileAddress(...names))).text();
export const fileAddress = (run, stage, file) => `runs/${path(run, stage, file)}`;
