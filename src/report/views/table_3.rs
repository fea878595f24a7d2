//! Table 3 of the MAC-UCB paper, cell by cell: what was played of it, and what a match of the rest costs.

use serde::Deserialize;

use super::matches::{all_series, in_table_3, named, paper_games};
use super::{Request, in_text, lines};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::page::PaperVerdict;
use crate::row::Row;
use crate::verdict::{Comparison, of_cases};
use mineflow_arena::Estimate;

/// The pairs of the table, and who plays a cooperative game alone.
const PAIRS: [[&str; 2]; 3] = [["mac-ucb", "uct"], ["mac-ucb", "fc-ucb"], ["fc-ucb", "uct"]];
const ALONE: [[&str; 2]; 3] = [["mac-ucb", ""], ["fc-ucb", ""], ["uct", ""]];

/// The files: the series, what a match costs, and what best play reaches.
const SERIES: &str = "ggp/table3.csv";
const COSTS: &str = "ggp/match-costs.csv";
const CEILINGS: &str = "ggp/ceilings.csv";

/// What a few matches took.
#[derive(Deserialize)]
struct MatchCost {
    game: String,
    player: String,
    opponent: String,
    budget: String,
    matches: u32,
    cpu_seconds: f64,
}

/// A row for each series of a cell, or for the cell where it was not played: `name` and `against`, the `players`, the `paper`'s figure, and
/// what a match costs (`cpu` seconds with `cost-budget` a move); of a series what [`all_series`] gives, with the `test` that ended it, and of
/// a cooperative game what it is more than the paper's `about` and than the `optimum`. More rows: `majority`, and `alike`, what mac-ucb scores
/// more than uct where each plays alone. Facts: how many `cells`, and how many of them are `played`.
pub(super) fn table_3(request: &Request<'_>) -> Result<Data, ReportError> {
    let series = all_series(&request.only(SERIES))?;
    let costs = request.only(COSTS).rows(|path| csv_rows(path, check))?;
    let optima = request.only(CEILINGS).rows(lines)?;
    let cells = paper_games().into_iter().flat_map(|game| {
        let pairs = if game.text("kind") == "cooperative" {
            ALONE
        } else {
            PAIRS
        };
        pairs.map(|pair| cell(&game, pair, &costs))
    });
    let (mut rows, mut count, mut played) = (Vec::new(), 0_usize, 0_usize);
    for cell in cells {
        let is_here = |row: &&Row| {
            ["game", "name", "against"]
                .iter()
                .all(|name| row.text(name) == cell.text(name))
        };
        let here: Vec<_> = series
            .iter()
            .filter(is_here)
            .map(|row| cell.clone().and(&of_series(row, &optima)))
            .collect();
        (count, played) = (count + 1, played + usize::from(!here.is_empty()));
        rows.extend(if here.is_empty() { vec![cell] } else { here });
    }
    let facts = Row::default().with("cells", count).with("played", played);
    let (majority, alike) = (majority(&rows), alike(&rows));
    let rows = if series.is_empty() && costs.is_empty() {
        Vec::new()
    } else {
        rows
    };
    Ok(Data::of(rows)
        .facts(facts)
        .and("majority", vec![majority])
        .and("alike", vec![alike]))
}

fn check(cost: &MatchCost) -> Result<(), String> {
    let MatchCost {
        matches,
        cpu_seconds,
        ..
    } = cost;
    if *matches > 0 && *cpu_seconds >= 0.0 {
        Ok(())
    } else {
        Err(format!("{matches} matches in {cpu_seconds} s"))
    }
}

fn cell(game: &Row, [name, against]: [&str; 2], costs: &[MatchCost]) -> Row {
    let game_name = game.text("game");
    let is_here = |cost: &&MatchCost| {
        cost.game == game_name && [named(&cost.player), named(&cost.opponent)] == [name, against]
    };
    let cost = costs.iter().find(is_here);
    let players = if against.is_empty() {
        format!("{name} alone")
    } else {
        format!("{name}, {against}")
    };
    Row::default()
        .with("game", game_name)
        .with("name", name)
        .with("against", against)
        .with("players", players)
        .with("paper", in_table_3(game_name, name, against))
        .with(
            "cpu",
            cost.map(|cost| cost.cpu_seconds / f64::from(cost.matches)),
        )
        .with("cost-budget", cost.map(|cost| cost.budget.as_str()))
}

fn of_series(row: &Row, optima: &[Row]) -> Row {
    let alone = row
        .estimate("score")
        .filter(|_| row.text("against").is_empty());
    let is_best = |of: &&Row| {
        of.text("game") == row.text("game")
            && [of.text("plays"), of.text("others")] == ["best", "best"]
    };
    let optimum = optima
        .iter()
        .find(is_best)
        .and_then(|best| best.number("goal"));
    let optimum = optimum.filter(|_| alone.is_some());
    let more = alone
        .zip(optimum)
        .map(|(score, optimum)| score.less(optimum / 100.0));
    let about = alone.map(|score| score.less(in_text("orchard")));
    row.clone()
        .with("about", about)
        .with("optimum", more)
        .with("best", optimum)
}

/// In how many games UCT is ahead of FC-UCB, `more` than half of them: at least where that is shown, at most where the opposite is not.
fn majority(rows: &[Row]) -> Row {
    let series = rows
        .iter()
        .filter(|row| [row.text("name"), row.text("against")] == ["fc-ucb", "uct"]);
    let series: Vec<_> = series.collect();
    let (mut games, mut ahead, mut behind) = (0.0, 0.0, 0.0);
    for game in series.chunk_by(|a, b| a.text("game") == b.text("game")) {
        let is_shown = |side: Comparison| {
            let of_one = |row: &&Row| match row.estimate("lead") {
                Some(lead) => side.verdict(lead, 0.0),
                None => PaperVerdict::NotRun,
            };
            of_cases(&game.iter().map(of_one).collect::<Vec<_>>()) == PaperVerdict::Agrees
        };
        games += 1.0;
        ahead += f64::from(u8::from(is_shown(Comparison::Less)));
        behind += f64::from(u8::from(is_shown(Comparison::More)));
    }
    let of = Estimate {
        value: ahead,
        low: ahead,
        high: games - behind,
    };
    let is_played = series.iter().any(|row| row.get("lead").is_some());
    let row = Row::default()
        .with("ahead", ahead)
        .with("behind", behind)
        .with("games", games);
    row.with("more", is_played.then(|| of.less(games / 2.0)))
}

fn alike(rows: &[Row]) -> Row {
    let alone = |name: &str| {
        rows.iter()
            .find(|row| [row.text("name"), row.text("against")] == [name, ""])?
            .estimate("score")
    };
    let more = alone("mac-ucb")
        .zip(alone("uct"))
        .map(|(first, second)| first.minus(second));
    Row::default().with("more", more)
}
