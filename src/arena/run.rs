//! A series of games, played by several workers and recorded as they go.

use std::any::Any;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::jobs::{Desk, Ending, Over, ThreadsError, Workers};
use super::ledger::{Cost, Ledger, RECORD_GAMES, Record, Tally};
use super::part::Part;
use mineflow_minesweeper::player::{Fault, Limits, Seat, board_seed};
use mineflow_minesweeper::player::{PlayerSpec, ValueModel};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_rng::Seed;
use mineflow_store::{Folder, Journal, Purpose, StoreError};

/// How often the workers hand in what they have, so that little is lost when the process is killed.
const BETWEEN_RECORDS: Duration = Duration::from_millis(500);

/// One player on one kind of game.
#[derive(Clone)]
pub struct Configuration {
    pub player: PlayerSpec,
    pub board: Board,
    pub first_click: FirstClick,
    /// By which the luck of every game is measured, if it is to be.
    pub value_model: Option<ValueModel>,
}

/// What to play.
#[derive(Clone)]
pub struct Plan {
    pub configurations: Vec<Configuration>,
    /// Games of each configuration.
    pub games: u32,
    /// Which of these games are played.
    pub part: Part,
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
    /// Which configuration was handed in last by this process.
    pub latest: Option<usize>,
    /// A configuration whose last game was just handed in, with its wins and games.
    pub finished: Option<(usize, u64, u64)>,
}

/// Why a series can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("player {player} is wrong on {board}, first click {first_click}, game {game} (its seed {seed}): {fault}")]
    Player { player: String, board: Board, first_click: FirstClick, game: u32, seed: u64, fault: Fault },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Where results are kept: what was played, and what it took.
struct Kept {
    folder: Folder,
    journal: Journal,
    costs: Journal,
}

/// A plan with what has been played of it.
pub struct Arena {
    plan: Plan,
    ledger: Ledger,
    kept: Option<Kept>,
    before: u64,
    latest: Option<usize>,
}

impl Arena {
    /// The setting of a folder that has the number of games.
    pub const GAMES: &str = "games";

    /// An arena that keeps its results in memory alone.
    pub fn in_memory(plan: Plan) -> Self {
        let ledger = Ledger::new(plan.configurations.len(), plan.own_games());
        Self { plan, ledger, kept: None, before: 0, latest: None }
    }

    /// An arena that resumes from what the folder at `path` holds and records every game there. The purpose has the
    /// number of games of each configuration as its setting [`Arena::GAMES`].
    ///
    /// # Errors
    /// If the folder has another purpose or is in use, and a journal that is not of this plan. [`StoreError::Stopped`] if `stop` was
    /// set while files were read.
    pub fn in_folder(plan: Plan, path: &Path, purpose: &Purpose, stop: &AtomicBool) -> Result<Self, StoreError> {
        let mut arena = Self::in_memory(plan);
        let mut folder = Folder::open(path, purpose, stop)?;
        let take = |record: Record| arena.ledger.add(&record).map_err(|error| error.to_string());
        let journal = Journal::open(folder.path().join(Journal::FILE), take)?;
        arena.before = arena.ledger.played();
        if arena.before < arena.ledger.planned() {
            folder.reopen()?;
        }
        let take = |cost: Cost| arena.ledger.add_cost(&cost).map_err(|error| error.to_string());
        let costs = Journal::open(folder.path().join(Journal::COSTS), take)?;
        arena.kept = Some(Kept { folder, journal, costs });
        Ok(arena)
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
        self.kept.as_ref().map(|kept| &kept.folder)
    }

    /// Writes the results of a series that is played to the end into its folder, if it has one, and seals it. The journal then has one
    /// record for each configuration, so that the same series leaves the same bytes however it was interrupted.
    ///
    /// # Errors
    /// If the folder can't be written, and [`StoreError::Stopped`].
    ///
    /// # Panics
    /// If games are missing.
    pub fn finish(&mut self, files: &[(&str, Vec<u8>)], stop: &AtomicBool) -> Result<(), StoreError> {
        assert_eq!(self.ledger.played(), self.ledger.planned(), "games are missing");
        let Some(Kept { folder, journal, .. }) = &mut self.kept else { return Ok(()) };
        journal.replace(self.ledger.whole())?;
        files.iter().try_for_each(|(name, contents)| folder.write(name, contents))?;
        folder.finish(&serde_json::json!({ Self::GAMES: self.ledger.played() }), stop)
    }

    /// How far the series is.
    pub fn progress(&self) -> Progress {
        let ledger = &self.ledger;
        let (before, latest) = (self.before, self.latest);
        let (played, planned, won) = (ledger.played(), ledger.planned(), ledger.won());
        Progress { before, played, planned, won, latest, finished: None }
    }

    /// Plays what is missing. Soon after `stop` is set the current games are the last ones. `watch` gets the progress many
    /// times a second, on the calling thread.
    ///
    /// # Errors
    /// If a player is wrong or the folder can't be written; what was handed in before is kept.
    pub fn play(&mut self, stop: &AtomicBool, watch: &mut dyn FnMut(Progress)) -> Result<Ending, ArenaError> {
        watch(self.progress());
        if self.ledger.played() == self.ledger.planned() {
            return Ok(Ending::Finished);
        }
        let plan = self.plan.clone();
        let workers = Workers { threads: plan.threads, stop };
        let missing = self.ledger.missing(plan.threads);
        let mut flushed = Instant::now();
        let own_games = plan.own_games().len() as u64;
        let played = workers.run(
            missing,
            || None,
            |seat, range, desk, over| plan.play(seat, range, desk, over),
            |handed_in| {
                if let Some(played) = handed_in {
                    let (record, cost) = played?;
                    let at = record.configuration;
                    self.take(&(record, cost))?;
                    let Tally { wins, games, .. } = self.ledger.tallies()[at];
                    if games == own_games {
                        watch(Progress { finished: Some((at, wins, games)), ..self.progress() });
                    }
                } else {
                    watch(self.progress());
                }
                if flushed.elapsed() >= BETWEEN_RECORDS {
                    flushed = Instant::now();
                    self.flush()?;
                }
                Ok::<_, ArenaError>(ControlFlow::Continue(()))
            },
        );
        self.flush()?;
        watch(self.progress());
        played?;
        Ok(if self.ledger.played() == self.ledger.planned() { Ending::Finished } else { Ending::Stopped })
    }

    fn take(&mut self, (record, cost): &(Record, Cost)) -> Result<(), StoreError> {
        self.latest = Some(record.configuration);
        self.ledger.add(record).expect("each missing range is handed out once");
        self.ledger.add_cost(cost).expect("clocks give durations");
        self.kept.as_mut().map_or(Ok(()), |kept| kept.journal.append(record).and_then(|()| kept.costs.append(cost)))
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.kept.as_mut().map_or(Ok(()), |kept| kept.journal.flush().and_then(|()| kept.costs.flush()))
    }
}

/// A worker's seat, with the configuration that it is for.
type Seated = Option<(usize, Seat)>;
type HandedIn = Result<(Record, Cost), ArenaError>;

impl Plan {
    /// The games of each configuration that its part has.
    fn own_games(&self) -> Range<u32> {
        let words = self.part.range(self.games.div_ceil(RECORD_GAMES).into());
        let game = |word: u64| (word * u64::from(RECORD_GAMES)).min(self.games.into()) as u32;
        game(words.start)..game(words.end)
    }

    /// One job: plays a range of games of a configuration and hands in records.
    fn play(&self, seated: &mut Seated, (at, first, end): (usize, u32, u32), desk: &Desk<HandedIn>, over: &Over<'_>) {
        let configuration = self.configurations.get(at).expect("ranges are of configurations of the plan");
        let mut record = Record::new(at, first);
        let played = catch_unwind(AssertUnwindSafe(|| {
            let seat = match &mut *seated {
                Some((of, seat)) if *of == at => seat,
                other => {
                    let Configuration { player, board, first_click, value_model } = configuration;
                    let seat = Seat::new(player.build(), *board, *first_click, self.limits);
                    let seat = match value_model {
                        Some(model) => seat.measure_luck(model.clone()),
                        None => seat,
                    };
                    &mut other.insert((at, seat)).1
                }
            };
            self.play_range(seat, &mut record, end, desk, over)
        }));
        let fault = match played {
            Ok(Ok(())) => return,
            Ok(Err(fault)) => fault,
            Err(panic) => Fault::Panicked(message(&*panic)),
        };
        // A player in the middle of a game that went wrong is not used again.
        *seated = None;
        desk.hand_in(Err(self.wrong(configuration, record.first + record.games, fault)));
    }

    /// Plays the games from the end of `record` to `end`, or until it is over.
    fn play_range(
        &self,
        seat: &mut Seat,
        record: &mut Record,
        end: u32,
        desk: &Desk<HandedIn>,
        over: &Over<'_>,
    ) -> Result<(), Fault> {
        let games = board_seed(self.seed, seat.view().board());
        let mut clocks = (ThreadTime::now(), Instant::now());
        for game in record.first..end {
            record.add(seat.play(games.child("game", u64::from(game)))?, seat.measures_luck());
            let is_last = game + 1 == end || over.is_over();
            if is_last || clocks.1.elapsed() >= BETWEEN_RECORDS {
                let [cpu_seconds, wall_seconds] =
                    [clocks.0.elapsed(), clocks.1.elapsed()].map(|time| time.as_secs_f64());
                let cost = Cost { configuration: record.configuration, cpu_seconds, wall_seconds };
                clocks = (ThreadTime::now(), Instant::now());
                let full = std::mem::replace(record, Record::new(record.configuration, game + 1));
                desk.hand_in(Ok((full, cost)));
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }

    fn wrong(&self, at: &Configuration, game: u32, fault: Fault) -> ArenaError {
        let &Configuration { ref player, board, first_click, .. } = at;
        let seed = board_seed(self.seed, board).child("game", u64::from(game)).value();
        ArenaError::Player { player: player.name.clone(), board, first_click, game, seed, fault }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
