//! From inputs to the files of a report.

use super::claim::VerdictRow;
use super::description::Description;
use super::error::ReportError;
use super::inputs::Inputs;
use super::section::{Filled, section};
use super::sources::{SourceFile, Sources};
use super::summary::summary;
use super::versions::versions;
use super::views::strength::strongest;
use crate::html::page as html;
use crate::markdown::page as markdown;
use crate::page::{Page, PageBlock, Section};
use mineflow_arena::to_csv;

/// The folder of the Markdown's charts, its page of all versions, and the table of all verdicts.
const FIGURES: &str = "figures";
const VERSIONS: &str = "versions.md";
const VERDICTS: &str = "verdicts.csv";

/// A section: its id, its description, and the root without which it is left out.
type SectionText = (&'static str, &'static str, Option<&'static str>);

/// What stands above all sections.
const LEAD: &str = include_str!("text/lead.md");

/// The sections in their order.
const SECTIONS: [SectionText; 15] = [
    ("table-4", include_str!("text/table-4.md"), None),
    ("figure-1", include_str!("text/figure-1.md"), None),
    ("figure-2", include_str!("text/figure-2.md"), None),
    ("figure-3", include_str!("text/figure-3.md"), None),
    ("figure-4", include_str!("text/figure-4.md"), None),
    ("figure-5", include_str!("text/figure-5.md"), None),
    ("strength", include_str!("text/strength.md"), Some("play")),
    ("ideas", include_str!("text/ideas.md"), Some("play")),
    ("training", include_str!("text/training.md"), None),
    ("trees", include_str!("text/trees.md"), None),
    ("alpha", include_str!("text/alpha.md"), None),
    ("calibration", include_str!("text/calibration.md"), None),
    (
        "rule-sheets",
        include_str!("text/rule-sheets.md"),
        Some("ggp"),
    ),
    ("more", include_str!("text/more.md"), Some("play")),
    (
        "samegame",
        include_str!("text/samegame.md"),
        Some("samegame"),
    ),
];

/// A file of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Relative to the report's folder, with `/` between its parts.
    pub name: String,
    pub text: String,
}

/// Makes the report: `index.html`, which holds all of it, `report.md` with its charts and a page of all versions, and `verdicts.csv` with
/// what each verdict rests on.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub fn build(inputs: &Inputs) -> Result<Vec<File>, ReportError> {
    let sources = Sources::open(inputs)?;
    let lead = section(&sources, "lead", &Description::parse(LEAD))?
        .section
        .blocks;
    let shown = SECTIONS
        .iter()
        .filter(|(.., root)| root.is_none_or(|root| sources.has(root)));
    let sections = shown.map(|(id, text, _)| section(&sources, id, &Description::parse(text)));
    let mut filled: Vec<Filled> = sections.collect::<Result<_, _>>()?;
    filled.retain(|filled| !filled.section.blocks.is_empty());
    let strongest = inputs
        .strength
        .as_deref()
        .map_or(Ok(Vec::new()), |folder| {
            let file = |name: &str| SourceFile {
                name: name.to_owned(),
                path: Some(folder.join(name)),
            };
            strongest(
                &["strength.csv", "versions.csv", "speed.csv"].map(file),
                &folder.join("worth.csv"),
            )
        })?;
    let title = "Playing and learning Minesweeper: the report".to_owned();
    let summary = summary(&filled, &strongest);
    let verdicts: Vec<_> = filled.iter().flat_map(|filled| &filled.verdicts).collect();
    let verdicts = File {
        name: VERDICTS.to_owned(),
        text: csv(&verdicts),
    };
    let sections = filled.into_iter().map(|filled| filled.section).collect();
    let mut files = files(
        Page {
            title,
            summary,
            lead,
            sections,
        },
        versions(inputs, &sources.games),
    );
    files.push(verdicts);
    Ok(files)
}

/// The verdicts as a table.
fn csv(verdicts: &[&VerdictRow]) -> String {
    let bytes = to_csv(verdicts).expect("verdicts are texts and numbers");
    String::from_utf8(bytes).expect("texts are UTF-8")
}

/// The document in its two forms. HTML has a section of all versions, Markdown a page.
fn files(mut document: Page, versions: Vec<Section>) -> Vec<File> {
    let mut section = Section::new("versions", "The versions");
    let link = PageBlock::Link {
        text: "What each is, what it loads and how it plays".to_owned(),
        to: VERSIONS.to_owned(),
    };
    document.sections.push(Section {
        blocks: vec![link],
        ..section.clone()
    });
    let (text, drawings) = markdown(&document, FIGURES);
    document.sections.pop();
    let mut files = vec![File {
        name: "report.md".to_owned(),
        text,
    }];
    let drawings = drawings.into_iter();
    files.extend(drawings.map(|drawing| File {
        name: format!("{FIGURES}/{}", drawing.name),
        text: drawing.svg,
    }));
    for version in &versions {
        section.heading(version.title.clone());
        section.blocks.extend(version.blocks.iter().cloned());
    }
    document.sections.push(section);
    files.insert(
        0,
        File {
            name: "index.html".to_owned(),
            text: html(&document),
        },
    );
    let page = Page {
        title: "The versions".to_owned(),
        summary: Vec::new(),
        lead: Vec::new(),
        sections: versions,
    };
    files.push(File {
        name: VERSIONS.to_owned(),
        text: markdown(&page, FIGURES).0,
    });
    files
}

#[cfg(test)]
mod tests {
    use super::super::description::{DataText, Node};
    use super::super::views::VIEWS;
    use super::*;

    #[test]
    fn every_description_can_be_read() {
        let descriptions = SECTIONS.iter().map(|(_, text, _)| Description::parse(text));
        for node in descriptions.flat_map(|description| description.nodes) {
            match node {
                Node::Data(DataText {
                    view: Some(view), ..
                }) => {
                    assert!(VIEWS.iter().any(|(known, _)| *known == view), "{view}");
                }
                Node::Claim(claim) => assert_eq!(
                    claim.margin != 0.0,
                    !claim.reason.is_empty(),
                    "{}",
                    claim.id
                ),
                _ => {}
            }
        }
        let empty = Inputs {
            strength: Some("none".into()),
            samegame: Some("none".into()),
            ..Inputs::default()
        };
        assert!(build(&empty).is_ok());
    }
}
