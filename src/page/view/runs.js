// The Lab: runs with their stages, curves of training runs, models, and reports.

import * as api from './api.js';
import { decoded } from './codes.js';
import { Curves } from './curves.js';
import { byId, duration, el, percent } from './dom.js';
import { t } from './texts.js';

const AGAIN = 4000;
const READ = /\.(html|svg)$|^(?!cost).*\.csv$/;

/** Creates links to the files that users read. Links to all other files are collapsed. */
function fileLinks(run, stage, files) {
  const link = (file) => el('a', { href: api.fileAddress(run, stage, file), target: '_blank', rel: 'noopener', text: file });
  const [first, rest] = [files.filter((file) => READ.test(file)), files.filter((file) => !READ.test(file))];
  return [...first.map(link), rest.length ? el('details', {}, el('summary', { text: first.length ? t.lab.more(rest.length) : t.counted.file(rest.length) }), ...rest.map(link)) : ''];
}

/** Returns a promise of the win rates of a stage in words: of each row of its `eval.csv`. */
async function ratesOf(run, stage) {
  const [heads, ...rows] = (await api.file(run, stage, 'eval.csv')).trim().split('\n').map((line) => line.split(','));
  // A recipe with commas is in quotes, and other games have no win rate.
  return rows.filter((row) => row.length === heads.length && heads.includes('win_ratio')).map((row) => {
    const one = Object.fromEntries(heads.map((head, at) => [head, row[at]]));
    const kind = one.corrected_ci_low ? 'corrected_' : '';
    const [win, low, high] = ['win_ratio', 'ci_low', 'ci_high'].map((name) => percent(Number(one[kind + name]), 2));
    return t.lab.rate(one.player, `${one.width}×${one.height}/${one.mines}`, one.first_click, win, low, high, Number(one.games));
  });
}

/** Says how far a running stage is, if its settings tell. */
function progressOf({ done, settings, began }) {
  const { command, games, rounds, episodes, epochs } = settings ?? {};
  const kinds = ['players', 'boards', 'first_click'].reduce((count, name) => count * (settings?.[name]?.length ?? 1), 1);
  const share = done / (command === 'eval' ? games * kinds : (rounds ?? episodes ?? epochs));
  return share > 0 && share <= 1 ? t.lab.progress(percent(share, 0), duration((Date.now() - began) / 1000 * (1 / share - 1))) : '';
}

/** Sets up the place. The hook `address(hash)` receives the address of the chosen stages. */
export function startRunsTab(hooks) {
  const curves = new Curves(byId('curves'));
  const chosen = new Set();
  let runs = [];
  let timer = 0;
  let drawn = '';

  const choose = () => {
    const stages = runs.flatMap((run) => run.stages.map((stage) => ({ run: run.name, stage: stage.name, live: stage.state === 'running' })));
    curves.choose(stages.filter(({ run, stage }) => chosen.has(`${run}/${stage}`)));
  };
  const address = () => (chosen.size ? `runs/${[...chosen].map(encodeURIComponent).join('/')}` : 'runs');

  async function refresh() {
    clearTimeout(timer);
    try {
      runs = await api.runs();
      const text = JSON.stringify(runs);
      if (text !== drawn) draw();
      drawn = text;
      choose();
    } catch (error) {
      byId('run-list').replaceChildren(el('p', { class: 'error', text: error.message }));
      drawn = '';
    }
    timer = setTimeout(refresh, AGAIN);
  }

  function draw() {
    const focused = document.activeElement?.dataset?.stage;
    if (!runs.length) {
      const how = el('p', {}, t.lab.start, el('code', { text: 'pipeline serve --runs DIR' }), t.lab.startMore, el('code', { text: 'pipeline run' }), '.');
      return byId('run-list').replaceChildren(el('div', { class: 'empty' }, el('h2', { text: t.lab.none }), how));
    }
    byId('run-list').replaceChildren(...runs.map((run) => runTable(run)));
    return focused && byId('run-list').querySelector(`[data-stage="${CSS.escape(focused)}"]`)?.focus();
  }

  function runTable({ name, stages }) {
    const done = stages.filter(({ state }) => state === 'up-to-date').length;
    const timed = stages.some(({ cpu_seconds }) => cpu_seconds !== null);
    const rows = stages.map((stage) => stageRow(name, stage, timed));
    const heads = [t.lab.stage, t.lab.state, ...(timed ? [t.lab.cpu] : []), t.lab.files];
    const head = el('tr', {}, ...heads.map((text) => el('th', { scope: 'col', text, class: text === t.lab.cpu ? 'r' : null })));
    const title = el('h2', {}, name, ' ', el('span', { class: 'soft', text: t.lab.upToDate(done, stages.length) }));
    return el('section', { class: 'run' }, title, el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows))));
  }

  function stageRow(run, stage, timed) {
    const { name, command, state, reason, cpu_seconds, metrics, files } = stage;
    const rates = el('ul', { class: 'rates' });
    if (state === 'up-to-date' && files.includes('eval.csv')) ratesOf(run, name).then((lines) => rates.replaceChildren(...lines.map((text) => el('li', { text }))), () => {});
    const key = `${run}/${name}`;
    let title = el('span', { class: 'stage-name', text: name });
    if (metrics) {
      const box = el('input', { type: 'checkbox', 'data-stage': key });
      box.checked = chosen.has(key);
      box.addEventListener('change', () => {
        chosen[box.checked ? 'add' : 'delete'](key);
        choose();
        hooks.address(address());
      });
      title = el('label', { class: 'stage-name' }, box, name);
    }
    const head = el('th', { scope: 'row' }, title, el('span', { class: 'soft command', text: command }));
    const why = reason && state !== 'up-to-date' ? el('span', { class: 'reason soft', text: (state === 'running' && progressOf(stage)) || reason }) : '';
    const time = timed ? el('td', { class: 'r', text: duration(cpu_seconds) }) : null;
    return el('tr', {}, head, el('td', {}, el('span', { class: `state ${state}`, text: t.lab.states[state] ?? state }), why), time, el('td', { class: 'files' }, ...fileLinks(run, name, files), rates));
  }

  async function listModels() {
    if (byId('models').querySelector('table')) return;
    try {
      const models = await api.models();
      const rows = models.map(({ name, file, sha256, feature_set, note }) =>
        el('tr', {}, el('th', { scope: 'row', text: name }), el('td', { text: file }), el('td', { text: feature_set }), el('td', {}, el('code', { class: 'hash', title: sha256, text: sha256.slice(0, 12) })), el('td', { class: 'soft', text: note ?? '' })),
      );
      byId('models').replaceChildren(el('table', {}, el('thead', {}, el('tr', {}, ...t.lab.modelHeads.map((head) => el('th', { scope: 'col', text: head })))), el('tbody', {}, ...rows)));
    } catch (error) {
      byId('models').replaceChildren(el('p', { class: 'error', text: error.message }));
    }
  }

  return {
    address,
    enter(hash) {
      const named = hash.split('/').slice(1).filter(Boolean).map(decoded);
      if (named.length) {
        chosen.clear();
        for (const key of named) chosen.add(key);
        drawn = '';
      }
      curves.wake();
      refresh();
      listModels();
    },
    leave() {
      clearTimeout(timer);
      curves.sleep();
    },
  };
}
