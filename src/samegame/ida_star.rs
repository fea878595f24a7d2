//! IDA* with the over-estimator of the SP-MCTS paper (section 3).
//!
//! Points are to be many, so the estimate has to be too high rather than too low: all cells of a colour go at once, and
//! the board is cleared unless a colour has a single cell. A search for a threshold looks at every position whose points
//! and estimate reach it; the next threshold is the highest that was missed. The first line that reaches its threshold is
//! the best there is, which takes too long to be met on boards of any size: once the budget is spent, the game is played
//! on greedily from the best position seen.

use std::cmp::Reverse;

use super::board::Board;
use super::found::SearchResult;
use super::greedy::finish;
use super::position::Position;
use super::rules::{CLEARED, Move, points};
use super::shape::Shape;
use super::test_set::ScoredLine;
use mineflow_search::options::{OptionError, OptionList, Options};

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdaStar {
    /// Positions to look at.
    pub positions: u64,
}

impl Default for IdaStar {
    fn default() -> Self {
        Self { positions: 1_000_000 }
    }
}

impl Options for IdaStar {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("positions", &mut self.positions, 1..=1_000_000_000_000)
    }
}

/// The most that can still be made: every colour in one group, and the board cleared unless a colour has a single cell.
pub fn over_estimate<S: Shape>(board: &Board<S>) -> i32 {
    let counts = board.counts();
    let bonus = if counts.contains(&1) { 0 } else { CLEARED };
    counts.into_iter().map(|count| points(count.max(2))).sum::<i32>() + bonus
}

impl IdaStar {
    /// Searches a whole game from a board, and says whether the line is proved to be the best. Nothing is left to chance.
    pub fn solve<S: Shape>(&self, board: &Board<S>) -> (SearchResult, Optimality) {
        let root = Position::new(*board);
        let budget = self.positions.max(1);
        let mut search = IdaSearch::new(root, budget);
        let proof = loop {
            match search.explore(root) {
                Exploration::Reached => break Optimality::Best,
                Exploration::Spent => break Optimality::None,
                Exploration::Missed => search.threshold = std::mem::replace(&mut search.missed, i32::MIN),
            }
        };
        let positions = budget - search.left;
        let solution = match proof {
            Optimality::Best => ScoredLine { score: search.threshold, moves: search.line },
            Optimality::None => {
                let (_, mut position, mut moves) = search.best;
                finish(&mut position, None, &mut Vec::new(), &mut moves);
                ScoredLine { score: position.score(), moves }
            }
        };
        (SearchResult { solution, positions }, proof)
    }
}

/// What is known of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimality {
    /// There is none better.
    Best,
    None,
}

enum Exploration {
    Reached,
    Missed,
    Spent,
}

/// What makes a position a good one to play on from: few cells left, then much to be hoped for.
type Rank = (Reverse<usize>, i32);

struct IdaSearch<S: Shape> {
    left: u64,
    threshold: i32,
    /// The highest value below the threshold.
    missed: i32,
    line: Vec<Move>,
    /// The moves of all positions on the line, one after the other.
    open: Vec<Move>,
    best: (Rank, Position<S>, Vec<Move>),
}

impl<S: Shape> IdaSearch<S> {
    fn new(root: Position<S>, left: u64) -> Self {
        let estimate = over_estimate(&root.board);
        let best = (rank(&root, estimate), root, Vec::new());
        Self { left, threshold: estimate, missed: i32::MIN, line: Vec::new(), open: Vec::new(), best }
    }

    fn explore(&mut self, position: Position<S>) -> Exploration {
        if self.left == 0 {
            return Exploration::Spent;
        }
        self.left -= 1;
        let first = self.open.len();
        position.board.moves(&mut self.open);
        let is_over = self.open.len() == first;
        let value = if is_over { position.score() } else { position.points + over_estimate(&position.board) };
        if value < self.threshold {
            self.missed = self.missed.max(value);
            self.open.truncate(first);
            return Exploration::Missed;
        }
        if is_over {
            return Exploration::Reached;
        }
        let rank = rank(&position, value);
        if rank > self.best.0 {
            self.best.0 = rank;
            self.best.1 = position;
            self.best.2.clone_from(&self.line);
        }
        for index in first..self.open.len() {
            let a_move = self.open[index];
            let mut next = position;
            next.remove(a_move).expect("moves that were listed can be played");
            self.line.push(a_move);
            match self.explore(next) {
                Exploration::Missed => self.line.pop(),
                ended => return ended,
            };
        }
        self.open.truncate(first);
        Exploration::Missed
    }
}

fn rank<S: Shape>(position: &Position<S>, value: i32) -> Rank {
    (Reverse(position.board.cells()), value)
}
