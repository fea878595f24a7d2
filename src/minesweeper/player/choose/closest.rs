//! The cells whose value is within a margin of the minimum.

use rand::RngExt;

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
};
use crate::{Board, Cell, CellSet, solver::TIE};
use mineflow_rng::Rng;

/// The cells of a board that are still candidates.
#[derive(Clone, Debug)]
pub(super) struct Closest(CellSet);

impl Closest {
    pub fn new(board: Board) -> Self {
        Self(CellSet::new(board.cells()))
    }

    /// Selects the candidates within `margin` of the lowest probability.
    pub fn gather(&mut self, mine: &[f64], margin: f64) {
        let least = least(mine);
        let limit = least + margin + TIE;
        // A cell with mine probability 1 may be within the margin, but must never be chosen while
        // another candidate may be safe.
        let limit = if least < 1.0 - TIE {
            limit.min(1.0 - TIE)
        } else {
            limit
        };
        mark_up_to(mine, limit, self.0.words_mut());
    }

    /// Selects the cells within `margin` of the lowest of `values`; NaN is ignored.
    pub fn gather_values(&mut self, values: &[f64], margin: f64) {
        mark_up_to(values, least(values) + margin + TIE, self.0.words_mut());
    }

    pub fn cells(&self) -> &CellSet {
        &self.0
    }

    /// Removes the cells for which `wanted` returns false.
    pub fn keep(&mut self, wanted: impl Fn(Cell) -> bool) {
        for (i, word) in self.0.words_mut().iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if !wanted(Cell((i * 64) as u16 + bit as u16)) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// Draws one of the cells uniformly at random, or returns `None` if there are no cells.
    pub fn draw(&self, rng: &mut Rng) -> Option<Cell> {
        let mut left = match self.0.len() {
            0 => return None,
            1 => 0,
            several => rng.random_range(0..several as u32),
        };
        for (i, &word) in self.0.words().iter().enumerate() {
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

/// The chooser of [`Rule::MinP`](super::Rule::MinP).
impl Chooser for Closest {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        self.gather(mine, 0.0);
        Ok(self.draw(guess.rng))
    }
}

/// Returns the minimum of `mine`, ignoring NaN, or infinity if there is none. Eight running minima
/// let the compiler vectorise the loop.
pub(super) fn least(mine: &[f64]) -> f64 {
    let mut lanes = [f64::INFINITY; 8];
    let (chunks, rest) = mine.as_chunks::<8>();
    for chunk in chunks {
        for (lane, &p) in lanes.iter_mut().zip(chunk) {
            *lane = if p < *lane { p } else { *lane };
        }
    }
    lanes
        .iter()
        .chain(rest)
        .fold(f64::INFINITY, |least, &p| if p < least { p } else { least })
}

/// Sets the bits of the cells whose value is at most `limit` and clears all other bits. Each of
/// eight lanes collects the bits of every eighth cell in a byte, starting with the last cells, so
/// that the compiler can vectorise the loop.
fn mark_up_to(mine: &[f64], limit: f64, words: &mut [u64]) {
    for (word, cells) in words.iter_mut().zip(mine.chunks(64)) {
        let mut lanes = [0u64; 8];
        let (rows, rest) = cells.as_chunks::<8>();
        for row in rows.iter().rev() {
            for (lane, &p) in lanes.iter_mut().zip(row) {
                *lane = *lane << 8 | u64::from(p <= limit);
            }
        }
        *word = lanes
            .iter()
            .enumerate()
            .fold(0, |word, (lane, bits)| word | bits << lane);
        for (i, &p) in rest.iter().enumerate() {
            *word |= u64::from(p <= limit) << (rows.len() * 8 + i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::{
        FirstClick, Game, Status,
        solver::{Budget, Solver},
    };
    use mineflow_rng::Seed;

    /// The largest relative change of a probability, in units in the last place of an `f64`.
    const UNITS: i32 = 1000;

    #[test]
    fn changed_last_digits_of_the_probabilities_change_no_choice() {
        let board: Board = "expert".parse().unwrap();
        let mut solver = Solver::new();
        let mut rng = Seed::new(1).rng();
        let mut closest = Closest::new(board);
        let mut guesses = 0;
        for seed in 0..60 {
            let mut game = Game::new(board, FirstClick::Safe);
            game.start(Seed::new(seed));
            game.open(Cell(0)).unwrap();
            while game.status() == Status::Playing {
                let solution = solver.solve(game.view(), &mut Budget::unlimited()).unwrap();
                let mine = solution.mine_probability;
                for margin in [0.0, 0.01, 0.05] {
                    closest.gather(&mine, margin);
                    let chosen = closest.clone();
                    let changed: Vec<f64> = mine
                        .iter()
                        .map(|p| {
                            p * (1.0 + f64::from(rng.random_range(-UNITS..=UNITS)) * f64::EPSILON)
                        })
                        .collect();
                    closest.gather(&changed, margin);
                    assert_eq!(closest.cells(), chosen.cells(), "game {seed}");
                }
                closest.gather(&mine, 0.0);
                guesses += u32::from(solution.safe.is_empty());
                game.open(closest.draw(&mut rng).unwrap()).unwrap();
            }
        }
        assert!(guesses > 200, "{guesses}");
    }
}
