// The solver and the players as WebAssembly, which `src/page/build` puts beside the page. It gives the same answers as the server.

/** The status of an answer that first needs a model. */
export const MISSING = 424;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  #exports;
  #load;

  /** `load(file)` downloads a file of `models/` when a question first needs it, and returns a promise of its bytes. `now` is the clock. */
  constructor(module, load, now = () => performance.now()) {
    this.#exports = new WebAssembly.Instance(module, { page: { now } }).exports;
    this.#load = load;
  }

  /** Returns a promise of the HTTP status and the JSON text of an answer. `body` is the question as JSON text. */
  async ask(name, body = '') {
    const bytes = encoder.encode(body);
    for (;;) {
      const answer = this.#answer(name, bytes);
      if (answer.status !== MISSING) return answer;
      for (const file of JSON.parse(answer.text).missing) this.#answer(`give ${file}`, await this.#load(file));
    }
  }

  #answer(name, body) {
    const { memory, alloc, ask, answer, answer_len: length } = this.#exports;
    const line = encoder.encode(`${name}\n`);
    const address = alloc(line.length + body.length);
    const question = new Uint8Array(memory.buffer, address, line.length + body.length);
    question.set(line);
    question.set(body, line.length);
    const status = ask();
    return { status, text: decoder.decode(new Uint8Array(memory.buffer, answer(), length())) };
  }
}
