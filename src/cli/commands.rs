//! All commands.

use clap::Subcommand;
use clap_complete::Shell;

use super::{
    bench, boards, engine, ggp, merge, models, optimum, players, replay, run, samegame, solve,
};
use mineflow_tasks::help::{EXIT_CODES, examples};

/// A command that can't be a stage of a pipeline, with its own arguments, without the global options.
#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(after_help = examples(
        &[
            "serve",
            "serve --runs runs --port 8080",
            "serve --replays games.jsonl --player corner-first+dss+posterior+least-mine",
        ],
        "",
    ))]
    Serve(mineflow_serve::ServeArgs),
    Engine(engine::EngineArgs),
    Solve(solve::SolveArgs),
    Replay(replay::ReplayArgs),
    Boards(boards::BoardsArgs),
    Optimum(optimum::OptimumArgs),
    Players(players::PlayersArgs),
    /// Play fixed games: print games per CPU second and a signature of all decisions
    Bench(bench::BenchArgs),
    /// Show, check and split data folders, and compute rows of another feature set
    #[cfg(feature = "train")]
    #[command(subcommand)]
    Data(super::data::DataCommand),
    /// List, describe, check and import the trained models that players load
    Models(models::ModelsArgs),
    /// Bring a pipeline up to date: run its outdated stages in order
    Run(run::RunArgs),
    Merge(merge::MergeArgs),
    #[command(subcommand)]
    Samegame(samegame::SamegameCommand),
    /// Check, play and measure general games given as rule sheets
    #[command(subcommand, after_help = EXIT_CODES)]
    Ggp(ggp::GgpCommand),
    /// Print a completion script for a shell
    #[command(after_help = examples(&["completions bash", "completions zsh"], ""))]
    Completions {
        /// Choose the shell
        shell: Shell,
    },
}

/// The headings of the list of commands, with their commands.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Play and analyse",
        &["serve", "solve", "replay", "boards", "optimum"],
    ),
    (
        "Measure players",
        &[
            "players",
            "eval",
            "compare",
            "guess-set",
            "score",
            "calibrate",
            "bench",
            "engine",
        ],
    ),
    (
        "Learn",
        &[
            "generate",
            "train-trees",
            "train-network",
            "train-classifier",
            "train-q",
            "fit-alpha",
            "choose",
            "tune",
            "data",
            "models",
        ],
    ),
    ("Whole experiments", &["run", "merge", "report"]),
    ("Other games", &["samegame", "ggp"]),
    ("This program", &["completions", "help"]),
];
