//! A guess searched by a tree.

use rand::Rng as _;

use super::super::choose::{Chooser, Guess};
use super::super::decision::NoMove;
use super::guess_game::{GuessGame, Question};
use super::playout::LeastEstimate;
use super::search_options::SearchOptions;
use crate::Cell;
use crate::features::Position;
use crate::solver::{Layouts, TIE};
use mineflow_rng::Seed;
use mineflow_search::{Ended, Expansion, Search, SearchSettings, Select, Statistics, Transpositions};

/// Searches guesses by a selection rule.
#[derive(Debug)]
pub(in crate::player) struct SearchChooser<S> {
    options: SearchOptions,
    select: S,
    layouts: Layouts,
}

impl<S> SearchChooser<S> {
    pub(in crate::player) fn new(options: SearchOptions, select: S) -> Self {
        Self { options, select, layouts: Layouts::default() }
    }
}

impl<S: Select + Send + std::fmt::Debug> Chooser for SearchChooser<S> {
    /// Nothing is searched where only one cell is in question.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        guess.analysis.layouts(&mut self.layouts, guess.budget)?;
        let SearchOptions { threshold, width, risk, final_move, lead, .. } = self.options;
        let arms = self.options.arms(guess.position, mine);
        if arms.len() < 2 {
            return Ok(arms.first().map(|&(cell, _)| cell));
        }
        let (view, layouts) = (guess.position.view, &self.layouts);
        let root = GuessGame::new(Question { view, layouts, arms: &arms, width, risk });
        let settings = SearchSettings {
            select: self.select.clone(),
            threshold,
            expansion: Expansion::AfterVisits,
            ended: Ended::Again,
            final_move,
            transpositions: Transpositions::Apart,
        };
        let mut search = Search::new(root, LeastEstimate, settings, Seed::new(guess.rng.next_u64()));
        search.run(self.options.budget.of_tree());
        // Fewer playouts than `t` try no move.
        let (plain, found) = (arms[0].0, search.final_move().unwrap_or(arms[0].0));
        let statistics = |wanted| search.moves().find(|&(cell, _)| cell == wanted).map(|(_, statistics)| *statistics);
        let leads = match (statistics(found), statistics(plain)) {
            (Some(found), Some(plain)) => {
                let error = (square_of_error(&found) + square_of_error(&plain)).sqrt();
                found.mean() - plain.mean() >= lead * error
            }
            _ => true,
        };
        Ok(Some(if lead == 0.0 || leads { found } else { plain }))
    }
}

impl SearchOptions {
    /// The cells in question, the least P first; ties as in 7.0: the boundary, the fewest neighbours, the first.
    fn arms(&self, position: &Position<'_>, mine: &[f64]) -> Vec<(Cell, f64)> {
        let least = mine.iter().copied().fold(f64::INFINITY, f64::min);
        let limit = if least < 1.0 - TIE { (least + self.margin + TIE).min(1.0 - TIE) } else { least };
        let cells = position.view.grid().board().all_cells().zip(mine.iter().copied());
        let mut arms: Vec<_> = cells.filter(|&(_, mine)| mine <= limit).collect();
        let grid = position.view.grid();
        // Probabilities closer than a tie are equal.
        let rank = |&(cell, mine): &(Cell, f64)| {
            ((mine / TIE).round() as u64, !position.boundary.contains(cell), grid.neighbor_count(cell))
        };
        arms.sort_by_key(rank);
        arms.truncate(self.arms);
        arms
    }
}

/// The square of the standard error of the mean.
fn square_of_error(of: &Statistics) -> f64 {
    let visits = f64::from(of.visits);
    (of.sum_squares / visits - of.mean().powi(2)).max(0.0) / visits
}
