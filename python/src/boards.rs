//! `Boards`: a batch of boards that are stepped together. The environments of `mineflow.gymnasium` are based on it.

use std::sync::Mutex;

use mineflow_minesweeper::{Board, FirstClick};
use numpy::ndarray::{ArrayView1, Ix1, Ix2};
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{boards, integers, max_steps, read, refuse, seed_named, threads};
use crate::env::{Env, Rewards, Rules, Scratch};
use crate::pool::{Rest, Threads, detached};
use crate::state;
use crate::stepping::{Autoreset, Part, Stepping, play, split};

/// The minimum number of boards that a thread takes at a time.
const FEWEST: usize = 64;

/// The maximum number of cells of all boards together, which take some gigabytes.
const MOST_CELLS: usize = 1 << 28;

const AUTORESETS: [(&str, Autoreset); 3] = [
    ("NextStep", Autoreset::NextStep),
    ("SameStep", Autoreset::SameStep),
    ("Disabled", Autoreset::Disabled),
];

/// A batch of boards of one size under one set of rules.
#[pyclass(module = "mineflow._mineflow")]
pub struct Boards {
    envs: Vec<Env>,
    rules: Rules,
    rewards: Rewards,
    autoreset: Autoreset,
    gives_probabilities: bool,
    threads: Threads,
    scratch: Rest<Scratch>,
}

type Seen<'py> = (
    Bound<'py, PyArray3<i8>>,
    Bound<'py, PyArray2<i8>>,
    Option<Bound<'py, PyArray3<f64>>>,
);

/// The result of a step: observations, rewards, terminated, truncated, action masks, won, regrets, probabilities, final observations, final
/// probabilities. The last two are those of the old game on boards on which a game ended and the next one began in the same step.
type Given<'py> = (
    Bound<'py, PyArray3<i8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArray1<f64>>>,
    Option<Bound<'py, PyArray3<f64>>>,
    Option<Bound<'py, PyArray3<i8>>>,
    Option<Bound<'py, PyArray3<f64>>>,
);

#[pymethods]
impl Boards {
    /// Creates `count` boards. `mineflow.gymnasium.Minesweeper` documents the settings.
    #[new]
    #[pyo3(signature = (
        count, board, *, first_click, cascade, invalid_ends, max_steps, rewards, probabilities, counts,
        certain_moves, no_guess, autoreset, threads
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python hands them over by name")]
    fn new(
        #[pyo3(from_py_with = boards)] count: usize,
        board: &str,
        first_click: &str,
        cascade: bool,
        invalid_ends: bool,
        #[pyo3(from_py_with = max_steps)] max_steps: Option<u32>,
        rewards: [f64; 5],
        probabilities: bool,
        counts: bool,
        certain_moves: bool,
        no_guess: bool,
        autoreset: &str,
        #[pyo3(from_py_with = threads)] threads: Option<usize>,
    ) -> PyResult<Self> {
        let board = board
            .parse()
            .and_then(Board::playable)
            .or_else(|error| refuse(format!("board: {error}")))?;
        let first_click = first_click_rule(first_click)?;
        let max_steps = max_steps.unwrap_or(u32::MAX);
        if count == 0 || max_steps == 0 {
            return refuse(format!(
                "num_envs {count} and max_steps {max_steps} must be at least 1"
            ));
        }
        if count > MOST_CELLS / board.cells() {
            return refuse(format!(
                "num_envs: {count} boards {board} have more than {MOST_CELLS} cells"
            ));
        }
        let Some(&(_, autoreset)) = AUTORESETS.iter().find(|(name, _)| *name == autoreset) else {
            return refuse(format!(
                "autoreset_mode: `{autoreset}` is none of NextStep, SameStep, Disabled"
            ));
        };
        let [win, safe, mine, invalid, regret] = rewards;
        let counts = counts || probabilities || regret != 0.0;
        let rules = Rules {
            board,
            first_click,
            cascade,
            invalid_ends,
            max_steps,
            certain_moves,
            no_guess,
            counts,
        };
        Ok(Self {
            envs: vec![Env::new(&rules); count],
            rules,
            rewards: Rewards {
                win,
                safe,
                mine,
                invalid,
                regret,
            },
            autoreset,
            gives_probabilities: probabilities,
            threads: Threads::new(threads)?,
            scratch: Rest::default(),
        })
    }

    /// The numbers of rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.rules.board.height(), self.rules.board.width())
    }

    /// The number of mines on a board.
    #[getter]
    fn mines(&self) -> usize {
        self.rules.board.mines()
    }

    /// Begins the next game of all boards, or of the boards in a mask bool[N]. A board with a seed begins the first game of that seed;
    /// `seeds` has N seeds, each an integer or None.
    ///
    /// Returns the observations int8[N, H, W], the action masks int8[N, H * W], and the probabilities float64[N, H, W] or None.
    #[pyo3(signature = (seeds=None, mask=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seeds: Option<&Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Seen<'py>> {
        let count = self.envs.len();
        let seeds: Option<Vec<Option<u64>>> = seeds
            .map(|seeds| {
                let read = |(index, seed): (usize, PyResult<Bound<'py, PyAny>>)| match seed? {
                    seed if seed.is_none() => Ok(None),
                    seed => seed_named(&seed, &format!("seed[{index}]")).map(Some),
                };
                seeds
                    .try_iter()?
                    .enumerate()
                    .map(read)
                    .collect::<PyResult<_>>()
            })
            .transpose()?;
        let mask = mask
            .map(|mask| read::<bool, Ix1>(mask, "reset_mask", &format!("bool[{count}]")))
            .transpose()?;
        for (name, length) in [
            ("seed", seeds.as_ref().map(Vec::len)),
            ("reset_mask", mask.as_ref().map(|of| of.len())),
        ] {
            if let Some(length) = length.filter(|&length| length != count) {
                return refuse(format!("{name}: expected {count} of them, got {length}"));
            }
        }
        let mask = mask.as_ref().map(|of| of.as_array());
        let envs = &mut self.envs;
        detached(py, || {
            for (index, env) in envs.iter_mut().enumerate() {
                if mask.is_none_or(|mask| mask[index]) {
                    if let Some(seed) = seeds.as_ref().and_then(|seeds| seeds[index]) {
                        env.seed(seed);
                    }
                    env.begin();
                }
            }
        })?;
        self.sights(py)
    }

    /// Returns the states of all boards, uint8[N, S]: games, random seeds and everything else that steps depend on, except the rules.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let length = state::length(&self.rules);
        let states = PyArray2::zeros(py, [self.envs.len(), length], false);
        {
            let mut states = states.readwrite();
            let rows: Vec<_> = self
                .envs
                .iter()
                .zip(states.as_slice_mut()?.chunks_mut(length))
                .collect();
            detached(py, || {
                rows.into_iter()
                    .for_each(|(env, row)| state::write(env, &self.rules, row))
            })?;
        }
        Ok(states)
    }

    /// Sets the state of every board from uint8[N, S], as returned by `state` of boards of the same size. After an error, no board has
    /// changed.
    ///
    /// Returns what `reset` returns.
    /// Raises ValueError that names the first invalid state.
    fn restore<'py>(&mut self, py: Python<'py>, states: &Bound<'py, PyAny>) -> PyResult<Seen<'py>> {
        let count = self.envs.len();
        let states = read::<u8, Ix2>(
            states,
            "state",
            &format!("what state() returns, uint8[{count}, S]"),
        )?;
        let states = states.as_array();
        if states.nrows() != count {
            return refuse(format!(
                "state: expected those of {count} boards, got {}",
                states.nrows()
            ));
        }
        let read = |(index, row): (usize, ArrayView1<'_, u8>)| {
            let restored = state::read(&self.envs[index], &self.rules, &row.to_vec());
            restored.map_err(|why| format!("state[{index}]: {why}"))
        };
        let restored = detached(py, || {
            states
                .outer_iter()
                .enumerate()
                .map(read)
                .collect::<Result<Vec<Env>, _>>()
        })?;
        self.envs = restored.or_else(refuse)?;
        self.sights(py)
    }

    /// Returns the arguments of `__new__` for copying and unpickling; the states are set afterwards.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((usize, String), Bound<'py, PyDict>)> {
        let Self { rules, rewards, .. } = self;
        let Rewards {
            win,
            safe,
            mine,
            invalid,
            regret,
        } = *rewards;
        let autoreset = AUTORESETS.iter().find(|(_, mode)| *mode == self.autoreset);
        let settings = PyDict::new(py);
        settings.set_item("first_click", rules.first_click.name())?;
        settings.set_item("cascade", rules.cascade)?;
        settings.set_item("invalid_ends", rules.invalid_ends)?;
        settings.set_item("max_steps", rules.max_steps)?;
        settings.set_item("rewards", [win, safe, mine, invalid, regret])?;
        settings.set_item("probabilities", self.gives_probabilities)?;
        settings.set_item("counts", rules.counts)?;
        settings.set_item("certain_moves", rules.certain_moves)?;
        settings.set_item("no_guess", rules.no_guess)?;
        settings.set_item("autoreset", autoreset.map(|(name, _)| *name))?;
        settings.set_item("threads", self.threads.asked())?;
        Ok(((self.envs.len(), rules.board.to_string()), settings))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.state(py)
    }

    fn __setstate__(&mut self, py: Python<'_>, states: &Bound<'_, PyAny>) -> PyResult<()> {
        self.restore(py, states).map(drop)
    }

    /// Opens one cell of every board. `actions` has N cells by their row-major index. Returns observations, rewards, terminated, truncated,
    /// action masks, won, regrets or None, probabilities or None, final observations or None, and final probabilities or None.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Given<'py>> {
        let count = self.envs.len();
        let actions: PyReadonlyArray1<'_, i64> = integers(actions, "actions", count)?;
        let copied;
        let actions = match actions.as_slice() {
            Ok(actions) => actions,
            Err(_) => {
                copied = actions.as_array().to_vec();
                &copied
            }
        };
        self.check(actions)?;
        let (seen, mask) = (self.array3(py), self.masks(py));
        let [terminated, truncated, won] =
            [(); 3].map(|()| PyArray1::<bool>::zeros(py, count, false));
        let reward = PyArray1::<f64>::zeros(py, count, false);
        let regret = PyArray1::<f64>::zeros(py, if self.rules.counts { count } else { 0 }, false);
        let board = self.rules.board;
        let rows = |are_there: bool| {
            [
                if are_there { count } else { 0 },
                board.height(),
                board.width(),
            ]
        };
        let is_same_step = self.autoreset == Autoreset::SameStep;
        let last = PyArray3::<i8>::zeros(py, rows(is_same_step), false);
        let last_mine =
            PyArray3::<f64>::zeros(py, rows(is_same_step && self.gives_probabilities), false);
        let (mut any_last, mut failed) = (false, None);
        {
            let (mut seen, mut mask, mut reward) =
                (seen.readwrite(), mask.readwrite(), reward.readwrite());
            let (mut terminated, mut truncated) = (terminated.readwrite(), truncated.readwrite());
            let (mut won, mut regret) = (won.readwrite(), regret.readwrite());
            let (mut last, mut last_mine) = (last.readwrite(), last_mine.readwrite());
            let stepped = Stepping {
                seen: seen.as_slice_mut()?,
                mask: mask.as_slice_mut()?,
                reward: reward.as_slice_mut()?,
                terminated: terminated.as_slice_mut()?,
                truncated: truncated.as_slice_mut()?,
                won: won.as_slice_mut()?,
                regret: regret.as_slice_mut()?,
                last: last.as_slice_mut()?,
                last_mine: last_mine.as_slice_mut()?,
            };
            let Self {
                envs,
                rules,
                rewards,
                autoreset,
                threads,
                scratch,
                ..
            } = self;
            let part = Part {
                envs,
                first: 0,
                actions,
                stepped,
            };
            (any_last, failed) = detached(py, || {
                let found = Mutex::new((any_last, failed));
                let length = count.div_ceil(4 * threads.count()).max(FEWEST);
                let parts = if threads.count() == 1 {
                    vec![part]
                } else {
                    split(part, length, rules)
                };
                threads.for_each(
                    parts,
                    || scratch.take(|| Scratch::new(rules)),
                    |scratch, part| {
                        let (last, failure) = play(part, rules, rewards, *autoreset, scratch);
                        let mut found = found
                            .lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner);
                        found.0 |= last;
                        if let Some((index, why)) = failure
                            && found.1.as_ref().is_none_or(|&(known, _)| index < known)
                        {
                            found.1 = Some((index, why));
                        }
                    },
                );
                found
                    .into_inner()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
            })?;
        }
        if let Some((index, why)) = failed {
            return refuse(format!("actions[{index}]: {why}"));
        }
        let regret = self.rules.counts.then_some(regret);
        let probabilities = self.probabilities(py)?;
        let last_mine = (any_last && self.gives_probabilities).then_some(last_mine);
        let last = any_last.then_some(last);
        Ok((
            seen,
            reward,
            terminated,
            truncated,
            mask,
            won,
            regret,
            probabilities,
            last,
            last_mine,
        ))
    }
}

impl Boards {
    fn array3<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<i8>> {
        let board = self.rules.board;
        PyArray3::zeros(py, [self.envs.len(), board.height(), board.width()], false)
    }

    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        PyArray2::zeros(py, [self.envs.len(), self.rules.board.cells()], false)
    }

    /// Returns the current observations and action masks, and the probabilities if they are requested.
    fn sights<'py>(&self, py: Python<'py>) -> PyResult<Seen<'py>> {
        let (seen, mask) = (self.array3(py), self.masks(py));
        {
            let (mut seen, mut mask) = (seen.readwrite(), mask.readwrite());
            let cells = self.rules.board.cells();
            let rows = seen
                .as_slice_mut()?
                .chunks_mut(cells)
                .zip(mask.as_slice_mut()?.chunks_mut(cells));
            self.envs
                .iter()
                .zip(rows)
                .for_each(|(env, (seen, mask))| env.show(seen, mask));
        }
        Ok((seen, mask, self.probabilities(py)?))
    }

    /// Returns the current probabilities if they are requested.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<f64>>>> {
        if !self.gives_probabilities {
            return Ok(None);
        }
        let board = self.rules.board;
        let made = PyArray3::zeros(py, [self.envs.len(), board.height(), board.width()], false);
        let mut rows = made.readwrite();
        let rows = rows.as_slice_mut()?.chunks_mut(board.cells());
        self.envs
            .iter()
            .zip(rows)
            .for_each(|(env, row)| row.copy_from_slice(&env.mine));
        Ok(Some(made))
    }

    /// Checks that every action is possible, before any action is played.
    fn check(&self, actions: &[i64]) -> PyResult<()> {
        let cells = self.rules.board.cells() as u64;
        for (index, (&action, env)) in actions.iter().zip(&self.envs).enumerate() {
            if env.over && self.autoreset != Autoreset::NextStep {
                return refuse(format!(
                    "actions[{index}]: its game is over; reset it first"
                ));
            }
            if action as u64 >= cells && !env.over {
                return refuse(format!(
                    "actions[{index}]: {action} is not a cell; cells are 0 to {}",
                    cells - 1
                ));
            }
        }
        Ok(())
    }
}

/// Parses the name of a first-click rule.
pub fn first_click_rule(text: &str) -> PyResult<FirstClick> {
    text.parse()
        .or_else(|error| refuse(format!("first_click: {error}")))
}
