//! What figures 1, 2 and 5 share: a line a player against the mine ratio.

use crate::appearance::appearance_of;
use crate::experiment::{MineRatioExperiment, NO_EXPERIMENT, SharedBoards};
use mineflow_document::chart::{Axis, Chart, DataSeries, Joining, Point};
use mineflow_document::{Figure, Finding, Section};

/// The axis of mine ratios.
pub(super) fn ratio_axis() -> Axis {
    Axis::percent("mines, % of cells", 0.05, 0.25)
}

/// A line for each of `players`; `point` gives one from the ratio along the axis, as the only one of a list in percent.
pub(super) fn lines<'a>(
    shared: &SharedBoards<'_>,
    players: impl IntoIterator<Item = &'a &'a str>,
    point: impl Fn(&str, f64, &[u32]) -> Option<Point>,
) -> Vec<DataSeries> {
    let line = |player: &&str| {
        let points = shared.percents.iter().filter_map(|&at| point(player, f64::from(at) / 100.0, &[at]));
        DataSeries::new(*player, appearance_of(player), Joining::Line, points)
    };
    players.into_iter().map(line).collect()
}

/// A figure of `players` on the boards that they share, and one of those that all have played where the first leaves some out. `chart`
/// is given what its title ends with.
pub(super) fn figures(
    section: &mut Section,
    experiment: &MineRatioExperiment,
    players: &[&str],
    chart: impl Fn(&SharedBoards<'_>, &str) -> Chart,
    (caption, findings): (&str, Vec<Finding>),
) {
    let shared = experiment.shared(players);
    if shared.is_empty() {
        return section.miss(NO_EXPERIMENT);
    }
    let id = section.id.clone();
    let caption = format!("{caption} {}.", shared.describe());
    section.figure(Figure::new(format!("{id}-plot"), chart(&shared, ""), caption).with(findings));
    let of_all = experiment.of_all(players);
    if !shared.left_out.is_empty() && !of_all.is_empty() {
        let chart = chart(&of_all, ", on the sizes that all have played");
        let caption = format!("The same on the sizes that all have played. {}.", of_all.describe());
        section.figure(Figure::new(format!("{id}-all"), chart, caption));
    }
}

/// A value of two players on all boards that both have played, with these boards.
pub(super) fn pair<'a, T>(
    experiment: &'a MineRatioExperiment,
    [first, second]: [&'a str; 2],
    value: impl Fn(&SharedBoards<'_>, &str) -> Option<T>,
) -> Option<([T; 2], SharedBoards<'a>)> {
    let both = experiment.of_all(&[first, second]);
    Some(([value(&both, first)?, value(&both, second)?], both))
}
