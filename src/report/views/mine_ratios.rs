//! Figures 1, 2 and 5: what is won, and what a game costs, against the mine ratio.

use super::experiment::{BoardSize, MineRatioExperiment, SharedBoards};
use super::{Request, in_text};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{counted, list};

/// The versions that learn.
const LEARNED: [&str; 4] = ["5.0", "5.5", "6.0", "6.5"];

/// A row for each player and mine ratio: `won`, `seconds`, and `gain` on the base. Facts: `boards` and `base`. More rows: `pairs`
/// of players on the boards that both have played, `times` of these pairs, `end` with what each player wins where mines are densest, `leads` of
/// each player that learns on each other one, and the same where mines are `dense`. The fact `late`: whose games were out of time.
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
    let bases = request
        .with
        .bases
        .iter()
        .map(String::as_str)
        .filter(|base| shared.players.contains(base));
    let base = bases.max_by_key(|base| shared.games(base).0);
    let rows = shared
        .players
        .iter()
        .flat_map(|player| rows(&shared, player, base))
        .collect();
    let data = Data::of(rows)
        .facts(
            Row::default()
                .with("boards", shared.describe())
                .with("base", base)
                .with("late", late(&shared)),
        )
        .and(
            "pairs",
            request
                .with
                .pairs
                .iter()
                .filter_map(|pair| pair_of(&experiment, pair))
                .collect(),
        )
        .and(
            "times",
            request
                .with
                .pairs
                .iter()
                .flat_map(|pair| times_of(&experiment, pair))
                .collect(),
        )
        .and(
            "end",
            shared
                .players
                .iter()
                .filter_map(|player| the_end(&experiment, player))
                .collect(),
        );
    let is_dense = |at: &u32| f64::from(*at) > in_text("alike-above");
    let dense: Vec<u32> = shared.percents.iter().copied().filter(is_dense).collect();
    let data = data
        .and("dense", leads(&shared, &dense))
        .and("leads", leads(&shared, &shared.percents));
    Ok(Data {
        files,
        ..data
            .renamed("player", &request.with.names)
            .renamed("other", &request.with.names)
    })
}

/// Whose games were out of time, if anybody's were.
fn late(shared: &SharedBoards<'_>) -> Option<String> {
    let late = shared
        .players
        .iter()
        .map(|player| (player, shared.late(player)))
        .filter(|(_, games)| *games > 0);
    let late: Vec<_> = late
        .map(|(player, games)| format!("{} of {player}", counted(games, "game")))
        .collect();
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
            .with(
                "gain",
                won.zip(of_base).map(|(won, of_base)| won.minus(of_base)),
            )
    };
    shared.percents.iter().map(row).collect()
}

/// Two players on all boards that both have played, and what the first wins more.
fn pair_of(experiment: &MineRatioExperiment, [first, second]: &[String; 2]) -> Option<Row> {
    let both = experiment.of_all(&[first, second]);
    let won = |player| both.wins(player, &both.percents);
    let row = Row::default()
        .with("first", &**first)
        .with("second", &**second)
        .with("sizes", both.sizes.len());
    Some(row.with("difference", won(first)?.minus(won(second)?)))
}

/// How many `times` as long the second of two players takes as the first, over all boards that both have played and at each mine ratio, and
/// the same as `doublings`. A game that is out of time counts with what it took by then: `late-first` and `late-second` count them.
fn times_of(experiment: &MineRatioExperiment, [first, second]: &[String; 2]) -> Vec<Row> {
    let both = experiment.of_all(&[first, second]);
    let row = |at: String, percents: &[u32]| {
        let times = both.times([first, second], percents)?;
        let Estimate { value, low, high } = times;
        let doublings = (low > 0.0).then(|| Estimate {
            value: value.log2(),
            low: low.log2(),
            high: high.log2(),
        });
        let row = Row::default()
            .with("first", &**first)
            .with("second", &**second)
            .with("at", at);
        let row = row
            .with("times", times)
            .with("doublings", doublings)
            .with("sizes", both.sizes.len());
        Some(
            row.with("late-first", both.late(first))
                .with("late-second", both.late(second)),
        )
    };
    let each = both
        .percents
        .iter()
        .map(|&percent| row(format!("{percent} %"), &[percent]));
    [row("all mine ratios".to_owned(), &both.percents)]
        .into_iter()
        .chain(each)
        .flatten()
        .collect()
}

/// What a player wins where mines are densest.
fn the_end(experiment: &MineRatioExperiment, player: &str) -> Option<Row> {
    let shared = experiment.of_all(&[player]);
    let &last = shared.percents.last()?;
    let row = Row::default()
        .with("player", player)
        .with("percent", f64::from(last))
        .with("sizes", shared.sizes.len());
    Some(
        row.with("won", shared.wins(player, &[last]))
            .and(&small_and_large(&shared, player, last)),
    )
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
        Some((few, many)) if small < large && few.minus(many).is_above_zero() => Row::default()
            .with("small", small)
            .with("large", large)
            .with("few", few)
            .with("many", many),
        _ => Row::default(),
    }
}

/// What each of the versions that learn wins more than each other player at these mine ratios.
fn leads(shared: &SharedBoards<'_>, percents: &[u32]) -> Vec<Row> {
    let won = |&player: &&'_ str| Some((player.to_owned(), shared.wins(player, percents)?));
    let all: Vec<_> = shared.players.iter().filter_map(won).collect();
    let learned = all
        .iter()
        .filter(|(player, _)| LEARNED.contains(&player.as_str()));
    let of_one = |(player, of): &(String, Estimate)| -> Vec<Row> {
        let others = all.iter().filter(|(other, _)| other != player);
        let row = |(other, than): &(String, Estimate)| {
            let row = Row::default()
                .with("player", player.as_str())
                .with("other", other.as_str());
            row.with("pair", format!("{player} over {other}"))
                .with("lead", of.minus(*than))
        };
        others.map(row).collect()
    };
    learned.flat_map(of_one).collect()
}
