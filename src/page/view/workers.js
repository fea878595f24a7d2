// Asks workers of this page instead of a server. If a request is aborted, its worker is ended, unless the worker is nearly done.

import { MISSING } from './engine.js';
import { t } from './texts.js';

/** The maximum number of workers. Each has its own memory. */
const MOST = Math.min(2, navigator.hardwareConcurrency ?? 1);
/** How long a worker may continue with an aborted request, in milliseconds. A new worker would have to read its models again. */
const GRACE = 300;

export class Workers {
  #address;
  #module = null;
  #workers = [];
  #waiting = [];
  #loading;

  /** `address` is that of the WebAssembly. `loading(loads)` receives whether any worker downloads a model, whenever that may have changed. */
  constructor(address, loading) {
    this.#address = address;
    this.#loading = loading;
  }

  /** Returns a promise of the HTTP status and the JSON text of an answer. */
  async ask(name, body, signal) {
    this.#module ??= compile(this.#address);
    const module = await this.#module.catch((error) => {
      this.#module = null;
      throw new Error(t.errors.noSolver(error.message));
    });
    return new Promise((resolve, reject) => {
      const question = { name, body, resolve, reject };
      const abort = () => {
        reject(new DOMException('The question was aborted.', 'AbortError'));
        this.#waiting = this.#waiting.filter((other) => other !== question);
        const worker = this.#workers.find((one) => one.question === question);
        if (worker) setTimeout(() => worker.question === question && this.#end(worker, module), GRACE);
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(question);
      this.#next(module);
    });
  }

  /** Assigns waiting requests to free workers. */
  #next(module) {
    while (this.#waiting.length) {
      let free = this.#workers.find((worker) => !worker.question);
      if (!free && this.#workers.length === MOST) return;
      free ??= this.#start(module);
      free.question = this.#waiting.shift();
      const { name, body } = free.question;
      free.thread.postMessage({ name, body });
    }
  }

  #start(module) {
    const thread = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    const worker = { thread, question: null, loads: false };
    const done = (settle) => {
      const { question } = worker;
      worker.question = null;
      settle(question);
    };
    thread.addEventListener('message', ({ data }) => {
      if ('loads' in data) return this.#setLoads(worker, data.loads);
      if (!data.failed) done(({ resolve }) => resolve(data));
      else {
        this.#setLoads(worker, false);
        if (data.ended) done(({ reject }) => reject(new Error(t.errors.memory)));
        else done(({ resolve }) => resolve({ status: MISSING, text: JSON.stringify({ error: t.errors.model(data.failed) }) }));
      }
      if (data.ended) this.#end(worker, module);
      this.#next(module);
    });
    thread.addEventListener('error', () => {
      done((question) => question?.reject(new Error(t.errors.noWorker)));
      this.#end(worker, module);
    });
    thread.postMessage({ module });
    this.#workers.push(worker);
    return worker;
  }

  #setLoads(worker, loads) {
    worker.loads = loads;
    this.#loading(this.#workers.some((other) => other.loads));
  }

  #end(worker, module) {
    worker.thread.terminate();
    worker.question = null;
    this.#workers = this.#workers.filter((other) => other !== worker);
    this.#setLoads(worker, false);
    this.#next(module);
  }
}

async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(t.errors.status(address, response.status));
  // Some servers send another content type. Such a response can't be compiled while it is downloaded.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
