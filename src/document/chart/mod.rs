//! Charts: what they show, and their SVG.
//!
//! Colours are not in the SVG: every shape has a class, and [`STYLE`] gives it a colour of the page's light or dark palette.
//! A chart is drawn twice, for wide pages and for phones, so that its text is as large on both.

mod axis;
mod paint;
mod series;
mod svg;

pub use axis::{Axis, Scale, ends};
pub use paint::STYLE;
pub use series::{Chart, ErrorBar, Guide, Join, Look, Marker, Point, Series, Stroke, Width};
pub use svg::svg;
