//! All commands.

use clap::Subcommand;
use serde_json::{Map, Value};

use super::{bench, boards, completions, ggp, merge, models, optimum, players, replay, run, samegame, solve};
use mineflow_report::Report;
use mineflow_tasks::calibrate::Calibrate;
use mineflow_tasks::compare::Compare;
use mineflow_tasks::eval::Eval;
use mineflow_tasks::help::{EXIT_CODES, examples};
use mineflow_tasks::{Stage, settings_of};

/// A command line below the global options. Those with a row in [`TASKS`](mineflow_tasks::table::TASKS) can be stages of pipelines.
#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
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
    Solve(solve::SolveArgs),
    Replay(replay::ReplayArgs),
    Boards(boards::BoardsArgs),
    Optimum(optimum::OptimumArgs),
    Players(players::PlayersArgs),
    Eval(Eval),
    Compare(Compare),
    Calibrate(Calibrate),
    /// Play fixed games with every player: games per processor second, and a signature of all decisions
    Bench(bench::BenchArgs),
    #[cfg(feature = "data")]
    Generate(mineflow_tasks::generate::Generate),
    #[cfg(feature = "train")]
    TrainTrees(mineflow_tasks::train_trees::TrainTrees),
    #[cfg(feature = "train")]
    TrainClassifier(mineflow_tasks::train_classifier::TrainClassifier),
    #[cfg(feature = "train")]
    TrainQ(mineflow_tasks::train_q::TrainQ),
    #[cfg(feature = "train")]
    FitAlpha(mineflow_tasks::fit_alpha::FitAlpha),
    #[cfg(feature = "train")]
    TrainRanker(mineflow_tasks::train_ranker::TrainRanker),
    /// Show, check and split data folders, and compute other rows from them
    #[cfg(feature = "data")]
    #[command(subcommand)]
    Data(super::data::DataCommand),
    /// List, describe, check and import the trained models that players load
    Models(models::ModelsArgs),
    /// Bring a pipeline up to date: run its outdated stages, one after the other
    Run(run::RunArgs),
    Merge(merge::MergeArgs),
    Report(Report),
    #[command(subcommand)]
    Samegame(samegame::SamegameCommand),
    /// General games from rule sheets: check, play, measure
    #[command(subcommand, after_help = EXIT_CODES)]
    Ggp(ggp::GgpCommand),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
}

/// The headings of the list of commands, with their commands in order.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("Play and analyse", &["serve", "solve", "replay", "boards", "optimum"]),
    ("Measure players", &["players", "eval", "compare", "calibrate", "bench"]),
    (
        "Learn",
        &["generate", "train-trees", "train-classifier", "train-q", "fit-alpha", "train-ranker", "data", "models"],
    ),
    ("Whole experiments", &["run", "merge", "report"]),
    ("Other games", &["samegame", "ggp"]),
    ("This program", &["completions", "help"]),
];

/// A command that can be a stage, with its settings by name.
pub struct Task<'a> {
    pub stage: &'a dyn Stage,
    pub settings: Map<String, Value>,
}

fn task<S: Stage + serde::Serialize>(stage: &S) -> Option<Task<'_>> {
    Some(Task { stage, settings: settings_of(stage) })
}

impl Command {
    /// The stage that the command can be; `None` if it can't.
    pub(crate) fn task(&self) -> Option<Task<'_>> {
        match self {
            Self::Eval(eval) => task(eval),
            Self::Compare(compare) => task(compare),
            Self::Calibrate(calibrate) => task(calibrate),
            #[cfg(feature = "data")]
            Self::Generate(generate) => task(generate),
            #[cfg(feature = "train")]
            Self::TrainTrees(train) => task(train),
            #[cfg(feature = "train")]
            Self::TrainClassifier(train) => task(train),
            #[cfg(feature = "train")]
            Self::TrainQ(train) => task(train),
            #[cfg(feature = "train")]
            Self::FitAlpha(fit) => task(fit),
            #[cfg(feature = "train")]
            Self::TrainRanker(train) => task(train),
            Self::Report(report) => task(report),
            Self::Samegame(samegame::SamegameCommand::Eval(eval)) => task(eval),
            Self::Samegame(samegame::SamegameCommand::Tune(tune)) => task(tune),
            Self::Ggp(ggp::GgpCommand::Match(play)) => task(play),
            _ => None,
        }
    }
}
