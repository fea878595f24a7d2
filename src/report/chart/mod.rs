//! Charts: what they show, and their SVG.
//!
//! Colours are not in the SVG: every shape has a class, and [`STYLE`] gives it a colour of the page's light or dark palette.
//! A chart is drawn twice, for wide pages and for phones, so that its text is as large on both.

mod draw;
mod paint;
mod scale;

pub(crate) use draw::svg;
pub(crate) use paint::STYLE;
pub(crate) use scale::{Axis, ends};

/// A chart with two axes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Chart {
    /// What it shows, for those who can't see it.
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) guides: Vec<Guide>,
}

/// Points of one kind.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) look: Look,
    pub(crate) join: Join,
    pub(crate) points: Vec<Point>,
}

/// A point; intervals that are no wider than it are empty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The ends of an interval of `x` or `y`.
    pub(crate) error: Option<ErrorBar>,
}

/// An interval around a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ErrorBar {
    X(f64, f64),
    Y(f64, f64),
}

/// How the points of a series belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Join {
    /// By a line, with markers.
    Line,
    /// By a line alone.
    Curve,
    /// Not at all.
    Apart,
    /// Not at all, and so many that each is drawn small.
    Cloud,
}

/// Colour, dash and marker of a series: any two of the three tell series apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    /// One of the eight colours of the palette, from 0.
    pub(crate) tone: u8,
    pub(crate) stroke: Stroke,
    pub(crate) marker: Marker,
}

/// A whole line with full markers, or a dashed one with hollow ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stroke {
    Solid,
    Dashed,
}

/// The shape of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Inverted,
    Bar,
}

/// A thin line to compare with, from edge to edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Guide {
    /// `y = x`.
    Diagonal,
    /// A constant `y`.
    Level(f64),
}

/// Where a chart is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    Wide,
    Narrow,
}

/// The look of a player: the colour and marker of its family, a dashed line for its limited or second form.
pub(crate) fn look_of(player: &str) -> Look {
    let (tone, marker) = match player.as_bytes().first() {
        Some(b'1') => (0, Marker::Bar),
        Some(b'2') => (1, Marker::Circle),
        Some(b'3') => (2, Marker::Square),
        Some(b'4') => (3, Marker::Triangle),
        Some(b'5') => (4, Marker::Diamond),
        Some(b'6') => (5, Marker::Inverted),
        Some(b'7') => (6, Marker::Circle),
        _ => (7, Marker::Square),
    };
    let stroke = if player.ends_with(".5") { Stroke::Dashed } else { Stroke::Solid };
    Look { tone, stroke, marker }
}
