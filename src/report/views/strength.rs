//! Strength against speed on expert, our players beside published ones; and what ideas are worth.

use std::collections::HashMap;
use std::path::Path;

use super::{Request, paper};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::games;
use crate::row::Row;
use crate::sources::SourceFile;
use crate::template::{fill, rate};
use mineflow_arena::Estimate;
use mineflow_arena::numbers::list;
use mineflow_tasks::eval::EvalRow;

const BOARD: &str = "30x16/99";
/// The table of speeds: its games are played without the luck correction.
const SPEED: &str = "speed.csv";
/// The first-click rules with what they promise.
const RULES: [(&str, &str); 2] = [
    ("safe", "a safe first click"),
    ("opening", "an opening promised"),
];
/// Who wins less than this share of what the best wins is left to the table: the others would lie too close together.
const SHOWN: f64 = 0.55;
/// What most recipes begin with, and how the tables write it.
const COMMON: (&str, &str) = ("corner-first+dss+posterior+", "...+");

/// Games per CPU second, by player and first-click rule.
type Speeds = HashMap<(String, String), f64>;

/// What others report of their players under one first-click rule: `won` (with its interval where it is known), `speed` and the `kind` of
/// machine that it was measured on.
fn peers() -> Vec<Row> {
    let peer = |row: Row| {
        let ratio = |name| row.number(name).map(|percent| percent / 100.0);
        let (value, ends) = (ratio("win_percent"), ratio("ci_low").zip(ratio("ci_high")));
        let of = value
            .zip(ends)
            .map(|(value, (low, high))| Estimate { value, low, high });
        let speed = row.number("games_per_second");
        let kind = if speed.is_none() {
            "unknown"
        } else {
            row.text("machine")
        }
        .to_owned();
        // The page leads nowhere: an address is without its scheme.
        let address = row.text("source").trim_start_matches("https://").to_owned();
        row.with("won", value)
            .with("won", of)
            .with("speed", speed)
            .with("kind", kind)
            .with("address", address)
    };
    paper(include_str!("../papers/expert-peers.csv"))
        .into_iter()
        .map(peer)
        .collect()
}

/// What others report of their players.
pub(super) fn published(_: &Request<'_>) -> Result<Data, ReportError> {
    Ok(Data::of(peers()))
}

/// A row for each of our players, with `won-safe`, `won-opening`, `speed-safe`, `speed-opening`. Facts: who is `below` the chart and who is
/// `unbeaten` under the rule `by`. More rows: `points` of the chart under that rule.
pub(super) fn strength(request: &Request<'_>) -> Result<Data, ReportError> {
    let ours = ours(request.files)?;
    let rule = request.with.by.as_str();
    let of_rule = |row: &&Row| row.text("first_click") == rule;
    let peers: Vec<_> = peers().iter().filter(of_rule).cloned().collect();
    let here: Vec<_> = ours.iter().filter(of_rule).cloned().collect();
    let strength = |row: &Row| row.number("won").unwrap_or(0.0);
    let least = SHOWN * here.iter().chain(&peers).map(strength).fold(0.0, f64::max);
    let (here, below): (Vec<_>, Vec<_>) = here.into_iter().partition(|row| strength(row) >= least);
    let below: Vec<_> = below.iter().map(|row| row.text("player")).collect();
    let points: Vec<_> = here.into_iter().chain(peers).collect();
    let facts = Row::default()
        .with("below", list(&below))
        .with("unbeaten", list(&unbeaten(&points)));
    Ok(Data::of(by_player(&ours))
        .facts(facts)
        .and("points", points))
}

/// Our players on expert under each rule, the first table that has one counting: `won`, luck-corrected where that was measured, `kind`,
/// `speed`. Sorted by name.
fn ours(files: &[SourceFile]) -> Result<Vec<Row>, ReportError> {
    let is_speed = |file: &&SourceFile| file.path().ends_with(SPEED);
    let speeds = files
        .iter()
        .find(is_speed)
        .map_or(Ok(Speeds::new()), |file| speeds(file.path()))?;
    let mut ours: Vec<EvalRow> = Vec::new();
    for file in files.iter().filter(|file| !is_speed(file)) {
        for row in on_board(file.path())? {
            let is_same = |known: &EvalRow| {
                (&known.player, &known.first_click) == (&row.player, &row.first_click)
            };
            if !ours.iter().any(is_same) {
                ours.push(row);
            }
        }
    }
    ours.sort_by(|a, b| a.player.cmp(&b.player));
    Ok(ours.iter().map(|row| player(row, &speeds)).collect())
}

fn player(row: &EvalRow, speeds: &Speeds) -> Row {
    let speed = speeds
        .get(&(row.player.clone(), row.first_click.clone()))
        .copied();
    let kind = if row.corrected().is_some() {
        "ours"
    } else {
        "raw"
    };
    Row::of(row)
        .with("won", row.won())
        .with("kind", kind)
        .with("speed", speed)
}

fn on_board(path: &Path) -> Result<Vec<EvalRow>, ReportError> {
    let rows = games::read(path)?.map_or_else(Vec::new, |table| table.rows);
    Ok(rows
        .into_iter()
        .filter(|row| row.board() == BOARD)
        .collect())
}

fn speeds(path: &Path) -> Result<Speeds, ReportError> {
    let speed = |row: EvalRow| {
        let seconds = row.cpu_seconds.filter(|&seconds| seconds > 0.0)?;
        Some(((row.player, row.first_click), row.games as f64 / seconds))
    };
    Ok(on_board(path)?.into_iter().filter_map(speed).collect())
}

fn by_player(ours: &[Row]) -> Vec<Row> {
    let players = ours.chunk_by(|a, b| a.text("player") == b.text("player"));
    let row = |rows: &[Row]| {
        let named = Row::default().with("player", rows[0].text("player"));
        rows.iter().fold(named, |named, row| {
            let rule = row.text("first_click");
            let written = if row.text("kind") == "raw" {
                "{won:interval}, raw"
            } else {
                "{won:interval}"
            };
            named
                .with(&format!("won-{rule}"), fill(written, row))
                .with(&format!("speed-{rule}"), row.number("speed"))
        })
    };
    players.map(row).collect()
}

/// Who is not beaten in both strength and speed by another of those timed on a machine like ours.
fn unbeaten(points: &[Row]) -> Vec<&str> {
    let timed = points
        .iter()
        .filter(|row| ["ours", "raw", "as ours"].contains(&row.text("kind")));
    let mut all: Vec<_> = timed
        .filter_map(|row| Some((row.text("player"), row.number("won")?, row.number("speed")?)))
        .collect();
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut best = 0.0;
    all.retain(|&(_, wins, _)| {
        let is_best = wins > best;
        best = wins.max(best);
        is_best
    });
    all.into_iter().map(|(name, ..)| name).collect()
}

/// A row for each rule with who wins most: `player`, `won`, `speed`, who is `alike` (by no table and no pair on the same boards shown to
/// be weaker), and the best published player with its `published-won`.
pub(crate) fn strongest(files: &[SourceFile], pairs: &Path) -> Result<Vec<Row>, ReportError> {
    let (ours, peers, pairs) = (ours(files)?, peers(), worth(pairs)?.unwrap_or_default());
    let by_won = |a: &&Row, b: &&Row| a.by("won", b);
    let of_rule = |(rule, promised): (&str, &str)| {
        let here = || ours.iter().filter(|row| row.text("first_click") == rule);
        let best = here().max_by(by_won)?;
        let most = best.estimate("won")?;
        let player = best.text("player");
        // The same boards show a smaller difference than two tables do.
        let is_pair = |row: &&Row, other: &str| {
            [row.text("first_click"), row.text("a"), row.text("b")] == [rule, player, other]
        };
        let is_weaker = |row: &&Row| {
            let pair = pairs.iter().find(|pair| is_pair(pair, row.text("player")));
            let shown = |of: Option<Estimate>| of.is_some_and(Estimate::is_above_zero);
            shown(row.estimate("won").map(|won| most.minus(won)))
                || shown(pair.and_then(|pair| pair.estimate("gain")))
        };
        let alike: Vec<_> = here()
            .filter(|row| row.text("player") != player && !is_weaker(row))
            .map(|row| row.text("player"))
            .collect();
        let theirs = peers.iter().filter(|peer| peer.text("first_click") == rule);
        let published = theirs.max_by(by_won);
        let row = best.clone().with("board", BOARD).with("promised", promised);
        let row = row.with("alike", (!alike.is_empty()).then(|| list(&alike)));
        Some(row.with(
            "published",
            published.and_then(|row| fill("{player}, {won:interval} %", row)),
        ))
    };
    Ok(RULES.into_iter().filter_map(of_rule).collect())
}

/// Ideas, and what `pipeline compare --luck-corrected` says of a player with each (`a`) and one without (`b`): the `gain`.
fn worth(path: &Path) -> Result<Option<Vec<Row>>, ReportError> {
    let of = |row: &Row| {
        let [value, low, high] = [
            "corrected_difference",
            "corrected_ci_low",
            "corrected_ci_high",
        ]
        .map(|name| row.number(name));
        Some(Estimate {
            value: value?,
            low: low?,
            high: high?,
        })
    };
    let rows = csv_rows(path, |row| match of(row) {
        Some(Estimate { value, low, high })
            if low <= value && value <= high && (-1.0..=1.0).contains(&value) =>
        {
            Ok(())
        }
        Some(Estimate { value, low, high }) => Err(format!(
            "corrected_difference is {value}, its interval {low} to {high}"
        )),
        None => Err("it has no corrected_difference with its interval".to_owned()),
    })?;
    Ok(rows.map(|rows| {
        rows.into_iter()
            .map(|row| {
                let gain = of(&row);
                row.with("gain", gain)
            })
            .collect()
    }))
}

/// The worth of ideas, each with its two players as `with` and `without`, and how fast they are; `gains` where it is shown to.
pub(super) fn ideas(request: &Request<'_>) -> Result<Data, ReportError> {
    let [pairs, timed @ ..] = request.files else {
        return Ok(Data::default());
    };
    let speeds = timed
        .first()
        .map_or(Ok(Speeds::new()), |file| speeds(file.path()))?;
    let row = |row: Row| {
        let player = |name: &str| {
            let (player, rule) = (row.text(name), row.text("first_click"));
            let speed = speeds.get(&(player.to_owned(), rule.to_owned()));
            speed.map_or_else(
                || recipe(player),
                |&speed| format!("{}: {}", recipe(player), rate(speed)),
            )
        };
        let gains = row.estimate("gain").is_some_and(Estimate::is_above_zero);
        let (with, without) = (player("a"), player("b"));
        row.with("with", with)
            .with("without", without)
            .with("gains", if gains { "yes" } else { "no" })
    };
    Ok(Data::of(
        worth(pairs.path())?
            .into_iter()
            .flatten()
            .map(row)
            .collect(),
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_source_and_lies_in_its_interval() {
        let peers = peers();
        for peer in &peers {
            let Some(of) = peer.estimate("won") else {
                continue;
            };
            assert!(
                of.low <= of.value && of.value <= of.high && of.high < 1.0,
                "{peer:?}"
            );
        }
        for peer in &peers {
            assert!(peer.number("won").is_some_and(|won| won > 0.1), "{peer:?}");
            assert_eq!(
                peer.get("ci_low").is_some(),
                peer.get("ci_high").is_some(),
                "{peer:?}"
            );
            assert!(
                peer.text("source").starts_with("https://") && peer.text("board") == BOARD,
                "{peer:?}"
            );
            assert!(
                ["safe", "opening"].contains(&peer.text("first_click")),
                "{peer:?}"
            );
            // A speed says where it is from, and nothing else does.
            assert_eq!(
                peer.get("speed").is_some(),
                peer.get("machine").is_some(),
                "{peer:?}"
            );
            let key = |peer: &Row| ["player", "first_click"].map(|name| peer.text(name).to_owned());
            assert_eq!(
                peers.iter().filter(|other| key(other) == key(peer)).count(),
                1,
                "{peer:?}"
            );
        }
    }
}
