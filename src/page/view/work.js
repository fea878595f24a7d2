// The bar that is shown while the page waits for an answer. Its button stops the work.

import { stop, work } from './api.js';
import { byId } from './dom.js';
import { t } from './texts.js';

/** The delay before the bar is shown, in milliseconds. Faster answers show no bar. */
const PATIENCE = 400;

export function startWorkBar() {
  let timer = 0;
  work.addEventListener('change', () => {
    byId('work-text').textContent = work.loads ? t.frame.loading : t.frame.calculating;
    if (!work.asked.size) {
      clearTimeout(timer);
      timer = 0;
      byId('work').hidden = true;
    } else if (!timer) {
      timer = setTimeout(() => (byId('work').hidden = false), PATIENCE);
    }
  });
  byId('stop').addEventListener('click', stop);
}
