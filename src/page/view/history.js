// The states for undo and redo. Each entry is a whole state.

const LIMIT = 2000;

export class History {
  #past = [];
  #future = [];

  /** Saves the state that is about to change. */
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

  /** Returns the previous state. `now` can be restored with `redo`. */
  undo(now) {
    this.#future.push(now);
    return this.#past.pop();
  }

  redo(now) {
    this.#past.push(now);
    return this.#future.pop();
  }
}
