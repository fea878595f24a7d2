//! Games one after another, played by several workers and handed over in their order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::GenerateError;
use super::record::PlayedGame;
use super::rows::RowKind;
use super::self_play::{Recorder, SelfPlay};
use crate::minesweeper::player::Player;

/// How soon a request to stop is seen.
const TICK: Duration = Duration::from_millis(50);
/// A worker this many games ahead of the oldest unfinished one waits for it; bounds memory.
const WINDOW: u64 = 512;

/// Makes the player of a worker.
pub type MakePlayer<'a> = &'a (dyn Fn() -> Box<dyn Player> + Sync);

/// Who plays, and when to stop.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    pub player: MakePlayer<'a>,
    /// At least 1. Results don't depend on it.
    pub threads: usize,
    /// Ends the work soon after it is set.
    pub stop: &'a AtomicBool,
}

/// What is played and kept.
pub(super) struct Series<'a> {
    pub(super) settings: &'a SelfPlay,
    pub(super) kind: &'a RowKind,
    /// Whether positions are packed.
    pub(super) keep_cells: bool,
}

impl Series<'_> {
    /// Plays the games `numbers`, rising, and gives them to `take` in this order, until it has enough. `take` is also
    /// called with `None` now and then.
    ///
    /// # Errors
    /// [`GenerateError::Stopped`] if it was asked to stop; else what is wrong with the player.
    pub(super) fn play<E: From<GenerateError>>(
        &self,
        numbers: impl Iterator<Item = u64> + Clone + Send + Sync,
        workers: Workers<'_>,
        mut take: impl FnMut(Option<PlayedGame>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let taken = AtomicU64::new(0);
        let done = AtomicBool::new(false);
        let shared = Shared { series: self, next: AtomicU64::new(0), taken: &taken, done: &done };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..workers.threads {
                let (sender, numbers, shared) = (sender.clone(), numbers.clone(), &shared);
                scope.spawn(move || shared.work(numbers, (workers.player)(), &sender));
            }
            drop(sender);
            let result = collect(&receiver, workers.stop, &taken, &mut take);
            done.store(true, Ordering::Relaxed);
            result
        })
    }
}

type Handed = (u64, Result<PlayedGame, GenerateError>);

fn collect<E: From<GenerateError>>(
    receiver: &mpsc::Receiver<Handed>,
    stop: &AtomicBool,
    taken: &AtomicU64,
    take: &mut impl FnMut(Option<PlayedGame>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(GenerateError::Stopped.into());
        }
        match receiver.recv_timeout(TICK) {
            Ok((index, played)) => {
                early.insert(index, played);
            }
            Err(RecvTimeoutError::Timeout) => {
                if take(None)?.is_break() {
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(played) = early.remove(&next) {
            next += 1;
            taken.store(next, Ordering::Relaxed);
            if take(Some(played?))?.is_break() {
                return Ok(());
            }
        }
    }
}

/// What the workers share.
struct Shared<'a> {
    series: &'a Series<'a>,
    /// The next game that nobody has begun, as a place in the sequence.
    next: AtomicU64,
    taken: &'a AtomicU64,
    done: &'a AtomicBool,
}

impl Shared<'_> {
    /// One worker: plays game after game until there is none left, or enough are taken.
    fn work(&self, numbers: impl Iterator<Item = u64>, player: Box<dyn Player>, sender: &mpsc::Sender<Handed>) {
        let Series { settings, kind, keep_cells } = *self.series;
        let mut recorder = Recorder::new(settings, kind, player, keep_cells);
        let mut numbers = (0..).zip(numbers);
        let mut passed = 0;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((_, number)) = numbers.nth((index - passed) as usize) else { return };
            passed = index + 1;
            while index >= self.taken.load(Ordering::Relaxed) + WINDOW && !self.is_done() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if self.is_done() {
                return;
            }
            let played = recorder.play(number).map_err(|fault| {
                let seed = settings.game_seed(number);
                let board = settings.boards.of_game(number, seed);
                GenerateError::Player { board, game: number, seed: seed.value(), fault }
            });
            // Nobody takes it any more once there are enough.
            if sender.send((index, played)).is_err() {
                return;
            }
        }
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}
