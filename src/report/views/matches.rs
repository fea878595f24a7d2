//! Matches on rule sheets, beside the tables of the MAC-UCB paper: what `pipeline ggp match` and `ggp check` write.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Request, in_text, lines, paper};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::row::Row;
use crate::template::fill;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{counted, list};
use mineflow_tasks::ggp_match::TableRow;

/// Options with which a player of the paper is still the paper's: how many playouts are made at once, and the share that figure 6 varies.
const PAPERS_OPTIONS: [&str; 3] = ["lanes", "leaves", "solving-share"];

/// Some of the matches that follow one another: a row of `figure5.csv`.
#[derive(Serialize, Deserialize)]
struct LearningRow {
    game: String,
    player: String,
    opponent: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    opponent_version: String,
    budget: String,
    from: u32,
    to: u32,
    matches: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
    low: f64,
    high: f64,
    explored: f64,
    samples_per_move: f64,
}

/// A score in per cent with its interval, as a share.
fn estimate(score: f64, low: f64, high: f64) -> Estimate {
    Estimate {
        value: score / 100.0,
        low: low / 100.0,
        high: high / 100.0,
    }
}

/// The number in a budget: milliseconds or playouts.
fn amount(budget: &str) -> Option<f64> {
    budget
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .ok()
}

/// A game in the paper's tables: the network of a stage and its `seconds` (table 2); wins in per cent of each pair with 30 seconds a move
/// (table 3; Orchard is cooperative, there it is MAC-UCB, MAC-UCB and FC-UCB alone); and of MAC-UCB against UCT with 1 and 60 (table 4). Of
/// three `players` one is the first of a pair.
fn paper_game(name: &str) -> Option<Row> {
    paper_games()
        .into_iter()
        .find(|game| game.text("game") == name)
}

pub(super) fn paper_games() -> Vec<Row> {
    paper(include_str!("../papers/mac-ucb.csv"))
}

/// Those in which one plays against another, in the order of the paper.
fn opposed_games() -> impl Iterator<Item = Row> {
    paper_games()
        .into_iter()
        .filter(|game| game.text("kind") != "cooperative")
}

/// The paper's score for two players, `opponent` being none in a cooperative game.
pub(super) fn in_table_3(game: &str, player: &str, opponent: &str) -> Option<f64> {
    let opponent = if opponent.is_empty() {
        "uct".to_owned()
    } else {
        named(opponent)
    };
    paper_game(game)?.number(&format!("{}_{opponent}", named(player)).replace('-', "_"))
}

/// A player's name in claims: its algorithm, and the options that make it another player than the paper's.
pub(super) fn named(player: &str) -> String {
    let is_papers = |option: &&str| {
        PAPERS_OPTIONS
            .iter()
            .any(|name| option.split('=').next() == Some(name))
    };
    player
        .split(':')
        .filter(|option| !is_papers(option))
        .collect::<Vec<_>>()
        .join(":")
}

/// Whether these two are those of table 4 and of the figures.
fn are_of_paper(player: &str, opponent: &str) -> bool {
    [named(player), named(opponent)] == ["mac-ucb", "uct"]
}

/// The rows of tables in which each player has one version: what a player that was changed has won is not to stand beside what it won before.
/// `seats` are both players with their versions.
fn of_one_version<R: DeserializeOwned>(
    request: &Request<'_>,
    seats: impl Fn(&R) -> [(&String, &String); 2],
    check: impl Fn(&R) -> Result<(), String>,
) -> Result<Vec<R>, ReportError> {
    request.rows(|path| {
        let mut versions = BTreeMap::new();
        csv_rows(path, |row| {
            for (player, version) in seats(row) {
                let before: &mut String = versions.entry(player.clone()).or_insert_with(|| version.clone());
                if before != version {
                    let [here, before] = [version, before].map(|version| if version.is_empty() { "no version" } else { version });
                    return Err(format!(
                        "{player} has {here} here and {before} above; put them into two tables, or play one of them again"
                    ));
                }
            }
            check(row)
        })
    })
}

fn check_score(
    matches: u32,
    [wins, draws, losses]: [u32; 3],
    [score, low, high]: [f64; 3],
) -> Result<(), String> {
    if matches == 0 || wins + draws + losses != matches {
        return Err(format!(
            "{wins} wins, {draws} draws and {losses} losses in {matches} matches"
        ));
    }
    let counted = 100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(matches);
    if (counted - score).abs() > 0.01 {
        return Err(format!(
            "score is {score}, and wins and half of the draws are {counted:.2} %"
        ));
    }
    for (name, value) in [("low", low), ("high", high)] {
        if !(0.0..=100.0).contains(&value) {
            return Err(format!("{name} is {value}, not between 0 and 100"));
        }
    }
    Ok(())
}

/// The series of tables: `score`, `lead` on an equal, `name` and `against` without the paper's options, the `paper`'s figures in per cent and
/// how far ours is `off`, and `playouts-share`, its playouts by those of its opponent.
pub(super) fn all_series(request: &Request<'_>) -> Result<Vec<Row>, ReportError> {
    fn seats(row: &TableRow) -> [(&String, &String); 2] {
        [
            (&row.player, &row.version),
            (&row.opponent, &row.opponent_version),
        ]
    }
    Ok(of_one_version(request, seats, check_series)?
        .iter()
        .map(series)
        .collect())
}

/// A row for each series. Facts: when stages are left. More rows, one at least for each game of the paper, without the quantity where it was
/// not played: `growth` from the least budget of a game to the most, `shares` of solving.
pub(super) fn matches(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = all_series(request)?;
    let opposed: Vec<Row> = rows
        .iter()
        .filter(|row| row.get("opponent").is_some())
        .cloned()
        .collect();
    let samples: BTreeSet<_> = opposed
        .iter()
        .map(|row| row.text("samples_per_stage"))
        .collect();
    let samples: Vec<_> = samples.into_iter().map(left_after).collect();
    let facts = Row::default().with("samples", list(&samples));
    let of_paper = |game: &Row| -> Vec<&Row> {
        let of_game = opposed
            .iter()
            .filter(|row| row.text("game") == game.text("game"));
        of_game
            .filter(|row| are_of_paper(row.text("player"), row.text("opponent")))
            .collect()
    };
    let played = |row: fn(&[&Row]) -> Vec<Row>| -> Vec<Row> {
        let rows = |game: Row| -> Vec<Row> {
            let rows = row(&of_paper(&game));
            if rows.is_empty() { vec![game] } else { rows }
        };
        opposed_games()
            .map(|game| Row::default().with("game", game.text("game")))
            .flat_map(rows)
            .collect()
    };
    let data = Data::of(rows).facts(facts);
    Ok(data
        .and("growth", played(|rows| growth(rows).into_iter().collect()))
        .and("shares", played(shares)))
}

/// What the share of solving that the paper finds best scores more than each other one.
fn shares(rows: &[&Row]) -> Vec<Row> {
    let share = |row: &Row| row.number("solving_share").unwrap_or(f64::NAN);
    let best_shares = in_text("best-share-from")..=in_text("best-share-to");
    let is_best = |row: &&&Row| best_shares.contains(&share(row));
    let of_best = |best: &Row| -> Vec<Row> {
        let others = rows.iter().filter(|row| !is_best(row));
        let row = |other: &&Row| {
            let more = best
                .estimate("score")
                .zip(other.estimate("score"))
                .map(|(best, other)| best.minus(other));
            let row = Row::default()
                .with("game", best.text("game"))
                .with("percent", 100.0 * share(other));
            row.with("best", 100.0 * share(best)).with("more", more)
        };
        others.map(row).collect()
    };
    rows.iter()
        .filter(is_best)
        .flat_map(|best| of_best(best))
        .collect()
}

fn check_series(row: &TableRow) -> Result<(), String> {
    check_score(
        row.matches,
        [row.wins, row.draws, row.losses],
        [row.score, row.low, row.high],
    )?;
    if !(0.0..=1.0).contains(&row.solving_share) {
        return Err(format!(
            "solving_share is {}, not between 0 and 1",
            row.solving_share
        ));
    }
    if amount(&row.budget).is_none_or(|amount| amount <= 0.0) {
        return Err(format!("budget is {}", row.budget));
    }
    Ok(())
}

/// What one of equals scores: a half of two; of three, who all win as often, a third of the matches that anybody wins, and a half of draws.
fn even(row: &TableRow, players: f64) -> f64 {
    let drawn = f64::from(row.draws) / f64::from(row.matches);
    (1.0 - drawn) / players + drawn / 2.0
}

fn series(row: &TableRow) -> Row {
    let of = estimate(row.score, row.low, row.high);
    let table_3 = in_table_3(&row.game, &row.player, &row.opponent);
    let paper = paper_game(&row.game);
    let of_paper = |name| paper.as_ref().and_then(|paper| paper.number(name));
    let even = even(row, of_paper("players").unwrap_or(2.0));
    let counted = Row::of(row)
        .with("score", of)
        .with("lead", (!row.opponent.is_empty()).then(|| of.less(even)));
    counted
        .with("name", named(&row.player))
        .with("against", named(&row.opponent))
        .with("amount", amount(&row.budget))
        .with(
            "playouts-share",
            row.opponent_samples_per_move
                .map(|other| row.samples_per_move / other),
        )
        .with("paper", table_3)
        .with("off", table_3.map(|paper| (100.0 * of.value - paper).abs()))
        .with("one-second", of_paper("one_second"))
        .with("sixty-seconds", of_paper("sixty_seconds"))
}

fn left_after(samples: &str) -> String {
    samples.parse().map_or_else(
        |_| format!("{samples} samples"),
        |count| counted(count, "sample"),
    )
}

/// What is gained from the least budget to the most, if there are two: `growth`, with how far it is `off` the paper's.
fn growth(rows: &[&Row]) -> Option<Row> {
    let by_amount = |a: &&&Row, b: &&&Row| a.by("amount", b);
    let (least, most) = rows
        .iter()
        .min_by(by_amount)
        .zip(rows.iter().max_by(by_amount))?;
    if least.number("amount") >= most.number("amount") {
        return None;
    }
    let growth = most.estimate("score")?.minus(least.estimate("score")?);
    let here = 100.0 * growth.value;
    let paper = most
        .number("sixty-seconds")
        .zip(most.number("one-second"))
        .map(|(sixty, one)| sixty - one);
    let row = Row::default()
        .with("game", most.text("game"))
        .with("growth", growth)
        .with("here", here);
    let row = row
        .with("in-paper", paper)
        .with("off", paper.map(|paper| (here - paper).abs()));
    let row = row
        .with("from", least.text("budget"))
        .with("to", most.text("budget"));
    Some(
        row.with("playouts-from", fill(PLAYOUTS, least))
            .with("playouts-to", fill(PLAYOUTS, most)),
    )
}

/// Playouts a move of both players.
const PLAYOUTS: &str = "{samples_per_move:.0}[[, {opponent_samples_per_move:.0}]]";

/// A row for each part of matches in a row: `score`. More rows: `growth` from the first part to the last of each game of the paper, without
/// it where it was not played.
pub(super) fn learning(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = of_one_version(
        request,
        |row: &LearningRow| {
            [
                (&row.player, &row.version),
                (&row.opponent, &row.opponent_version),
            ]
        },
        check_part,
    )?;
    let rows: Vec<_> = rows
        .iter()
        .map(|row| Row::of(row).with("score", estimate(row.score, row.low, row.high)))
        .collect();
    let growth = |game: Row| -> Vec<Row> {
        let is_of = |row: &&Row| {
            row.text("game") == game.text("game")
                && are_of_paper(row.text("player"), row.text("opponent"))
        };
        let of_game: Vec<_> = rows.iter().filter(is_of).collect();
        let row = |game: Row| {
            Row::default()
                .with("game", game.text("game"))
                .with("kind", game.text("kind"))
        };
        let budgets = of_game.chunk_by(|a, b| a.text("budget") == b.text("budget"));
        let of_budget = |parts: &[&Row]| {
            let (first, last) = (
                parts[0].estimate("score")?,
                parts[parts.len() - 1].estimate("score")?,
            );
            let of_game = row(game.clone())
                .with("first", first.value)
                .with("last", last.value);
            (parts.len() > 1).then(|| of_game.with("growth", last.minus(first)))
        };
        let grown: Vec<_> = budgets.filter_map(of_budget).collect();
        if grown.is_empty() {
            vec![row(game)]
        } else {
            grown
        }
    };
    Ok(Data::of(rows.clone()).and("growth", opposed_games().flat_map(growth).collect()))
}

fn check_part(row: &LearningRow) -> Result<(), String> {
    if row.from == 0 || row.to < row.from {
        return Err(format!("matches {} to {}", row.from, row.to));
    }
    check_score(
        row.matches,
        [row.wins, row.draws, row.losses],
        [row.score, row.low, row.high],
    )
}

/// Random playouts by several engines, as the table has them. Facts: how many `playouts` and `states`, and the `differences`.
pub(super) fn engines(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(lines)?;
    let sum = |name: &str| rows.iter().filter_map(|row| row.number(name)).sum::<f64>();
    let differ: Vec<_> = rows
        .iter()
        .filter(|row| row.get("difference").is_some())
        .map(|row| row.text("game"))
        .collect();
    let differences = if differ.is_empty() {
        "no difference".to_owned()
    } else {
        format!("differences in {}", list(&differ))
    };
    let facts = Row::default()
        .with("playouts", sum("playouts"))
        .with("states", sum("states"));
    let agree = |row: Row| {
        let said = row.text("difference").to_owned();
        row.with(
            "agree",
            if said.is_empty() {
                "yes".to_owned()
            } else {
                said
            },
        )
    };
    let facts = facts.with("differences", differences);
    Ok(Data::of(rows.into_iter().map(agree).collect()).facts(facts))
}

/// Constraint networks of games, with what table 2 has of each.
pub(super) fn networks(request: &Request<'_>) -> Result<Data, ReportError> {
    let row = |row: Row| {
        let paper = paper_game(row.text("game")).unwrap_or_default();
        let columns = ["variables", "largest_domain", "constraints", "seconds"];
        columns.into_iter().fold(row, |row, name| {
            row.with(&format!("paper-{name}"), paper.number(name))
        })
    };
    Ok(Data::of(
        request.rows(lines)?.into_iter().map(row).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_paper_can_be_read() {
        assert_eq!(paper(include_str!("../papers/mac-ucb.csv")).len(), 15);
        let last = paper_game("yahtzee").unwrap();
        let figures =
            ["variables", "fc_ucb_uct", "sixty_seconds"].map(|name| last.number(name).unwrap());
        assert_eq!(figures, [12.0, 58.6, 78.9]);
        assert_eq!(in_table_3("hex", "mac-ucb:lanes=64", "fc-ucb"), Some(73.2));
        let others = [
            "fc-ucb:samples=9",
            "fc-ucb:samples=9:lanes=64",
            "random",
            "mac-ucb",
        ];
        assert_eq!(
            others.map(|other| in_table_3("hex", "mac-ucb:lanes=64", other)),
            [None; 4]
        );
        assert_eq!(
            named("mac-ucb:samples=9:solving-share=0:lanes=64:leaves=4"),
            "mac-ucb:samples=9"
        );
        assert!(paper_game("go").is_none());
    }
}
