#![doc = include_str!("README.md")]
//!
//! The report shows the figures of the three papers next to our measurements.
//!
//! [`Report`] is `pipeline report`. `data` reads tables of results. One function for each table or
//! figure makes Markdown or SVG of them (`sinha`, `strength`, `samegame`, `ggp`, `training`), and
//! `page` inserts these between the marks of pages written by hand. `cases` measures the claims of
//! `claims.csv` and the points of `plots.csv`. No games are played, and the same files give an
//! identical report.

// Internal to the program.
#![doc(hidden)]

mod cases;
mod claim;
mod command;
mod data;
mod entries;
mod ggp;
mod grid;
mod page;
mod plots;
pub mod results;
mod samegame;
mod sinha;
mod strength;
mod table;
mod training;

pub use command::{Report, published};
