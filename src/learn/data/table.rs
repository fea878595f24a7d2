//! Rows in memory.

use mineflow_model::{FeatureSet, Symmetry};
use mineflow_rng::Seed;
use mineflow_store::named;

/// Features and targets, as all training reads them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Rows x width, row-major.
    pub features: Vec<f32>,
    /// Numbers a row.
    pub width: usize,
    /// One a row: 1 for a safe cell and 0 for a mine (classifier), or the return, -1 to 1 (Q).
    pub target: Vec<f32>,
    /// One a row: the seed of the game that it is from. Rows of one game are next to each other.
    pub game: Vec<u64>,
}

impl Table {
    /// A table without rows.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.target.len()
    }

    /// Turns every row, one of `set`, by one of the eight symmetries of the board, drawn by `seed`.
    pub fn turn(&mut self, set: &FeatureSet, seed: Seed) {
        for (index, row) in (0..).zip(self.features.chunks_exact_mut(self.width)) {
            (set.turn)(row, Symmetry::of(seed.child("symmetry", index).value()));
        }
    }

    /// The rows of the games with these seeds.
    pub fn of_games(&self, is_wanted: impl Fn(u64) -> bool) -> Self {
        let mut part = Self::new(self.width);
        for row in (0..self.rows()).filter(|&row| is_wanted(self.game[row])) {
            part.features.extend_from_slice(self.row(row));
            part.target.push(self.target[row]);
            part.game.push(self.game[row]);
        }
        part
    }

    /// The features of row `index`. Panics past the end.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.features[index * self.width..][..self.width]
    }
}

/// Which games are read. A game belongs to one part by a hash of its seed, whatever file it is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Split {
    /// Eight games of ten.
    Train,
    /// One of ten, to choose by.
    Validation,
    /// One of ten, to report.
    Test,
    /// Every game.
    #[default]
    All,
}

named!(Split, "part of the data": Train = "train", Validation = "validation", Test = "test", All = "all");

impl Split {
    /// The three parts.
    pub const PARTS: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// The part that the game with this seed belongs to.
    pub const fn of(game: u64) -> Self {
        match Seed::new(game).child("split", 0).value() % 10 {
            0..8 => Self::Train,
            8 => Self::Validation,
            _ => Self::Test,
        }
    }

    /// Whether the game with this seed is read.
    pub fn holds(self, game: u64) -> bool {
        self == Self::All || self == Self::of(game)
    }
}
