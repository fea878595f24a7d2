//! The tables of a board and the scratch that choosing needs.

use rand::RngExt;

use super::super::monte_carlo::GuessStage;
use super::learned::Scores;
use super::{Candidates, Choice};
use crate::minesweeper::features::{Position, TIE};
use crate::minesweeper::solver::Layouts;
use crate::minesweeper::{Cell, CellSet, Grid};
use crate::rng::Rng;

/// Cells off the boundary that [`Candidates::Sampled`] adds to it (main paper, section 4.2.2).
const SAMPLED: usize = 3;

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
    narrowed: Vec<f64>,
    /// Scratch: cells off the boundary.
    elsewhere: Vec<Cell>,
    /// Scratch: what a rule makes of the probabilities.
    pub(super) rescored: Vec<f64>,
    /// What a model makes of the cells.
    pub(super) scores: Scores,
    /// The layouts that fit the position, for rules that draw some.
    pub(in crate::minesweeper::player) layouts: Layouts,
    /// The position as a stage, for rules that solve it.
    pub(in crate::minesweeper::player) stage: GuessStage,
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
            layouts: Layouts::default(),
            stage: GuessStage::default(),
        }
    }

    /// The cell that `choice` takes, `None` if there is no candidate. Panics where `position` is of another board size.
    pub fn choose(&mut self, choice: &Choice, position: &Position<'_>, rng: &mut Rng) -> Option<Cell> {
        if choice.candidates != Candidates::Covered {
            let mut narrowed = std::mem::take(&mut self.narrowed);
            self.narrow(choice.candidates, position, &mut narrowed, rng);
            let chosen = choice.rule.choose(position, &narrowed, self, rng);
            self.narrowed = narrowed;
            if chosen.is_some() {
                return chosen;
            }
        }
        choice.rule.choose(position, position.mine, self, rng)
    }

    /// Puts the probabilities of the cells that may be chosen into `narrowed`, NaN elsewhere.
    fn narrow(&mut self, candidates: Candidates, position: &Position<'_>, narrowed: &mut Vec<f64>, rng: &mut Rng) {
        let &Position { mine, boundary, .. } = position;
        let may_be_safe = |cell: &Cell| mine[cell.index()] < 1.0 - TIE;
        narrowed.clear();
        narrowed.resize(mine.len(), f64::NAN);
        for cell in boundary.iter().filter(may_be_safe) {
            narrowed[cell.index()] = mine[cell.index()];
        }
        if candidates == Candidates::Sampled {
            let cells = (0..mine.len() as u16).map(Cell);
            self.elsewhere.clear();
            self.elsewhere.extend(cells.filter(|&cell| may_be_safe(&cell) && !boundary.contains(cell)));
            for drawn in 0..SAMPLED.min(self.elsewhere.len()) {
                let other = rng.random_range(drawn as u32..self.elsewhere.len() as u32) as usize;
                self.elsewhere.swap(drawn, other);
                let cell = self.elsewhere[drawn].index();
                narrowed[cell] = mine[cell];
            }
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

    /// Puts the cells within `margin` of the least of `values` into `close`; NaN is no value.
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

/// The least number of `mine`, NaN left out; infinity if there is none. Eight running minima let the compiler use
/// vectors.
pub(super) fn least(mine: &[f64]) -> f64 {
    let mut lanes = [f64::INFINITY; 8];
    let (chunks, rest) = mine.as_chunks::<8>();
    for chunk in chunks {
        for (lane, &p) in lanes.iter_mut().zip(chunk) {
            *lane = if p < *lane { p } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f64::INFINITY, |least, &p| if p < least { p } else { least })
}

/// Sets the bits of the cells with a number up to `limit`, clears all others. Bits go through eight lanes, each a byte
/// of every eighth cell, last cells first: again for vectors.
fn mark_up_to(mine: &[f64], limit: f64, words: &mut [u64]) {
    for (word, cells) in words.iter_mut().zip(mine.chunks(64)) {
        let mut lanes = [0u64; 8];
        let (rows, rest) = cells.as_chunks::<8>();
        for row in rows.iter().rev() {
            for (lane, &p) in lanes.iter_mut().zip(row) {
                *lane = *lane << 8 | u64::from(p <= limit);
            }
        }
        *word = lanes.iter().enumerate().fold(0, |word, (lane, bits)| word | bits << lane);
        for (i, &p) in rest.iter().enumerate() {
            *word |= u64::from(p <= limit) << (rows.len() * 8 + i);
        }
    }
}
