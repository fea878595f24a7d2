//! A calibration under way, kept in a folder: a line of its journal for each player on a board that is done.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::line::{Line, LineRecord, Queue};
use super::{BINS, Calibration};
use mineflow_arena::Workers;
use mineflow_stage::definition::Context;
use mineflow_store::{Folder, Journal, Purpose};

/// The files that are made from the journal.
const RESULTS: &[&str] = &[BINS, "calibration-scores.csv", "calibration-errors.csv"];

/// What is done of a calibration.
pub(super) struct Work<'a> {
    calibration: &'a Calibration,
    /// Of every player on every board.
    pub(super) lines: Vec<Line>,
    /// Those of the part.
    own: Range<usize>,
    kept: Option<(Folder, Journal)>,
}

impl<'a> Work<'a> {
    /// Takes up what the folder of the context has, if there is one.
    ///
    /// # Errors
    /// A folder that can't be used, and a journal that is not of this calibration.
    pub(super) fn open(calibration: &'a Calibration, context: &Context<'_>) -> anyhow::Result<Self> {
        let count = calibration.players.len() * calibration.boards.len();
        let own = context.part.range(count as u64);
        let own = own.start as usize..own.end as usize;
        let mut lines: Vec<Line> = (0..count).map(|_| Line::default()).collect();
        let mut kept = None;
        if context.out.is_some() {
            let settings = calibration.settings(context.part);
            let mut folder = context.open(&Purpose { own: RESULTS, results: RESULTS, ..Purpose::of(settings) })?;
            let journal = Journal::open(folder.path().join(Journal::FILE), |record: LineRecord| {
                *lines.get_mut(record.line).ok_or_else(|| format!("there are {count} players on boards"))? =
                    Line::done(record.tally);
                Ok(())
            })?;
            if lines[own.clone()].iter().any(|line| !line.is_done) {
                folder.reopen()?;
            }
            kept = Some((folder, journal));
        }
        Ok(Self { calibration, lines, own, kept })
    }

    fn own_lines(&self) -> &[Line] {
        &self.lines[self.own.clone()]
    }

    /// The players on boards that are done, of how many.
    pub(super) fn done(&self) -> (usize, usize) {
        (self.own_lines().iter().filter(|line| line.is_done).count(), self.own.len())
    }

    /// The games that count.
    pub(super) fn games(&self) -> u64 {
        self.own_lines().iter().map(|line| line.tally.games).sum()
    }

    /// Plays what is missing, until soon after it is asked to stop. `watch` gets how many of how many games are played, or
    /// guesses made if those are limited.
    ///
    /// # Errors
    /// A player that doesn't weigh every cell, or is wrong, and a journal that can't be written.
    pub(super) fn play(&mut self, workers: Workers<'_>, watch: &mut dyn FnMut(u64, u64)) -> anyhow::Result<()> {
        let Self { calibration, lines, own, kept } = self;
        let calibration = *calibration;
        let missing: Vec<usize> = own.clone().filter(|&line| !lines[line].is_done).collect();
        let queue = Queue::new(missing, calibration.games);
        let guesses = calibration.guesses.unwrap_or(u64::MAX);
        workers.run(
            std::iter::from_fn(|| queue.next()),
            || (),
            |(), chunk, desk, _| desk.hand_in((chunk, calibration.play(chunk, guesses))),
            |played| {
                // Chunks that come after the end of their line don't count.
                if let Some((chunk, tally)) = played
                    && let line = &mut lines[chunk.line]
                    && !line.is_done
                {
                    let again = |chunk, guesses| calibration.play(chunk, guesses);
                    line.take(chunk, tally?, (calibration.games, guesses), again)?;
                    if line.is_done {
                        queue.end_line(chunk.line);
                        if let Some((_, journal)) = kept {
                            journal.append(&LineRecord { line: chunk.line, tally: line.tally.clone() })?;
                            journal.flush()?;
                        }
                    }
                }
                let (done, planned) = calibration.progress(&lines[own.clone()]);
                watch(done, planned);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(())
    }

    /// Writes these files into the folder, if there is one, and seals it. The journal is then the same however it was interrupted.
    ///
    /// # Errors
    /// If the folder can't be written, and if it was asked to stop.
    pub(super) fn finish(self, files: &[(PathBuf, Vec<u8>)], stop: &AtomicBool) -> anyhow::Result<()> {
        let Some((mut folder, mut journal)) = self.kept else { return Ok(()) };
        let (own, lines) = (self.own, self.lines);
        journal.replace(own.clone().map(|line| LineRecord { line, tally: lines[line].tally.clone() }))?;
        for (name, contents) in files {
            folder.write(&name.to_string_lossy(), contents)?;
        }
        Ok(folder.finish(&json!({ "players_on_boards": own.len() }), stop)?)
    }
}
