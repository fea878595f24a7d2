//! From a chart to SVG.

use std::fmt::Write;

use super::axis::Axis;
use super::labels::{Label, PlacedLabel, Rectangle, place};
use super::series::{
    Appearance, Chart, DataSeries, ErrorBar, Guide, Height, Joining, Marker, Point, PointLabel, Stroke, Width,
};
use crate::document::escape::escaped;

/// The style of charts, a class for everything that is drawn. Colours keep apart for all common kinds of colour blindness (after Okabe
/// and Ito).
pub const STYLE: &str = include_str!("style.css");

/// Units of the drawing in a pixel: all coordinates are whole numbers.
const UNIT: i32 = 4;
/// From the middle of a marker to its end.
const MARKER: i32 = UNIT * 5;
/// The length of a tick on the right edge.
const EDGE_TICK: i32 = UNIT * 12;

/// The size of a chart and of its text, in pixels.
struct Dimensions {
    width: i32,
    plot_height: i32,
    text: i32,
}

impl Width {
    const fn dimensions(self, height: Height) -> Dimensions {
        let (width, text, usual, tall) = match self {
            Self::Wide => (660, 13, 330, 640),
            Self::Narrow => (360, 12, 250, 640),
        };
        let plot_height = if matches!(height, Height::Tall) { tall } else { usual };
        Dimensions { width, plot_height, text }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
}

/// The chart as an `svg` element without colours. `style` is put into it for a file of its own.
pub fn svg(chart: &Chart, width: Width, style: Option<&str>) -> String {
    let layout = ChartLayout::new(chart, width);
    let mut canvas = Canvas::default();
    layout.draw(&mut canvas);
    let style = style.map(|style| {
        format!("<style>{style}</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>")
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}</svg>\n",
        width.class(),
        layout.width,
        layout.height,
        escaped(&chart.title),
        style.unwrap_or_default(),
        canvas.elements
    )
}

/// A place in units of the drawing, from the upper left corner.
type Coordinates = (i32, i32);

/// The elements drawn so far. A class of [`STYLE`] gives each its colours: `l` and `f` with a tone are lines and filled shapes, `h`
/// hollow ones, `d` is dashed; `g` is the grid, `a` an axis, `u` a guide, `t` text and `m` muted text.
#[derive(Default)]
struct Canvas {
    elements: String,
}

/// Where a text lies about its place: `text-anchor` and `dy`.
#[derive(Clone, Copy)]
enum Anchor {
    LeftOf,
    RightOf,
    Below,
    BelowFrom,
    Middle,
}

impl Canvas {
    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        self.elements.write_fmt(element).expect("a string takes all that is written");
    }

    fn line(&mut self, path: &[Coordinates], class: &str, pixels: i32) {
        let (width, points) = (pixels * UNIT, list(path));
        self.put(format_args!(
            "<polyline fill=\"none\" class=\"{class}\" stroke-width=\"{width}\" points=\"{points}\"/>"
        ));
    }

    /// `more` are attributes.
    fn polygon(&mut self, corners: &[Coordinates], more: &str, class: &str) {
        self.put(format_args!("<polygon{more} class=\"{class}\" points=\"{}\"/>", list(corners)));
    }

    /// `more` are attributes.
    fn circle(&mut self, (x, y): Coordinates, radius: i32, more: &str, class: &str) {
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{more} class=\"{class}\"/>"));
    }

    fn text(&mut self, text: &str, (x, y): Coordinates, anchor: Anchor, (size, class): (i32, &str)) {
        if text.is_empty() {
            return;
        }
        let (side, down) = match anchor {
            Anchor::LeftOf => ("end", "0.5ex"),
            Anchor::RightOf => ("start", "0.5ex"),
            Anchor::Below => ("middle", "0.76em"),
            Anchor::BelowFrom => ("start", "0.76em"),
            Anchor::Middle => ("middle", "0.5ex"),
        };
        let text = escaped(text);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"{down}\" text-anchor=\"{side}\" font-size=\"{size}\" class=\"{class}\">{text}</text>"
        ));
    }
}

/// Places as the attribute `points`.
fn list(places: &[Coordinates]) -> String {
    places.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// Where everything lies, in units of the drawing.
struct ChartLayout<'a> {
    chart: &'a Chart,
    legend: Vec<LegendEntry<'a>>,
    text: i32,
    width: i32,
    height: i32,
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

struct LegendEntry<'a> {
    series: &'a DataSeries,
    x: i32,
    y: i32,
}

impl<'a> ChartLayout<'a> {
    fn new(chart: &'a Chart, width: Width) -> Self {
        let Dimensions { width, plot_height, text } = width.dimensions(chart.height);
        let (width, text) = (width * UNIT, text * UNIT);
        let (legend, legend_height) = legend(chart, width, text);
        let longest = chart.y.ticks.iter().map(|(_, tick)| text_width(tick, text)).max().unwrap_or(0);
        let left = longest + text;
        let right = width - text;
        let y_label = if chart.y.label.is_empty() { 0 } else { text * 2 };
        let top = legend_height + y_label + text * 3 / 4;
        let bottom = top + plot_height * UNIT;
        let height = bottom + text * 7 / 2;
        Self { chart, legend, text, width, height, left, right, top, bottom }
    }

    fn x(&self, value: f64) -> i32 {
        self.left + (self.chart.x.share(value) * f64::from(self.right - self.left)).round() as i32
    }

    fn y(&self, value: f64) -> i32 {
        self.bottom - (self.chart.y.share(value) * f64::from(self.bottom - self.top)).round() as i32
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.draw_axes(canvas);
        for guide in &self.chart.guides {
            let ends = match *guide {
                Guide::Diagonal => {
                    let low = self.chart.x.low.max(self.chart.y.low);
                    let high = self.chart.x.high.min(self.chart.y.high);
                    [(self.x(low), self.y(low)), (self.x(high), self.y(high))]
                }
                Guide::Level(value) => [(self.left, self.y(value)), (self.right, self.y(value))],
            };
            canvas.line(&ends, "u", 1);
        }
        for series in self.chart.series.iter().filter(|series| series.labels.is_empty()) {
            self.draw_series(canvas, series);
        }
        self.draw_labelled(canvas);
        for entry in &self.legend {
            self.draw_legend(canvas, entry);
        }
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let (text, muted) = ((self.text, "t"), (self.text, "m"));
        let Axis { label: x_label, ticks: x_ticks, .. } = &self.chart.x;
        let Axis { label: y_label, ticks: y_ticks, .. } = &self.chart.y;
        for (at, tick) in y_ticks {
            let y = self.y(*at);
            canvas.line(&[(self.left, y), (self.right, y)], "g", 1);
            canvas.text(tick, (self.left - self.text / 2, y), Anchor::LeftOf, muted);
        }
        canvas.line(&[(self.left, self.bottom), (self.right, self.bottom)], "a", 1);
        let mut free_from = i32::MIN;
        for (at, tick) in x_ticks {
            let x = self.x(*at);
            canvas.line(&[(x, self.bottom), (x, self.bottom + self.text / 3)], "a", 1);
            let half = text_width(tick, self.text) / 2;
            // Long ticks at the edge move inwards; ticks that would touch their neighbour are left out.
            let middle = x.min(self.width - half);
            if middle - half > free_from {
                free_from = middle + half + self.text / 2;
                canvas.text(tick, (middle, self.bottom + self.text / 2), Anchor::Below, muted);
            }
        }
        let below = ((self.left + self.right) / 2, self.bottom + self.text * 2);
        canvas.text(x_label, below, Anchor::Below, text);
        canvas.text(y_label, (0, self.top - self.text * 5 / 2), Anchor::BelowFrom, text);
    }

    fn draw_series(&self, canvas: &mut Canvas, series: &DataSeries) {
        let DataSeries { appearance, join, points, .. } = series;
        let place = |point: &Point| (self.x(point.x), self.y(point.y));
        if matches!(join, Joining::Line | Joining::Curve) {
            self.draw_band(canvas, series);
            canvas.line(&points.iter().map(place).collect::<Vec<_>>(), &stroke(*appearance), 2);
        } else {
            for ends in points.iter().filter_map(|point| self.bar(point, place(point))) {
                canvas.line(&ends, &format!("l{}", appearance.tone), 2);
            }
        }
        match join {
            Joining::Curve | Joining::Edge => {}
            Joining::Line | Joining::Apart => points.iter().for_each(|point| mark(canvas, *appearance, place(point))),
            Joining::Cloud => {
                let class = format!("f{}", appearance.tone);
                points.iter().for_each(|point| canvas.circle(place(point), UNIT * 5 / 2, " opacity=\"0.5\"", &class));
            }
        }
    }

    /// The ends of the interval of a point that stands at `(x, y)`.
    fn bar(&self, point: &Point, (x, y): Coordinates) -> Option<[Coordinates; 2]> {
        point.error.map(|error| match error {
            ErrorBar::X(low, high) => [(self.x(low), y), (self.x(high), y)],
            ErrorBar::Y(low, high) => [(x, self.y(low)), (x, self.y(high))],
        })
    }

    /// The series whose points have labels: every point a group with its title.
    fn draw_labelled(&self, canvas: &mut Canvas) {
        let points: Vec<_> = self.chart.series.iter().flat_map(|series| self.labelled(series)).collect();
        let taken: Vec<_> = points.iter().flat_map(LabelledPoint::taken).collect();
        let labels: Vec<_> = points.iter().map(|point| point.wanted(self.text)).collect();
        let frame = Rectangle { left: self.left, top: self.top, right: self.right, bottom: self.bottom };
        for (point, placed) in points.iter().zip(place(&labels, &taken, frame)) {
            point.draw(canvas, placed, self.text);
        }
    }

    fn labelled<'b>(&'b self, series: &'b DataSeries) -> impl Iterator<Item = LabelledPoint<'b>> {
        series.points.iter().zip(&series.labels).map(|(point, label)| {
            let is_edge = series.join == Joining::Edge;
            let at = (if is_edge { self.right } else { self.x(point.x) }, self.y(point.y));
            // Bars on the edge would lie over each other.
            let bar = self.bar(point, at).filter(|_| !is_edge);
            LabelledPoint { appearance: series.appearance, is_edge, at, bar, label }
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
        canvas.polygon(&band, " opacity=\"0.16\"", &format!("f{}", series.appearance.tone));
    }

    fn draw_legend(&self, canvas: &mut Canvas, entry: &LegendEntry<'_>) {
        let DataSeries { appearance, join, name, .. } = entry.series;
        let (x, y) = (entry.x, entry.y + self.text * 2 / 3);
        let end = x + self.text * 2;
        let middle = ((x + end) / 2, y);
        if matches!(join, Joining::Line | Joining::Curve) {
            canvas.line(&[(x, y), (end, y)], &stroke(*appearance), 2);
        }
        match join {
            Joining::Curve => {}
            Joining::Edge => canvas.line(&[(end - EDGE_TICK, y), (end, y)], &stroke(*appearance), 2),
            Joining::Line | Joining::Apart => mark(canvas, *appearance, middle),
            Joining::Cloud => canvas.circle(middle, UNIT * 3, "", &format!("f{}", appearance.tone)),
        }
        canvas.text(name, (end + self.text / 2, y), Anchor::RightOf, (self.text, "t"));
    }
}

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
        [Some(marker), self.bar.map(|ends| around(ends, UNIT))].into_iter().flatten()
    }

    fn wanted(&self, text: i32) -> Label {
        let (x, y) = self.at;
        let at = if self.is_edge { (x - EDGE_TICK, y) } else { (x, y) };
        Label { at, radius: MARKER, width: label_width(&self.label.text, text), height: text * 9 / 8 }
    }

    /// A label without a place is left to the title.
    fn draw(&self, canvas: &mut Canvas, placed: Option<PlacedLabel>, text: i32) {
        canvas.put(format_args!("<g><title>{}</title>", escaped(&self.label.title)));
        if let Some(leader) = placed.and_then(|placed| placed.leader) {
            canvas.line(&leader, "a", 1);
        }
        if let Some(ends) = self.bar {
            canvas.line(&ends, &format!("l{}", self.appearance.tone), 2);
        }
        match self.is_edge {
            true => canvas.line(&[(self.at.0 - EDGE_TICK, self.at.1), self.at], &stroke(self.appearance), 2),
            false => mark(canvas, self.appearance, self.at),
        }
        if let Some(Rectangle { left, top, right, bottom }) = placed.map(|placed| placed.box_of) {
            // From the side of the point, as widths are not known exactly.
            let (x, anchor) = match self.at.0 {
                at if left >= at => (left, Anchor::RightOf),
                at if right <= at => (right, Anchor::LeftOf),
                _ => ((left + right) / 2, Anchor::Middle),
            };
            canvas.text(&self.label.text, (x, (top + bottom) / 2), anchor, (text, "t"));
        }
        canvas.put(format_args!("</g>"));
    }
}

/// The places of the legend's entries in lines that fit, and the height of all; none for a single series without name.
fn legend(chart: &Chart, width: i32, text: i32) -> (Vec<LegendEntry<'_>>, i32) {
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
    (entries, height)
}

/// About how wide a text is.
fn text_width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 9 / 16
}

/// About how wide a label is: capitals, `m` and `w` are wide.
fn label_width(text: &str, size: i32) -> i32 {
    let is_wide = |letter: &char| letter.is_uppercase() || ['m', 'w'].contains(letter);
    text_width(text, size) + text.chars().filter(is_wide).count() as i32 * size * 3 / 16
}

/// The class of a line.
fn stroke(appearance: Appearance) -> String {
    let dashes = if appearance.stroke == Stroke::Dashed { " d" } else { "" };
    format!("l{}{dashes}", appearance.tone)
}

/// Draws a marker.
fn mark(canvas: &mut Canvas, appearance: Appearance, (x, y): Coordinates) {
    let class = format!("{}{}", if appearance.stroke == Stroke::Dashed { 'h' } else { 'f' }, appearance.tone);
    let r = UNIT * 4;
    let corners: &[Coordinates] = match appearance.marker {
        Marker::Circle => return canvas.circle((x, y), r, "", &class),
        Marker::Square => &[(-9, -9), (9, -9), (9, 9), (-9, 9)],
        Marker::Triangle => &[(0, -13), (12, 9), (-12, 9)],
        Marker::Inverted => &[(0, 13), (12, -9), (-12, -9)],
        Marker::Diamond => &[(0, -13), (13, 0), (0, 13), (-13, 0)],
        Marker::Bar => &[(-3, -13), (3, -13), (3, 13), (-3, 13)],
    };
    // The shapes are drawn on a circle of radius 10.
    let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x + dx * r / 10, y + dy * r / 10)).collect();
    canvas.polygon(&corners, "", &class);
}
