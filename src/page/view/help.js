// The help: what the page is, its keys, and what its marks mean.

import { el } from './dom.js';
import { SIGNS } from './facts.js';
import { t } from './texts.js';

const list = (pairs) => el('dl', {}, ...pairs.flatMap(([name, meaning]) => [el('dt', { text: name }), el('dd', { text: meaning })]));

/** Fills the section of the help. */
export function showHelp(root) {
  root.replaceChildren(
    el('h2', { text: t.frame.help }),
    el('p', { text: t.help.what }),
    el('h3', { text: t.help.keysTitle }),
    list(t.help.keys),
    el('h3', { text: t.help.ringsTitle }),
    list(t.help.rings),
    el('h3', { text: t.help.marksTitle }),
    list(Object.values(SIGNS).map((sign) => [sign, t.review.marksTitle[sign]])),
    el('h3', { text: t.help.judgeTitle }),
    el('p', { text: t.help.judge }),
  );
}
