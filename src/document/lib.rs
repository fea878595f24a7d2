#![doc = include_str!("README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod board;
pub mod chart;
mod columns;
mod confidence;
mod csv;
mod escape;
mod estimate;
mod html;
mod markdown;
pub mod numbers;
mod page;
mod plain;
mod table;

pub use board::{BoardMark, board};
pub use columns::{Columns, fit_into};
pub use confidence::{Confidence, Z_95};
pub use csv::to_csv;
pub use estimate::{Estimate, WeightedGames};
pub use html::page as html;
pub use markdown::{FigureFile, page as markdown};
pub use page::{BoardFigure, Figure, FigureSource, Finding, Page, PageBlock, PaperVerdict, RankedFinding, Section};
pub use plain::{plain, plain_message};
pub use table::{Align, PageTable, TableOf};
