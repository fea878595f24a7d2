//! The report: what the papers say beside what was measured here, as tables, charts and a page.
//!
//! [`Report`] is `pipeline report`. `data` reads tables of results. One function for each table or figure makes Markdown or SVG of them
//! (`sinha`, `strength`, `samegame`, `ggp`, `training`), and `page` writes these between the marks of pages that people write. Nothing is
//! played, and the same files give the same bytes.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

mod claim;
mod command;
mod data;
mod entries;
mod ggp;
mod grid;
mod page;
mod plot;
mod samegame;
mod sinha;
mod strength;
mod table;
mod training;

pub use command::{Report, published};
