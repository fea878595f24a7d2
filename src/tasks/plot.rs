//! Draws charts as SVG with `plotters`, for stages and for the report.

use std::error::Error;
use std::ops::Range;

use mineflow_arena::Estimate;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    Linear,
    /// Ratios, shown in %.
    Percent,
    Log,
}

/// An axis with its range.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    label: &'static str,
    scale: Scale,
    low: f64,
    high: f64,
}

/// A point with its confidence interval in `y`.
#[derive(Clone, Debug)]
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

/// A series of points in one colour. In a chart with labels the points have markers, otherwise a
/// line joins them.
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
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

    /// Creates a linear axis that shows the intervals of all points, with a margin.
    pub fn of_intervals(label: &'static str, series: &[Series]) -> Self {
        let points = || series.iter().flat_map(|series| &series.points);
        let low = points().map(|point| point.y.low).fold(f64::MAX, f64::min);
        let high = points().map(|point| point.y.high).fold(f64::MIN, f64::max);
        let margin = 0.1 * (high - low).max(1e-6);
        Self::new(label, Scale::Linear, low - margin, high + margin)
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

/// Draws a chart as SVG. If `diagonal` is set, it has a dotted line from corner to corner. Returns
/// `None` without points.
pub fn draw(x: &Axis, y: &Axis, series: &[Series], diagonal: bool) -> Option<String> {
    if series.iter().all(|series| series.points.is_empty()) {
        return None;
    }
    let mut svg = String::new();
    paint(&mut svg, x, y, series, diagonal).expect("a string takes all that is drawn");
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

fn paint(svg: &mut String, x: &Axis, y: &Axis, series: &[Series], diagonal: bool) -> Painted<()> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let named = series.len() > 1;
    let (area, legend) = root.split_horizontally(SIZE.0 - if named { LEGEND } else { 0 });
    let mut chart = frame(&area, x, y)?;
    if diagonal {
        let line = [x.low, x.high].map(|at| (at, at));
        let style = BLACK.mix(0.6).stroke_width(1);
        chart.draw_series(DashedLineSeries::new(line, 3, 4, style))?;
    }
    let mut points = series.iter().flat_map(|series| &series.points);
    let joined = points.all(|point| point.label.is_none());
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for (index, Series { name, points }) in series.iter().enumerate() {
        let top = 24 + 20 * index as i32;
        if named {
            legend.draw(&Text::new(name.clone(), (26, top - 7), FONT))?;
        }
        let colour = COLOURS[index % COLOURS.len()];
        let style = colour.stroke_width(2);
        if joined {
            // Lines from the ninth on are dashed.
            let (dash, gap) = [(1000, 0), (7, 4)][usize::from(index >= COLOURS.len())];
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
            let (left, top) = chart.backend_coord(&(*x, y.value));
            let mut at = (left + 8, top - 7);
            while labels.iter().any(|other| meet(*other, at)) {
                at.1 -= 2;
            }
            labels.push(at);
            root.draw(&Text::new(label.clone(), at, FONT))?;
        }
    }
    Ok(root.present()?)
}

/// Returns whether labels at these places would overlap.
fn meet(a: (i32, i32), b: (i32, i32)) -> bool {
    (a.1 - b.1).abs() < LETTERS && (a.0 - b.0).abs() < 90
}
