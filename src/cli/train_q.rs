//! `pipeline train-q`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;

use super::training::{LearningArgs, ratio, tell_overfit, train};
use super::{Global, interrupt};
use crate::minesweeper::features::{LocationScore, q_v2};
use crate::minesweeper::player::PlayerSpec;
use crate::stage::generate::{Discount, FirstCell, off_board};
use crate::stage::train_q::{AlphaFrom, Iterative, QData, SinglePass, TrainQ};
use crate::stage::values::switch;

/// Rows a step where none is given.
const BATCH: u32 = 32;

#[derive(Args)]
pub(super) struct TrainQArgs {
    /// Learn from the training games of a folder that `pipeline generate --kind q` made [default: games made in memory]
    #[arg(long, value_name = "DIR", conflicts_with = "iterative")]
    data: Option<PathBuf>,
    /// How often the same rows are learnt from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "iterative")]
    epochs: u32,
    /// Games on each size at each mine ratio [default: 200; with --iterative 5 an episode]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "data")]
    games: Option<u32>,
    /// Who plays for the single pass
    #[arg(long, value_name = "PLAYER", default_value = "4.0", conflicts_with_all = ["iterative", "data"])]
    player: PlayerSpec,
    /// Share of the mine probability in a cell's score: a file of `pipeline fit-alpha`, or a number [default: as published]
    #[arg(long, value_name = "FILE|VALUE", conflicts_with_all = ["iterative", "data"])]
    alpha: Option<AlphaArg>,
    /// Location score in a cell's score, opening or printed
    #[arg(long, value_name = "SCORE", default_value = "opening", conflicts_with_all = ["iterative", "data"])]
    score: LocationScore,
    /// The value of a cell off the board in a sub-state, -2 to 2; -1 is that of an open cell
    #[arg(long, value_name = "VALUE", default_value_t = q_v2::OFF_BOARD, value_parser = off_board, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["iterative", "data"])]
    off_board: f32,
    /// Where games begin: own (where the player chooses), corner or anywhere
    #[arg(long, value_name = "WHERE", default_value_t, conflicts_with = "data")]
    first_cell: FirstCell,
    /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
    #[arg(long, value_name = "SWITCH", default_value = "on", action = clap::ArgAction::Set, value_parser = switch)]
    symmetries: bool,
    /// What later rewards count: linear, or exponential:BASE
    #[arg(long, value_name = "HOW", default_value = "linear", conflicts_with = "data")]
    discount: Discount,
    /// In every episode new games, played with the network as it is
    #[arg(long, requires = "from")]
    iterative: bool,
    /// With --iterative: the network to start from, such as the one of the single pass
    #[arg(long, value_name = "FILE", requires = "iterative", conflicts_with = "data")]
    from: Option<PathBuf>,
    /// With --iterative: number of episodes
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(requires = "iterative", conflicts_with = "data")]
    episodes: u32,
    /// With --iterative: the chance that a guess is drawn at random
    #[arg(long, value_name = "RATIO", default_value_t = 0.05, value_parser = ratio, requires = "iterative", conflicts_with = "data")]
    explore: f64,
    #[command(flatten)]
    learning: LearningArgs,
}

/// `--alpha`: whatever is no number is a file.
#[derive(Clone)]
struct AlphaArg(AlphaFrom);

impl FromStr for AlphaArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(_) => ratio(text).map(|alpha| Self(AlphaFrom::Fixed(alpha))),
            Err(_) => Ok(Self(AlphaFrom::File(text.into()))),
        }
    }
}

pub(super) fn run(args: &TrainQArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let data = match (&args.data, &args.from) {
        (Some(path), _) => QData::Folder { path: path.clone(), epochs: args.epochs },
        (None, Some(from)) => QData::Iterative(Box::new(Iterative {
            from: from.clone(),
            episodes: args.episodes,
            games: args.games.unwrap_or(5),
            explore: args.explore,
            first_cell: args.first_cell,
            discount: args.discount,
        })),
        (None, None) => QData::SinglePass(Box::new(SinglePass {
            player: args.player.clone(),
            games: args.games.unwrap_or(200),
            epochs: args.epochs,
            alpha: args.alpha.as_ref().map(|alpha| alpha.0.clone()).unwrap_or_default(),
            score: args.score,
            off_board: args.off_board,
            first_cell: args.first_cell,
            discount: args.discount,
        })),
    };
    let learning = args.learning.learning(global, BATCH, args.iterative.then_some(args.episodes));
    let stage = TrainQ { data, learning, eval_games: args.learning.eval_games, symmetries: args.symmetries };
    if args.learning.overfit {
        return tell_overfit(global, &stage.overfit(interrupt::listen()?)?);
    }
    train(global, &stage.learning, |stop, watch| stage.run(stop, watch))
}
