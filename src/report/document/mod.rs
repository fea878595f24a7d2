//! A page as sections of blocks, and its two forms: HTML and Markdown.
//!
//! Texts may hold `code` between backticks and nothing else that means something.

mod html;
mod markdown;

pub(crate) use html::{escaped, page as html};
pub(crate) use markdown::page as markdown;

use super::chart::Chart;

/// A page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) lead: Vec<Block>,
    pub(crate) sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Section {
    /// Letters, digits, `.` and `-`; unique on the page.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

/// What stands in a section.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Block {
    Text(String),
    /// A smaller heading.
    Heading(String),
    /// What can't be shown, and why.
    Missing(String),
    Table(Table),
    Figure(Box<Figure>),
    /// What is said about the table above.
    Findings(Vec<Finding>),
    /// A page beside this one.
    Link {
        text: String,
        to: String,
    },
    /// Lines to be typed.
    Commands(Vec<String>),
}

/// Columns under names.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Table {
    pub(crate) header: Vec<(String, Align)>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A chart with what is said about it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Figure {
    /// As [`Section::id`]; the name of its file.
    pub(crate) id: String,
    pub(crate) chart: Chart,
    pub(crate) caption: String,
    pub(crate) findings: Vec<Finding>,
}

/// Something that the paper found, beside what is found here.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    pub(crate) paper: String,
    pub(crate) here: String,
    pub(crate) verdict: Verdict,
}

/// Whether the two agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Agrees,
    /// In part, or no further than the intervals allow to say.
    Partly,
    Differs,
}

impl Verdict {
    /// In a word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Partly => "partly",
            Self::Differs => "differs",
        }
    }
}

impl Table {
    /// A table with these columns and no row yet.
    pub(crate) fn new(header: &[(&str, Align)]) -> Self {
        Self { header: header.iter().map(|&(name, align)| (name.to_owned(), align)).collect(), rows: Vec::new() }
    }
}

impl Figure {
    /// The figure as a block.
    pub(crate) fn block(self) -> Block {
        Block::Figure(Box::new(self))
    }
}

impl Section {
    pub(crate) fn new(id: &str, title: &str) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), blocks: Vec::new() }
    }

    /// Appends a paragraph.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }
}
