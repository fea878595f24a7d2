//! Playouts by a cheap version of the rules of player 7.0. A playout opens the cells that single numbers prove safe, then the cell with the
//! lowest estimated mine probability. Ties go to boundary cells, then to the cells with the fewest neighbours, then to the first cell.

use super::guess_game::GuessGame;
use crate::Cell;
use mineflow_rng::Rng;
use mineflow_search::{Rollout, State};

#[derive(Clone, Copy, Debug)]
pub(super) struct LeastEstimate;

impl Rollout<GuessGame<'_>> for LeastEstimate {
    fn playout(&mut self, guess: &mut GuessGame<'_>, line: &mut Vec<Cell>, rng: &mut Rng) {
        while !guess.simulation.is_over() {
            let cell = guess.least_estimate();
            line.push(cell);
            guess.play(cell, rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::guess_game::Question;
    use super::*;
    use crate::solver::{Analysis, Budget, Layouts};
    use crate::{FirstClick, Game};
    use mineflow_rng::Seed;

    #[test]
    fn playouts_alone_win_five_beginner_games_in_six() {
        let game = Game::new("9x9/10".parse().unwrap(), FirstClick::Safe);
        let view = game.view();
        let (mut analysis, mut layouts) = (Analysis::new(), Layouts::default());
        analysis.begin(view.grid(), view.mines());
        analysis
            .layouts(&mut layouts, &mut Budget::unlimited())
            .unwrap();
        // The first click opens a corner without a mine; a win thus counts 71 / 81.
        let arms = [(Cell(0), 10.0 / 81.0)];
        let root = GuessGame::new(Question {
            view,
            layouts: &layouts,
            arms: &arms,
            width: 1,
        });
        let (mut guess, mut line, mut rng) = (root.clone(), Vec::new(), Seed::new(1).rng());
        let playouts = 20_000;
        let mut won = 0.0;
        for _ in 0..playouts {
            guess.restart(&root, &mut rng);
            LeastEstimate.playout(&mut guess, &mut line, &mut rng);
            won += guess.reward(0) * 81.0 / 71.0;
        }
        let share = won / f64::from(playouts);
        // Player 7.0 wins 0.916 of these games.
        assert!((0.825..0.85).contains(&share), "{share}");
    }
}
