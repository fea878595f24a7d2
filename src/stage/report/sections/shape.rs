//! Figures 3 and 4: win ratio against the shape and the size of the board.

use crate::appearance::appearance_of;
use crate::experiment::{BoardSize, MineRatioExperiment, NO_EXPERIMENT, SharedBoards, VERSIONS};
use mineflow_document::chart::{Axis, Chart, DataSeries, Joining, Point, ends, extent};
use mineflow_document::numbers::percent;
use mineflow_document::{Figure, Finding, PaperVerdict, Section};

/// A change that counts as none, and one that counts as little.
const NONE: f64 = 0.05;
const LITTLE: f64 = 0.10;
/// Cells a bin of figure 4.
const CELLS: usize = 30;

/// How boards are grouped.
struct Grouping {
    title: &'static str,
    axis: &'static str,
    /// What changes, in a sentence.
    what: &'static str,
    /// The group of a size, and where it lies within it.
    group: fn(BoardSize) -> usize,
    value: fn(BoardSize) -> f64,
    decimals: usize,
}

const RATIO: Grouping = Grouping {
    title: "Win ratio against height divided by width",
    axis: "height / width",
    what: "the ratio of the sides",
    group: |(width, height)| (10 * height + width / 2) / width,
    value: |(width, height)| height as f64 / width as f64,
    decimals: 1,
};

const SIZE: Grouping = Grouping {
    title: "Win ratio against number of cells",
    axis: "cells",
    what: "the number of cells",
    group: |(width, height)| width * height / CELLS,
    value: |(width, height)| (width * height) as f64,
    decimals: 0,
};

/// Figure 3.
pub(crate) fn ratio_of_sides(experiment: &MineRatioExperiment) -> Section {
    section(
        Section::new("figure-3", "Figure 3: the ratio of the sides"),
        experiment,
        &RATIO,
        "Boards within a twentieth of each tenth, all mine ratios together. Of boards of one width the squarer ones are also the larger ones, so \
         this figure has a part of what figure 4 shows.",
    )
}

/// Figure 4.
pub(crate) fn number_of_cells(experiment: &MineRatioExperiment) -> Section {
    section(
        Section::new("figure-4", "Figure 4: the number of cells"),
        experiment,
        &SIZE,
        "Boards in groups of thirty cells, all mine ratios together.",
    )
}

fn section(mut section: Section, experiment: &MineRatioExperiment, grouping: &Grouping, caption: &str) -> Section {
    let shared = experiment.shared(&VERSIONS);
    let series: Vec<_> = shared.players.iter().map(|player| series(&shared, player, grouping)).collect();
    if shared.is_empty() || series.iter().all(|series| series.points.len() < 2) {
        section.miss(NO_EXPERIMENT);
        return section;
    }
    let finding = finding(&series, grouping).map(|(of, shown)| of.because(guesses(&shared, &shown)));
    let points = || series.iter().flat_map(|series| &series.points);
    let (low, high) = ends(points().map(|point| point.y));
    let (first, last) = extent(points().map(|point| point.x));
    let x = Axis::linear(grouping.axis, first, last, grouping.decimals);
    let chart = Chart::new(grouping.title, x, Axis::percent("games won, %", low, high), series);
    let caption = format!("{caption} {} {}.", chart.reading(), shared.describe());
    section.figure(Figure::new(format!("{}-plot", section.id), chart, caption).with(finding));
    section
}

fn series(shared: &SharedBoards<'_>, player: &str, grouping: &Grouping) -> DataSeries {
    let mut groups: Vec<usize> = shared.sizes.iter().map(|&size| (grouping.group)(size)).collect();
    groups.sort_unstable();
    groups.dedup();
    let point = |group: usize| {
        let is_in = |size: BoardSize| (grouping.group)(size) == group;
        let of = shared.wins_on(player, &shared.percents, is_in)?;
        let values: Vec<_> =
            shared.sizes.iter().filter(|&&size| is_in(size)).map(|&size| (grouping.value)(size)).collect();
        let x = values.iter().sum::<f64>() / values.len() as f64;
        Some(Point::along_y(x, of))
    };
    DataSeries::new(player, appearance_of(player), Joining::Line, groups.into_iter().filter_map(point))
}

/// How many guesses a game has on the smallest and on the largest size.
fn guesses(shared: &SharedBoards<'_>, player: &str) -> String {
    let cells = |&(width, height): &BoardSize| width * height;
    let sizes = shared.sizes.iter().copied();
    let Some((least, most)) = sizes.clone().min_by_key(cells).zip(sizes.max_by_key(cells)) else {
        return String::new();
    };
    let of = |wanted: BoardSize| shared.guesses(player, |size| size == wanted);
    match of(least).zip(of(most)) {
        Some((few, many)) if few > 0.0 && many > few => format!(
            "A game of {player} has {few:.2} guesses on {} cells and {many:.2} on {}: more cells, more guesses.",
            cells(&least),
            cells(&most)
        ),
        _ => String::new(),
    }
}

/// How much the win ratio changes from the first group to the last, with the version that is named.
fn finding(series: &[DataSeries], grouping: &Grouping) -> Option<(Finding, String)> {
    let spread = |series: &DataSeries| {
        let (low, high) = extent(series.points.iter().map(|point| point.y));
        (high - low).max(0.0)
    };
    let (least, most) = extent(series.iter().map(spread));
    let shown = series.iter().find(|series| ["3.0", "4.0"].contains(&series.name.as_str())).or(series.first())?;
    let (first, last) = shown.points.first().zip(shown.points.last())?;
    let decimals = grouping.decimals;
    let finding = Finding::new(
        format!("It does not matter to any version: {} does not affect the win ratio.", grouping.what),
        format!(
            "From the least to the greatest, win ratios change by {:.1} points (the version it matters least to) to {:.1} (most). {} wins {} % at \
             {:.decimals$} and {} % at {:.decimals$}. Up to {:.0} points count as no effect.",
            100.0 * least,
            100.0 * most,
            shown.name,
            percent(first.y),
            first.x,
            percent(last.y),
            last.x,
            100.0 * NONE
        ),
        match most {
            _ if most <= NONE + 1e-9 => PaperVerdict::Agrees,
            _ if most <= LITTLE + 1e-9 => PaperVerdict::Partly,
            _ => PaperVerdict::Differs,
        },
    );
    Some((finding.apart(100.0 * (most - NONE)), shown.name.clone()))
}
