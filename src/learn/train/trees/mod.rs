//! Boosted trees with L2 regularisation. The classifier (Sinha et al., section 4.2.2; player 5.0)
//! and the model that predicts the value of a position use logistic loss. The model that predicts
//! the advantage of a guess uses squared error.
//!
//! Trees grow round by round until the validation loss stops improving (early stopping); the model
//! is then cut back to its best round. The same settings and rows give identical trees on any
//! number of threads, and continuing from a checkpoint gives the same trees as an uninterrupted
//! training run.

mod error;
mod settings;

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use hessboost::{
    config::{Monotone, TrainingParams, TreeMethod},
    data::DMatrix,
    error::HessboostError,
    metric::EvalMetric,
    model::{BoostedModel, ImportanceType, ModelFormat},
    objective::{Objective, RegLoss},
    training::Trainer,
};
use serde_json::{Map, Value, json};

pub use error::TreesError;
pub use settings::TreesSettings;

use super::{Loss, RowsError, rows::check_rows};
use crate::data::Table;

fn library(doing: &'static str) -> impl FnOnce(HessboostError) -> TreesError {
    move |source| TreesError::Library { doing, source }
}

/// A training run of one ensemble of boosted trees.
pub struct TreesTraining {
    settings: TreesSettings,
    loss: Loss,
    parameters: TrainingParams,
    pool: rayon::ThreadPool,
    train: Option<DMatrix>,
    validation: DMatrix,
    model: Option<BoostedModel>,
    /// Number of rounds of the trees that the run started from.
    before: usize,
    /// Validation loss after every round of this run.
    losses: Vec<f64>,
}

impl TreesTraining {
    /// Creates a training run that stops by these validation rows. No tree is grown before
    /// [`TreesTraining::train_on`] gives training rows.
    ///
    /// # Errors
    /// Returns an error if settings are out of range, there are no rows, numbers are not finite, or
    /// labels don't fit the loss or are all equal.
    pub fn new(
        settings: TreesSettings,
        loss: Loss,
        validation: Table,
        threads: usize,
    ) -> Result<Self, TreesError> {
        let (objective, metric) = match loss {
            Loss::Logarithmic => (
                Objective::BinaryLogistic(RegLoss::default()),
                EvalMetric::LogLoss,
            ),
            Loss::SquaredError => (
                Objective::SquaredError(RegLoss::default()),
                EvalMetric::Rmse,
            ),
        };
        let monotone = |falling| {
            let mut columns = vec![Monotone::None; validation.width];
            columns[falling] = Monotone::Decreasing;
            columns
        };
        let monotone = settings.falling.map_or_else(Vec::new, monotone);
        let parameters = TrainingParams::builder()
            .objective(objective)
            .eval_metric(metric)
            .tree_method(TreeMethod::Hist)
            .eta(settings.learning_rate)
            .max_depth(settings.depth.get() as usize)
            .lambda(settings.l2)
            .min_child_weight(settings.leaf_weight)
            .max_bin(settings.bins as usize)
            .monotone_constraints(monotone)
            .build()
            .map_err(library("these settings can't be used"))?;
        let width = validation.width;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            settings,
            loss,
            parameters,
            pool: pool.map_err(|error| TreesError::Threads(threads, error))?,
            train: None,
            validation: matrix("validation", validation, width, loss, false)?,
            model: None,
            before: 0,
            losses: Vec::new(),
        })
    }

    /// Makes a run without trees grow its trees on top of these.
    pub fn start_from(&mut self, trees: Trees) {
        self.before = trees.best_round;
        self.model = Some(trees.model);
    }

    /// Continues from a checkpoint. `losses` are the validation losses of its rounds, and possibly
    /// of later rounds, which are grown again.
    pub fn resume(&mut self, checkpoint: &[u8], mut losses: Vec<f64>) -> Result<(), TreesError> {
        let model = BoostedModel::decode(checkpoint, ModelFormat::Binary)
            .map_err(library("the checkpoint can't be read"))?;
        let rounds = model.num_boost_rounds().saturating_sub(self.before);
        if losses.len() < rounds {
            return Err(TreesError::Checkpoint {
                found: rounds,
                expected: losses.len(),
            });
        }
        losses.truncate(rounds);
        self.model = Some(model);
        self.losses = losses;
        Ok(())
    }

    /// Sets or replaces the training rows, which are not copied. The next trees grow on these rows,
    /// on top of the earlier trees; rows of later trees may have equal labels.
    ///
    /// # Errors
    /// Returns the errors of [`TreesTraining::new`].
    pub fn train_on(&mut self, train: Table) -> Result<(), TreesError> {
        let width = self.validation.n_cols();
        let is_grown = self.model.is_some();
        self.train = Some(matrix("training", train, width, self.loss, is_grown)?);
        Ok(())
    }

    /// Returns the numbers of training and validation rows.
    pub fn rows(&self) -> (usize, usize) {
        let train = self.train.as_ref().map_or(0, DMatrix::n_rows);
        (train, self.validation.n_rows())
    }

    /// Grows up to `rounds` more trees. `watch` receives the number of each round, from 1, and the
    /// validation loss after it. Returns early when the training run is finished or `stop` is set,
    /// and returns whether it was interrupted.
    pub fn grow(
        &mut self,
        rounds: u32,
        stop: &AtomicBool,
        watch: &mut (dyn FnMut(usize, f64) + Send),
    ) -> Result<bool, TreesError> {
        if self.is_finished() {
            return Ok(false);
        }
        let left = self.settings.rounds.get() as usize - self.losses.len();
        let train = self.train.as_ref().ok_or(RowsError::NoRows("training"))?;
        let settings = &self.settings;
        let losses = &mut self.losses;
        let rounds = (rounds as usize).min(left);
        let mut trainer = Trainer::new(&self.parameters, train, rounds)
            .eval(&self.validation, "validation")
            .on_round(|round| {
                let loss = round.values().last().copied().unwrap_or(f64::NAN);
                losses.push(loss);
                watch(losses.len(), loss);
                if stop.load(Ordering::Relaxed) || is_over(losses, settings) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        if let Some(model) = &self.model {
            trainer = trainer.init_model(model);
        }
        let grown = self.pool.install(|| trainer.train());
        self.model = Some(grown.map_err(library("the trees can't be grown"))?.model);
        Ok(!self.is_finished() && stop.load(Ordering::Relaxed))
    }

    /// Returns whether no more trees are grown.
    pub fn is_finished(&self) -> bool {
        is_over(&self.losses, &self.settings)
    }

    /// Returns the validation loss after every round so far.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// Returns the checkpoint for [`TreesTraining::resume`], or `None` before the first round.
    pub fn checkpoint(&self) -> Result<Option<Vec<u8>>, TreesError> {
        let encode = |model: &BoostedModel| model.encode(ModelFormat::Binary);
        self.model
            .as_ref()
            .map(encode)
            .transpose()
            .map_err(library("the checkpoint can't be written"))
    }

    /// Returns the model cut back to its best round, or `None` before the first round. The trees
    /// that the run started from are kept.
    pub fn finish(self) -> Result<Option<Trees>, TreesError> {
        let model = self.model.filter(|_| !self.losses.is_empty());
        let Some(model) = model else {
            return Ok(None);
        };
        let best = best_round(&self.losses);
        let rounds = self.before + best + 1;
        let model = model
            .slice(..rounds, 1)
            .map_err(library("the model can't be cut back"))?;
        Ok(Some(Trees {
            model,
            best_round: rounds,
            validation_loss: self.losses[best],
        }))
    }
}

/// A finished ensemble of boosted trees.
pub struct Trees {
    model: BoostedModel,
    /// The number of rounds that the ensemble keeps.
    pub best_round: usize,
    /// The loss after the last of these rounds; not a number for trees that were read.
    pub validation_loss: f64,
}

/// Importance of a column of the rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Importance {
    pub column: usize,
    /// The share of the column in the loss reduction of all splits.
    pub share_of_gain: f64,
    /// Mean loss reduction of a split on the column.
    pub gain: f64,
    /// Total loss reduction of all splits on the column.
    pub total_gain: f64,
    /// Number of splits on the column.
    pub splits: f64,
}

impl Trees {
    /// Reads the first `trees` trees of XGBoost's JSON.
    ///
    /// # Errors
    /// Returns an error if the bytes are not such a model.
    pub fn from_xgboost(json: &[u8], trees: usize) -> Result<Self, TreesError> {
        const DOING: &str = "the trees can't be read";
        let model = BoostedModel::decode(json, ModelFormat::XgboostJson).map_err(library(DOING))?;
        let best_round = model.num_boost_rounds().min(trees);
        Ok(Self {
            model: model.slice(..best_round, 1).map_err(library(DOING))?,
            best_round,
            validation_loss: f64::NAN,
        })
    }

    /// Returns the prediction of the training library for each of `rows`, a row-major array of
    /// shape (rows, columns).
    pub fn predict(&self, rows: &[f32]) -> Result<Vec<f32>, TreesError> {
        let predicted = self
            .model
            .predict_rows(rows, ..)
            .map_err(library("the rows can't be predicted"))?;
        Ok(predicted.into_vec())
    }

    /// Returns the importance of each of `columns` columns.
    pub fn importance(&self, columns: usize) -> Vec<Importance> {
        let of = |kind| {
            let scores = self.model.feature_importance(kind);
            move |column| scores.get(&column).copied().unwrap_or(0.0)
        };
        let gain = of(ImportanceType::Gain);
        let total_gain = of(ImportanceType::TotalGain);
        let splits = of(ImportanceType::Weight);
        let all: f64 = (0..columns).map(&total_gain).sum();
        let importance = |column| Importance {
            column,
            share_of_gain: total_gain(column) / all.max(f64::MIN_POSITIVE),
            gain: gain(column),
            total_gain: total_gain(column),
            splits: splits(column),
        };
        (0..columns).map(importance).collect()
    }

    /// Converts the model to XGBoost's JSON format, with the names of its columns, and with `notes`
    /// as attributes.
    pub fn to_xgboost(
        &self,
        columns: &[&str],
        notes: &[(&str, String)],
    ) -> Result<Vec<u8>, TreesError> {
        let bytes = self
            .model
            .encode(ModelFormat::XgboostJson)
            .map_err(library("the model can't be written"))?;
        let mut document: Value = serde_json::from_slice(&bytes)?;
        let learner = &mut document["learner"];
        learner["feature_names"] = json!(columns);
        learner["feature_types"] = json!(vec!["float"; columns.len()]);
        let attributes = notes.iter();
        let attributes = attributes.map(|(name, note)| ((*name).to_owned(), json!(note)));
        learner["attributes"] = Value::Object(attributes.collect::<Map<_, _>>());
        let mut text = serde_json::to_vec(&document)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Returns the mean log loss and the area under the ROC curve of the probabilities `predicted`
/// against `labels`, 0 or 1.
pub fn score(predicted: &[f32], labels: &[f32]) -> Result<(f64, f64), TreesError> {
    let metric = |metric: EvalMetric| {
        metric
            .build(1)
            .map(|metric| metric.eval(predicted, labels, None))
            .map_err(library("no such metric"))
    };
    Ok((metric(EvalMetric::LogLoss)?, metric(EvalMetric::Auc)?))
}

/// Returns the index of the lowest loss, the first one in a tie. Losses are compared in billionths,
/// a precision that is preserved when they are written and read.
fn best_round(losses: &[f64]) -> usize {
    let key = |&(_, loss): &(usize, &f64)| (loss * 1e9).round() as i64;
    losses
        .iter()
        .enumerate()
        .min_by_key(key)
        .map_or(0, |(round, _)| round)
}

fn is_over(losses: &[f64], settings: &TreesSettings) -> bool {
    let done = losses.len();
    done >= settings.rounds.get() as usize
        || done > 0 && done - 1 - best_round(losses) >= settings.patience.get() as usize
}

/// Converts a table to the training library's matrix after checking it. All labels may be equal if
/// trees are grown already.
fn matrix(
    split: &'static str,
    table: Table,
    width: usize,
    loss: Loss,
    is_grown: bool,
) -> Result<DMatrix, TreesError> {
    match check(split, &table, width, loss) {
        Err(RowsError::OneTarget { .. }) if is_grown => {}
        checked => checked?,
    }
    let rows = table.rows();
    DMatrix::from_dense_vec(table.features, rows, width)
        .and_then(|matrix| matrix.with_labels(&table.target))
        .map_err(library("the rows can't be used"))
}

/// Checks that trees of `width` columns can be trained on these rows with `loss`.
pub fn check(
    split: &'static str,
    table: &Table,
    width: usize,
    loss: Loss,
) -> Result<(), RowsError> {
    check_rows(split, table, width, loss)?;
    let value = table.target[0];
    if table.target.iter().all(|&target| target == value) {
        let rows = table.rows();
        return Err(RowsError::OneTarget { split, rows, value });
    }
    Ok(())
}
