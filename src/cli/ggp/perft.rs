//! `pipeline ggp perft`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use crate::Global;
use crate::output::to_stdout;
use mineflow_document::numbers::grouped;
use mineflow_gdl::GroundingLimits;
use mineflow_gdl::perft::{PerftCount, perft_by};
use mineflow_stage::definition::json_lines;
use mineflow_stage_games::ggp_fault::fault_of;
use mineflow_stage_games::ggp_game::{Game, TooLarge};

#[derive(Args)]
pub(crate) struct PerftArgs {
    /// A rule sheet in KIF
    file: PathBuf,
    /// Joint moves of the longest line
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
}

#[derive(Serialize)]
struct Row {
    depth: usize,
    lines: u64,
}

pub(super) fn run(args: &PerftArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let game = Game::load(&args.file, &GroundingLimits::default(), TooLarge::Interpret)?;
    game.notes().iter().for_each(|note| global.note(&format!("note: {note}")));
    let mut engine = game.engines()?.engine();
    for depth in 1..=args.depth {
        let row =
            Row { depth, lines: perft_by(&mut *engine, PerftCount::Lines { depth }).map_err(fault_of(&args.file))? };
        to_stdout(&if global.json { json_lines(&[row])? } else { format!("{depth:>3}  {}\n", grouped(row.lines)) })?;
    }
    Ok(ExitCode::SUCCESS)
}
