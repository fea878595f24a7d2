//! `pipeline ggp`.

mod check;
mod perft;
mod play;

use std::{path::Path, process::ExitCode};

use clap::Subcommand;

use super::Global;
use mineflow_tasks::ggp_game::Game;

#[derive(Subcommand)]
pub(super) enum GgpCommand {
    /// Read and check a rule sheet: roles, fluents, actions, sizes, random playouts
    Check(check::CheckArgs),
    /// Play a game by hand in the terminal
    Play(play::PlayArgs),
    /// Count lines of play (perft), to compare with published counts
    Perft(perft::PerftArgs),
}

pub(super) fn run(command: &GgpCommand, global: &Global) -> anyhow::Result<ExitCode> {
    match command {
        GgpCommand::Check(args) => check::run(args, global),
        GgpCommand::Play(args) => play::run(args, global),
        GgpCommand::Perft(args) => perft::run(args, global),
    }
}

/// Loads a game within the default limits and prints the notes on its sheet.
fn load(file: &Path, global: &Global) -> anyhow::Result<Game> {
    let game = Game::load(file)?;
    for note in game.notes() {
        global.note(&format!("note: {note}"));
    }
    Ok(game)
}
