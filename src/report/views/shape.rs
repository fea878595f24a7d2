//! Figures 3 and 4: win ratio against the shape and the size of the board.

use std::collections::BTreeSet;

use super::Request;
use super::experiment::{BoardSize, MineRatioExperiment, SharedBoards};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;

/// Cells of a group of figure 4.
const CELLS: usize = 30;

/// How boards are grouped, and where one lies within its group.
struct Grouping {
    group: fn(BoardSize) -> usize,
    value: fn(BoardSize) -> f64,
}

/// By height divided by width, within a twentieth of each tenth.
const BY_SIDES: Grouping = Grouping {
    group: |(width, height)| (10 * height + width / 2) / width,
    value: |(width, height)| height as f64 / width as f64,
};
const BY_CELLS: Grouping = Grouping {
    group: |(width, height)| width * height / CELLS,
    value: |(width, height)| (width * height) as f64,
};

/// A row for each player and group of boards by `sides` or `cells`: `at`, `won`, the `mean` over all boards, and the `change` on that. The
/// fact `boards`.
pub(super) fn shape(request: &Request<'_>) -> Result<Data, ReportError> {
    let grouping = if request.with.by == "sides" {
        BY_SIDES
    } else {
        BY_CELLS
    };
    let (experiment, files) = MineRatioExperiment::of(&request.sources.games);
    let players: Vec<_> = request.with.players.iter().map(String::as_str).collect();
    let shared = experiment.shared(&players);
    let groups: BTreeSet<_> = shared
        .sizes
        .iter()
        .map(|&size| (grouping.group)(size))
        .collect();
    if shared.is_empty() || groups.len() < 2 {
        return Ok(Data::default());
    }
    let of_player = |player: &&str| -> Vec<Row> {
        let guesses = guesses(&shared, player);
        groups
            .iter()
            .filter_map(|&group| Some(row(&shared, player, &grouping, group)?.and(&guesses)))
            .collect()
    };
    let rows = shared.players.iter().flat_map(of_player).collect();
    Ok(Data {
        files,
        ..Data::of(rows).facts(Row::default().with("boards", shared.describe()))
    })
}

fn row(shared: &SharedBoards<'_>, player: &str, grouping: &Grouping, group: usize) -> Option<Row> {
    let is_in = |size: BoardSize| (grouping.group)(size) == group;
    let won = shared.wins_on(player, &shared.percents, is_in)?;
    let values: Vec<_> = shared
        .sizes
        .iter()
        .filter(|&&size| is_in(size))
        .map(|&size| (grouping.value)(size))
        .collect();
    let at = values.iter().sum::<f64>() / values.len() as f64;
    let mean = shared.wins(player, &shared.percents)?;
    // The mean holds the group, whose share of it has no part in the change.
    let others = shared.wins_on(player, &shared.percents, |size| !is_in(size))?;
    let change = won
        .minus(others)
        .times(1.0 - values.len() as f64 / shared.sizes.len() as f64);
    let row = Row::default()
        .with("player", player)
        .with("at", at)
        .with("won", won);
    Some(row.with("mean", mean.value).with("change", change))
}

/// How many guesses a game has on the smallest and on the largest size, if it has more there.
fn guesses(shared: &SharedBoards<'_>, player: &str) -> Row {
    let cells = |&(width, height): &BoardSize| width * height;
    let sizes = || shared.sizes.iter().copied();
    let ends = sizes().min_by_key(cells).zip(sizes().max_by_key(cells));
    let of = |wanted: BoardSize| shared.guesses(player, |size| size == wanted);
    match ends.and_then(|(least, most)| Some((least, most, of(least)?, of(most)?))) {
        Some((least, most, few, many)) if few > 0.0 && many > few => Row::default()
            .with("few", few)
            .with("many", many)
            .with("least-cells", cells(&least))
            .with("most-cells", cells(&most)),
        _ => Row::default(),
    }
}
