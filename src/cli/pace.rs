//! Progress in words: what was done, how fast, and the remaining time.

use std::time::{Duration, Instant};

use mineflow_arena::numbers::{grouped, humane};

/// The last reported progress of the work.
#[derive(Clone)]
pub(super) struct MeterState {
    /// Prefix of every text, such as the name of a stage.
    pub label: String,
    pub began: Instant,
    pub text: String,
    pub done: u64,
    pub planned: u64,
    /// The name of the counted things, such as `games`, and their number at the start.
    pub counted: Option<(&'static str, u64)>,
}

impl MeterState {
    pub fn new(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            began: Instant::now(),
            text: String::new(),
            done: 0,
            planned: 0,
            counted: None,
        }
    }

    /// Describes the progress after `elapsed` in words. The text is empty if nothing was reported.
    pub fn in_words(&self, elapsed: Duration) -> String {
        if self.text.is_empty() {
            return String::new();
        }
        let pace = self.counted.map(|(things, before)| {
            let done = self.done.saturating_sub(before);
            let to_do = self.planned.saturating_sub(self.done);
            pace(things, done, to_do, elapsed)
        });
        format!("{}{}{}", self.label, self.text, pace.unwrap_or_default())
    }
}

/// Formats the rate and the remaining time, such as `, 100 games/s, 1 min 0 s left`. The text is
/// empty if nothing was done since the start.
pub(super) fn pace(things: &str, done: u64, to_do: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    if rate <= 0.0 {
        return String::new();
    }
    let left = Duration::from_secs_f64((to_do as f64 / rate).min(1e9));
    let rate = if rate < 10.0 {
        format!("{rate:.2}")
    } else {
        grouped(rate as u64)
    };
    format!(", {rate} {things}/s, {} left", humane(left))
}
