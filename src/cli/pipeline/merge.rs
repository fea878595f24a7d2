//! Joins the shards of a run: `pipeline merge`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};

use super::words;
use crate::stages::StageLine;
use mineflow_arena::Part;
use mineflow_store::differences;
use mineflow_tasks::part::{FILE, PartRecord};
use mineflow_tasks::table::task;
use mineflow_tasks::{Context, Outcome};

/// The maximum number of missing shards that an error lists.
const MOST_NAMED: usize = 8;

/// Joins the finished shards of a run in the output folder and completes their command there.
///
/// # Errors
/// Returns an error if a shard is missing, given twice, unfinished or damaged, or if it belongs to
/// other work than the first shard. The error names the shard. Also returns the errors of the
/// command.
pub fn merge(folders: &[PathBuf], context: &Context<'_>) -> anyhow::Result<Outcome> {
    let first = folders
        .first()
        .context("there is nothing to merge: name the folders of the shards")?;
    let whole = PartRecord::read(first)?;
    let of = whole.part.of;
    let mut parts = BTreeMap::new();
    for folder in folders {
        let record = PartRecord::read(folder)?;
        let here = folder.display();
        let there = first.display();
        let differing = differences(&whole.work(), &record.work());
        ensure!(
            differing.is_empty(),
            "{here} and {there} are shards of different work: {}",
            differing.join("; ")
        );
        ensure!(
            record.part.of == of,
            "{here} is shard {} and {there} shard {}",
            record.part,
            whole.part
        );
        if let Some(other) = parts.insert(record.part.index, folder.clone()) {
            bail!(
                "shard {} is given twice: {} and {here}",
                record.part,
                other.display()
            );
        }
    }
    let missing = (0..of)
        .filter(|index| !parts.contains_key(index))
        .map(|index| Part { index, of }.to_string());
    let missing: Vec<_> = missing.collect();
    let more = if missing.len() > MOST_NAMED {
        " and others"
    } else {
        ""
    };
    let named = missing
        .iter()
        .take(MOST_NAMED)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    ensure!(missing.is_empty(), "shards are missing: {named}{more}");

    let command = &whole.command;
    let unknown = || format!("{}: this build has no command {command}", first.display());
    let task = task(command)
        .filter(|task| StageLine::command_of(task).is_some())
        .with_context(unknown)?;
    let join = task
        .parts
        .with_context(|| format!("{}: {command} has no shards", first.display()))?;
    let out = context.folder()?;
    let read = words::read(
        task,
        &words::texts(task, &whole.settings),
        &out.display().to_string(),
    );
    let command =
        read.map_err(|wrong| anyhow::anyhow!("{}: {}", first.join(FILE).display(), wrong.why))?;
    let running = command.task();
    running.stage.check()?;
    join(out, &parts.into_values().collect::<Vec<_>>(), context.stop)?;
    running.stage.run(&Context {
        seed: whole.seed,
        part: Part::WHOLE,
        ..context.clone()
    })
}
