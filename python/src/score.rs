//! `score`: the loss of a player's choices on a guess set, as measured by `pipeline score`.

use mineflow_arena::{CandidateRow, GuessToScore, ScoreRow};
use mineflow_minesweeper::Cell;
use mineflow_minesweeper::ahead::{LineValue, Valuation};
use mineflow_minesweeper::player::PlayerSpec;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{any_node_limit, attributes, refuse, threads};
use crate::games;
use crate::measure::Side;
use crate::pool::{Rest, Taken, Threads, detached};

/// The numbers of guesses that are answered and valued between two checks for signals of Python, such as an interrupt.
const BATCH: usize = 256;
const VALUED: usize = 64;

/// The columns of a guess set that `score` needs, by their names in the file.
#[derive(FromPyObject)]
pub struct Columns {
    guess: Vec<u32>,
    board: Vec<String>,
    first_click: Vec<String>,
    position: Vec<String>,
    unknown: Vec<f64>,
    weight: Vec<f64>,
    seed: Vec<u64>,
    layouts: Vec<u32>,
    row: Vec<usize>,
    column: Vec<usize>,
    chosen: Vec<bool>,
    exact: Vec<bool>,
    lines: Vec<u32>,
    value: Vec<f64>,
    error: Vec<f64>,
    /// The eight columns with the means of the blocks.
    blocks: [Vec<f64>; 8],
}

impl Columns {
    fn rows(&self) -> Vec<CandidateRow<'_>> {
        let row = |at: usize| CandidateRow {
            guess: self.guess[at],
            board: &self.board[at],
            first_click: &self.first_click[at],
            position: &self.position[at],
            unknown: self.unknown[at],
            weight: self.weight[at],
            seed: self.seed[at],
            exact: self.exact[at],
            layouts: self.layouts[at],
            row: self.row[at],
            column: self.column[at],
            chosen: self.chosen[at],
            value: LineValue {
                tried: self.lines[at],
                value: self.value[at],
                error: self.error[at],
                blocks: std::array::from_fn(|block| self.blocks[block][at]),
            },
        };
        (0..self.guess.len()).map(row).collect()
    }
}

/// Scores a policy on a guess set, calls `watch` with the numbers of guesses that are scored and planned, and returns the fields of `mineflow.Score`.
#[pyfunction]
pub fn score<'py>(
    py: Python<'py>,
    policy: &Bound<'py, PyAny>,
    columns: &Bound<'py, PyAny>,
    set: &str,
    #[pyo3(from_py_with = any_node_limit)] node_limit: Option<u64>,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
    watch: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (side, columns) = (Side::new(policy)?, attributes::<Columns>(columns)?);
    let guesses = GuessToScore::of_rows(&columns.rows())
        .or_else(|(guess, why)| refuse(format!("guesses: guess {guess}: {why}")))?;
    if guesses.is_empty() {
        return refuse("guesses: there are none");
    }
    let (threads, planned) = (Threads::new(threads)?, guesses.len());
    let (spec, asked) = match &side {
        Side::Named(spec, _) => (Some((**spec).clone()), vec![None; guesses.len()]),
        Side::Function(policy) => (None, ask(py, policy, &guesses)?),
    };
    let (seats, mut losses) = (Rest::default(), Vec::with_capacity(guesses.len()));
    for (guesses, asked) in guesses.chunks(VALUED).zip(asked.chunks(VALUED)) {
        py.check_signals()?;
        let mut found: Vec<Result<f64, String>> = vec![Ok(0.0); guesses.len()];
        detached(py, || {
            let build = || (spec.as_ref().map(PlayerSpec::build), Valuation::default());
            threads.for_each(
                guesses.iter().zip(asked).zip(&mut found).collect(),
                || seats.take(build),
                |seat: &mut Taken<'_, _>, ((guess, &asked), loss)| {
                    let (player, valuation) = &mut **seat;
                    let choice = match player {
                        Some(player) => guess
                            .choice_of(player.as_mut(), node_limit)
                            .map_err(|fault| fault.to_string()),
                        None => Ok(asked),
                    };
                    *loss = choice.and_then(|choice| {
                        let loss = guess.loss(choice, valuation);
                        loss.map_err(|error| error.to_string())
                    });
                },
            );
        })?;
        for (guess, loss) in guesses.iter().zip(found) {
            losses.push(loss.or_else(|why| refuse(format!("guess {}: {why}", guess.number)))?);
        }
        watch.call1((losses.len(), planned))?;
    }
    let (name, version) = (
        side.name()?,
        spec.map_or_else(String::new, |spec| spec.version()),
    );
    let rows = PyList::empty(py);
    for row in ScoreRow::of((&name, &version, set), &guesses, &losses) {
        let entry = PyDict::new(py);
        entry.set_item("board", row.board)?;
        entry.set_item("first_click", row.first_click)?;
        entry.set_item("unknown", row.unknown)?;
        entry.set_item("guesses", row.guesses)?;
        entry.set_item("loss", row.loss)?;
        entry.set_item("interval", (row.low, row.high))?;
        rows.append(entry)?;
    }
    let answer = PyDict::new(py);
    answer.set_item("player", name)?;
    answer.set_item("version", version)?;
    answer.set_item("set", set)?;
    answer.set_item("rows", rows)?;
    answer.set_item("losses", PyArray1::from_vec(py, losses))?;
    Ok(answer)
}

/// Asks a function which cell to open in each guess; it maps int8[B, H, W] to B cells.
fn ask(
    py: Python<'_>,
    policy: &Bound<'_, PyAny>,
    guesses: &[GuessToScore],
) -> PyResult<Vec<Option<Cell>>> {
    let mut choices = Vec::with_capacity(guesses.len());
    let kind = |guess: &GuessToScore| (guess.view.board(), guess.first_click);
    let same_board = |a: &GuessToScore, b: &GuessToScore| kind(a) == kind(b);
    for guesses in guesses
        .chunk_by(same_board)
        .flat_map(|of_board| of_board.chunks(BATCH))
    {
        py.check_signals()?;
        let board = guesses[0].view.board();
        let views = guesses
            .iter()
            .map(|guess| (i64::from(guess.number), &guess.view));
        let answer = games::answers(py, kind(&guesses[0]), policy, views)?;
        for (guess, &action) in guesses.iter().zip(answer.as_array()) {
            let cell = u16::try_from(action).ok().map(Cell);
            let cell = cell.filter(|cell| cell.index() < board.cells());
            match cell.filter(|&cell| guess.view.number(cell).is_none()) {
                Some(cell) => choices.push(Some(cell)),
                None => {
                    return refuse(format!(
                        "policy: guess {}: {action} is not a covered cell of {board}",
                        guess.number
                    ));
                }
            }
        }
    }
    Ok(choices)
}
