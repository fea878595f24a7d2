//! A shard of the data under construction.

use std::path::Path;

use super::record::{PlayedGame, reward};
use mineflow_learn::data::{Counts, DataError, ShardEntry, ShardRows};
use mineflow_model::{FeatureSet, Target};

/// A shard of the data under construction, column by column.
pub(super) struct Shard {
    pub number: u64,
    pub counts: Counts,
    rows: ShardRows,
}

impl Shard {
    /// Creates an empty shard `number` with rows of `set`.
    pub fn new(number: u64, set: &'static FeatureSet, player: &str) -> Self {
        Self {
            number,
            counts: Counts::default(),
            rows: ShardRows {
                set,
                player: player.to_owned(),
                columns: vec![Vec::new(); set.width() + set.target.columns().len()],
                decisions: Vec::new(),
            },
        }
    }

    /// Adds a game with all its decisions and the first `most_rows` of its rows.
    pub fn push(&mut self, played: PlayedGame, most_rows: u64) {
        let rows = (played.target.len() as u64).min(most_rows);
        self.counts.games += u64::from(!played.left_out);
        self.counts.left_out += u64::from(played.left_out);
        self.counts.won += u64::from(played.won);
        self.counts.decisions += played.guesses.len() as u64;
        self.counts.rows += rows;
        let ShardRows {
            set,
            columns,
            decisions,
            ..
        } = &mut self.rows;
        let numbers = played.features.chunks_exact(set.width());
        for row in numbers.take(rows as usize) {
            columns
                .iter_mut()
                .zip(row)
                .for_each(|(column, &number)| column.push(number));
        }
        let mut left = rows as u32;
        for mut guess in played.guesses {
            guess.rows = guess.rows.min(left);
            left -= guess.rows;
            if set.target == Target::Return {
                let reward = std::iter::repeat_n(reward(&guess) as f32, guess.rows as usize);
                columns[set.width()].extend(reward);
            }
            decisions.push(guess);
        }
        let target = columns.last_mut().expect("every target has a column");
        target.extend_from_slice(&played.target[..rows as usize]);
    }

    /// Writes both files into `folder`.
    pub fn write(self, folder: &Path) -> Result<ShardEntry, DataError> {
        self.rows.write(folder, self.number, self.counts)
    }
}
