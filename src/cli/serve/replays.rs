//! Kept games: the files that were named at the start.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::Context;
use axum::extract::RawQuery;
use serde_json::json;

use super::app::Shared;
use super::games::judged;
use super::replies::{Refusal, Reply, json_reply};
use crate::minesweeper::play::Kept;
use crate::minesweeper::player::GameEnd;

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;
/// Games that one answer lists at most.
const LISTED: usize = 200;

/// A file of kept games.
pub(super) struct ReplayFile {
    /// Its name without folders.
    name: String,
    path: PathBuf,
    /// Where each line begins.
    lines: Vec<u64>,
}

impl ReplayFile {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let about = || format!("can't read {}", path.display());
        let mut file = BufReader::new(File::open(path).with_context(about)?);
        let (mut lines, mut at) = (Vec::new(), 0);
        loop {
            let mut line = Vec::new();
            let read = (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line).with_context(about)?;
            if read == 0 {
                break;
            }
            if !line.trim_ascii().is_empty() {
                lines.push(at);
            }
            at += read as u64;
        }
        let name = path.file_name().map_or_else(|| "games".to_owned(), |name| name.to_string_lossy().into_owned());
        let file = Self { name, path: path.to_owned(), lines };
        if !file.lines.is_empty() {
            file.game(0).map_err(|refusal| anyhow::anyhow!("{}: {}", path.display(), refusal.message))?;
        }
        Ok(file)
    }

    fn game(&self, index: usize) -> Result<Kept, Refusal> {
        let &at =
            self.lines.get(index).ok_or_else(|| Refusal::not_found(format!("there are {} games", self.lines.len())))?;
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(at))?;
            let mut line = Vec::new();
            BufReader::new(file.take(LONGEST_LINE)).read_until(b'\n', &mut line)?;
            Ok(line)
        };
        let line = read().map_err(|error| Refusal::unanswerable(format!("{} can't be read: {error}", self.name)))?;
        let text = std::str::from_utf8(&line).map_err(Refusal::unanswerable)?;
        text.trim().parse().map_err(|error| Refusal::unanswerable(format!("line {}: {error}", index + 1)))
    }
}

fn file<'a>(app: &'a Shared, name: &str) -> Result<&'a ReplayFile, Refusal> {
    app.replays
        .iter()
        .find(|file| file.name == name)
        .ok_or_else(|| Refusal::not_found("there is no such file of games"))
}

/// The files.
pub(super) async fn list(app: Shared) -> Reply {
    json_reply(
        &app.replays.iter().map(|file| json!({"name": file.name, "games": file.lines.len()})).collect::<Vec<_>>(),
    )
}

/// The games of a file: some of them, from `from` on.
pub(super) async fn games(app: Shared, name: String, RawQuery(query): RawQuery) -> Reply {
    let number = |key: &str, otherwise: usize| {
        let pairs = query.iter().flat_map(|query| query.split('&')).filter_map(|pair| pair.split_once('='));
        pairs.filter(|(known, _)| *known == key).find_map(|(_, value)| value.parse().ok()).unwrap_or(otherwise)
    };
    let (from, count) = (number("from", 0), number("count", 50).min(LISTED));
    let shared = app.clone();
    let rows = app
        .think(move |_, _| {
            let file = file(&shared, &name)?;
            let indices = (from..file.lines.len()).take(count);
            indices
                .map(|index| {
                    let kept = file.game(index)?;
                    let board = kept.field.board().to_string();
                    Ok(json!({"index": index, "player": kept.player, "board": board, "won": kept.end == GameEnd::Won, "moves": kept.moves.len()}))
                })
                .collect::<Result<Vec<_>, Refusal>>()
        })
        .await?;
    json_reply(&rows)
}

/// One game of a file, judged.
pub(super) async fn one(app: Shared, name: String, index: usize) -> Reply {
    let shared = app.clone();
    let replay = app
        .think(move |app, desk| {
            let kept = file(&shared, &name)?.game(index)?;
            Ok(judged(app, desk, &kept))
        })
        .await?;
    json_reply(&replay)
}
