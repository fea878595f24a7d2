//! Shards of a run, which several machines can make, and functions that join them.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Result, ensure};
use serde::Serialize;

use super::context::{Context, Outcome, Row, Rows};
use mineflow_arena::{Part, Text, numbers::counted};
use mineflow_store::{Folder, Journal, Purpose, StoreError, differences, put_whole};

/// A function that puts the results of all shards, in the order of the shards, into the folder of
/// the whole run. The command then continues from these results.
pub type JoinParts = fn(&Path, &[PathBuf], &AtomicBool) -> Result<()>;

/// The number of games of a finished shard.
#[derive(Serialize)]
pub struct PartDone {
    part: String,
    games: u64,
}

impl PartDone {
    /// Returns the outcome of a shard with this many games.
    pub fn outcome(context: &Context<'_>, games: u64) -> Outcome {
        let part = context.part.to_string();
        if games == 0 {
            context.note(&format!(
                "warning: shard {part} has no games: there are more shards than games to share out"
            ));
        }
        Outcome::Done(Box::new(Rows(vec![Self { part, games }])))
    }
}

impl Row for PartDone {
    fn text(rows: &[Self]) -> Text {
        let line =
            |Self { part, games }: &Self| format!("shard {part}: {}\n", counted(*games, "game"));
        rows.iter().map(line).collect::<String>().into()
    }
}

/// Returns an error if the context has only a shard of the run, because `setting` needs the whole
/// run.
pub fn ensure_unsharded(context: &Context<'_>, setting: &str) -> Result<()> {
    let part = context.part;
    ensure!(
        part.is_whole(),
        "--{setting} decides by all games, and shard {part} has some of them; leave --shard out"
    );
    Ok(())
}

/// The files with the records and costs of a shard, which are concatenated when shards are joined.
/// The tables among these files have a header line.
const RECORDS: [&str; 4] = [Journal::FILE, Journal::COSTS, "matches.csv", "cost.csv"];

/// Opens the folder of the whole run with the common settings of its shards. Returns `None` if the
/// folder is already finished with these settings.
///
/// # Errors
/// Returns an error if a shard is unfinished, damaged or belongs to other work, or the folder has
/// other settings, such as fewer games, or can't be opened.
pub fn open_whole(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> Result<Option<Folder>> {
    let mut settings = None;
    for part in parts {
        let mut own = Folder::finished_settings(part, stop)?;
        own.remove(Part::SETTING);
        let differing = differences(settings.get_or_insert_with(|| own.clone()), &own);
        let first = parts[0].display();
        let part = part.display();
        ensure!(
            differing.is_empty(),
            "{first} and {part} are shards of different work: {}",
            differing.join("; ")
        );
    }
    let purpose = Purpose::of(settings.unwrap_or_default());
    let folder = Folder::open(out, &purpose, stop)?;
    Ok((!folder.is_finished()).then_some(folder))
}

/// Concatenates the records of all shards. The command then makes its tables from these records.
///
/// # Errors
/// Returns the errors of [`open_whole`], and an error if a file can't be read or written.
pub fn join(out: &Path, parts: &[PathBuf], stop: &AtomicBool) -> Result<()> {
    let Some(folder) = open_whole(out, parts, stop)? else {
        return Ok(());
    };
    for name in RECORDS {
        let files: Vec<_> = parts
            .iter()
            .map(|part| part.join(name))
            .filter(|file| file.exists())
            .collect();
        if !files.is_empty() {
            put_joined(&folder.path().join(name), &files)?;
        }
    }
    Ok(())
}

/// Concatenates these files; the header line of tables is written once.
fn put_joined(whole: &Path, files: &[PathBuf]) -> Result<(), StoreError> {
    let is_table = whole
        .extension()
        .is_some_and(|extension| extension == "csv");
    put_whole(whole, |whole| {
        let mut has_header = false;
        for file in files {
            let mut file = BufReader::new(File::open(file)?);
            let mut header = Vec::new();
            if is_table && file.read_until(b'\n', &mut header)? > 0 && !has_header {
                whole.write_all(&header)?;
                has_header = true;
            }
            io::copy(&mut file, whole)?;
        }
        Ok(())
    })
}
