//! SameGame: tables 1 to 7 and figure 2 of the SP-MCTS paper.

mod parts;
mod positions;
mod restarts;
mod search;
mod tuning;
mod variants;

use crate::error::ReportError;
use crate::read::{SamegameResult, SamegameTables};
use mineflow_document::Section;

/// The pipelines whose stages make the tables.
const RANDOM: &str = "pipelines/sp-mcts.toml";
const POSITIONS: &str = "pipelines/sp-mcts-positions.toml";

/// A part of the section: its title, the pipeline and the stages whose results it shows, and what writes it if there are any.
type SectionPart = (&'static str, &'static str, &'static [&'static str], fn(&mut Section, Vec<SamegameResult>));

/// The parts before table 5, which is made of other tables.
const FIRST_PARTS: [SectionPart; 5] = [
    (
        "Table 1: simulation strategies",
        RANDOM,
        // TabuColorRandom is the balanced setting of table 2.
        &["table-1", "table-1-50", "table-1-10", "table-2", "table-2-50", "table-2-10"],
        search::strategies,
    ),
    (
        "Table 2: exploitation against exploration",
        RANDOM,
        &["table-2", "table-2-50", "table-2-10", "table-2-points"],
        search::settings,
    ),
    ("Figure 2: randomised restarts", RANDOM, &["figure-2"], restarts::restarts),
    ("Table 3: a search a game or a search a move", RANDOM, &["table-3"], search::scopes),
    ("Table 4: the final move", RANDOM, &["table-4"], search::final_moves),
];

/// The parts after table 5.
const LAST_PARTS: [SectionPart; 6] = [
    ("Table 6: tuned settings against manual ones", RANDOM, &["table-6"], tuning::tuned),
    (
        "Table 7: the standard 20 positions",
        POSITIONS,
        &["table-7", "table-7-games", "table-7-ten-minutes", "table-7-best", "table-7-rivals"],
        positions::standard,
    ),
    ("The paper's 250 positions", POSITIONS, &["positions-250", "positions-250-restarts"], positions::own_boards),
    ("Other readings, one search a game", RANDOM, &["variants-game"], variants::variants),
    ("Other readings, a search a move", RANDOM, &["variants-move"], variants::variants),
    ("Other algorithms", RANDOM, &["rivals"], variants::rivals),
];

/// Everything that the tables of a folder show.
pub(crate) fn samegame(tables: &SamegameTables) -> Result<Section, ReportError> {
    let mut section = Section::new("samegame", "SameGame");
    section.say(
        "Section 6 of the SP-MCTS paper (Schadd and others), beside ours: mean points on seeded random boards of 15x15 cells and 5 \
         colours with 95 % intervals; differences on the same boards have those of the differences. The paper plays its own 250 boards. \
         Exploitation, balanced and exploration stand for (C; D) = (0.1; 32), (0.5; 10,000) and (1; 20,000); \
         rewards are in hundreds of points, as the paper's constants behave only so.",
    );
    put(&mut section, &FIRST_PARTS, tables)?;
    section.heading("Table 5: settings by the Cross-Entropy Method");
    let runs = found(&mut section, RANDOM, &tuning::STAGES, |stage| tables.distribution(stage))?;
    if !runs.is_empty() {
        tuning::tuning(&mut section, &runs);
    }
    put(&mut section, &LAST_PARTS, tables)?;
    Ok(section)
}

/// Appends parts, each under its title.
fn put(section: &mut Section, parts: &[SectionPart], tables: &SamegameTables) -> Result<(), ReportError> {
    for (title, pipeline, stages, write) in parts {
        section.heading(*title);
        let results = found(section, pipeline, stages, |stage| tables.results(stage))?;
        let results: Vec<_> = results.into_iter().flat_map(|(_, results)| results).collect();
        if !results.is_empty() {
            write(section, results);
        }
    }
    Ok(())
}

/// The tables that `read` finds of these stages, each with its stage. A line names those that are missing, and what makes them.
fn found<'a, T>(
    section: &mut Section,
    pipeline: &str,
    stages: &[&'a str],
    read: impl Fn(&str) -> Result<Option<T>, ReportError>,
) -> Result<Vec<(&'a str, T)>, ReportError> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for stage in stages {
        match read(stage)? {
            Some(table) => found.push((*stage, table)),
            None => missing.push(*stage),
        }
    }
    if !missing.is_empty() {
        let stages = missing.join(" ");
        section.miss(format!("Missing: `pipeline run {pipeline} {stages}` makes what belongs here."));
    }
    Ok(found)
}
