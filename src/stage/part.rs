//! Parts of a series, made on several machines, and what makes a whole of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::context::{Answer, Context, Outcome, json_lines};
use super::texts::text;
use mineflow_arena::Part;
use mineflow_document::numbers::counted;
use mineflow_store::{Folder, Journal, Purpose, differences, put_whole, read_record, write_record};

/// The file of a part that says of which work.
pub const FILE: &str = "part.json";
const FORMAT: u64 = 1;

/// The command that made a part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRecord {
    format: u64,
    pub command: String,
    pub settings: Map<String, Value>,
    pub seed: u64,
    #[serde(with = "text")]
    pub part: Part,
}

impl PartRecord {
    /// The record of a finished part.
    ///
    /// # Errors
    /// If there is none, and one that can't be read.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let record = read_record(&folder.join(FILE), FORMAT)?;
        record.with_context(|| format!("{} is not a finished part: it has no {FILE}", folder.display()))
    }

    /// All that the parts of one whole have in common, by name.
    pub fn work(&self) -> Map<String, Value> {
        let Self { command, settings, seed, .. } = self;
        let own = [("command".to_owned(), command.as_str().into()), ("seed".to_owned(), (*seed).into())];
        settings.clone().into_iter().chain(own).collect()
    }
}

/// Puts the results of parts, in their order, into the folder of the whole, which is there. Its command then goes on from them.
pub type JoinParts = fn(&Path, &[PathBuf], &AtomicBool) -> anyhow::Result<()>;

/// Says in a finished part what the whole is.
///
/// # Errors
/// If the file can't be written.
pub fn record(context: &Context<'_>, command: &str, settings: Map<String, Value>) -> anyhow::Result<()> {
    let (seed, part) = (context.seed, context.part);
    let record = PartRecord { format: FORMAT, command: command.to_owned(), settings, seed, part };
    Ok(write_record(&context.folder()?.join(FILE), &record)?)
}

/// What a part has done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartDone {
    part: String,
    games: u64,
}

impl PartDone {
    /// The outcome of a part with so many games.
    pub fn outcome(part: Part, games: u64) -> Outcome {
        Outcome::Done(Box::new(Self { part: part.to_string(), games }))
    }
}

impl Answer for PartDone {
    fn json(&self) -> serde_json::Result<String> {
        json_lines([self])
    }

    fn text(&self) -> String {
        let Self { part, games } = self;
        format!("part {part}: {}; `pipeline merge OUT PART...` makes a whole of all parts\n", counted(*games, "game"))
    }
}

/// Holds that two parts with these settings are of the same work.
///
/// # Errors
/// The settings that differ.
pub fn hold_same_work(first: (&Path, &Map<String, Value>), other: (&Path, &Map<String, Value>)) -> anyhow::Result<()> {
    let differing = differences(first.1, other.1);
    let (first, other) = (first.0.display(), other.0.display());
    ensure!(differing.is_empty(), "{other} is a part of other work than {first}: {}", differing.join("; "));
    Ok(())
}

/// Joins the journals of parts: a whole's is all of them, one after the other.
///
/// # Errors
/// A part that is not finished or not as it was written, and files that can't be read or written.
pub fn join_journals(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> anyhow::Result<()> {
    if Folder::finished_result(out)?.is_some() {
        return Ok(());
    }
    let mut settings = None;
    for part in parts {
        let mut own = Folder::finished_settings(part, stop)?;
        own.remove(Part::SETTING);
        let first = settings.get_or_insert_with(|| own.clone());
        hold_same_work((&parts[0], first), (part, &own))?;
    }
    let folder = Folder::open(out, &Purpose::of(settings.unwrap_or_default()), stop)?;
    for name in [Journal::FILE, Journal::COSTS] {
        let files = parts.iter().map(|part| part.join(name)).filter(|file| file.exists());
        put_whole(&folder.path().join(name), |whole| {
            files.into_iter().try_for_each(|file| std::io::copy(&mut fs::File::open(file)?, whole).map(drop))
        })?;
    }
    Ok(())
}

/// Says that a part has nothing to do, where that is so.
pub fn note_empty(context: &Context<'_>, things: u64) {
    if things == 0 && !context.part.is_whole() {
        context.note(&format!("warning: part {} has no games; so many parts are more than the work has", context.part));
    }
}
