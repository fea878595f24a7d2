// Creates elements. All text is inserted as text, never as HTML.

/** Creates an element with attributes, properties (`class`, `text`, `on`) and children. Values that are null or false are left out. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'text') element.textContent = value;
    else if (key === 'class') element.className = value;
    else if (key === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Fills a list with the elements of the first `few` of these items, and of all that are wanted. Returns a button that shows all, or an empty text. */
export function fewFirst(list, items, few, create, words, isWanted = () => false) {
  const first = items.filter((item, at) => at < few || isWanted(item));
  list.replaceChildren(...first.map(create));
  const more = el('button', { type: 'button', class: 'quiet', text: words(items.length), on: { click: () => (list.replaceChildren(...items.map(create)), more.remove()) } });
  return items.length > first.length ? more : '';
}

/** Scrolls a list, and nothing else, so that its current line is seen. */
export function showCurrent(list) {
  const line = list.querySelector('[aria-current]') ?? list;
  const by = line.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (by < 0 || by + line.offsetHeight > list.clientHeight) list.scrollTop += by;
}

/** Returns the listeners by which an element lights up groups of cells while the pointer or the focus is on it. */
export const lights = (highlight, groups) => {
  const [on, off] = [() => highlight(groups), () => highlight({})];
  return { mouseenter: on, mouseleave: off, focusin: on, focusout: off };
};

/** Creates an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'text') element.textContent = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Moves the focus to the current cell of the board. */
export const focusBoard = () => byId('board').querySelector('[tabindex="0"]')?.focus();

export const byId = (id) => document.getElementById(id);

/** Formats a share in percent, by default with one decimal. It is shown as 0 or 100 only if it is exactly that. */
export function percent(share, decimals = 1) {
  if (share === null || share === undefined) return '–';
  const value = share * 100;
  const least = 10 ** -decimals;
  if (value > 0 && value < least) return `<${least}`;
  if (value < 100 && value > 100 - least) return `>${(100 - least).toFixed(decimals)}`;
  return value.toFixed(decimals);
}

/** Formats a cell as its row and column, counted from 1. */
export const cellName = ([row, column]) => `(${row + 1}, ${column + 1})`;

/** Formats the time of a game: `1:02`. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;

/** Formats a time with its tenths: `1:02.5`. */
export const tenths = (seconds) => `${clock(seconds)}.${Math.floor((seconds % 1) * 10 + 1e-6)}`;

/** Formats a computing time: `12 s`, `3.4 min`, `2.1 h`. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '';
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

let saying = 0;

/** Announces an event to users of screen readers. */
export function announce(text) {
  const place = byId('announcement');
  clearTimeout(saying);
  saying = setTimeout(() => (place.textContent = text), 50);
}

/** Whether a stored value has the type of `model`: lists have items like its first item, and all numbers are whole. */
function isLike(value, model) {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((item) => isLike(item, model[0]));
  if (typeof model === 'number') return Number.isSafeInteger(value) && value >= 0;
  return value !== null && typeof value === typeof model && !Array.isArray(value);
}

/** Stores settings in the browser, if it allows. A value of another type than `otherwise`, of another version, counts as missing. */
export const remembered = {
  read(key, otherwise) {
    try {
      const value = JSON.parse(localStorage.getItem(`mineflow.${key}`));
      if (!isLike(value, otherwise)) return otherwise;
      if (typeof otherwise !== 'object' || Array.isArray(otherwise)) return value;
      const good = Object.entries(value).filter(([name, part]) => !(name in otherwise) || isLike(part, otherwise[name]));
      return { ...otherwise, ...Object.fromEntries(good) };
    } catch {
      return otherwise;
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(`mineflow.${key}`, JSON.stringify(value));
    } catch {
      // A browser that stores nothing forgets the setting.
    }
  },
};
