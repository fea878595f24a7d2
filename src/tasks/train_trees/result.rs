//! The result of growing trees, with their evaluation.

use serde::{Deserialize, Serialize};

use crate::Row;
use mineflow_arena::{
    TableOf, Text,
    numbers::{grouped, percent, round},
};
use mineflow_learn::{
    data::Table,
    train::trees::{Trees, score},
};
use mineflow_minesweeper::features::{classifier_v2, guess_v2};
use mineflow_model::{FeatureSet, Target};

/// The result of a training run, which is identical for the same settings on any number of threads.
#[derive(Serialize, Deserialize)]
pub struct TreesResult {
    /// SHA-256 of `artifact.json`.
    pub sha256: String,
    /// Number of rounds grown.
    pub rounds: usize,
    /// Number of trees kept, up to the round with the lowest validation loss.
    pub trees: usize,
    pub train_rows: usize,
    pub validation_rows: usize,
    pub test_rows: usize,
    #[serde(flatten)]
    pub judgement: Judgement,
    /// The largest difference between the predictions of the trainer and those of the artifact that
    /// was read back.
    pub largest_difference: f64,
    /// Win rate of player 5.0 with the trees on the beginner board, if it was evaluated.
    pub win_ratio: Option<f64>,
}

/// The evaluation of trees on test rows. It depends on what they predict.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub enum Judgement {
    /// Trees that predict a probability: that a cell is safe or a game is won.
    Probability {
        validation_log_loss: f64,
        test_log_loss: f64,
        /// Area under the ROC curve on the test rows.
        test_auc: f64,
        /// Test log-loss of the prediction 1 - P, without trees; `None` unless the label is safety.
        log_loss_of_p_alone: Option<f64>,
        /// Test AUC of the prediction 1 - P, without trees; `None` unless the label is safety.
        auc_of_p_alone: Option<f64>,
    },
    /// Trees that predict a value. Losses are root mean squared errors.
    Value {
        validation_loss: f64,
        test_loss: f64,
        /// The choices of trees that predict the gain of a candidate; `None` for other values.
        #[serde(flatten)]
        choices: Option<Choices>,
    },
}

/// What the choices of a ranker gain over those of two-step safety, by the teacher's values.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Choices {
    /// Number of guesses of the test games.
    pub test_guesses: usize,
    /// Mean gain in win probability per guess.
    pub gain: f64,
    /// Standard error of `gain`.
    pub gain_error: f64,
    /// The share of guesses in which the ranker and two-step safety choose different cells.
    pub other_choice: f64,
}

impl Row for TreesResult {
    fn text(rows: &[Self]) -> Text {
        let loss = |loss: f64| format!("{loss:.6}");
        let table = TableOf::new(rows)
            .right("rows", |row| grouped(row.train_rows as u64))
            .right("trees", |row| row.trees);
        let is_probability = |row: &Self| matches!(row.judgement, Judgement::Probability { .. });
        let (table, note) = if rows.iter().all(is_probability) {
            let areas = |row: &Self| match row.judgement {
                Judgement::Probability {
                    test_auc,
                    auc_of_p_alone,
                    ..
                } => [Some(test_auc), auc_of_p_alone],
                Judgement::Value { .. } => [None; 2],
            };
            let area = move |at: usize| {
                move |row: &Self| areas(row)[at].map_or("-".to_owned(), |auc| format!("{auc:.6}"))
            };
            let table = table
                .right("validation log-loss", |row| loss(row.judgement.losses()[0]))
                .right("test log-loss", |row| loss(row.judgement.losses()[1]))
                .right("test AUC", area(0))
                .right("AUC of P alone", area(1))
                .right("won %", |row| row.win_ratio.map_or("-".to_owned(), percent));
            (table, "won %: games on the board 9x9/10\n")
        } else {
            let table = table
                .right("validation loss", |row| loss(row.judgement.losses()[0]))
                .right("test loss", |row| loss(row.judgement.losses()[1]))
                .right(
                    "test guesses",
                    choices(|of| grouped(of.test_guesses as u64)),
                )
                .right(
                    "other choice %",
                    choices(|of| format!("{:.1}", 100.0 * of.other_choice)),
                )
                .right(
                    "gain a guess, points",
                    choices(|of| {
                        format!("{:+.3} +- {:.3}", 100.0 * of.gain, 196.0 * of.gain_error)
                    }),
                );
            (table, "")
        };
        table
            .right("read back within", |row| {
                format!("{:.1e}", row.largest_difference)
            })
            .left("sha256", |row| &row.sha256[..12])
            .text()
            .then(note)
    }
}

/// Returns the text of a row about the choices of a ranker; other rows have none.
fn choices(text: fn(Choices) -> String) -> impl Fn(&TreesResult) -> String {
    move |row| match row.judgement {
        Judgement::Value {
            choices: Some(choices),
            ..
        } => text(choices),
        _ => "-".to_owned(),
    }
}

impl Judgement {
    pub(super) fn of(trees: &Trees, test: &Table, set: &FeatureSet) -> anyhow::Result<Self> {
        let predicted = trees.predict(&test.features)?;
        let validation_loss = round(trees.validation_loss, 9);
        if matches!(set.target, Target::Return | Target::Gain) {
            let choices = (set.target == Target::Gain).then(|| Choices::of(&predicted, test));
            return Ok(Self::Value {
                validation_loss,
                test_loss: round(root_mean_square(&predicted, test), 9),
                choices,
            });
        }
        let (log_loss, auc) = score(&predicted, &test.target)?;
        let safe = |row: usize| 1.0 - test.row(row)[classifier_v2::PROBABILITY];
        let p_alone = match set.target {
            Target::Safe => Some(score(
                &(0..test.rows()).map(safe).collect::<Vec<_>>(),
                &test.target,
            )?),
            _ => None,
        };
        Ok(Self::Probability {
            validation_log_loss: validation_loss,
            test_log_loss: round(log_loss, 6),
            test_auc: round(auc, 6),
            log_loss_of_p_alone: p_alone.map(|(log_loss, _)| round(log_loss, 6)),
            auc_of_p_alone: p_alone.map(|(_, auc)| round(auc, 6)),
        })
    }

    /// Returns the notes about the trees in their artifact.
    pub(super) fn notes(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Probability {
                validation_log_loss,
                test_log_loss,
                test_auc,
                ..
            } => vec![
                ("validation_log_loss", validation_log_loss.to_string()),
                ("test_log_loss", test_log_loss.to_string()),
                ("test_auc", test_auc.to_string()),
            ],
            Self::Value {
                test_loss, choices, ..
            } => {
                let mut notes = vec![("test_loss", test_loss.to_string())];
                notes.extend(choices.map(|choices| ("gain", choices.gain.to_string())));
                notes
            }
        }
    }

    /// Returns the validation loss and the test loss.
    fn losses(&self) -> [f64; 2] {
        match *self {
            Self::Probability {
                validation_log_loss,
                test_log_loss,
                ..
            } => [validation_log_loss, test_log_loss],
            Self::Value {
                validation_loss,
                test_loss,
                ..
            } => [validation_loss, test_loss],
        }
    }
}

impl Choices {
    /// Evaluates the predictions `predicted` of a ranker for the rows of `test`.
    fn of(predicted: &[f32], test: &Table) -> Self {
        // The first candidate of a guess is the choice of two-step safety.
        let begins: Vec<usize> = (0..test.rows())
            .filter(|&row| test.row(row)[guess_v2::RANK] == 0.0)
            .collect();
        let ends = begins.iter().skip(1).copied().chain([test.rows()]);
        let mut sum = 0.0;
        let mut squares = 0.0;
        let mut other_choice = 0;
        for (&begin, end) in begins.iter().zip(ends) {
            let mut chosen = begin;
            for row in begin..end {
                if predicted[row] > predicted[chosen] {
                    chosen = row;
                }
            }
            let gain = f64::from(test.target[chosen] - test.target[begin]);
            other_choice += usize::from(chosen != begin);
            sum += gain;
            squares += gain * gain;
        }
        let n = begins.len().max(1) as f64;
        let mean = sum / n;
        Self {
            test_guesses: begins.len(),
            gain: round(mean, 9),
            gain_error: round(((squares / n - mean * mean).max(0.0) / n).sqrt(), 9),
            other_choice: round(other_choice as f64 / n, 6),
        }
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
