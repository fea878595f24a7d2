// The solver and the players as WebAssembly, which `web/build` puts beside the page. It answers what the server answers.

/** The status of an answer that needs a model first. */
export const MISSING = 424;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  #exports;
  #load;

  /** `load(file)` promises the bytes of an artifact of `models/`, which is asked for when a question first needs it; `now` limits work. */
  constructor(module, load, now = () => performance.now()) {
    this.#exports = new WebAssembly.Instance(module, { page: { now } }).exports;
    this.#load = load;
  }

  /** Promises the HTTP status and the JSON text of the answer to a question, whose body is JSON text. */
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
