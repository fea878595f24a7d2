//! Answers questions about a position from the counts of its components.

use super::CountError;
use super::budget::Budget;
use super::combination::{Combination, F64_BOUNDARY};
use super::deduction::SingleNumbers;
use super::elimination::Plan;
use super::frontier::Frontier;
use super::number::Wide;
use super::outlook::Outlook;
use super::probabilities::{Output, Probabilities, Weighting};
use crate::Cell;

/// Scratch memory for counting, reused from position to position.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    plan: Plan,
    floats: Combination<f64>,
    wides: Combination<Wide>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
}

/// A question about a frontier; the answer is `None` if the counts may leave the range of `N`.
type Question<N, T> =
    fn(&mut Combination<N>, &Frontier, &mut Plan, &mut Budget) -> Result<Option<T>, CountError>;

/// The cells that counting proved.
pub(super) struct Found<'a> {
    /// Cells that are a mine in no layout (`safe`) or in every layout (`mines`), without those that were proved before the count.
    pub(super) safe: &'a [Cell],
    pub(super) mines: &'a [Cell],
}

impl Counter {
    /// Fills in `probabilities` for the position in `deduction`; `frontier` was built from it.
    pub(super) fn probabilities(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        weighting: Weighting,
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<Found<'_>, CountError> {
        self.safe.clear();
        self.mines.clear();
        let mut found = Output {
            probabilities,
            safe: &mut self.safe,
            mines: &mut self.mines,
            deduction,
        };
        if frontier.cells > F64_BOUNDARY
            || !self.floats.probabilities(
                frontier,
                weighting,
                &mut self.plan,
                &mut found,
                budget,
            )?
        {
            self.wides
                .probabilities(frontier, weighting, &mut self.plan, &mut found, budget)?;
        }
        Ok(Found {
            safe: &self.safe,
            mines: &self.mines,
        })
    }

    /// Computes the outlook of a position without the probability of every cell.
    pub(super) fn outlook(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Outlook, CountError> {
        self.ask(frontier, budget, Combination::outlook, Combination::outlook)
    }

    /// Returns the natural logarithm of the number of consistent layouts with exactly the board's mines.
    pub(super) fn ln_layouts(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        self.ask(
            frontier,
            budget,
            Combination::ln_layouts,
            Combination::ln_layouts,
        )
    }

    /// Answers a question in floats, or in wide numbers if floats may overflow or underflow.
    fn ask<T>(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
        floats: Question<f64, T>,
        wides: Question<Wide, T>,
    ) -> Result<T, CountError> {
        if frontier.cells <= F64_BOUNDARY
            && let Some(found) = floats(&mut self.floats, frontier, &mut self.plan, budget)?
        {
            return Ok(found);
        }
        let found = wides(&mut self.wides, frontier, &mut self.plan, budget)?;
        Ok(found.expect("wide numbers hold every count"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Board, FirstClick, Game, Grid, Minefield, Status, View};
    use mineflow_rng::Seed;

    /// Returns a position after at most this many moves that single numbers prove safe.
    fn mid_game(board: &str, seed: u64, moves: usize) -> (SingleNumbers, Frontier) {
        let board: Board = board.parse().unwrap();
        let mut game = Game::new(board, FirstClick::Opening);
        game.start(Seed::new(seed));
        game.open(board.cell(board.height() / 2, board.width() / 2).unwrap())
            .unwrap();
        let mut deduction = SingleNumbers::new(game.view().grid().clone());
        deduction.begin(board.mines());
        for _ in 0..moves {
            deduction.update(game.view()).unwrap();
            let Some(&cell) = deduction.safe().first() else {
                break;
            };
            if game.open(cell).unwrap() != Status::Playing {
                break;
            }
        }
        deduction.update(game.view()).unwrap();
        let mut frontier = Frontier::default();
        frontier.build(&mut deduction).unwrap();
        (deduction, frontier)
    }

    #[test]
    fn wide_numbers_and_floats_give_the_same_probabilities() {
        let mut boundary_cells = 0;
        for seed in 0..200 {
            let (deduction, frontier) = mid_game("30x16/99", seed, 200);
            boundary_cells += frontier.cells;
            let mut plan = Plan::default();
            let mut answers = [Probabilities::default(), Probabilities::default()];
            for weighting in [Weighting::Solutions, Weighting::Posterior] {
                for (wide, probabilities) in answers.iter_mut().enumerate() {
                    let (mut safe, mut mines) = (Vec::new(), Vec::new());
                    let mut output = Output {
                        deduction: &deduction,
                        probabilities,
                        safe: &mut safe,
                        mines: &mut mines,
                    };
                    let budget = &mut Budget::unlimited();
                    let answered = if wide == 1 {
                        Combination::<Wide>::default().probabilities(
                            &frontier,
                            weighting,
                            &mut plan,
                            &mut output,
                            budget,
                        )
                    } else {
                        Combination::<f64>::default().probabilities(
                            &frontier,
                            weighting,
                            &mut plan,
                            &mut output,
                            budget,
                        )
                    };
                    assert!(answered.unwrap());
                }
                for (a, b) in answers[0].mine.iter().zip(&answers[1].mine) {
                    assert!(
                        a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a,
                        "{a} and {b}"
                    );
                }
            }
        }
        assert!(boundary_cells > 200 * 10, "the positions have boundaries");
    }

    #[test]
    fn mines_of_a_huge_board_add_up() {
        let grid = Arc::new(Grid::new(Board::new(200, 200, 7000).unwrap()));
        let mut field = Minefield::new(grid.clone());
        field.lay(7000, &[], &mut Seed::new(3).rng());
        let mut view = View::new(grid.clone(), 7000);
        let near_zero = |cell: Cell| {
            field.number(cell) == 0
                || grid
                    .neighbors(cell)
                    .any(|d| !field.is_mine(d) && field.number(d) == 0)
        };
        for cell in grid
            .board()
            .all_cells()
            .filter(|&cell| !field.is_mine(cell) && near_zero(cell))
        {
            view.open(cell, field.number(cell)).unwrap();
        }
        let mut deduction = SingleNumbers::new(grid.clone());
        deduction.begin(7000);
        deduction.update(&view).unwrap();
        let mut frontier = Frontier::default();
        frontier.build(&mut deduction).unwrap();
        assert!(
            frontier.cells > F64_BOUNDARY,
            "this is to need wide numbers"
        );
        let mut probabilities = Probabilities::default();
        Counter::default()
            .probabilities(
                &deduction,
                &frontier,
                Weighting::Posterior,
                &mut probabilities,
                &mut Budget::unlimited(),
            )
            .unwrap();
        let mines: f64 = probabilities.mine.iter().filter(|p| !p.is_nan()).sum();
        assert!((mines - 7000.0).abs() < 1e-6, "{mines}");
    }
}
