//! The names of series: at the ends of their lines where all fit there, else in a legend above the plot.

use super::canvas::{Anchor, Canvas, UNIT, fitting, stroke, text_width};
use super::labelled::EDGE_TICK;
use super::plot::Plot;
use super::series::{Chart, DataSeries, Joining};

/// A legend: its entries in lines that fit, and its height.
pub(super) struct Legend<'a> {
    entries: Vec<LegendEntry<'a>>,
    pub(super) height: i32,
    text: i32,
    width: i32,
}

struct LegendEntry<'a> {
    series: &'a DataSeries,
    x: i32,
    y: i32,
}

impl<'a> Legend<'a> {
    /// A legend without entries.
    pub(super) const fn none() -> Self {
        Self {
            entries: Vec::new(),
            height: 0,
            text: 0,
            width: 0,
        }
    }

    /// The legend of a chart; series without a name have no entry.
    pub(super) fn new(chart: &'a Chart, width: i32, text: i32) -> Self {
        let mut entries = Vec::new();
        let (mut x, mut y) = (0, 0);
        for series in chart.series.iter().filter(|series| !series.name.is_empty()) {
            let needed = text * 5 / 2 + text_width(&series.name, text);
            if x > 0 && x + needed > width {
                (x, y) = (0, y + text * 3 / 2);
            }
            entries.push(LegendEntry { series, x, y });
            x += needed + text;
        }
        let height = if entries.is_empty() { 0 } else { y + text * 2 };
        Self {
            entries,
            height,
            text,
            width,
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for entry in &self.entries {
            let DataSeries {
                appearance,
                join,
                name,
                ..
            } = entry.series;
            let (x, y) = (entry.x, entry.y + self.text * 2 / 3);
            let end = x + self.text * 2;
            let middle = ((x + end) / 2, y);
            if matches!(join, Joining::Line | Joining::Curve) {
                canvas.line(&[(x, y), (end, y)], &stroke(*appearance), 2);
            }
            match join {
                Joining::Curve => {}
                Joining::Edge => {
                    canvas.line(&[(end - EDGE_TICK, y), (end, y)], &stroke(*appearance), 2)
                }
                Joining::Line | Joining::Apart => canvas.mark(*appearance, middle, ""),
                Joining::Cloud => {
                    canvas.circle(middle, UNIT * 3, "", (&format!("f{}", appearance.tone), ""))
                }
            }
            let from = end + self.text / 2;
            canvas.text(
                &fitting(name, self.width - from, self.text),
                (from, y),
                Anchor::RightOf,
                (self.text, "t"),
            );
        }
    }
}

/// From the plot to a name beside it.
pub(super) const fn gap(text: i32) -> i32 {
    text * 5 / 4
}

/// The width of the names beside the lines; `None` if the chart has series other than named lines, or the names are long.
pub(super) fn room_beside(chart: &Chart, width: i32, text: i32) -> Option<i32> {
    let is_line = |series: &DataSeries| {
        matches!(series.join, Joining::Line | Joining::Curve)
            && !series.name.is_empty()
            && !series.points.is_empty()
    };
    let longest = chart
        .series
        .iter()
        .map(|series| text_width(&series.name, text))
        .max()?;
    let are_lines = chart.series.len() > 1 && chart.series.iter().all(is_line);
    (are_lines && longest < width / 5).then_some(gap(text) + longest + text / 2)
}

/// The heights of the names of a plot's lines beside their ends, in the order of the series; `None` where an end is far from the edge or
/// a name would have to stand far from its line.
pub(super) fn beside(plot: &Plot<'_>) -> Option<Vec<i32>> {
    let mut ends = Vec::new();
    for (index, series) in plot.chart.series.iter().enumerate() {
        let last = series.points.iter().max_by(|a, b| a.x.total_cmp(&b.x))?;
        if plot.x(last.x) < plot.frame.right - (plot.frame.right - plot.frame.left) / 20 {
            return None;
        }
        ends.push((plot.y(last.y), index));
    }
    ends.sort_unstable();
    let wanted: Vec<i32> = ends.iter().map(|&(y, _)| y).collect();
    let placed = apart(&wanted, plot.text * 9 / 8);
    if wanted
        .iter()
        .zip(&placed)
        .any(|(wanted, placed)| (wanted - placed).abs() > plot.text * 7 / 4)
    {
        return None;
    }
    let mut heights = vec![0; ends.len()];
    ends.iter()
        .zip(placed)
        .for_each(|(&(_, index), placed)| heights[index] = placed);
    Some(heights)
}

/// Draws the names at these heights, each with a line from the end of its own.
pub(super) fn draw_beside(canvas: &mut Canvas, plot: &Plot<'_>, heights: &[i32]) {
    let (text, right) = (plot.text, plot.frame.right);
    for (series, &y) in plot.chart.series.iter().zip(heights) {
        let tone = series.appearance.tone;
        if let Some(last) = series.points.iter().max_by(|a, b| a.x.total_cmp(&b.x)) {
            let (x, from) = plot.place(last);
            let bend = right + text / 2;
            canvas.line(
                &[(x, from), (bend, from), (right + text, y)],
                &format!("l{tone}"),
                1,
            );
        }
        canvas.text(
            &series.name,
            (right + gap(text), y),
            Anchor::RightOf,
            (text, &format!("f{tone}")),
        );
    }
}

/// Heights at least `step` apart and as near as possible to the wanted ones, which are in order: a group that touches keeps its mean.
fn apart(wanted: &[i32], step: i32) -> Vec<i32> {
    // Without the steps, the heights must not fall; (sum, members) of each group.
    let mut groups: Vec<(i32, i32)> = Vec::new();
    for (index, &at) in wanted.iter().enumerate() {
        groups.push((at - index as i32 * step, 1));
        while let [.., a, b] = groups[..]
            && a.0 * b.1 > b.0 * a.1
        {
            groups.truncate(groups.len() - 2);
            groups.push((a.0 + b.0, a.1 + b.1));
        }
    }
    let levels = groups
        .iter()
        .flat_map(|&(sum, members)| (0..members).map(move |_| sum / members));
    levels
        .enumerate()
        .map(|(index, level)| level + index as i32 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_touch_move_apart_about_their_mean() {
        assert_eq!(apart(&[0, 100, 200], 50), [0, 100, 200]);
        assert_eq!(apart(&[0, 100, 110], 50), [0, 80, 130]);
        assert_eq!(apart(&[100, 100, 100], 50), [50, 100, 150]);
    }
}
