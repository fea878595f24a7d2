//! What is noted of every round.

use crate::training_records::Metrics;

/// The first `rounds` lines of `metrics.jsonl`; `None` if it has fewer, or one is not such a line.
pub(super) fn from_lines(text: &[u8], rounds: u64) -> Option<Vec<Metrics>> {
    let lines = text
        .split(|&byte| byte == b'\n')
        .take(usize::try_from(rounds).ok()?);
    let metrics: Vec<Metrics> = lines
        .map(|line| serde_json::from_slice(line).ok())
        .collect::<Option<_>>()?;
    (metrics.len() as u64 == rounds).then_some(metrics)
}
