// What undo and redo go through: whole states, each left as it was.

const LIMIT = 2000;

export class History {
  #past = [];
  #future = [];

  /** Keeps the state that is about to change. */
  keep(state) {
    this.#past.push(state);
    if (this.#past.length > LIMIT) this.#past.shift();
    this.#future = [];
  }

  clear() {
    this.#past = [];
    this.#future = [];
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** The state before; `now` can be had again with `redo`. */
  undo(now) {
    this.#future.push(now);
    return this.#past.pop();
  }

  redo(now) {
    this.#past.push(now);
    return this.#future.pop();
  }
}
