//! What is noted of every round.

use serde::{Deserialize, Serialize};

use super::{Round, Won};

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

/// A line of `metrics.jsonl`. Rates and times are the machine's, all else is the same for the same settings.
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
    /// Rows learnt from per second of learning.
    pub rows_per_second: f64,
    /// Seconds of the whole round.
    pub seconds: f64,
    /// When it ended, in seconds since 1970.
    pub wall_time: f64,
}

/// The text of `metrics.jsonl`.
pub(super) fn to_lines(metrics: &[Metrics]) -> serde_json::Result<String> {
    let mut text = String::new();
    for line in metrics {
        text += &serde_json::to_string(line)?;
        text.push('\n');
    }
    Ok(text)
}

/// The first `rounds` lines of `metrics.jsonl`; `None` if it has fewer, or one is no such line.
pub(super) fn from_lines(text: &[u8], rounds: u64) -> Option<Vec<Metrics>> {
    let lines = text.split(|&byte| byte == b'\n').take(usize::try_from(rounds).ok()?);
    let metrics: Vec<Metrics> = lines.map(|line| serde_json::from_slice(line).ok()).collect::<Option<_>>()?;
    (metrics.len() as u64 == rounds).then_some(metrics)
}
