// Starts the page: its places, and the address of the shown content.

import * as api from './api.js';
import { playOf } from './codes.js';
import { Desk } from './desk.js';
import { byId, remembered } from './dom.js';
import { showHelp } from './help.js';
import { newGameDialog } from './new_game.js';
import { openDialog } from './open.js';
import { startBoard } from './play.js';
import { blank, fromAddress, fromField, isNoGuess, toAddress, toField } from './position.js';
import { startPractice } from './practice.js';
import { Review } from './review.js';
import { startRunsTab } from './runs.js';
import { shareDialog } from './share.js';
import { t, writeTexts } from './texts.js';
import { startWorkBar } from './work.js';

/** The section that shows each place. */
const SECTIONS = { play: 'board', board: 'board', review: 'review', practice: 'practice', help: 'help', ...(api.hasServer ? { runs: 'runs' } : {}) };
/** Addresses of earlier versions, and the places that took their content over. */
const MOVED = { games: 'review', puzzles: 'practice/guesses' };

let tab = null;
let hideNotice = 0;

function warn(error) {
  if (error.name === 'AbortError') return;
  const notice = byId('notice');
  notice.textContent = error.message;
  notice.hidden = false;
  clearTimeout(hideNotice);
  hideNotice = setTimeout(() => (notice.hidden = true), 8000);
}

/** Returns the address in its present form. */
function here() {
  const hash = location.hash.slice(1) || 'play';
  const [first] = hash.split('/');
  return first in MOVED ? MOVED[first] + hash.slice(first.length) : hash;
}

/** Returns the place that an address names. */
const placeOf = (hash) => (hash.split('/')[0] in SECTIONS ? hash.split('/')[0] : 'play');

function start() {
  writeTexts();
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => (event.target.closest('[data-close]') || event.target === dialog) && dialog.close());
  }
  byId('notice').addEventListener('click', () => (byId('notice').hidden = true));
  document.body.dataset.drop = t.frame.drop;
  showSource();
  startWorkBar();
  showHelp(byId('tab-help'));
  // The first board doesn't wait for this answer; the forms and the analysis do.
  const about = api.about();
  about.then(({ version }) => {
    byId('version').textContent = version;
    // The service worker downloads the whole page. The delay lets the first analysis go first.
    if (!api.hasServer) setTimeout(() => navigator.serviceWorker?.register('sw.js').catch(() => {}), 1000);
  }, warn);

  const desks = { play: new Desk(), board: new Desk() };
  let followed = null;
  /** Sets the address of the shown content, unless the user has just changed the address and the page still has to follow it. */
  const setAddress = (hash) => {
    if (placeOf(hash) !== tab || here() !== followed) return;
    history.replaceState(null, '', `#${hash}`);
    followed = hash;
  };
  const goTo = (hash) => (location.hash = hash);
  /** Shows a position in Analyse. `editing`: clicks set cells. */
  const analyse = (position, editing = false) => {
    desks.board.load(position);
    if (editing) desks.board.edit(true);
    goTo(`board/${toAddress(position)}`);
  };
  /** Plays on from a position of a game. */
  const playHere = (state) => {
    desks.play.load({ ...state, cells: state.cells.map((code) => (code > 8 ? -1 : code)), from: state.moves.length });
    goTo('play');
  };
  let moved = 0;
  const openNew = newGameDialog(desks.play, about, { edit: (board) => analyse({ ...board, cells: blank(board.width, board.height) }, true) });
  const board = startBoard(desks, about, {
    more: () => openNew.then((show) => show(), warn),
    review: (address, learn) => (review.then((started) => (started.learnNext = learn), warn), goTo(address)),
    warn,
    moved(place) {
      clearTimeout(moved);
      moved = setTimeout(() => {
        if (tab !== place) return;
        setAddress(place === 'play' ? 'play' : `board/${toAddress(desks.board.state)}`);
        if (place === 'play') keepGame(desks.play);
      }, 200);
    },
  });
  const placeHooks = { warn, address: setAddress, analyse, playHere, goTo, openFiles: () => open(), takeFiles: (files) => takeFiles(files) };
  const review = about.then((known) => new Review(known, placeHooks));
  const inReview = async (act) => {
    goTo('review');
    act(await review);
  };
  const practice = startPractice(about, { warn, address: setAddress, goTo });
  const runs = startRunsTab({ address: setAddress });
  const { open, takeFiles } = openDialog(desks.board, {
    warn,
    goTo,
    showBoard: () => goTo(`board/${toAddress(desks.board.state)}`),
    playField: (game) => {
      desks.play.newGame(game);
      goTo('play');
    },
    showReplay: (replay) => inReview((place) => place.show(replay)),
    listGames: (name, sources) => inReview((place) => place.folder(name, sources)),
  });
  byId('open').addEventListener('click', open);
  const share = shareDialog();
  byId('share').addEventListener('click', async () => share(tab === 'review' ? { replay: (await review).shown() } : { desk: board.desk, place: board.place }));

  function route() {
    const hash = here();
    const wanted = placeOf(hash);
    followed = hash;
    if (!(hash.split('/')[0] in SECTIONS)) warn(new Error(t.frame.noPlace));
    if (location.hash && hash !== location.hash.slice(1)) history.replaceState(null, '', `#${hash}`);
    for (const id of new Set(Object.values(SECTIONS))) byId(`tab-${id}`).hidden = id !== SECTIONS[wanted];
    for (const link of document.querySelectorAll('[data-tab]')) link.ariaCurrent = link.dataset.tab === wanted ? 'page' : null;
    const changed = tab !== wanted;
    if (changed && tab === 'runs') runs.leave();
    if (changed && tab === 'review') review.then((started) => started.viewer.pause(), warn);
    tab = wanted;
    document.title = t.titles[wanted];
    byId('share').hidden = !['play', 'board', 'review'].includes(wanted);
    if (wanted === 'play') showGame(hash);
    if (wanted === 'board') showPosition(hash);
    if (wanted === 'review') review.then((started) => here() === hash && started.follow(hash), warn);
    if (wanted === 'practice') practice.follow(hash);
    if (wanted === 'runs' && changed) runs.enter(hash === 'runs' ? runs.address() : hash);
    if (wanted === 'runs') setAddress(runs.address());
  }

  /** Shows the game in the address; without one, the kept game or a new one. */
  function showGame(hash) {
    const shared = playOf(hash);
    if (!desks.play.state) restoreGame(desks.play) || shared || board.chips.start();
    const { state } = desks.play;
    const own = shared && state?.moves.length && !state.over ? state : null;
    if (shared) desks.play.replayMines({ ...shared, deal: { shared: true, noGuess: shared.noGuess }, own });
    if (own) warn(new Error(t.play.ownKept));
    if (hash.includes('/') && !shared) warn(new Error(t.frame.noGame));
    board.enter('play');
    setAddress('play');
  }

  /** Shows the position in the address; without one, that of the game. */
  function showPosition(hash) {
    const named = fromAddress(hash.slice('board/'.length));
    const { state } = desks.board;
    if (named && !(state && toAddress(named) === toAddress(state))) desks.board.load(named);
    if (!named && !state) {
      if (!desks.play.state) restoreGame(desks.play) || board.chips.start();
      const { width, height, mines, firstClick, cells } = desks.play.state;
      desks.board.load({ width, height, mines, firstClick, cells: cells.map((code) => (code > 8 ? -1 : code)), noGuess: isNoGuess(desks.play.state) });
    }
    if (hash.includes('/') && !named) warn(new Error(t.frame.noPosition));
    board.enter('board');
    setAddress(`board/${toAddress(desks.board.state)}`);
  }

  addEventListener('hashchange', route);
  // The time of the game goes on from here when the page is loaded again.
  for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, () => desks.play.state && keepGame(desks.play));
  route();
}

/** Links to the source on pages of GitHub; other pages don't know where it is. */
function showSource() {
  const owner = /^([^.]+)\.github\.io$/.exec(location.hostname)?.[1];
  if (!owner) return;
  byId('source').href = `https://github.com/${owner}/${location.pathname.split('/')[1]}`;
  byId('source').hidden = false;
}

/** Saves a game, so that reloading the page doesn't end it. Of a game that has ended, the position before its last move is saved. */
function keepGame({ state, past, seconds, hints }) {
  const { field, width, moves, deal, beat } = state;
  const ended = state.over !== null;
  remembered.write('game', field ? JSON.stringify({ field: toField(field, width), moves, address: toAddress(ended ? past.at(-1) : state), deal, beat, seconds, hints, ended, from: state.from }) : '');
}

/** Restores the saved game. Returns whether there is one. */
function restoreGame(desk) {
  try {
    const kept = JSON.parse(remembered.read('game', ''));
    const position = fromAddress(kept.address);
    const field = fromField(kept.field);
    if (!position || field.length !== position.cells.length || !Array.isArray(kept.moves) || !Number.isFinite(kept.seconds)) return false;
    const moves = kept.moves.filter(({ cells }) => Array.isArray(cells)).map((move) => ({ kind: 'open', cell: move.cells[0], ...move }));
    const last = kept.ended ? moves.pop() : null;
    desk.load({ ...position, field, moves, deal: kept.deal ?? null, beat: kept.beat ?? null, seconds: last?.at ?? kept.seconds, runs: !last && kept.seconds > 0, hints: kept.hints ?? 0, from: kept.from ?? 0 });
    if (last) desk.open(last.cells, last.kind, last.cell);
    return true;
  } catch {
    return false;
  }
}

start();
