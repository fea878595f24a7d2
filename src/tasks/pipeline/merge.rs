//! Parts of a series are joined: `pipeline merge`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::definition::{Context, Outcome};
use crate::kind::Kinds;
use crate::part::{FILE, PartRecord};
use mineflow_arena::Part;
use mineflow_store::differences;

/// The most missing parts that an error names.
const MOST_NAMED: usize = 8;

/// Joins finished parts in the folder of the context and ends their command, one of `kinds`, there.
///
/// # Errors
/// A part that is missing, given twice, unfinished, damaged or of other work than the first, by name; whatever the command gives.
pub fn merge(folders: &[PathBuf], kinds: Kinds, context: &Context<'_>) -> anyhow::Result<Outcome> {
    let first = folders.first().context("there is nothing to merge: name the folders of the parts")?;
    let whole = PartRecord::read(first)?;
    let of = whole.part.of;
    let mut parts = BTreeMap::new();
    for folder in folders {
        let record = PartRecord::read(folder)?;
        let (here, there) = (folder.display(), first.display());
        let differing = differences(&whole.work(), &record.work());
        ensure!(differing.is_empty(), "{here} and {there} are parts of different work: {}", differing.join("; "));
        ensure!(record.part.of == of, "{here} is part {} and {there} part {}", record.part, whole.part);
        if let Some(other) = parts.insert(record.part.index, folder.clone()) {
            bail!("part {} is given twice: {} and {here}", record.part, other.display());
        }
    }
    let missing = (0..of).filter(|index| !parts.contains_key(index)).map(|index| Part { index, of }.to_string());
    let missing: Vec<_> = missing.collect();
    let more = if missing.len() > MOST_NAMED { " and others" } else { "" };
    let named = missing.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    ensure!(missing.is_empty(), "parts are missing: {named}{more}");

    let command = &whole.command;
    let unknown = || format!("{}: there is no command {command}{}", first.display(), kinds.left_out);
    let kind = kinds.of(command).with_context(unknown)?;
    let join = kind.parts.with_context(|| format!("{}: {command} has no parts", first.display()))?;
    let job = (kind.definition.from_json)(Value::Object(whole.settings.clone()));
    let job = job.map_err(|why| anyhow::anyhow!("{}: {why}", first.join(FILE).display()))?;
    join(context.folder()?, &parts.into_values().collect::<Vec<_>>(), context.stop)?;
    job.run(&Context { seed: whole.seed, part: Part::WHOLE, ..context.clone() })
}
