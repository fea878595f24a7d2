//! `pipeline samegame`.

mod solve;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::Global;
use mineflow_samegame::COLOURS;
use mineflow_tasks::samegame::{ALGORITHMS, Size};

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

/// Settings of random boards.
#[derive(Args)]
struct RandomArgs {
    /// Set the size of random boards, up to 25x25
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "15x15")]
    size: Size,
    /// Set the number of colours of random boards
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=COLOURS as i64))]
    colours: u8,
}
