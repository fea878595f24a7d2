//! The metrics of the rounds, read back from their file.

use crate::training_records::Metrics;

/// Parses the first `rounds` lines of `metrics.jsonl`. Returns `None` if there are fewer lines, or
/// a line can't be parsed.
pub(super) fn from_lines(text: &[u8], rounds: u64) -> Option<Vec<Metrics>> {
    let lines = text
        .split(|&byte| byte == b'\n')
        .take(usize::try_from(rounds).ok()?);
    let metrics: Vec<Metrics> = lines
        .map(|line| serde_json::from_slice(line).ok())
        .collect::<Option<_>>()?;
    (metrics.len() as u64 == rounds).then_some(metrics)
}
