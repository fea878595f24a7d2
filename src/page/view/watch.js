// The form by which our players are asked to play a game, and the addresses of such games.

import { decoded } from './codes.js';
import { el, remembered } from './dom.js';
import { boardFields, choiceField, lastGame, numberField } from './new_game.js';
import { t } from './texts.js';

/** The form by which players are asked to play a game. */
export class GameForm {
  #player;
  #other;
  #board;
  #seed;
  #number;
  #submit = el('button', { type: 'submit', class: 'strong', text: t.review.play });
  #note = el('p', { class: 'error', role: 'alert' });

  /** `form` gets the fields. `play(wanted)` is called with the game that is asked for. */
  constructor(form, about, names, play) {
    const strongest = names.includes('11.0') ? '11.0' : names.at(-1);
    const last = lastGame('game-form', { player: strongest, other: '', seed: 1, game: 0 });
    const choices = names.map((name) => [name, name]);
    this.#player = choiceField(t.review.player, 'player', choices, last.player);
    this.#other = choiceField(t.review.beside, 'other', [['', t.review.nobody], ...choices], last.other);
    this.#board = boardFields(about, last);
    this.#seed = numberField(t.newGame.seed, 'seed', last.seed);
    this.#number = numberField(t.newGame.game, 'game', last.game);
    const fields = [this.#player.element, this.#other.element, ...this.#board.elements, this.#seed.element, this.#number.element];
    form.replaceChildren(...fields, this.#submit, this.#note);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      try {
        play(this.#read());
      } catch (error) {
        this.say(error.message);
      }
    });
  }

  /** Returns the game in the form and remembers it. Throws a message for the user if the board is not valid. */
  #read() {
    const chosen = this.#board.read();
    const { firstClick, ...size } = chosen;
    const game = { seed: this.#seed.read() ?? 1, game: this.#number.read() ?? 0, player: this.#player.read(), other: this.#other.read() };
    remembered.write('game-form', { ...chosen, board: this.#board.name(), ...game });
    return { ...size, first_click: firstClick, ...game };
  }

  /** Fills the form with a game. */
  set({ width, height, mines, first_click: firstClick, player, other, seed, game }) {
    this.#board.set({ width, height, mines, firstClick });
    this.#player.input.value = player;
    this.#other.input.value = other;
    this.#seed.input.value = seed;
    this.#number.input.value = game;
  }

  /** Shows whether a game is being played. */
  setPlaying(isPlaying) {
    this.#submit.disabled = isPlaying;
    this.#submit.textContent = isPlaying ? t.review.playing : t.review.play;
  }

  say(text) {
    this.#note.textContent = text;
  }
}

/** Returns the address of a game: `review/30x16x99/safe/SEED/GAME/PLAYER[/OTHER]`. */
export function watchAddress({ width, height, mines, first_click, seed, game, player, other }) {
  const parts = ['review', `${width}x${height}x${mines}`, first_click, seed, game, encodeURIComponent(player)];
  if (other) parts.push(encodeURIComponent(other));
  return parts.join('/');
}

/** Parses `watchAddress`. Returns null for any other text. */
export function watchOf(hash) {
  const parts = /^review\/(\d{1,3})x(\d{1,3})x(\d{1,5})\/(safe|opening|any)\/(\d{1,15})\/(\d{1,15})\/([^/]+)(?:\/([^/]+))?$/.exec(hash);
  if (!parts) return null;
  const [width, height, mines, seed, game] = [1, 2, 3, 5, 6].map((group) => Number(parts[group]));
  return { width, height, mines, first_click: parts[4], seed, game, player: decoded(parts[7]), other: decoded(parts[8] ?? '') };
}
