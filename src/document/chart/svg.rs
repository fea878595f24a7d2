//! From a chart to SVG.

use plotters::coord::Shift;
use plotters::prelude::{
    Circle, DrawingArea, IntoDrawingArea, IntoFont, PathElement, Polygon, SVGBackend, ShapeStyle, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, TextStyle};

use super::axis::Axis;
use super::paint::{Paint, with_classes};
use super::series::{Chart, ErrorBar, Guide, Join, Look, Marker, Point, Series, Stroke, Width};
use crate::document::escape::escaped;

/// Units of the drawing a pixel: plotters rounds to whole ones.
const UNIT: i32 = 4;

/// The size of a chart and of its text, in pixels.
struct Format {
    width: i32,
    plot_height: i32,
    text: i32,
}

impl Width {
    const fn format(self) -> Format {
        match self {
            Self::Wide => Format { width: 660, plot_height: 330, text: 13 },
            Self::Narrow => Format { width: 360, plot_height: 250, text: 12 },
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The chart as an `svg` element without colours. `style` is put into it for a file of its own.
pub fn svg(chart: &Chart, width: Width, style: Option<&str>) -> String {
    let plan = Plan::new(chart, width);
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, (plan.width as u32, plan.height as u32)).into_drawing_area();
        plan.draw(&area);
    }
    let inside = drawn.split_once('\n').map_or("", |(_, inside)| inside);
    let style = style.map(|style| {
        format!("<style>{style}</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>")
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}\n",
        width.class(),
        plan.width,
        plan.height,
        escaped(&chart.title),
        style.unwrap_or_default(),
        with_classes(inside)
    )
}

/// Where everything lies, in units of the drawing.
struct Plan<'a> {
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
    series: &'a Series,
    x: i32,
    y: i32,
}

impl<'a> Plan<'a> {
    fn new(chart: &'a Chart, width: Width) -> Self {
        let Format { width, plot_height, text } = width.format();
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

    fn draw(&self, area: &Area<'_>) {
        self.draw_axes(area);
        for guide in &self.chart.guides {
            let ends = match *guide {
                Guide::Diagonal => {
                    let low = self.chart.x.low.max(self.chart.y.low);
                    let high = self.chart.x.high.min(self.chart.y.high);
                    [(self.x(low), self.y(low)), (self.x(high), self.y(high))]
                }
                Guide::Level(value) => [(self.left, self.y(value)), (self.right, self.y(value))],
            };
            line(area, ends.to_vec(), Paint::Guide, 1);
        }
        for series in &self.chart.series {
            self.draw_series(area, series);
        }
        for entry in &self.legend {
            self.draw_legend(area, entry);
        }
    }

    fn draw_axes(&self, area: &Area<'_>) {
        let Axis { label: x_label, ticks: x_ticks, .. } = &self.chart.x;
        let Axis { label: y_label, ticks: y_ticks, .. } = &self.chart.y;
        for (at, tick) in y_ticks {
            let y = self.y(*at);
            line(area, vec![(self.left, y), (self.right, y)], Paint::Grid, 1);
            self.write(area, tick, (self.left - self.text / 2, y), (HPos::Right, VPos::Center), Paint::Muted);
        }
        line(area, vec![(self.left, self.bottom), (self.right, self.bottom)], Paint::Frame, 1);
        let mut free_from = i32::MIN;
        for (at, tick) in x_ticks {
            let x = self.x(*at);
            line(area, vec![(x, self.bottom), (x, self.bottom + self.text / 3)], Paint::Frame, 1);
            let half = text_width(tick, self.text) / 2;
            // Long ticks at the edge move inwards; ticks that would touch their neighbour are left out.
            let middle = x.min(self.width - half);
            if middle - half > free_from {
                free_from = middle + half + self.text / 2;
                let below = (middle, self.bottom + self.text / 2);
                self.write(area, tick, below, (HPos::Center, VPos::Top), Paint::Muted);
            }
        }
        let below = ((self.left + self.right) / 2, self.bottom + self.text * 2);
        self.write(area, x_label, below, (HPos::Center, VPos::Top), Paint::Text);
        let above = (0, self.top - self.text * 5 / 2);
        self.write(area, y_label, above, (HPos::Left, VPos::Top), Paint::Text);
    }

    fn draw_series(&self, area: &Area<'_>, series: &Series) {
        let Series { look, join, points, .. } = series;
        let place = |point: &Point| (self.x(point.x), self.y(point.y));
        if matches!(join, Join::Line | Join::Curve) {
            self.draw_band(area, series);
            line(area, points.iter().map(place).collect(), stroke(*look), 2);
        } else {
            for point in points {
                let ends = match point.error {
                    Some(ErrorBar::X(low, high)) => [(self.x(low), self.y(point.y)), (self.x(high), self.y(point.y))],
                    Some(ErrorBar::Y(low, high)) => [(self.x(point.x), self.y(low)), (self.x(point.x), self.y(high))],
                    None => continue,
                };
                line(area, ends.to_vec(), Paint::Line(look.tone), 2);
            }
        }
        match join {
            Join::Curve => {}
            Join::Line | Join::Apart => points.iter().for_each(|point| self.mark(area, *look, place(point))),
            Join::Cloud => {
                for point in points {
                    let style = Paint::Full(look.tone).color().mix(0.5).filled();
                    put(area, Circle::new(place(point), UNIT * 5 / 2, style));
                }
            }
        }
    }

    /// The interval of a line, as an area behind it.
    fn draw_band(&self, area: &Area<'_>, series: &Series) {
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
        put(area, Polygon::new(band, Paint::Full(series.look.tone).veil().filled()));
    }

    fn draw_legend(&self, area: &Area<'_>, entry: &LegendEntry<'_>) {
        let Series { look, join, name, .. } = entry.series;
        let (x, y) = (entry.x, entry.y + self.text * 2 / 3);
        let end = x + self.text * 2;
        if matches!(join, Join::Line | Join::Curve) {
            line(area, vec![(x, y), (end, y)], stroke(*look), 2);
        }
        match join {
            Join::Curve => {}
            Join::Line | Join::Apart => self.mark(area, *look, ((x + end) / 2, y)),
            Join::Cloud => {
                put(area, Circle::new(((x + end) / 2, y), UNIT * 3, Paint::Full(look.tone).color().filled()))
            }
        }
        self.write(area, name, (end + self.text / 2, y), (HPos::Left, VPos::Center), Paint::Text);
    }

    fn mark(&self, area: &Area<'_>, look: Look, (x, y): (i32, i32)) {
        let paint = if look.stroke == Stroke::Dashed { Paint::Hollow(look.tone) } else { Paint::Full(look.tone) };
        let style: ShapeStyle = paint.color().filled();
        let r = UNIT * 4;
        let corners: &[(i32, i32)] = match look.marker {
            Marker::Circle => return put(area, Circle::new((x, y), r, style)),
            Marker::Square => &[(-9, -9), (9, -9), (9, 9), (-9, 9)],
            Marker::Triangle => &[(0, -13), (12, 9), (-12, 9)],
            Marker::Inverted => &[(0, 13), (12, -9), (-12, -9)],
            Marker::Diamond => &[(0, -13), (13, 0), (0, 13), (-13, 0)],
            Marker::Bar => &[(-3, -13), (3, -13), (3, 13), (-3, 13)],
        };
        // The shapes are drawn on a circle of radius 10.
        let corner = |&(dx, dy): &(i32, i32)| (x + dx * r / 10, y + dy * r / 10);
        put(area, Polygon::new(corners.iter().map(corner).collect::<Vec<_>>(), style));
    }

    fn write(&self, area: &Area<'_>, text: &str, at: (i32, i32), anchor: (HPos, VPos), paint: Paint) {
        // plotters writes the size divided by 1.24.
        let font = (FontFamily::SansSerif, f64::from(self.text) * 1.24).into_font();
        let color = paint.color();
        let style = TextStyle::from(font).color(&color).pos(Pos::new(anchor.0, anchor.1));
        put(area, Text::new(text.to_owned(), at, style));
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

fn stroke(look: Look) -> Paint {
    match look.stroke {
        Stroke::Solid => Paint::Line(look.tone),
        Stroke::Dashed => Paint::Dashes(look.tone),
    }
}

fn line(area: &Area<'_>, path: Vec<(i32, i32)>, paint: Paint, pixels: u32) {
    put(area, PathElement::new(path, paint.color().stroke_width(pixels * UNIT as u32)));
}

fn put<'a, E>(area: &Area<'a>, element: E)
where
    for<'b> &'b E: plotters::element::PointCollection<'b, (i32, i32)>,
    E: plotters::element::Drawable<SVGBackend<'a>>,
{
    area.draw(&element).expect("a string takes all that is written");
}
