//! `pipeline ggp perft`.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;

use super::load;
use crate::Global;
use mineflow_arena::numbers::grouped;
use mineflow_gdl::perft::perft;
use mineflow_tasks::{ggp_fault::fault_of, help::examples};

#[derive(Args)]
#[command(after_help = examples(
    &[
        "ggp perft pipelines/ggp/tic-tac-toe.kif --depth 9",
        "ggp perft pipelines/ggp/chess.kif --depth 2",
    ],
    "",
))]
pub(crate) struct PerftArgs {
    /// Read this rule sheet in KIF
    file: PathBuf,
    /// Count lines of up to N joint moves
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
}

pub(super) fn run(args: &PerftArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let game = load(&args.file, global)?;
    let mut engine = game.engines()?.engine();
    for depth in 1..=args.depth {
        let lines = perft(&mut *engine, depth).map_err(fault_of(&args.file))?;
        global.print([json!({"depth": depth, "lines": lines})], || {
            format!("{depth:>3}  {}\n", grouped(lines))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
