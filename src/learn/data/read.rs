//! Reads files into a table, with validation.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::folder::wrong;
use super::parquet::{Reading, Unread, check_hash};
use super::{DataError, FileEntry, FileKind, Manifest, ShardEntry, Split, Table};
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
    set: &FeatureSet,
    split: Split,
    limits: ReadLimits<'_>,
) -> Result<Table, DataError> {
    let mut table = Table::new(set.width());
    for path in paths {
        let before = table.rows();
        if path.is_dir() {
            for shard in &finished_of(path, set)?.shards {
                read_shard(path, shard, set, split, limits, &mut table)?;
            }
        } else {
            read_file(path, set, split, None, limits.memory, &mut table)?;
        }
        if table.rows() == before {
            return Err(DataError::EmptySplit {
                path: path.clone(),
                split,
            });
        }
    }
    Ok(table)
}

/// Returns the manifest of a finished folder with rows of `set`.
pub(super) fn finished_of(path: &Path, set: &FeatureSet) -> Result<Manifest, DataError> {
    let manifest = Manifest::of_finished(path)?;
    if manifest.features == set.name {
        return Ok(manifest);
    }
    let path = path.to_owned();
    let found = manifest.features;
    let expected = set.name.to_owned();
    Err(DataError::OtherFeatures {
        path,
        found,
        expected,
    })
}

/// Appends the rows of one split of a shard to `table` and checks the file against its manifest.
pub(super) fn read_shard(
    folder: &Path,
    shard: &ShardEntry,
    set: &FeatureSet,
    split: Split,
    limits: ReadLimits<'_>,
    table: &mut Table,
) -> Result<(), DataError> {
    check_hash(folder, &shard.rows, limits.stop)?;
    read_file(
        &folder.join(&shard.rows.file),
        set,
        split,
        Some(shard.counts.rows),
        limits.memory,
        table,
    )
}

fn read_file(
    path: &Path,
    set: &FeatureSet,
    split: Split,
    expected: Option<u64>,
    memory: u64,
    table: &mut Table,
) -> Result<(), DataError> {
    let file = match expected {
        Some(expected) => Unread::of_rows(path, expected)?,
        None => Unread::open(path)?,
    };
    let found = file.rows as u64;
    if found == 0 && expected.is_none() {
        return Err(DataError::NoRows(path.to_owned()));
    }
    check_memory(found + table.rows() as u64, set.width(), memory)?;
    let mut names = vec!["seed", set.target.column().name];
    names.extend(set.names);
    let frame = file.read(Some(&names), found as usize)?;
    let reading = Reading {
        path,
        frame: &frame,
    };
    let games = reading.numbers("seed")?;
    let columns = set
        .names
        .iter()
        .map(|&name| reading.floats(name))
        .collect::<Result<Vec<_>, _>>()?;
    let targets = reading.floats(set.target.column().name)?;
    let mut last = None;
    for (row, (&game, &target)) in games.iter().zip(&targets).enumerate() {
        let held = match last {
            Some((known, held)) if known == game => held,
            _ => split.holds(game),
        };
        last = Some((game, held));
        if held {
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
    for shard in &manifest.shards {
        let decisions = check_file(
            folder,
            &shard.decisions,
            FileKind::Decisions,
            shard.counts.decisions,
            limits,
        );
        let rows = check_rows_of(folder, shard, limits).and_then(|()| {
            check_file(
                folder,
                &shard.rows,
                FileKind::Rows(set),
                shard.counts.rows,
                limits,
            )
        });
        for checked in [decisions, rows] {
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
    shard: &ShardEntry,
    limits: ReadLimits<'_>,
) -> Result<(), DataError> {
    let path = folder.join(&shard.decisions.file);
    let file = Unread::of_rows(&path, shard.counts.decisions)?;
    check_memory(shard.counts.decisions, 1, limits.memory)?;
    let frame = file.read(Some(&["rows"]), shard.counts.decisions as usize)?;
    let made: u64 = Reading {
        path: &path,
        frame: &frame,
    }
    .numbers("rows")?
    .iter()
    .sum();
    match shard.counts.rows {
        rows if rows == made => Ok(()),
        rows => Err(DataError::OtherRows {
            path: folder.join(&shard.rows.file),
            rows,
            made,
        }),
    }
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
    let file = Unread::of_rows(&path, expected)?;
    check_memory(expected, columns.len(), limits.memory)?;
    let frame = file.read(None, expected as usize)?;
    columns.iter().try_for_each(|column| {
        Reading {
            path: &path,
            frame: &frame,
        }
        .check(column)
    })
}
