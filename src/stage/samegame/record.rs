//! The journal of a series: a line a game, appended as they end.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::samegame::Move;
use crate::stage::run_folder::RunFolder;

const JOURNAL: &str = "journal.jsonl";

/// A game of the series.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// Which algorithm, budget and board, in the order of the series.
    pub(super) game: usize,
    pub(super) score: i32,
    pub(super) cleared: bool,
    pub(super) play_outs: u64,
    pub(super) nodes: u64,
    pub(super) mean_depth: Option<f64>,
    pub(super) deepest: Option<f64>,
    pub(super) cpu_seconds: f64,
    pub(super) moves: Vec<Move>,
}

/// The journal, open at its end.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a folder and gives what it holds. A last line without an end was torn off when its writer
    /// was killed; it is dropped, and its game is to be played again.
    pub(super) fn open(folder: &RunFolder, games: usize) -> anyhow::Result<(Self, Vec<Record>)> {
        let path = folder.path().join(JOURNAL);
        let text = folder.read(JOURNAL)?.unwrap_or_default();
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut records = Vec::new();
        for (index, line) in text[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let place = || format!("{} line {} is no record of this series", path.display(), index + 1);
            let record: Record = serde_json::from_slice(line).with_context(place)?;
            anyhow::ensure!(record.game < games, "{}: it has {games} games", place());
            records.push(record);
        }
        let open = || {
            let mut file = File::options().write(true).create(true).truncate(false).open(&path)?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0)).map(|_| file)
        };
        let file = open().with_context(|| format!("can't write {}", path.display()))?;
        Ok((Self { path, file }, records))
    }

    pub(super) fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line).with_context(|| format!("can't write {}", self.path.display()))
    }
}
