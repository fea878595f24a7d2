//! A plot: axes, guides, lines and marks within a frame.

use super::canvas::{Anchor, Canvas, Coordinates, UNIT, stroke, text_width};
use super::labels::Rectangle;
use super::series::{Chart, DataSeries, ErrorBar, Guide, Joining, Point};

/// A plot: its chart and its place, in units of the drawing.
pub(super) struct Plot<'a> {
    pub(super) chart: &'a Chart,
    pub(super) frame: Rectangle,
    /// The size of its text.
    pub(super) text: i32,
    /// The ends of the room for the numbers below it.
    pub(super) room: (i32, i32),
    /// Whether points have tooltips; phones show none.
    pub(super) has_titles: bool,
    /// Whether there is too little room for the markers of lines.
    pub(super) is_small: bool,
}

/// Which axes have numbers.
#[derive(Clone, Copy)]
pub(super) struct Ticks {
    pub(super) x: bool,
    pub(super) y: bool,
}

impl Plot<'_> {
    pub(super) fn x(&self, value: f64) -> i32 {
        let Rectangle { left, right, .. } = self.frame;
        left + (self.chart.x.share(value) * f64::from(right - left)).round() as i32
    }

    pub(super) fn y(&self, value: f64) -> i32 {
        let Rectangle { top, bottom, .. } = self.frame;
        bottom - (self.chart.y.share(value) * f64::from(bottom - top)).round() as i32
    }

    pub(super) fn place(&self, point: &Point) -> Coordinates {
        (self.x(point.x), self.y(point.y))
    }

    /// The grid with its numbers, and the lines to compare with.
    pub(super) fn draw_axes(&self, canvas: &mut Canvas, numbered: Ticks) {
        let Rectangle {
            left,
            right,
            bottom,
            ..
        } = self.frame;
        let muted = (self.text, "m");
        for (at, tick) in &self.chart.y.ticks {
            let y = self.y(*at);
            canvas.line(&[(left, y), (right, y)], "g", 1);
            if numbered.y {
                canvas.text(tick, (left - self.text / 2, y), Anchor::LeftOf, muted);
            }
        }
        canvas.line(&[(left, bottom), (right, bottom)], "a", 1);
        let mut free_from = i32::MIN;
        for (at, tick) in &self.chart.x.ticks {
            let x = self.x(*at);
            canvas.line(&[(x, bottom), (x, bottom + self.text / 3)], "a", 1);
            let half = text_width(tick, self.text) / 2;
            // Long ticks at the edge move inwards; ticks that would touch their neighbour are left out.
            let middle = x.min(self.room.1 - half).max(self.room.0 + half);
            if numbered.x && middle - half > free_from {
                free_from = middle + half + self.text / 2;
                canvas.text(tick, (middle, bottom + self.text / 2), Anchor::Below, muted);
            }
        }
        for guide in &self.chart.guides {
            canvas.line(&self.guide(*guide), "u", 1);
        }
    }

    fn guide(&self, guide: Guide) -> [Coordinates; 2] {
        match guide {
            Guide::Diagonal => {
                let low = self.chart.x.low.max(self.chart.y.low);
                let high = self.chart.x.high.min(self.chart.y.high);
                [(self.x(low), self.y(low)), (self.x(high), self.y(high))]
            }
            Guide::Level(value) => [
                (self.frame.left, self.y(value)),
                (self.frame.right, self.y(value)),
            ],
        }
    }

    /// Draws a series without labels; points have tooltips if `has_titles`.
    pub(super) fn draw_series(&self, canvas: &mut Canvas, series: &DataSeries) {
        let DataSeries {
            appearance,
            join,
            points,
            ..
        } = series;
        if matches!(join, Joining::Line | Joining::Curve) {
            self.draw_band(canvas, series);
            self.draw_line(canvas, series, &stroke(*appearance), 2);
        } else {
            for ends in points
                .iter()
                .filter_map(|point| self.bar(point, self.place(point)))
            {
                canvas.line(&ends, &format!("l{}", appearance.tone), 2);
            }
        }
        for point in points {
            let place = self.place(point);
            let title = if self.has_titles {
                self.title(series, point)
            } else {
                String::new()
            };
            match join {
                Joining::Edge => {}
                Joining::Curve => canvas.spot(place, &title),
                Joining::Line if self.is_small => canvas.spot(place, &title),
                Joining::Line | Joining::Apart => canvas.mark(*appearance, place, &title),
                Joining::Cloud => {
                    let class = format!("f{}", appearance.tone);
                    canvas.circle(place, UNIT * 5 / 2, " opacity=\"0.5\"", (&class, &title));
                }
            }
        }
    }

    /// Draws only the line of a series.
    pub(super) fn draw_line(
        &self,
        canvas: &mut Canvas,
        series: &DataSeries,
        class: &str,
        pixels: i32,
    ) {
        let path: Vec<_> = series
            .points
            .iter()
            .map(|point| self.place(point))
            .collect();
        canvas.line(&path, class, pixels);
    }

    /// A point in words: the series, `x`, `y`, and its interval in brackets.
    fn title(&self, series: &DataSeries, point: &Point) -> String {
        let Chart { x, y, .. } = self.chart;
        let [mut across, mut up] = [x.written(point.x), y.written(point.y)];
        match point.error {
            Some(ErrorBar::X(low, high)) => {
                across += &format!(" ({} to {})", x.written(low), x.written(high))
            }
            Some(ErrorBar::Y(low, high)) => {
                up += &format!(" ({} to {})", y.written(low), y.written(high))
            }
            None => {}
        }
        let parts = [
            ("", series.name.as_str()),
            (&*x.label, &*across),
            (&*y.label, &*up),
        ];
        let parts = parts.into_iter().filter(|(_, value)| !value.is_empty());
        let part = |(label, value): (&str, &str)| {
            if label.is_empty() {
                value.to_owned()
            } else {
                format!("{label}: {value}")
            }
        };
        parts.map(part).collect::<Vec<_>>().join("; ")
    }

    /// The ends of the interval of a point that stands at `(x, y)`.
    pub(super) fn bar(&self, point: &Point, (x, y): Coordinates) -> Option<[Coordinates; 2]> {
        point.error.map(|error| match error {
            ErrorBar::X(low, high) => [(self.x(low), y), (self.x(high), y)],
            ErrorBar::Y(low, high) => [(x, self.y(low)), (x, self.y(high))],
        })
    }

    /// The interval of a line, as an area behind it.
    fn draw_band(&self, canvas: &mut Canvas, series: &DataSeries) {
        let ends = |point: &Point| match point.error {
            Some(ErrorBar::Y(low, high)) => Some((self.x(point.x), self.y(low), self.y(high))),
            _ => None,
        };
        let ends: Vec<_> = series.points.iter().filter_map(ends).collect();
        if ends.len() < 2 {
            return;
        }
        let below = ends.iter().map(|&(x, low, _)| (x, low));
        let above = ends.iter().rev().map(|&(x, _, high)| (x, high));
        let band: Vec<_> = below.chain(above).collect();
        canvas.polygon(
            &band,
            " opacity=\"0.16\"",
            &format!("f{}", series.appearance.tone),
            "",
        );
    }
}
