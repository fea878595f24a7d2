//! From inputs to the files of a report.

use std::path::{Path, PathBuf};

use super::error::ReportError;
use super::experiment::MineRatioExperiment;
use super::inputs::{Inputs, NamedPlayer, Training};
use super::read::{self, GameTable, SamegameTables};
use super::sections;
use super::sources::name_sources;
use super::summary::summary;
use mineflow_document::numbers::{counted, list};
use mineflow_document::{Page, PageBlock, Section, html, markdown};

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

/// Makes the report: `index.html`, which holds all of it, and `report.md` with its charts and a page for each version.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub fn build(inputs: &Inputs) -> Result<Vec<File>, ReportError> {
    let (mut missing, mut made_from) = (Vec::new(), Vec::new());
    let mut read_games = |path: &'_ PathBuf| -> Result<Option<GameTable>, ReportError> {
        let table = read::games(path)?;
        match &table {
            Some(table) => made_from.push(format!("`{}` ({})", short(path), counted(table.rows.len() as u64, "row"))),
            None => missing.push(short(path)),
        }
        Ok(table)
    };
    let mut experiment = MineRatioExperiment::default();
    let (mut of_experiment, mut of_standard) = (Vec::new(), Vec::new());
    let mut tables = Vec::new();
    for path in &inputs.games {
        if let Some(table) = read_games(path)? {
            if experiment.add(&table.rows) {
                of_experiment.push(path.clone());
            }
            if sections::has_standard_board(&table) {
                of_standard.push(path.clone());
            }
            tables.push(table);
        }
    }
    let mut others = Section::new("more", "More games");
    for other in &inputs.others {
        // Not for the rest of the report: a model of another training may play under the same name.
        if let Some(table) = read_games(&other.path)? {
            sections::games(&mut others, &other.title, &table.rows);
        }
    }
    let names = inputs.versions.iter().map(|version| version.name.as_str());
    let mut sections = vec![
        sections::standard_board(&tables, names),
        sections::csp_versions(&experiment),
        sections::all_versions(&experiment),
        sections::ratio_of_sides(&experiment),
        sections::number_of_cells(&experiment),
        sections::times(&experiment),
    ];
    if let Some(folder) = &inputs.strength {
        sections.extend([sections::strength(folder)?, sections::guesses(folder)?, sections::ideas(folder)?]);
    }
    sections.extend(learning(inputs)?);
    sections.extend(inputs.rule_sheets.as_deref().map(sections::rule_sheets).transpose()?);
    if !others.blocks.is_empty() {
        sections.push(others);
    }
    if let Some(folder) = &inputs.samegame {
        sections.push(sections::samegame(&SamegameTables::new(folder))?);
    }
    name_sources(&mut sections, inputs, (&of_experiment, &of_standard))?;
    let strongest = inputs.strength.as_deref().map_or(Ok(Vec::new()), sections::strongest)?;
    let document = Page {
        title: "Playing and learning Minesweeper: the report".to_owned(),
        summary: summary(&sections, &strongest),
        lead: lead(&missing, &made_from),
        sections,
    };
    Ok(files(document, &inputs.versions, &tables))
}

fn lead(missing: &[String], made_from: &[String]) -> Vec<PageBlock> {
    let mut lead = vec![
        PageBlock::Text(
            "What the paper of Sinha, Malviya and Nayak reports, beside the same measured here. Everything below is computed from tables and training \
             records by `pipeline report`; whether a finding agrees is decided by the numbers, not by hand."
                .to_owned(),
        ),
        PageBlock::Text(format!("Tables of games: {}.", list(made_from))),
    ];
    let miss = |path: &String| PageBlock::Missing(format!("Missing: `{path}`. What it would show is left out."));
    lead.extend(missing.iter().map(miss));
    lead
}

/// A file with the name of its folder alone, which is the same on every machine.
pub(super) fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// What `read` finds at a path, if there is one.
fn at<T>(
    path: &Option<PathBuf>,
    read: impl Fn(&Path) -> Result<Option<T>, ReportError>,
) -> Result<Option<T>, ReportError> {
    path.as_deref().map_or(Ok(None), read)
}

/// The sections on training and its models.
fn learning(inputs: &Inputs) -> Result<Vec<Section>, ReportError> {
    let Training { trees, classifier, q_single, q_iterative, alpha } = &inputs.training;
    let runs = [
        ("5.5", at(classifier, read::network)?),
        ("6.0", at(q_iterative, read::network)?),
        ("6.5", at(q_single, read::network)?),
    ];
    let tables = sections::CalibrationTables {
        bins: at(&inputs.calibration, read::bins)?,
        scores: at(&inputs.calibration, read::scores)?,
        errors: at(&inputs.calibration, read::limited_p)?,
    };
    Ok(vec![
        sections::networks(&runs),
        sections::trees(at(trees, read::trees)?.as_ref()),
        sections::alpha(at(alpha, read::alpha)?.as_ref()),
        sections::calibration(&tables, &inputs.versions),
    ])
}

/// The document in its two forms. HTML has a section of all versions, Markdown a page each.
fn files(mut document: Page, versions: &[NamedPlayer], tables: &[GameTable]) -> Vec<File> {
    let names: Vec<_> = versions.iter().map(|version| version.name.as_str()).collect();
    let pages: Vec<_> =
        versions.iter().map(|version| (&version.name, sections::version(version, &names, tables))).collect();
    let mut section = Section::new("versions", "The versions");
    let file_of = |name: &str| format!("{VERSIONS}/{name}.md");
    document.sections.push(section.clone());
    let last = document.sections.len() - 1;
    let links = pages.iter().map(|(name, _)| PageBlock::Link { text: (*name).clone(), to: file_of(name) });
    document.sections[last].blocks = links.collect();
    let (text, drawings) = markdown(&document, FIGURES);
    let mut files = vec![File { name: "report.md".to_owned(), text }];
    files.extend(
        drawings.into_iter().map(|drawing| File { name: format!("{FIGURES}/{}", drawing.name), text: drawing.svg }),
    );
    for (name, blocks) in pages {
        section.blocks.push(PageBlock::Heading(name.clone()));
        section.blocks.extend(blocks.iter().cloned());
        let page = Page { title: format!("Version {name}"), summary: Vec::new(), lead: blocks, sections: Vec::new() };
        files.push(File { name: file_of(name), text: markdown(&page, FIGURES).0 });
    }
    document.sections[last] = section;
    files.insert(0, File { name: "index.html".to_owned(), text: html(&document) });
    files
}
