//! From files to a table, and everything that may be wrong on the way.

use std::path::{Path, PathBuf};

use super::parquet::{Reading, check_hash, read};
use super::{Counts, DataError, FileKind, Manifest, Split, Table};
use crate::learn::FeatureSet;

/// Reads the rows of one part of the games from data folders and Parquet files. Files of a folder are held against its
/// manifest; the columns of `set` and its target are read.
///
/// # Errors
/// The first thing that is wrong, with file, column and row: no rows, a missing column, a null, a NaN, a hash that isn't
/// the manifest's, another feature set.
pub fn read_table(paths: &[PathBuf], set: &FeatureSet, split: Split) -> Result<Table, DataError> {
    let mut table = Table::new(set.width());
    for path in paths {
        let before = table.rows();
        if path.is_dir() {
            let manifest = Manifest::of_finished(path)?;
            if manifest.features != set.name {
                let (path, found, expected) = (path.clone(), manifest.features, set.name.to_owned());
                return Err(DataError::OtherFeatures { path, found, expected });
            }
            for shard in &manifest.shards {
                check_hash(path, &shard.rows)?;
                read_file(&path.join(&shard.rows.file), set, split, Some(shard.counts.rows), &mut table)?;
            }
        } else {
            read_file(path, set, split, None, &mut table)?;
        }
        if table.rows() == before {
            return Err(DataError::EmptySplit { path: path.clone(), split });
        }
    }
    Ok(table)
}

fn read_file(
    path: &Path,
    set: &FeatureSet,
    split: Split,
    expected: Option<u64>,
    table: &mut Table,
) -> Result<(), DataError> {
    let frame = read(path)?;
    let reading = Reading { path, frame: &frame };
    let found = frame.height() as u64;
    if found == 0 && expected != Some(0) {
        return Err(DataError::NoRows(path.to_owned()));
    }
    if let Some(expected) = expected.filter(|&expected| expected != found) {
        return Err(DataError::RowCount { path: path.to_owned(), expected, found });
    }
    let games = reading.numbers("seed")?;
    let columns = set.names.iter().map(|&name| reading.floats(name)).collect::<Result<Vec<_>, _>>()?;
    let targets = reading.floats(set.target.column().name)?;
    let mut last = None;
    for (row, (&game, &target)) in games.iter().zip(&targets).enumerate() {
        let held = match last {
            Some((known, held)) if known == game => held,
            _ => split.holds(game),
        };
        last = Some((game, held));
        if held {
            table.features.extend(columns.iter().map(|column| column[row]));
            table.target.push(target);
            table.game.push(game);
        }
    }
    Ok(())
}

/// Everything that is wrong with a data folder: the first fault of each file, and of the sums. `set_of` finds a feature set
/// by its name.
///
/// # Errors
/// A folder that is not finished, without a manifest, or of an unknown feature set.
pub fn verify(
    folder: &Path,
    set_of: impl Fn(&str) -> Option<&'static FeatureSet>,
) -> Result<Vec<DataError>, DataError> {
    let manifest = Manifest::of_finished(folder)?;
    let Some(set) = set_of(&manifest.features) else {
        let why = format!("there is no feature set `{}`", manifest.features);
        return Err(Manifest::wrong(folder, why));
    };
    let mut faults = Vec::new();
    let mut totals = Counts::default();
    for shard in &manifest.shards {
        totals += shard.counts;
        let files = [
            (FileKind::Rows(set), &shard.rows, shard.counts.rows),
            (FileKind::Decisions, &shard.decisions, shard.counts.decisions),
        ];
        for (kind, entry, rows) in files {
            let checked = check_hash(folder, entry).and_then(|()| check_file(&folder.join(&entry.file), kind, rows));
            faults.extend(checked.err());
        }
    }
    if totals != manifest.totals {
        let why = format!("its totals are {:?}, those of its shards {totals:?}", manifest.totals);
        faults.push(Manifest::wrong(folder, why));
    }
    Ok(faults)
}

fn check_file(path: &Path, kind: FileKind, expected: u64) -> Result<(), DataError> {
    let frame = read(path)?;
    let found = frame.height() as u64;
    if found != expected {
        return Err(DataError::RowCount { path: path.to_owned(), expected, found });
    }
    kind.columns().iter().try_for_each(|column| Reading { path, frame: &frame }.check(column))
}
