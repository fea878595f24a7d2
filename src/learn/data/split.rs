//! Splits a data folder by game into train, validation and test: counts them or writes them to
//! separate folders.

use std::{path::Path, sync::atomic::AtomicBool};

use polars::prelude::{BooleanChunked, NewChunkedArray, PlSmallStr};

use super::{
    Counts, DataError, DataFolder, FileEntry, Manifest, ShardEntry, Split, StoredDecision,
    parquet::{check_hash, read, write_frame},
    purpose, read_decisions,
};
use mineflow_store::Folder;

/// Counts the games, wins, decisions and rows of each split of a finished folder. With `out`,
/// writes each split to a data folder there: `train`, `validation` and `test`. Games without a
/// guess are in no split.
pub fn split(
    folder: &Path,
    out: Option<&Path>,
    stop: &AtomicBool,
) -> Result<[(Split, Counts); 3], DataError> {
    let manifest = Manifest::of_finished(folder)?;
    let mut targets = Vec::new();
    for part in Split::PARTS.into_iter().filter(|_| out.is_some()) {
        let mut settings = manifest.settings.clone();
        settings.insert("split".to_owned(), part.name().into());
        let purpose = purpose(&manifest.features, settings);
        let out = out.unwrap_or(folder).join(part.name());
        targets.push(DataFolder::open(Folder::open(&out, &purpose, stop)?, stop)?);
    }
    let mut totals = Split::PARTS.map(|part| (part, Counts::default()));
    for shard in &manifest.shards {
        check_hash(folder, &shard.rows, stop)?;
        let decisions = read_decisions(folder, shard, stop)?;
        for (at, (part, totals)) in totals.iter_mut().enumerate() {
            let counts = count(&decisions, *part);
            *totals += counts;
            if let Some(target) = targets.get_mut(at)
                && !target.has(shard.number)
            {
                let write =
                    |entry: &FileEntry, rows| write_part(folder, entry, rows, *part, target.path());
                let entry = ShardEntry {
                    number: shard.number,
                    counts,
                    rows: write(&shard.rows, shard.counts.rows)?,
                    decisions: write(&shard.decisions, shard.counts.decisions)?,
                };
                target.keep(entry)?;
            }
        }
    }
    for target in targets {
        target.finish(stop)?;
    }
    Ok(totals)
}

/// Writes the rows of a file whose games are in `part` to the same place in `target`.
fn write_part(
    folder: &Path,
    entry: &FileEntry,
    rows: u64,
    part: Split,
    target: &Path,
) -> Result<FileEntry, DataError> {
    let path = folder.join(&entry.file);
    let file = read(&path, rows)?;
    let seeds = file.whole("seed")?;
    let held: Vec<bool> = seeds.iter().map(|&seed| part.holds(seed)).collect();
    let mask = BooleanChunked::from_slice(PlSmallStr::EMPTY, &held);
    let mut held = file
        .frame
        .filter(&mask)
        .expect("the mask has an entry for every row");
    write_frame(target, entry.file.clone(), &mut held)
}

fn count(decisions: &[StoredDecision], part: Split) -> Counts {
    let mut counts = Counts::default();
    for game in decisions.chunk_by(|a, b| a.seed == b.seed) {
        if part.holds(game[0].seed) {
            counts.games += 1;
            counts.won += u64::from(game[0].won);
            counts.decisions += game.len() as u64;
            counts.rows += game.iter().map(|guess| u64::from(guess.rows)).sum::<u64>();
        }
    }
    counts
}
