//! A network that ranks the candidates of guesses by what tells them apart and by the cells around each.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::ensure;
use serde_json::json;

use super::judgement::Judgement;
use crate::network::{
    AskedLearning, DataFolders, Examination, Learning, Tables, TrainingPlan, read_network, settings, train,
};
use mineflow_data::{Rows, Split, Table};
use mineflow_document::numbers::{grouped, percent};
use mineflow_minesweeper::features::{guess_v1, guess_v2};
use mineflow_model::{Expected, Mlp, MlpScratch};
use mineflow_stage::definition::{Context, Outcome, Stage};
use mineflow_stage::settings;
use mineflow_stage::texts::text;
use mineflow_stage::training_records::Round;
use mineflow_stage::values::{Switch, above_zero};
use mineflow_stage_generate::guesses_with_cells;
use mineflow_train::{Device, ranker};

const COMMAND: &str = "train-ranker-network";
const READS: Expected<'_> = Expected::new(COMMAND, &guess_v2::SET);
const ARTIFACT: &str = "artifact.safetensors";

settings! {
    /// A training of a ranker as a network. Eight games of ten are learnt from, one watches, one judges the result.
    pub struct TrainRankerNetwork {
        /// Learn from folders that `pipeline generate --kind guesses` made; several separated by commas
        #[arg(long, value_name = "DIRS", value_delimiter = ',', required = true)]
        pub data: Vec<PathBuf>,
        /// How often the rows are learnt from, turned differently each time
        #[arg(long, value_name = "N", default_value_t = Self::default().epochs)]
        pub epochs: NonZeroU32 = above_zero(12),
        /// How much a win more counts: the chance of a candidate is e to the power of its wins over this
        #[arg(long, value_name = "R", default_value_t = Self::default().temperature)]
        pub temperature: f32 = 0.03,
        /// Guesses a step
        #[arg(long, value_name = "N", default_value_t = Self::default().batch)]
        pub batch: NonZeroU32 = above_zero(256),
        /// Factor of the optimiser's steps
        #[arg(long, value_name = "R", default_value_t = Self::default().learning_rate)]
        pub learning_rate: f64 = 0.001,
        /// Share of the epochs, the last ones, over which the learning rate falls to 0
        #[arg(long, value_name = "RATIO", default_value_t = Self::default().decay)]
        pub decay: f64 = 1.0,
        /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
        #[arg(long, value_name = "SWITCH", default_value_t = Self::default().symmetries)]
        #[serde(with = "text")]
        pub symmetries: Switch = Switch(true),
        /// What computes: ndarray (the processor), and with the features of these names flex or cuda
        #[arg(long, value_name = "DEVICE", default_value_t = Self::default().device)]
        #[serde(with = "text")]
        pub device: Device = Device::Ndarray,
    }
}

impl TrainRankerNetwork {
    fn learning(&self) -> AskedLearning {
        let &Self { batch, learning_rate, decay, device, .. } = self;
        let (batch, decay) = (Some(batch), Some(decay));
        AskedLearning { batch, learning_rate, decay, clip: None, average: None, device, window: None }
    }

    fn rows(&self, split: Split, context: &Context<'_>) -> anyhow::Result<Table> {
        Ok(guesses_with_cells(&self.data, split, crate::read_limits(context), context.threads)?)
    }

    /// An epoch has the same rows as the others, turned its own way.
    fn plan<'a>(&'a self, learning: &'a Learning, data: &DataFolders, context: &'a Context<'_>) -> TrainingPlan<'a> {
        let network = ranker::network(&guess_v2::SET, guess_v1::RANK, self.temperature);
        let trainer = learning.trainer(network, ranker::OPTIMIZER);
        let own = json!({
            "epochs": self.epochs,
            "data": data.sha256,
            "temperature": self.temperature,
            "seed": learning.seed,
            "symmetries": self.symmetries.0,
        });
        let mut upright: Option<(Table, Table)> = None;
        let make = move |epoch: u64, _: Option<&Arc<Mlp>>| {
            let (train, validation) = match &mut upright {
                Some(tables) => tables,
                none => none.insert((self.rows(Split::Train, context)?, self.rows(Split::Validation, context)?)),
            };
            let mut tables = Tables { train: Rows::Whole(train.clone()), validation: validation.clone() };
            if self.symmetries.0 {
                tables.turn(&guess_v2::SET, learning.root().child("symmetries", epoch));
            }
            Ok(tables)
        };
        TrainingPlan {
            settings: settings(COMMAND, learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: self.epochs.get().into(),
            new_rows: true,
            windows: 1,
            from: None,
            metadata: learning
                .metadata(COMMAND, guess_v2::SET.name)
                .note("data", &data.sha256)
                .note("temperature", self.temperature),
            examination: Examination { player: "9.0", games: 0 },
            average: 0,
            rows: Box::new(make),
        }
    }

    /// Says what the network is worth on guesses of the test games.
    fn judge(&self, context: &Context<'_>) -> anyhow::Result<()> {
        let (network, _) = read_network(&context.folder()?.join(ARTIFACT), &READS)?;
        let test = self.rows(Split::Test, context)?;
        let mut predicted = Vec::new();
        network.predict(&test.features, &mut predicted, &mut MlpScratch::default());
        let Judgement { guesses, gain, error, other_choice } = Judgement::of(&predicted, &test);
        context.note(&format!(
            "by the teacher's word it gains {:+.3} +- {:.3} points a guess over two-step safety on {} guesses of the test games; in {} % of \
             them it chooses another cell",
            100.0 * gain,
            196.0 * error,
            grouped(guesses as u64),
            percent(other_choice)
        ));
        Ok(())
    }
}

impl Stage for TrainRankerNetwork {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(!self.data.is_empty(), "a ranker learns from --data");
        let temperature = self.temperature;
        ensure!(temperature.is_finite() && temperature > 0.0, "a temperature is a number above 0, not {temperature}");
        self.learning().check()
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        context.folder()?;
        let data = DataFolders::open(&self.data, guess_v1::SET.name)?;
        let learning = self.learning().in_context(self.batch.get(), None, context);
        let outcome = train(context, self.plan(&learning, &data, context))?;
        if matches!(outcome, Outcome::Done(_)) {
            self.judge(context)?;
        }
        Ok(outcome)
    }
}
