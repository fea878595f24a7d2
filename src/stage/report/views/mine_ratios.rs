//! Figures 1, 2 and 5: what is won, and what a game costs, against the mine ratio.

use super::Request;
use super::experiment::{BoardSize, MineRatioExperiment, SharedBoards};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use mineflow_document::Estimate;
use mineflow_document::numbers::{counted, list};

/// Section 5.3: from this mine ratio on, in percent, versions 5.0 to 6.5 are like those before.
const LEARNED_ARE_ALIKE_FROM: u32 = 19;
/// The versions that learn, and those with whom they are held together.
const LEARNED: [&str; 4] = ["5.0", "5.5", "6.0", "6.5"];
const BEFORE: [&str; 2] = ["4.0", "4.5"];
/// Who is asked for what is won where mines are densest: of those with most sizes the last.
const DENSEST: [&str; 3] = ["3.5", "2.5", "3.0"];

/// A row for each player and mine ratio: `won`, `seconds`, and `gain` on the base. Facts: `boards` and `base`. More rows: `pairs`
/// of players on the boards that both have played, `end` with what is won where mines are densest, `dense` with the `gain` on those before,
/// `leads` of each player that learns on each other one. The fact `late`: whose games were out of time.
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
        .facts(Row::default().with("boards", shared.describe()).with("base", base).with("late", late(&shared)))
        .and("pairs", request.with.pairs.iter().filter_map(|pair| pair_of(&experiment, pair)).collect())
        .and("end", the_end(&experiment).into_iter().collect())
        .and("dense", dense(&shared))
        .and("leads", leads(&shared));
    Ok(Data { files, ..data })
}

/// Whose games were out of time, if anybody's were.
fn late(shared: &SharedBoards<'_>) -> Option<String> {
    let late = shared.players.iter().map(|player| (player, shared.late(player))).filter(|(_, games)| *games > 0);
    let late: Vec<_> = late.map(|(player, games)| format!("{} of {player}", counted(games, "game"))).collect();
    (!late.is_empty()).then(|| list(&late))
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

/// Two players on all boards that both have played: what the first wins more, and the median over boards of how many times as long the
/// second takes; boards with games out of time are `cut` and have no such ratio.
fn pair_of(experiment: &MineRatioExperiment, [first, second]: &[String; 2]) -> Option<Row> {
    let both = experiment.of_all(&[first, second]);
    let won = |player| both.wins(player, &both.percents);
    let took = |player| both.seconds(player, &both.percents);
    let (times, cut) = both.times([first, second]);
    Some(
        Row::default()
            .with("first", &**first)
            .with("second", &**second)
            .with("difference", won(first)?.minus(won(second)?))
            .with("sizes", both.sizes.len())
            .with("seconds-first", took(first))
            .with("seconds-second", took(second))
            .with("boards", times.len())
            .with("cut", cut)
            .with("late-first", both.late(first))
            .with("late-second", both.late(second))
            .with("times", Estimate::median(times)),
    )
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

/// What the versions that learn win more than those before, where mines are dense.
fn dense(shared: &SharedBoards<'_>) -> Vec<Row> {
    let dense: Vec<u32> = shared.percents.iter().copied().filter(|&at| at > LEARNED_ARE_ALIKE_FROM).collect();
    let won = |player: &'static str| Some((player, shared.wins(player, &dense)?));
    let Some((base, before)) = BEFORE.into_iter().find_map(won) else { return Vec::new() };
    let row = |(player, of): (&str, Estimate)| {
        Row::default().with("player", player).with("base", base).with("gain", of.minus(before))
    };
    LEARNED.into_iter().filter_map(won).map(row).collect()
}

/// What each of the versions that learn wins more than each other player, over all boards.
fn leads(shared: &SharedBoards<'_>) -> Vec<Row> {
    let won = |&player: &&'_ str| Some((player.to_owned(), shared.wins(player, &shared.percents)?));
    let all: Vec<_> = shared.players.iter().filter_map(won).collect();
    let learned = all.iter().filter(|(player, _)| LEARNED.contains(&player.as_str()));
    let of_one = |(player, of): &(String, Estimate)| -> Vec<Row> {
        let others = all.iter().filter(|(other, _)| other != player);
        let row = |(other, than): &(String, Estimate)| {
            let row = Row::default().with("player", player.as_str()).with("other", other.as_str());
            row.with("lead", of.minus(*than))
        };
        others.map(row).collect()
    };
    learned.flat_map(of_one).collect()
}
