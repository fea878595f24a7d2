//! Charts: what they show, and their SVG.
//!
//! Colours are not in the SVG: every shape has a class, and [`STYLE`] gives it a colour of the page's light or dark palette.
//! A chart is drawn twice, for wide pages and for phones, so that its text is as large on both.

mod axis;
mod labels;
mod series;
mod svg;

pub use axis::{Axis, Scale, ends, extent, gain_ends};
pub use series::{
    Appearance, Chart, DataSeries, ErrorBar, Guide, Height, Joining, Marker, Point, PointLabel, Stroke, Width,
};
pub use svg::{STYLE, svg};
