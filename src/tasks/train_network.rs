//! Trains a network on rows of any kind. The data decide what it predicts.

use std::num::NonZeroU32;

use anyhow::ensure;
use clap::ArgGroup;
use serde::Serialize;

use crate::{
    Context, Outcome, Stage,
    help::{EXIT_CODES, examples},
    network::{
        Learning, Mode, NetworkSettings, PaperSettings, RowSource, Task, TrainingPlan, open_rows,
        read_network,
    },
    train_classifier, train_q,
    training_records::Round,
};
use mineflow_model::{Expected, Target};

const COMMAND: &str = "train-network";
pub(crate) const EPOCHS: u32 = 10;
/// The player that ranks the candidates of its guesses by gains.
const RANKER: &str = "11.0";

/// Train a network on data of any kind, with any layers
///
/// The rows of the data decide what the network predicts, as for `train-trees`: that a cell is
/// safe, that the game is won, the return of a guess, or the gain of a candidate. Loss, output layer
/// and defaults follow from this target: for safe cells and wins, the layers of table 1 of Sinha et
/// al. with Adam; for returns, those of table 2 with RMSprop. The network with the lowest validation
/// loss is published.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-network --data rows --out network",
            "train-network --data rows --layers 64relu,64relu --optimizer adamw --patience 3 --out wide",
            "train-network --data rows --from network.safetensors --epochs 3 --out longer",
        ], EXIT_CODES))]
#[command(group(ArgGroup::new("source").args(["data"]).required(true)))]
pub struct TrainNetwork {
    #[command(flatten)]
    #[serde(flatten)]
    pub learning: NetworkSettings,
    /// Play N validation games after every round with the player that uses such a network, to
    /// choose the network by them instead of by its validation loss; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub eval_games: u32,
}

impl Stage for TrainNetwork {
    fn check(&self) -> anyhow::Result<()> {
        self.learning.check()
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        context.folder()?;
        let settings = &self.learning;
        let (folders, inputs) = open_rows(&settings.folders.data)?;
        let features = folders.set;
        let player = match features.target {
            Target::Safe => train_classifier::VERSION,
            Target::Return => train_q::SINGLE_PASS,
            Target::Gain => RANKER,
            Target::Won => "",
        };
        ensure!(
            self.eval_games == 0 || !player.is_empty(),
            "--eval-games {}: no player chooses cells by a network of {}; leave it out",
            self.eval_games,
            features.name
        );
        let task = Task {
            command: COMMAND,
            single_pass: player,
            iterative: player,
            features,
            is_paper: false,
        };
        let expected = Expected::new(COMMAND, features);
        let from = settings.from.as_deref();
        let learning = Learning {
            settings,
            context,
            mode: Mode {
                round: Round::Epoch,
                rounds: settings.epochs.map_or(EPOCHS, NonZeroU32::get),
                start: from.map(|path| read_network(path, &expected)).transpose()?,
            },
            decay: PaperSettings::DECAY,
            average: settings.average.unwrap_or(0),
            eval_games: self.eval_games,
        };
        let rows = RowSource::folders(folders, &learning)?;
        TrainingPlan::new(&task, &learning, rows, inputs)?.run()
    }
}
