//! Rows of more shards than fit into memory: they are learnt from window by window, a window being the training games of some
//! shards. Which shards those are is drawn again for every pass over the data, from its seed alone.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::read::{finished_of, read_shard};
use super::{DataError, ReadLimits, ShardEntry, Split, Table, check_memory};
use mineflow_model::FeatureSet;
use mineflow_rng::Seed;

/// Rows of a window where nothing is said, as powers of two: the largest that fits into memory.
const USUAL: std::ops::RangeInclusive<u32> = 16..=23;
/// What part of a window's rows is held out of each kind at least, as in the data themselves.
const HELD_OUT: u64 = 8;

/// Rows to learn from.
pub enum Rows {
    /// All of them.
    Whole(Table),
    /// A window at a time.
    Windows(Windows),
}

impl Rows {
    /// Windows a pass.
    pub fn windows(&self) -> usize {
        match self {
            Self::Whole(_) => 1,
            Self::Windows(windows) => windows.count(),
        }
    }

    /// As [`Windows::read`]; all rows where they are not in windows.
    ///
    /// # Errors
    /// As [`Windows::read`].
    pub fn window(
        &self,
        pass: u64,
        window: usize,
        stop: &AtomicBool,
    ) -> Result<Cow<'_, Table>, DataError> {
        Ok(match self {
            Self::Whole(table) => Cow::Borrowed(table),
            Self::Windows(windows) => Cow::Owned(windows.read(pass, window, stop)?),
        })
    }
}

/// What a training holds besides the rows that it learns from.
#[derive(Clone, Copy, Debug)]
pub struct ExtraMemory {
    /// Bytes for each of them.
    pub bytes: u64,
    /// Tables of held-out rows.
    pub held_out: u64,
}

/// How the rows of a training are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// Of the order of shards and of the symmetries.
    pub seed: Seed,
    /// Whether rows to learn from are turned by the eight symmetries of the board.
    pub turned: bool,
}

/// The shards of data folders, in windows.
#[derive(Clone, Debug)]
pub struct Windows {
    set: &'static FeatureSet,
    shards: Vec<(PathBuf, ShardEntry)>,
    drawn: Drawn,
    /// Rows that a window is to have at most.
    rows: u64,
    /// Windows a pass.
    count: usize,
}

impl Windows {
    /// The windows in which the rows of these folders are learnt from: of at most `asked` rows, those held out included. Where
    /// nothing is asked they are the largest that fit into `memory` bytes, and `None` if all rows do.
    ///
    /// # Errors
    /// A folder that is not finished or of another feature set; windows that don't fit into memory.
    pub fn plan(
        paths: &[PathBuf],
        set: &'static FeatureSet,
        asked: Option<NonZeroU64>,
        drawn: Drawn,
        (memory, beside): (u64, ExtraMemory),
    ) -> Result<Option<Self>, DataError> {
        let mut shards = Vec::new();
        for path in paths {
            shards.extend(
                finished_of(path, set)?
                    .shards
                    .into_iter()
                    .map(|shard| (path.clone(), shard)),
            );
        }
        let all = shards.iter().map(|(_, shard)| shard.counts.rows).sum();
        if shards.is_empty() || asked.is_none() && check_memory(all, set.width(), memory).is_ok() {
            return Ok(None);
        }
        let mut windows = Self {
            set,
            shards,
            drawn,
            rows: 0,
            count: 1,
        };
        let mut sizes = USUAL
            .rev()
            .map(|bits| 1 << bits)
            .filter(|_| asked.is_none())
            .chain(asked.map(NonZeroU64::get));
        let fitting = sizes.find(|&rows| {
            windows.cut(rows);
            windows.bytes(beside) <= memory
        });
        match fitting {
            Some(_) => Ok(Some(windows)),
            None => Err(DataError::Window {
                rows: windows.largest(),
                needed: windows.bytes(beside),
                memory,
            }),
        }
    }

    /// As few windows as hold at most `rows` rows each, whatever the order of the shards; those of one shard may have more.
    fn cut(&mut self, rows: u64) {
        let mut sum = 0;
        let fitting = self.sizes().into_iter().take_while(|size| {
            sum += size;
            sum <= rows
        });
        self.count = self.shards.len().div_ceil(fitting.count().max(1));
        self.rows = rows;
    }

    /// The rows of every shard, most first.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<_> = self
            .shards
            .iter()
            .map(|(_, shard)| shard.counts.rows)
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// Rows of a window at most, those held out included.
    fn largest(&self) -> u64 {
        self.sizes()
            .into_iter()
            .take(self.shards.len().div_ceil(self.count))
            .sum()
    }

    /// Bytes that learning takes at most.
    fn bytes(&self, ExtraMemory { bytes, held_out }: ExtraMemory) -> u64 {
        let shard = self.sizes().first().copied().unwrap_or(0);
        // Features, target and game.
        let row = 4 * self.set.width() as u64 + 12;
        let held_out = held_out
            * (self.rows / HELD_OUT)
                .min(self.largest())
                .saturating_add(shard);
        // A shard is read as a frame and then column by column.
        self.largest()
            .saturating_mul(row + bytes)
            .saturating_add((held_out + 2 * shard).saturating_mul(row))
    }

    /// Rows that a window has at most, those held out included, if no shard has more.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Windows a pass, at least one.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The rows to learn from of a window, counted from 0, in a pass over all of them. There may be none.
    ///
    /// # Errors
    /// As [`read_table`](super::read_table).
    pub fn read(&self, pass: u64, window: usize, stop: &AtomicBool) -> Result<Table, DataError> {
        let mut table = Table::new(self.set.width());
        let at = |window: usize| window * self.shards.len() / self.count;
        for shard in &self.order("pass", pass)[at(window)..at(window + 1)] {
            self.append(*shard, Split::Train, stop, &mut table)?;
        }
        if self.drawn.turned {
            table.turn(
                self.set,
                self.drawn
                    .seed
                    .child("turns", pass)
                    .child("window", window as u64),
            );
        }
        Ok(table)
    }

    /// Rows of another part: those of as many shards as make an eighth of a window.
    ///
    /// # Errors
    /// As [`Windows::read`], and if there are none.
    pub fn held_out(&self, split: Split, stop: &AtomicBool) -> Result<Table, DataError> {
        let mut table = Table::new(self.set.width());
        for shard in self.order("held out", 0) {
            if table.rows() as u64 >= (self.rows / HELD_OUT).max(1) {
                break;
            }
            self.append(shard, split, stop, &mut table)?;
        }
        match table.rows() {
            0 => Err(DataError::EmptySplit {
                path: self.shards[0].0.clone(),
                split,
            }),
            _ => Ok(table),
        }
    }

    /// The shards in an order that is drawn.
    fn order(&self, name: &str, index: u64) -> Vec<usize> {
        let seed = self.drawn.seed.child(name, index);
        let mut order: Vec<usize> = (0..self.shards.len()).collect();
        order.sort_by_key(|&shard| seed.child("shard", shard as u64));
        order
    }

    fn append(
        &self,
        shard: usize,
        split: Split,
        stop: &AtomicBool,
        table: &mut Table,
    ) -> Result<(), DataError> {
        let (folder, shard) = &self.shards[shard];
        read_shard(
            folder,
            shard,
            self.set,
            split,
            ReadLimits {
                stop,
                memory: u64::MAX,
            },
            table,
        )
    }
}
