//! A page as sections of blocks, and its two forms: HTML and Markdown.
//!
//! Texts may hold `code` between backticks; nothing else is markup.

use super::chart::Chart;
use mineflow_arena::PageTable;

/// A page.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    pub title: String,
    /// A summary to read in a minute, shown in a box; may be empty.
    pub summary: Vec<PageBlock>,
    pub lead: Vec<PageBlock>,
    pub sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Letters, digits, `.` and `-`; unique on the page.
    pub id: String,
    pub title: String,
    pub blocks: Vec<PageBlock>,
}

/// The content of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum PageBlock {
    Text(String),
    /// A smaller heading.
    Heading(String),
    /// What can't be shown, and why.
    Missing(String),
    Table(PageTable),
    Figure(Box<Figure>),
    /// The finding of the table above.
    Findings(Vec<Finding>),
    /// Findings of other sections, the most important first.
    Ranked(Vec<RankedFinding>),
    /// A page beside this one.
    Link {
        text: String,
        to: String,
    },
    /// Commands for a terminal, one a line.
    Commands(Vec<String>),
}

/// A chart with its caption and finding.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// As [`Section::id`]; the name of its file.
    pub id: String,
    pub chart: Chart,
    pub caption: String,
    pub findings: Vec<Finding>,
    pub sources: Vec<FigureSource>,
}

/// A file that a figure is drawn from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSource {
    pub name: String,
    /// Its path from the page, if known.
    pub link: Option<String>,
    /// How it was made, with code between backticks.
    pub made_by: Option<String>,
}

/// A finding with the section that it stands in.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedFinding {
    /// The id and the title of the section.
    pub section: (String, String),
    pub finding: Finding,
}

/// What is said of a finding that isn't independent evidence.
const CHOSEN: &str = "The reading was chosen with these figures of the paper in view.";

/// A finding of a paper beside ours.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub paper: String,
    pub here: String,
    pub verdict: PaperVerdict,
    /// Whether it rests on readings that were chosen with the paper's figures in view.
    pub is_chosen: bool,
    /// The reason, as far as the data show it; may be empty.
    pub why: String,
    /// The distance between the paper's number and ours, if it can be measured: in points; for times and scores in percent of the paper's.
    pub apart: Option<f64>,
}

/// What the data show of a paper's claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaperVerdict {
    Agrees,
    Differs,
    /// Neither: the interval holds both.
    NotShown,
    /// There are no data.
    NotRun,
}

impl PaperVerdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Agrees, Self::Differs, Self::NotShown, Self::NotRun];

    /// In a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::NotShown => "not shown",
            Self::NotRun => "not run",
        }
    }
}

impl Finding {
    /// What a paper says, and what we find.
    pub fn new(paper: impl Into<String>, here: impl Into<String>, verdict: PaperVerdict) -> Self {
        Self {
            paper: paper.into(),
            here: here.into(),
            verdict,
            is_chosen: false,
            why: String::new(),
            apart: None,
        }
    }

    /// Adds the distance between the paper's number and ours, in points; ignored if 0 or less.
    pub fn apart(self, points: f64) -> Self {
        Self {
            apart: (points > 0.0).then_some(points),
            ..self
        }
    }

    /// Adds the reason that the data show.
    pub fn because(self, why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            ..self
        }
    }

    /// What we find, why, and what it rests on.
    pub(super) fn here_and_why(&self) -> String {
        let chosen = if self.is_chosen { CHOSEN } else { "" };
        let parts = [self.here.as_str(), self.why.as_str(), chosen];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl Figure {
    /// A figure without a finding.
    pub fn new(id: impl Into<String>, chart: Chart, caption: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            chart,
            caption: caption.into(),
            findings: Vec::new(),
            sources: Vec::new(),
        }
    }
}

impl Section {
    /// An empty section.
    pub fn new(id: &str, title: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    /// Appends a smaller heading.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(PageBlock::Heading(text.into()));
    }

    /// Appends a paragraph.
    pub fn say(&mut self, text: impl Into<String>) {
        self.blocks.push(PageBlock::Text(text.into()));
    }

    /// Appends a line that says what is missing.
    pub fn miss(&mut self, text: impl Into<String>) {
        self.blocks.push(PageBlock::Missing(text.into()));
    }

    /// Appends a table.
    pub fn table(&mut self, table: impl Into<PageTable>) {
        self.blocks.push(PageBlock::Table(table.into()));
    }

    /// Appends a figure.
    pub fn figure(&mut self, figure: Figure) {
        self.blocks.push(PageBlock::Figure(Box::new(figure)));
    }

    /// Appends the finding of the table above.
    pub fn findings(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.blocks
            .push(PageBlock::Findings(findings.into_iter().collect()));
    }
}

impl PageBlock {
    /// The findings in a block.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Figure(figure) => &figure.findings,
            Self::Findings(findings) => findings,
            _ => &[],
        }
    }
}
