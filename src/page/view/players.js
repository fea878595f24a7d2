// The user's choice of at most eight players to ask.

import { el } from './dom.js';
import { t } from './texts.js';

const MOST = 8;

export class PlayerChoice {
  element;
  chosen;
  #known = [];
  #changed;
  #summary = el('summary');
  #list = el('div', { class: 'player-list' });

  constructor(chosen, changed) {
    this.chosen = chosen.slice(0, MOST);
    this.#changed = changed;
    this.element = el('details', { class: 'players' }, this.#summary, this.#list, el('p', { class: 'at-server' }, t.analyse.ownPlayer, el('code', { text: '--player RECIPE' }), '.'));
    this.#render();
  }

  /** Sets the available players. All others are removed from the choice. */
  know(players) {
    this.#known = players;
    this.chosen = this.chosen.filter((name) => players.some((player) => player.name === name));
    this.#render();
  }

  #toggle(name, wanted) {
    const others = this.chosen.filter((other) => other !== name);
    if (wanted && others.length >= MOST) return this.#render();
    this.chosen = wanted ? [...others, name] : others;
    this.#render();
    this.#changed(this.chosen);
  }

  #render() {
    this.#summary.textContent = t.analyse.asked(this.chosen);
    const focused = document.activeElement?.dataset?.player;
    const line = ({ name, summary }) => {
      const box = el('input', { type: 'checkbox', 'data-player': name, on: { change: () => this.#toggle(name, box.checked) } });
      box.checked = this.chosen.includes(name);
      box.disabled = !box.checked && this.chosen.length >= MOST;
      return el('label', {}, box, el('b', { text: name }), el('span', { class: 'soft', text: summary }));
    };
    this.#list.replaceChildren(...this.#known.map(line));
    if (focused) [...this.#list.querySelectorAll('input')].find((box) => box.dataset.player === focused)?.focus();
  }
}
