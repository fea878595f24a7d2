// Translates mouse, touch, pen and keyboard input on a board into actions of the game.

const LONG_PRESS = 380;
const SLACK = 10;

/**
 * Calls `handlers` with the index of a cell: `primary` (click, tap, space), `secondary` (right click, long press, f),
 * `digit` (0 to 8, or -1 for covered), `paint` (the pressed mouse moved there), `hover` (mouse or focus, or -1). Arrow keys move on any board.
 */
export function listen(board, grid, handlers) {
  const indexAt = (target) => {
    const cell = target?.closest?.('[role=gridcell]');
    return cell && grid.contains(cell) ? Number(cell.dataset.index) : -1;
  };
  grid.addEventListener('keydown', (event) => onKey(board, handlers, event));
  grid.addEventListener('focusin', (event) => {
    const index = indexAt(event.target);
    if (index >= 0) board.goTo(index, false);
    if (event.target.matches(':focus-visible')) handlers?.hover?.(index);
  });
  if (!handlers) return;
  grid.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && handlers.hover?.(indexAt(event.target)));

  let pressed = null;
  let swallowClick = false;
  const release = () => {
    if (pressed) clearTimeout(pressed.timer);
    pressed = null;
  };
  grid.addEventListener('pointerdown', (event) => {
    const index = indexAt(event.target);
    release();
    swallowClick = false;
    if (index < 0) return;
    if (event.pointerType === 'mouse') {
      if (event.button === 0) pressed = { index, last: index, mouse: true };
      if (event.button === 2) handlers.secondary(index);
      return;
    }
    pressed = { index, x: event.clientX, y: event.clientY };
    pressed.timer = setTimeout(() => {
      swallowClick = true;
      pressed = null;
      navigator.vibrate?.(20);
      handlers.secondary(index);
    }, LONG_PRESS);
  });
  grid.addEventListener('pointermove', (event) => {
    if (!pressed) return;
    if (pressed.mouse) {
      const index = indexAt(event.target);
      if (index < 0 || index === pressed.last || !(event.buttons & 1)) return;
      if (handlers.paint?.(index, pressed.last)) swallowClick = true;
      pressed.last = index;
    } else if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLACK) {
      release();
    }
  });
  grid.addEventListener('pointerup', release);
  grid.addEventListener('pointercancel', release);
  grid.addEventListener('contextmenu', (event) => {
    if (indexAt(event.target) >= 0) event.preventDefault();
  });
  grid.addEventListener('click', (event) => {
    const index = indexAt(event.target);
    if (index < 0 || swallowClick) {
      swallowClick = false;
      return;
    }
    board.goTo(index, false);
    handlers.primary(index, false);
  });
}

function onKey(board, handlers, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { width, height, current } = board;
  const [row, column] = [Math.floor(current / width), current % width];
  const steps = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, width - 1],
    PageUp: [0, column],
    PageDown: [height - 1, column],
  };
  if (event.key in steps) {
    const [r, c] = steps[event.key];
    event.preventDefault();
    board.goTo(Math.min(height - 1, Math.max(0, r)) * width + Math.min(width - 1, Math.max(0, c)));
    return;
  }
  if (!handlers) return;
  const act = (name, value) => {
    event.preventDefault();
    handlers[name]?.(current, value);
  };
  if (event.key === ' ' || event.key === 'Enter') act('primary', true);
  else if (event.key === 'f' || event.key === 'F') act('secondary');
  else if (/^[0-8]$/.test(event.key)) act('digit', Number(event.key));
  else if (event.key === '#' || event.key === 'Backspace' || event.key === 'Delete') act('digit', -1);
}
