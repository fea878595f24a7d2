//! Charts: what they show, and their SVG.
//!
//! Colours are not in the SVG: every shape has a class, and [`STYLE`] gives it a colour of the page's light or dark palette.
//! A chart is drawn twice, for wide pages and for phones, so that its text is as large on both.
//! Every mark has a title with its values. Names stand at the ends of lines where they fit; many lines get a panel each.

mod axis;
mod canvas;
mod labelled;
mod labels;
mod names;
mod panels;
mod plot;
mod series;
mod svg;

pub use axis::{Axis, Values, ends, extent, gain_ends};
pub use series::{
    Appearance, Chart, DataSeries, ErrorBar, Guide, Joining, Marker, Point, PointLabel, Stroke,
    Width,
};
pub use svg::{STYLE, svg};
