//! Joins the shards of a run of `generate` into one data folder.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::ensure;
use rayon::prelude::*;
use serde_json::Value;

use crate::part::open_whole;
use mineflow_learn::data::{Manifest, ShardEntry};
use mineflow_store::{Journal, StoreError, copy};

/// The setting that limits the number of rows. With this setting, the last shard of the data may
/// lack some rows of its games.
const ROWS: &str = "rows";

/// Copies the shards of the data from `parts`, the folders of the shards of the run, into the
/// folder `out`. If the number of rows is limited, the last shard of the data is left out; the
/// generating command makes this shard when it continues in `out`.
///
/// # Errors
/// Returns the errors of [`open_whole`], and an error if a file can't be read or written.
pub fn join_shards(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> anyhow::Result<()> {
    let Some(folder) = open_whole(out, parts, stop)? else {
        return Ok(());
    };
    let mut shards: Vec<(ShardEntry, &PathBuf)> = Vec::new();
    let mut most = u64::MAX;
    for part in parts {
        let own = Manifest::of_finished(part)?;
        most = own
            .settings
            .get(ROWS)
            .and_then(Value::as_u64)
            .unwrap_or(u64::MAX);
        shards.extend(own.shards.into_iter().map(|shard| (shard, part)));
    }
    shards.sort_by_key(|(shard, _)| shard.number);
    shards.truncate(kept(&shards, most));
    shards
        .par_iter()
        .flat_map(|(shard, part)| shard.files().map(|entry| (entry, part)))
        .try_for_each(|(entry, part)| {
            ensure!(!stop.load(Ordering::Relaxed), StoreError::Stopped);
            let to = folder.path().join(&entry.file);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(StoreError::io("make", parent))?;
            }
            copy(&part.join(&entry.file), &to)?;
            Ok(())
        })?;
    let mut journal = Journal::open(folder.path().join(Journal::FILE), |_: ShardEntry| Ok(()))?;
    Ok(journal.replace(shards.iter().map(|(shard, _)| shard))?)
}

/// Returns the number of leading shards of the data that equal the shards generated on one machine.
/// They are the consecutive shards from number 0, as long as they have fewer than `most` rows in
/// total.
fn kept(shards: &[(ShardEntry, &PathBuf)], most: u64) -> usize {
    let mut rows = 0;
    let follows = |(place, (shard, _)): (usize, &(ShardEntry, &PathBuf))| {
        rows += shard.counts.rows;
        shard.number == place as u64 && rows < most
    };
    shards
        .iter()
        .enumerate()
        .map(follows)
        .take_while(|&follows| follows)
        .count()
}
