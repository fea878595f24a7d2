//! The tables of a board and the scratch that choosing needs.

use std::collections::HashMap;

use rand::RngExt;

use super::super::monte_carlo::GuessStage;
use super::lanes::{least, mark_up_to};
use super::ranking::Ranking;
use super::scores::Scores;
use crate::ahead::{Deeper, LookScratch, RollOut};
use crate::solver::{Analysis, Layouts, TIE};
use crate::{Cell, CellSet, Grid};
use mineflow_rng::Rng;

/// The most open cells of a position whose choice may be kept. Games begin alike: on expert a third of all guesses are such.
pub(super) const OPENING: usize = 4;

/// The open cells of a position with their numbers, in order; the last ones are off the board where there are fewer.
pub(super) type Opening = [(u16, u8); OPENING];

/// Chooses on one board, again and again, without allocating.
#[derive(Clone, Debug)]
pub struct Chooser {
    /// For every cell the Manhattan distance to the nearest edge, `min(i, j, p - 1 - i, q - 1 - j)`.
    pub(super) edge_distance: Box<[u16]>,
    /// The cells by number of neighbours, fewest first.
    pub(super) by_neighbors: Box<[CellSet]>,
    /// Scratch: the cells still in question.
    pub(super) close: CellSet,
    /// Scratch: the probabilities of the cells that may be chosen, where those are not all.
    pub(super) narrowed: Vec<f64>,
    /// Scratch: cells off the boundary.
    pub(super) elsewhere: Vec<Cell>,
    /// Scratch: what a rule makes of the probabilities.
    pub(super) rescored: Vec<f64>,
    /// What a model makes of the cells.
    pub(super) scores: Scores,
    /// The position, counted, for rules that look ahead.
    pub(in crate::player) parent: Analysis,
    /// Scratch of looking ahead.
    pub(super) looking: LookScratch,
    pub(super) deeper: Deeper,
    /// Scratch of asking a ranker.
    pub(super) ranking: Ranking,
    /// Scratch of roll-outs.
    pub(super) roll_out: RollOut,
    /// What was chosen in positions of few open cells.
    pub(super) openings: HashMap<Opening, Cell>,
    /// The layouts that fit the position, for rules that draw some.
    pub(in crate::player) layouts: Layouts,
    /// The position as a stage, for rules that solve it.
    pub(in crate::player) stage: GuessStage,
    /// Scratch: a position that may follow.
    pub(super) child: Analysis,
}

impl Chooser {
    /// The tables of `grid`; ten bits a cell and more.
    pub fn new(grid: &Grid) -> Self {
        let board = grid.board();
        let distance = |cell| board.edge_distance(cell) as u16;
        let mut by_neighbors: [CellSet; 9] = std::array::from_fn(|_| CellSet::new(board.cells()));
        for cell in board.all_cells() {
            by_neighbors[grid.neighbor_count(cell)].insert(cell);
        }
        Self {
            edge_distance: board.all_cells().map(distance).collect(),
            by_neighbors: by_neighbors.into_iter().filter(|cells| !cells.is_empty()).collect(),
            close: CellSet::new(board.cells()),
            narrowed: Vec::new(),
            elsewhere: Vec::new(),
            rescored: Vec::new(),
            scores: Scores::default(),
            parent: Analysis::new(),
            looking: LookScratch::default(),
            deeper: Deeper::default(),
            ranking: Ranking::default(),
            roll_out: RollOut::default(),
            openings: HashMap::new(),
            layouts: Layouts::default(),
            stage: GuessStage::default(),
            child: Analysis::new(),
        }
    }

    /// Puts the candidates within `margin` of the least probability into `close`.
    pub(super) fn gather(&mut self, mine: &[f64], margin: f64) {
        let least = least(mine);
        let limit = least + margin + TIE;
        // A certain mine is within the margin of a probability of 0.95 and more, but never to be chosen before it.
        let limit = if least < 1.0 - TIE { limit.min(1.0 - TIE) } else { limit };
        mark_up_to(mine, limit, self.close.words_mut());
    }

    /// Puts the cells within `margin` of the least of `values` into `close`; NaN is not a value.
    pub(super) fn gather_values(&mut self, values: &[f64], margin: f64) {
        mark_up_to(values, least(values) + margin + TIE, self.close.words_mut());
    }

    /// One of `close` at random, each as likely.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Cell> {
        let mut left = match self.close.len() {
            0 => return None,
            1 => 0,
            several => rng.random_range(0..several as u32),
        };
        for (i, &word) in self.close.words().iter().enumerate() {
            if left >= word.count_ones() {
                left -= word.count_ones();
                continue;
            }
            let rest = (0..left).fold(word, |word, _| word & (word - 1));
            return Some(Cell((i * 64) as u16 + rest.trailing_zeros() as u16));
        }
        None
    }
}
