//! Figures 3 and 4: win ratio against the shape and the size of the board.

use super::{NO_EXPERIMENT, VERSIONS};
use crate::document::chart::{Axis, Chart, ErrorBar, Join, Point, Series, ends};
use crate::document::numbers::percent;
use crate::document::{Block, Figure, Finding, Section, Verdict};
use crate::stage::report::experiment::{Experiment, Shared, Size};
use crate::stage::report::looks::look_of;

/// A change that counts as none, and one that counts as little.
const NONE: f64 = 0.05;
const LITTLE: f64 = 0.10;
/// Cells a bin of figure 4.
const CELLS: u32 = 30;

/// What boards are put together by.
struct Grouping {
    title: &'static str,
    axis: &'static str,
    /// What changes, in a sentence.
    what: &'static str,
    /// The group of a size, and where it lies within it.
    group: fn(Size) -> u32,
    value: fn(Size) -> f64,
    decimals: usize,
}

const RATIO: Grouping = Grouping {
    title: "Win ratio against height divided by width",
    axis: "height / width",
    what: "the ratio of the sides",
    group: |(width, height)| (10 * height + width / 2) / width,
    value: |(width, height)| f64::from(height) / f64::from(width),
    decimals: 1,
};

const SIZE: Grouping = Grouping {
    title: "Win ratio against number of cells",
    axis: "cells",
    what: "the number of cells",
    group: |(width, height)| width * height / CELLS,
    value: |(width, height)| f64::from(width * height),
    decimals: 0,
};

/// Figure 3.
pub(crate) fn ratio_of_sides(experiment: &Experiment) -> Section {
    section(
        Section::new("figure-3", "Figure 3: the ratio of the sides"),
        experiment,
        &RATIO,
        "Boards within a twentieth of each tenth, all mine ratios together. Of boards of one width the squarer ones are also the larger ones, so \
         this figure has a part of what figure 4 shows.",
    )
}

/// Figure 4.
pub(crate) fn number_of_cells(experiment: &Experiment) -> Section {
    section(
        Section::new("figure-4", "Figure 4: the number of cells"),
        experiment,
        &SIZE,
        "Boards in groups of thirty cells, all mine ratios together.",
    )
}

fn section(mut section: Section, experiment: &Experiment, grouping: &Grouping, caption: &str) -> Section {
    let shared = experiment.shared(&VERSIONS);
    let series: Vec<_> = shared.players.iter().map(|player| series(&shared, player, grouping)).collect();
    if shared.is_empty() || series.iter().all(|series| series.points.len() < 2) {
        section.blocks.push(Block::Missing(NO_EXPERIMENT.to_owned()));
        return section;
    }
    let findings = finding(&series, grouping).into_iter().collect();
    let points = || series.iter().flat_map(|series| &series.points);
    let (low, high) = ends(points().map(|point| point.y));
    let (first, last) = points().fold((f64::INFINITY, 0.0f64), |(low, high), at| (low.min(at.x), high.max(at.x)));
    let chart = Chart {
        title: grouping.title.to_owned(),
        x: Axis::linear(grouping.axis, first, last, grouping.decimals),
        y: Axis::percent("games won, %", low, high),
        series,
        guides: Vec::new(),
    };
    let caption = format!("{caption} {}.", shared.describe());
    section.blocks.push(Figure { id: format!("{}-plot", section.id), chart, caption, findings }.block());
    section
}

fn series(shared: &Shared<'_>, player: &str, grouping: &Grouping) -> Series {
    let mut groups: Vec<u32> = shared.sizes.iter().map(|&size| (grouping.group)(size)).collect();
    groups.sort_unstable();
    groups.dedup();
    let point = |group: u32| {
        let is_in = |size: Size| (grouping.group)(size) == group;
        let of = shared.wins(player, &shared.percents, is_in)?;
        let values: Vec<_> =
            shared.sizes.iter().filter(|&&size| is_in(size)).map(|&size| (grouping.value)(size)).collect();
        let error = (shared.players.len() <= 5).then_some(ErrorBar::Y(of.low, of.high));
        Some(Point { x: values.iter().sum::<f64>() / values.len() as f64, y: of.value, error })
    };
    Series {
        name: player.to_owned(),
        look: look_of(player),
        join: Join::Line,
        points: groups.into_iter().filter_map(point).collect(),
    }
}

/// How much the win ratio changes from the first group to the last.
fn finding(series: &[Series], grouping: &Grouping) -> Option<Finding> {
    let spread = |series: &Series| {
        let values = series.points.iter().map(|point| point.y);
        let (low, high) = values.fold((1.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        high - low
    };
    let of_all: Vec<_> = series.iter().map(spread).collect();
    let (least, most) = of_all.iter().fold((1.0f64, 0.0f64), |(low, high), &value| (low.min(value), high.max(value)));
    let shown = series.iter().find(|series| ["3.0", "4.0"].contains(&series.name.as_str())).or(series.first())?;
    let (first, last) = shown.points.first().zip(shown.points.last())?;
    let decimals = grouping.decimals;
    Some(Finding {
        paper: format!("It does not matter to any version: {} does not affect the win ratio.", grouping.what),
        here: format!(
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
        verdict: match most {
            _ if most <= NONE + 1e-9 => Verdict::Agrees,
            _ if most <= LITTLE + 1e-9 => Verdict::Partly,
            _ => Verdict::Differs,
        },
    })
}
