//! Draws charts as SVG with `plotters`, for stages and for the report.

use std::{error::Error, ops::Range};

use mineflow_arena::Estimate;
use plotters::{
    coord::{
        Shift,
        ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
    },
    element::DashedPathElement,
    prelude::*,
};

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    Linear,
    /// Ratios, shown in %.
    Percent,
    Log,
}

/// An axis with its range.
#[derive(Clone, Copy)]
pub struct Axis {
    label: &'static str,
    scale: Scale,
    low: f64,
    high: f64,
}

/// A point with its confidence interval in `y`.
pub struct Point {
    pub x: f64,
    pub y: Estimate,
    /// Text next to the point; `None` if a line joins the points.
    label: Option<String>,
}

impl Point {
    /// Creates a point of a line.
    pub fn new(x: f64, y: Estimate) -> Self {
        Self { x, y, label: None }
    }

    /// Returns the point with a marker and this text beside it, which may be empty.
    pub fn labelled(self, label: &str) -> Self {
        let label = Some(label.to_owned());
        Self { label, ..self }
    }
}

/// A series of points in one colour. Points with labels have markers, and a line joins all others.
/// The series `NAME (paper)` has the colour of the series `NAME`.
pub struct Series {
    name: String,
    points: Vec<Point>,
}

impl Series {
    pub fn new(name: &str, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            name: name.to_owned(),
            points: points.into_iter().collect(),
        }
    }
}

/// A palette for every kind of colour vision (Okabe and Ito), readable on white and on black.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(148, 103, 60),
    RGBColor(128, 128, 128),
];
const SIZE: (u32, u32) = (720, 420);
const LEGEND: u32 = 150;
const LETTERS: i32 = 13;
const FONT: (&str, i32) = ("sans-serif", LETTERS);

type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;
type Painted<T> = Result<T, Box<dyn Error>>;

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let low = self.place(self.low);
        let share = (self.place(*value) - low) / (self.place(self.high) - low);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let unit = if self.scale == Scale::Percent {
            100.0
        } else {
            1.0
        };
        format!("{}", (unit * value * 1e6).round() / 1e6)
    }
}

impl Axis {
    pub const fn new(label: &'static str, scale: Scale, low: f64, high: f64) -> Self {
        Self {
            label,
            scale,
            low,
            high,
        }
    }

    /// Creates an axis without a range of its own: [`draw`] widens it.
    pub const fn fitted(label: &'static str, scale: Scale) -> Self {
        Self::new(label, scale, f64::INFINITY, f64::NEG_INFINITY)
    }

    /// Returns the axis, widened where values lie outside.
    fn holding(self, values: &[f64]) -> Self {
        let is_log = self.scale == Scale::Log;
        let values = values.iter().copied();
        let values = values.filter(|value| value.is_finite() && !(is_log && *value <= 0.0));
        let low = values.clone().fold(self.low, f64::min);
        let high = values.fold(self.high, f64::max);
        let margin = 0.05 * (self.place(high) - self.place(low)).max(1e-6);
        let beyond = |end: f64, margin: f64| match is_log {
            true => end * 10f64.powf(margin),
            false => end + margin,
        };
        Self {
            low: if low < self.low {
                beyond(low, -margin)
            } else {
                low
            },
            high: if high > self.high {
                beyond(high, margin)
            } else {
                high
            },
            ..self
        }
    }

    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value.max(1e-12).log10(),
            _ => value,
        }
    }

    fn ticks(&self) -> Vec<f64> {
        let Self { low, high, .. } = *self;
        if self.scale == Scale::Log {
            let steps = if high / low > 2000.0 { 1 } else { 3 };
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
            return decades
                .flat_map(|decade| {
                    [1.0, 2.0, 5.0]
                        .map(|step| step * 10f64.powi(decade))
                        .into_iter()
                        .take(steps)
                })
                .filter(|tick| (low..=high).contains(tick))
                .collect();
        }
        let raw = (high - low) / 6.0;
        let unit = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|times| times * unit)
            .into_iter()
            .find(|&step| step >= raw)
            .unwrap_or(raw);
        let first = (low / step).ceil() as i64;
        (first..)
            .map(|index| index as f64 * step)
            .take_while(|&tick| tick <= high + step * 1e-9)
            .collect()
    }
}

/// The name of a chart and its SVG, unless it has no points.
pub type Figure = (&'static str, Option<String>);

/// Draws a chart as SVG. An axis that is too short for a point or its interval is made longer. If
/// `diagonal` is set, the chart has a dotted line of equal values. Returns `None` without points.
pub fn draw(x: &Axis, y: &Axis, series: &[Series], diagonal: bool) -> Option<String> {
    let series: Vec<_> = series.iter().filter(|of| !of.points.is_empty()).collect();
    if series.is_empty() {
        return None;
    }
    let points = || series.iter().flat_map(|of| &of.points);
    let x = x.holding(&points().map(|of| of.x).collect::<Vec<_>>());
    let ends = points().flat_map(|of| [of.y.low, of.y.value, of.y.high]);
    let y = y.holding(&ends.collect::<Vec<_>>());
    let mut svg = String::new();
    paint(&mut svg, &x, &y, &series, diagonal).expect("a string takes all that is drawn");
    // Text and axes take the page's colour, which may be dark.
    let style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>";
    let svg = svg.replace("#000000", "currentColor");
    let (head, body) = svg.split_once('>').expect("an SVG has a head");
    let head = head.replace("width=\"720\" height=\"420\" ", "");
    Some(format!("{head}>{style}{body}"))
}

/// Draws the axes.
fn frame<'a>(area: &DrawingArea<SVGBackend<'a>, Shift>, x: &Axis, y: &Axis) -> Painted<Chart<'a>> {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(58)
        .build_cartesian_2d(*x, *y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .x_desc(x.label)
        .y_desc(y.label)
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    Ok(chart)
}

fn paint(svg: &mut String, x: &Axis, y: &Axis, series: &[&Series], diagonal: bool) -> Painted<()> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let named = series.len() > 1;
    let (area, legend) = root.split_horizontally(SIZE.0 - if named { LEGEND } else { 0 });
    let mut chart = frame(&area, x, y)?;
    if diagonal {
        let line = [x.low.max(y.low), x.high.min(y.high)].map(|at| (at, at));
        let style = BLACK.mix(0.6).stroke_width(1);
        chart.draw_series(DashedLineSeries::new(line, 3, 4, style))?;
    }
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for (index, Series { name, points }) in series.iter().enumerate() {
        let top = 24 + 20 * index as i32;
        if named {
            legend.draw(&Text::new(name.clone(), (26, top - 7), FONT))?;
        }
        let own = name.trim_end_matches(" (paper)");
        let same = series.iter().position(|other| other.name == own);
        let hue = same.unwrap_or(index);
        let colour = COLOURS[hue % COLOURS.len()];
        let style = colour.stroke_width(2);
        if points.iter().all(|point| point.label.is_none()) {
            // Lines from the ninth on are dashed.
            let (dash, gap) = [(1000, 0), (7, 4)][usize::from(hue >= COLOURS.len())];
            let above = points.iter().map(|point| (point.x, point.y.high));
            let below = points.iter().rev().map(|point| (point.x, point.y.low));
            let band: Vec<_> = above.chain(below).collect();
            chart.draw_series([Polygon::new(band, colour.mix(0.15))])?;
            let line: Vec<_> = points.iter().map(|of| (of.x, of.y.value)).collect();
            chart.draw_series(DashedLineSeries::new(line, dash, gap, style))?;
            let line = [(0, top), (20, top)];
            legend.draw(&DashedPathElement::new(line, dash, gap, style))?;
            continue;
        }
        let mark = if index == 0 { colour.filled() } else { style };
        if named {
            legend.draw(&Circle::new((10, top), 4, mark))?;
        }
        for Point { x, y, label } in points {
            let bar = [(*x, y.low), (*x, y.high)];
            chart.draw_series(LineSeries::new(bar, style))?;
            chart.draw_series([Circle::new((*x, y.value), 4, mark)])?;
            let Some(label) = label.as_ref().filter(|label| !label.is_empty()) else {
                continue;
            };
            let at = free_place(chart.backend_coord(&(*x, y.value)), label, &labels);
            labels.push(at);
            root.draw(&Text::new(label.clone(), at, FONT))?;
        }
    }
    Ok(root.present()?)
}

/// Returns a place for the label of a point inside the picture, such that it overlaps no other label.
fn free_place((x, y): (i32, i32), label: &str, others: &[(i32, i32)]) -> (i32, i32) {
    let width = 7 * label.len() as i32;
    let is_inside = x + 8 + width < SIZE.0 as i32;
    let left = if is_inside { x + 8 } else { x - 8 - width };
    let mut top = y - 7;
    while others.iter().any(|other| meet(*other, (left, top))) {
        top -= 2;
    }
    (left, top)
}

/// Returns whether labels at these places would overlap.
fn meet(a: (i32, i32), b: (i32, i32)) -> bool {
    (a.1 - b.1).abs() < LETTERS && (a.0 - b.0).abs() < 90
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_point_lies_outside_its_axis() {
        for scale in [Scale::Linear, Scale::Log] {
            let axis = Axis::new("", scale, 1.0, 10.0).holding(&[0.5, 5.0, 31.0, f64::INFINITY]);
            let places = [0.5, 5.0, 31.0].map(|value| axis.map(&value, (0, 1000)));
            assert!(
                places.is_sorted() && places[0] > 0 && places[2] < 1000,
                "{places:?}"
            );
        }
        let kept = Axis::new("", Scale::Log, 1.0, 10.0).holding(&[1.0, 10.0, 0.0]);
        assert_eq!([kept.low, kept.high], [1.0, 10.0]);
    }
}
