//! Pages and tables for people: numbers as text, estimates with their intervals, charts, HTML and Markdown.
//!
//! Draws what it is given and knows nothing of players or games. The same input gives the same bytes.

pub mod chart;
mod escape;
mod estimate;
mod html;
mod markdown;
pub mod numbers;
mod page;

pub use estimate::{Estimate, Stratum};
pub use html::page as html;
pub use markdown::{Drawing, page as markdown};
pub use page::{Align, Block, Document, Figure, Finding, Section, Table, Verdict};
