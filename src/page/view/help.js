// The help: what the page is, its keys, and what its marks mean.

import { el } from './dom.js';
import { SIGNS } from './facts.js';
import { t } from './texts.js';

const list = (pairs) => el('dl', {}, ...pairs.flatMap(([name, meaning]) => [el('dt', { text: name }), el('dd', { text: meaning })]));

/** Fills the section of the help. */
export function showHelp(root) {
  const marks = Object.values(SIGNS).map((sign) => [sign, t.review.marksTitle[sign]]);
  const parts = [[t.help.keysTitle, list(t.help.keys)], [t.help.ringsTitle, list(t.help.rings)], [t.help.marksTitle, list(marks)], [t.help.judgeTitle, el('p', { text: t.help.judge })]];
  root.replaceChildren(el('h2', { text: t.frame.help }), el('p', { text: t.help.what }), ...parts.flatMap(([title, body]) => [el('h3', { text: title }), body]));
}
