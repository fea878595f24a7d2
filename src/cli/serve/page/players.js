// Which players are asked: names by check box, recipes by hand, eight at most.

import { el } from './dom.js';

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
    const recipe = el('input', { type: 'text', id: 'recipe', placeholder: 'dss+posterior+least-mine', spellcheck: 'false', autocomplete: 'off' });
    const add = el(
      'form',
      { class: 'recipe', on: { submit: (event) => (event.preventDefault(), recipe.value.trim() && this.#toggle(recipe.value.trim(), true), (recipe.value = '')) } },
      el('label', { for: 'recipe', text: 'A recipe of your own' }),
      el('span', {}, recipe, el('button', { type: 'submit', text: 'Ask it' })),
    );
    this.element = el('details', { class: 'players' }, this.#summary, this.#list, add);
    this.#render();
  }

  know(players) {
    this.#known = players;
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
    this.#summary.textContent = this.chosen.length ? `Asked: ${this.chosen.join(', ')}` : 'No player is asked';
    const names = new Set(this.#known.map(({ name }) => name));
    const own = this.chosen.filter((name) => !names.has(name)).map((name) => ({ name, summary: 'your recipe' }));
    const focused = document.activeElement?.dataset?.player;
    this.#list.replaceChildren(
      ...[...this.#known, ...own].map(({ name, summary }) => {
        const box = el('input', { type: 'checkbox', 'data-player': name, on: { change: () => this.#toggle(name, box.checked) } });
        box.checked = this.chosen.includes(name);
        box.disabled = !box.checked && this.chosen.length >= MOST;
        return el('label', {}, box, el('b', { text: name }), el('span', { class: 'soft', text: summary }));
      }),
    );
    if (focused) [...this.#list.querySelectorAll('input')].find((box) => box.dataset.player === focused)?.focus();
  }
}
