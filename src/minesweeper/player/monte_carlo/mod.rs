//! Evaluates guesses by playouts on layouts drawn from the posterior: by tree search (SP-MCTS), or
//! as the arms of a bandit (MAC-UCB).
//!
//! The layout of each playout is drawn at the root. The tree's nodes are histories of opened cells
//! and what they showed, so that moves depend only on what a player can know. Cells that single
//! numbers prove safe are opened at once.

mod bandit;
mod guess_game;
mod simulation;

use rand::Rng as _;

use super::{
    choose::{Chooser, Guess},
    decision::NoMove,
};
use crate::{
    Cell,
    features::Position,
    solver::{Layouts, TIE},
};
use guess_game::{GuessGame, LeastEstimate};
use mineflow_rng::{Rng, Seed};
use mineflow_search::{Budget, Ended, Expansion, FinalMove, Search, SearchSettings, SpUct};

/// The default number of playouts per guess.
pub(super) const PLAYOUTS: u64 = 1000;
/// The maximum difference between a candidate's mine probability and the lowest one.
const MARGIN: f64 = 0.05;
/// The maximum number of candidates. Those with the lowest P are kept, with ties broken as by
/// player 7.0.
const ARMS: usize = 8;

/// How playouts are spread over the candidates.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sampling {
    /// Tree search. Equation 1 of Schadd et al. selects the moves of positions with at least
    /// `threshold` visits.
    Tree { select: SpUct, threshold: u32 },
    /// MAC-UCB.
    Bandit,
}

/// A chooser of guesses by playouts.
#[derive(Debug)]
pub(super) struct MonteCarlo {
    playouts: u64,
    sampling: Sampling,
    layouts: Layouts,
}

impl MonteCarlo {
    pub fn new(playouts: u64, sampling: Sampling) -> Self {
        Self {
            playouts,
            sampling,
            layouts: Layouts::default(),
        }
    }
}

impl Chooser for MonteCarlo {
    /// Chooses the candidate that its playouts rate highest. A single candidate is returned without
    /// a playout.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        guess.analysis.layouts(&mut self.layouts, guess.budget)?;
        let arms = arms(guess.position, mine);
        if arms.len() < 2 {
            return Ok(arms.first().map(|&(cell, _)| cell));
        }
        let root = GuessGame::new(guess.position.view, &self.layouts, &arms);
        Ok(Some(match self.sampling {
            Sampling::Tree { select, threshold } => {
                tree_search(root, self.playouts, select, threshold, guess.rng)
            }
            Sampling::Bandit => bandit::best_arm(&root, &arms, self.playouts, guess.rng),
        }))
    }
}

/// Returns the cell with the highest mean reward of a tree search.
fn tree_search(
    root: GuessGame<'_>,
    playouts: u64,
    select: SpUct,
    threshold: u32,
    rng: &mut Rng,
) -> Cell {
    let settings = SearchSettings {
        select,
        threshold,
        expansion: Expansion::AfterVisits,
        ended: Ended::Again,
        final_move: FinalMove::HighestMean,
    };
    // A search of at most `threshold` playouts tries no move.
    let first = root.least_estimate();
    let mut search = Search::new(root, LeastEstimate, settings, Seed::new(rng.next_u64()));
    search.run(Budget::playouts(playouts));
    search.final_move().unwrap_or(first)
}

/// Returns the candidates with their mine probabilities, lowest P first: of the cells that the
/// solver left open, those whose P is near the lowest. Ties are broken as by player 7.0: boundary
/// cells, then the fewest neighbours, then the first cell.
fn arms(position: &Position<'_>, mine: &[f64]) -> Vec<(Cell, f64)> {
    let least = mine.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = if least < 1.0 - TIE {
        (least + MARGIN + TIE).min(1.0 - TIE)
    } else {
        least
    };
    let grid = position.view.grid();
    let cells = grid.board().all_cells().zip(mine.iter().copied());
    let mut arms: Vec<_> = cells.filter(|&(_, mine)| mine <= limit).collect();
    // Probabilities are rounded to multiples of `TIE`, so that the order does not depend on an
    // engine's rounding.
    let rank = |&(cell, mine): &(Cell, f64)| {
        (
            (mine / TIE).round() as u64,
            !position.boundary.contains(cell),
            grid.neighbor_count(cell),
        )
    };
    arms.sort_by_key(rank);
    arms.truncate(ARMS);
    arms
}
