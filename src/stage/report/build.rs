//! From inputs to the files of a report.

use std::path::{Path, PathBuf};

use super::error::ReportError;
use super::experiment::Experiment;
use super::inputs::{Inputs, Training, Version};
use super::read::{self, GameRow, SamegameTables};
use super::sections;
use crate::document::{Block, Document, Section, html, markdown, numbers};

/// The folders of the Markdown's charts and of its page a version.
const FIGURES: &str = "figures";
const VERSIONS: &str = "versions";

/// A file of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Relative to the report's folder, with `/` between its parts.
    pub name: String,
    pub text: String,
}

/// Makes the report: `index.html`, which holds all of it; `report.md` with a page a version and its charts.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub fn build(inputs: &Inputs) -> Result<Vec<File>, ReportError> {
    let (mut missing, mut made_from) = (Vec::new(), Vec::new());
    let mut experiment = Experiment::default();
    let mut rows = Vec::new();
    for path in &inputs.games {
        match read::games(path)? {
            Some(table) => {
                made_from.push((path, table.len()));
                experiment.add(&table);
                rows.extend(table);
            }
            None => missing.push(path),
        }
    }
    let mut others = Section::new("more", "More games");
    for other in &inputs.others {
        match read::games(&other.path)? {
            Some(table) => {
                made_from.push((&other.path, table.len()));
                // Not for the rest of the report: a model of another training may play under the same name.
                sections::games(&mut others, &other.title, &table);
            }
            None => missing.push(&other.path),
        }
    }
    let names: Vec<_> = inputs.versions.iter().map(|version| version.name.clone()).collect();
    let mut sections = vec![
        sections::standard_board(&rows, &names),
        sections::csp_versions(&experiment),
        sections::all_versions(&experiment),
        sections::ratio_of_sides(&experiment),
        sections::number_of_cells(&experiment),
        sections::times(&experiment),
    ];
    sections.extend(learning(inputs)?);
    sections.extend(inputs.rule_sheets.as_deref().map(sections::rule_sheets).transpose()?);
    if !others.blocks.is_empty() {
        sections.push(others);
    }
    if let Some(folder) = &inputs.samegame {
        sections.push(sections::samegame(&SamegameTables::new(folder))?);
    }
    let document = Document {
        title: "Playing and learning Minesweeper: the report".to_owned(),
        lead: lead(&missing, &made_from),
        sections,
    };
    Ok(files(document, &inputs.versions, &rows))
}

fn lead(missing: &[&PathBuf], made_from: &[(&PathBuf, usize)]) -> Vec<Block> {
    let read: Vec<_> = made_from
        .iter()
        .map(|(path, rows)| format!("`{}` ({})", short(path), numbers::counted(*rows, "row")))
        .collect();
    let mut lead = vec![
        Block::Text(
            "What the paper of Sinha, Malviya and Nayak reports, beside the same measured here. Everything below is computed from tables and training \
             records by `pipeline report`; whether a finding agrees is decided by the numbers, not by hand."
                .to_owned(),
        ),
        Block::Text(format!("Tables of games: {}.", numbers::list(&read))),
    ];
    lead.extend(
        missing
            .iter()
            .map(|path| Block::Missing(format!("Missing: `{}`. What it would show is left out.", short(path)))),
    );
    lead
}

/// The file with its folder: the same wherever that lies.
fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// The sections on training and its models.
fn learning(inputs: &Inputs) -> Result<Vec<Section>, ReportError> {
    let Training { trees, classifier, q_single, q_iterative, alpha } = &inputs.training;
    fn in_folder<T>(
        folder: &Option<PathBuf>,
        read: impl Fn(&Path) -> Result<Option<T>, ReportError>,
    ) -> Result<Option<T>, ReportError> {
        folder.as_deref().map_or(Ok(None), read)
    }
    let runs = [
        ("5.5", in_folder(classifier, read::network)?),
        ("6.0", in_folder(q_iterative, read::network)?),
        ("6.5", in_folder(q_single, read::network)?),
    ];
    let tables = sections::CalibrationTables {
        bins: in_folder(&inputs.calibration, read::bins)?,
        scores: in_folder(&inputs.calibration, read::scores)?,
        limited_p: in_folder(&inputs.calibration, read::limited_p)?,
    };
    Ok(vec![
        sections::networks(&runs),
        sections::trees(in_folder(trees, read::trees)?.as_ref()),
        sections::alpha(in_folder(alpha, read::alpha)?.as_ref()),
        sections::calibration(&tables, &inputs.versions),
    ])
}

/// The document in its two forms. HTML has a section of all versions, Markdown a page each.
fn files(mut document: Document, versions: &[Version], rows: &[GameRow]) -> Vec<File> {
    let names: Vec<_> = versions.iter().map(|version| version.name.as_str()).collect();
    let pages: Vec<_> =
        versions.iter().map(|version| (&version.name, sections::version(version, &names, rows))).collect();
    let mut section = Section::new("versions", "The versions");
    let file_of = |name: &str| format!("{VERSIONS}/{name}.md");
    document.sections.push(section.clone());
    let last = document.sections.len() - 1;
    let links = pages.iter().map(|(name, _)| Block::Link { text: (*name).clone(), to: file_of(name) });
    document.sections[last].blocks = links.collect();
    let (text, drawings) = markdown(&document, FIGURES);
    let mut files = vec![File { name: "report.md".to_owned(), text }];
    files.extend(
        drawings.into_iter().map(|drawing| File { name: format!("{FIGURES}/{}", drawing.name), text: drawing.svg }),
    );
    for (name, blocks) in pages {
        section.blocks.push(Block::Heading(name.clone()));
        section.blocks.extend(blocks.iter().cloned());
        let page = Document { title: format!("Version {name}"), lead: blocks, sections: Vec::new() };
        files.push(File { name: file_of(name), text: markdown(&page, FIGURES).0 });
    }
    document.sections[last] = section;
    files.insert(0, File { name: "index.html".to_owned(), text: html(&document) });
    files
}
