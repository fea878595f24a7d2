// The board of Play and of Analyse: buttons, counters, palette, switches, and the panel beside it.

import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { STEP } from './desk.js';
import { announce, byId, clock, el, remembered } from './dom.js';
import { endCard } from './end.js';
import { levelChips } from './levels.js';
import { COVERED, FLAG, blank, isCovered, isNumber, toIndex } from './position.js';
import { sheet } from './sheet.js';
import { t } from './texts.js';
import { Tutor } from './tutor.js';

const SWITCHES = { odds: false, coach: true, less: false };

/** Sets up the board for the desks of Play and of Analyse. `hooks.moved()` is called after each change of the position. */
export function startBoard(desks, about, hooks) {
  let place = 'play';
  let desk = desks.play;
  let flagMode = false;
  let chances = remembered.read('chances', true);
  let lastOver = null;
  let opened = null;
  const switches = remembered.read('switches', SWITCHES);
  const isPlay = () => place === 'play';
  const shut = sheet(byId('analysis'));

  const board = new Board(byId('board'), t.frame.board, {
    primary: (index, byKey) => {
      if (!isPlay()) return desk.state.editing ? desk.primary(index) : analysis.why(index);
      if (!byKey && shut.isOpen() && desk.state.cells.some(isNumber)) return tutor.why(index);
      return flagMode && !isNumber(desk.state.cells[index]) ? desk.secondary(index) : desk.primary(index);
    },
    secondary: (index) => (isPlay() || desk.state.editing ? desk.secondary(index) : analysis.why(index)),
    digit: (index, code) => isPlay() || desk.setCell(index, code),
    paint: (index, from) => desk.paint(index, from),
    hover: (index) => hoverWhy(index),
  });
  let [hovering, pointed] = [0, -1];
  const hoverWhy = (index) => {
    pointed = index;
    clearTimeout(hovering);
    if (!isPlay() || desk.state.over || !switches.odds || !tutor.isIdle) return;
    if (index >= 0 && isCovered(desk.state.cells[index]) && desk.state.cells.some(isNumber)) hovering = setTimeout(() => tutor.isIdle && tutor.why(index, false), 120);
  };
  const tutorBody = el('div', { class: 'tutor-body' });
  const analysisBody = el('div', { class: 'analyse-body' });
  byId('analysis').append(tutorBody, analysisBody);
  const tutor = new Tutor(byId('analysis'), board, desks.play, { answered, shown: draw });
  const analysis = new Analysis(analysisBody, byId('analysis'), about, {
    answered: draw,
    highlight: (groups) => board.highlight(groups),
    goTo: (index) => board.goTo(index),
    try: (index, code) => desk.setCell(index, code),
  });
  const chips = levelChips({ start: (game) => desks.play.newGame(game), more: hooks.more });

  function answered(answer) {
    draw();
    if (opened !== null) announce(t.play.opened(opened, answer.safe.length));
    opened = null;
  }

  function draw() {
    const { cells, over, width, height } = desk.state;
    board.resize(width, height);
    if (!isPlay()) return board.draw(cells, chances ? analysis.shares : null, analysis.marks);
    const { answer } = tutor;
    // The words of a reason name the numbers as they are.
    const known = switches.less && answer && !over && !tutorBody.querySelector('.ringed') ? new Set(answer.mines.map((cell) => toIndex(cell, width))) : null;
    return board.draw(cells, switches.odds && answer && !over ? answer.mine_probability.flat() : null, new Map(), known);
  }

  function changed(source) {
    if (source && source !== desk) return;
    const { state } = desk;
    const before = tutor.answer;
    board.highlight({});
    if (isPlay()) followGame(state, before);
    else if (chances) analysis.ask(state);
    else analysis.say(el('p', { class: 'soft', text: t.analyse.off }));
    draw();
    byId('mines-left').textContent = desk.minesLeft;
    byId('time').textContent = clock(desk.seconds);
    byId('outcome').textContent = state.over ? t.play[state.over] : state.editing ? t.play.editing : '';
    byId('outcome').dataset.kind = state.over ?? '';
    byId('undo').disabled = !desk.past.length;
    byId('redo').disabled = !desk.future.length;
    byId('hint').disabled = state.over !== null;
    press('edit', state.editing);
    byId('palette').hidden = !state.editing;
    byId('board').classList.toggle('editing', state.editing);
    drawPalette(desk);
    byId('board-line').textContent = describe(state);
    lastOver = isPlay() ? state.over : lastOver;
    hooks.moved(place);
  }

  function followGame(state, before) {
    chips.show(state);
    if (!state.over) return tutor.follow();
    opened = null;
    const isNew = lastOver !== state.over || !tutorBody.querySelector('.end');
    tutor.follow();
    if (!isNew) return undefined;
    tutor.say(endCard(desk, before, { again: chips.start, same: () => desk.restart(), takeBack: () => desk.undo(), review: hooks.review, warn: hooks.warn }));
    return shut.open();
  }

  desks.play.addEventListener('opened', ({ detail: { before, targets, opened: count } }) => {
    opened = count;
    const known = tutor.answer;
    if (switches.coach) setTimeout(async () => desks.play.state.over || ((await tutor.coach(before, targets, known)) && (opened = null)));
  });
  for (const one of Object.values(desks)) {
    one.addEventListener('change', () => changed(one));
    one.addEventListener('dealing', () => byId('analysis').setAttribute('aria-busy', 'true'));
    one.addEventListener('refusal', (event) => {
      byId('analysis').setAttribute('aria-busy', 'false');
      hooks.warn(event.detail);
    });
  }

  const setSwitch = (name, wanted) => {
    switches[name] = wanted;
    remembered.write('switches', switches);
    for (const box of byId('switches').querySelectorAll('input')) box.checked = switches[box.name];
    draw();
  };
  const setChances = (wanted) => {
    chances = wanted;
    remembered.write('chances', wanted);
    press('chances', wanted);
    changed();
  };
  const switchOf = (name) => {
    const box = el('input', { type: 'checkbox', name, id: `switch-${name}`, on: { change: () => setSwitch(name, box.checked) } });
    box.checked = switches[name];
    return el('label', { class: 'check', title: t.play[`${name}Title`] }, box, t.play[name]);
  };
  byId('switches').replaceChildren(...Object.keys(SWITCHES).map(switchOf));
  const again = () => (desk.state?.deal || desk.state?.field ? desks.play.newGame(sameBoard(desks.play.state)) : chips.start());
  const edit = () => desk.edit(!desk.state.editing);
  const listeners = { again, same: () => desk.restart(), undo: () => desk.undo(), redo: () => desk.redo(), hint: () => tutor.hint(), edit, chances: () => setChances(!chances), 'flag-mode': () => press('flag-mode', (flagMode = !flagMode)), smaller: () => zoom(-1), larger: () => zoom(1) };
  for (const [id, listener] of Object.entries(listeners)) byId(id).addEventListener('click', listener);
  press('chances', chances);
  zoom(0);
  setInterval(() => desk.state && (byId('time').textContent = clock(desk.seconds)), 1000);
  const inPlay = { n: again, r: () => desk.restart(), u: () => desk.undo(), h: () => setSwitch('odds', !switches.odds), '?': () => tutor.hint(), w: () => tutor.why(pointed < 0 ? board.current : pointed), s: () => tutor.nextSafe(), g: () => tutor.bestGuess() };
  const inAnalyse = { e: edit, h: () => setChances(!chances), u: () => desk.undo(), w: () => analysis.why(pointed < 0 ? board.current : pointed) };
  document.addEventListener('keydown', (event) => {
    if (byId('tab-board').hidden || document.querySelector('dialog[open]') || event.target.closest('input:not([type=checkbox]), textarea, select') || event.altKey) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const acts = command ? { z: () => (event.shiftKey ? desk.redo() : desk.undo()), y: () => desk.redo() } : isPlay() ? inPlay : inAnalyse;
    if (!(key in acts)) return;
    event.preventDefault();
    acts[key]();
  });

  return {
    chips,
    get desk() {
      return desk;
    },
    get place() {
      return place;
    },
    /** Shows the board of Play or of Analyse; its desk has a position. */
    enter(wanted) {
      const isOther = place !== wanted;
      place = wanted;
      desk = desks[wanted];
      byId('tab-board').dataset.place = wanted;
      tutorBody.hidden = !isPlay();
      analysisBody.hidden = isPlay();
      if (isOther || wanted === 'board') changed();
    },
  };
}

/** Returns the settings of a new game on the board of this one. */
const sameBoard = ({ width, height, mines, firstClick, deal }) => ({ width, height, mines, firstClick, noGuess: deal?.noGuess ?? false, level: deal?.level ?? null });

const press = (id, pressed) => byId(id).setAttribute('aria-pressed', pressed);

const ZOOMS = [0.6, 0.8, 1, 1.25, 1.5, 2];

function zoom(step) {
  const at = Math.min(ZOOMS.length - 1, Math.max(0, remembered.read('zoom', 2) + step));
  remembered.write('zoom', at);
  byId('board').style.setProperty('--zoom', ZOOMS[at]);
  byId('smaller').disabled = at === 0;
  byId('larger').disabled = at === ZOOMS.length - 1;
}

/** Draws the palette of an edited position, and its number of mines. */
function drawPalette(desk) {
  const palette = byId('palette');
  if (!palette.childElementCount) {
    const tools = [[STEP, t.analyse.toolStep, t.analyse.toolStepTitle], [COVERED, '', t.analyse.toolCovered], [FLAG, '', t.analyse.toolFlag], ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((code) => [code, String(code), t.analyse.toolNumber(code)])];
    for (const [code, text, title] of tools) {
      palette.append(el('button', { type: 'button', class: `tool t-${code}`, title, 'aria-label': title, 'data-tool': code, text, on: { click: () => drawPalette(Object.assign(desk, { tool: code })) } }));
    }
    const mines = el('input', { type: 'number', id: 'edit-mines', min: 0, inputmode: 'numeric' });
    mines.addEventListener('change', () => {
      const wanted = Math.round(Number(mines.value));
      if (Number.isFinite(wanted) && wanted >= 0 && wanted <= desk.state.cells.length) desk.change({ mines: wanted });
      else mines.value = desk.state.mines;
    });
    palette.append(el('label', { class: 'edit-mines' }, `${t.analyse.mines} `, mines), el('button', { type: 'button', text: t.analyse.coverAll, on: { click: () => desk.change({ cells: blank(desk.state.width, desk.state.height) }) } }));
  }
  for (const button of palette.querySelectorAll('[data-tool]')) button.setAttribute('aria-pressed', button.dataset.tool === String(desk.tool));
  const mines = byId('edit-mines');
  if (document.activeElement !== mines || !palette.hidden) mines.value = desk.state.mines;
}

/** Describes the board in one line: its size, its rule, and the source of its mines. */
function describe({ width, height, mines, firstClick, deal, field }) {
  const parts = [t.play.size(width, height, mines, ((mines / (width * height)) * 100).toFixed(1)), t.play.rule[firstClick]];
  if (deal?.shared) parts.push(t.play.shared);
  if (deal?.shared && deal.noGuess) parts.push(t.play.noGuessNeeded(null));
  if (deal && !deal.shared) {
    parts.push(t.play.seed(deal.seed, deal.found?.game ?? deal.game));
    if (deal.noGuess) parts.push(t.play.noGuessNeeded(deal.found?.level));
  } else if (field === null) {
    parts.push(t.play.unknown);
  }
  return `${parts.join(' · ')}.`;
}
