//! A guess as a game for tree search and sampling, and the policy of its playouts.

use super::simulation::Simulation;
use crate::{
    Cell, View,
    solver::{Drawn, Layouts},
};
use mineflow_rng::Rng;
use mineflow_search::{Rollout, State};

/// The number of cells that are considered at each move after the first guess. They are the cells
/// with the lowest estimated odds of a mine.
const WIDTH: usize = 3;

/// A position at or after a guess.
///
/// The risk of the first cell is accounted for by its exact mine probability P: layouts with a mine
/// there are drawn again, and a win counts `1 - P`. The expected reward is the same as with
/// unrestricted layouts, with a lower variance.
#[derive(Clone)]
pub(super) struct GuessGame<'a> {
    simulation: Simulation<'a>,
    layouts: &'a Layouts,
    drawn: Drawn,
    /// The candidate cells with their mine probabilities. A playout that starts before the guess
    /// opens the first of them.
    arms: &'a [(Cell, f64)],
    /// The reward of a win; `None` until the first cell is opened.
    win: Option<f64>,
}

impl<'a> GuessGame<'a> {
    pub fn new(view: &'a View, layouts: &'a Layouts, arms: &'a [(Cell, f64)]) -> Self {
        Self {
            simulation: Simulation::new(view, layouts.known_mines()),
            layouts,
            drawn: layouts.drawing(),
            arms,
            win: None,
        }
    }

    /// Returns the cell that a playout opens next. The game must not be over.
    pub fn least_estimate(&self) -> Cell {
        if self.win.is_none() {
            return self.arms[0].0;
        }
        let unknown = self.simulation.unknown_cells();
        unknown
            .map(|cell| (self.simulation.rank(cell), cell))
            .reduce(|best, other| if other.0 < best.0 { other } else { best })
            .expect("a game that goes on has an unknown cell")
            .1
    }

    fn lay(&mut self, rng: &mut Rng) {
        self.layouts.draw(&mut self.drawn, rng);
        self.simulation.lay(self.drawn.mines());
    }
}

impl State for GuessGame<'_> {
    type Move = Cell;
    const CHANCE: bool = true;

    fn moves(&self, moves: &mut Vec<Cell>) {
        if self.simulation.is_over() {
            return;
        }
        if self.win.is_none() {
            moves.extend(self.arms.iter().map(|&(cell, _)| cell));
            return;
        }
        let rank = |cell| self.simulation.rank(cell);
        for cell in self.simulation.unknown_cells() {
            let at = moves
                .iter()
                .rposition(|&other| rank(other) <= rank(cell))
                .map_or(0, |at| at + 1);
            if at < WIDTH {
                moves.truncate(WIDTH - 1);
                moves.insert(at, cell);
            }
        }
    }

    fn play(&mut self, cell: Cell, rng: &mut Rng) -> u32 {
        if self.win.is_none() {
            self.win = Some(1.0);
            let arm = self.arms.iter().find(|(arm, _)| *arm == cell);
            if let Some((_, mine)) = arm {
                self.win = Some(1.0 - mine);
                while self.simulation.hides_mine(cell) {
                    self.lay(rng);
                }
            }
        }
        self.simulation.open(cell);
        if !self.simulation.is_over() {
            self.simulation.estimate();
        }
        self.simulation.take_shown()
    }

    fn reward(&self) -> f64 {
        if self.simulation.is_won() {
            self.win.unwrap_or(1.0)
        } else {
            0.0
        }
    }

    fn restart(&mut self, root: &Self, rng: &mut Rng) {
        self.simulation.restart(&root.simulation);
        self.win = None;
        self.lay(rng);
    }
}

/// Playouts by a cheap version of the rules of player 7.0. A playout opens the cells that single
/// numbers prove safe, then the cell with the lowest estimated mine probability. Ties go to
/// boundary cells, then to the cells with the fewest neighbours, then to the first cell.
#[derive(Clone, Copy)]
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
    use super::*;
    use crate::{
        FirstClick, Game,
        solver::{Analysis, Budget, Layouts},
    };
    use mineflow_rng::Seed;

    #[test]
    fn playouts_alone_win_five_beginner_games_in_six() {
        let game = Game::new("9x9/10".parse().unwrap(), FirstClick::Safe);
        let view = game.view();
        let mut analysis = Analysis::new();
        let mut layouts = Layouts::default();
        analysis.begin(view.grid(), view.mines());
        analysis
            .layouts(&mut layouts, &mut Budget::unlimited())
            .unwrap();
        // The first click opens a corner without a mine; a win thus counts 71 / 81.
        let arms = [(Cell(0), 10.0 / 81.0)];
        let root = GuessGame::new(view, &layouts, &arms);
        let mut guess = root.clone();
        let mut line = Vec::new();
        let mut rng = Seed::new(1).rng();
        let playouts = 20_000;
        let mut won = 0.0;
        for _ in 0..playouts {
            guess.restart(&root, &mut rng);
            LeastEstimate.playout(&mut guess, &mut line, &mut rng);
            won += guess.reward() * 81.0 / 71.0;
        }
        let share = won / f64::from(playouts);
        // Player 7.0 wins 0.916 of these games.
        assert!((0.825..0.85).contains(&share), "{share}");
    }
}
