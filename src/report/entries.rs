//! The table of entries: the loss of players on the committed guess set.
//!
//! An entry is a file of JSON lines: a line about the entry, then the lines of `pipeline score
//! --json`.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use mineflow_arena::ScoreRow;
use serde::Deserialize;

use crate::{
    data::{Data, inside},
    table::{percent, shown, table},
};

/// The boards of the guess set, each with its first-click rule.
const KINDS: [(&str, &str); 4] = [
    ("30x16/99", "safe"),
    ("16x16/40", "safe"),
    ("9x9/10", "safe"),
    ("30x16/99", "opening"),
];

/// An entry: the members of its first line, and the rows of all others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The player as the table shows it.
    player: String,
    by: String,
    /// The date of the entry, as YYYY-MM-DD.
    date: String,
    /// The command that produces the rows.
    command: String,
    #[serde(skip)]
    rows: Vec<ScoreRow>,
}

impl Entry {
    fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)?;
        let (about, rows) = text.split_once('\n').context("it has no rows")?;
        let mut entry: Self = serde_json::from_str(about)
            .context("line 1 is not {\"player\", \"by\", \"date\", \"command\"}")?;
        entry.rows = rows
            .lines()
            .enumerate()
            .map(|(index, line)| {
                serde_json::from_str(line).with_context(|| {
                    format!("line {} is not of `pipeline score --json`", index + 2)
                })
            })
            .collect::<Result<_>>()?;
        Ok(entry)
    }

    /// Returns the row of all guesses on a kind of board.
    fn row(&self, (board, rule): (&str, &str)) -> Option<&ScoreRow> {
        self.rows.iter().find(|row| {
            row.board == board && row.first_click == rule && row.unknown == ScoreRow::ALL
        })
    }

    /// Formats the loss on a kind of board, in percentage points of the win rate per game.
    fn loss(&self, kind: (&str, &str)) -> String {
        self.row(kind).map_or(String::new(), |row| {
            format!("{:.3} ± {:.3}", row.loss, (row.high - row.low) / 2.0)
        })
    }
}

/// Returns the table of the entries in `folder`, in ascending order of the loss on expert boards.
pub(crate) fn entries(folder: &Path, data: &Data) -> Result<String> {
    let mut entries = Vec::new();
    for path in
        inside(folder).with_context(|| format!("can't read the folder {}", folder.display()))?
    {
        entries.push(Entry::read(&path).with_context(|| path.display().to_string())?);
    }
    let mut sets = entries
        .iter()
        .flat_map(|entry| &entry.rows)
        .map(|row| &row.set);
    let first = sets.next();
    ensure!(
        sets.all(|set| Some(set) == first),
        "{}: the entries are of different sets",
        folder.display()
    );
    let expert = |entry: &Entry| entry.row(KINDS[0]).map_or(f64::INFINITY, |row| row.loss);
    entries.sort_by(|a, b| expert(a).total_cmp(&expert(b)));
    let kinds = KINDS
        .map(|(board, rule)| format!("{board}, {rule}"))
        .join(" | ");
    let header = format!("player | {kinds} | expert games won, % | by | command");
    Ok(table(
        &header,
        entries.iter().map(|entry| {
            format!(
                "{} | {} | {} | {}, {} | `{}`",
                entry.player,
                KINDS.map(|kind| entry.loss(kind)).join(" | "),
                shown(data.won(&entry.player, "30x16/99", "safe"), percent),
                entry.by,
                entry.date,
                entry.command
            )
        }),
    ))
}
