// Says why a cell is safe or a mine: the words of a proof's steps, and the cells that they light up. Only announced words name places.

import { el, percent } from './dom.js';
import { isNumber, neighbours, toIndex } from './position.js';
import { t } from './texts.js';

/** Returns the proof of a cell in an analysis, or null. */
export const proofOf = ({ why }, index, width) => why.find(({ cell }) => toIndex(cell, width) === index) ?? null;

/** Returns the easiest proof of a safe cell; without one, that of a mine; without one, null. */
export const easiest = ({ why }) => why.find(({ mine }) => !mine) ?? why[0] ?? null;

/** Returns the proofs without those that have the same last step as an earlier one. */
export function distinct(proofs) {
  const keys = proofs.map(({ steps }) => JSON.stringify(steps.at(-1)));
  return proofs.filter((_, at) => keys.indexOf(keys[at]) === at);
}

/** Explains a proof: its title, and its steps, whose words contain `{A}` and `{B}` and whose `groups` are the cells to light up. */
export function explain(proof, { cells, width, height }, answer) {
  const near = neighbours(width, height);
  const decided = new Map();
  const boundary = [...cells.keys()].filter((index) => isNumber(cells[index]) && near[index].some((other) => !isNumber(cells[other])));
  const steps = proof.steps.map((step) => {
    const told = tell(step, { cells, width, near, decided, layouts: answer.solutions, boundary: boundary.length });
    for (const cell of step.cells) decided.set(toIndex(cell, width), step.mines);
    return told;
  });
  return { title: proof.mine ? t.why.mine : t.why.safe, steps };
}

/** Lists the layouts around numbers: the mines of each. */
function waysAround(numbers) {
  const cells = [...new Set(numbers.flatMap(({ open }) => open))];
  const fits = (mines, at) => numbers.every(({ open, left }) => {
    const found = open.filter((index) => mines.includes(index)).length;
    return found <= left && found + open.filter((index) => cells.indexOf(index) > at).length >= left;
  });
  return cells.reduce((ways, cell, at) => ways.flatMap((mines) => [mines, [...mines, cell]]).filter((mines) => fits(mines, at)), [[]]);
}

function tell({ rule, numbers, cells: places, mines }, at) {
  const { cells, width, near, decided } = at;
  const [a, b] = numbers.map((cell) => toIndex(cell, width));
  const groups = { a: a === undefined ? [] : [a], b: b === undefined ? [] : [b] };
  const targets = places.map((cell) => toIndex(cell, width));
  groups[mines ? 'mine' : 'safe'] = targets;
  /** The covered neighbours of a number that no earlier step decides, and the mines among them. */
  const reduced = (number) => {
    const around = near[number].filter((index) => !isNumber(cells[index]));
    return { open: around.filter((index) => !decided.has(index)), left: cells[number] - around.filter((index) => decided.get(index)).length, known: around.filter((index) => decided.get(index)) };
  };
  if (rule === 'number') {
    const { open, left, known } = reduced(a);
    groups.known = known;
    const words = mines ? t.why.needs(left) : open.length === 1 ? t.why.fullOne : t.why.full;
    return { title: t.why.titles.number, kind: 'number', words: (known.length ? t.why.known : '') + words, groups };
  }
  if (rule === 'pair') {
    const sides = [a, b].map((number) => ({ number, ...reduced(number) })).sort((one, other) => one.left - other.left);
    const shared = sides[0].open.filter((index) => sides[1].open.includes(index));
    const own = (side) => side.open.filter((index) => !shared.includes(index));
    let [low, high] = sides;
    const more = high.left - low.left;
    if (more === 0 && own(low).length > 0) [low, high] = [high, low];
    Object.assign(groups, { a: [low.number], b: [high.number], shared, known: [...low.known, ...high.known] });
    // A number that needs all its cells makes the other one full: that is easier to see than a pair.
    const [one, other] = own(low).length === 0 && low.open.length === low.left && low.open.length === shared.length ? [low, high] : [high, low];
    if (one.open.length === one.left && one.open.length === shared.length && one.left === other.left && !mines) {
      Object.assign(groups, { a: [one.number], b: [other.number], named: shared });
      return { title: t.why.titles.after, kind: 'after', words: (groups.known.length ? t.why.still(one.left, other.left) : '') + t.why.after(one.left), groups };
    }
    let words = t.why.pairOther(low.left, high.left);
    if (more > 0 && own(high).length === more) {
      words = own(low).length ? t.why.pair(more) : t.why.pairMines(more);
      if (!mines) groups.named = own(high);
    }
    else if (more === 0 && own(low).length === 0) words = t.why.subset;
    return { title: t.why.pairName(low.left, high.left), kind: `${low.left}-${high.left}`, words: (groups.known.length ? t.why.still(low.left, high.left) : '') + words, groups };
  }
  const result = (safe, mine) => (mines ? mine : safe);
  if (rule === 'count') {
    const words = numbers.length ? result(t.why.countAround, t.why.countRest) : result(t.why.countSafe, t.why.countMines);
    return { title: t.why.titles.count, kind: 'count', words, groups: { ...groups, a: numbers.map((cell) => toIndex(cell, width)), b: [] } };
  }
  const all = numbers.map((cell) => toIndex(cell, width));
  const ways = rule === 'ways' ? waysAround(all.map(reduced)) : null;
  const words = ways ? t.why.ways(ways.length, result(t.why.inAllSafe, t.why.inAllMine)) : (all.length === at.boundary ? t.why.layouts(count(at.layouts)) : t.why.around).replace('{result}', result(t.why.noLayout, t.why.allLayouts));
  return { title: t.why.titles[rule] ?? t.why.titles.layouts, kind: rule, words, ways, groups: { ...groups, a: all, b: [] } };
}

/** Returns the lesson that a proof belongs to, by the kinds of its steps and the length of its chain. */
export function lessonOf(steps) {
  const kinds = steps.map(({ kind }) => kind);
  if (kinds.includes('layouts')) return 11;
  if (kinds.includes('ways')) return 10;
  if (kinds.includes('count')) return 9;
  if (kinds.every((kind) => kind === 'number' || kind === 'after')) return steps.length > 1 ? 2 : kinds[0] === 'after' || steps[0].groups.safe ? 1 : 0;
  if (steps.length > 1) return Math.min(steps.length, 4) + 4;
  return kinds[0] === '1-1' ? 3 : kinds[0] === '1-2' ? 4 : 5;
}

/** Returns the proof that a position of a lesson is shown for: in the first lesson, that of a mine. */
export const shownProof = (lesson, answer) => (lesson === 0 ? answer.why.find(({ mine }) => mine) : easiest(answer));

/** Formats a number of layouts: with separators, or as a power of ten. */
export function count(solutions) {
  if (solutions.length <= 9) return solutions.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return `${solutions[0]}.${solutions.slice(1, 3)} × 10^${solutions.length - 1}`;
}

/** Creates the words of a step: its numbers have their rings, and light up their cells. `light(groups)` marks cells of the board. */
export function wordsOf({ words, groups }, { cells, width }, light) {
  return words.split(/(\{[AB]\})/).map((part) => {
    const name = /^\{([AB])\}$/.exec(part)?.[1];
    if (!name) return part;
    const index = groups[name.toLowerCase()][0];
    if (index === undefined) return name;
    const label = t.why.ringed(cells[index], Math.floor(index / width) + 1, (index % width) + 1, t.why.ring[name]);
    return el('b', { class: `ringed ${name.toLowerCase()}`, role: 'img', 'aria-label': label, text: String(cells[index]), on: { mouseenter: () => light({ ...groups, pulse: [index] }), mouseleave: () => light(groups) } });
  });
}

/** Names cells by their places, at most eight of them. `before(index)` is said before a place. */
function placesOf(indices, width, before = () => '') {
  const named = indices.slice(0, 8).map((index) => `${before(index)}${t.board.place(Math.floor(index / width) + 1, (index % width) + 1)}`);
  return indices.length > 8 ? t.review.andMore(named.join('; '), indices.length - 8) : named.join('; ');
}

/** Says a proof to users who don't see the rings and frames: its numbers and the cells that it decides have their places. */
export function spoken({ title, steps }, { cells, width }) {
  const numbers = (indices) => placesOf(indices, width, (index) => t.why.theNumber(cells[index]));
  const sentences = steps.flatMap((step, at) => {
    const { a, b, shared = [], safe = [], mine = [], named = [] } = step.groups;
    const names = { '{A}': numbers(a), '{B}': numbers(b) };
    const words = step.words.replace(/\{[AB]\}/g, (name) => names[name]);
    const lists = [[a.length && !step.words.includes('{A}'), t.why.numbersAre, numbers(a)], [step.words.includes(t.why.hatched), t.why.hatchedAre, placesOf(shared, width)]];
    const decided = [[mine.length + named.length, t.why.areMines, placesOf([...mine, ...named], width)], [safe.length, t.why.areSafe, placesOf(safe, width)]];
    const told = [...lists, ...decided].flatMap(([many, say, places]) => (many ? [say(places, many > 1)] : []));
    return [steps.length > 1 ? `${t.why.step(at + 1, steps.length)}: ${step.title}` : `${title}: ${step.title}`, words, ...told];
  });
  return [steps.length > 1 ? `${title}: ${t.why.chain(steps.length)}` : '', ...sentences].filter(Boolean).map((text) => t.dot(text).replace(/(^|\. )[a-z]/g, (start) => start.toUpperCase())).join(' ');
}

/** Creates the buttons that leaf through the layouts of a step. */
function leaves({ ways, groups }, light) {
  const said = el('span', { role: 'status', text: t.why.leaf });
  let shown = -1;
  const turn = (by) => {
    shown = (Math.max(shown, by < 0 ? 0 : -1) + ways.length + by) % ways.length;
    said.textContent = t.why.way(shown + 1, ways.length);
    light({ ...groups, way: ways[shown] });
  };
  const button = (text, label, by) => el('button', { type: 'button', class: 'tool', 'aria-label': label, text, on: { click: () => turn(by) } });
  return el('p', { class: 'actions' }, button('‹', t.review.back, -1), said, button('›', t.review.next, 1));
}

/** Creates the list of a proof's steps. The step under the pointer or the focus lights up its cells; at first, the last one does. */
export function proofList(told, position, light) {
  const rows = told.steps.map((step, at) => {
    const on = () => light(step.groups);
    const title = el('button', { type: 'button', class: 'line step-title', on: { focus: on, click: on } }, told.steps.length > 1 ? `${t.why.step(at + 1, told.steps.length)} · ${step.title}` : step.title);
    return el('li', { on: { mouseenter: on } }, title, el('p', {}, ...wordsOf(step, position, light)), step.ways?.length > 1 ? leaves(step, light) : '');
  });
  light(told.steps.at(-1)?.groups ?? {});
  return el('ol', { class: 'proof-steps' }, ...rows);
}

/** Creates the title and the content of the answer to why a cell is safe, a mine or neither. `light(groups)` marks cells of the board. */
export function whyCell(answer, position, index, light, proof = proofOf(answer, index, position.width)) {
  if (proof?.steps.length) {
    const told = explain(proof, position, answer);
    const { length } = told.steps;
    return { title: `${told.title}: ${length > 1 ? t.why.chain(length) : told.steps[0].title}`, content: [proofList(told, position, light)], told };
  }
  light({ target: [index] });
  const share = answer.mine_probability.flat()[index];
  if (share === 0 || share === 1) return { title: share ? t.why.mine : t.why.safe, content: [el('p', { text: t.tutor.unlisted })], told: null };
  const words = share === null ? [t.dot(answer.too_hard)] : [t.tutor.chance(percent(share)), answer.safe.length ? t.tutor.butSafe : t.tutor.nowhere];
  return { title: t.tutor.notProved, content: words.map((text) => el('p', { text })), told: null };
}
