// Starts the page: its tabs, and the address of the shown content.

import * as api from './api.js';
import { Desk } from './desk.js';
import { byId } from './dom.js';
import { startGamesTab } from './game.js';
import { newGameDialog } from './new_game.js';
import { openDialog } from './open.js';
import { startBoardTab } from './play.js';
import { fromAddress, fromField, isNumber, toAddress, toField } from './position.js';
import { startPuzzlesTab } from './puzzles.js';
import { startRunsTab } from './runs.js';
import { shareDialog } from './share.js';
import { startWorkBar } from './work.js';

const TABS = ['board', 'games', 'puzzles', ...(api.hasServer ? ['runs'] : [])];
const KEPT_GAME = 'mineflow.game';

let tab = null;
let hideNotice = 0;

function warn(error) {
  const notice = byId('notice');
  notice.textContent = error.message;
  notice.hidden = false;
  clearTimeout(hideNotice);
  hideNotice = setTimeout(() => (notice.hidden = true), 8000);
}

/** Returns the tab that an address names. */
const tabOf = (hash) => TABS.find((name) => hash === name || hash.startsWith(`${name}/`)) ?? 'board';

const here = () => location.hash.slice(1) || 'board';

function start() {
  for (const button of document.querySelectorAll('dialog')) {
    button.addEventListener('click', (event) => (event.target.closest('[data-close]') || event.target === button) && button.close());
  }
  byId('notice').addEventListener('click', () => (byId('notice').hidden = true));
  startWorkBar();
  // The first board doesn't wait for this answer; the forms and the analysis do.
  const about = api.about();
  about.then(({ version }) => {
    byId('version').textContent = version;
    // The service worker downloads the whole page. The delay lets the first analysis go first.
    if (!api.hasServer) setTimeout(() => navigator.serviceWorker?.register('sw.js').catch(() => {}), 1000);
  }, warn);

  const desk = new Desk();
  let followed = null;
  /** Sets the address of the shown content, unless the user has just changed the address and the page still has to follow it. */
  const setAddress = (hash) => {
    if (tabOf(hash) !== tab || here() !== followed) return;
    history.replaceState(null, '', `#${hash}`);
    followed = hash;
  };
  const games = startGamesTab(about, { warn, address: setAddress });
  const puzzles = startPuzzlesTab({ warn, address: setAddress });
  const runs = startRunsTab({ address: setAddress });
  const newGame = newGameDialog(desk, about);
  const goTo = (hash) => (location.hash = hash);
  let moved = 0;

  const showReplay = async (replay) => {
    (await games).show([replay]);
    goTo('games');
  };
  const judge = (game) => api.judge(game).then(showReplay).catch(warn);
  startBoardTab(desk, about, {
    newGame: () => newGame.show().catch(warn),
    open: openDialog(desk, {
      warn,
      showBoard: () => tab !== 'board' && goTo(boardAddress(desk)),
      showReplay,
      listGames: async (name, lines) => {
        (await games).list(name, lines);
        goTo('games');
      },
    }),
    share: shareDialog(desk),
    judge,
    warn,
    moved() {
      clearTimeout(moved);
      moved = setTimeout(() => {
        setAddress(boardAddress(desk));
        keepGame(desk);
      }, 200);
    },
  });

  function route() {
    const hash = here();
    const wanted = tabOf(hash);
    followed = hash;
    for (const name of TABS) {
      byId(`tab-${name}`).hidden = name !== wanted;
      const link = document.querySelector(`[data-tab=${name}]`);
      if (name === wanted) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const changed = tab !== wanted;
    if (changed && tab === 'runs') runs.leave();
    if (changed && tab === 'games') games.then((started) => started.pause(), warn);
    tab = wanted;
    document.title = wanted === 'board' ? 'mineflow' : `mineflow: ${wanted}`;
    if (wanted === 'board') showPosition(hash);
    if (wanted === 'games') games.then((started) => here() === hash && (hash === 'games' ? setAddress(started.address()) : started.follow(hash)), warn);
    if (wanted === 'puzzles') puzzles.follow(hash);
    if (wanted === 'runs' && changed) runs.enter(hash === 'runs' ? runs.address() : hash);
    if (wanted === 'runs') setAddress(runs.address());
  }

  /** Shows the position in the address. Without one, restores the game of this browser tab or starts a new game. */
  function showPosition(hash) {
    const named = fromAddress(hash.slice('board/'.length));
    if (named && desk.state && toAddress(named) === toAddress(desk.state)) return;
    const kept = keptGame();
    if (named && kept?.address === toAddress(named)) desk.load({ ...named, ...kept });
    else if (named && !named.cells.some(isNumber)) desk.newGame(named);
    else if (named) desk.load(named);
    else if (!desk.state) newGame.start();
    else setAddress(boardAddress(desk));
    if (hash.startsWith('board/') && !named) warn(new Error('The address names no position: a new game is shown.'));
  }

  addEventListener('hashchange', route);
  route();
}

const boardAddress = (desk) => `board/${toAddress(desk.state)}`;

/** Saves an unfinished game, so that reloading the page doesn't end it. */
function keepGame(desk) {
  const { state } = desk;
  try {
    if (!state.field || state.over) sessionStorage.removeItem(KEPT_GAME);
    else sessionStorage.setItem(KEPT_GAME, JSON.stringify({ address: toAddress(state), field: toField(state.field, state.width), moves: state.moves, deal: state.deal, seconds: desk.seconds }));
  } catch {
    // Without storage, only the position survives reloading the page.
  }
}

function keptGame() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_GAME));
    const isGame = Array.isArray(kept.moves) && Number.isFinite(kept.seconds);
    return isGame ? { ...kept, field: kept.field && fromField(kept.field) } : null;
  } catch {
    return null;
  }
}

start();
