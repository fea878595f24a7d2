//! Training on more rows than fit into memory: a window holds the training games of some shards of
//! the data. The shards are assigned to windows in a random order for every pass over the data,
//! which depends only on the seed and the pass.

use std::{borrow::Cow, num::NonZeroU64, ops::Range, path::PathBuf, sync::atomic::AtomicBool};

use super::{
    DataError, DataFolders, Manifest, ReadLimits, ShardEntry, Split, Table, check_memory,
    read::deal_shard,
};
use mineflow_model::FeatureSet;
use mineflow_rng::Seed;

/// The exponents of the default window sizes in rows, which are powers of two. The largest size
/// that fits into memory is used.
const USUAL: std::ops::RangeInclusive<u32> = 16..=23;
/// The divisor of the window size that gives the minimum number of rows in a table of held-out
/// rows, if the data suffice.
const HELD_OUT: u64 = 8;

/// The rows of a training run, dealt by game.
pub struct TrainingRows {
    pub train: Rows,
    pub validation: Table,
    /// Empty if the run has no test.
    pub test: Table,
}

/// The rows to train on.
pub enum Rows {
    /// All rows at once.
    Whole(Table),
    /// One window at a time.
    Windows(Windows),
}

impl TrainingRows {
    /// Reads the rows of folders in one pass. With windows, the training rows are read later,
    /// window by window.
    ///
    /// # Errors
    /// Returns the errors of [`read_table`](super::read_table).
    pub fn read(
        folders: &DataFolders,
        windows: Option<&Windows>,
        has_test: bool,
        limits: ReadLimits<'_>,
    ) -> Result<Self, DataError> {
        let mut held_out = vec![Split::Validation];
        held_out.extend(has_test.then_some(Split::Test));
        let (train, tables) = if let Some(windows) = windows {
            let held_out = held_out.into_iter();
            let tables = held_out.map(|split| windows.held_out(split, limits.stop));
            let tables = tables.collect::<Result<Vec<_>, _>>()?;
            (Rows::Windows(windows.clone()), tables)
        } else {
            held_out.insert(0, Split::Train);
            let mut tables = folders.tables(&held_out, limits)?;
            (Rows::Whole(tables.remove(0)), tables)
        };
        let mut tables = tables.into_iter();
        Ok(Self {
            train,
            validation: tables.next().unwrap_or_default(),
            test: tables.next().unwrap_or_default(),
        })
    }
}

impl Rows {
    /// Returns the number of windows per pass.
    pub fn windows(&self) -> usize {
        match self {
            Self::Whole(_) => 1,
            Self::Windows(windows) => windows.count(),
        }
    }

    /// Augments the rows by symmetries drawn with `seed`. Rows in windows are augmented when their
    /// window is read.
    pub fn turn(&mut self, set: &FeatureSet, seed: Seed) {
        if let Self::Whole(table) = self {
            table.turn(set, seed);
        }
    }

    /// Reads a window as [`Windows::first_of`] does. If there are no windows, every pass has one
    /// window, of all rows.
    ///
    /// # Errors
    /// Returns the errors of [`Windows::first_of`].
    pub fn first_of(
        &self,
        mut places: Range<usize>,
        stop: &AtomicBool,
    ) -> Result<Option<(usize, Cow<'_, Table>)>, DataError> {
        Ok(match self {
            Self::Whole(table) => places.next().map(|place| (place, Cow::Borrowed(table))),
            Self::Windows(windows) => windows
                .first_of(places, stop)?
                .map(|(place, table)| (place, Cow::Owned(table))),
        })
    }
}

/// The memory that a training run needs besides its training rows.
#[derive(Clone, Copy, Debug)]
pub struct ExtraMemory {
    /// The number of extra bytes per training row.
    pub bytes: u64,
    /// Number of tables of held-out rows.
    pub held_out: u64,
}

/// The random choices in the rows of a training run.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// Seed of the order of the shards and of the symmetries.
    pub seed: Seed,
    /// Whether training rows are augmented by the eight symmetries of the board.
    pub turned: bool,
}

/// The shards of data folders, divided into windows.
#[derive(Clone, Debug)]
pub struct Windows {
    set: &'static FeatureSet,
    shards: Vec<(PathBuf, ShardEntry)>,
    drawn: Drawn,
    /// Maximum number of rows in a window, including held-out rows.
    rows: u64,
    /// Number of windows per pass.
    count: usize,
}

impl Windows {
    /// Plans the windows for the rows of these folders. Each window has at most `asked` rows,
    /// including held-out rows, unless a single shard has more. Without `asked`, windows have the
    /// largest default size that fits into `memory` bytes. Then the result is `None` if all rows
    /// fit.
    ///
    /// # Errors
    /// Returns an error if the windows don't fit into memory.
    pub fn plan(
        folders: &DataFolders,
        asked: Option<NonZeroU64>,
        drawn: Drawn,
        (memory, beside): (u64, ExtraMemory),
    ) -> Result<Option<Self>, DataError> {
        let of_folder = |(path, manifest): &(PathBuf, Manifest)| {
            let shards = manifest.shards.iter();
            shards
                .map(|shard| (path.clone(), shard.clone()))
                .collect::<Vec<_>>()
        };
        let shards: Vec<_> = folders.folders.iter().flat_map(of_folder).collect();
        let all = shards.iter().map(|(_, shard)| shard.counts.rows).sum();
        let set = folders.set;
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

    /// Sets the number of windows to the smallest for which no window has more than `rows` rows,
    /// whatever the order of the shards. A window of a single shard may have more.
    fn cut(&mut self, rows: u64) {
        let mut sum = 0;
        let fitting = self.sizes().into_iter().take_while(|size| {
            sum += size;
            sum <= rows
        });
        self.count = self.shards.len().div_ceil(fitting.count().max(1));
        self.rows = rows;
    }

    /// Returns the numbers of rows of all shards, in descending order.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<_> = self
            .shards
            .iter()
            .map(|(_, shard)| shard.counts.rows)
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// Returns the maximum number of rows of a window, including held-out rows.
    fn largest(&self) -> u64 {
        self.sizes()
            .into_iter()
            .take(self.shards.len().div_ceil(self.count))
            .sum()
    }

    /// Returns the maximum memory of the training run in bytes.
    fn bytes(&self, ExtraMemory { bytes, held_out }: ExtraMemory) -> u64 {
        let shard = self.sizes().first().copied().unwrap_or(0);
        // A row has its features, its target and its game.
        let row = 4 * self.set.width() as u64 + 12;
        let held_out = held_out
            * (self.rows / HELD_OUT)
                .min(self.largest())
                .saturating_add(shard);
        // A shard is first read as a frame, then converted column by column.
        self.largest()
            .saturating_mul(row + bytes)
            .saturating_add((held_out + 2 * shard).saturating_mul(row))
    }

    /// Returns the requested maximum number of rows of a window, including held-out rows. Only a
    /// window of a single, larger shard has more.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of windows per pass, at least one.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads the training rows of a window of a pass; windows are numbered from 0. There may be no
    /// such rows.
    ///
    /// # Errors
    /// Returns the errors of [`read_table`](super::read_table).
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

    /// Reads the first window that has training rows, and returns it with its place. Windows
    /// without training rows are skipped. Place `pass * count + window` is a window of a pass.
    ///
    /// # Errors
    /// Returns the errors of [`Windows::read`].
    pub fn first_of(
        &self,
        places: Range<usize>,
        stop: &AtomicBool,
    ) -> Result<Option<(usize, Table)>, DataError> {
        for place in places {
            let table = self.read((place / self.count) as u64, place % self.count, stop)?;
            if table.rows() > 0 {
                return Ok(Some((place, table)));
            }
        }
        Ok(None)
    }

    /// Reads held-out rows of another split, from as many shards as make up an eighth of a window.
    ///
    /// # Errors
    /// Returns the errors of [`Windows::read`], and an error if there are no such rows.
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

    /// Draws a random order of the shards.
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
        let memory = u64::MAX;
        let limits = ReadLimits { stop, memory };
        deal_shard(
            folder,
            shard,
            self.set,
            &[split],
            limits,
            std::slice::from_mut(table),
        )
    }
}
