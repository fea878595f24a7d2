//! `pipeline ggp`.

mod bench;
mod check;
mod perft;
mod play;
mod solve;

use std::process::ExitCode;

use clap::Subcommand;

use super::Global;

#[derive(Subcommand)]
pub(super) enum GgpCommand {
    /// Read and check a rule sheet: roles, fluents, actions, sizes, random playouts
    Check(check::CheckArgs),
    /// Play by hand in the terminal
    Play(play::PlayArgs),
    /// Count lines of play, to be compared with published figures
    Perft(perft::PerftArgs),
    /// Compute, for a game of few states, what each role can expect of best, random and flat play, exactly
    Solve(solve::SolveArgs),
    /// Measure random playouts
    Bench(bench::BenchArgs),
}

pub(super) fn run(command: &GgpCommand, global: &Global) -> anyhow::Result<ExitCode> {
    match command {
        GgpCommand::Check(args) => check::run(args, global),
        GgpCommand::Play(args) => play::run(args, global),
        GgpCommand::Perft(args) => perft::run(args, global),
        GgpCommand::Solve(args) => solve::run(args, global),
        GgpCommand::Bench(args) => bench::run(args, global),
    }
}
