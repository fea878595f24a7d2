//! `evaluate` and `compare`: the games of `pipeline eval` and `pipeline compare`, played by named players and by Python functions.

use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mineflow_arena::{
    Comparison, Confidence, Estimate, Ledger, Record, Records, Sprt, Tally, WinRate,
};
use mineflow_minesweeper::Board;
use mineflow_minesweeper::player::{Fault, Limits, Outcome, PlayerSpec, Seat, ValueModel};
use mineflow_rng::Seed;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{any_node_limit, attributes, batch, games, refuse, seed, threads};
use crate::boards::first_click_rule;
use crate::games::{self, Games};
use crate::players::{Player, spec, value_model};
use crate::pool::{Rest, Threads, detached};

/// The time between two checks for signals of Python, such as an interrupt.
const BETWEEN_SIGNAL_CHECKS: Duration = Duration::from_millis(100);
/// The maximum number of games that are played between two checks for signals.
const LONGEST: u32 = 1 << 16;

/// The maximum number of games that are kept in memory, and of games in progress.
const MOST_GAMES: u32 = 100_000_000;
const MOST_BATCH: usize = 65_536;

/// A player to evaluate: a named player, or a Python function.
pub enum Side<'py> {
    /// A player with a name or a recipe, and its idle seats.
    Named(Box<PlayerSpec>, Rest<Seat>),
    Function(Bound<'py, PyAny>),
}

impl<'py> Side<'py> {
    pub fn new(policy: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(player) = policy.cast::<Player>() {
            return Ok(Self::Named(
                Box::new(player.get().spec.clone()),
                Rest::default(),
            ));
        }
        if let Ok(name) = policy.extract::<String>() {
            return Ok(Self::Named(Box::new(spec(&name, None)?), Rest::default()));
        }
        match policy.is_callable() {
            true => Ok(Self::Function(policy.clone())),
            false => refuse(format!(
                "policy: expected a name, a recipe, a Player, a Policy or a function from views to cells, got {}",
                policy.get_type().name()?
            )),
        }
    }

    pub fn name(&self) -> PyResult<String> {
        match self {
            Self::Named(spec, _) => Ok(spec.name.clone()),
            Self::Function(policy) => match policy.getattr_opt("__name__")? {
                Some(name) => name.extract(),
                None => Ok(policy.get_type().name()?.to_string()),
            },
        }
    }

    /// Plays the games with these numbers.
    fn play(
        &self,
        py: Python<'_>,
        setup: &Setup,
        at: usize,
        numbers: Range<u32>,
    ) -> PyResult<Record> {
        let mut record = Record::new(at, numbers.start);
        let measures_luck = setup.games.value_model.is_some();
        let outcomes = match self {
            Self::Function(policy) => games::play(py, &setup.games, policy, numbers, setup.batch)?,
            Self::Named(spec, seats) => seated(py, setup, spec, seats, numbers)?,
        };
        outcomes
            .into_iter()
            .for_each(|outcome| record.add(outcome, measures_luck));
        Ok(record)
    }
}

/// The settings of the games, the limits of each game, and the number of games in progress at once.
struct Setup {
    games: Games,
    limits: Limits,
    batch: usize,
}

/// Plays the games with these numbers with a named player.
fn seated(
    py: Python<'_>,
    setup: &Setup,
    spec: &PlayerSpec,
    seats: &Rest<Seat>,
    numbers: Range<u32>,
) -> PyResult<Vec<Outcome>> {
    let Setup { games, limits, .. } = setup;
    let build = || {
        let seat = Seat::new(spec.build(), games.board, games.first_click, *limits)
            .with_cascade(games.cascade);
        match &games.value_model {
            Some(model) => seat.measure_luck(model.clone()),
            None => seat,
        }
    };
    let mut outcomes = Vec::with_capacity(numbers.len());
    let (mut at, mut length) = (numbers.start, games.threads.count() as u32);
    while at < numbers.end {
        py.check_signals()?;
        let chunk = at..numbers.end.min(at.saturating_add(length));
        let began = Instant::now();
        let mut played: Vec<Option<Result<Outcome, Fault>>> = vec![None; chunk.len()];
        detached(py, || {
            let jobs: Vec<(u32, &mut Option<_>)> = chunk.clone().zip(&mut played).collect();
            games.threads.for_each(
                jobs,
                || seats.take(build),
                |seat, (number, slot)| {
                    *slot = Some(seat.play(games.seed_of(number)));
                },
            );
        })?;
        for (number, outcome) in chunk.clone().zip(played) {
            let outcome = outcome.expect("every game of the chunk is played");
            outcomes.push(outcome.or_else(|fault| {
                refuse(format!("player {}, game {number}: {fault}", spec.name))
            })?);
        }
        at = chunk.end;
        if began.elapsed() < BETWEEN_SIGNAL_CHECKS / 2 {
            length = length.saturating_mul(2).min(LONGEST);
        }
    }
    Ok(outcomes)
}

/// The settings that `evaluate` and `compare` share.
#[derive(FromPyObject)]
pub struct Settings {
    board: String,
    first_click: String,
    cascade: bool,
    #[pyo3(from_py_with = games)]
    games: u32,
    #[pyo3(from_py_with = seed)]
    seed: u64,
    luck_corrected: bool,
    value_model: Option<PathBuf>,
    #[pyo3(from_py_with = any_node_limit)]
    node_limit: Option<u64>,
    #[pyo3(from_py_with = batch)]
    batch: usize,
    #[pyo3(from_py_with = threads)]
    threads: Option<usize>,
}

impl Settings {
    fn setup(&self) -> PyResult<Setup> {
        let board: Board = self
            .board
            .parse()
            .or_else(|error| refuse(format!("board: {error}")))?;
        let first_click = first_click_rule(&self.first_click)?;
        if !(1..=MOST_GAMES).contains(&self.games) || !(1..=MOST_BATCH).contains(&self.batch) {
            let (games, batch) = (self.games, self.batch);
            return refuse(format!(
                "games: {games}, and must be 1 to {MOST_GAMES}; batch: {batch}, and must be 1 to {MOST_BATCH}"
            ));
        }
        let value_model = match (&self.value_model, self.luck_corrected) {
            (_, false) => None,
            (Some(file), true) => Some(
                ValueModel::load(file).or_else(|error| refuse(format!("value_model: {error}")))?,
            ),
            (None, true) => Some(value_model(board, first_click)?),
        };
        let threads = Threads::new(self.threads)?;
        let games = Games {
            board,
            first_click,
            cascade: self.cascade,
            seed: Seed::new(self.seed),
            value_model,
            threads,
        };
        Ok(Setup {
            games,
            limits: Limits {
                nodes: self.node_limit,
                time: None,
            },
            batch: self.batch,
        })
    }
}

/// Plays games and returns the fields of `mineflow.Evaluation`.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    policy: &Bound<'py, PyAny>,
    settings: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings: Settings = attributes(settings)?;
    let (side, setup) = (Side::new(policy)?, settings.setup()?);
    let record = side.play(py, &setup, 0, 0..settings.games)?;
    let mut ledger = Ledger::new(1, 0..settings.games);
    add(&mut ledger, &record)?;
    let answer = described(py, &setup, settings.games)?;
    answer.set_item("player", side.name()?)?;
    tallied(py, &answer, &ledger.tallies()[0])?;
    Ok(answer)
}

/// Plays the same games with two players and returns the fields of `mineflow.Comparison`.
#[pyfunction]
pub fn compare<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    settings: &Bound<'py, PyAny>,
    sprt: Option<&str>,
    confidence: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let settings: Settings = attributes(settings)?;
    let (sides, setup) = ([Side::new(a)?, Side::new(b)?], settings.setup()?);
    let sprt = sprt
        .map(|text| {
            text.parse::<Sprt>()
                .or_else(|error| refuse(format!("sprt: {error}")))
        })
        .transpose()?;
    let confidence: Confidence = confidence
        .parse()
        .or_else(|error| refuse(format!("confidence: {error}")))?;
    let mut ledger = match sprt {
        Some(sprt) => {
            let is_corrected = setup.games.value_model.is_some();
            Ledger::tested(1, settings.games, sprt, is_corrected)
        }
        None => Ledger::new(2, 0..settings.games),
    };
    let mut played = 0;
    while !ledger.is_whole() {
        let end = (Ledger::planned(&ledger) / 2) as u32;
        for (at, side) in sides.iter().enumerate() {
            let record = side.play(py, &setup, at, played..end)?;
            add(&mut ledger, &record)?;
        }
        played = end;
    }
    let compared = Comparison::of(&ledger, 0, confidence);
    let paired = compared.paired;
    let interval = |of: Estimate| (of.low, of.high);
    let answer = described(py, &setup, paired.games() as u32)?;
    for ((name, side), tally) in ["a", "b"].into_iter().zip(&sides).zip(ledger.tallies()) {
        let of = described(py, &setup, paired.games() as u32)?;
        of.set_item("player", side.name()?)?;
        tallied(py, &of, tally)?;
        answer.set_item(name, of)?;
    }
    answer.set_item("both", paired.both)?;
    answer.set_item("only_a", paired.only_a)?;
    answer.set_item("only_b", paired.only_b)?;
    answer.set_item("neither", paired.neither)?;
    answer.set_item("difference", paired.difference())?;
    answer.set_item("interval", interval(compared.raw))?;
    answer.set_item("p_value", paired.p_value())?;
    answer.set_item(
        "corrected_difference",
        compared.corrected.map(|mean| mean.mean),
    )?;
    answer.set_item(
        "corrected_interval",
        compared
            .better
            .map(|mean| interval(mean.interval(confidence))),
    )?;
    answer.set_item(
        "corrected_p_value",
        compared.better.map(|mean| mean.p_value()),
    )?;
    answer.set_item("verdict", compared.verdict.name())?;
    answer.set_item("llr", compared.test.map(|tested| tested.llr))?;
    Ok(answer)
}

fn add(ledger: &mut Ledger, record: &Record) -> PyResult<()> {
    ledger
        .add(record)
        .or_else(|error| refuse(error.to_string()))
}

/// Describes the games in a dictionary.
fn described<'py>(py: Python<'py>, setup: &Setup, games: u32) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("board", setup.games.board.to_string())?;
    answer.set_item("first_click", setup.games.first_click.name())?;
    answer.set_item("games", games)?;
    Ok(answer)
}

/// Adds the results of one player's games to a dictionary.
fn tallied<'py>(py: Python<'py>, answer: &Bound<'py, PyDict>, tally: &Tally) -> PyResult<()> {
    let WinRate {
        raw,
        corrected,
        interval,
    } = tally.win_rate();
    let won = (0..tally.games as usize).map(|game| tally.won()[game / 64] >> (game % 64) & 1 == 1);
    answer.set_item("wins", tally.wins)?;
    answer.set_item("timeouts", tally.timeouts)?;
    answer.set_item("guesses", tally.guesses)?;
    answer.set_item("win_ratio", raw.value)?;
    answer.set_item("interval", (raw.low, raw.high))?;
    answer.set_item("corrected_win_ratio", corrected)?;
    answer.set_item("corrected_interval", interval.map(|of| (of.low, of.high)))?;
    answer.set_item("won", PyArray1::from_iter(py, won))?;
    answer.set_item(
        "corrected",
        tally
            .corrected()
            .map(|games| PyArray1::from_iter(py, games)),
    )?;
    Ok(())
}
