//! Draws charts as SVG with `plotters`.

use std::error::Error;
use std::ops::Range;

use mineflow_arena::Estimate;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Scale {
    Linear,
    /// Ratios, shown in %.
    Percent,
    Log,
}

/// An axis with its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) label: &'static str,
    pub(crate) scale: Scale,
    pub(crate) ends: (f64, f64),
}

/// A point with its confidence interval in `y`.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: Estimate,
    /// Text next to the point.
    pub(crate) label: String,
}

impl Point {
    pub(crate) fn new(x: f64, y: Estimate) -> Self {
        let label = String::new();
        Self { x, y, label }
    }
}

/// A series of points in one colour.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    /// Whether a line joins the points; otherwise each has a marker.
    pub(crate) joined: bool,
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

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let (low, high) = (self.place(self.ends.0), self.place(self.ends.1));
        let share = (self.place(*value) - low) / (high - low);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        self.ends.0..self.ends.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let plain = |value: f64| format!("{}", (value * 1e6).round() / 1e6);
        match self.scale {
            Scale::Linear | Scale::Log => plain(*value),
            Scale::Percent => plain(100.0 * value),
        }
    }
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value.max(1e-12).log10(),
            _ => value,
        }
    }

    fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.ends;
        if self.scale == Scale::Log {
            let steps: &[f64] = if high / low > 2000.0 {
                &[1.0]
            } else {
                &[1.0, 2.0, 5.0]
            };
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
            let ticks =
                decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
            return ticks.filter(|tick| (low..=high).contains(tick)).collect();
        }
        let raw = (high - low) / 6.0;
        let unit = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|times| times * unit)
            .find(|&step| step >= raw)
            .unwrap_or(raw);
        let first = (low / step).ceil() as i64;
        (first..)
            .map(|index| index as f64 * step)
            .take_while(|&tick| tick <= high + step * 1e-9)
            .collect()
    }
}

/// Draws a chart as SVG. If `diagonal` is set, it has a dotted line from corner to corner.
pub(crate) fn draw(x: &Axis, y: &Axis, series: &[Series], diagonal: bool) -> String {
    let mut svg = String::new();
    paint(&mut svg, x, y, series, diagonal).expect("a string takes all that is drawn");
    // Text and axes take the page's colour, which may be dark.
    let style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>";
    let svg = svg.replace("#000000", "currentColor");
    let (head, body) = svg.split_once('>').expect("an SVG has a head");
    format!(
        "{}>{style}{body}",
        head.replace("width=\"720\" height=\"420\" ", "")
    )
}

fn paint(
    svg: &mut String,
    x: &Axis,
    y: &Axis,
    series: &[Series],
    diagonal: bool,
) -> Result<(), Box<dyn Error>> {
    let font = ("sans-serif", LETTERS);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let named = series.len() > 1;
    let (area, legend) = root.split_horizontally(SIZE.0 - if named { LEGEND } else { 0 });
    let mut chart = ChartBuilder::on(&area);
    chart.margin(12).x_label_area_size(44).y_label_area_size(58);
    let mut chart = chart.build_cartesian_2d(*x, *y)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .x_desc(x.label)
        .y_desc(y.label);
    mesh.label_style(font).axis_desc_style(font).draw()?;
    if diagonal {
        let line = [x.ends.0, x.ends.1].map(|at| (at, at));
        chart.draw_series(DashedLineSeries::new(
            line,
            3,
            4,
            BLACK.mix(0.6).stroke_width(1),
        ))?;
    }
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for (index, one) in series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let style = colour.stroke_width(2);
        let mark = if index == 0 { colour.filled() } else { style };
        // Lines from the ninth on are dashed.
        let dashes = if index < COLOURS.len() {
            [1000, 0]
        } else {
            [7, 4]
        };
        let places: Vec<_> = one
            .points
            .iter()
            .map(|point| (point.x, point.y.value))
            .collect();
        let top = 24 + 20 * index as i32;
        if named {
            legend.draw(&Text::new(one.name.clone(), (26, top - 7), font))?;
        }
        if one.joined {
            let above = one.points.iter().map(|point| (point.x, point.y.high));
            let below = one.points.iter().rev().map(|point| (point.x, point.y.low));
            chart.draw_series([Polygon::new(
                above.chain(below).collect::<Vec<_>>(),
                colour.mix(0.15),
            )])?;
            chart.draw_series(DashedLineSeries::new(places, dashes[0], dashes[1], style))?;
            legend.draw(&DashedPathElement::new(
                [(0, top), (20, top)],
                dashes[0],
                dashes[1],
                style,
            ))?;
            continue;
        }
        legend.draw(&Circle::new((10, top), 4, mark))?;
        for (point, at) in one.points.iter().zip(places) {
            chart.draw_series(LineSeries::new(
                [(point.x, point.y.low), (point.x, point.y.high)],
                style,
            ))?;
            chart.draw_series([Circle::new(at, 4, mark)])?;
            let (left, top) = chart.backend_coord(&at);
            let mut label = (left + 8, top - 7);
            let meets = |label: (i32, i32)| {
                labels.iter().any(|other| {
                    (other.1 - label.1).abs() < LETTERS && (other.0 - label.0).abs() < 90
                })
            };
            while meets(label) {
                label.1 -= 2;
            }
            labels.push(label);
            root.draw(&Text::new(point.label.clone(), label, font))?;
        }
    }
    Ok(root.present()?)
}
