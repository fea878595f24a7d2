//! `features`: the rows of a feature set, for models of any library. `predict`: the predictions of a model file.

use std::path::PathBuf;

use mineflow_minesweeper::features::{FEATURE_SETS, RowSettings, feature_set, value_v1};
use mineflow_minesweeper::player::{Player as _, Recipe, RecipePlayer};
use mineflow_minesweeper::solver::{Analysis, Budget};
use mineflow_minesweeper::{Cell, FirstClick, View};
use mineflow_model::{Artifact, ModelScratch};
use numpy::ndarray::Ix2;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{read, read_views, refuse, threads};
use crate::exact::{Batch, NODE_LIMIT, OnError};
use crate::players::{spec, start};

/// The rows, and the view and the cell of each row.
type Rows<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<i64>>);

/// Computes the rows of a feature set, from which a model of any library can choose a cell.
///
/// views, mines, threads: as in `probabilities`.
/// set: "classifier-v2", "q-v2" or "guess-v2", with a row for each covered cell that is not proved a mine, or "value-v1", with a row for
///     each view. `pipeline data show` and docs/src/import.md describe the columns. A cell that isn't a candidate of "guess-v2" has zeros.
/// player: the player whose mine probabilities and model settings the rows have; 7.0 computes exact probabilities. A player that samples
///     solutions draws the same ones for the same view.
///
/// Returns (rows, cells): float32[K, W]; int64[K, 2], the view and the cell of each row, where the cell of a whole view is -1.
/// Raises ValueError for an unknown set, and for the first view that contradicts itself, is malformed or exceeds the solver's limits.
#[pyfunction]
#[pyo3(signature = (views, mines, set, *, player="7.0", threads=None))]
pub fn features<'py>(
    py: Python<'py>,
    views: &Bound<'py, PyAny>,
    mines: &Bound<'py, PyAny>,
    set: &str,
    player: &str,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
) -> PyResult<Rows<'py>> {
    let Some(features) = feature_set(set) else {
        let names: Vec<_> = FEATURE_SETS.iter().map(|of| of.set().name).collect();
        return refuse(format!("set: `{set}` is none of {}", names.join(", ")));
    };
    let spec = spec(player, None)?;
    let Recipe::Steps(steps) = &spec.recipe else {
        return refuse(format!("player: {player} computes no features"));
    };
    let settings = |view: &View| {
        let model = spec.model();
        model.map_or_else(RowSettings::default, |of| of.settings(view.board()))
    };
    let cells = read_views(views)?;
    let batch = Batch::new(cells.as_array(), mines, OnError::Raise, threads, NODE_LIMIT)?;
    let mut found: Vec<(Vec<f32>, Vec<i64>)> = vec![Default::default(); batch.views.shape().0];
    let make = || RecipePlayer::new(steps.clone());
    batch.fill(
        py,
        found.iter_mut(),
        make,
        |player, index, (rows, places)| {
            let view = batch.views.at(index)?;
            let budget = &mut Budget::new(Some(NODE_LIMIT), None);
            if features.set() == &value_v1::SET {
                let mut analysis = Analysis::new();
                analysis.read(&view).map_err(|why| why.to_string())?;
                let row = value_v1::row(&mut analysis, budget);
                rows.extend(row.map_err(|why| why.to_string())?);
                places.extend([index as i64, -1]);
                return Ok(());
            }
            player.begin(&start(&view, FirstClick::Safe, 0));
            let position = player.look(&view, &[], budget);
            let position = position.map_err(|why| why.to_string())?;
            let cells: Vec<Cell> = position.candidates().collect();
            *rows = features.rows(&position, &settings(&view), &cells);
            places.extend(cells.iter().flat_map(|cell| [index as i64, cell.0.into()]));
            Ok(())
        },
    )?;
    let (rows, places): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let (rows, places) = (rows.concat(), places.concat());
    let shape = [places.len() / 2, features.set().width()];
    let rows = PyArray1::from_vec(py, rows).reshape(shape)?;
    Ok((rows, PyArray1::from_vec(py, places).reshape([shape[0], 2])?))
}

/// Computes the predictions of a model file, as the players do: to compare them with those of the library that trained it.
///
/// file: a safetensors file, the JSON file of XGBoost, the text file of LightGBM, or the folder of a training.
/// rows: float32[N, W], the inputs.
///
/// Returns float32[N, K], the outputs of the model. Raises ValueError for a file that isn't a model, or rows of another width.
#[pyfunction]
pub fn predict<'py>(
    py: Python<'py>,
    file: PathBuf,
    rows: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let model = Artifact::read(&file)
        .or_else(|error| refuse(format!("file: {error}; {}", error.help())))?
        .model;
    let rows = read::<f32, Ix2>(rows, "rows", "float32[N, W]")?;
    let (rows, mut out) = (rows.as_array(), Vec::new());
    if rows.ncols() != model.width() {
        let (columns, width) = (rows.ncols(), model.width());
        return refuse(format!("rows: {columns} columns, the model reads {width}"));
    }
    let numbers: Vec<f32> = rows.iter().copied().collect();
    model.append(&numbers, &mut out, &mut ModelScratch::default());
    PyArray1::from_vec(py, out).reshape([rows.nrows(), model.outputs()])
}
