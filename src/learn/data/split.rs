//! Splits a data folder by game into train, validation and test: counts them or writes them to
//! separate folders.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use polars::prelude::{BooleanChunked, DataFrame, NewChunkedArray, PlSmallStr};

use super::parquet::{Reading, check_hash, read, write_frame};
use super::{Counts, DataError, DataFolder, FileEntry, Manifest, ShardEntry, Split, purpose};
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
    let open = |part: Split| {
        let mut settings = manifest.settings.clone();
        settings.insert("split".to_owned(), part.name().into());
        let purpose = purpose(&manifest.features, settings);
        let open = |out: &Path| {
            DataFolder::open(Folder::open(&out.join(part.name()), &purpose, stop)?, stop)
        };
        Ok((part, out.map(open).transpose()?, Counts::default()))
    };
    let mut parts = Split::PARTS
        .into_iter()
        .map(open)
        .collect::<Result<Vec<_>, DataError>>()?;
    for shard in &manifest.shards {
        shard
            .files()
            .into_iter()
            .try_for_each(|file| check_hash(folder, file, stop))?;
        let rows = ShardSource::open(folder, &shard.rows.file, shard.counts.rows)?;
        let decisions = ShardSource::open(folder, &shard.decisions.file, shard.counts.decisions)?;
        for (part, target, totals) in &mut parts {
            let counts = count(folder, shard, *part, &rows, &decisions)?;
            *totals += counts;
            if let Some(target) = target.as_mut().filter(|target| !target.has(shard.number)) {
                let write = |file: &FileEntry, source: &ShardSource| {
                    write_frame(target.path(), file.file.clone(), &mut source.part(*part)?)
                };
                let rows = write(&shard.rows, &rows)?;
                let decisions = write(&shard.decisions, &decisions)?;
                target.keep(ShardEntry {
                    number: shard.number,
                    counts,
                    rows,
                    decisions,
                })?;
            }
        }
    }
    let mut counts = Split::PARTS.map(|part| (part, Counts::default()));
    for ((_, target, totals), counted) in parts.into_iter().zip(&mut counts) {
        target.map_or(Ok(totals), |target| target.finish(stop))?;
        counted.1 = totals;
    }
    Ok(counts)
}

/// The rows of a file, and the seed of the game of each row.
struct ShardSource {
    frame: DataFrame,
    seeds: Vec<u64>,
}

impl ShardSource {
    fn open(folder: &Path, file: &str, expected: u64) -> Result<Self, DataError> {
        let path = folder.join(file);
        let frame = read(&path, expected)?;
        let seeds = Reading {
            path: &path,
            frame: &frame,
        }
        .numbers("seed")?;
        Ok(Self { frame, seeds })
    }

    fn part(&self, part: Split) -> Result<DataFrame, DataError> {
        let held: Vec<bool> = self.seeds.iter().map(|&seed| part.holds(seed)).collect();
        let mask = BooleanChunked::from_slice(PlSmallStr::EMPTY, &held);
        Ok(self
            .frame
            .filter(&mask)
            .expect("the mask has an entry for every row"))
    }
}

fn count(
    folder: &Path,
    shard: &ShardEntry,
    part: Split,
    rows: &ShardSource,
    decisions: &ShardSource,
) -> Result<Counts, DataError> {
    let path = folder.join(&shard.decisions.file);
    let won = Reading {
        path: &path,
        frame: &decisions.frame,
    }
    .truths("won")?;
    let mut counts = Counts {
        rows: rows.seeds.iter().filter(|&&seed| part.holds(seed)).count() as u64,
        ..Counts::default()
    };
    let mut last = None;
    for (&seed, &won) in decisions
        .seeds
        .iter()
        .zip(&won)
        .filter(|&(&seed, _)| part.holds(seed))
    {
        counts.decisions += 1;
        if last.replace(seed) != Some(seed) {
            counts.games += 1;
            counts.won += u64::from(won);
        }
    }
    Ok(counts)
}
