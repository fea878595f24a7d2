//! `pipeline ggp`.

mod bench;
mod check;
mod matches;
mod perft;
mod play;
mod solve;
mod table;

use std::process::ExitCode;

use clap::Subcommand;

use super::Global;

#[derive(Subcommand)]
pub(super) enum GgpCommand {
    /// Read and check a rule sheet: roles, fluents, actions, sizes, random playouts
    Check(check::CheckArgs),
    /// Play by hand in the terminal
    Play(play::PlayArgs),
    /// Let uct, mac-ucb and fc-ucb play each other
    Match(matches::MatchArgs),
    /// Play the series of the paper's tables 3 and 4 and of its figure 6, and write them as CSV
    Table(table::TableArgs),
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
        GgpCommand::Match(args) => matches::run(args, global),
        GgpCommand::Table(args) => table::run(args, global),
        GgpCommand::Perft(args) => perft::run(args, global),
        GgpCommand::Solve(args) => solve::run(args, global),
        GgpCommand::Bench(args) => bench::run(args, global),
    }
}
