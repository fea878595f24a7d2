//! The table of entries: the loss of players on the committed guess set.
//!
//! An entry is a file of JSON lines: a line with [`About`], then the lines of `pipeline score --json`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use mineflow_arena::{Estimate, ScoreRow};
use serde::Deserialize;

use crate::data::Data;
use crate::table::{percent, shown, table};

/// The boards of the guess set, each with its first-click rule.
const KINDS: [(&str, &str); 4] = [
    ("30x16/99", "safe"),
    ("16x16/40", "safe"),
    ("9x9/10", "safe"),
    ("30x16/99", "opening"),
];

/// The first line of an entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    /// The player as the table shows it.
    player: String,
    by: String,
    /// The date of the entry, as YYYY-MM-DD.
    date: String,
    /// The command that produces the rows.
    command: String,
}

struct Entry {
    about: About,
    rows: Vec<ScoreRow>,
}

impl Entry {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)?;
        let mut lines = text.lines();
        let about = serde_json::from_str(lines.next().context("it is empty")?)
            .context("line 1 is not {\"player\", \"by\", \"date\", \"command\"}")?;
        let row = |(number, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("line {} is not of `pipeline score --json`", number + 2))
        };
        let rows = lines.enumerate().map(row).collect::<anyhow::Result<_>>()?;
        Ok(Self { about, rows })
    }

    /// Returns the loss over all guesses on a kind of board, in percentage points of the win rate per game.
    fn loss(&self, (board, rule): (&str, &str)) -> Option<Estimate> {
        let is = |row: &&ScoreRow| {
            row.board == board && row.first_click == rule && row.unknown == ScoreRow::ALL
        };
        let row = self.rows.iter().find(is)?;
        Some(Estimate {
            value: row.loss,
            low: row.low,
            high: row.high,
        })
    }
}

/// Returns the table of the entries in `folder`, in ascending order of the loss on expert boards.
pub(crate) fn entries(folder: &Path, data: &Data) -> anyhow::Result<String> {
    let mut paths = fs::read_dir(folder)
        .and_then(|files| {
            files
                .map(|file| Ok(file?.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .with_context(|| format!("can't read the folder {}", folder.display()))?;
    paths.sort();
    let read = |path: &PathBuf| Entry::read(path).with_context(|| path.display().to_string());
    let mut entries = paths.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let sets: Vec<&str> = entries
        .iter()
        .flat_map(|entry| entry.rows.iter().map(|row| &*row.set))
        .collect();
    ensure!(
        sets.windows(2).all(|pair| pair[0] == pair[1]),
        "{}: the entries are of different sets",
        folder.display()
    );
    let expert = |entry: &Entry| {
        entry
            .loss(KINDS[0])
            .map_or(f64::INFINITY, |loss| loss.value)
    };
    entries.sort_by(|a, b| expert(a).total_cmp(&expert(b)));
    let row = |entry: &Entry| {
        let loss = |kind| {
            shown(entry.loss(kind), |of| {
                format!("{:.3} ± {:.3}", of.value, (of.high - of.low) / 2.0)
            })
        };
        let losses = KINDS.map(loss).join(" | ");
        let About {
            player,
            by,
            date,
            command,
        } = &entry.about;
        let won = shown(data.won(player, "30x16/99", "safe"), percent);
        format!("{player} | {losses} | {won} | {by}, {date} | `{command}`")
    };
    let header = format!(
        "player | {} | expert games won, % | by | command",
        KINDS
            .map(|(board, rule)| format!("{board}, {rule}"))
            .join(" | ")
    );
    Ok(table(&header, entries.iter().map(row)))
}
