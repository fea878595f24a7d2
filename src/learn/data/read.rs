//! Reads files into a table, with validation.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{
    Counts, DataError, FileEntry, FileKind, Manifest, ShardEntry, Split, Table,
    folder::wrong,
    parquet::{Unread, check_hash},
};
use mineflow_model::FeatureSet;
use mineflow_store::StoreError;

/// Limits of a read.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits<'a> {
    /// A flag that interrupts the read, which then returns an error.
    pub stop: &'a AtomicBool,
    /// Memory limit for rows, in bytes.
    pub memory: u64,
}

/// Checks that `rows` rows of `width` features fit into `memory` bytes, including the peak while
/// they are read.
///
/// # Errors
/// Returns an error if the rows don't fit.
pub fn check_memory(rows: u64, width: usize, memory: u64) -> Result<(), DataError> {
    // The columns as read and the table made from them, or the rows of games and their splits, are
    // in memory at once. Both have features, a target and a game.
    let of_row = 2 * (4 * width as u64 + 4 + 8);
    let needed = rows.saturating_mul(of_row);
    if needed <= memory {
        Ok(())
    } else {
        Err(DataError::Memory {
            rows,
            needed,
            memory,
            fit: memory / of_row,
        })
    }
}

/// Reads the rows of one split from data folders and Parquet files. Files of a folder are checked
/// against its manifest; only the columns of `set` and its target are read.
///
/// # Errors
/// Returns the first fault, with file, column and row: no rows, a missing column, a null, a NaN, a
/// hash that differs from the manifest, another feature set, or more rows than fit into memory.
/// Returns [`StoreError::Stopped`] after an interruption.
pub fn read_table(
    paths: &[PathBuf],
    set: &'static FeatureSet,
    split: Split,
    limits: ReadLimits<'_>,
) -> Result<Table, DataError> {
    let mut tables = vec![Table::new(set.width())];
    for path in paths {
        if path.is_dir() {
            let folders = DataFolders::open(std::slice::from_ref(path), set)?;
            folders.deal(&[split], limits, &mut tables)?;
        } else {
            let before = tables[0].rows();
            deal_file(path, set, None, &[split], limits.memory, &mut tables)?;
            if tables[0].rows() == before {
                let path = path.clone();
                return Err(DataError::EmptySplit { path, split });
            }
        }
    }
    Ok(tables.remove(0))
}

/// Finished data folders with rows of one feature set, whose rows are combined.
#[derive(Clone, PartialEq, Debug)]
pub struct DataFolders {
    pub set: &'static FeatureSet,
    /// Each folder with its contents.
    pub folders: Vec<(PathBuf, Manifest)>,
}

impl DataFolders {
    /// Opens folders without reading rows.
    ///
    /// # Errors
    /// Returns an error if a folder is not finished, has rows of another feature set or is given
    /// twice.
    pub fn open(paths: &[PathBuf], set: &'static FeatureSet) -> Result<Self, DataError> {
        let mut known = HashSet::new();
        let mut folders = Vec::new();
        for path in paths {
            if !known.insert(fs::canonicalize(path).unwrap_or_default()) {
                return Err(DataError::Twice(path.clone()));
            }
            let manifest = Manifest::of_finished(path)?;
            if manifest.features != set.name {
                return Err(DataError::OtherFeatures {
                    path: path.clone(),
                    found: manifest.features,
                    expected: set.name.to_owned(),
                });
            }
            folders.push((path.clone(), manifest));
        }
        Ok(Self { set, folders })
    }

    /// Reads the rows of these disjoint splits in one pass, and returns a table for each split.
    ///
    /// # Errors
    /// Returns the errors of [`read_table`].
    pub fn tables(
        &self,
        splits: &[Split],
        limits: ReadLimits<'_>,
    ) -> Result<Vec<Table>, DataError> {
        let mut tables = vec![Table::new(self.set.width()); splits.len()];
        self.deal(splits, limits, &mut tables)?;
        Ok(tables)
    }

    /// Appends the rows of each of `splits` to its table.
    fn deal(
        &self,
        splits: &[Split],
        limits: ReadLimits<'_>,
        tables: &mut [Table],
    ) -> Result<(), DataError> {
        for (path, manifest) in &self.folders {
            let before: Vec<usize> = tables.iter().map(Table::rows).collect();
            for shard in &manifest.shards {
                deal_shard(path, shard, self.set, splits, limits, tables)?;
            }
            let is_empty = |split: &usize| tables[*split].rows() == before[*split];
            if let Some(split) = (0..splits.len()).find(is_empty) {
                return Err(DataError::EmptySplit {
                    path: path.clone(),
                    split: splits[split],
                });
            }
        }
        Ok(())
    }
}

/// Appends the rows of a shard in each of `splits` to its table, and checks the file against its
/// manifest.
pub(super) fn deal_shard(
    folder: &Path,
    shard: &ShardEntry,
    set: &FeatureSet,
    splits: &[Split],
    limits: ReadLimits<'_>,
    tables: &mut [Table],
) -> Result<(), DataError> {
    check_hash(folder, &shard.rows, limits.stop)?;
    let path = folder.join(&shard.rows.file);
    let rows = Some(shard.counts.rows);
    deal_file(&path, set, rows, splits, limits.memory, tables)
}

fn deal_file(
    path: &Path,
    set: &FeatureSet,
    expected: Option<u64>,
    splits: &[Split],
    memory: u64,
    tables: &mut [Table],
) -> Result<(), DataError> {
    let file = Unread::open(path, expected)?;
    let found = file.rows;
    if found == 0 && expected.is_none() {
        return Err(DataError::NoRows(path.to_owned()));
    }
    let before: usize = tables.iter().map(Table::rows).sum();
    check_memory((found + before) as u64, set.width(), memory)?;
    let target = set.target.column().name;
    let mut names = vec!["seed", target];
    names.extend(set.names);
    let file = file.read(Some(&names), found)?;
    let games = file.whole("seed")?;
    let columns = set.names.iter().map(|&name| file.floats(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let targets = file.floats(target)?;
    let mut last = None;
    let mut place = None;
    for (row, (&game, &target)) in games.iter().zip(&targets).enumerate() {
        if last.replace(game) != Some(game) {
            place = splits.iter().position(|split| split.holds(game));
        }
        if let Some(place) = place {
            let table = &mut tables[place];
            table
                .features
                .extend(columns.iter().map(|column| column[row]));
            table.target.push(target);
            table.game.push(game);
        }
    }
    Ok(())
}

/// Checks the files of a data folder and returns the first fault of each file. `set_of` finds a
/// feature set by its name. The rows of a shard are read only if their number is the one that its
/// decisions record.
///
/// # Errors
/// Returns an error if the folder is not finished, has no manifest or has an unknown feature set.
/// Returns [`StoreError::Stopped`] after an interruption.
pub fn verify(
    folder: &Path,
    set_of: impl Fn(&str) -> Option<&'static FeatureSet>,
    limits: ReadLimits<'_>,
) -> Result<Vec<DataError>, DataError> {
    let manifest = Manifest::of_finished(folder)?;
    let Some(set) = set_of(&manifest.features) else {
        let why = format!("there is no feature set `{}`", manifest.features);
        return Err(wrong(folder, why));
    };
    let mut faults: Vec<DataError> = Vec::new();
    for ShardEntry {
        rows,
        decisions,
        counts,
        ..
    } in &manifest.shards
    {
        let check = |entry, kind, rows| check_file(folder, entry, kind, rows, limits);
        let of_decisions = check(decisions, FileKind::Decisions, counts.decisions);
        let of_rows = check_rows_of(folder, rows, decisions, *counts, limits)
            .and_then(|()| check(rows, FileKind::Rows(set), counts.rows));
        for checked in [of_decisions, of_rows] {
            match checked {
                Err(error @ (DataError::Threads | DataError::Store(StoreError::Stopped))) => {
                    return Err(error);
                }
                checked => faults.extend(checked.err()),
            }
        }
    }
    Ok(faults)
}

/// Checks that the number of rows of a shard is the sum that its decisions record.
fn check_rows_of(
    folder: &Path,
    rows: &FileEntry,
    decisions: &FileEntry,
    counts: Counts,
    limits: ReadLimits<'_>,
) -> Result<(), DataError> {
    let path = folder.join(&decisions.file);
    let file = Unread::open(&path, Some(counts.decisions))?;
    check_memory(counts.decisions, 1, limits.memory)?;
    let made = file.read(Some(&["rows"]), counts.decisions as usize)?;
    let made: u64 = made.whole("rows")?.iter().sum();
    if counts.rows == made {
        return Ok(());
    }
    Err(DataError::OtherRows {
        path: folder.join(&rows.file),
        rows: counts.rows,
        made,
    })
}

fn check_file(
    folder: &Path,
    entry: &FileEntry,
    kind: FileKind,
    expected: u64,
    limits: ReadLimits<'_>,
) -> Result<(), DataError> {
    check_hash(folder, entry, limits.stop)?;
    let path = folder.join(&entry.file);
    let columns = kind.columns();
    let file = Unread::open(&path, Some(expected))?;
    check_memory(expected, columns.len(), limits.memory)?;
    let file = file.read(None, expected as usize)?;
    columns.iter().try_for_each(|column| file.check(column))
}
