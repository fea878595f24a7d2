//! Exact answers for batches of positions: probabilities, safe cells, numbers of layouts, proofs.

use std::sync::{Mutex, PoisonError};

use mineflow_minesweeper::Cell;
use mineflow_minesweeper::proof::{Proofs, Step};
use mineflow_minesweeper::solver::{Analysis, Budget, CountError, Solver, Weighting};
use num_bigint::BigUint;
use numpy::ndarray::ArrayView3;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList};

use crate::arrays::{
    Views, mines, node_limit, read_view, read_views, refuse, threads, view, write_to,
};
use crate::pool::{Threads, detached};

/// The number of views between two checks for signals of Python, such as an interrupt.
const CHUNK: usize = 2048;
/// The default node limit for a position, as in `pipeline solve`.
pub const NODE_LIMIT: u64 = 50_000_000;

/// What happens if a view has no answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    Raise,
    /// The slot of the view is filled with a placeholder.
    Pass,
}

impl OnError {
    /// Parses "raise", or `pass`, the name of the other choice in a function.
    pub fn read(text: &str, pass: &str) -> PyResult<Self> {
        match text {
            "raise" => Ok(Self::Raise),
            _ if text == pass => Ok(Self::Pass),
            _ => refuse(format!(
                "on_error: `{text}` is neither \"raise\" nor \"{pass}\""
            )),
        }
    }
}

/// A batch of views and the settings for processing it.
pub struct Batch<'a> {
    pub views: Views<'a>,
    threads: Threads,
    on_error: OnError,
    node_limit: u64,
}

impl<'a> Batch<'a> {
    pub fn new(
        cells: ArrayView3<'a, i8>,
        mines: &Bound<'_, PyAny>,
        on_error: OnError,
        threads: Option<usize>,
        node_limit: u64,
    ) -> PyResult<Self> {
        let views = Views::new(cells, mines)?;
        Ok(Self {
            views,
            threads: Threads::new(threads)?,
            on_error,
            node_limit,
        })
    }

    /// Calls `answer` for every view with its slot, which receives the answer, and with a state that `make` creates for each thread. If
    /// views have no answer and errors are raised, the error names the first of these views.
    pub fn fill<T: Send, S>(
        &self,
        py: Python<'_>,
        slots: impl Iterator<Item = T> + Send,
        make: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, usize, T) -> Result<(), String> + Sync,
    ) -> PyResult<()> {
        let mut slots = slots.enumerate();
        let first: Mutex<Option<(usize, String)>> = Mutex::new(None);
        loop {
            let chunk: Vec<(usize, T)> = slots.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            py.check_signals()?;
            detached(py, || {
                self.threads.for_each(chunk, &make, |state, (index, slot)| {
                    if let Err(why) = answer(state, index, slot) {
                        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                        if first.as_ref().is_none_or(|&(known, _)| index < known) {
                            *first = Some((index, why));
                        }
                    }
                });
            })?;
            let first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if let (OnError::Raise, Some((index, why))) = (self.on_error, &*first) {
                return refuse(format!("views[{index}]: {why}"));
            }
        }
    }

    /// Applies `answer` to each mine probability, and fills `out`, or a new array, with the results. Fills views without an answer with
    /// `none`. Returns the array.
    fn fill_array<'py, T: Element + Copy + Send + Sync>(
        &self,
        py: Python<'py>,
        (out, kind): (Option<&Bound<'py, PyAny>>, &str),
        none: T,
        answer: impl Fn(f64) -> T + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.views.shape();
        let made = match out {
            Some(out) => out.clone(),
            // Python allocates the array, because it raises an error if memory runs out.
            None => py.import("numpy")?.call_method1("zeros", (shape, kind))?,
        };
        let mut filled = write_to::<T>(&made, shape, kind)?;
        let slots = filled.as_slice_mut()?.chunks_mut(shape.1 * shape.2);
        self.fill(
            py,
            slots,
            Analysis::new,
            |analysis, index, row: &mut [T]| {
                let counted = self.count(analysis, index);
                match &counted {
                    Ok(()) => row
                        .iter_mut()
                        .zip(&analysis.counted().mine)
                        .for_each(|(to, &mine)| *to = answer(mine)),
                    Err(_) => row.fill(none),
                }
                counted
            },
        )?;
        drop(filled);
        Ok(made)
    }

    /// Computes the mine probabilities of a view, which `analysis` then contains.
    fn count(&self, analysis: &mut Analysis, index: usize) -> Result<(), String> {
        let view = self.views.at(index)?;
        analysis.begin(view.grid(), view.mines());
        analysis.update(&view).map_err(|error| error.to_string())?;
        let mut budget = Budget::new(Some(self.node_limit), None);
        analysis
            .probabilities(Weighting::Posterior, &mut budget)
            .map(drop)
            .map_err(|error| error.to_string())
    }
}

/// Computes the exact mine probability of every covered cell. All consistent layouts are equally likely.
///
/// views: int8[N, H, W], -1 covered (-2 a covered cell with a flag, which proves nothing), 0 to 8 open; any strides.
/// mines: the number of mines on the board, one integer for all views or an integer array [N].
/// out: a contiguous array float64[N, H, W], which is filled instead of a new array.
/// on_error: "raise", or "nan" to fill views without an answer with NaN.
/// threads: the number of threads; None means one per core. The result doesn't depend on it.
/// node_limit: the maximum work for a view, in nodes of the solver.
///
/// Returns float64[N, H, W], with NaN for open cells. A value is exactly 0.0 or 1.0 only if the cell is proved safe or proved a mine.
/// Raises a ValueError that names the first view that contradicts itself, is malformed or exceeds the solver's limits.
#[pyfunction]
#[pyo3(signature = (views, mines, *, out=None, on_error="raise", threads=None, node_limit=50_000_000))]
pub fn probabilities<'py>(
    py: Python<'py>,
    views: &Bound<'py, PyAny>,
    mines: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: &str,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
    #[pyo3(from_py_with = node_limit)] node_limit: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let cells = read_views(views)?;
    let on_error = OnError::read(on_error, "nan")?;
    let batch = Batch::new(cells.as_array(), mines, on_error, threads, node_limit)?;
    batch.fill_array(py, (out, "float64"), f64::NAN, |mine| mine)
}

/// Finds the covered cells that are proved safe: no consistent layout has a mine there.
///
/// views, mines, threads, node_limit: as in `probabilities`.
/// out: a contiguous array bool[N, H, W], which is filled instead of a new array.
/// on_error: "raise", or "nan" to fill views without an answer with False.
///
/// Returns bool[N, H, W], True for each proved cell.
/// Raises ValueError like `probabilities`.
#[pyfunction]
#[pyo3(signature = (views, mines, *, out=None, on_error="raise", threads=None, node_limit=50_000_000))]
pub fn safe_cells<'py>(
    py: Python<'py>,
    views: &Bound<'py, PyAny>,
    mines: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: &str,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
    #[pyo3(from_py_with = node_limit)] node_limit: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let cells = read_views(views)?;
    let on_error = OnError::read(on_error, "nan")?;
    let batch = Batch::new(cells.as_array(), mines, on_error, threads, node_limit)?;
    batch.fill_array(py, (out, "bool"), false, |mine| mine == 0.0)
}

/// Counts the consistent layouts, which have exactly the board's number of mines.
///
/// views, mines, threads, node_limit: as in `probabilities`.
/// on_error: "raise", or "nan" to return None for a view without an answer.
///
/// Returns a list of N exact integers.
/// Raises ValueError like `probabilities`.
#[pyfunction]
#[pyo3(signature = (views, mines, *, on_error="raise", threads=None, node_limit=50_000_000))]
pub fn layouts<'py>(
    py: Python<'py>,
    views: &Bound<'py, PyAny>,
    mines: &Bound<'py, PyAny>,
    on_error: &str,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
    #[pyo3(from_py_with = node_limit)] node_limit: u64,
) -> PyResult<Bound<'py, PyList>> {
    let cells = read_views(views)?;
    let on_error = OnError::read(on_error, "nan")?;
    let batch = Batch::new(cells.as_array(), mines, on_error, threads, node_limit)?;
    let mut found: Vec<Option<BigUint>> = vec![None; batch.views.shape().0];
    batch.fill(
        py,
        found.iter_mut(),
        Solver::new,
        |solver, index, slot: &mut Option<BigUint>| {
            let view = batch.views.at(index)?;
            let counted = solver.count(&view, &mut Budget::new(Some(node_limit), None));
            *slot = Some(counted.map_err(|error| error.to_string())?);
            Ok(())
        },
    )?;
    let numbers = found
        .iter()
        .map(|number| number.as_ref().map(|number| whole(py, number)).transpose());
    PyList::new(py, numbers.collect::<PyResult<Vec<_>>>()?)
}

/// Converts a number of any size to a Python integer.
fn whole<'py>(py: Python<'py>, number: &BigUint) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, &number.to_bytes_le());
    py.get_type::<PyInt>()
        .call_method1("from_bytes", (bytes, "little"))
}

/// Proves cells of one position in steps that a person can follow, as `pipeline solve --why --json` does.
///
/// view: int8[H, W], -1 covered, 0 to 8 open.
/// mines: the number of mines on the board.
/// node_limit: the maximum work, in nodes of the solver.
///
/// Returns a list of dicts, the easiest proof first: "cell", (row, column); "mine", whether it is a mine or safe; "steps", a list of dicts
/// with "rule" ("number", "pair", "count", "ways" or "layouts"), "numbers" (the open cells whose numbers it uses), "cells" (what it decides),
/// "mines" (whether these are mines) and "after" (the indices of the steps on which it rests).
/// Raises a ValueError if the position contradicts itself, is malformed or exceeds the limits.
#[pyfunction]
#[pyo3(signature = (view, mines, *, node_limit=50_000_000))]
pub fn explain<'py>(
    py: Python<'py>,
    view: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = mines)] mines: i64,
    #[pyo3(from_py_with = node_limit)] node_limit: u64,
) -> PyResult<Bound<'py, PyList>> {
    let view = one_view(view, mines)?;
    let proved = detached(py, || {
        let solution = Solver::new().solve(&view, &mut Budget::new(Some(node_limit), None))?;
        Ok::<_, CountError>(Proofs::new(&view, &solution.safe, &solution.mines))
    })?;
    let proofs = proved.or_else(|error| refuse(format!("view: {error}")))?;
    let row_col = |&cell: &Cell| view.board().row_col(cell);
    let places = |cells: &[Cell]| cells.iter().map(row_col).collect::<Vec<_>>();
    let step_dict = |step: Step| {
        let dict = PyDict::new(py);
        dict.set_item("rule", step.rule.name())?;
        dict.set_item("numbers", places(&step.numbers))?;
        dict.set_item("cells", places(&step.cells))?;
        dict.set_item("mines", step.mines)?;
        dict.set_item("after", step.after)?;
        Ok(dict)
    };
    let cells = proofs.cells().into_iter().map(|cell| {
        let dict = PyDict::new(py);
        dict.set_item("cell", row_col(&cell))?;
        dict.set_item("mine", proofs.is_mine(cell))?;
        let steps = proofs.chain(cell).into_iter().map(step_dict);
        dict.set_item("steps", steps.collect::<PyResult<Vec<_>>>()?)?;
        Ok(dict)
    });
    PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)
}

/// Solves one position completely, as `pipeline solve --json` does.
///
/// view: int8[H, W], -1 covered, 0 to 8 open.
/// mines: the number of mines on the board.
/// node_limit: the maximum work, in nodes of the solver.
///
/// Returns a dict: "solutions", the exact number of consistent layouts; "mine_probability", float64[H, W], NaN for open cells;
/// "safe" and "mines", int64[K, 2], the proved cells as (row, column).
/// Raises ValueError if the view contradicts itself, is malformed or exceeds the solver's limits.
#[pyfunction]
#[pyo3(signature = (view, mines, *, node_limit=50_000_000))]
pub fn solve<'py>(
    py: Python<'py>,
    view: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = mines)] mines: i64,
    #[pyo3(from_py_with = node_limit)] node_limit: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let view = one_view(view, mines)?;
    let solved = detached(py, || {
        Solver::new().solve(&view, &mut Budget::new(Some(node_limit), None))
    })?;
    let solution = solved.or_else(|error| refuse(format!("view: {error}")))?;
    let board = view.board();
    let places = |cells: &[Cell]| {
        let flat = cells
            .iter()
            .map(|&cell| board.row_col(cell))
            .flat_map(|(row, col)| [row as i64, col as i64]);
        PyArray1::from_iter(py, flat).reshape([cells.len(), 2])
    };
    let answer = PyDict::new(py);
    answer.set_item("solutions", whole(py, &solution.layouts)?)?;
    let mine: Bound<'_, PyArray2<f64>> = PyArray1::from_vec(py, solution.mine_probability)
        .reshape([board.height(), board.width()])?;
    answer.set_item("mine_probability", mine)?;
    answer.set_item("safe", places(&solution.safe)?)?;
    answer.set_item("mines", places(&solution.mines)?)?;
    Ok(answer)
}

/// Converts one array to the position that it shows.
pub fn one_view(object: &Bound<'_, PyAny>, mines: i64) -> PyResult<mineflow_minesweeper::View> {
    let cells = read_view(object)?;
    let (height, width) = cells.as_array().dim();
    let grid = crate::arrays::grid(height, width)?;
    view(&grid, cells.as_array(), mines).or_else(|why| refuse(format!("view: {why}")))
}
