//! The report: the paper's figures and table 4 beside what was measured here, as one self-contained HTML page and as Markdown.
//!
//! Reads tables and training records, plays nothing, and knows nothing of players or games: whatever a page says about its data is
//! computed from them when it is written. The same files give the same bytes.

mod chart;
mod document;
mod error;
mod estimate;
mod experiment;
mod paper;
mod read;
mod sections;
mod words;

pub use error::ReportError;

use std::path::PathBuf;

use document::{Block, Document, html, markdown};
use experiment::Experiment;
use read::games;

/// The folder of the Markdown's charts.
const FIGURES: &str = "figures";

/// What a report is made from. A file or folder that doesn't exist is named in the report as missing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    /// Tables that `pipeline eval` wrote, most important first: one of many sizes belongs to the experiment of section 5.3, rows on 9x9
    /// with 10 mines to table 4.
    pub games: Vec<PathBuf>,
    /// Every named player, in the order of the report.
    pub versions: Vec<Version>,
}

/// A named player, in words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Version {
    pub name: String,
    pub recipe: String,
    pub summary: String,
    /// Where it is described.
    pub source: String,
}

/// A file of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Relative to the report's folder, with `/` between its parts.
    pub name: String,
    pub text: String,
}

/// Makes the report: `index.html`, `report.md` and the charts of the latter.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub fn build(inputs: &Inputs) -> Result<Vec<File>, ReportError> {
    let mut missing = Vec::new();
    let mut experiment = Experiment::default();
    let mut rows = Vec::new();
    for path in &inputs.games {
        match games(path)? {
            Some(table) => {
                experiment.add(&table);
                rows.extend(table);
            }
            None => missing.push(path.display().to_string()),
        }
    }
    let names: Vec<_> = inputs.versions.iter().map(|version| version.name.clone()).collect();
    let mut lead = vec![Block::Text(
        "What the paper of Sinha, Malviya and Nayak reports, beside the same measured here. Everything below is computed from the tables \
         in this folder by `pipeline report`; whether a finding agrees is decided by the numbers, not by hand."
            .to_owned(),
    )];
    lead.extend(
        missing.iter().map(|file| Block::Missing(format!("Missing: `{file}`. What it would show is left out."))),
    );
    let sections = vec![
        sections::standard_board(&rows, &names),
        sections::csp_versions(&experiment),
        sections::all_versions(&experiment),
        sections::times(&experiment),
    ];
    let document = Document { title: "Playing and learning Minesweeper: the report".to_owned(), lead, sections };
    Ok(files(&document))
}

fn files(document: &Document) -> Vec<File> {
    let (text, drawings) = markdown(document, FIGURES);
    let mut files =
        vec![File { name: "index.html".to_owned(), text: html(document) }, File { name: "report.md".to_owned(), text }];
    files.extend(
        drawings.into_iter().map(|drawing| File { name: format!("{FIGURES}/{}", drawing.name), text: drawing.svg }),
    );
    files
}
