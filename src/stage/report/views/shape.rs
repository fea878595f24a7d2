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
const BY_CELLS: Grouping =
    Grouping { group: |(width, height)| width * height / CELLS, value: |(width, height)| (width * height) as f64 };

/// A row for each player and group of boards by `sides` or `cells`: `at` and `won`. The fact `boards`. More rows: `change`, with the
/// `change` of each player's win ratio from the first group to the last.
pub(super) fn shape(request: &Request<'_>) -> Result<Data, ReportError> {
    let grouping = if request.with.by == "sides" { BY_SIDES } else { BY_CELLS };
    let (experiment, files) = MineRatioExperiment::of(&request.sources.games);
    let players: Vec<_> = request.with.players.iter().map(String::as_str).collect();
    let shared = experiment.shared(&players);
    let groups: BTreeSet<_> = shared.sizes.iter().map(|&size| (grouping.group)(size)).collect();
    if shared.is_empty() || groups.len() < 2 {
        return Ok(Data::default());
    }
    let of_player = |player: &&str| -> Vec<Row> {
        groups.iter().filter_map(|&group| row(&shared, player, &grouping, group)).collect()
    };
    let rows: Vec<Vec<Row>> = shared.players.iter().map(of_player).collect();
    let change = rows.iter().filter_map(|rows| change(&shared, rows)).collect();
    let facts = Row::default().with("boards", shared.describe());
    let data = Data::of(rows.into_iter().flatten().collect()).facts(facts).and("change", change);
    Ok(Data { files, ..data })
}

fn row(shared: &SharedBoards<'_>, player: &str, grouping: &Grouping, group: usize) -> Option<Row> {
    let is_in = |size: BoardSize| (grouping.group)(size) == group;
    let won = shared.wins_on(player, &shared.percents, is_in)?;
    let values: Vec<_> = shared.sizes.iter().filter(|&&size| is_in(size)).map(|&size| (grouping.value)(size)).collect();
    let at = values.iter().sum::<f64>() / values.len() as f64;
    Some(Row::default().with("player", player).with("at", at).with("won", won))
}

/// What each player wins more in the last group of boards than in the first.
fn change(shared: &SharedBoards<'_>, rows: &[Row]) -> Option<Row> {
    let (first, last) = rows.first().zip(rows.last())?;
    let player = first.text("player");
    let row = Row::default()
        .with("player", player)
        .with("change", last.estimate("won")?.minus(first.estimate("won")?))
        .with("first-won", first.number("won"))
        .with("first-at", first.number("at"))
        .with("last-won", last.number("won"))
        .with("last-at", last.number("at"));
    Some(row.and(&guesses(shared, player)))
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
