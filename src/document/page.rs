//! A page as sections of blocks, and its two forms: HTML and Markdown.
//!
//! Texts may hold `code` between backticks and nothing else that means something.

use super::chart::Chart;

/// A page.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    pub title: String,
    pub lead: Vec<Block>,
    pub sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Letters, digits, `.` and `-`; unique on the page.
    pub id: String,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// What stands in a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
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
pub struct Table {
    pub header: Vec<(String, Align)>,
    pub rows: Vec<Vec<String>>,
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A chart with what is said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// As [`Section::id`]; the name of its file.
    pub id: String,
    pub chart: Chart,
    pub caption: String,
    pub findings: Vec<Finding>,
}

/// Something that the paper found, beside what is found here.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub paper: String,
    pub here: String,
    pub verdict: Verdict,
}

/// Whether the two agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Agrees,
    /// In part, or no further than the intervals allow to say.
    Partly,
    Differs,
}

impl Verdict {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Partly => "partly",
            Self::Differs => "differs",
        }
    }
}

impl Table {
    /// A table with these columns and no row yet.
    pub fn new(header: &[(&str, Align)]) -> Self {
        Self { header: header.iter().map(|&(name, align)| (name.to_owned(), align)).collect(), rows: Vec::new() }
    }
}

impl Figure {
    /// The figure as a block.
    pub fn block(self) -> Block {
        Block::Figure(Box::new(self))
    }
}

impl Section {
    pub fn new(id: &str, title: &str) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), blocks: Vec::new() }
    }

    /// Appends a paragraph.
    pub fn say(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }
}
