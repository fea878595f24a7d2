// The place Practice: patterns, guesses, the user's own mistakes, the first click.

import { Board } from './board.js';
import { byId, el } from './dom.js';
import { startGuesses } from './guesses.js';
import { firstClickHeat } from './heat.js';
import { Mistake } from './learn.js';
import { Lessons } from './lessons.js';
import { answerMistake, dueMistakes, keptMistakes } from './records.js';
import { t } from './texts.js';

const PARTS = ['patterns', 'guesses', 'mistakes', 'first'];

/** Sets up the place. `hooks`: `warn(error)`, `address(hash)`. */
export function startPractice(asked, hooks) {
  const root = byId('practice-body');
  const links = PARTS.map((part) => el('a', { href: `#practice/${part}`, 'data-part': part, text: t.practice[part] }));
  byId('practice-parts').replaceChildren(...links);
  const sections = Object.fromEntries(PARTS.map((part) => [part, el('div', { id: `practice-${part}`, hidden: true })]));
  root.replaceChildren(...Object.values(sections));
  const lessons = new Lessons(sections.patterns, hooks);
  const guesses = startGuesses(sections.guesses, asked, hooks);
  const mistakes = new OwnMistakes(sections.mistakes, hooks);
  const first = firstClickHeat(sections.first, hooks);
  return {
    /** Shows the part that an address names. */
    follow(hash) {
      const [, part = 'patterns', ...rest] = hash.split('/');
      const shown = PARTS.includes(part) ? part : 'patterns';
      if (shown !== part) hooks.warn(new Error(t.frame.noPlace));
      for (const link of links) link.ariaCurrent = link.dataset.part === shown ? 'page' : null;
      for (const [name, section] of Object.entries(sections)) section.hidden = name !== shown;
      if (shown === 'patterns') lessons.enter(rest[0]);
      if (shown === 'guesses') guesses.enter(rest[0]);
      if (shown === 'mistakes') mistakes.enter();
      if (shown === 'first') first();
    },
  };
}

/** The user's own mistakes that are due. */
class OwnMistakes {
  #mistake;
  #board;
  #line = el('p');
  #play = el('div', { class: 'exercise', hidden: true });
  #start = el('button', { type: 'button', class: 'strong', text: t.practice.start, on: { click: () => this.#next() } });
  #current = null;
  #told = false;

  constructor(root, hooks) {
    const frame = el('div', { class: 'frame' });
    this.#board = new Board(frame, t.practice.mistakesTitle, { primary: (index) => this.#mistake.guess(index), secondary: () => {} });
    const card = el('div', { class: 'learn' });
    this.#mistake = new Mistake(this.#board, card, {
      next: () => this.#next(),
      told: (isRight) => {
        // Only the first answer counts.
        if (!this.#told) answerMistake(this.#current, isRight);
        this.#told = true;
      },
      warn: hooks.warn,
    });
    this.#play.append(frame, card);
    root.replaceChildren(el('h2', { text: t.practice.mistakesTitle }), el('p', { class: 'soft', text: t.practice.mistakesAbout }), this.#line, el('p', { class: 'actions' }, this.#start), this.#play);
  }

  enter() {
    const due = dueMistakes();
    this.#line.textContent = due.length ? t.practice.due(due.length) : t.practice.noneDue(keptMistakes().length);
    if (this.#play.hidden) this.#start.hidden = !due.length;
  }

  #next() {
    // A mistake that was skipped comes last.
    const due = dueMistakes();
    const others = due.filter(({ address, step }) => address !== this.#current?.address || step !== this.#current?.step);
    [this.#current] = others.length ? others : due;
    this.#told = false;
    this.#start.hidden = true;
    this.#play.hidden = !this.#current;
    this.enter();
    if (!this.#current) return;
    const { width, height } = this.#current.position;
    this.#board.resize(width, height);
    this.#mistake.show(this.#current, t.practice.due(due.length), due.length === 1);
  }
}
