//! The exact value of optimal play on small boards: a game tree over the layouts that are still
//! possible.
//!
//! After the first click every layout that satisfies the first-click rule is equally likely. A
//! state of the game is the set of layouts that are consistent with what was seen. The cells that
//! are safe in all of them are open. A guess then splits the set by the number that the guessed
//! cell shows. The layouts in which the cell is a mine are lost. The value of a state is the number
//! of its layouts that optimal play wins; a state of one layout is won. No policy wins more, even
//! with memory or random choices, because the tree contains the whole game. The search is in
//! `minesweeper::perfect`.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use mineflow_minesweeper::FirstClick;
//! use mineflow_minesweeper::optimum::{Optimum, Resources};
//!
//! let optimum = Optimum::new("4x4/4".parse()?, FirstClick::Safe, Resources::default())?;
//! let first_cells = optimum.first_cells();
//! let values: Result<Vec<_>, _> = first_cells.iter().map(|&cell| optimum.value(cell, &AtomicBool::new(false))).collect();
//! let best = values?.into_iter().max_by_key(|value| value.won).unwrap();
//! assert_eq!((best.won, best.layouts), (961, 1365));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layouts;
mod memo;
mod names;
mod search;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use layouts::Layouts;
use memo::Memo;
use names::Names;
use search::{Halt, OptimumSearch, Shared};

use super::{
    Board, Cell, FirstClick, Grid,
    perfect::{MOST_CELLS, Shape},
};

/// Bytes per layout in a search: the layout, its copy during sorting, and what a cell shows in it.
const LAYOUT_BYTES: u64 = 17;
/// Number of states to store in the transposition table, per layout of the first click with the
/// most layouts.
const REMEMBERED: u64 = 32;
/// Maximum number of states in the transposition table (768 MiB).
const MOST_REMEMBERED: u64 = 1 << 25;

/// The limits of the computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Bytes of memory. A transposition table that can't hold all states makes the computation
    /// slower but does not change the values.
    pub memory: u64,
    /// Number of simultaneous calls of [`Optimum::value`], which share the memory.
    pub threads: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            threads: 1,
        }
    }
}

/// The reasons why the value of optimal play was not found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptimumError {
    #[error("{board} has {cells} cells; best play is computed on boards of at most {MOST_CELLS}", cells = board.cells())]
    TooManyCells { board: Board },
    #[error("{0} has no safe cell: there is nothing to play")]
    NoSafeCell(Board),
    #[error(
        "{board} has {layouts} layouts of the mines after a first click ({first_click}), which take more than the {memory} bytes \
         of memory that there are; give a smaller board, fewer threads or more --memory"
    )]
    TooManyLayouts {
        board: Board,
        first_click: FirstClick,
        layouts: u64,
        memory: u64,
    },
    #[error("cell {0} is not on the board")]
    OffBoard(usize),
    #[error("it was asked to stop")]
    Stopped,
}

/// The result of optimal play after a first click on one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstCellValue {
    pub cell: Cell,
    /// Number of layouts that optimal play wins after this first click.
    pub won: u64,
    /// Number of layouts that are possible after the first click, all equally likely; at least 1.
    pub layouts: u64,
}

impl FirstCellValue {
    /// Returns the win probability, 0 to 1.
    pub fn ratio(&self) -> f64 {
        self.won as f64 / self.layouts as f64
    }

    /// Returns whether this first cell wins strictly more often than another, by exact comparison.
    pub fn beats(&self, other: &Self) -> bool {
        u128::from(self.won) * u128::from(other.layouts)
            > u128::from(other.won) * u128::from(self.layouts)
    }
}

/// Optimal play on one board under one first-click rule.
///
/// The transposition table is shared by all first cells, and by rotated and reflected states.
pub struct Optimum {
    board: Board,
    first_click: FirstClick,
    memory: u64,
    shared: Shared,
}

impl Optimum {
    /// Creates the search for `board`.
    ///
    /// # Errors
    /// Returns the errors of [`Optimum::check`].
    pub fn new(
        board: Board,
        first_click: FirstClick,
        resources: Resources,
    ) -> Result<Self, OptimumError> {
        Self::check(board, first_click, resources)?;
        let grid = Grid::new(board);
        let around = |cell| {
            grid.neighbors(cell)
                .fold(0, |set, cell| set | 1 << cell.index())
        };
        let shape = Shape::new(board.all_cells().map(around).collect());
        let names = Names::new(board);
        let most = most_layouts(&names, board, first_click);
        let memo = Memo::new(
            most.saturating_mul(REMEMBERED).min(MOST_REMEMBERED),
            resources.memory / 2,
        );
        let shared = Shared {
            shape,
            names,
            memo,
            room: room(resources),
            states: AtomicU64::new(0),
        };
        Ok(Self {
            board,
            first_click,
            memory: resources.memory,
            shared,
        })
    }

    /// Checks that the board is small enough and has a safe cell, and that the layouts of each
    /// first click fit in memory. It takes no noticeable time. [`Optimum::value`] may still run out
    /// of memory.
    ///
    /// # Errors
    /// Returns an error if the board has no safe cell, or is too large for the program or for the
    /// memory.
    pub fn check(
        board: Board,
        first_click: FirstClick,
        resources: Resources,
    ) -> Result<(), OptimumError> {
        if board.cells() > MOST_CELLS {
            return Err(OptimumError::TooManyCells { board });
        }
        if board.mines() == board.cells() {
            return Err(OptimumError::NoSafeCell(board));
        }
        let layouts = most_layouts(&Names::new(board), board, first_click);
        if layouts > room(resources) as u64 {
            let memory = resources.memory;
            return Err(OptimumError::TooManyLayouts {
                board,
                first_click,
                layouts,
                memory,
            });
        }
        Ok(())
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the first-click rule.
    pub fn first_click(&self) -> FirstClick {
        self.first_click
    }

    /// Returns one first cell of each set of cells that the board's symmetries exchange: the first
    /// of the set in row-major order.
    pub fn first_cells(&self) -> Vec<Cell> {
        self.shared.names.first_cells().collect()
    }

    /// Returns the number of states searched so far, for progress reports. It depends on the number
    /// of threads.
    pub fn states(&self) -> u64 {
        self.shared.states.load(Ordering::Relaxed)
    }

    /// Computes the number of layouts that optimal play wins if the first click is on `cell`. The
    /// result is the same for any number of threads.
    ///
    /// # Errors
    /// Returns an error if the cell is off the board, if the memory does not suffice, or if `stop`
    /// was set, which takes effect within a second.
    pub fn value(&self, cell: Cell, stop: &AtomicBool) -> Result<FirstCellValue, OptimumError> {
        if cell.index() >= self.board.cells() {
            return Err(OptimumError::OffBoard(cell.index()));
        }
        let layouts = Layouts::of(self.board, self.first_click, cell);
        let won = OptimumSearch::new(&self.shared, stop)
            .first_click(cell, &layouts)
            .map_err(|halt| match halt {
                Halt::Stopped => OptimumError::Stopped,
                Halt::Full => self.too_many(layouts.count()),
            })?;
        Ok(FirstCellValue {
            cell,
            won,
            layouts: layouts.count(),
        })
    }

    fn too_many(&self, layouts: u64) -> OptimumError {
        OptimumError::TooManyLayouts {
            board: self.board,
            first_click: self.first_click,
            layouts,
            memory: self.memory,
        }
    }
}

/// Returns the maximum number of layouts that one search may hold.
fn room(resources: Resources) -> usize {
    let bytes = resources.memory / 2 / resources.threads.max(1) as u64;
    // A state stores its number of layouts in 32 bits.
    usize::try_from((bytes / LAYOUT_BYTES).min(u64::from(u32::MAX))).unwrap_or(usize::MAX)
}

/// Returns the number of layouts after the first click that leaves the most.
fn most_layouts(names: &Names, board: Board, first_click: FirstClick) -> u64 {
    names
        .first_cells()
        .map(|cell| Layouts::of(board, first_click, cell).count())
        .max()
        .unwrap_or(0)
}
