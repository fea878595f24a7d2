//! The schedule of a calibration: which games are played, in which order they count, and when a player on a board has made enough
//! guesses.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::values::{MOST_GAMES, is_hopeless};
use mineflow_arena::{Keeping, Piece};

/// Number of games that a worker takes at once.
const CHUNK: u32 = 64;

/// Games `first..end` of one player on one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) line: usize,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// A finished configuration (one player on one board), as the journal stores it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineRecord {
    pub(super) line: usize,
    pub(super) tally: Tally,
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

    fn number_of((): &()) -> usize {
        unreachable!("what it took is not kept")
    }
}

/// A queue of the chunks of several configurations, one configuration after the other.
pub(super) struct Queue {
    lines: Vec<usize>,
    games: u32,
    /// The index in `lines` of the current configuration, and its next game.
    next: Mutex<(usize, u32)>,
}

impl Queue {
    pub(super) fn new(lines: Vec<usize>, games: u32) -> Self {
        Self {
            lines,
            games,
            next: Mutex::new((0, 0)),
        }
    }

    /// Returns the next games to play, or `None` if none are left.
    pub(super) fn next(&self) -> Option<Chunk> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (place, first) = *next;
        let line = *self.lines.get(place)?;
        let end = first.saturating_add(CHUNK).min(self.games);
        *next = if end == self.games {
            (place + 1, 0)
        } else {
            (place, end)
        };
        Some(Chunk { line, first, end })
    }

    /// Skips the remaining games of a finished configuration.
    pub(super) fn end_line(&self, line: usize) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lines.get(next.0) == Some(&line) {
            *next = (next.0 + 1, 0);
        }
    }
}

/// The counts of one player on one board. Chunks are counted in order, whatever the number of threads.
#[derive(Default)]
pub(super) struct JournalLine {
    pub(super) tally: Tally,
    /// The first game of the next chunk to count.
    next: u32,
    pub(super) is_done: bool,
    waiting: BTreeMap<u32, (Chunk, Tally)>,
}

impl JournalLine {
    /// Counts a finished chunk. The configuration is done after the last of `games`, or after the game in which the player makes its
    /// `guesses`-th guess; `again` replays a chunk up to the end of that game.
    ///
    /// # Errors
    /// Returns the errors of `again`, and an error if hardly any game has a guess.
    pub(super) fn take(
        &mut self,
        chunk: Chunk,
        tally: Tally,
        (games, guesses): (u32, u64),
        again: impl Fn(Chunk, u64) -> anyhow::Result<Tally>,
    ) -> anyhow::Result<()> {
        self.waiting.insert(chunk.first, (chunk, tally));
        while !self.is_done
            && let Some((chunk, tally)) = self.waiting.remove(&self.next)
        {
            let missing = guesses - self.tally.errors.guesses;
            let enough = tally.errors.guesses >= missing;
            self.tally.add(&if enough {
                again(chunk, missing)?
            } else {
                tally
            });
            self.next = chunk.end;
            self.is_done = enough || chunk.end == games;
            let (played, made) = (self.tally.games, self.tally.errors.guesses);
            let is_endless = games == MOST_GAMES && is_hopeless(played, made);
            ensure!(
                self.is_done || !is_endless,
                "{played} games have {made} of {guesses} guesses; leave this board out, or give --games instead of --guesses"
            );
        }
        Ok(())
    }
}
