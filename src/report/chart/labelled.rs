//! Points with labels: each has a title, and a label if there is room.

use super::canvas::{Anchor, Canvas, Coordinates, UNIT, stroke, text_width};
use super::labels::{Label, PlacedLabel, Rectangle, place};
use super::plot::Plot;
use super::series::{Appearance, DataSeries, Joining, PointLabel};
use crate::escape::escaped;

/// From the middle of a marker to its end.
const MARKER: i32 = UNIT * 5;
/// The length of a tick on the right edge.
pub(super) const EDGE_TICK: i32 = UNIT * 12;

/// A point with a label, in units of the drawing.
struct LabelledPoint<'a> {
    appearance: Appearance,
    /// Drawn as a tick on the right edge.
    is_edge: bool,
    at: Coordinates,
    /// The ends of its interval.
    bar: Option<[Coordinates; 2]>,
    label: &'a PointLabel,
}

/// Draws the series of a plot whose points have labels.
pub(super) fn draw_labelled(canvas: &mut Canvas, plot: &Plot<'_>) {
    let points: Vec<_> = plot
        .chart
        .series
        .iter()
        .flat_map(|series| labelled(plot, series))
        .collect();
    let taken: Vec<_> = points.iter().flat_map(LabelledPoint::taken).collect();
    let labels: Vec<_> = points.iter().map(|point| point.wanted(plot.text)).collect();
    for (point, placed) in points.iter().zip(place(&labels, &taken, plot.frame)) {
        point.draw(canvas, placed, plot.text);
    }
}

fn labelled<'a>(
    plot: &Plot<'_>,
    series: &'a DataSeries,
) -> impl Iterator<Item = LabelledPoint<'a>> {
    series
        .points
        .iter()
        .zip(&series.labels)
        .map(|(point, label)| {
            let is_edge = series.join == Joining::Edge;
            let at = (
                if is_edge {
                    plot.frame.right
                } else {
                    plot.x(point.x)
                },
                plot.y(point.y),
            );
            // Bars on the edge would overlap.
            let bar = plot.bar(point, at).filter(|_| !is_edge);
            LabelledPoint {
                appearance: series.appearance,
                is_edge,
                at,
                bar,
                label,
            }
        })
}

impl LabelledPoint<'_> {
    /// Where no label may stand.
    fn taken(&self) -> impl Iterator<Item = Rectangle> {
        let around = |[from, to]: [Coordinates; 2], room: i32| Rectangle {
            left: from.0.min(to.0) - room,
            top: from.1.min(to.1) - room,
            right: from.0.max(to.0) + room,
            bottom: from.1.max(to.1) + room,
        };
        let marker = match self.is_edge {
            true => around([(self.at.0 - EDGE_TICK, self.at.1), self.at], UNIT),
            false => around([self.at, self.at], MARKER),
        };
        [Some(marker), self.bar.map(|ends| around(ends, UNIT))]
            .into_iter()
            .flatten()
    }

    fn wanted(&self, text: i32) -> Label {
        let (x, y) = self.at;
        let at = if self.is_edge {
            (x - EDGE_TICK, y)
        } else {
            (x, y)
        };
        Label {
            at,
            radius: MARKER,
            width: label_width(&self.label.text, text),
            height: text * 9 / 8,
        }
    }

    /// A label without a place is left out; the title has its text.
    fn draw(&self, canvas: &mut Canvas, placed: Option<PlacedLabel>, text: i32) {
        canvas.put(format_args!(
            "<g><title>{}</title>",
            escaped(&self.label.title)
        ));
        if let Some(leader) = placed.and_then(|placed| placed.leader) {
            canvas.line(&leader, "a", 1);
        }
        if let Some(ends) = self.bar {
            canvas.line(&ends, &format!("l{}", self.appearance.tone), 2);
        }
        match self.is_edge {
            true => canvas.line(
                &[(self.at.0 - EDGE_TICK, self.at.1), self.at],
                &stroke(self.appearance),
                2,
            ),
            false => canvas.mark(self.appearance, self.at, ""),
        }
        if let Some(Rectangle {
            left,
            top,
            right,
            bottom,
        }) = placed.map(|placed| placed.box_of)
        {
            // Aligned at the side of the point, because widths are not known exactly.
            let (x, anchor) = match self.at.0 {
                at if left >= at => (left, Anchor::RightOf),
                at if right <= at => (right, Anchor::LeftOf),
                _ => ((left + right) / 2, Anchor::Middle),
            };
            canvas.text(
                &self.label.text,
                (x, (top + bottom) / 2),
                anchor,
                (text, "t"),
            );
        }
        canvas.put(format_args!("</g>"));
    }
}

/// About how wide a label is: capitals, `m` and `w` are wide.
fn label_width(text: &str, size: i32) -> i32 {
    let is_wide = |letter: &char| letter.is_uppercase() || ['m', 'w'].contains(letter);
    text_width(text, size) + text.chars().filter(is_wide).count() as i32 * size * 3 / 16
}
