#![doc = include_str!("README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
pub mod chart;
mod columns;
mod confidence;
mod csv;
mod escape;
mod estimate;
mod html;
mod markdown;
#[doc(hidden)]
pub mod numbers;
mod page;
mod plain;
mod table;

pub use confidence::{Confidence, Z_95};
pub use estimate::{Estimate, WeightedGames};

// Pages, charts and tables are for the program alone.
#[doc(hidden)]
#[doc(hidden)]
pub use columns::{Columns, fit_into, fitted, named_lines, wrapped};
#[doc(hidden)]
pub use csv::to_csv;
#[doc(hidden)]
pub use html::page as html;
#[doc(hidden)]
pub use markdown::{FigureFile, page as markdown};
#[doc(hidden)]
pub use page::{Figure, FigureSource, Finding, Page, PageBlock, PaperVerdict, RankedFinding, Section};
#[doc(hidden)]
pub use plain::{plain, plain_message};
#[doc(hidden)]
pub use table::{Align, PageTable, TableOf};
