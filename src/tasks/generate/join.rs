//! The parts of a data folder, joined.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::part::ensure_same_work;
use mineflow_arena::Part;
use mineflow_learn::data::{Manifest, ShardEntry};
use mineflow_store::{Lock, StoreError, copy, file_sha256};

/// The setting that ends a generation by rows: the last shard then has only some of its games' rows.
const ROWS: &str = "rows";

/// Joins the shards of parts. The command makes what is missing: of a number of rows the last shard.
///
/// # Errors
/// A part that is not finished, damaged or of other work, and files that can't be read or written.
pub fn join_shards(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> anyhow::Result<()> {
    fs::create_dir_all(out).map_err(StoreError::io("make", out))?;
    let _lock = Lock::take(out)?;
    let found = parts.iter().map(|part| Manifest::of_finished(part)).collect::<Result<Vec<_>, _>>()?;
    let whole = |manifest: &Manifest| {
        let mut settings = manifest.settings.clone();
        settings.insert(Part::SETTING.to_owned(), Part::WHOLE.to_string().into());
        settings
    };
    let mut manifest = Manifest::new(&found[0].features, whole(&found[0]));
    if let Some(there) = Manifest::read(out)? {
        there.check(out, &manifest)?;
        if there.complete {
            return Ok(());
        }
    }
    let mut shards: Vec<(ShardEntry, &PathBuf)> = Vec::new();
    for (part, own) in parts.iter().zip(&found) {
        ensure_same_work((&parts[0], &manifest.settings), (part, &whole(own)))?;
        shards.extend(own.shards.iter().map(|shard| (shard.clone(), part)));
    }
    shards.sort_by_key(|(shard, _)| shard.number);
    let kept = kept(&shards, &manifest.settings);
    shards.par_iter().enumerate().try_for_each(|(place, (shard, part))| {
        for entry in [&shard.rows, &shard.decisions] {
            ensure!(!stop.load(Ordering::Relaxed), StoreError::Stopped);
            let from = part.join(&entry.file);
            // What is left over is held against its hash all the same.
            let to = out.join(&entry.file);
            let hash = match (place < kept, to.parent()) {
                (true, Some(folder)) => {
                    fs::create_dir_all(folder).map_err(StoreError::io("make", folder))?;
                    copy(&from, &to).map(Some)
                }
                _ => file_sha256(&from, stop),
            };
            let is_whole = match hash {
                Ok(hash) => hash.as_ref() == Some(&entry.sha256),
                Err(StoreError::Io { action: "read", .. }) => false,
                Err(error) => return Err(error.into()),
            };
            let (part, number) = (part.display(), shard.number);
            ensure!(is_whole, "{part}: shard {number} is damaged or missing; run its command again");
        }
        Ok(())
    })?;
    shards[..kept].iter().for_each(|(shard, _)| manifest.put(shard.clone()));
    Ok(manifest.write(out)?)
}

/// How many shards are as one machine makes them: those that follow one another from the first on, and have no more rows than all.
fn kept(shards: &[(ShardEntry, &PathBuf)], settings: &Map<String, Value>) -> usize {
    let most = settings.get(ROWS).and_then(Value::as_u64).unwrap_or(u64::MAX);
    let mut rows = 0;
    let follows = |(place, (shard, _)): (usize, &(ShardEntry, &PathBuf))| {
        rows += shard.counts.rows;
        shard.number == place as u64 && rows < most
    };
    shards.iter().enumerate().map(follows).take_while(|&follows| follows).count()
}
