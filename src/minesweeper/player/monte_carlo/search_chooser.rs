//! Chooses a guess by tree search.

use rand::Rng as _;

use super::super::choose::{Chooser, Guess};
use super::super::decision::NoMove;
use super::guess_game::{GuessGame, Question};
use super::playout::LeastEstimate;
use crate::Cell;
use crate::features::Position;
use crate::solver::{Layouts, TIE};
use mineflow_rng::Seed;
use mineflow_search::{
    Budget, Ended, Expansion, FinalMove, Search, SearchSettings, SpUct, Transpositions,
};

/// The maximum difference between a candidate's mine probability and the lowest one.
const MARGIN: f64 = 0.05;
/// The maximum number of candidates. Those with the lowest P are kept, with ties broken as by player 7.0.
const ARMS: usize = 8;
/// The number of cells considered at each move after the guess. They are the cells with the lowest estimated odds of a mine.
const WIDTH: usize = 3;

/// A chooser of guesses by tree search with the selection rule of Schadd et al. (SP-MCTS, equation 1).
#[derive(Debug)]
pub(in crate::player) struct SearchChooser {
    playouts: u64,
    settings: SearchSettings<SpUct>,
    layouts: Layouts,
}

impl SearchChooser {
    /// Creates a chooser with `playouts` playouts per guess. Moves are selected by `select` in positions with at least `threshold` visits.
    pub(in crate::player) fn new(playouts: u64, threshold: u32, select: SpUct) -> Self {
        let settings = SearchSettings {
            select,
            threshold,
            expansion: Expansion::AfterVisits,
            ended: Ended::Again,
            final_move: FinalMove::HighestMean,
            transpositions: Transpositions::Apart,
        };
        Self {
            playouts,
            settings,
            layouts: Layouts::default(),
        }
    }
}

impl Chooser for SearchChooser {
    /// Chooses a candidate by tree search. A single candidate is returned without a search.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self {
            playouts,
            settings,
            layouts,
        } = self;
        guess.analysis.layouts(layouts, guess.budget)?;
        let arms = arms(guess.position, mine);
        if arms.len() < 2 {
            return Ok(arms.first().map(|&(cell, _)| cell));
        }
        let root = GuessGame::new(Question {
            view: guess.position.view,
            layouts,
            arms: &arms,
            width: WIDTH,
        });
        let mut search = Search::new(
            root,
            LeastEstimate,
            *settings,
            Seed::new(guess.rng.next_u64()),
        );
        search.run(Budget::playouts(*playouts));
        // The search tries no move if there are at most `threshold` playouts.
        Ok(Some(search.final_move().unwrap_or(arms[0].0)))
    }
}

/// Returns the candidates, lowest P first. Ties are broken as by player 7.0: boundary cells, then the fewest neighbours, then the first
/// cell.
fn arms(position: &Position<'_>, mine: &[f64]) -> Vec<(Cell, f64)> {
    let least = mine.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = if least < 1.0 - TIE {
        (least + MARGIN + TIE).min(1.0 - TIE)
    } else {
        least
    };
    let cells = position
        .view
        .grid()
        .board()
        .all_cells()
        .zip(mine.iter().copied());
    let mut arms: Vec<_> = cells.filter(|&(_, mine)| mine <= limit).collect();
    let grid = position.view.grid();
    // Probabilities are rounded to multiples of `TIE`, so that the order does not depend on an engine's rounding.
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
