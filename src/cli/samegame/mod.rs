//! `pipeline samegame`.

mod solve;

use std::process::ExitCode;

use clap::Subcommand;

use super::Global;

/// Play SameGame, and compare algorithms for it
#[derive(Subcommand)]
pub(super) enum SamegameCommand {
    /// Play one board and print moves and score, or check a list of moves
    Solve(solve::SolveArgs),
}

pub(super) fn run(command: &SamegameCommand, global: &Global) -> anyhow::Result<ExitCode> {
    match command {
        SamegameCommand::Solve(args) => solve::run(args, global),
    }
}
