//! A series of games, played by several workers and noted as they go.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::folder::{Folder, FolderError};
use super::ledger::{Ledger, Missing, Record};
use super::seat::{Fault, Limits, Seat, board_seed};
use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::{Board, FirstClick};
use crate::rng::Seed;

/// How often the workers hand in what they have, so that little is lost when the process is killed.
const BEAT: Duration = Duration::from_millis(500);
/// How often the watcher is told, and how soon a request to stop is seen.
const TICK: Duration = Duration::from_millis(50);
/// The pulse that asks the workers to stop after their current games.
const STOP: u32 = u32::MAX;

/// One player on one kind of game.
#[derive(Clone)]
pub struct Configuration {
    pub player: PlayerSpec,
    pub board: Board,
    pub first_click: FirstClick,
}

/// What to play.
#[derive(Clone)]
pub struct Plan {
    pub configurations: Vec<Configuration>,
    /// Games of each configuration.
    pub games: u32,
    pub seed: Seed,
    pub limits: Limits,
    /// Number of workers, at least 1. Results don't depend on it.
    pub threads: usize,
}

/// How far a series is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games played before this process began.
    pub before: u64,
    /// Games played, those before among them.
    pub played: u64,
    pub planned: u64,
    pub won: u64,
}

/// Whether a series is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every game is played.
    Finished,
    /// It was asked to stop; every game handed in is kept.
    Stopped,
}

/// Why a series can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("player {player} is wrong on {board}, first click {first_click}, game {game} (its seed {seed}): {fault}")]
    Player { player: String, board: Board, first_click: FirstClick, game: u32, seed: u64, fault: Fault },
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("can't start {0} threads")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

/// A plan with what has been played of it.
pub struct Arena {
    plan: Plan,
    ledger: Ledger,
    folder: Option<Folder>,
    before: u64,
}

impl Arena {
    /// An arena that keeps its results in memory alone.
    pub fn in_memory(plan: Plan) -> Self {
        let ledger = Ledger::new(plan.configurations.len(), plan.games);
        Self { plan, ledger, folder: None, before: 0 }
    }

    /// An arena that goes on from the ledger of `folder` and notes everything there.
    pub fn in_folder(plan: Plan, folder: Folder, ledger: Ledger) -> Self {
        let before = ledger.played();
        Self { plan, ledger, folder: Some(folder), before }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What has been played so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Where results are kept.
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// How far the series is.
    pub fn progress(&self) -> Progress {
        let ledger = &self.ledger;
        Progress { before: self.before, played: ledger.played(), planned: ledger.planned(), won: ledger.won() }
    }

    /// Plays what is missing. Soon after `stop` is set the current games are the last ones. `watch` is told how far it
    /// is many times a second, on the calling thread.
    ///
    /// # Errors
    /// If a player is wrong or the folder can't be written; what was handed in before is kept.
    pub fn play(&mut self, stop: &AtomicBool, watch: &mut dyn FnMut(Progress)) -> Result<Ending, ArenaError> {
        watch(self.progress());
        if self.ledger.played() == self.ledger.planned() {
            return Ok(Ending::Finished);
        }
        let plan = self.plan.clone();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(plan.threads)
            .build()
            .map_err(|error| ArenaError::Threads(plan.threads, error))?;
        let missing = Mutex::new(self.ledger.missing(plan.threads));
        let pulse = AtomicU32::new(if stop.load(Ordering::Relaxed) { STOP } else { 0 });
        let work = Work { plan: &plan, missing, pulse };
        let (sender, receiver) = mpsc::channel();
        let played = std::thread::scope(|scope| {
            let work = &work;
            scope.spawn(move || {
                pool.broadcast(|_| work.play(&sender.clone()));
            });
            self.collect(&receiver, &work.pulse, stop, watch)
        });
        if let Some(folder) = &mut self.folder {
            folder.journal().flush()?;
        }
        watch(self.progress());
        played?;
        Ok(if self.ledger.played() == self.ledger.planned() { Ending::Finished } else { Ending::Stopped })
    }

    /// Takes in what the workers hand in, until the last of them is gone.
    fn collect(
        &mut self,
        receiver: &mpsc::Receiver<Result<Record, ArenaError>>,
        pulse: &AtomicU32,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<(), ArenaError> {
        let mut result = Ok(());
        let (mut beat, mut tick) = (Instant::now(), Instant::now());
        loop {
            let taken = match receiver.recv_timeout(TICK) {
                Ok(Ok(record)) => self.take(&record),
                Ok(Err(error)) => Err(error),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => return result,
            };
            if tick.elapsed() >= TICK {
                tick = Instant::now();
                watch(self.progress());
            }
            let flushed = if beat.elapsed() >= BEAT {
                beat = Instant::now();
                if pulse.load(Ordering::Relaxed) != STOP {
                    pulse.fetch_add(1, Ordering::Relaxed);
                }
                self.folder.as_mut().map_or(Ok(()), |folder| folder.journal().flush().map_err(ArenaError::from))
            } else {
                Ok(())
            };
            let ok = taken.and(flushed);
            if ok.is_err() || stop.load(Ordering::Relaxed) {
                pulse.store(STOP, Ordering::Relaxed);
            }
            // The first error is the one to tell; later ones may be its consequences.
            result = result.and(ok);
        }
    }

    fn take(&mut self, record: &Record) -> Result<(), ArenaError> {
        self.ledger.add(record).expect("each missing range is handed out once");
        match &mut self.folder {
            Some(folder) => Ok(folder.journal().append(record)?),
            None => Ok(()),
        }
    }
}

/// What the workers share.
struct Work<'a> {
    plan: &'a Plan,
    /// The ranges that nobody has taken.
    missing: Mutex<Missing>,
    /// Changes when everybody shall hand in what they have; [`STOP`] at the end.
    pulse: AtomicU32,
}

type Sender = mpsc::Sender<Result<Record, ArenaError>>;

impl Work<'_> {
    /// One worker: plays range after range and hands in records.
    fn play(&self, sender: &Sender) {
        let mut seat: Option<(usize, Seat)> = None;
        while let Some((configuration, first, end)) = self.next_range() {
            if self.pulse.load(Ordering::Relaxed) == STOP {
                return;
            }
            let at = self.plan.configurations.get(configuration).expect("ranges are of configurations of the plan");
            let mut record = Record::new(configuration, first);
            let played = catch_unwind(AssertUnwindSafe(|| {
                let seat = match &mut seat {
                    Some((seated, seat)) if *seated == configuration => seat,
                    other => {
                        let player = at.player.build();
                        let limits = self.plan.limits;
                        &mut other.insert((configuration, Seat::new(player, at.board, at.first_click, limits))).1
                    }
                };
                self.play_range(seat, &mut record, end, sender)
            }));
            let game = record.first + record.games;
            let stop = match played.unwrap_or_else(|panic| Err(Fault::Panicked(message(&*panic)))) {
                Ok(stop) => stop,
                Err(fault) => {
                    self.report(sender, Err(self.wrong(at, game, fault)));
                    true
                }
            };
            if stop {
                return;
            }
        }
    }

    fn next_range(&self) -> Option<(usize, u32, u32)> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// Plays the games from the end of `record` to `end`; true if the worker shall stop.
    fn play_range(&self, seat: &mut Seat, record: &mut Record, end: u32, sender: &Sender) -> Result<bool, Fault> {
        let board = seat.view().board();
        let games = board_seed(self.plan.seed, board);
        let mut clocks = (ThreadTime::now(), Instant::now());
        let mut seen = self.pulse.load(Ordering::Relaxed);
        let mut stop = false;
        let mut game = record.first;
        while game < end && !stop {
            record.add(seat.play(games.child("game", u64::from(game)))?);
            game += 1;
            let pulse = self.pulse.load(Ordering::Relaxed);
            stop = pulse == STOP;
            if pulse != seen || game == end {
                seen = pulse;
                record.cpu_seconds = clocks.0.elapsed().as_secs_f64();
                record.wall_seconds = clocks.1.elapsed().as_secs_f64();
                clocks = (ThreadTime::now(), Instant::now());
                let full = std::mem::replace(record, Record::new(record.configuration, game));
                self.report(sender, Ok(full));
            }
        }
        Ok(stop)
    }

    fn report(&self, sender: &Sender, what: Result<Record, ArenaError>) {
        sender.send(what).expect("the collector stays until the last worker is gone");
    }

    fn wrong(&self, at: &Configuration, game: u32, fault: Fault) -> ArenaError {
        let &Configuration { ref player, board, first_click } = at;
        let seed = board_seed(self.plan.seed, board).child("game", u64::from(game)).value();
        ArenaError::Player { player: player.name.clone(), board, first_click, game, seed, fault }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
