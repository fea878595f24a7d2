//! What a chart shows.

use super::axis::Axis;
use mineflow_arena::Estimate;

/// A chart with two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows, for screen readers.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<DataSeries>,
    pub guides: Vec<Guide>,
    pub height: Height,
}

/// From this many lines on, a chart is drawn in panels.
const MANY: usize = 6;

/// How high a chart is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Height {
    Usual,
    /// For many points with labels.
    Tall,
}

/// Points of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct DataSeries {
    pub name: String,
    pub appearance: Appearance,
    pub join: Joining,
    pub points: Vec<Point>,
    /// One for each point, or none at all.
    pub labels: Vec<PointLabel>,
}

/// The label of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointLabel {
    /// A few characters beside it.
    pub text: String,
    /// A line with its values, shown as a tooltip.
    pub title: String,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub error: Option<ErrorBar>,
}

/// The ends of an interval around a point, of its `x` or of its `y`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ErrorBar {
    X(f64, f64),
    Y(f64, f64),
}

/// How the points of a series belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joining {
    /// By a line, with markers.
    Line,
    /// By a line alone.
    Curve,
    /// Not at all.
    Apart,
    /// Not at all; there are too many marks to draw each at full size.
    Cloud,
    /// Not at all: ticks on the right edge, for points whose `x` is not known.
    Edge,
}

/// Colour, dash and marker of a series: any two of the three identify a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appearance {
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

impl Chart {
    /// A chart without guides.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, series: Vec<DataSeries>) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            series,
            guides: Vec::new(),
            height: Height::Usual,
        }
    }

    /// Whether it has so many lines that they would hide each other. Each then has a panel, with the others behind it in grey.
    pub fn is_crowded(&self) -> bool {
        let is_line = |series: &DataSeries| matches!(series.join, Joining::Line | Joining::Curve);
        self.series.len() >= MANY && self.series.iter().all(is_line)
    }

    /// How to read its lines, in a sentence.
    pub fn reading(&self) -> &'static str {
        match self.is_crowded() {
            true => "A panel each, the others in grey; areas are 95 % intervals.",
            false => "Areas are 95 % intervals.",
        }
    }

    /// The chart with room for many labels.
    pub fn tall(self) -> Self {
        Self {
            height: Height::Tall,
            ..self
        }
    }
}

impl DataSeries {
    /// Points of one kind; without a name they are not in the legend.
    pub fn new(
        name: impl Into<String>,
        appearance: Appearance,
        join: Joining,
        points: impl IntoIterator<Item = Point>,
    ) -> Self {
        let points = points.into_iter().collect();
        Self {
            name: name.into(),
            appearance,
            join,
            points,
            labels: Vec::new(),
        }
    }

    /// The series with a label beside each point; not for lines.
    pub fn labelled(self, labels: impl IntoIterator<Item = PointLabel>) -> Self {
        Self {
            labels: labels.into_iter().collect(),
            ..self
        }
    }
}

impl Point {
    /// A point without an interval.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, error: None }
    }

    /// An estimate along the axis of `x`, with its interval.
    pub const fn along_x(of: Estimate, y: f64) -> Self {
        Self {
            x: of.value,
            y,
            error: Some(ErrorBar::X(of.low, of.high)),
        }
    }

    /// An estimate along the axis of `y`, with its interval.
    pub const fn along_y(x: f64, of: Estimate) -> Self {
        Self {
            x,
            y: of.value,
            error: Some(ErrorBar::Y(of.low, of.high)),
        }
    }
}
