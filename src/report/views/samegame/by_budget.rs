//! Results beside each other at every budget: tables 1, 2, 3 and 6.

use std::collections::BTreeMap;

use super::super::{Request, in_text};
use super::published::{settings as paper_settings, times};
use super::result::{Origin, SamegameResult, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use crate::template::fill;
use mineflow_arena::numbers::grouped;

/// The strategies of table 1 as options.
const STRATEGIES: [&str; 3] = ["random", "tabu-random", "tabu-color-random"];
/// A mean with its deviation, and the bounds of the mean.
const WITH_DEVIATION: &str = "{mean:score}, deviation {deviation:.0} ({low:score} - {high:score})";

/// Results by their budget and number of boards, the smallest budget first.
pub(super) fn by_budget(results: &[SamegameResult]) -> Vec<Vec<&SamegameResult>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for result in results {
        let limit = result.limit("nodes").or_else(|| result.limit("playouts"));
        groups
            .entry((limit, result.row.budget.clone(), result.row.boards))
            .or_default()
            .push(result);
    }
    groups.into_values().collect()
}

/// Where results of one budget belong.
fn place(results: &[&SamegameResult]) -> Row {
    Row::default()
        .with("place", results[0].place())
        .with("budget", results[0].budget())
}

/// Table 1: a row for each budget with its `nodes`, each strategy, `tabu-gain` on random, `colour-gain` on that,
/// and how far these are `apart` from the paper's.
pub(in crate::views) fn strategies(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut results = read(request)?;
    // TabuColorRandom is the balanced setting of table 2.
    results.retain(|result| result.setting().as_deref() == Some("balanced"));
    let row = |results: Vec<&SamegameResult>| {
        let of = |strategy| {
            results
                .iter()
                .find(|result| result.option("playout", "tabu-color-random") == strategy)
        };
        let [random, tabu, colour] = STRATEGIES.map(of);
        let said = |result: Option<&&SamegameResult>| fill(WITH_DEVIATION, &result?.values());
        let tabu_gain = tabu.zip(random).map(|(a, b)| a.minus(b));
        let colour_gain = colour.zip(tabu).map(|(a, b)| a.minus(b));
        place(&results)
            .with("nodes", results[0].nodes())
            .with("boards", results[0].row.boards)
            .with("random", said(random))
            .with("tabu", said(tabu))
            .with("colour", said(colour))
            .with("tabu-gain", tabu_gain)
            .with(
                "tabu-gain-apart",
                tabu_gain.map(|gain| gain.less(in_text("tabu-gain"))),
            )
            .with("colour-gain", colour_gain)
            .with(
                "colour-gain-apart",
                colour_gain.map(|gain| gain.less(in_text("colour-gain"))),
            )
    };
    Ok(Data::of(by_budget(&results).into_iter().map(row).collect()))
}

/// Table 2, with rewards in hundreds of points: a row for each budget with each setting's figures and the paper's, and
/// what its mean is more as a share of the paper's: `exploitation-relative`. More rows: how far the paper's best is `ahead` of each other, and
/// what exploration makes `more` with `nodes` than exploitation with fewer, `before`: `longer`.
pub(in crate::views) fn settings(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut results = read(request)?;
    results.retain(SamegameResult::has_usual_unit);
    let groups = by_budget(&results);
    let row = |results: &Vec<&SamegameResult>| {
        let mut row = place(results);
        for (name, result) in results
            .iter()
            .filter_map(|result| Some((result.setting()?, result)))
        {
            row = row
                .with(&name, result.mean())
                .with(&format!("{name}-deviation"), result.row.deviation)
                .with(&format!("{name}-depth"), result.row.mean_depth)
                .with(&format!("{name}-deepest"), result.row.mean_deepest);
            let Some(paper) = result.in_table_2() else {
                continue;
            };
            for quantity in ["mean", "deviation", "depth", "deepest"] {
                row = row.with(&format!("{name}-paper-{quantity}"), paper.number(quantity));
            }
            let relative = paper
                .number("mean")
                .map(|mean| result.relative(mean, paper.number("deviation")));
            row = row
                .with("nodes", paper.number("nodes"))
                .with(&format!("{name}-relative"), relative);
        }
        row
    };
    let ahead = groups.iter().flat_map(|results| ahead(results)).collect();
    Ok(Data::of(groups.iter().map(row).collect())
        .and("ahead", ahead)
        .and("longer", longer(&results)))
}

fn longer(results: &[SamegameResult]) -> Vec<Row> {
    let of = |setting: &'static str| {
        results.iter().filter(move |result| {
            result.setting().as_deref() == Some(setting) && result.nodes().is_some()
        })
    };
    let row = |long: &SamegameResult, short: &SamegameResult| {
        let row = Row::default()
            .with("nodes", long.nodes())
            .with("before", short.nodes())
            .with("place", long.place());
        row.with("more", long.minus(short))
    };
    of("exploration")
        .flat_map(|long| of("exploitation").map(move |short| row(long, short)))
        .collect()
}

/// How far the setting that is best in the paper at a budget is `ahead` of each other one here, if the paper has that budget.
fn ahead(results: &[&SamegameResult]) -> Vec<Row> {
    let paper = paper_settings()
        .into_iter()
        .filter(|of| results[0].nodes() == of.number("nodes"));
    let Some(best) = paper.max_by(|a, b| a.by("mean", b)) else {
        return Vec::new();
    };
    let named: Vec<_> = results
        .iter()
        .filter_map(|result| Some((result.setting()?, result)))
        .collect();
    let Some((_, first)) = named.iter().find(|(name, _)| name == best.text("setting")) else {
        return Vec::new();
    };
    let others = named
        .iter()
        .filter(|(name, _)| name != best.text("setting"));
    let row = |(name, other): &(String, &&SamegameResult)| {
        let row = Row::default()
            .with("nodes", best.number("nodes"))
            .with("other", name.as_str());
        row.with("ahead", first.minus(other))
    };
    others.map(row).collect()
}

/// A row for each budget of the paper's tables 3 and 6, with the values that `of` gives at as many nodes, if that was played.
fn paper_budgets(
    groups: &[Vec<&SamegameResult>],
    of: impl Fn(&[&SamegameResult]) -> Option<Row>,
) -> Vec<Row> {
    let row = |time: Row| {
        // Of two sets of boards the larger one.
        let played = groups
            .iter()
            .rfind(|results| results[0].nodes() == time.number("nodes"));
        let nodes = time
            .number("nodes")
            .map(|nodes| format!("{} nodes", grouped(nodes as u64)));
        played
            .and_then(|results| of(results))
            .unwrap_or_default()
            .with("at", nodes)
    };
    times().into_iter().map(row).collect()
}

/// Table 3: a row for each budget with a search per `game` and one per `move`, and what that makes `more`. More rows: the `budgets` of the
/// paper, named by `at`.
pub(in crate::views) fn scopes(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let row = |results: &[&SamegameResult]| {
        let of = |per_move: bool| {
            results
                .iter()
                .find(|result| result.is_per_move() == per_move)
        };
        let (game, each_move) = (of(false)?, of(true)?);
        let more = each_move.minus(game);
        let row = place(results)
            .with("game", game.mean())
            .with("move", each_move.mean())
            .with("more", more);
        let paper = game.in_time();
        let [of_game, of_move] = ["game", "move"].map(|scope| paper.number(scope));
        let in_paper = of_move
            .zip(of_game)
            .map(|(of_move, of_game)| of_move - of_game);
        let off = in_paper
            .zip(of_game)
            .map(|(paper, of_game)| 100.0 * (more.value - paper).abs() / of_game);
        let row = row
            .with("seconds", paper.number("seconds"))
            .with("paper-game", of_game)
            .with("paper-move", of_move);
        Some(row.with("paper-more", in_paper).with("off", off))
    };
    let groups = by_budget(&results);
    let rows = groups.iter().filter_map(|results| row(results)).collect();
    Ok(Data::of(rows).and("budgets", paper_budgets(&groups, row)))
}

/// Table 6: a row for each budget and `search` with `manual` settings, those tuned by the `paper` and what they make more, `paper-more`, those
/// tuned `here`, and what these make `more`. More rows: the `budgets` of the paper, named by `search` and `at`.
pub(in crate::views) fn tuned(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let row = |results: &[&SamegameResult], per_move: bool| {
        let of = |origin| {
            results
                .iter()
                .find(|result| result.is_per_move() == per_move && result.origin() == origin)
        };
        let (manual, here) = (of(Origin::Manual)?, of(Origin::Here));
        let time = manual.in_time();
        let [of_manual, of_tuned] = if per_move {
            ["move", "move_tuned"]
        } else {
            ["game", "game_tuned"]
        };
        let row = place(results)
            .with("search", search(per_move))
            .with("manual", manual.mean())
            .with("paper", of(Origin::Paper).map(|result| result.mean()))
            .with("here", here.map(|result| result.mean()))
            .with(
                "paper-more",
                of(Origin::Paper).map(|result| result.minus(manual)),
            )
            .with("more", here.map(|result| result.minus(manual)));
        Some(
            row.with("published-manual", time.number(of_manual))
                .with("published-tuned", time.number(of_tuned)),
        )
    };
    let groups = by_budget(&results);
    let both = groups
        .iter()
        .flat_map(|results| [false, true].map(|per_move| row(results, per_move)));
    let data = Data::of(both.flatten().collect());
    let budgets = [false, true].into_iter().flat_map(|per_move| {
        let of_one = paper_budgets(&groups, |results| row(results, per_move));
        of_one
            .into_iter()
            .map(move |row| row.with("search", search(per_move)))
    });
    let budgets = budgets.collect();
    Ok(data.and("budgets", budgets))
}

const fn search(per_move: bool) -> &'static str {
    if per_move { "per move" } else { "per game" }
}
