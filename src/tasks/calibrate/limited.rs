//! The error of the mine probability P from a limited search, compared with P from all solutions
//! (Sinha et al., equation 3 and section 5.1).

use serde::{Deserialize, Serialize};

use super::tables::{ErrorRow, rounded};
use super::units::{UNIT, in_units};
use mineflow_arena::Estimate;
use mineflow_minesweeper::features::Position;
use mineflow_minesweeper::player::{Engine, Fault, NoMove, PlayerSpec, Source};
use mineflow_minesweeper::solver::{Analysis, Budget, CountError, Weighting};
use mineflow_minesweeper::{Game, Minefield};

/// The reference for a player that only estimates P: P from all solutions, counted component by
/// component.
pub(super) struct Exact {
    analysis: Analysis,
}

/// Errors of P at the guesses of one player on one board.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Errors {
    /// Number of guesses.
    pub(super) guesses: u64,
    /// Number of guesses with a boundary whose P was compared with the reference.
    compared: u64,
    /// Sum over the compared guesses, in fixed point. Each term is the mean absolute error of P
    /// over the boundary cells.
    error: u128,
    zero_cells: u64,
    zero_mines: u64,
}

impl Exact {
    /// Returns the reference for a player with this source, or `None` if the source does not
    /// estimate P.
    pub(super) fn for_source(source: &Source) -> Option<Self> {
        match source {
            Source::Solutions {
                engine: Engine::Tree(search),
                ..
            } if !search.is_complete() => Some(Self {
                analysis: Analysis::new(),
            }),
            _ => None,
        }
    }

    /// Starts a game.
    pub(super) fn begin(&mut self, game: &Game) {
        self.analysis.begin(game.view().grid(), game.view().mines());
    }

    /// Compares the estimates at a guess with the reference, and adds the differences to `errors`.
    /// Positions that exceed the limits of the exact solver are skipped.
    pub(super) fn compare(
        &mut self,
        position: &Position<'_>,
        field: &Minefield,
        errors: &mut Errors,
    ) -> Result<(), Fault> {
        self.analysis
            .update(position.view)
            .map_err(|error| Fault::Contradiction(error.into()))?;
        let exact = match self
            .analysis
            .probabilities(Weighting::Solutions, &mut Budget::unlimited())
        {
            Ok(exact) => exact,
            Err(error @ CountError::Contradiction(_)) => {
                return Err(Fault::Contradiction(NoMove::from(error)));
            }
            Err(CountError::TooHard { .. } | CountError::Exhausted(_)) => return Ok(()),
        };
        let mut cells = 0u64;
        let mut apart = 0.0;
        for cell in position.boundary.iter() {
            let estimate = position.mine[cell.index()];
            cells += 1;
            apart += (estimate - exact.mine[cell.index()]).abs();
            if estimate == 0.0 {
                errors.zero_cells += 1;
                errors.zero_mines += u64::from(field.is_mine(cell));
            }
        }
        if cells > 0 {
            errors.compared += 1;
            errors.error += in_units(apart / cells as f64);
        }
        Ok(())
    }
}

impl Errors {
    /// Adds the errors of other guesses.
    pub(super) fn add(&mut self, other: &Self) {
        self.guesses += other.guesses;
        self.compared += other.compared;
        self.error += other.error;
        self.zero_cells += other.zero_cells;
        self.zero_mines += other.zero_mines;
    }

    /// Returns the row of the table of errors.
    pub(super) fn row(&self, player: &PlayerSpec, board: String) -> ErrorRow {
        let share = |part: u64, of: u64| (of > 0).then(|| rounded(part as f64 / of as f64));
        let interval = Estimate::of_wins(self.zero_mines, self.zero_cells);
        ErrorRow {
            player: player.name.clone(),
            version: player.version(),
            board,
            guesses: self.guesses,
            mean_error: (self.compared > 0)
                .then(|| rounded(self.error as f64 / UNIT / self.compared as f64)),
            zero_cells: self.zero_cells,
            zero_mines: self.zero_mines,
            share: share(self.zero_mines, self.zero_cells),
            ci_low: rounded(interval.low),
            ci_high: rounded(interval.high),
        }
    }
}
