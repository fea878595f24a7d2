// On a narrow screen, the panel beside the board is a sheet at its foot: closed, half or full.

import { el } from './dom.js';
import { t } from './texts.js';

const HEIGHTS = ['closed', 'half', 'full'];

/** Makes a panel a sheet. The event `wanted` opens it, `done` closes it. Returns `isOpen()` and `open()`. */
export function sheet(panel) {
  const handle = el('button', { type: 'button', class: 'handle' }, el('i'));
  const set = (height) => {
    panel.dataset.sheet = height;
    handle.setAttribute('aria-label', t.tutor.sheet[height]);
    handle.setAttribute('aria-expanded', height !== 'closed');
  };
  const open = () => panel.dataset.sheet === 'closed' && set('half');
  handle.addEventListener('click', () => set(HEIGHTS[(HEIGHTS.indexOf(panel.dataset.sheet) + 1) % HEIGHTS.length]));
  panel.prepend(handle);
  panel.addEventListener('wanted', open);
  panel.addEventListener('done', () => set('closed'));
  set('closed');
  return { open, isOpen: () => matchMedia('(max-width: 700px)').matches && panel.dataset.sheet !== 'closed' };
}
