//! A shard of the data under construction. Its rows and the decisions of its games are written to
//! two files.

use std::path::Path;

use super::record::{Guessed, PlayedGame};
use mineflow_learn::data::{Counts, DataError, FileKind, ShardEntry, Values, write};
use mineflow_model::{FeatureSet, Target};

/// A shard of the data under construction, column by column.
pub(super) struct Shard {
    number: u64,
    set: &'static FeatureSet,
    player: String,
    /// One vector per column of the feature set.
    features: Vec<Vec<f32>>,
    target: Vec<f32>,
    /// Rewards of rows whose target is the return.
    reward: Vec<f32>,
    /// The origin of each row.
    row_origins: Origins,
    row_guess: Guesses,
    origins: Origins,
    guess: Guesses,
    outcome: Outcomes,
    counts: Counts,
}

#[derive(Default)]
struct Origins {
    game: Vec<u64>,
    seed: Vec<u64>,
    turn: Vec<u32>,
    explored: Vec<bool>,
    won: Vec<bool>,
}

#[derive(Default)]
struct Guesses {
    width: Vec<u32>,
    height: Vec<u32>,
    mines: Vec<u32>,
    cell: Vec<u32>,
}

#[derive(Default)]
struct Outcomes {
    safe: Vec<bool>,
    opened: Vec<u32>,
    rows: Vec<u32>,
    cells: Vec<u8>,
    ends: Vec<usize>,
}

impl Shard {
    /// Creates an empty shard `number` with rows of `set`.
    pub(super) fn new(number: u64, set: &'static FeatureSet, player: &str) -> Self {
        Self {
            number,
            set,
            player: player.to_owned(),
            features: vec![Vec::new(); set.width()],
            target: Vec::new(),
            reward: Vec::new(),
            row_origins: Origins::default(),
            row_guess: Guesses::default(),
            origins: Origins::default(),
            guess: Guesses::default(),
            outcome: Outcomes::default(),
            counts: Counts::default(),
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Adds a game with all its decisions and the first `most_rows` of its rows.
    pub(super) fn push(&mut self, played: &PlayedGame, most_rows: u64) {
        let width = self.features.len();
        let rows = played
            .target
            .len()
            .min(usize::try_from(most_rows).unwrap_or(usize::MAX));
        for row in played.features.chunks_exact(width).take(rows) {
            self.features
                .iter_mut()
                .zip(row)
                .for_each(|(column, &number)| column.push(number));
        }
        self.target.extend_from_slice(&played.target[..rows]);
        let mut left = rows;
        let packed = if played.guesses.is_empty() {
            0
        } else {
            played.cells.len() / played.guesses.len()
        };
        for (turn, guess) in played.guesses.iter().enumerate() {
            let own = left.min(guess.rows as usize);
            left -= own;
            self.row_origins.push(played, turn, guess, own);
            if self.set.target == Target::Return {
                self.row_guess.push(played, guess, own);
                self.reward
                    .extend(std::iter::repeat_n(guess.reward(played.board) as f32, own));
            }
            self.origins.push(played, turn, guess, 1);
            self.guess.push(played, guess, 1);
            self.outcome.safe.push(guess.safe);
            self.outcome.opened.push(guess.opened);
            self.outcome.rows.push(own as u32);
            self.outcome
                .cells
                .extend_from_slice(&played.cells[turn * packed..][..packed]);
            self.outcome.ends.push(self.outcome.cells.len());
        }
        self.counts.games += u64::from(!played.left_out);
        self.counts.left_out += u64::from(played.left_out);
        self.counts.won += u64::from(played.won);
        self.counts.decisions += played.guesses.len() as u64;
        self.counts.rows += rows as u64;
    }

    /// Writes both files into `folder`.
    pub(super) fn write(self, folder: &Path) -> Result<ShardEntry, DataError> {
        let Self {
            number,
            set,
            player,
            features,
            target,
            reward,
            row_origins,
            row_guess,
            origins,
            guess,
            outcome,
            counts,
        } = self;
        let mut values: Vec<_> = features.into_iter().map(Values::Float32).collect();
        if set.target == Target::Return {
            values.push(Values::Float32(reward));
        }
        values.push(Values::Float32(target));
        values.extend(row_origins.values(&player));
        if set.target == Target::Return {
            values.extend(row_guess.values());
        }
        let rows = write(
            folder,
            format!("rows/{number:05}.parquet"),
            FileKind::Rows(set),
            counts.rows as usize,
            values,
        )?;
        let mut values = Vec::from(origins.values(&player));
        values.extend(guess.values());
        values.extend(outcome.values());
        let name = format!("decisions/{number:05}.parquet");
        let height = counts.decisions as usize;
        let decisions = write(folder, name, FileKind::Decisions, height, values)?;
        Ok(ShardEntry {
            number,
            counts,
            rows,
            decisions,
        })
    }
}

impl Origins {
    fn push(&mut self, played: &PlayedGame, turn: usize, guess: &Guessed, times: usize) {
        let rows = self.game.len() + times;
        self.game.resize(rows, played.number);
        self.seed.resize(rows, played.seed.value());
        self.turn.resize(rows, turn as u32);
        self.explored.resize(rows, guess.explored);
        self.won.resize(rows, played.won);
    }

    fn values(self, player: &str) -> [Values; 6] {
        [
            Values::UInt64(self.game),
            Values::UInt64(self.seed),
            Values::UInt32(self.turn),
            Values::Text(player.to_owned()),
            Values::Boolean(self.explored),
            Values::Boolean(self.won),
        ]
    }
}

impl Guesses {
    fn push(&mut self, played: &PlayedGame, guess: &Guessed, times: usize) {
        let rows = self.cell.len() + times;
        self.width.resize(rows, played.board.width() as u32);
        self.height.resize(rows, played.board.height() as u32);
        self.mines.resize(rows, played.board.mines() as u32);
        self.cell.resize(rows, u32::from(guess.cell.0));
    }

    fn values(self) -> [Values; 4] {
        [self.width, self.height, self.mines, self.cell].map(Values::UInt32)
    }
}

impl Outcomes {
    fn values(self) -> [Values; 4] {
        let Self {
            safe,
            opened,
            rows,
            cells,
            ends,
        } = self;
        [
            Values::Boolean(safe),
            Values::UInt32(opened),
            Values::UInt32(rows),
            Values::Binary { bytes: cells, ends },
        ]
    }
}
