//! Plays the games that a calibration lacks and records each finished player and board.

use std::{collections::BTreeMap, ops::ControlFlow};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::{Calibration, tally::Tally};
use mineflow_arena::{Keeping, Piece, Records, Series, Slots, Workers};

/// Number of games that a worker takes at once.
const CHUNK: u32 = 64;

/// Games `first..end` of one player on one board.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    pub line: usize,
    pub first: u32,
    pub end: u32,
}

/// A finished configuration (one player on one board), as the journal stores it.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineRecord {
    pub line: usize,
    pub tally: Tally,
}

impl Piece for LineRecord {
    type Cost = ();
    const KEEPING: Keeping = Keeping {
        things: "players_on_boards",
        has_costs: false,
        journal_stays: true,
    };

    fn number(&self) -> usize {
        self.line
    }
}

impl Calibration {
    /// Plays the missing games, and stops soon after an interruption. `watch` receives the numbers
    /// of games played and planned. Counts are sums, and thus their order doesn't matter.
    ///
    /// # Errors
    /// Returns an error if a player does not assign a probability to every cell, a player fails, or
    /// the journal can't be written.
    pub fn play_missing(
        &self,
        series: &mut Series<Slots<LineRecord>>,
        workers: Workers<'_>,
        watch: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<()> {
        let missing = series.records().missing();
        let chunk = |line, first: u32| Chunk {
            line,
            first,
            end: first.saturating_add(CHUNK).min(self.games),
        };
        let chunks: Vec<Chunk> = missing
            .into_iter()
            .flat_map(|line| {
                (0..self.games)
                    .step_by(CHUNK as usize)
                    .map(move |first| chunk(line, first))
            })
            .collect();
        let mut begun: BTreeMap<usize, Tally> = BTreeMap::new();
        workers.run(
            chunks.into_iter(),
            || (),
            |(), chunk, results| {
                let played = self.play(chunk, || results.is_over());
                // A chunk that ended early is incomplete and lost.
                if !results.is_over() {
                    results.hand_in((chunk.line, played));
                }
            },
            |played| {
                if let Some((line, played)) = played {
                    let tally = begun.entry(line).or_default();
                    tally.add(&played.with_context(|| {
                        let (player, board) = self.line(line);
                        format!("player {} on {board}", player.name)
                    })?);
                    if tally.games == u64::from(self.games) {
                        let tally = begun.remove(&line).unwrap_or_default();
                        series.keep(&LineRecord { line, tally }, &())?;
                        series.flush()?;
                    }
                }
                let finished = series.records().pieces().map(|record| &record.tally);
                let played = finished
                    .chain(begun.values())
                    .map(|tally| tally.games)
                    .sum();
                let planned = u64::from(self.games) * series.records().planned();
                watch(played, planned);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(())
    }
}
