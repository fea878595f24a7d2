//! What a chart shows.

use super::axis::Axis;

/// A chart with two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows, for those who can't see it.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
}

/// Points of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    pub name: String,
    pub look: Look,
    pub join: Join,
    pub points: Vec<Point>,
}

/// A point; intervals that are no wider than it are empty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The ends of an interval of `x` or `y`.
    pub error: Option<ErrorBar>,
}

/// An interval around a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ErrorBar {
    X(f64, f64),
    Y(f64, f64),
}

/// How the points of a series belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
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
pub struct Look {
    /// One of the eight colours of the palette, from 0.
    pub tone: u8,
    pub stroke: Stroke,
    pub marker: Marker,
}

/// A whole line with full markers, or a dashed one with hollow ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stroke {
    Solid,
    Dashed,
}

/// The shape of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Inverted,
    Bar,
}

/// A thin line to compare with, from edge to edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guide {
    /// `y = x`.
    Diagonal,
    /// A constant `y`.
    Level(f64),
}

/// Where a chart is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Wide,
    Narrow,
}
