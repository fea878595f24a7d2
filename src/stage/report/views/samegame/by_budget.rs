//! Results beside each other at every budget: tables 1, 2, 3 and 6.

use std::collections::BTreeMap;

use super::super::Request;
use super::published::settings as paper_settings;
use super::result::{Origin, SamegameResult, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use crate::template::fill;

/// The strategies of table 1 as options.
const STRATEGIES: [&str; 3] = ["random", "tabu-random", "tabu-color-random"];
/// A mean with its deviation, and the bounds of the mean.
const WITH_DEVIATION: &str = "{mean:score}, deviation {deviation:.0} ({low:score} - {high:score})";

/// Results by their budget and number of boards, the smallest budget first.
pub(super) fn by_budget(results: &[SamegameResult]) -> Vec<Vec<&SamegameResult>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for result in results {
        let limit = result.limit("nodes").or_else(|| result.limit("playouts"));
        groups.entry((limit, result.row.budget.clone(), result.row.boards)).or_default().push(result);
    }
    groups.into_values().collect()
}

/// Where results of one budget belong.
fn place(results: &[&SamegameResult]) -> Row {
    Row::default().with("place", results[0].place()).with("budget", results[0].budget())
}

/// Table 1: a row for each budget with each strategy, `tabu-gain` on random, and `colour-gain` on that.
pub(in crate::views) fn strategies(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut results = read(request)?;
    // TabuColorRandom is the balanced setting of table 2.
    results.retain(|result| result.setting().as_deref() == Some("balanced"));
    let row = |results: Vec<&SamegameResult>| {
        let of = |strategy| results.iter().find(|result| result.option("playout", "tabu-color-random") == strategy);
        let [random, tabu, colour] = STRATEGIES.map(of);
        let said = |result: Option<&&SamegameResult>| fill(WITH_DEVIATION, &result?.values());
        place(&results)
            .with("random", said(random))
            .with("tabu", said(tabu))
            .with("colour", said(colour))
            .with("tabu-gain", tabu.zip(random).map(|(a, b)| a.minus(b)))
            .with("colour-gain", colour.zip(tabu).map(|(a, b)| a.minus(b)))
    };
    Ok(Data::of(by_budget(&results).into_iter().map(row).collect()))
}

/// Table 2, with rewards in points or, as usual, in hundreds of them: a row for each budget with each setting's figures and the paper's,
/// with how far the mean of exploitation is `beyond` the paper's, the `best` and the paper's best, and how far that is `ahead` here.
pub(in crate::views) fn settings(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut results = read(request)?;
    results.retain(|result| result.has_usual_unit() == (request.with.by != "points"));
    let row = |results: Vec<&SamegameResult>| {
        let mut row = place(&results).and(&best(&results));
        for (name, result) in results.iter().filter_map(|result| Some((result.setting()?, result))) {
            row = row
                .with(&name, result.mean())
                .with(&format!("{name}-deviation"), result.row.deviation)
                .with(&format!("{name}-depth"), result.row.mean_depth)
                .with(&format!("{name}-deepest"), result.row.mean_deepest);
            let Some(paper) = result.in_table_2() else { continue };
            for quantity in ["mean", "deviation", "depth", "deepest"] {
                row = row.with(&format!("{name}-paper-{quantity}"), paper.number(quantity));
            }
            let beyond = paper.number("mean").map(|mean| result.less(mean));
            row = row.with("nodes", paper.number("nodes")).with(&format!("{name}-beyond"), beyond);
        }
        row
    };
    Ok(Data::of(by_budget(&results).into_iter().map(row).collect()))
}

/// The best setting of a budget here and in the paper, if that has as many nodes.
fn best(results: &[&SamegameResult]) -> Row {
    let known: Vec<_> = results.iter().filter_map(|result| Some((result.setting()?, result.row.mean))).collect();
    let here = known.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let paper = paper_settings().into_iter().filter(|of| results[0].nodes() == of.number("nodes"));
    let paper = paper.max_by(|a, b| a.by("mean", b));
    let Some(((here, most), paper)) = here.zip(paper) else { return Row::default() };
    let best_in_paper = paper.text("setting");
    let theirs = known.iter().find(|(name, _)| name == best_in_paper).map_or(f64::NEG_INFINITY, |(_, mean)| *mean);
    Row::default().with("best", here.as_str()).with("best-in-paper", best_in_paper).with("ahead", theirs - most)
}

/// Table 3: a row for each budget with a search per `game` and one per `move`, and what that makes `more`.
pub(in crate::views) fn scopes(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let row = |results: Vec<&SamegameResult>| {
        let of = |per_move: bool| results.iter().find(|result| result.is_per_move() == per_move);
        let (game, each_move) = (of(false)?, of(true)?);
        let more = each_move.minus(game);
        let row = place(&results).with("game", game.mean()).with("move", each_move.mean()).with("more", more);
        let paper = game.in_time();
        let [of_game, of_move] = ["game", "move"].map(|scope| paper.number(scope));
        let in_paper = of_move.zip(of_game).map(|(of_move, of_game)| of_move - of_game);
        let off = in_paper.zip(of_game).map(|(paper, of_game)| 100.0 * (more.value - paper).abs() / of_game);
        let row = row.with("seconds", paper.number("seconds")).with("paper-game", of_game).with("paper-move", of_move);
        Some(row.with("paper-more", in_paper).with("off", off))
    };
    Ok(Data::of(by_budget(&results).into_iter().filter_map(row).collect()))
}

/// Table 6: a row for each budget and `search` with `manual` settings, those tuned by the `paper`, those tuned `here`, and what these
/// make `more`.
pub(in crate::views) fn tuned(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let row = |results: &[&SamegameResult], per_move: bool| {
        let of = |origin| results.iter().find(|result| result.is_per_move() == per_move && result.origin() == origin);
        let (manual, here) = (of(Origin::Manual)?, of(Origin::Here));
        let time = manual.in_time();
        let [of_manual, of_tuned] = if per_move { ["move", "move_tuned"] } else { ["game", "game_tuned"] };
        let row = place(results)
            .with("search", if per_move { "per move" } else { "per game" })
            .with("manual", manual.mean())
            .with("paper", of(Origin::Paper).map(|result| result.mean()))
            .with("here", here.map(|result| result.mean()))
            .with("more", here.map(|result| result.minus(manual)));
        Some(row.with("published-manual", time.number(of_manual)).with("published-tuned", time.number(of_tuned)))
    };
    let both =
        by_budget(&results).into_iter().flat_map(|results| [false, true].map(|per_move| row(&results, per_move)));
    Ok(Data::of(both.flatten().collect()))
}
