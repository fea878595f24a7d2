//! The parts of a data folder by game, counted or written apart.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use polars::prelude::{BooleanChunked, DataFrame, NewChunkedArray, PlSmallStr};

use super::parquet::{Reading, check_hash, read, write_frame};
use super::{Counts, DataError, Manifest, ShardEntry, Split};

/// Counts the parts of a finished folder. With `out`, each part is written to a folder of its own there:
/// `train`, `validation` and `test`, data folders themselves. Games without a guess are in no part.
pub fn split(folder: &Path, out: Option<&Path>, stop: &AtomicBool) -> Result<[(Split, Counts); 3], DataError> {
    let manifest = Manifest::of_finished(folder)?;
    let mut parts = Split::PARTS.map(|part| {
        let mut settings = manifest.settings.clone();
        settings.insert("split".to_owned(), part.name().into());
        (part, Manifest::new(&manifest.features, settings))
    });
    if let Some(out) = out {
        for (part, wanted) in &parts {
            let target = out.join(part.name());
            if let Some(known) = Manifest::read(&target)? {
                known.check(&target, wanted)?;
            }
            std::fs::create_dir_all(&target).map_err(DataError::io("make", &target))?;
        }
    }
    for shard in &manifest.shards {
        check_hash(folder, &shard.rows, stop)?;
        check_hash(folder, &shard.decisions, stop)?;
        let rows = ShardSource::open(folder, &shard.rows.file, shard.counts.rows)?;
        let decisions = ShardSource::open(folder, &shard.decisions.file, shard.counts.decisions)?;
        for (part, split) in &mut parts {
            let counts = count(folder, shard, *part, &rows, &decisions)?;
            let mut entry = ShardEntry { counts, ..shard.clone() };
            if let Some(out) = out {
                let target = out.join(part.name());
                entry.rows = write_frame(&target, shard.rows.file.clone(), &mut rows.part(*part)?)?;
                entry.decisions = write_frame(&target, shard.decisions.file.clone(), &mut decisions.part(*part)?)?;
            }
            split.put(entry);
        }
    }
    if let Some(out) = out {
        for (part, split) in &mut parts {
            split.complete = true;
            split.write(&out.join(part.name()))?;
        }
    }
    Ok(parts.map(|(part, split)| (part, split.totals)))
}

/// A file with the game of each of its rows.
struct ShardSource {
    frame: DataFrame,
    seeds: Vec<u64>,
}

impl ShardSource {
    fn open(folder: &Path, file: &str, expected: u64) -> Result<Self, DataError> {
        let path = folder.join(file);
        let frame = read(&path, expected)?;
        let seeds = Reading { path: &path, frame: &frame }.numbers("seed")?;
        Ok(Self { frame, seeds })
    }

    fn part(&self, part: Split) -> Result<DataFrame, DataError> {
        let held: Vec<bool> = self.seeds.iter().map(|&seed| part.holds(seed)).collect();
        let mask = BooleanChunked::from_slice(PlSmallStr::EMPTY, &held);
        Ok(self.frame.filter(&mask).expect("the mask has an entry for every row"))
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
    let won = Reading { path: &path, frame: &decisions.frame }.truths("won")?;
    let mut counts =
        Counts { rows: rows.seeds.iter().filter(|&&seed| part.holds(seed)).count() as u64, ..Counts::default() };
    let mut last = None;
    for (&seed, &won) in decisions.seeds.iter().zip(&won).filter(|&(&seed, _)| part.holds(seed)) {
        counts.decisions += 1;
        if last.replace(seed) != Some(seed) {
            counts.games += 1;
            counts.won += u64::from(won);
        }
    }
    Ok(counts)
}
