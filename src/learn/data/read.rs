//! From files to a table, and everything that may be wrong on the way.

use std::path::{Path, PathBuf};

use super::parquet::{Reading, check_hash, read};
use super::{Counts, DataError, FileKind, Manifest, Split, Table};

/// Reads the rows of one part of the games from data folders and Parquet files. Files of a folder are held against its
/// manifest; `kind` says which columns are read.
///
/// # Errors
/// The first thing that is wrong, with file, column and row: no rows, a missing column, a null, a NaN, a hash that isn't
/// the manifest's, another feature set.
pub fn read_table(paths: &[PathBuf], kind: FileKind, split: Split) -> Result<Table, DataError> {
    let (columns, _) = kind.features_and_target().expect("decisions are no rows");
    let mut table = Table::new(columns.len());
    for path in paths {
        let before = table.rows();
        if path.is_dir() {
            let manifest = Manifest::of_finished(path)?;
            let expected = kind.features().expect("rows have features");
            if manifest.features != expected {
                let (path, found) = (path.clone(), manifest.features);
                return Err(DataError::OtherFeatures { path, found, expected: expected.to_owned() });
            }
            for shard in &manifest.shards {
                check_hash(path, &shard.rows)?;
                read_file(&path.join(&shard.rows.file), kind, split, Some(shard.counts.rows), &mut table)?;
            }
        } else {
            read_file(path, kind, split, None, &mut table)?;
        }
        if table.rows() == before {
            return Err(DataError::EmptySplit { path: path.clone(), split });
        }
    }
    Ok(table)
}

fn read_file(
    path: &Path,
    kind: FileKind,
    split: Split,
    expected: Option<u64>,
    table: &mut Table,
) -> Result<(), DataError> {
    let (features, target) = kind.features_and_target().expect("decisions are no rows");
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
    let columns = features.iter().map(|&name| reading.floats(name)).collect::<Result<Vec<_>, _>>()?;
    let targets = reading.floats(target)?;
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

/// Everything that is wrong with a data folder: the first fault of each file, and of the sums.
pub fn verify(folder: &Path) -> Result<Vec<DataError>, DataError> {
    let manifest = Manifest::of_finished(folder)?;
    let Some(kind) = FileKind::of_features(&manifest.features) else {
        let why = format!("there is no feature set `{}`", manifest.features);
        return Err(Manifest::wrong(folder, why));
    };
    let mut faults = Vec::new();
    let mut totals = Counts::default();
    for shard in &manifest.shards {
        totals += shard.counts;
        let files =
            [(kind, &shard.rows, shard.counts.rows), (FileKind::Decisions, &shard.decisions, shard.counts.decisions)];
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
