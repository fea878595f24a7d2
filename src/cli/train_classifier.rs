//! `pipeline train-classifier`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::training::{LearningArgs, tell_overfit, train};
use super::{Global, interrupt};
use crate::minesweeper::features::LocationScore;
use crate::minesweeper::player::PlayerSpec;
use crate::stage::generate::FirstCell;
use crate::stage::train_classifier::{ClassifierData, Iterative, TrainClassifier};
use crate::stage::values::switch;

/// Rows a step where none is given.
const BATCH: u32 = 1024;

#[derive(Args)]
pub(super) struct TrainClassifierArgs {
    /// Learn from the training games of a folder that `pipeline generate` made
    #[arg(long, value_name = "DIR", required_unless_present = "iterative", conflicts_with = "iterative")]
    data: Option<PathBuf>,
    /// How often the rows of --data are learnt from
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "iterative")]
    epochs: u32,
    /// Algorithm 4: in every episode new rows, from games of the network as it is
    #[arg(long)]
    iterative: bool,
    /// With --iterative: number of episodes
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "data")]
    episodes: u32,
    /// With --iterative: rows an episode, those of one game of ten held out
    #[arg(long, value_name = "N", default_value_t = 700_000, value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with = "data")]
    rows: u64,
    /// With --iterative: the network to start from
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    from: Option<PathBuf>,
    /// With --iterative: who plays as long as there is no network
    #[arg(long, value_name = "PLAYER", default_value = "4.0", conflicts_with_all = ["data", "from"])]
    player: PlayerSpec,
    /// With --iterative: location score of the features, opening or printed
    #[arg(long, value_name = "SCORE", default_value = "opening", conflicts_with_all = ["data", "from"])]
    score: LocationScore,
    /// With --iterative: rows of first clicks too, with the label: was the game won?
    #[arg(long, conflicts_with = "data")]
    first_clicks: bool,
    /// With --first-clicks: where games begin: own (where the player chooses), corner or anywhere
    #[arg(long, value_name = "WHERE", default_value_t, requires = "first_clicks")]
    first_cell: FirstCell,
    /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", action = clap::ArgAction::Set, value_parser = switch)]
    symmetries: bool,
    #[command(flatten)]
    learning: LearningArgs,
}

pub(super) fn run(args: &TrainClassifierArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let data = match &args.data {
        Some(path) => ClassifierData::Folder { path: path.clone(), epochs: args.epochs },
        None => ClassifierData::Iterative(Box::new(Iterative {
            episodes: args.episodes,
            rows: args.rows,
            first_player: args.player.clone(),
            from: args.from.clone(),
            score: args.score,
            first_clicks: args.first_clicks,
            first_cell: args.first_cell,
        })),
    };
    let learning = args.learning.learning(global, BATCH, args.iterative.then_some(args.episodes));
    let stage = TrainClassifier { data, learning, eval_games: args.learning.eval_games, symmetries: args.symmetries };
    if args.learning.overfit {
        return tell_overfit(global, &stage.overfit(interrupt::listen()?)?);
    }
    train(global, &stage.learning, |stop, watch| stage.run(stop, watch))
}
