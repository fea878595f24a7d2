//! Reads Python arrays as batches of positions, and reports errors for arrays that don't fit.

use std::sync::Arc;

use mineflow_minesweeper::{Board, Cell, Grid, View};
use mineflow_rng::mix;
use numpy::ndarray::{ArrayView2, ArrayView3, Axis, Dimension, Ix1, Ix2, Ix3};
use numpy::{
    Element, PyArray, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray, PyReadonlyArray1,
    PyReadwriteArray, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The value of a covered cell. `FLAGGED` is the value of a covered cell with a flag. A flag proves nothing.
pub const COVERED: i8 = -1;
pub const FLAGGED: i8 = -2;

/// The maximum number of views and of cells in a call. Answers for more would not fit into the memory of most machines.
const MOST_VIEWS: usize = 1 << 27;
const MOST_CELLS: usize = 1 << 31;

/// Returns a `ValueError` with this message.
pub fn refuse<T>(why: impl Into<String>) -> PyResult<T> {
    Err(PyValueError::new_err(why.into()))
}

/// Describes an object for messages, for example an array as `float64[10, 16, 30]`.
fn shown(object: &Bound<'_, PyAny>) -> String {
    match object.cast::<PyUntypedArray>() {
        Ok(array) => format!("{}{:?}", array.dtype(), array.shape()),
        Err(_) => object
            .get_type()
            .name()
            .map_or_else(|_| "another thing".to_owned(), |name| name.to_string()),
    }
}

/// Borrows an array for reading, with any strides and without a copy.
pub fn read<'py, T: Element, D: Dimension>(
    object: &Bound<'py, PyAny>,
    name: &str,
    expected: &str,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let array = object.cast::<PyArray<T, D>>();
    let Ok(array) = array else {
        return refuse(format!(
            "{name}: expected {expected}, got {}",
            shown(object)
        ));
    };
    if !array.is_aligned() {
        return refuse(format!(
            "{name}: expected {expected}, aligned in memory; {name}.copy() is"
        ));
    }
    array
        .try_readonly()
        .or_else(|_| refuse(format!("{name}: it is being written to by another call")))
}

/// Borrows a batch of positions, `int8[N, H, W]`, for reading.
pub fn read_views<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray<'py, i8, Ix3>> {
    read(
        object,
        "views",
        "a numpy array int8[N, H, W], -1 where covered",
    )
}

/// Borrows one position, `int8[H, W]`, for reading.
pub fn read_view<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray<'py, i8, Ix2>> {
    read(object, "view", "a numpy array int8[H, W], -1 where covered")
}

/// Borrows an array to fill, which must be contiguous and have exactly this shape.
pub fn write_to<'py, T: Element>(
    object: &Bound<'py, PyAny>,
    shape: (usize, usize, usize),
    kind: &str,
) -> PyResult<PyReadwriteArray<'py, T, Ix3>> {
    let expected = format!(
        "a contiguous numpy array {kind}[{}, {}, {}]",
        shape.0, shape.1, shape.2
    );
    let array = object.cast::<PyArray<T, Ix3>>();
    let Ok(array) = array else {
        return refuse(format!("out: expected {expected}, got {}", shown(object)));
    };
    if array.shape() != [shape.0, shape.1, shape.2] {
        return refuse(format!("out: expected {expected}, got {}", shown(object)));
    }
    if !array.is_c_contiguous() || !array.is_aligned() {
        return refuse(format!(
            "out: expected {expected}, got one with strides {:?}",
            array.strides()
        ));
    }
    array
        .try_readwrite()
        .or_else(|why| refuse(format!("out: it can't be written to: {why}")))
}

/// The number of mines of each view.
enum Mines {
    /// The same number for all views.
    One(i64),
    Each(Vec<i64>),
}

impl Mines {
    /// Reads one integer, or an array of `count` integers.
    fn read(object: &Bound<'_, PyAny>, count: usize) -> PyResult<Self> {
        match object.extract::<i64>() {
            Ok(one) => Ok(Self::One(one)),
            Err(_) => Ok(Self::Each(
                integers(object, "mines", count)?.as_array().to_vec(),
            )),
        }
    }
}

/// Reads `count` integers: an array of any integer type, or an object that numpy converts to one, such as a list or a tensor. Arrays that
/// are not int64 are copied.
pub fn integers<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
    count: usize,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let expected = format!("an array or a list of {count} integers");
    let wrong = |got: String| refuse(format!("{name}: expected {expected}, got {got}"));
    let array = match object.cast::<PyUntypedArray>() {
        Ok(_) => object.clone(),
        Err(_) => match as_array(object) {
            Ok(array) => array,
            Err(error) if error.is_instance_of::<PyException>(object.py()) => {
                return wrong(format!("{}: {}", shown(object), error.value(object.py())));
            }
            Err(error) => return Err(error),
        },
    };
    let untyped = array.cast::<PyUntypedArray>()?;
    if untyped.shape() != [count] || !matches!(untyped.dtype().kind(), b'i' | b'u') {
        return wrong(match array.is(object) {
            true => shown(object),
            false => format!("{} as {}", shown(object), shown(&array)),
        });
    }
    if array.cast::<PyArray<i64, Ix1>>().is_ok() {
        return read(&array, name, &expected);
    }
    read(&array.call_method1("astype", ("int64",))?, name, &expected)
}

/// Converts an object to a numpy array.
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_dlpack_only = object.hasattr("__dlpack__")? && !object.hasattr("__array__")?;
    let convert = if is_dlpack_only {
        "from_dlpack"
    } else {
        "asarray"
    };
    object
        .py()
        .import("numpy")?
        .call_method1(convert, (object,))
}

/// Reads an integer in the range of `T`. A `TypeError` does not name the argument, because pyo3 adds the name.
fn integer<T: TryFrom<i128>>(object: &Bound<'_, PyAny>, name: &str) -> PyResult<T> {
    let number = index(object)?;
    let fits = number.extract::<i128>().ok().map(T::try_from);
    match fits {
        Some(Ok(fits)) => Ok(fits),
        _ => refuse(format!("{name}: {number} is out of range")),
    }
}

/// Converts an object to a Python integer.
fn index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let index = object
        .py()
        .import("operator")?
        .call_method1("index", (object,));
    index.map_err(|_| PyTypeError::new_err(format!("expected an integer, got {}", shown(object))))
}

/// Reads the argument `node_limit`.
pub fn node_limit(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    integer(object, "node_limit")
}

/// Reads the argument `node_limit`, which may be None.
pub fn any_node_limit(object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    (!object.is_none()).then(|| node_limit(object)).transpose()
}

/// Reads the argument `threads`, which may be None.
pub fn threads(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    (!object.is_none())
        .then(|| integer(object, "threads"))
        .transpose()
}

/// Reads the argument `mines` of a single view.
pub fn mines(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    integer(object, "mines")
}

/// Reads the argument `count`, the number of boards.
pub fn boards(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(object, "num_envs")
}

/// Reads the argument `max_steps`, which may be None.
pub fn max_steps(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    (!object.is_none())
        .then(|| integer(object, "max_steps"))
        .transpose()
}

/// Reads the argument `games`.
pub fn games(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    integer(object, "games")
}

/// Reads the argument `batch`.
pub fn batch(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(object, "batch")
}

/// Extracts a struct from the attributes of an object. An error names the attribute.
pub fn attributes<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    object: &Bound<'py, PyAny>,
) -> PyResult<T> {
    object.extract().map_err(|error: PyErr| {
        let py = object.py();
        let text = error.value(py).to_string();
        let name = text.rsplit('.').next().unwrap_or_default();
        match error.cause(py) {
            Some(cause) if cause.is_instance_of::<PyValueError>(py) => cause,
            Some(cause) if cause.is_instance_of::<PyOverflowError>(py) => {
                PyValueError::new_err(format!("{name}: {}", cause.value(py)))
            }
            Some(cause) => PyTypeError::new_err(format!("{name}: {}", cause.value(py))),
            None => error,
        }
    })
}

/// Reads the argument `seed`.
pub fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    seed_named(object, "seed")
}

/// Reads a seed: a non-negative integer of any size. An integer beyond 64 bits, such as those of numpy's `SeedSequence`, is hashed to 64
/// bits.
pub fn seed_named(object: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    if let Ok(seed) = object.extract() {
        return Ok(seed);
    }
    let number = index(object)?;
    if number.lt(0)? {
        return refuse(format!(
            "{name}: {number} is negative; seeds are integers from 0"
        ));
    }
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    let bytes: Vec<u8> = number
        .call_method1("to_bytes", (bits.div_ceil(64) * 8, "little"))?
        .extract()?;
    Ok(words(&bytes).fold(0, |hash, word| mix(hash ^ word)))
}

/// Converts bytes to 64-bit numbers in little-endian order.
pub fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes
        .chunks_exact(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("they are eight")))
}

/// A batch of positions of one size, with the neighbour tables of their board.
pub struct Views<'a> {
    cells: ArrayView3<'a, i8>,
    mines: Mines,
    grid: Arc<Grid>,
}

/// Creates the neighbour tables of a board of this size. The number of mines is specified for each view.
pub fn grid(height: usize, width: usize) -> PyResult<Arc<Grid>> {
    match Board::new(width, height, 0) {
        Ok(board) => Ok(Arc::new(Grid::new(board))),
        Err(error) => refuse(format!("views: {error}")),
    }
}

impl<'a> Views<'a> {
    /// Combines a batch of positions with the number of mines of each.
    pub fn new(cells: ArrayView3<'a, i8>, mines: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (count, height, width) = cells.dim();
        let grid = grid(height, width)?;
        if count > MOST_VIEWS || count * height * width > MOST_CELLS {
            return refuse(format!(
                "views: int8[{count}, {height}, {width}] are more than {MOST_VIEWS} views or {MOST_CELLS} cells at once; pass them in parts"
            ));
        }
        Ok(Self {
            cells,
            mines: Mines::read(mines, count)?,
            grid,
        })
    }

    /// Returns the numbers of views, rows and columns.
    pub fn shape(&self) -> (usize, usize, usize) {
        self.cells.dim()
    }

    /// Returns the view at an index.
    ///
    /// # Errors
    /// Returns a description of what is wrong with the view.
    pub fn at(&self, index: usize) -> Result<View, String> {
        let mines = match &self.mines {
            Mines::One(mines) => *mines,
            Mines::Each(mines) => mines[index],
        };
        view(&self.grid, self.cells.index_axis(Axis(0), index), mines)
    }
}

/// Converts an array to the position that it shows, with the cells opened in row-major order.
///
/// # Errors
/// Returns a description of what is wrong with the position.
pub fn view(grid: &Arc<Grid>, cells: ArrayView2<'_, i8>, mines: i64) -> Result<View, String> {
    let board = grid.board();
    let fitting = usize::try_from(mines)
        .ok()
        .filter(|&mines| mines <= board.cells());
    let Some(mines) = fitting else {
        return Err(format!(
            "{mines} mines don't fit on {} cells",
            board.cells()
        ));
    };
    let mut view = View::new(grid.clone(), mines);
    for (index, &seen) in cells.iter().enumerate() {
        match seen {
            COVERED => continue,
            FLAGGED => {
                view.set_flag(Cell(index as u16), true)
                    .expect("it is covered");
                continue;
            }
            _ => {}
        }
        let (row, col) = board.row_col(Cell(index as u16));
        let wrong = || {
            format!(
                "{seen} at ({row}, {col}) is neither a number from 0 to 8 nor -1 for a covered cell"
            )
        };
        let number = u8::try_from(seen).map_err(|_| wrong())?;
        view.open(Cell(index as u16), number).map_err(|_| wrong())?;
    }
    Ok(view)
}
