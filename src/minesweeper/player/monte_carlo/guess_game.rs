//! A guess as a game for tree search and sampling.

use super::simulation::Simulation;
use super::stage::MINE;
use crate::solver::{Drawn, Layouts};
use crate::{Cell, View};
use mineflow_rng::Rng;
use mineflow_search::State;

/// A position at or after a guess.
///
/// The risk of the first cell is accounted for by its exact mine probability P: layouts with a mine there are drawn again, and a win counts
/// `1 - P`. The expected reward is the same as with unrestricted layouts, with a lower variance.
#[derive(Clone, Debug)]
pub(super) struct GuessGame<'a> {
    pub(super) simulation: Simulation<'a>,
    layouts: &'a Layouts,
    drawn: Drawn,
    arms: &'a [(Cell, f64)],
    /// The number of cells that are considered at each move after the first guess.
    width: usize,
    /// The reward of a win; `None` until the first cell is opened.
    win: Option<f64>,
}

/// The input of a search for a guess.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) view: &'a View,
    pub(super) layouts: &'a Layouts,
    /// The candidate cells with their mine probabilities. A playout that starts before the guess opens the first of them.
    pub(super) arms: &'a [(Cell, f64)],
    pub(super) width: usize,
}

impl<'a> GuessGame<'a> {
    pub(super) fn new(question: Question<'a>) -> Self {
        let Question {
            view,
            layouts,
            arms,
            width,
        } = question;
        let simulation = Simulation::new(view, layouts.known_mines());
        Self {
            simulation,
            layouts,
            drawn: layouts.drawing(),
            arms,
            width,
            win: None,
        }
    }

    /// Returns the cell that a playout opens next. The game must not be over.
    pub(super) fn least_estimate(&self) -> Cell {
        if self.win.is_none() {
            return self.arms[0].0;
        }
        let ranked = self
            .simulation
            .unknown_cells()
            .map(|cell| (self.simulation.rank(cell), cell));
        let least = ranked.reduce(|best, other| if other.0 < best.0 { other } else { best });
        least.expect("a game that goes on has an unknown cell").1
    }

    /// Returns the outcome of opening `cell`, numbered as in [`GuessStage::shown`](super::GuessStage::shown). This method reads the hidden
    /// layout.
    pub(super) fn outcome_of(&self, cell: Cell) -> usize {
        if self.simulation.hides_mine(cell) {
            MINE
        } else {
            self.simulation.hidden_number(cell)
        }
    }

    /// Opens cells that hide no mine, and estimates the odds of the remaining cells.
    pub(super) fn open_all(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|&cell| self.simulation.open(cell));
        if !self.simulation.is_over() {
            self.simulation.estimate();
        }
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
            if at < self.width {
                moves.truncate(self.width - 1);
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

    fn reward(&self, _: usize) -> f64 {
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
