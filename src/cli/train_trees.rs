//! `pipeline train-trees`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::output::{Align, grouped, percent, table, to_stdout};
use super::progress::Meter;
use super::{Global, interrupt};
use crate::learn::train::trees::TreesSettings;
use crate::minesweeper::features::LocationScore;
use crate::minesweeper::player::PlayerSpec;
use crate::stage::train_trees::{TrainTrees, TreesData, TreesEnd, TreesProgress, TreesResult};
use crate::stage::values::switch;

#[derive(Args)]
pub(super) struct TrainTreesArgs {
    /// Learn from a folder that `pipeline generate` made: its training games; the others stop and judge
    #[arg(long, value_name = "DIR", required_unless_present = "rows", conflicts_with = "rows")]
    data: Option<PathBuf>,
    /// In place of --data: so many rows of new games on the main paper's boards, kept in memory alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,
    /// With --rows: who plays
    #[arg(long, value_name = "PLAYER", default_value = "4.0", requires = "rows")]
    player: PlayerSpec,
    /// With --rows: location score of the features, opening or printed
    #[arg(long, value_name = "SCORE", default_value = "opening", requires = "rows")]
    location_score: LocationScore,
    /// Folder for the artifact, metrics and a checkpoint; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Trees at most; more are hardly better at their task and slower at play
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Rounds without a better validation log-loss after which growing stops
    #[arg(long, value_name = "N", default_value = "10")]
    patience: NonZeroUsize,
    /// How much of what a tree says is added (eta)
    #[arg(long, value_name = "R", default_value_t = 0.3)]
    learning_rate: f64,
    /// Splits from root to leaf, at most
    #[arg(long, value_name = "N", default_value = "6")]
    depth: NonZeroUsize,
    /// L2 regularisation of the leaves (lambda)
    #[arg(long, value_name = "R", default_value_t = 1.0)]
    l2: f64,
    /// Least weight of a leaf (min_child_weight)
    #[arg(long, value_name = "R", default_value_t = 1.0)]
    leaf_weight: f64,
    /// Values that are told apart in a column (max_bin)
    #[arg(long, value_name = "N", default_value_t = 256)]
    bins: usize,
    /// Rounds from one checkpoint to the next; each costs a pass of all rows through all trees so far
    #[arg(long, value_name = "N", default_value = "50")]
    checkpoint_every: NonZeroUsize,
    /// Games of player 5.0 with the trees on the beginner's board at the end; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000)]
    eval_games: u32,
    /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", action = clap::ArgAction::Set, value_parser = switch)]
    symmetries: bool,
}

pub(super) fn run(args: &TrainTreesArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let data = match (&args.data, args.rows) {
        (Some(path), _) => TreesData::Folder(path.clone()),
        (None, rows) => TreesData::SelfPlay {
            player: args.player.clone(),
            rows: rows.unwrap_or_default(),
            score: args.location_score,
        },
    };
    let growing = TreesSettings {
        rounds: args.rounds as usize,
        patience: args.patience,
        learning_rate: args.learning_rate,
        depth: args.depth,
        l2: args.l2,
        leaf_weight: args.leaf_weight,
        bins: args.bins,
    };
    let (checkpoint_every, seed, threads) = (args.checkpoint_every.get(), global.seed, global.threads());
    let (eval_games, symmetries, out) = (args.eval_games, args.symmetries, args.out.clone());
    let stage = TrainTrees { data, growing, checkpoint_every, eval_games, symmetries, seed, threads, out };
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let end = stage.run(stop, &mut |progress| {
        let done = match progress {
            TreesProgress::GettingRows => 0,
            TreesProgress::Growing { round, .. } => round.round as u64,
            TreesProgress::Judging => args.rounds.into(),
        };
        meter.say(done, args.rounds.into(), in_words(progress));
    });
    meter.finish();
    let out = args.out.display();
    let result = match end? {
        TreesEnd::Finished(result) => result,
        TreesEnd::AlreadyFinished(result) => {
            global.note(&format!("note: this training was finished before and is in {out}; nothing is left to do"));
            result
        }
        TreesEnd::Stopped { rounds } => {
            global.note(&format!("interrupted: {rounds} rounds are kept in {out}; the same command goes on there"));
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
    };
    to_stdout(&if global.json { format!("{}\n", json!(result)) } else { for_people(&result) })?;
    Ok(ExitCode::SUCCESS)
}

fn in_words(progress: TreesProgress) -> String {
    match progress {
        TreesProgress::GettingRows => "getting rows".to_owned(),
        TreesProgress::Growing { round, rounds, rows_per_second } => format!(
            "round {} of {rounds}, validation log-loss {:.6}, {} rows/s",
            round.round,
            round.validation_log_loss,
            grouped(rows_per_second as u64)
        ),
        TreesProgress::Judging => "judging".to_owned(),
    }
}

fn for_people(result: &TreesResult) -> String {
    let header = [
        ("rows", Align::Right),
        ("trees", Align::Right),
        ("validation log-loss", Align::Right),
        ("test log-loss", Align::Right),
        ("test AUC", Align::Right),
        ("AUC of P alone", Align::Right),
        ("won %", Align::Right),
        ("read back within", Align::Right),
        ("sha256", Align::Left),
    ];
    let row = [
        grouped(result.train_rows as u64),
        result.trees.to_string(),
        format!("{:.6}", result.validation_log_loss),
        format!("{:.6}", result.test_log_loss),
        format!("{:.6}", result.test_auc),
        format!("{:.6}", result.auc_of_p_alone),
        result.win_ratio.map_or_else(|| "-".to_owned(), percent),
        format!("{:.1e}", result.largest_difference),
        result.sha256[..12].to_owned(),
    ];
    table(header, &[row])
}
