//! Plays the games that a calibration lacks and records each finished player and board.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use anyhow::Context as _;

use super::Calibration;
use super::line::{JournalLine, LineRecord, Queue};
use mineflow_arena::{Records, Series, Slots, Workers};

impl Calibration {
    /// Plays the missing games, and stops soon after an interruption. `watch` receives the numbers of games played and planned, or of
    /// guesses if guesses are limited.
    ///
    /// # Errors
    /// Returns an error if a player does not assign a probability to every cell, a player fails, or the journal can't be written.
    pub(super) fn play_missing(
        &self,
        series: &mut Series<Slots<LineRecord>>,
        workers: Workers<'_>,
        watch: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<()> {
        let missing = series.records().missing();
        let mut lines: BTreeMap<usize, JournalLine> = missing
            .iter()
            .map(|&line| (line, JournalLine::default()))
            .collect();
        let queue = Queue::new(missing, self.games);
        let guesses = self.guesses.unwrap_or(u64::MAX);
        workers.run(
            std::iter::from_fn(|| queue.next()),
            || (),
            |(), chunk, results| {
                let played = self.play(chunk, guesses, || results.is_over());
                // A chunk that ended early is incomplete and lost.
                if !results.is_over() {
                    results.hand_in((chunk, played));
                }
            },
            |played| {
                // Chunks after the end of their configuration are ignored.
                if let Some((chunk, tally)) = played
                    && let Some(line) = lines.get_mut(&chunk.line)
                {
                    let again = |chunk, guesses| self.play(chunk, guesses, || false);
                    line.take(chunk, tally?, (self.games, guesses), again)
                        .with_context(|| {
                            let (player, board) = self.line(chunk.line);
                            format!("player {} on {board}", player.name)
                        })?;
                    if line.is_done {
                        queue.end_line(chunk.line);
                        series.keep(
                            &LineRecord {
                                line: chunk.line,
                                tally: line.tally.clone(),
                            },
                            &(),
                        )?;
                        series.flush()?;
                        lines.remove(&chunk.line);
                    }
                }
                let tallies = series.records().pieces().map(|record| &record.tally);
                let done = tallies
                    .chain(lines.values().map(|line| &line.tally))
                    .map(|tally| self.counted(tally))
                    .sum();
                watch(done, self.counted_of_each() * series.records().planned());
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(())
    }
}
