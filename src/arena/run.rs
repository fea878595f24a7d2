//! Plays a series of games of Minesweeper on several workers, and records them as they are played.

use std::{
    any::Any,
    mem::take,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicBool,
    time::Instant,
};

use cpu_time::ThreadTime;

use super::{
    jobs::{Ending, ResultSender, ThreadsError, Workers},
    ledger::Ledger,
    part::Part,
    record::{Cost, RECORD_GAMES, Record},
    series::{BETWEEN_RECORDS, Records, Series},
    stats::Sprt,
};
use mineflow_minesweeper::{
    Board, FirstClick,
    player::{Fault, Limits, PlayerSpec, Seat, ValueModel, board_seed},
};
use mineflow_rng::Seed;
use mineflow_store::{Folder, StoreError};

/// A player on one board under one first-click rule.
#[derive(Clone)]
pub struct Configuration {
    pub player: PlayerSpec,
    pub board: Board,
    pub first_click: FirstClick,
    /// The value model that measures the luck of every game, if luck is measured.
    pub value_model: Option<ValueModel>,
}

/// A plan of games: which configurations play, and how many games each of them plays.
#[derive(Clone)]
pub struct Plan {
    pub configurations: Vec<Configuration>,
    /// The number of games of each configuration.
    pub games: u32,
    /// The shard of the run: which of these games are played.
    pub part: Part,
    pub seed: Seed,
    pub limits: Limits,
    /// The sequential test that may end the games early, for each player of the first half of the
    /// configurations and its partner in the second half.
    pub sprt: Option<Sprt>,
    /// The number of worker threads, at least 1. Results don't depend on this number.
    pub threads: usize,
}

/// The progress of a series.
#[derive(Clone, Copy, Debug)]
pub struct GamesProgress {
    /// The number of games played, including those before this process began.
    pub played: u64,
    pub planned: u64,
    pub won: u64,
    /// The configuration of the record that this process handed in last.
    pub latest: Option<usize>,
    /// A configuration whose last game was just handed in, with its numbers of wins and games.
    pub finished: Option<(usize, u64, u64)>,
}

/// Why a series can't continue.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error(
        "player {player} is wrong on {board}, first click {first_click}, game {game} (its seed {seed}): {fault}"
    )]
    Player {
        player: String,
        board: Board,
        first_click: FirstClick,
        game: u32,
        seed: u64,
        fault: Fault,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// A plan of games with the results of the games played so far.
pub struct Arena {
    plan: Plan,
    series: Series<Ledger>,
}

impl Arena {
    /// The name of the folder setting with the number of games.
    pub const GAMES: &str = "games";

    /// Creates an arena that keeps its results only in memory.
    pub fn in_memory(plan: Plan) -> Self {
        Self::open(plan, None).expect("nothing is read")
    }

    /// Opens an arena that resumes from its folder's journal and records every game there. The
    /// setting [`Arena::GAMES`] of the folder's purpose is the number of games of each
    /// configuration.
    ///
    /// # Errors
    /// Returns an error if the journal belongs to another plan, or if files can't be read or
    /// written.
    pub fn open(plan: Plan, folder: Option<Folder>) -> Result<Self, StoreError> {
        let configurations = plan.configurations.len();
        let ledger = match plan.sprt {
            Some(sprt) if plan.part.is_whole() => {
                let mut all = plan.configurations.iter();
                let is_corrected = all.any(|of| of.value_model.is_some());
                Ledger::tested(configurations / 2, plan.games, sprt, is_corrected)
            }
            Some(_) => Ledger::tested_elsewhere(configurations, plan.own_games()),
            None => Ledger::new(configurations, plan.own_games()),
        };
        Ok(Self {
            plan,
            series: Series::open(ledger, folder)?,
        })
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the results so far.
    pub fn ledger(&self) -> &Ledger {
        self.series.records()
    }

    /// Returns the series with the results, and its folder.
    pub fn series(&mut self) -> &mut Series<Ledger> {
        &mut self.series
    }

    /// Returns the progress of the series.
    pub fn progress(&self) -> GamesProgress {
        progress(self.ledger(), None)
    }

    /// Plays the missing games. Soon after `stop` is set, no new games are started. `watch`
    /// receives the progress many times a second, on the calling thread.
    ///
    /// # Errors
    /// Returns an error if a player fails or the folder can't be written. Results handed in before
    /// are kept.
    pub fn play(
        &mut self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(GamesProgress),
    ) -> Result<Ending, ArenaError> {
        if self.ledger().is_whole() {
            return Ok(Ending::Finished);
        }
        watch(self.progress());
        let plan = &self.plan;
        let workers = Workers {
            threads: plan.threads,
            stop,
        };
        let own_games = plan.own_games().len() as u64;
        let mut latest = None;
        self.series.play(
            workers,
            |ledger| ledger.missing(plan.threads),
            |seated, range, results| plan.play(seated, range, results),
            |series, record| {
                let ledger = series.records();
                let Some(record) = record else {
                    return watch(progress(ledger, latest));
                };
                latest = Some(record.configuration);
                let tally = &ledger.tallies()[record.configuration];
                if tally.games == own_games {
                    watch(GamesProgress {
                        finished: Some((record.configuration, tally.wins, tally.games)),
                        ..progress(ledger, latest)
                    });
                }
            },
        )
    }
}

fn progress(ledger: &Ledger, latest: Option<usize>) -> GamesProgress {
    GamesProgress {
        played: ledger.played(),
        planned: ledger.most(),
        won: ledger.won(),
        latest,
        finished: None,
    }
}

/// A worker's seats, which play games at once, and the index of their configuration; `None` before
/// the worker's first game.
type Seated = Option<(usize, Vec<Seat>)>;
type HandedIn = Result<(Record, Cost), ArenaError>;

impl Plan {
    /// Returns the games of each configuration that belong to this shard of the run.
    fn own_games(&self) -> Range<u32> {
        let words = self.part.range(self.games.div_ceil(RECORD_GAMES).into());
        let game = |word: u64| (word * u64::from(RECORD_GAMES)).min(self.games.into()) as u32;
        game(words.start)..game(words.end)
    }

    /// Runs one job: plays a range of games of a configuration and hands in records.
    fn play(
        &self,
        seated: &mut Seated,
        (at, first, end): (usize, u32, u32),
        results: &ResultSender<'_, HandedIn>,
    ) {
        let configuration = &self.configurations[at];
        let mut record = Record::new(at, first);
        let played = catch_unwind(AssertUnwindSafe(|| {
            let seats = match &mut *seated {
                Some((of, seats)) if *of == at => seats,
                other => &mut other.insert((at, self.seats(configuration))).1,
            };
            self.play_range(seats, &mut record, end, results)
        }));
        let fault = match played {
            Ok(Ok(())) => return,
            Ok(Err(fault)) => fault,
            Err(panic) => Fault::Panicked(message(&*panic)),
        };
        // After a failure in the middle of a game, the player is not used again.
        *seated = None;
        let game = record.first + record.games;
        results.hand_in(Err(ArenaError::Player {
            player: configuration.player.name.clone(),
            board: configuration.board,
            first_click: configuration.first_click,
            game,
            seed: self.game_seed(configuration.board, game).value(),
            fault,
        }));
    }

    fn seats(&self, of: &Configuration) -> Vec<Seat> {
        let players = of.player.build_together().into_iter();
        let seats = players.map(|player| {
            let seat = Seat::new(player, of.board, of.first_click, self.limits);
            match &of.value_model {
                Some(model) => seat.measure_luck(model.clone()),
                None => seat,
            }
        });
        seats.collect()
    }

    fn game_seed(&self, board: Board, game: u32) -> Seed {
        board_seed(self.seed, board).child("game", u64::from(game))
    }

    /// Plays the games from the end of `record` to `end`, unless stopped earlier.
    fn play_range(
        &self,
        seats: &mut [Seat],
        record: &mut Record,
        end: u32,
        results: &ResultSender<'_, HandedIn>,
    ) -> Result<(), Fault> {
        let board = seats[0].view().board();
        let mut clocks = (ThreadTime::now(), Instant::now());
        let (mut nodes, mut other_cpu) = (0, 0.0);
        let mut game = record.first;
        while game < end {
            let next = end.min(game + seats.len() as u32);
            let measures_luck = seats[0].measures_luck();
            let seeds = (game..next).map(|game| self.game_seed(board, game));
            Seat::play_together(seats, seeds, |(outcome, in_other)| {
                nodes += outcome.nodes;
                other_cpu += in_other;
                record.add(outcome, measures_luck);
            })?;
            game = next;
            let is_last = game == end || results.is_over();
            if is_last || clocks.1.elapsed() >= BETWEEN_RECORDS {
                let cost = Cost {
                    configuration: record.configuration,
                    cpu_seconds: clocks.0.elapsed().as_secs_f64() + take(&mut other_cpu),
                    wall_seconds: clocks.1.elapsed().as_secs_f64(),
                    nodes: take(&mut nodes),
                };
                clocks = (ThreadTime::now(), Instant::now());
                let full = std::mem::replace(record, Record::new(record.configuration, game));
                results.hand_in(Ok((full, cost)));
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no message".to_owned(),
    }
}
