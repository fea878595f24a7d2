//! Figures 1, 2 and 5: what is won, and what a game costs, against the mine ratio.

use super::Request;
use super::experiment::{BoardSize, MineRatioExperiment, SharedBoards};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use mineflow_document::numbers::{list, percent, seconds};

/// Section 5.3: from this mine ratio on, in percent, versions 5.0 to 6.5 are like those before.
const LEARNED_ARE_ALIKE_FROM: u32 = 19;
/// The versions that learn, and those with whom they are held together.
const LEARNED: [&str; 4] = ["5.0", "5.5", "6.0", "6.5"];
const BEFORE: [&str; 2] = ["4.0", "4.5"];
/// Those that win most in the paper.
const BEST: [&str; 2] = ["5.0", "6.5"];
/// Who is asked for what is won where mines are densest: of those with most sizes the last.
const DENSEST: [&str; 3] = ["3.5", "2.5", "3.0"];
/// A time up to this many times as long counts as about as long.
const ALIKE: f64 = 1.25;

/// A row for each player and mine ratio: `won`, `seconds`, and `gain` on the base. Facts: `boards` and `base`. More rows: `pairs`
/// of players on the boards that both have played, `end` with what is won where mines are densest, `dense` with `points` more than
/// those before, `best` with the `rank` of each player.
pub(super) fn mine_ratios(request: &Request<'_>) -> Result<Data, ReportError> {
    let (experiment, files) = MineRatioExperiment::of(&request.sources.games);
    let players: Vec<_> = request.with.players.iter().map(String::as_str).collect();
    let shared = experiment.shared(&players);
    let shared = match request.with.all {
        false => shared,
        true if shared.left_out.is_empty() => return Ok(Data::default()),
        true => experiment.of_all(&players),
    };
    if shared.is_empty() {
        return Ok(Data::default());
    }
    let bases = request.with.bases.iter().map(String::as_str).filter(|base| shared.players.contains(base));
    let base = bases.max_by_key(|base| shared.games(base).0);
    let rows = shared.players.iter().flat_map(|player| rows(&shared, player, base)).collect();
    let data = Data::of(rows)
        .facts(Row::default().with("boards", shared.describe()).with("base", base))
        .and("pairs", request.with.pairs.iter().filter_map(|pair| pair_of(&experiment, pair)).collect())
        .and("end", the_end(&experiment).into_iter().collect())
        .and("dense", dense(&shared))
        .and("best", best(&shared));
    Ok(Data { files, ..data })
}

fn rows<'a>(shared: &SharedBoards<'a>, player: &'a str, base: Option<&str>) -> Vec<Row> {
    let base = base.filter(|base| *base != player);
    let row = |&percent: &u32| {
        let won = shared.wins(player, &[percent]);
        let of_base = base.and_then(|base| shared.wins(base, &[percent]));
        Row::default()
            .with("player", player)
            .with("ratio", f64::from(percent) / 100.0)
            .with("won", won)
            .with("seconds", shared.seconds(player, &[percent]))
            .with("gain", won.zip(of_base).map(|(won, of_base)| won.minus(of_base)))
    };
    shared.percents.iter().map(row).collect()
}

/// Two players on all boards that both have played: the first less the second, and what games of both cost.
fn pair_of(experiment: &MineRatioExperiment, [first, second]: &[String; 2]) -> Option<Row> {
    let both = experiment.of_all(&[first, second]);
    let won = |player| both.wins(player, &both.percents);
    let took = |player| both.seconds(player, &both.percents);
    let late = |player| percent(both.timeouts(player, &both.percents));
    Some(
        Row::default()
            .with("first", &**first)
            .with("second", &**second)
            .with("difference", won(first)?.minus(won(second)?))
            .with("sizes", both.sizes.len())
            .with("seconds-first", took(first))
            .with("seconds-second", took(second))
            .with("times", took(second).zip(took(first)).map(|(second, first)| second / first))
            .with("late-first", late(first))
            .with("late-second", late(second))
            .with("deduction", without_deduction(experiment)),
    )
}

/// What 1.0 takes, where that is about what 2.0 takes: then deduction before the search hardly counts, nor how the search is made.
fn without_deduction(experiment: &MineRatioExperiment) -> Option<String> {
    let both = experiment.of_all(&["1.0", "2.0"]);
    let (one, two) = (both.seconds("1.0", &both.percents)?, both.seconds("2.0", &both.percents)?);
    let said = || {
        format!(
            "1.0, which deduces nothing before its search, takes {} where 2.0 takes {}: the time goes into walking all solutions, which each \
             of them does.",
            seconds(one),
            seconds(two)
        )
    };
    (one.max(two) <= ALIKE * one.min(two)).then(said)
}

/// What is won where mines are densest.
fn the_end(experiment: &MineRatioExperiment) -> Option<Row> {
    let players = DENSEST.map(|player| (player, experiment.of_all(&[player])));
    let (player, shared) = players.into_iter().max_by_key(|(_, shared)| shared.sizes.len())?;
    let &last = shared.percents.last()?;
    let row = Row::default().with("player", player).with("percent", f64::from(last)).with("sizes", shared.sizes.len());
    Some(row.with("won", shared.wins(player, &[last])).and(&small_and_large(&shared, player, last)))
}

/// What is won at a mine ratio on the smallest and on the largest quarter of the sizes, if more is won on the small ones.
fn small_and_large(shared: &SharedBoards<'_>, player: &str, at: u32) -> Row {
    let cells = |&(width, height): &BoardSize| width * height;
    let mut all: Vec<_> = shared.sizes.iter().map(cells).collect();
    all.sort_unstable();
    let (small, large) = (all[all.len() / 4], all[all.len() - 1 - all.len() / 4]);
    let few = shared.wins_on(player, &[at], |size| cells(&size) <= small);
    let many = shared.wins_on(player, &[at], |size| cells(&size) >= large);
    match few.zip(many) {
        Some((few, many)) if small < large && few.minus(many).is_above_zero() => {
            Row::default().with("small", small).with("large", large).with("few", few).with("many", many)
        }
        _ => Row::default(),
    }
}

/// What the versions that learn gain on those before, where mines are dense.
fn dense(shared: &SharedBoards<'_>) -> Vec<Row> {
    let dense: Vec<u32> = shared.percents.iter().copied().filter(|&at| at > LEARNED_ARE_ALIKE_FROM).collect();
    let won = |player: &'static str| Some((player, shared.wins(player, &dense)?));
    let Some((base, before)) = BEFORE.into_iter().find_map(won) else { return Vec::new() };
    let row = |(player, of): (&str, mineflow_document::Estimate)| {
        let gain = of.minus(before).value;
        Row::default().with("player", player).with("base", base).with("gain", gain).with("points", 100.0 * gain)
    };
    LEARNED.into_iter().filter_map(won).map(row).collect()
}

/// Where each player stands among all, over all boards; nothing where there are few, or the best are not among them.
fn best(shared: &SharedBoards<'_>) -> Vec<Row> {
    let won = |&player: &&'_ str| Some((player.to_owned(), shared.wins(player, &shared.percents)?));
    let mut all: Vec<_> = shared.players.iter().filter_map(won).collect();
    if all.len() < 4 || BEST.iter().any(|player| !shared.players.contains(player)) {
        return Vec::new();
    }
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let first: Vec<_> = all.iter().take(4).map(|(player, of)| format!("{player} {}", percent(of.value))).collect();
    let row = |(at, (player, _)): (usize, &(String, _))| {
        Row::default().with("player", player.as_str()).with("rank", at + 1).with("first", list(&first))
    };
    all.iter().enumerate().map(row).collect()
}
