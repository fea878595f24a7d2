//! `pipeline samegame`.

mod solve;

use std::process::ExitCode;

use clap::Subcommand;

use super::Global;
use super::stages::SamegameStage;

/// Play SameGame, and compare algorithms for it
#[derive(Subcommand)]
pub(super) enum SamegameCommand {
    /// Play one board and print moves and score, or check a list of moves
    Solve(solve::SolveArgs),
    #[command(flatten)]
    Stage(SamegameStage),
}

pub(super) fn run(command: &SamegameCommand, global: &Global) -> anyhow::Result<ExitCode> {
    match command {
        SamegameCommand::Solve(args) => solve::run(args, global),
        SamegameCommand::Stage(_) => unreachable!("a stage runs as one"),
    }
}
