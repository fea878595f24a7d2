// Every text of the page, in English. Another language is another module with the same names.
//
// A text with `{name}` gets an element or a value in that place. Functions take what they count.

const s = (count, word, words = `${word}s`) => `${count} ${count === 1 ? word : words}`;
const dot = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What a first click does if the mines are dealt after it. */
const dealtAfter = { safe: 'Open any cell: the mines are dealt after it, and it is safe.', opening: 'Open any cell: the mines are dealt after it, and it is a 0 if they leave room for one.' };

export const t = {
  places: { label: 'Places', play: 'Play', review: 'Review', practice: 'Practice', analyse: 'Analyse a position', lab: 'Lab' },
  titles: { play: 'mineflow', board: 'mineflow: analyse', review: 'mineflow: review', practice: 'mineflow: practice', runs: 'mineflow: lab', help: 'mineflow: help' },
  frame: {
    open: 'Open', share: 'Share', help: 'Help', source: 'Source', stop: 'Stop', cancel: 'Cancel', close: 'Close', copy: 'Copy', copied: 'Copied', byHand: 'Mark it and copy by hand',
    board: 'Board', game: 'Game', drop: 'Drop it to open it', more: 'More', showAll: (count) => `Show all ${count}`,
    calculating: 'Calculating…', loading: 'Loading a model…', stopped: 'You stopped the calculation.',
    noAnswer: 'The server does not answer. Is pipeline serve still running?', noSentence: (status) => `The server answered ${status} without a sentence.`, answered: (status) => `The server answered ${status}.`,
    noPosition: 'The address names no position.', noGame: 'The address names no game.', noPlace: 'The address names nothing on this page.',
  },
  counted: {
    game: (count) => s(count, 'game'), mine: (count) => s(count, 'mine'),
    file: (count) => s(count, 'file'), step: (count) => s(count, 'step'),
  },
  board: {
    place: (row, column) => `row ${row}, column ${column}`, covered: 'covered', flag: 'flag', exploded: 'the mine that was opened', mine: 'mine', wrongFlag: 'flag without a mine', empty: 'empty',
    safe: 'safe', aMine: 'a mine', chance: (percent) => `mine ${percent} %`,
  },
  play: {
    levels: 'Levels', level: { beginner: 'Beginner', intermediate: 'Intermediate', expert: 'Expert' }, more: 'More…', noGuess: 'No guess', noGuessTitle: 'Boards that can be won without a guess',
    minesLeft: 'Mines left', time: 'Time', again: 'New game', againTitle: 'New mines on the same board (N)', same: 'Same mines', sameTitle: 'Play the same mines again (R)',
    flag: 'Flag', flagTitle: 'A tap sets a flag', undo: 'Undo', undoTitle: 'Undo (U)', redo: 'Redo', redoTitle: 'Redo (Ctrl Y)', hint: 'Hint', hintTitle: 'Where, why, do it (?)',
    zoom: 'Size of the cells', smaller: 'Smaller cells', larger: 'Larger cells',
    odds: 'Odds', oddsTitle: 'Show how likely each cell is a mine (H)', coach: 'Coach', coachTitle: 'Speaks only after a blunder', less: 'Subtract known mines', lessTitle: 'Numbers show what is left when proved mines are taken away',
    won: 'Won', lost: 'Lost', editing: 'Editing', opened: (count, safe) => `Opened ${s(count, 'cell')}. ${safe ? `${s(safe, 'cell')} can be proved safe.` : 'No cell can be proved safe.'}`,
    size: (width, height, mines, share) => `${width}×${height}, ${s(mines, 'mine')} (${share} %)`,
    rule: { safe: 'the first click is safe', opening: 'the first click opens a 0', any: 'the first click may be a mine' },
    seed: (seed, game) => `seed ${seed}, game ${game}`, noGuessNeeded: (level) => `no guess needed${level ? ` (${level})` : ''}`, unknown: 'the mines are not known', shared: 'a shared game',
    first: { ...dealtAfter, any: 'Open any cell. It may be a mine, like any other.' },
    ownKept: 'Your own game is kept: Undo brings it back.', beat: (time) => `A friend shared this game. Beat ${time}.`, dealt: 'Open any cell. The mines of this game are fixed already: it may be one.',
  },
  tutor: {
    label: 'Tutor', ready: 'Stuck? Press Hint, or ?, and the tutor shows where, then why. W asks about the cell you are on.', readyToTouch: 'Stuck? Press Hint, and the tutor shows where, then why. While the tutor is open, a tap on a cell asks about it.', hintOf: (step) => `hint ${step} of 3`,
    whereTitle: 'Look here', where: (place) => `Something can be proved in the marked part: ${place}.`, whereMine: (place) => `A mine can be proved in the marked part: ${place}.`, within: (top, bottom, left, right) => `rows ${top} to ${bottom}, columns ${left} to ${right}`, next: 'Why?', doOpen: (count) => (count === 1 ? 'Open it' : 'Open them'), doFlag: 'Flag it', doGuess: 'Open it', another: 'Another reason',
    guessTitle: 'You must guess', mustGuess: 'No cell is proved safe: you must guess.', isOpen: 'This cell is open.', guessNext: 'Which cell?', best: 'Best: {cell}. It is a mine in {mine} of 100. If it is safe, you can prove something next in {progress} of 100.',
    coachGuess: (percent) => `That was a guess (${percent} %). A safe cell was proved.`, coachMine: 'That cell was proved to be a mine.', showMe: 'Show me', takeBack: 'Take it back', coach: 'Coach',
    notProved: 'Not proved', unlisted: 'It is proved, but boards of this size have reasons for the 5,000 easiest cells only.', chance: (percent) => `A mine in ${percent} of 100 of the layouts that fit.`, butSafe: 'Another cell is proved safe.', nowhere: 'No cell is proved safe here: it is a guess.', firstClick: 'The first click',
    refused: 'No analysis', tooHard: 'Too hard to judge', contradiction: 'These numbers can’t all be true', outlined: 'They are outlined on the board. Change one of them.',
    sheet: { closed: 'Open the tutor', half: 'Enlarge the tutor', full: 'Close the tutor' },
  },
  why: {
    theNumber: (number) => `the ${number} at `, numbersAre: (places) => `Ringed: ${places}`, hatched: 'hatched cells', hatchedAre: (places) => `Hatched: ${places}`, areMines: (places, many) => `${places} ${many ? 'are mines' : 'is a mine'}`, areSafe: (places, many) => `${places} ${many ? 'are' : 'is'} safe`,
    safe: 'Safe', mine: 'A mine', chain: (count) => `A chain of ${s(count, 'step')}`, step: (at, of) => `${at} of ${of}`,
    titles: { number: 'One number', after: 'A number that is full', pair: 'Two numbers', count: 'The mine count', ways: 'Only a few ways', layouts: 'All layouts' },
    known: 'With the mines known so far, ', full: '{A} has its mines: its other cells are safe.', fullOne: '{A} has its mines: the cell is safe.', needs: (count) => `{A} needs ${s(count, 'more mine')} and has only ${count === 1 ? 'one covered cell' : `${count} covered cells`}: ${count === 1 ? 'it is a mine' : 'all of them are mines'}.`,
    pair: (more) => `{B} needs ${more === 1 ? 'one' : more} more than {A} and has only ${more === 1 ? 'one cell that {A} has not. That cell is a mine' : `${more} cells that {A} has not. Those cells are mines`}; the cells that only {A} has are safe.`,
    pairMines: (more) => `{B} needs ${more === 1 ? 'one' : more} more than {A} and has only ${more === 1 ? 'one cell that {A} has not. That cell is a mine.' : `${more} cells that {A} has not. Those cells are mines.`}`,
    subset: 'All cells of {A} belong to {B}, too, and both need the same. The mines of {B} are among the hatched cells: its other cells are safe.',
    pairName: (low, high) => `${low}-${high}`,
    after: (count) => `{A} needs ${count === 1 ? 'its only covered cell: it is a mine' : 'all its covered cells: they are mines'}. So {B} has its mines: its other cells are safe.`,
    still: (low, high) => `With the mines known so far, {A} still needs ${low} and {B} still needs ${high}. `,
    pairOther: (low, high) => `{A} needs ${low} and {B} needs ${high}, and they share the hatched cells. Together they leave no other way for the framed cells.`,
    countSafe: 'All mines of the board are known: every other cell is safe.', countMines: 'As many mines are left as covered cells: all of them are mines.', countAround: 'All mines that are left lie around the ringed numbers, which have no cell in common: every other cell is safe.', countRest: 'The mines around the ringed numbers are too few for the mines that are left: all other cells are mines.',
    around: 'The layouts of the mines around the ringed numbers were counted. {result}',
    ways: (count, result) => `The cells around these numbers can hold their mines in only ${s(count, 'way')}. ${result}`, leaf: 'Leaf through them', way: (at, of) => `way ${at} of ${of}`, inAllSafe: 'In none of them is a mine here.', inAllMine: 'In all of them is a mine here.',
    layouts: (count) => (count === '1' ? 'Only one layout of the mines fits: it decides every cell.' : `All ${count} layouts of the mines that fit were counted. {result}`), noLayout: 'None has a mine here.', allLayouts: 'All have a mine here.',
    patterns: 'Practise this', ring: { A: 'blue ring', B: 'violet ring' }, ringed: (number, row, column, ring) => `${number}, ${ring}, row ${row}, column ${column}`,
  },
  end: {
    won: 'You won', lost: 'You lost', time: 'Time', bv: '3BV', luck: 'Luck', marks: 'Marks', hints: 'Hints', learn: 'Learn from them', review: 'Review', again: 'New game', same: 'Same mines', takeBack: 'Take it back', judging: 'judging…', notJudged: 'not judged', none: 'no mistake',
    wasMine: (percent) => `You opened a mine in ${percent} of 100 such cases.`, wasGuess: (percent) => `You opened a cell that is a mine in ${percent} of 100 cases, although a safe cell was proved.`, beaten: (time) => `You beat ${time}.`, notBeaten: (time) => `${time} is still to be beaten.`,
    luckTitle: 'What the guesses turned out to be worth, less their expectations, in points of the chance to win',
  },
  analyse: {
    edit: 'Edit', editTitle: 'Set numbers yourself (E)', odds: 'Odds', oddsTitle: 'Show how likely each cell is a mine (H)', palette: 'Set cells to', toolStep: 'Step', toolStepTitle: 'Each click sets the next number', toolCovered: 'Covered', toolFlag: 'Flag', toolNumber: (number) => `Number ${number}`, mines: 'Mines', coverAll: 'Cover all',
    try: 'Try a number here:', tryTitle: (number) => `Suppose it shows ${number}; Undo takes it back`, off: 'Odds are off. Press Odds to see how likely each cell is a mine and what players would do.',
    wonTitle: 'The game is won', won: 'Every cell without a mine is open.', safe: (count) => `${s(count, 'cell')} ${count === 1 ? 'is' : 'are'} safe`, mine: (count) => `${s(count, 'cell')} ${count === 1 ? 'is a mine' : 'are mines'}.`, firstTitle: 'The first click',
    first: { ...dealtAfter, any: 'It may be a mine, like any other.' }, guess: 'A guess', best: (cell, count, percent) => `No cell is proved safe. ${cell} is the best of ${count}: a mine in ${percent} of 100 cases.`,
    exact: 'to win, exact', estimate: 'to win, a rough estimate', rolled: 'to win', exactTitle: 'Exact chance to win from here by best play', estimateTitle: 'Estimated chance to win from here by good play',
    oneLayout: 'One layout of the mines fits.', fit: ' layouts of the mines fit.', whySafe: 'What is proved', reasons: (words, count) => `${words} (${count} times)`, players: 'What players would do', cantSay: (error) => `can’t say: ${error}`,
    begins: (cell) => `begins at ${cell}`, opens: (cell) => `opens ${cell}, which is safe`, opensMany: (count, cell) => `opens ${count} safe cells, first ${cell}`, guesses: (cell, percent) => `guesses ${cell}${percent === null ? '' : `, a mine in ${percent} of 100`}`, least: (percent) => `the safest is a mine in ${percent} of 100`, solutions: (mines, all, cells) => `a mine in ${mines} of ${all} solutions of these ${s(cells, 'cell')}`, reckons: (percent) => `it reckons ${percent} of 100`, tied: (count, draws) => `${count} cells tie${draws ? ', and lots are drawn' : ''}`, by: { endgame: 'by optimal play, because few layouts are left', 'even-first': 'a 50/50 that no play avoids' }, rule: (name) => `by its rule ${name}`, says: (why) => `it says: ${why}`,
    columns: [['Cell', 'Row and column, counted from 1'], ['Mine', 'Chance that it is a mine, per cent'], ['Progress', 'Probability that some cell is then proved safe, per cent'], ['2 steps', 'Two-step safety: chance to live through this guess and the next move, per cent'], ['Win', 'Chance to win after this guess, per cent: exact near the end, else an estimate'], ['Shows', 'How likely each number 0 to 8 is'], ['Who', 'The asked players that would open it']],
    candidates: 'Candidates, best first', asked: (names) => (names.length ? `Players asked: ${names.join(', ')}` : 'No player is asked'), ownPlayer: 'A recipe of your own: start with ',
  },
  newGame: {
    title: 'New game', board: 'Board', own: 'Your own', columns: 'Columns', rows: 'Rows', mines: 'Mines', first: 'The first click', rules: { safe: 'is safe', opening: 'opens a 0', any: 'may be a mine' }, guesses: 'Guesses', seed: 'Seed', game: 'Game', any: 'any',
    levels: [['', 'may need guesses'], ['any', 'needs no guess'], ['single-numbers', 'no guess: single numbers are enough'], ['pairs', 'no guess: pairs of numbers are needed'], ['whole-count', 'no guess: the whole count is needed']],
    same: 'The same seed, game and first click give the same mines.', edit: 'Empty board to edit', play: 'Play', whole: 'Columns, rows and mines are whole numbers.', cells: (cells, most) => `The board has ${cells} cells; this server takes at most ${most}.`, full: (mines, width, height) => `${mines} mines leave no cell free on ${width}×${height}.`,
  },
  openDialog: {
    title: 'Open a position, a game or many', about: 'Paste a .mine text, rows of a board, a saved game, or a link to JSMinesweeper. Or choose files: replays (.avf, .evf, .mvf, .rmv, RawVF), .mine, .mbf, .txt, or a games.jsonl of one game or many. You can also drop files or a folder of replays anywhere on the page.',
    text: 'Text or link', file: 'Files', nothing: 'Paste something, or choose a file.', tooLong: (name, bytes, most) => `${name} has ${bytes} bytes; at most ${most} are read.`, pasted: 'Pasted games',
  },
  shareDialog: {
    title: 'Share', game: 'This game: a friend plays the same mines', gameWarn: 'The link holds the mines: whoever reads it can find them.', position: 'This position: to look at, clicks write nothing', judged: 'This judged game', picture: 'Save a picture', asText: 'As text', asMine: 'As .mine text', saveMine: 'Save .mine', saveMbf: 'Save .mbf', withMines: 'with the mines of this game', tick: 'Tick “with the mines of this game” to save an .mbf.', open: 'Open', more: 'Other formats',
    line: (board, result) => `mineflow, ${board}: ${result}`, won: (time, bv) => `won in ${time} (3BV ${bv})`, lost: (time) => `lost after ${time}`,
  },
  review: {
    listTitle: 'Your last games', noGames: 'Games that you finish in Play are kept here, in this browser. Open a replay, or drop a folder of replays.', when: (date) => date.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }), openFolder: 'Open replays…', folder: 'Open a folder…', watch: 'Watch a player', watchAbout: 'A player of ours plays a game, and you step through it.',
    player: 'Player', beside: 'Beside it', nobody: 'nobody', play: 'Play', playing: 'Playing…', kept: 'Games at this server', keptNone: 'The server was started without saved games. pipeline eval --keep-games N writes some; pipeline serve --replays FILE lists them here.', notSaved: 'not a saved game',
    line: (index, player, board, end, moves) => `${index}: ${player} on ${board}, ${end}, ${s(moves, 'move')}`, game: (name, result, time) => `${name}, ${result}${time ? ` ${time}` : ''}`,
    heading: (end, moves) => `${end} after ${s(moves, 'move')}`, you: 'You', winAt: (percent) => `${percent} % to win`, graph: 'Chance to win at each decision, per cent', legend: 'Grey drops are luck, red drops are you.', decisions: 'Moves that were not certain', move: (step, of) => (step < of ? `Move ${step + 1} of ${of}` : `End, ${s(of, 'move')}`), slider: 'Move', steps: 'Steps', first: 'First', back: 'Back', next: 'Next', last: 'Last', playIt: 'Play', pause: 'Pause', odds: 'Odds', oddsTitle: 'Show how likely each cell is a mine', analyse: 'Analyse', playHere: 'Play from here', same: 'Play the same mines', besideTitle: 'Another player on these mines: ', boardOf: (name) => `Board of ${name}`,
    opens: 'opens', open: 'open', flags: 'flags', flag: 'flag', unflags: 'takes the flag from', unflag: 'take the flag from', around: (cell) => `around ${cell}`, andMore: (names, count) => `${names} and ${count} more`,
    verdicts: { certain: 'certainly safe', 'first-click': 'the first click', '50/50': 'a 50/50 that no play avoids', guess: 'a guess', needless: 'a needless guess', 'known-mine': 'certainly a mine' }, mineIn: (percent) => `a mine in ${percent} of 100 cases`, better: (cell, safe, points) => `${cell} is ${safe ? 'safe and ' : ''}${points} better`, luckOf: (points) => `luck ${points}`, points: (value) => `${value} points`, unfinished: 'The game is unfinished.', ended: (who, end) => `${who} ${end}.`, end: { won: 'won', lost: 'lost', unfinished: 'unfinished' },
    sentence: (parts) => `${parts.join('; ')}.`, moveLine: (at, parts) => `Move ${at} ${parts.join('; ')}.`,
    facts: { result: 'Result', time: 'Time', bv: '3BV', bvs: '3BV/s', clicks: 'Clicks', efficiency: 'Efficiency', pluck: 'pLuck', luck: 'Luck', cost: 'Own mistakes', survival: 'All guesses safe', corrected: 'Result less luck', unjudged: 'Not judged' },
    factTitles: { bv: 'The least number of left clicks that open the board', clicks: 'Clicks that changed the board', efficiency: '3BV per click', pluck: 'The sum of −log10 of the chances of the guesses that were survived', luck: 'What the guesses turned out to be worth, less their expectations, both as a model of the chance to win reckons them; 0 on average', cost: 'How much worse the moves were than the best ones, in points of the chance to win, with the error of the estimates', survival: 'The product over all guesses', corrected: '100 points for a game won, 0 for a game lost, less the luck: of one game, it may be below 0 or above 100; its mean over many games is the win rate in per cent', unjudged: 'Too hard to count; the sums leave them out' }, of100: (percent) => `${percent} of 100`, moves: (count) => s(count, 'move'),
    marksTitle: { '??': 'blunder: opened a proved mine, or guessed although a safe cell was proved', '?': 'mistake: a guess that loses 5 points or more, and more than the error of the loss', '?!': 'inaccuracy: a guess that loses 2 to 5 points, and more than the error of the loss', '!': 'good find: the best cell, although another is safer', '=': 'forced: no choice is worse than another by 2 points' },
    learn: 'Learn from your mistakes', learnOf: (at, of) => `Learn from your mistakes, ${at} of ${of}`, learnGuess: (percent) => `You opened this cell, a mine in ${percent} of 100.`, learnSafe: 'A cell was proved safe. Find it.', learnMine: 'It was proved to be a mine. Find a safe cell.', learnBetter: 'Find a better cell.', right: 'Right.', wrongSafe: 'No: that cell is not proved safe. Try again.', wrongBetter: 'No: another cell is better. Try again.', show: 'Show me', skip: 'Skip', nextOne: 'Next', done: 'Done', betterAt: (place) => `Better: ${place}.`, learned: 'These are all.', noMistakes: 'No mistake in this game.', noneJudged: 'No mistake in the moves that could be judged.',
    ladder: (games) => `${s(games, 'game')} judged`, judging: (at, of) => `Judging game ${at} of ${of}…`, lostByMistakes: 'Lost by own mistakes, a game', lostByLuck: 'Luck, a game', rung: 'Ladder', noRung: { boards: 'No place: the games are on several kinds of boards.', board: 'No place: our players have no figures on this board.', few: (games) => `No place from fewer than ${games} games.` }, likes: (player, isWorse, own, points) => `You guess ${isWorse ? 'worse than' : 'like'} ${player} (${own} points lost a game by guesses, ${player} ${points})`, habits: 'The costliest habits', habit: { 'needless-early': 'Guessing at the start although a safe cell was proved', needless: 'Guessing although a safe cell was proved', 'known-mine': 'Opening a proved mine', border: 'A worse guess next to numbers', away: 'A worse guess away from the numbers', endgame: 'A worse guess near the end' }, habitLine: (words, points, times) => `${words}: ${points}, ${times === 1 ? 'once' : `${times} times`}`, notRead: (name, error) => `${name}: ${error}`, few: 'Fewer than 20 games say little.', folderName: 'Opened games',
  },
  practice: {
    parts: 'Kinds of practice', patterns: 'Patterns', guesses: 'Guesses', mistakes: 'My mistakes', first: 'First click',
    lessonsTitle: 'Twelve lessons', lessonsAbout: 'Mark everything that can be proved: click a cell you know to be safe, right-click one you know to be a mine (or press Mine first, then click). Positions come from games without guesses.', lessons: ['Numbers that need all', 'Numbers that are full', 'Chains of numbers', '1-1', '1-2', 'Other pairs', 'Two steps with a pair', 'Three steps', 'Four steps and more', 'The mine count', 'Only a few ways', 'All layouts'], lesson: (at, name) => `${at}. ${name}`, done: (right, of) => `${right} of ${of}`, found: (found, all) => `${found} of ${all} found`, wrong: 'That is not proved here.', other: 'Something is proved of that cell, but not this.', check: 'Show the rest', nextOne: 'Next position', all: 'All found.', unmarked: (count) => `${count} more ${count === 1 ? 'cell' : 'cells'} could be proved.`, mark: 'Mark everything you can prove.', mineMode: 'Mine',
    today: 'Today’s hundred', easy: 'easy', medium: 'medium', hard: 'hard', level: 'Level', anyLevel: 'any', kind: 'Kind', known: 'Known', anyWay: 'any way', exactly: 'exactly', byRollOuts: 'by roll-outs', allKinds: 'all', question: (board, rule) => `${board}. No cell is proved safe; the first click ${rule}. Which cell do you open?`, firstQuestion: (board, rule) => `${board}. The first click ${rule}. Which cell do you open?`, answer: 'Show the answer', next: 'Next puzzle', status: (all, found) => `${s(all, 'puzzle')}, ${found} found`, foundMark: 'found', missedMark: 'missed', puzzle: 'Puzzle',
    kinds: { opening: 'opening moves', small: 'small boards', endgame: 'ends of games', 'safest-loses': 'the safest cell is wrong', 'equal-safety': 'equally safe, not equally good', 'dead-cell': 'a safe-looking cell tells nothing', 'even-chance': 'a 50/50 to take now', 'away-from-numbers': 'far from the numbers', corner: 'corners', 'mine-count': 'the mines left decide' },
    bestIs: (names, many, percent) => `Best: ${names}, which ${many ? 'win' : 'wins'} ${percent} %.`, rightMany: (percent) => `Right: no cell wins more than ${percent} %.`, rightOne: (percent) => `Right: it wins ${percent} %, more than any other.`, rightWithin: 'Right: no other cell is better beyond the error.', yours: (cell, words, names, percent) => `${cell} ${words}. Best: ${names}, with ${percent} %.`, wins: (percent) => `wins ${percent} %`, isMine: 'is a mine', notTried: 'was not tried', heads: ['Cell', 'Mine %', 'Win %'], more: ['95 % interval', 'Behind the best'], who: 'Who opens it', isBest: 'best', interval: (low, high) => `${low} to ${high}`, exact: (layouts) => `Exact: all play is searched, over ${s(layouts, 'layout')} of the mines.`, rolled: (player, lines) => `${player}${player === '10.0-fast' ? ', the player before 11.0-fast,' : ''} played on ${lines} times after each of these cells, on the same layouts; the luck of its guesses is taken out.`, analyse: 'Analyse this position',
    mistakesTitle: 'My mistakes', mistakesAbout: 'Mistakes of your own games come again after 1, 3 and 7 days, until you find the better cell three times.', due: (count) => `${s(count, 'mistake')} to look at today.`, noneDue: (count) => (count ? `Nothing for today; ${s(count, 'mistake')} will come again.` : 'No mistakes are kept. Play a game and let it be judged.'), start: 'Start',
    firstTitle: 'The first click: where it wins most', firstAbout: (games, error) => `Each cell shows how many of 100 games 11.0-fast wins if it opens that cell first: ${games.toLocaleString('en')} games a cell, each chance within ${error} (95 %). Cells at the same distances from the edges share their games, and from the fourth row and column on all do.`, firstRule: { opening: 'It opens a 0', safe: 'It is safe' }, firstChance: (percent) => `wins ${percent} of 100`,
  },
  lab: {
    models: 'Models', stage: 'Stage', state: 'State', cpu: 'CPU time', files: 'Files', none: 'No runs', start: 'Start with ', startMore: ' to watch the runs in a folder, such as that of ', upToDate: (done, all) => `${done} of ${s(all, 'stage')} finished`, more: (count) => `${count} more`, states: { 'up-to-date': 'finished', stale: 'stale', 'not-run': 'not run', running: 'running', interrupted: 'interrupted' }, progress: (percent, left) => `${percent} %, about ${left} left`, rate: (player, board, rule, win, low, high, games) => `${player} on ${board}, ${rule}: ${win} % (${low} to ${high}), ${s(games, 'game')}`, modelHeads: ['Name', 'File', 'Feature set', 'SHA-256', 'Note'], tick: 'Tick a stage that trains to see its curves. Tick several, also of different runs, to lay them over one another.', curves: { win_ratio: 'Games won in validation, per cent, with 95 % intervals', validation_loss: 'Loss on validation rows', loss: 'Loss while learning' }, round: 'round',
  },
  errors: { noSolver: (error) => `The solver can’t be downloaded: ${error}`, status: (address, status) => `${address} answers ${status}`, memory: 'The calculation ended without an answer; it may need more memory than the browser gives.', model: (error) => `A model can’t be downloaded: ${error}`, noWorker: 'The browser starts no worker for the calculation.' },
  help: {
    what: 'mineflow is a Minesweeper tutor: play, ask why a cell is safe or a mine, see what a guess is worth, and learn from your own games. It asks no other host.',
    keysTitle: 'Keys and clicks',
    keys: [['Click, tap, Space, Enter', 'open a cell; on a number with all its flags: open the rest around it'], ['Right click, long press, F', 'set or take a flag'], ['Arrow keys, Home, End', 'move over the board'], ['?', 'hint: where, why, do it'], ['W', 'why this cell?'], ['S', 'the next proved cell'], ['G', 'the best guess'], ['N, R, U', 'new game, same mines, undo'], ['H', 'odds'], ['Analyse: E, 0 to 8, Backspace', 'edit, set a number, cover a cell'], ['Review: ← and →', 'one move back or on']],
    marksTitle: 'Marks', ringsTitle: 'Rings', rings: [['Blue and violet ring', 'the numbers A and B of a step'], ['Hatching', 'the cells that they share'], ['Green frame', 'cells that the step proves safe'], ['Red frame', 'cells that the step proves to be mines'], ['Red dot', 'a mine in the way that you leafed to, where only a few ways are left']],
    judgeTitle: 'How guesses are judged', judge: 'Mine probabilities are exact; boards too hard to count have none. Near the end of a game the chance to win is exact, too. Elsewhere it is at first a rough estimate (≈), and then measured by playing on from there, shown with its error (±). A guess that loses at least 5 points against the best one is a mistake, one that loses 2 to 5 an inaccuracy: only if the loss is larger than its error.',
  },
  dot,
};

/** Writes the texts whose paths, such as `play.hint`, are in the attributes `data-text`, `data-label` and `data-title` of the page. */
export function writeTexts() {
  for (const one of document.querySelectorAll('[data-text], [data-label], [data-title]')) {
    const at = (path) => path.split('.').reduce((found, name) => found[name], t);
    const { text, label, title } = one.dataset;
    if (text) one.textContent = at(text);
    if (label) one.setAttribute('aria-label', at(label));
    if (title) one.title = at(title);
  }
}
