//! `Player`: the moves of a player, the candidates it chooses from, and the reasons.

use std::path::{self, PathBuf};

use mineflow_minesweeper::play::{Adviser, Candidate, Judge, explain_advice};
use mineflow_minesweeper::player::{self, Decision, GameStart, PlayerSpec, Reason, ValueModel};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, View};
use mineflow_model::{Registry, model_file, model_name};
use mineflow_rng::Seed;
use mineflow_search::options::split;
use numpy::PyArray1;
use numpy::ndarray::Axis;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{COVERED, FLAGGED, mines, node_limit, read_views, refuse, seed, threads};
use crate::boards::first_click_rule;
use crate::exact::{Batch, NODE_LIMIT, OnError, one_view};
use crate::pool::{Rest, detached};

/// A player, given by its name or recipe.
///
/// name: a name such as "11.0", or a recipe such as "dss+posterior+min-p"; `mineflow.players()` lists the names with their recipes.
/// model: a model file that replaces the player's own model.
///
/// The default models are those of the wheel, unless MINEFLOW_MODELS names a folder with models or the current folder contains a folder
/// `models`. A player never changes, and thus a copy is the player itself. A pickled player stores the path of its model file; the file
/// must exist with the same content where the player is unpickled. Raises ValueError if there is no such player, or if the model does not
/// fit the player.
#[pyclass(frozen, module = "mineflow")]
pub struct Player {
    pub spec: PlayerSpec,
    /// The arguments with which the player was created.
    made_of: (String, Option<PathBuf>),
    rest: Rest<Box<dyn player::Player>>,
}

/// Returns the player with this name or recipe. If `model` is given, it replaces the player's model and is added to its name.
pub fn spec(name: &str, model: Option<PathBuf>) -> PyResult<PlayerSpec> {
    let spec = match model {
        None => name.parse(),
        Some(path) => PlayerSpec::with_model_file(name, &path).map(|spec: PlayerSpec| PlayerSpec {
            name: format!("{} ({})", spec.name, model_name(&model_file(&path))),
            ..spec
        }),
    };
    spec.or_else(|error| refuse(format!("player: {error}")))
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (name, model=None))]
    fn new(name: &str, model: Option<PathBuf>) -> PyResult<Self> {
        // A process that unpickles the player may run in another folder.
        let absolute = model
            .as_ref()
            .map(|path| path::absolute(path).unwrap_or_else(|_| path.clone()));
        Ok(Self {
            spec: spec(name, model)?,
            made_of: (name.to_owned(), absolute),
            rest: Rest::default(),
        })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __getnewargs__(&self) -> (String, Option<PathBuf>) {
        self.made_of.clone()
    }

    fn __getstate__(&self) -> String {
        self.recipe()
    }

    /// Checks that the player is identical to the one that was pickled: a recipe includes the hash of its model.
    fn __setstate__(&self, recipe: &str) -> PyResult<()> {
        match without_paths(&self.recipe()).eq(without_paths(recipe)) {
            true => Ok(()),
            false => refuse(format!(
                "player: {} was pickled as {recipe}, here it is {}",
                self.spec.name,
                self.recipe()
            )),
        }
    }

    /// The name, or the recipe of a player without a name, with the model file if the model was replaced.
    #[getter]
    fn name(&self) -> &str {
        &self.spec.name
    }

    /// The recipe, which lists the player's components as text.
    #[getter]
    fn recipe(&self) -> String {
        self.spec.recipe.to_string()
    }

    /// A hash of 12 hexadecimal digits that identifies the player, as in the column `version` of result tables. It changes with the recipe,
    /// the content of the model or the revision of the players.
    #[getter]
    fn version(&self) -> String {
        self.spec.version()
    }

    fn __repr__(&self) -> String {
        format!("Player({:?})", self.spec.name)
    }

    /// Chooses the cell that the player opens next in each view. The player begins a new game for each view, and thus the same view gives
    /// the same cell.
    ///
    /// views, mines, threads: as in `probabilities`.
    /// first_click: the rule of the game, "safe", "opening" or "any", which affects the player's choice of the first cell.
    /// seed: the seed of the player's random choices, a non-negative integer.
    /// node_limit: the maximum work for a decision, in nodes of the solver.
    /// on_error: "raise", or "ignore" to return the first covered cell of a view without a move, which the action mask of an environment
    ///     allows, or -1 if every cell is open. A view has no move if its game is over, if it is malformed, if no layout
    ///     fits its numbers, or if the decision exceeds `node_limit` or the solver's memory limit.
    ///
    /// Returns int64[N]: cells by their row-major index, `row * W + col`.
    /// Raises a ValueError that names the first view without a move, unless `on_error` is "ignore".
    #[pyo3(signature = (
        views, mines, *, first_click="safe", seed=0, threads=None, node_limit=50_000_000, on_error="raise"
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python hands them over by name")]
    fn act<'py>(
        &self,
        py: Python<'py>,
        views: &Bound<'py, PyAny>,
        mines: &Bound<'py, PyAny>,
        first_click: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = threads)] threads: Option<usize>,
        #[pyo3(from_py_with = node_limit)] node_limit: u64,
        on_error: &str,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let cells = read_views(views)?;
        let cells = cells.as_array();
        let on_error = OnError::read(on_error, "ignore")?;
        let batch = Batch::new(cells, mines, on_error, threads, node_limit)?;
        let rule = first_click_rule(first_click)?;
        let mut moves = vec![0; batch.views.shape().0];
        let make = || self.rest.take(|| self.spec.build());
        batch.fill(
            py,
            moves.iter_mut(),
            make,
            |player, index, slot: &mut i64| {
                let view = batch.views.at(index);
                let decided = view.and_then(|view| {
                    let decision = decide(&mut ***player, &view, rule, seed, node_limit)?;
                    Ok(decision
                        .cells
                        .first()
                        .ok_or("the player gave no cell")?
                        .index())
                });
                let covered = || {
                    cells
                        .index_axis(Axis(0), index)
                        .iter()
                        .position(|seen| matches!(*seen, COVERED | FLAGGED))
                };
                *slot = decided
                    .as_ref()
                    .ok()
                    .copied()
                    .or_else(covered)
                    .map_or(-1, |cell| cell as i64);
                decided.map(drop)
            },
        )?;
        Ok(PyArray1::from_vec(py, moves))
    }

    /// Lists the cells from which the player chooses in a view, and its choice.
    ///
    /// view: int8[H, W]; mines: the number of mines; first_click, seed: as in `act`.
    ///
    /// Returns a dict: "cells", int64[K], by their row-major index; "mine", float64[K], the mine probability by the player's own estimate;
    /// "chosen", the cell that the player opens. If any cells are proved safe, only these are listed.
    #[pyo3(signature = (view, mines, *, first_click="safe", seed=0))]
    fn candidates<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = mines)] mines: i64,
        first_click: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (view, rule) = (one_view(view, mines)?, first_click_rule(first_click)?);
        let found = detached(py, || -> Result<_, String> {
            let mut player = self.rest.take(|| self.spec.build());
            let decision = decide(&mut **player, &view, rule, seed, NODE_LIMIT)?;
            let weighed: Vec<(Cell, f64)> = match (decision.reason, decision.position(&view)) {
                (Reason::Certain, _) => decision.cells.iter().map(|&cell| (cell, 0.0)).collect(),
                (_, Some(position)) => position
                    .candidates()
                    .map(|cell| (cell, position.mine[cell.index()]))
                    .collect(),
                (_, None) => decision
                    .cells
                    .iter()
                    .map(|&cell| (cell, f64::NAN))
                    .collect(),
            };
            Ok((decision.cells.first().copied(), weighed))
        })?;
        let (chosen, weighed) = found.or_else(|why| refuse(format!("view: {why}")))?;
        let answer = PyDict::new(py);
        let cells = weighed.iter().map(|(cell, _)| cell.index() as i64);
        answer.set_item("cells", PyArray1::from_iter(py, cells))?;
        answer.set_item(
            "mine",
            PyArray1::from_iter(py, weighed.iter().map(|&(_, mine)| mine)),
        )?;
        answer.set_item("chosen", chosen.map(Cell::index))?;
        Ok(answer)
    }

    /// Explains the player's move in a view.
    ///
    /// view, mines, first_click, seed: as in `candidates`.
    ///
    /// Returns a dict: "text", an explanation in words; "reason", "first click", "certain" or "guess"; "cells", a list of (row, column)
    /// that the player opens; "candidates", a list of dicts, the best first, which is empty before the first click and if a cell is proved
    /// safe. Each dict has "cell", "mine" (the exact probability), "progress" (the probability that some cell is proved safe afterwards),
    /// "safety" (the probability that this move and the safest next one are both safe), "win" (the win probability, exact near the end of a
    /// game and otherwise estimated by roll-outs of 11.0-fast, or None), "error" (half the 95 % interval of "win", or None if it is exact),
    /// "behind" (by how much it wins less than the first candidate, and the error of that) and "numbers", the probability of each number
    /// 0 to 8. The first candidate is the cell that 11.0 opens. Roll-outs take some seconds.
    #[pyo3(signature = (view, mines, *, first_click="safe", seed=0))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = mines)] mines: i64,
        first_click: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (view, rule) = (one_view(view, mines)?, first_click_rule(first_click)?);
        let board = view.board();
        let model = value_model(board, rule)?;
        let found = detached(py, || -> Result<_, String> {
            goes_on(&view)?;
            let mut adviser = Adviser::new(self.spec.clone(), NODE_LIMIT);
            let odds = adviser.odds(&view).map_err(|why| why.to_string())?;
            let advice = adviser
                .advise(&view, &start(&view, rule, seed))
                .map_err(|why| why.to_string())?;
            let text = explain_advice(adviser.player(), &advice, &odds, &view);
            let best = Judge::BEST.parse().map_err(|why| format!("{why}"))?;
            let mut judge = Judge::new(Some(model), &best);
            let mut budget = Budget::new(Some(NODE_LIMIT), None);
            let candidates = judge.judge(&view, &mut budget).map(|mut judged| {
                judge.roll_out(&mut judged, &mut budget);
                judged.candidates
            });
            Ok((text, advice, candidates.unwrap_or_default()))
        })?;
        let (text, advice, candidates) = found.or_else(|why| refuse(format!("view: {why}")))?;
        let answer = PyDict::new(py);
        let reason = match advice.reason {
            Reason::FirstClick => "first click",
            Reason::Certain => "certain",
            Reason::Guess => "guess",
        };
        answer.set_item("text", text)?;
        answer.set_item("reason", reason)?;
        answer.set_item(
            "cells",
            advice
                .moves
                .iter()
                .map(|&cell| board.row_col(cell))
                .collect::<Vec<_>>(),
        )?;
        let shown = candidates
            .iter()
            .map(|candidate| shown(py, board, candidate));
        answer.set_item(
            "candidates",
            PyList::new(py, shown.collect::<PyResult<Vec<_>>>()?)?,
        )?;
        Ok(answer)
    }
}

/// Returns the parts of a recipe except the path of its model.
fn without_paths(recipe: &str) -> impl Iterator<Item = &str> {
    split(recipe, ':').filter(|part| !part.starts_with("model="))
}

fn shown<'py>(
    py: Python<'py>,
    board: Board,
    candidate: &Candidate,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("cell", board.row_col(candidate.cell))?;
    dict.set_item("mine", candidate.mine)?;
    dict.set_item("progress", candidate.progress)?;
    dict.set_item("safety", candidate.safety)?;
    dict.set_item("win", candidate.win)?;
    let rated = candidate.rated;
    dict.set_item("error", rated.map(|rated| rated.error))?;
    let behind = rated.map(|rated| (rated.behind, rated.behind_error));
    dict.set_item("behind", behind)?;
    dict.set_item("numbers", candidate.numbers.to_vec())?;
    Ok(dict)
}

/// Loads the published value model, which predicts the win probability, for a board and a first-click rule.
pub fn value_model(board: Board, rule: FirstClick) -> PyResult<ValueModel> {
    let model =
        Registry::open(None).and_then(|registry| ValueModel::registered(&registry, board, rule));
    model.or_else(|error| {
        refuse(format!(
            "the value model of {board}, first click {rule}: {error}"
        ))
    })
}

pub fn start(view: &View, first_click: FirstClick, seed: u64) -> GameStart {
    GameStart {
        board: view.board(),
        first_click,
        seed: Seed::new(seed).child("player", 0),
    }
}

/// Checks that a safe cell is left to open.
fn goes_on(view: &View) -> Result<(), String> {
    match view.covered_count() > view.mines() {
        true => Ok(()),
        false => Err(
            "no safe cell is covered: the game is won, or the number of mines is wrong".to_owned(),
        ),
    }
}

/// Returns the move of a player in a view, as in a new game.
fn decide<'a>(
    player: &'a mut dyn player::Player,
    view: &View,
    rule: FirstClick,
    seed: u64,
    node_limit: u64,
) -> Result<Decision<'a>, String> {
    goes_on(view)?;
    player.begin(&start(view, rule, seed));
    player
        .decide(view, &mut Budget::new(Some(node_limit), None))
        .map_err(|why| why.to_string())
}

/// Lists the named players, first those with version numbers in ascending order, as tuples (name, recipe, summary, source).
#[pyfunction]
pub fn players() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    let versions = player::versions().iter();
    versions
        .map(|version| {
            (
                version.name,
                version.recipe,
                version.summary,
                version.source,
            )
        })
        .collect()
}
