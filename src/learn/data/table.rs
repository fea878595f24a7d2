//! Training rows in memory.

use mineflow_model::{FeatureSet, Symmetry};
use mineflow_rng::Seed;
use mineflow_store::named;

/// Features and targets, the input of every training run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Row-major features of shape (rows, width). Boosting and prediction take rows, and a shuffled
    /// batch is gathered from rows in two thirds of the time that it takes from columns.
    pub features: Vec<f32>,
    /// Features per row.
    pub width: usize,
    /// One target per row, such as 1 for a safe cell and 0 for a mine (classifier), or the return
    /// in -1..=1 (Q).
    pub target: Vec<f32>,
    /// One entry per row: the seed of the row's game. Rows of a game are adjacent.
    pub game: Vec<u64>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.target.len()
    }

    /// Augments the rows of feature set `set`: transforms each row by one of the eight symmetries
    /// of the board, which is drawn with `seed`.
    pub fn turn(&mut self, set: &FeatureSet, seed: Seed) {
        for (index, row) in (0..).zip(self.features.chunks_exact_mut(self.width)) {
            (set.turn)(row, Symmetry::of(seed.child("symmetry", index).value()));
        }
    }

    /// Returns the rows of the games whose seed satisfies `is_wanted`.
    pub fn of_games(&self, is_wanted: impl Fn(u64) -> bool) -> Self {
        let mut part = Self::new(self.width);
        for row in (0..self.rows()).filter(|&row| is_wanted(self.game[row])) {
            part.features.extend_from_slice(self.row(row));
            part.target.push(self.target[row]);
            part.game.push(self.game[row]);
        }
        part
    }

    /// Returns the features of row `index`. Panics if there is no such row.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.features[index * self.width..][..self.width]
    }
}

/// A split of the games. A hash of a game's seed assigns the game to one split, whatever file it is
/// in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Split {
    /// 80 % of the games.
    Train,
    /// 10 % of the games, for model selection.
    Validation,
    /// 10 % of the games, for reported results.
    Test,
    /// Every game.
    #[default]
    All,
}

named!(Split, "part of the data": Train = "train", Validation = "validation", Test = "test", All = "all");

impl Split {
    /// The three splits that partition the games: train, validation and test.
    pub const PARTS: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// Returns the split of the game with this seed.
    pub const fn of(game: u64) -> Self {
        match Seed::new(game).child("split", 0).value() % 10 {
            0..8 => Self::Train,
            8 => Self::Validation,
            _ => Self::Test,
        }
    }

    /// Returns whether this split includes the game with this seed.
    pub fn holds(self, game: u64) -> bool {
        self == Self::All || self == Self::of(game)
    }
}
