//! Games whose moves come from a Python function: a batch of games is played at once, and a new game begins when one ends.

use mineflow_minesweeper::player::{Fault, GameEnd, Luck, Outcome, ValueModel, board_seed};
use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status, View};
use mineflow_rng::Seed;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{integers, refuse};
use crate::exact::NODE_LIMIT;
use crate::pool::{Rest, Taken, Threads, detached};

/// The maximum number of cells of all games in progress. Results don't depend on the number of games in progress.
const MOST_CELLS: usize = 1 << 28;

/// The settings of the games.
pub struct Games {
    pub board: Board,
    pub first_click: FirstClick,
    pub cascade: bool,
    pub seed: Seed,
    /// The value model that measures luck, if luck is measured.
    pub value_model: Option<ValueModel>,
    pub threads: Threads,
}

impl Games {
    /// Returns the seed of a game, which is the same as everywhere in mineflow.
    pub fn seed_of(&self, game: u32) -> Seed {
        board_seed(self.seed, self.board).child("game", u64::from(game))
    }

    /// Creates a game that has not begun.
    fn game(&self) -> Game {
        Game::new(self.board, self.first_click).with_cascade(self.cascade)
    }
}

/// A game in progress.
#[derive(Clone)]
struct Slot {
    game: Game,
    /// The number of the game in the run; it determines the seed.
    number: u32,
    guesses: u32,
    luck: f64,
}

/// Scratch memory that a thread reuses from move to move.
struct Judge {
    analysis: Analysis,
    luck: Option<Luck>,
}

impl Judge {
    fn new(games: &Games) -> Self {
        Self {
            analysis: Analysis::new(),
            luck: games.value_model.clone().map(Luck::new),
        }
    }

    /// Opens a cell of a game and records whether it was a guess, and its luck.
    fn open(&mut self, slot: &mut Slot, cell: Cell) -> Result<(), Fault> {
        let Slot {
            game,
            guesses,
            luck: sum,
            ..
        } = slot;
        let is_first = game.view().opened().is_empty();
        let is_certain = !is_first && self.is_certain(game, cell);
        let is_promised = is_first && game.first_click() != FirstClick::Any;
        *guesses += u32::from(!is_certain && !is_promised);
        let luck = self.luck.as_mut().filter(|_| !is_certain);
        match luck {
            None => drop(game.open(cell)?),
            Some(luck) => {
                luck.begin();
                luck.before(game.view(), cell, game.first_click());
                game.open(cell)?;
                luck.after(game.view().number(cell));
                *sum += luck.sum();
            }
        }
        Ok(())
    }

    /// Returns whether a cell is proved safe.
    fn is_certain(&mut self, game: &Game, cell: Cell) -> bool {
        let Self { analysis, .. } = self;
        analysis.begin(game.view().grid(), game.view().mines());
        let mut budget = Budget::new(Some(NODE_LIMIT), None);
        let counted = analysis.update(game.view()).map_err(Into::into);
        let counted =
            counted.and_then(|()| analysis.probabilities(Weighting::Posterior, &mut budget));
        counted.is_ok_and(|counted| counted.mine[cell.index()] == 0.0)
    }
}

/// Plays the games with these numbers, at most `batch` at a time, and returns their outcomes. `policy` chooses the moves, as in
/// [`answers`].
///
/// # Errors
/// Returns the exceptions of the function, and a `ValueError` for an invalid move.
pub fn play(
    py: Python<'_>,
    games: &Games,
    policy: &Bound<'_, PyAny>,
    numbers: std::ops::Range<u32>,
    batch: usize,
) -> PyResult<Vec<Outcome>> {
    let first = numbers.start;
    let mut outcomes = vec![
        Outcome {
            end: GameEnd::Lost,
            guesses: 0,
            nodes: 0,
            luck: 0.0
        };
        numbers.len()
    ];
    let mut next = numbers;
    let batch = batch.min(MOST_CELLS / games.board.cells());
    let mut slots = vec![
        Slot {
            game: games.game(),
            number: 0,
            guesses: 0,
            luck: 0.0
        };
        batch.min(next.len())
    ];
    // A board without a safe cell is won before its first move.
    let mut begin = |slot: &mut Slot, outcomes: &mut Vec<Outcome>| loop {
        let Some(number) = next.next() else {
            return false;
        };
        slot.game.start(games.seed_of(number));
        (slot.number, slot.guesses, slot.luck) = (number, 0, 0.0);
        if slot.game.status() == Status::Playing {
            return true;
        }
        outcomes[(number - first) as usize].end = GameEnd::Won;
    };
    slots.retain_mut(|slot| begin(slot, &mut outcomes));
    let judges = Rest::default();
    while !slots.is_empty() {
        py.check_signals()?;
        let actions = ask(py, games, policy, &slots)?;
        let faults: Vec<Option<Fault>> = detached(py, || {
            let mut faults = vec![None; slots.len()];
            let moves = slots.iter_mut().zip(&actions).zip(&mut faults).collect();
            games.threads.for_each(
                moves,
                || judges.take(|| Judge::new(games)),
                |judge: &mut Taken<'_, Judge>, ((slot, &cell), fault)| {
                    *fault = judge.open(slot, cell).err();
                },
            );
            faults
        })?;
        if let Some((index, fault)) = faults
            .iter()
            .enumerate()
            .find_map(|(index, fault)| Some((index, fault.as_ref()?)))
        {
            let number = slots[index].number;
            return refuse(format!(
                "policy: of game {number}, move {index} of the batch: {fault}"
            ));
        }
        slots.retain_mut(|slot| {
            let end = match slot.game.status() {
                Status::Playing => return true,
                Status::Won => GameEnd::Won,
                Status::Lost => GameEnd::Lost,
            };
            outcomes[(slot.number - first) as usize] = Outcome {
                end,
                guesses: slot.guesses,
                nodes: 0,
                luck: slot.luck,
            };
            begin(slot, &mut outcomes)
        });
    }
    Ok(outcomes)
}

/// Asks the policy which cell to open in each game in progress.
fn ask(
    py: Python<'_>,
    games: &Games,
    policy: &Bound<'_, PyAny>,
    slots: &[Slot],
) -> PyResult<Vec<Cell>> {
    let board = games.board;
    let views = slots
        .iter()
        .map(|slot| (i64::from(slot.number), slot.game.view()));
    let actions = answers(py, (board, games.first_click), policy, views)?;
    let cell = |(index, &action): (usize, &i64)| match u16::try_from(action) {
        Ok(cell) if usize::from(cell) < board.cells() => Ok(Cell(cell)),
        _ => refuse(format!(
            "policy: move {index} of the batch is {action}; cells are 0 to {}",
            board.cells() - 1
        )),
    };
    actions.as_array().iter().enumerate().map(cell).collect()
}

/// Calls a function with B views as int8[B, H, W], and returns its answer of B integers. A `mineflow.Policy` also gets the numbers of the
/// games, the number of mines and the first-click rule.
///
/// # Errors
/// Returns the exceptions of the function, and a `ValueError` for an answer of another form.
pub fn answers<'py, 'v>(
    py: Python<'py>,
    (board, first_click): (Board, FirstClick),
    policy: &Bound<'py, PyAny>,
    views: impl ExactSizeIterator<Item = (i64, &'v View)>,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let count = views.len();
    let array = PyArray3::<i8>::zeros(py, [count, board.height(), board.width()], false);
    let mut games = Vec::with_capacity(count);
    {
        let mut numbers = array.readwrite();
        let rows = numbers.as_slice_mut()?.chunks_mut(board.cells());
        views.zip(rows).for_each(|((game, view), row)| {
            games.push(game);
            view.write_numbers(row);
        });
    }
    let answer = match policy.getattr_opt("_asked")? {
        Some(policy) => {
            let games = PyArray1::from_vec(py, games);
            policy.call1((array, games, board.mines(), first_click.name()))?
        }
        None => policy.call1((array,))?,
    };
    integers(&answer, "policy: its answer", count)
}
