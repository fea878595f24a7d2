//! What trainings leave in their folders, row by row: the stages write it and the report reads it. Builds without the feature `train`
//! have no training stages but make reports.

use serde::{Deserialize, Serialize};

use super::as_text;
use super::context::Row;
use mineflow_arena::numbers::{grouped, round};
use mineflow_arena::{Estimate, TableOf};
use mineflow_minesweeper::features::LocationScore;

/// What a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Round {
    /// Once over the same rows.
    Epoch,
    /// Once over rows of its own, made by the network as it is.
    Episode,
}

impl Round {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Epoch => "epoch",
            Self::Episode => "episode",
        }
    }
}

/// What a network is worth on rows and in games that it has not learnt from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Mean over rows of other games.
    pub validation_loss: f64,
    /// The largest difference between the network as it was read back and the trainer's own forward pass.
    pub largest_difference: f64,
    /// Of the validation games, if any were played.
    #[serde(flatten)]
    pub won: Option<Won>,
}

/// A line of `metrics.jsonl`: the same for the same settings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Metrics {
    pub round: Round,
    /// Counted from 1.
    pub number: u64,
    /// Steps since the beginning.
    pub steps: usize,
    /// Rows learnt from in this round.
    pub rows: usize,
    /// At the beginning of the round.
    pub learning_rate: f64,
    /// Mean over the round, each batch before it was learnt from.
    pub loss: f64,
    /// After the round.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A row of `cost.csv`: what a round of a network's training took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundCost {
    /// Counted from 1.
    pub number: u64,
    /// Rows learnt from per second of learning.
    pub rows_per_second: f64,
    /// Seconds of the whole round.
    pub seconds: f64,
}

/// What came of validation games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Won {
    pub games: u64,
    pub wins: u64,
    pub win_ratio: f64,
    /// The ends of its 95 % interval (Wilson).
    pub win_low: f64,
    pub win_high: f64,
}

impl Won {
    /// Of this many wins in this many games.
    pub fn new(wins: u64, games: u64) -> Self {
        let Estimate {
            value: ratio,
            low,
            high,
        } = Estimate::of_wins(wins, games);
        Self {
            games,
            wins,
            win_ratio: round(ratio, 6),
            win_low: round(low, 6),
            win_high: round(high, 6),
        }
    }
}

/// A line of the `metrics.jsonl` of trees.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreesMetrics {
    /// Counted from 1.
    pub round: usize,
    pub validation_log_loss: f64,
    /// Those that the round's tree grew on, where they are not all rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// A row of `importance.csv`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImportanceRow {
    pub feature: String,
    /// Of all loss reduction by splits.
    pub share_of_gain: f64,
    pub total_gain: f64,
    pub gain_per_split: f64,
    pub splits: f64,
}

/// A row of `sweep.csv`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SweepRow {
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub mine_ratio: f64,
    pub alpha: f64,
    pub games: u64,
    pub wins: u64,
    pub win_ratio: f64,
}

/// A row of `targets.csv`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TargetRow {
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub mine_ratio: f64,
    /// The alpha with the most wins; the mean of those that share them.
    pub alpha: f64,
    /// How many alphas share the most wins.
    pub sharing: usize,
    /// The win ratio of the best alpha, of the worst, and of alpha = 1, which is player 4.0.
    pub best_win_ratio: f64,
    pub worst_win_ratio: f64,
    pub win_ratio_of_p_alone: f64,
    /// What the line gives, 0 to 1.
    pub fitted: f64,
    /// `alpha` less the line before it is clamped.
    pub residual: f64,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AlphaResult {
    /// Factors of the longer side, the shorter side and the mine ratio, and the constant.
    pub theta: [f64; 4],
    /// The share of the targets' variance that the line explains; `None` if all targets are the same.
    pub r_squared: Option<f64>,
    #[serde(serialize_with = "as_text::one", deserialize_with = "as_text::read")]
    pub score: LocationScore,
    pub boards: usize,
    pub games: u64,
    /// The content hash of the artifact.
    pub sha256: String,
}

impl Row for AlphaResult {
    fn text(rows: &[Self]) -> String {
        let theta = |at: usize| move |row: &Self| format!("{:.5}", row.theta[at]);
        TableOf::new(rows)
            .right("longer side", theta(0))
            .right("shorter side", theta(1))
            .right("mine ratio", theta(2))
            .right("constant", theta(3))
            .right("R squared", |row| {
                row.r_squared
                    .map_or_else(|| "-".to_owned(), |r| format!("{r:.4}"))
            })
            .right("boards", |row| row.boards)
            .right("games", |row| grouped(row.games))
            .left("sha256", |row| &row.sha256[..12])
            .text()
    }
}
