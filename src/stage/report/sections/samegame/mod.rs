//! SameGame: tables 1 to 7 and figure 2 of the SP-MCTS paper.

mod parts;
mod positions;
mod restarts;
mod search;
mod tuning;
mod variants;

use crate::document::{Block, Section};
use crate::stage::report::error::ReportError;
use crate::stage::report::read::{SamegameRow, SamegameTables};

/// The pipelines whose stages make the tables.
const RANDOM: &str = "pipelines/sp-mcts.toml";
const POSITIONS: &str = "pipelines/sp-mcts-positions.toml";

/// Everything that the tables of a folder show.
pub(crate) fn samegame(tables: &SamegameTables) -> Result<Section, ReportError> {
    let mut section = Section::new("samegame", "SameGame");
    section.say(
        "Section 6 of the SP-MCTS paper (Schadd and others), beside ours: mean points on seeded random boards of 15x15 cells and 5 \
         colours with 95 % intervals; differences on the same boards have those of the differences. The paper plays its own 250 boards. \
         Exploitation, balanced and exploration stand for (C; D) = (0.1; 32), (0.5; 10,000) and (1; 20,000); \
         rewards are in hundreds of points, as the paper's constants behave only so.",
    );
    let mut page = Page { section, tables };
    search::strategies(&mut page)?;
    search::settings(&mut page)?;
    restarts::restarts(&mut page)?;
    search::scopes(&mut page)?;
    search::final_moves(&mut page)?;
    tuning::tuning(&mut page)?;
    tuning::tuned(&mut page)?;
    positions::standard(&mut page)?;
    positions::own_boards(&mut page)?;
    variants::variants(&mut page)?;
    variants::rivals(&mut page)?;
    Ok(page.section)
}

/// The section as far as it is written, and what it is written from.
struct Page<'a> {
    section: Section,
    tables: &'a SamegameTables,
}

impl Page<'_> {
    fn put(&mut self, block: Block) {
        self.section.blocks.push(block);
    }

    /// Begins a part under its title and gives the rows of these stages of a pipeline; a line names those that are missing.
    fn begin(&mut self, title: &str, pipeline: &str, stages: &[&str]) -> Result<Vec<SamegameRow>, ReportError> {
        self.put(Block::Heading(title.to_owned()));
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for stage in stages {
            match self.tables.rows(stage)? {
                Some(table) => rows.extend(table),
                None => missing.push(*stage),
            }
        }
        self.miss(pipeline, &missing);
        Ok(rows)
    }

    /// Says what makes the stages that are missing.
    fn miss(&mut self, pipeline: &str, missing: &[&str]) {
        if !missing.is_empty() {
            self.put(Block::Missing(format!(
                "Missing: `pipeline run {pipeline} {}` makes what belongs here.",
                missing.join(" ")
            )));
        }
    }
}
