//! Trains a ranker: boosted trees that predict the advantage of a candidate of a guess over the other candidates.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::boosting::{
    Boosting, Grown, Published, RESULTS, TreesRows, check_growing, described, extra_memory,
};
use super::judgement::Judgement;
use crate::help::{EXIT_CODES, examples};
use crate::network::{self, DataFolders};
use crate::values::above_zero;
use crate::{Context, Outcome, Row, Rows, Stage};
use mineflow_arena::numbers::{grouped, round};
use mineflow_arena::{TableOf, Text};
use mineflow_learn::data::{Drawn, Table, Windows};
use mineflow_learn::train::trees::{Loss, TreesSettings};
use mineflow_minesweeper::features::{GuessV2, PositionFeatures};
use mineflow_model::FeatureSet;
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};

/// Grow boosted trees that rank the candidates of a guess
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-ranker --data guesses --out ranker",
            "train-ranker --data guesses --rounds 200 --learning-rate 0.15 --out ranker",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct TrainRanker {
    /// Train on folders of `pipeline generate --kind guesses`, separated by commas
    #[arg(long, value_name = "DIRS", value_delimiter = ',', required = true)]
    pub data: Vec<PathBuf>,
    /// Grow every tree on the next window of N rows, with the shards in a new random order each pass [default: all rows, or the
    /// largest power of two that fits into --memory]
    #[arg(long, value_name = "ROWS")]
    pub window: Option<NonZeroU64>,
    /// Grow at most N trees
    #[arg(long, value_name = "N", default_value_t = above_zero(300))]
    pub rounds: NonZeroU32,
    /// Stop after N rounds without a lower validation loss
    #[arg(long, value_name = "N", default_value_t = above_zero(20))]
    pub patience: NonZeroU32,
    /// Set the learning rate, the factor of each tree's output (eta)
    #[arg(long, value_name = "R", default_value_t = 0.1)]
    pub learning_rate: f64,
    /// Set the maximum depth of a tree: splits from root to leaf
    #[arg(long, value_name = "N", default_value_t = above_zero(6))]
    pub depth: NonZeroU32,
    /// Set the L2 regularisation of the leaves (lambda)
    #[arg(long, value_name = "R", default_value_t = 1.0)]
    pub l2: f64,
    /// Set the minimum number of rows in a leaf (min_child_weight)
    #[arg(long, value_name = "R", default_value_t = 400.0)]
    pub leaf_weight: f64,
    /// Set the maximum number of bins of a feature (max_bin)
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub bins: u32,
    /// Write a checkpoint every N rounds; each checkpoint costs a pass of all rows through all trees so far
    #[arg(long, value_name = "N", default_value_t = above_zero(50))]
    pub checkpoint_every: NonZeroU32,
}

/// The result of a training run, which is identical for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankerResult {
    /// SHA-256 of `artifact.json`.
    pub sha256: String,
    /// Number of rounds grown.
    pub rounds: usize,
    /// Number of trees kept, up to the round with the lowest validation loss.
    pub trees: usize,
    pub train_rows: usize,
    pub validation_rows: usize,
    pub test_rows: usize,
    /// Root mean squared error on the validation rows, in win probability.
    pub validation_loss: f64,
    /// Root mean squared error on the test rows, in win probability.
    pub test_loss: f64,
    /// Number of guesses of the test games.
    pub test_guesses: usize,
    /// Mean gain in win probability per test guess, by the teacher's values, from the ranker's choice instead of that of two-step safety.
    pub gain: f64,
    /// Standard error of `gain`.
    pub gain_error: f64,
    /// The share of guesses in which the ranker and two-step safety choose different cells.
    pub other_choice: f64,
    /// The largest difference between the predictions of the trainer and those of the artifact that was read back.
    pub largest_difference: f64,
}

impl Row for RankerResult {
    fn text(rows: &[Self]) -> Text {
        TableOf::new(rows)
            .right("rows", |row| grouped(row.train_rows as u64))
            .right("trees", |row| row.trees)
            .right("validation loss", |row| {
                format!("{:.6}", row.validation_loss)
            })
            .right("test loss", |row| format!("{:.6}", row.test_loss))
            .right("test guesses", |row| grouped(row.test_guesses as u64))
            .right("other choice %", |row| {
                format!("{:.1}", 100.0 * row.other_choice)
            })
            .right("gain a guess, points", |row| {
                format!("{:+.3} +- {:.3}", 100.0 * row.gain, 196.0 * row.gain_error)
            })
            .right("read back within", |row| {
                format!("{:.1e}", row.largest_difference)
            })
            .left("sha256", |row| &row.sha256[..12])
            .text()
    }
}

impl Stage for TrainRanker {
    fn check(&self) -> anyhow::Result<()> {
        check_growing(&self.growing())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let set = GuessV2.set();
        let data = DataFolders::open(&self.data, set.name)?.hashes;
        let drawn = Drawn {
            seed: Seed::new(context.seed)
                .child("training", 0)
                .child("windows", 0),
            turned: false,
        };
        let limits = (context.memory, extra_memory(set.width()));
        let windows = Windows::plan(&self.data, set, self.window, drawn, limits)?;
        let settings = self.manifest(set, &data, windows.as_ref(), context);
        let purpose = Purpose {
            results: RESULTS,
            ..Purpose::of(settings)
        };
        let mut folder = context.open(&purpose)?;
        if let Some(result) = folder.result::<RankerResult>()? {
            return network::finished_before(result, context);
        }
        context.say(0, self.rounds.get().into(), "getting rows");
        let TreesRows {
            train,
            validation,
            test,
        } = TreesRows::read(&self.data, set, windows.as_ref(), context)?;
        let boosting = Boosting {
            context,
            settings: self.growing(),
            loss: Loss::SquaredError,
            checkpoint_every: self.checkpoint_every,
            set,
        };
        let Grown {
            trees,
            rounds,
            train_rows,
            validation_rows,
        } = match boosting.grow(train, validation, &folder)? {
            Ok(grown) => grown,
            Err(interrupted) => return Ok(interrupted),
        };
        let predicted = trees.predict(&test.features)?;
        let test_loss = round(root_mean_square(&predicted, &test), 9);
        let judgement = Judgement::of(&predicted, &test);
        let notes = vec![
            ("features", set.name.to_owned()),
            ("command", "train-ranker".to_owned()),
            ("data", data.join(",")),
            ("seed", context.seed.to_string()),
            ("test_loss", test_loss.to_string()),
            ("gain", judgement.gain.to_string()),
        ];
        let Published {
            sha256,
            largest_difference,
        } = boosting.publish(&trees, &notes, &test, &folder)?;
        let result = RankerResult {
            sha256,
            rounds,
            trees: trees.best_round,
            train_rows,
            validation_rows,
            test_rows: test.rows(),
            validation_loss: round(trees.validation_loss, 9),
            test_loss,
            test_guesses: judgement.guesses,
            gain: judgement.gain,
            gain_error: judgement.error,
            other_choice: judgement.other_choice,
            largest_difference,
        };
        folder.finish(&result, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![result]))))
    }
}

impl TrainRanker {
    fn growing(&self) -> TreesSettings {
        let &Self {
            rounds,
            patience,
            learning_rate,
            depth,
            l2,
            leaf_weight,
            bins,
            ..
        } = self;
        TreesSettings {
            rounds: rounds.get(),
            patience,
            learning_rate,
            depth,
            l2,
            leaf_weight,
            bins,
            falling: None,
        }
    }

    fn manifest(
        &self,
        set: &FeatureSet,
        data: &[String],
        windows: Option<&Windows>,
        context: &Context<'_>,
    ) -> Map<String, Value> {
        let (features, seed) = (set.name, context.seed);
        let settings =
            json!({"command": "train-ranker", "features": features, "data": data, "seed": seed});
        object(settings)
            .into_iter()
            .chain(described(&self.growing(), windows))
            .collect()
    }
}

/// Computes the root mean squared error of the predictions for the rows of `test`.
fn root_mean_square(predicted: &[f32], test: &Table) -> f64 {
    let squares = predicted
        .iter()
        .zip(&test.target)
        .map(|(a, b)| f64::from(a - b).powi(2));
    (squares.sum::<f64>() / test.rows() as f64).sqrt()
}
