//! The result of growing trees, with their evaluation.

use serde::{Deserialize, Serialize};

use crate::Row;
use mineflow_arena::numbers::{grouped, percent, round};
use mineflow_arena::{TableOf, Text};
use mineflow_learn::data::Table;
use mineflow_learn::train::trees::{Trees, score};
use mineflow_minesweeper::features::classifier_v2;
use mineflow_model::{FeatureSet, Target};

/// The result of a training run, which is identical for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TreesResult {
    /// SHA-256 of `artifact.json`.
    pub sha256: String,
    /// Number of rounds grown.
    pub rounds: usize,
    /// Number of trees kept, up to the round with the lowest validation log-loss.
    pub trees: usize,
    pub train_rows: usize,
    pub validation_rows: usize,
    pub test_rows: usize,
    pub validation_log_loss: f64,
    pub test_log_loss: f64,
    /// Area under the ROC curve on the test rows.
    pub test_auc: f64,
    /// Test log-loss of the prediction 1 - P, without trees; `None` unless the label is safety.
    pub log_loss_of_p_alone: Option<f64>,
    /// Test AUC of the prediction 1 - P, without trees; `None` unless the label is safety.
    pub auc_of_p_alone: Option<f64>,
    /// The largest difference between the predictions of the trainer and those of the artifact that was read back.
    pub largest_difference: f64,
    /// Win rate of player 5.0 with the trees on the beginner board, if it was evaluated.
    pub win_ratio: Option<f64>,
}

impl Row for TreesResult {
    fn text(rows: &[Self]) -> Text {
        TableOf::new(rows)
            .right("rows", |row| grouped(row.train_rows as u64))
            .right("trees", |row| row.trees)
            .right("validation log-loss", |row| {
                format!("{:.6}", row.validation_log_loss)
            })
            .right("test log-loss", |row| format!("{:.6}", row.test_log_loss))
            .right("test AUC", |row| format!("{:.6}", row.test_auc))
            .right("AUC of P alone", |row| {
                row.auc_of_p_alone
                    .map_or("-".to_owned(), |auc| format!("{auc:.6}"))
            })
            .right("won %", |row| row.win_ratio.map_or("-".to_owned(), percent))
            .right("read back within", |row| {
                format!("{:.1e}", row.largest_difference)
            })
            .left("sha256", |row| &row.sha256[..12])
            .text()
            .then("won %: games on the board 9x9/10\n")
    }
}

/// Evaluation of trees on test rows.
pub(super) struct Judgement {
    pub(super) log_loss: f64,
    pub(super) auc: f64,
    pub(super) log_loss_of_p_alone: Option<f64>,
    pub(super) auc_of_p_alone: Option<f64>,
}

impl Judgement {
    pub(super) fn of(trees: &Trees, test: &Table, set: &FeatureSet) -> anyhow::Result<Self> {
        let (log_loss, auc) = score(&trees.predict(&test.features)?, &test.target)?;
        let safe = |row: usize| 1.0 - test.row(row)[classifier_v2::PROBABILITY];
        let p_alone = match set.target {
            Target::Safe => Some(score(
                &(0..test.rows()).map(safe).collect::<Vec<_>>(),
                &test.target,
            )?),
            _ => None,
        };
        Ok(Self {
            log_loss: round(log_loss, 6),
            auc: round(auc, 6),
            log_loss_of_p_alone: p_alone.map(|(log_loss, _)| round(log_loss, 6)),
            auc_of_p_alone: p_alone.map(|(_, auc)| round(auc, 6)),
        })
    }
}
