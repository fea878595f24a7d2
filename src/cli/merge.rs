//! `pipeline merge`: joins the shards of a run.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, ValueHint};
use serde_json::Value;

use super::{
    Global,
    stage::show,
    stages::{definition, read},
};
use mineflow_arena::Part;
use mineflow_store::{Folder, Manifest};
use mineflow_tasks::{
    Context, Outcome,
    help::{EXIT_CODES, examples},
    table::task,
};

/// Merge the outputs of --shard runs into the folder that an unsharded run writes
#[derive(Args)]
#[command(after_help = examples(
    &[
        "merge whole shard.1 shard.2",
        "merge strength strength.1 strength.2 strength.3 strength.4",
    ],
    EXIT_CODES,
))]
pub(super) struct MergeArgs {
    /// Write the result to this folder; after an interruption, the same command resumes there
    out: PathBuf,
    /// Join these folders, all shards in any order
    #[arg(value_name = "SHARD", required = true, value_hint = ValueHint::DirPath)]
    parts: Vec<PathBuf>,
}

pub(super) fn run(args: &MergeArgs, global: &Global) -> Result<ExitCode> {
    show(global, Some(args.out.clone()), |context| {
        merge(&args.parts, context)
    })
}

/// The maximum number of missing shards that an error lists.
const MOST_NAMED: usize = 8;

/// Joins the finished shards of a run in the output folder and completes their command there.
///
/// # Errors
/// Returns an error if a shard is missing, given twice, unfinished or damaged, or if it belongs to
/// other work than the first shard. The error names the shard. Also returns the errors of the
/// command.
fn merge(folders: &[PathBuf], context: &Context<'_>) -> Result<Outcome> {
    let first = folders
        .first()
        .context("there is nothing to merge: name the folders of the shards")?;
    let (whole, number) = read_shard(first)?;
    let folders = in_order(folders, number.of)?;
    let is_name = |word: &&String| !word.starts_with('-');
    let name: Vec<_> = whole.argv.iter().take_while(is_name).cloned().collect();
    let arguments = &whole.argv[name.len()..];
    let name = name.join(" ");
    let of = || {
        format!(
            "{}: this build can't join shards of {name}",
            first.display()
        )
    };
    let task = task(&name)
        .filter(|task| definition(task).is_some())
        .with_context(of)?;
    let join = task.parts.with_context(of)?;
    let stage = read(task, arguments).with_context(of)?;
    let seed = whole.settings.get("seed").and_then(Value::as_u64);
    stage.check()?;
    join(context.folder()?, &folders, context.stop)?;
    stage.run(&Context {
        seed: seed.with_context(of)?,
        part: Part::WHOLE,
        ..context.clone()
    })
}

/// Reads the manifest of a finished shard, and which shard it is. A shard that an earlier program
/// finished has no command line in its manifest, but a file `part.json`.
fn read_shard(folder: &Path) -> Result<(Manifest, Part)> {
    let manifest = Folder::look(folder)?.filter(|manifest| !manifest.argv.is_empty());
    let why = || {
        if folder.join("part.json").exists() {
            "is a shard of an earlier version; run its command again, which keeps its games"
        } else {
            "is not a finished shard"
        }
    };
    let manifest = manifest.with_context(|| format!("{} {}", folder.display(), why()))?;
    let part = manifest
        .settings
        .get(Part::SETTING)
        .and_then(Value::as_str)
        .map_or(Ok(Part::WHOLE), str::parse);
    let part = part.map_err(|why| anyhow::anyhow!("{}: {why}", folder.display()))?;
    Ok((manifest, part))
}

/// Returns the folders of all `of` shards in the order of the shards.
///
/// # Errors
/// Returns an error if a shard is missing, given twice or one of another number of shards.
fn in_order(folders: &[PathBuf], of: u64) -> Result<Vec<PathBuf>> {
    let mut parts = BTreeMap::new();
    for folder in folders {
        let (_, part) = read_shard(folder)?;
        let here = folder.display();
        ensure!(
            part.of == of,
            "{here} is shard {part}, and {} is one of {of} shards",
            folders[0].display()
        );
        if let Some(other) = parts.insert(part.index, folder.clone()) {
            bail!(
                "shard {part} is given twice: {} and {here}",
                other.display()
            );
        }
    }
    let missing = (0..of).filter(|index| !parts.contains_key(index));
    let missing: Vec<_> = missing
        .take(MOST_NAMED + 1)
        .map(|index| Part { index, of }.to_string())
        .collect();
    let more = if missing.len() > MOST_NAMED {
        " and others"
    } else {
        ""
    };
    let named = missing[..missing.len().min(MOST_NAMED)].join(", ");
    ensure!(missing.is_empty(), "shards are missing: {named}{more}");
    Ok(parts.into_values().collect())
}
