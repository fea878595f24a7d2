//! From the description of a section to its blocks.

use std::path::PathBuf;

use super::claim::findings;
use super::data::Data;
use super::description::{Description, Grid, Node};
use super::error::ReportError;
use super::figure::figure;
use super::load::{Loaded, load};
use super::row::Row;
use super::sources::Sources;
use super::template::fill;
use super::views::boards;
use mineflow_document::{Finding, PageBlock, PageTable, Section};

/// In a table: a column for each of the data's.
const COLUMNS: &str = "{..";

/// The section that a description gives.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub(super) fn section(sources: &Sources<'_>, id: &str, description: &Description) -> Result<Section, ReportError> {
    let mut filler = Filler { sources, section: Section::new(id, &description.title) };
    filler.put_all(&description.nodes)?;
    Ok(filler.section)
}

struct Filler<'a> {
    sources: &'a Sources<'a>,
    section: Section,
}

impl Filler<'_> {
    /// Parts of a section, each with data of its own.
    fn put_all(&mut self, nodes: &[Node]) -> Result<(), ReportError> {
        // What stands before any data is shown.
        let mut rest = self.put(nodes, Some(&Data::default()))?;
        while let [first, after @ ..] = rest {
            rest = match first {
                Node::Part(title) => {
                    self.section.heading(title.clone());
                    self.put(after, Some(&Data::default()))?
                }
                Node::Data(text) if text.each => {
                    let mut left = after;
                    for at in 0..self.sources.files(text).len() {
                        let loaded = load(self.sources, text, |file| file == at)?;
                        left = self.put_loaded(after, loaded)?;
                    }
                    left
                }
                Node::Data(text) => {
                    let loaded = load(self.sources, text, |_| true)?;
                    self.put_loaded(after, loaded)?
                }
                _ => unreachable!("every other node is put with those before it"),
            };
        }
        Ok(())
    }

    fn put_loaded<'n>(&mut self, nodes: &'n [Node], loaded: Loaded) -> Result<&'n [Node], ReportError> {
        loaded.missing.into_iter().for_each(|text| self.section.miss(text));
        self.put(nodes, (!loaded.data.rows.is_empty()).then_some(&loaded.data))
    }

    /// Puts blocks up to the next part or data, and gives those from there on. Nothing is shown without data.
    fn put<'n>(&mut self, nodes: &'n [Node], data: Option<&Data>) -> Result<&'n [Node], ReportError> {
        let end = nodes.iter().position(|node| matches!(node, Node::Part(_) | Node::Data(_))).unwrap_or(nodes.len());
        if let Some(data) = data {
            for node in &nodes[..end] {
                self.put_block(node, data)?;
            }
        }
        Ok(&nodes[end..])
    }

    fn put_block(&mut self, node: &Node, data: &Data) -> Result<(), ReportError> {
        match node {
            Node::Heading(title) => fill(title, &data.facts).into_iter().for_each(|title| self.section.heading(title)),
            Node::Text(text) => fill(text, &data.facts).into_iter().for_each(|text| self.section.say(text)),
            Node::Grid(grid) => self.section.table(table(grid, data)),
            Node::Figure(text) => {
                let Some(mut figure) = figure(text, data) else { return Ok(()) };
                let is_behind =
                    |file: &&PathBuf| text.files.is_empty() || text.files.iter().any(|name| file.ends_with(name));
                for file in data.files.iter().filter(is_behind) {
                    figure.sources.push(self.sources.describe(file)?);
                }
                self.section.figure(figure);
            }
            Node::Claim(claim) => {
                let rows = data.named(claim.rows.as_deref());
                self.put_findings(findings(claim, rows, &data.facts));
            }
            Node::Boards => boards::put(&mut self.section, data, self.sources)?,
            Node::Part(_) | Node::Data(_) => {}
        }
        Ok(())
    }

    /// Findings stand with the figure or the findings before them.
    fn put_findings(&mut self, found: Vec<Finding>) {
        match self.section.blocks.last_mut() {
            _ if found.is_empty() => {}
            Some(PageBlock::Figure(figure)) => figure.findings.extend(found),
            Some(PageBlock::Findings(findings)) => findings.extend(found),
            _ => self.section.findings(found),
        }
    }
}

/// A table with the values of the data.
fn table(grid: &Grid, data: &Data) -> PageTable {
    let header = grid.header.iter().flat_map(|(name, align)| match name.starts_with(COLUMNS) {
        true => data.columns.iter().map(|column| (column.clone(), *align)).collect(),
        false => vec![(fill(name, &data.facts).unwrap_or_default(), *align)],
    });
    let line = |cells: &[String], row: &Row| -> Vec<String> {
        let cell = |cell: &String| match cell.strip_prefix(COLUMNS) {
            Some(form) => {
                let of = |at: usize| fill(&format!("{{{at}{form}"), row).unwrap_or_default();
                (0..data.columns.len()).map(of).collect()
            }
            None => vec![fill(cell, row).unwrap_or_default()],
        };
        cells.iter().flat_map(cell).collect()
    };
    let is_literal = |cells: &&Vec<String>| !cells.iter().any(|cell| cell.contains('{'));
    let (literal, repeated): (Vec<_>, Vec<_>) = grid.rows.iter().partition(is_literal);
    let literal = literal.into_iter().cloned();
    let repeated = data.rows.iter().flat_map(|row| repeated.iter().map(|cells| line(cells, row)));
    PageTable { header: header.collect(), rows: literal.chain(repeated).collect() }
}
