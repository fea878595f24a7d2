//! Matches on rule sheets, beside the tables of the MAC-UCB paper: what `pipeline ggp table`, `ladder` and `check` write.

use std::collections::BTreeSet;

use super::{Request, lines, paper, unique};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::row::Row;
use crate::template::fill;
use mineflow_document::Estimate;
use mineflow_document::numbers::{counted, list, percent};
use mineflow_stage_games::ggp_ladder::LadderRow;
use mineflow_stage_games::ggp_table::{LearningRow, TableRow, amount};

/// The score of equals.
const EVEN: f64 = 0.5;
/// Section 5.2: what everybody reaches in Orchard, which is the optimum.
const ORCHARD: f64 = 0.70;
/// The opponent that is called plain.
const PLAIN: &str = "uct:transpositions=no:keep-tree=no:cache=no";

/// A game in the paper's tables: the network of a stage and its `seconds` (table 2); wins in per cent of each pair with 30 seconds a move
/// (table 3; Orchard is cooperative, there it is MAC-UCB, MAC-UCB and FC-UCB alone); and of MAC-UCB against UCT with 1 and 60 (table 4).
fn paper_game(name: &str) -> Option<Row> {
    paper(include_str!("../papers/mac-ucb.csv")).into_iter().find(|game| game.text("game") == name)
}

/// The paper's score for two players, `opponent` being none in a cooperative game.
fn in_table_3(game: &str, player: &str, opponent: &str) -> Option<f64> {
    let opponent = if opponent.is_empty() { "uct" } else { algorithm(opponent) };
    paper_game(game)?.number(&format!("{}_{opponent}", algorithm(player)).replace('-', "_"))
}

/// A player without its options.
fn algorithm(player: &str) -> &str {
    player.split(':').next().unwrap_or(player)
}

fn check_score(matches: u32, [wins, draws, losses]: [u32; 3], [score, low, high]: [f64; 3]) -> Result<(), String> {
    if matches == 0 || wins + draws + losses != matches {
        return Err(format!("{wins} wins, {draws} draws and {losses} losses in {matches} matches"));
    }
    let counted = 100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(matches);
    if (counted - score).abs() > 0.01 {
        return Err(format!("score is {score}, and wins and half of the draws are {counted:.2} %"));
    }
    for (name, value) in [("low", low), ("high", high)] {
        if !(0.0..=100.0).contains(&value) {
            return Err(format!("{name} is {value}, not between 0 and 100"));
        }
    }
    Ok(())
}

/// A row for each series: `score`, `lead` on an equal, `name` and `against` without options, the `paper`'s figures in per cent and how far
/// ours is `off`. `optimum` is what Orchard is more than it. Facts: when stages are left. More rows: `growth` from the least budget of a game to the most, `best-share` of each game.
pub(super) fn matches(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check_series))?;
    let rows: Vec<Row> = rows.iter().map(series).collect();
    let opposed: Vec<Row> = rows.iter().filter(|row| row.get("opponent").is_some()).cloned().collect();
    let samples: BTreeSet<_> = opposed.iter().map(|row| row.text("samples_per_stage")).collect();
    let samples: Vec<_> = samples.into_iter().map(left_after).collect();
    let games = unique(opposed.iter().map(|row| row.text("game")));
    let of_games =
        || games.iter().map(|game| opposed.iter().filter(|row| row.text("game") == *game).collect::<Vec<_>>());
    let shares: Vec<Row> = of_games().filter_map(|rows| best_share(&rows)).collect();
    let shown = shares.iter().filter(|row| row.get("is-shown").is_some()).count();
    let facts = Row::default()
        .with("samples", list(&samples))
        .with("shown", shown)
        .with("games", counted(shares.len() as u64, "game"));
    let growth = of_games().filter_map(|rows| growth(&rows)).collect();
    Ok(Data::of(rows).facts(facts).and("growth", growth).and("best-share", shares))
}

fn check_series(row: &TableRow) -> Result<(), String> {
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])?;
    if !(0.0..=1.0).contains(&row.solving_share) {
        return Err(format!("solving_share is {}, not between 0 and 1", row.solving_share));
    }
    if amount(&row.budget).is_none_or(|amount| amount <= 0.0) {
        return Err(format!("budget is {}", row.budget));
    }
    Ok(())
}

fn less(of: Estimate, amount: f64) -> Estimate {
    Estimate { value: of.value - amount, low: of.low - amount, high: of.high - amount }
}

fn series(row: &TableRow) -> Row {
    let of = row.estimate();
    let table_3 = in_table_3(&row.game, &row.player, &row.opponent);
    let paper = paper_game(&row.game);
    let of_paper = |name| paper.as_ref().and_then(|paper| paper.number(name));
    let is_optimum = row.game == "orchard" && row.opponent.is_empty();
    let named = Row::of(row).with("score", of).with("lead", less(of, EVEN));
    named
        .with("name", algorithm(&row.player))
        .with("against", algorithm(&row.opponent))
        .with("amount", amount(&row.budget))
        .with("optimum", is_optimum.then(|| less(of, ORCHARD)))
        .with("paper", table_3)
        .with("off", table_3.map(|paper| (100.0 * of.value - paper).abs()))
        .with("one-second", of_paper("one_second"))
        .with("sixty-seconds", of_paper("sixty_seconds"))
}

fn left_after(samples: &str) -> String {
    samples.parse().map_or_else(|_| format!("{samples} samples"), |count| counted(count, "sample"))
}

/// What is gained from the least budget to the most, if there are two: `growth`, with how far it is `off` the paper's.
fn growth(rows: &[&Row]) -> Option<Row> {
    let by_amount = |a: &&&Row, b: &&&Row| a.by("amount", b);
    let (least, most) = rows.iter().min_by(by_amount).zip(rows.iter().max_by(by_amount))?;
    if least.number("amount") >= most.number("amount") {
        return None;
    }
    let growth = most.estimate("score")?.minus(least.estimate("score")?);
    let here = 100.0 * growth.value;
    let paper = most.number("sixty-seconds").zip(most.number("one-second")).map(|(sixty, one)| sixty - one);
    let row = Row::default().with("game", most.text("game")).with("growth", growth).with("here", here);
    let row = row.with("in-paper", paper).with("off", paper.map(|paper| (here - paper).abs()));
    let row = row.with("from", least.text("budget")).with("to", most.text("budget"));
    Some(row.with("playouts-from", fill(PLAYOUTS, least)).with("playouts-to", fill(PLAYOUTS, most)))
}

/// Playouts a move of both players.
const PLAYOUTS: &str = "{samples_per_move:.0}[[, {opponent_samples_per_move:.0}]]";

/// The share of solving that scores most, where not all score the same: `is-shown` where it is so by the intervals.
fn best_share(rows: &[&Row]) -> Option<Row> {
    let by_score = |a: &&&Row, b: &&&Row| a.by("score", b);
    let (worst, best) = rows.iter().min_by(by_score).zip(rows.iter().max_by(by_score))?;
    let difference = best.estimate("score")?.minus(worst.estimate("score")?);
    let share = best.number("solving_share")?;
    let row = Row::default().with("game", best.text("game")).with("share", share).with("percent", 100.0 * share);
    (difference.value != 0.0).then(|| row.with("is-shown", difference.is_above_zero().then_some("yes")))
}

/// A row for each part of matches in a row: `score`. The fact `shown`, and as more rows `growth` from the first part to the last.
pub(super) fn learning(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check_part))?;
    let rows: Vec<_> = rows.iter().map(|row| Row::of(row).with("score", row.estimate())).collect();
    let (mut growth, mut shown) = (Vec::new(), Vec::new());
    let keys: Vec<_> = rows.iter().map(|row| format!("{}, {}", row.text("game"), row.text("budget"))).collect();
    for key in unique(keys.iter().map(String::as_str)) {
        let of_key: Vec<_> = rows.iter().zip(&keys).filter(|(_, known)| *known == key).collect();
        let [first, last] = [of_key.first(), of_key.last()].map(|part| part.and_then(|(row, _)| row.estimate("score")));
        let Some((first, last)) = first.zip(last) else { continue };
        growth.push(Row::default().with("growth", last.minus(first)));
        if of_key.len() > 1 {
            shown.push(format!("{} {} to {}", of_key[0].0.text("game"), percent(first.value), percent(last.value)));
        }
    }
    Ok(Data::of(rows).facts(Row::default().with("shown", shown.join(", "))).and("growth", growth))
}

fn check_part(row: &LearningRow) -> Result<(), String> {
    if row.from == 0 || row.to < row.from {
        return Err(format!("matches {} to {}", row.from, row.to));
    }
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])
}

/// A row for each rung: `score`, the `share` of the player's playouts that the opponent has, and the `line` of rungs that it stands on, with
/// its `line-name`, if that has several.
pub(super) fn ladder(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check_rung))?;
    let is_beside =
        |a: &LadderRow, b: &LadderRow| (&a.game, &a.player, &a.opponent) == (&b.game, &b.player, &b.opponent);
    let row = |row: &LadderRow| {
        let has_others = rows.iter().filter(|other| is_beside(row, other)).count() > 1;
        let plain = if row.opponent == PLAIN { "plain " } else { "" };
        let name = format!("{}: {plain}{}", row.game, algorithm(&row.opponent));
        let paper = in_table_3(&row.game, &row.player, &row.opponent);
        Row::of(row)
            .with("score", row.estimate())
            .with("share", row.opponent_playouts as f64 / row.playouts as f64)
            .with("line", has_others.then(|| format!("{} {} {}", row.game, row.player, row.opponent)))
            .with("line-name", name)
            .with("paper", paper.filter(|_| [algorithm(&row.player), algorithm(&row.opponent)] == ["mac-ucb", "uct"]))
    };
    Ok(Data::of(rows.iter().map(row).collect()))
}

fn check_rung(row: &LadderRow) -> Result<(), String> {
    let LadderRow { playouts, opponent_playouts, .. } = *row;
    if playouts == 0 || opponent_playouts == 0 {
        return Err(format!("{playouts} playouts a move against {opponent_playouts}"));
    }
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])
}

/// Random playouts by several engines, as the table has them. Facts: how many `playouts` and `states`, and the `differences`.
pub(super) fn engines(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(lines)?;
    let sum = |name: &str| rows.iter().filter_map(|row| row.number(name)).sum::<f64>();
    let differ: Vec<_> =
        rows.iter().filter(|row| row.get("difference").is_some()).map(|row| row.text("game")).collect();
    let differences =
        if differ.is_empty() { "no difference".to_owned() } else { format!("differences in {}", list(&differ)) };
    let facts = Row::default().with("playouts", sum("playouts")).with("states", sum("states"));
    let agree = |row: Row| {
        let said = row.text("difference").to_owned();
        row.with("agree", if said.is_empty() { "yes".to_owned() } else { said })
    };
    let facts = facts.with("differences", differences);
    Ok(Data::of(rows.into_iter().map(agree).collect()).facts(facts))
}

/// Constraint networks of games, with what table 2 has of each.
pub(super) fn networks(request: &Request<'_>) -> Result<Data, ReportError> {
    let row = |row: Row| {
        let paper = paper_game(row.text("game")).unwrap_or_default();
        let columns = ["variables", "largest_domain", "constraints", "seconds"];
        columns.into_iter().fold(row, |row, name| row.with(&format!("paper-{name}"), paper.number(name)))
    };
    Ok(Data::of(request.rows(lines)?.into_iter().map(row).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_paper_can_be_read() {
        assert_eq!(paper(include_str!("../papers/mac-ucb.csv")).len(), 15);
        let last = paper_game("yahtzee").unwrap();
        let figures = ["variables", "fc_ucb_uct", "sixty_seconds"].map(|name| last.number(name).unwrap());
        assert_eq!(figures, [12.0, 58.6, 78.9]);
        assert_eq!(in_table_3("hex", "mac-ucb:lanes=64", "fc-ucb"), Some(73.2));
        assert!(paper_game("go").is_none());
    }
}
