//! From the description of a section to its blocks.

use std::path::PathBuf;

use super::claim::{VerdictRow, finding};
use super::data::Data;
use super::description::{ClaimText, Description, Grid, Node};
use super::error::ReportError;
use super::figure::figure;
use super::load::{Loaded, load};
use super::row::Row;
use super::sources::Sources;
use super::template::fill;
use crate::page::{PageBlock, Section};
use mineflow_arena::PageTable;

/// In a table: a column for each of the data's.
const COLUMNS: &str = "{..";

/// What a description gives.
pub(super) struct Filled {
    pub(super) section: Section,
    /// The verdicts on its claims, case by case.
    pub(super) verdicts: Vec<VerdictRow>,
}

/// The section that a description gives.
///
/// # Errors
/// A file that exists and can't be read, or isn't what it should be.
pub(super) fn section(
    sources: &Sources<'_>,
    id: &str,
    description: &Description,
) -> Result<Filled, ReportError> {
    let filled = Filled {
        section: Section::new(id, &description.title),
        verdicts: Vec::new(),
    };
    let mut filler = Filler { sources, filled };
    filler.put_all(&description.nodes)?;
    Ok(filler.filled)
}

struct Filler<'a> {
    sources: &'a Sources<'a>,
    filled: Filled,
}

impl Filler<'_> {
    /// Parts of a section, each with data of its own.
    fn put_all(&mut self, nodes: &[Node]) -> Result<(), ReportError> {
        // What stands before any data is shown.
        let mut rest = self.put(nodes, Some(&Data::default()))?;
        while let [first, after @ ..] = rest {
            rest = match first {
                Node::Part(title) => {
                    self.filled.section.heading(title.clone());
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
                Node::Data(text) => self.put_loaded(after, load(self.sources, text, |_| true)?)?,
                _ => unreachable!("every other node is put with those before it"),
            };
        }
        Ok(())
    }

    fn put_loaded<'n>(
        &mut self,
        nodes: &'n [Node],
        loaded: Loaded,
    ) -> Result<&'n [Node], ReportError> {
        loaded
            .missing
            .into_iter()
            .for_each(|text| self.filled.section.miss(text));
        self.put(
            nodes,
            (!loaded.data.rows.is_empty()).then_some(&loaded.data),
        )
    }

    /// Puts blocks up to the next part or data, and gives those from there on. Without data claims alone are shown, as not run.
    fn put<'n>(
        &mut self,
        nodes: &'n [Node],
        data: Option<&Data>,
    ) -> Result<&'n [Node], ReportError> {
        let end = nodes
            .iter()
            .position(|node| matches!(node, Node::Part(_) | Node::Data(_)))
            .unwrap_or(nodes.len());
        for node in &nodes[..end] {
            match (data, node) {
                (Some(data), _) => self.put_block(node, data)?,
                (None, Node::Claim(claim)) => self.put_claim(claim, &Data::default()),
                (None, _) => {}
            }
        }
        Ok(&nodes[end..])
    }

    fn put_block(&mut self, node: &Node, data: &Data) -> Result<(), ReportError> {
        match node {
            Node::Heading(title) => fill(title, &data.facts)
                .into_iter()
                .for_each(|title| self.filled.section.heading(title)),
            Node::Text(text) => fill(text, &data.facts)
                .into_iter()
                .for_each(|text| self.filled.section.say(text)),
            Node::Grid(grid) => self.filled.section.table(table(grid, data)),
            Node::Figure(text) => {
                let Some(mut figure) = figure(text, data) else {
                    return Ok(());
                };
                let is_behind = |file: &&PathBuf| {
                    text.files.is_empty() || text.files.iter().any(|name| file.ends_with(name))
                };
                for file in data.files.iter().filter(is_behind) {
                    figure.sources.push(self.sources.describe(file)?);
                }
                self.filled.section.figure(figure);
            }
            Node::Claim(claim) => self.put_claim(claim, data),
            Node::Part(_) | Node::Data(_) => {}
        }
        Ok(())
    }

    /// A finding stands with the figure or the findings before it.
    fn put_claim(&mut self, claim: &ClaimText, data: &Data) {
        let rows = data.named(claim.rows.as_deref());
        let (found, verdicts) = finding(&self.filled.section.id, claim, rows, &data.facts);
        self.filled.verdicts.extend(verdicts);
        match self.filled.section.blocks.last_mut() {
            Some(PageBlock::Figure(figure)) => figure.findings.push(found),
            Some(PageBlock::Findings(findings)) => findings.push(found),
            _ => self.filled.section.findings([found]),
        }
    }
}

/// A table with the values of the data.
fn table(grid: &Grid, data: &Data) -> PageTable {
    let header = grid
        .header
        .iter()
        .flat_map(|(name, align)| match name.starts_with(COLUMNS) {
            true => data
                .columns
                .iter()
                .map(|column| (column.clone(), *align))
                .collect(),
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
    let repeated = data
        .rows
        .iter()
        .flat_map(|row| repeated.iter().map(|cells| line(cells, row)));
    PageTable {
        header: header.collect(),
        rows: literal.chain(repeated).collect(),
    }
}
