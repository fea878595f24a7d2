// What the page asks the server: one function for each address.

/** An answer that says no: `message` is a sentence for people, `cells` are those that cause it. */
export class Refusal extends Error {
  constructor(message, cells = [], status = 0) {
    super(message);
    this.cells = cells;
    this.status = status;
  }
}

async function ask(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal('The server does not answer. Is pipeline serve still running?');
  }
  let answer;
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(`The server answered ${response.status} without a sentence.`, [], response.status);
  }
  if (!response.ok) throw new Refusal(answer.error ?? `The server answered ${response.status}.`, answer.cells ?? [], response.status);
  return answer;
}

const get = (address) => ask(address, {});

const post = (address, body, signal) =>
  ask(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal });

/** The path of a run, a stage or a file, each name made safe for an address. */
const path = (...names) => names.map((name) => name.split('/').map(encodeURIComponent).join('/')).join('/');

export const about = () => get('api/about');
export const analyse = (position, signal) => post('api/analyse', position, signal);
export const deal = (wanted) => post('api/deal', wanted);
export const game = (wanted) => post('api/game', wanted);
export const judge = (played) => post('api/judge', played);
export const read = (source) => post('api/read', source);
export const write = (position) => post('api/write', position);
export const models = () => get('api/models');
export const puzzles = () => get('api/puzzles');
export const runs = () => get('api/runs');
export const replays = () => get('api/replays');
export const replayList = (name, from, count) => get(`api/replays/${encodeURIComponent(name)}?from=${from}&count=${count}`);
export const replay = (name, index) => get(`api/replays/${encodeURIComponent(name)}/${index}`);
export const metricsAddress = (run, stage) => `api/runs/${path(run, stage)}/metrics`;
export const fileAddress = (run, stage, file) => `runs/${path(run, stage, file)}`;
