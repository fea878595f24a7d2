//! What each idea is worth: players with it against players without, the parts one by one, and what gained nothing.

use std::path::Path;

use super::strength::{Speeds, missing, speeds, written};
use crate::error::ReportError;
use crate::read::{TriedRow, WorthRow, games, tried, worth};
use mineflow_document::numbers::{grouped, with_interval};
use mineflow_document::{PageTable, Section};
use mineflow_stage_measure::eval::EvalRow;

/// What most recipes begin with, and how the tables write it.
const COMMON: (&str, &str) = ("corner-first+dss+posterior+", "...+");

/// The section, from the tables of a folder.
pub(crate) fn ideas(folder: &Path) -> Result<Section, ReportError> {
    let mut section = Section::new("ideas", "What each idea is worth");
    let speeds = speeds(folder)?;
    section.say(format!(
        "Win ratio on expert, luck-corrected, in points with its 95 % interval, and what it costs in games per CPU second. In recipes `{}` stands for `{}`.",
        COMMON.1.trim_end_matches('+'),
        COMMON.0.trim_end_matches('+')
    ));
    match worth(&folder.join("worth.csv"))? {
        Some(rows) => pairs(&mut section, rows, &speeds),
        None => section.miss(missing("worth.csv", "worth-...")),
    }
    match games(&folder.join("parts.csv"))? {
        Some(table) => parts(&mut section, &table.rows, &speeds),
        None => section.miss(missing("parts.csv", "parts")),
    }
    if let Some(rows) = tried(&folder.join("tried.csv"))? {
        prototype(&mut section, &rows);
    }
    Ok(section)
}

/// Ideas that are shown to gain, then the others.
fn pairs(section: &mut Section, rows: Vec<WorthRow>, speeds: &Speeds) {
    section.say(
        "Both players of a row play the same boards. Behind a player stands how many games it plays in a CPU second.",
    );
    let (gaining, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.gain().is_above_zero());
    for (title, rows) in [("What gains", gaining), ("What is not shown to gain", others)] {
        if rows.is_empty() {
            continue;
        }
        section.heading(title);
        let timed = |row: &WorthRow, player: &str| {
            let speed = speeds.get(&(player.to_owned(), row.first_click.clone()));
            speed.map_or_else(|| recipe(player), |&speed| format!("{}: {}", recipe(player), written(speed)))
        };
        section.table(
            PageTable::of(&rows)
                .left("idea", |row| row.idea.clone())
                .right("points", |row| {
                    let of = row.gain();
                    format!("{:+.2} ({:+.2} to {:+.2})", 100.0 * of.value, 100.0 * of.low, 100.0 * of.high)
                })
                .right("games", |row| grouped(row.games))
                .left("player", |row| timed(row, &row.a))
                .left("against", |row| timed(row, &row.b)),
        );
    }
}

fn parts(section: &mut Section, rows: &[EvalRow], speeds: &Speeds) {
    section.heading("The parts one by one");
    section.table(
        PageTable::of(rows)
            .left("player", |row| recipe(&row.player))
            .right("won, %", |row| with_interval(row.corrected().unwrap_or_else(|| row.estimate())))
            .right("games a CPU second", |row| {
                let key = (row.player.clone(), row.first_click.clone());
                speeds.get(&key).map_or_else(String::new, |&speed| written(speed))
            }),
    );
}

fn prototype(section: &mut Section, rows: &[TriedRow]) {
    section.heading("Tried before 8.0 was built");
    section.say(
        "Gains over what it was added to, in points with one standard error where it is known, of a throw-away prototype: no command makes them again.",
    );
    let gain = |row: &TriedRow| match (row.gain, row.standard_error) {
        (Some(gain), Some(error)) => format!("{gain:+.2} ± {error:.2}"),
        (Some(gain), None) => format!("{gain:+.2}"),
        (None, _) => "nothing".to_owned(),
    };
    section.table(
        PageTable::of(rows)
            .left("idea", |row| row.idea.clone())
            .left("added to", |row| row.against.clone())
            .right("points", gain),
    );
}

/// A name, or a recipe as code with its beginning cut.
fn recipe(player: &str) -> String {
    let (long, short) = COMMON;
    match player.strip_prefix(long) {
        Some(rest) => format!("`{short}{rest}`"),
        None if player.contains('+') => format!("`{player}`"),
        None => player.to_owned(),
    }
}
