//! What the candidates of a position are worth.

use std::sync::atomic::AtomicBool;

use anyhow::ensure;

use super::{Candidate, Known};
use mineflow_document::numbers::round;
use mineflow_minesweeper::optimum::{Optimum, Resources};
use mineflow_minesweeper::solver::{Analysis, Budget, Endgame, EndgameLimits};
use mineflow_minesweeper::{Board, Cell, FirstClick};

/// Layouts and nodes of an endgame that is searched; a node is 64 layouts looked at once.
const LIMITS: EndgameLimits = EndgameLimits { layouts: 200_000, nodes: 4_000_000 };

/// Why a position makes no puzzle.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Unsuited {
    #[error("the game is over before decision {step}")]
    Over { step: usize },
    #[error("decision {step} is not a guess: a cell is certain")]
    Certain { step: usize },
    #[error("the position has too many unknown cells or layouts to be searched; roll-outs can value it")]
    TooLarge,
    #[error(
        "the best cell is not apart from another by its 95 % interval; give more roll-outs, or leave the position out"
    )]
    NotApart,
}

/// The worth of the candidates of a position.
pub(super) struct Values {
    pub known: Known,
    pub best: Vec<Cell>,
    pub candidates: Vec<(Cell, Candidate)>,
}

impl Values {
    /// Puts the best candidates first, the others in row-major order.
    pub(super) fn new(known: Known, mut best: Vec<Cell>, mut candidates: Vec<(Cell, Candidate)>) -> Self {
        best.sort_unstable();
        candidates.sort_by_key(|&(cell, _)| (!best.contains(&cell), cell));
        Self { known, best, candidates }
    }

    /// Of a first click.
    pub(super) fn of_first_click(board: Board, rule: FirstClick) -> anyhow::Result<Self> {
        let optimum = Optimum::new(board, rule, Resources::default())?;
        let never = AtomicBool::new(false);
        let values = board.all_cells().map(|cell| optimum.value(cell, &never)).collect::<Result<Vec<_>, _>>()?;
        let is_best = |&cell: &Cell| values.iter().all(|other| !other.beats(&values[cell.index()]));
        let best: Vec<Cell> = board.all_cells().filter(is_best).collect();
        let mine = if rule == FirstClick::Any { round(board.mine_ratio(), 6) } else { 0.0 };
        let layouts = values[best[0].index()].layouts;
        let candidates = values.iter().map(|value| (value.cell, candidate(board, value.cell, mine, value.ratio())));
        Ok(Self::new(Known::Exact { layouts }, best, candidates.collect()))
    }

    /// Of an end, which `analysis` has counted and in which no cell is certain.
    pub(super) fn of_endgame(analysis: &mut Analysis, endgame: &mut Endgame) -> anyhow::Result<Self> {
        let searched = analysis.endgame_cells(endgame, LIMITS, &mut Budget::unlimited())?;
        let found = searched.ok_or(Unsuited::TooLarge)?;
        let most = found.won.iter().map(|&(_, won)| won).max().unwrap_or(0);
        ensure!(most > 0, "a position that fits some layout is won in one at least");
        let best = found.won.iter().filter(|&&(_, won)| won == most).map(|&(cell, _)| cell).collect();
        let board = analysis.grid().board();
        let mine = |cell: Cell| analysis.counted().mine[cell.index()];
        let win = |won: u32| f64::from(won) / f64::from(found.layouts);
        let candidates = found.won.iter().map(|&(cell, won)| (cell, candidate(board, cell, mine(cell), win(won))));
        Ok(Self::new(Known::Exact { layouts: found.layouts.into() }, best, candidates.collect()))
    }
}

/// A candidate as it is written down.
pub(super) fn candidate(board: Board, cell: Cell, mine: f64, win: f64) -> Candidate {
    Candidate { cell: board.row_col(cell), mine: round(mine, 6), win: round(win, 6), interval: None, behind: None }
}
