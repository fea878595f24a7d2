//! `score`: what the choices of a player lose on a set of guesses, as `pipeline score` measures it.

use std::collections::BTreeMap;
use std::sync::Arc;

use mineflow_arena::{GuessToScore, ScoreRow};
use mineflow_minesweeper::ahead::{LineValue, Valuation};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::text::view_on;
use mineflow_minesweeper::{Board, Cell, Grid};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{integers, refuse};
use crate::measure::Side;
use crate::pool::{Rest, Taken, Threads, detached};

/// Guesses that are asked for, or valued, between two looks at whether Python was asked to stop.
const BATCH: usize = 256;

/// The columns of a set that a score needs, by their names in the file.
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
    exact: Vec<bool>,
    lines: Vec<u32>,
    value: Vec<f64>,
    error: Vec<f64>,
    /// The eight columns of blocks.
    blocks: [Vec<f64>; 8],
}

impl Columns {
    /// The guesses, whose rows follow each other.
    fn guesses(&self) -> Result<Vec<GuessToScore>, String> {
        let mut grids = BTreeMap::new();
        let numbers: Vec<usize> = (0..self.guess.len()).collect();
        numbers
            .chunk_by(|&a, &b| self.guess[a] == self.guess[b])
            .map(|rows| {
                self.guess_of(rows, &mut grids)
                    .map_err(|why| format!("guesses: guess {}: {why}", self.guess[rows[0]]))
            })
            .collect()
    }

    fn guess_of(
        &self,
        rows: &[usize],
        grids: &mut BTreeMap<String, Arc<Grid>>,
    ) -> Result<GuessToScore, String> {
        let first = rows[0];
        let board: Board = self.board[first]
            .parse()
            .map_err(|error| format!("{error}"))?;
        let grid = grids
            .entry(self.board[first].clone())
            .or_insert_with(|| Arc::new(Grid::new(board)));
        let lines: Vec<&str> = self.position[first].split('/').collect();
        let view =
            view_on(grid.clone(), board.mines(), &lines).map_err(|error| error.to_string())?;
        let cell = |&row: &usize| {
            let (at, column) = (self.row[row], self.column[row]);
            board
                .cell(at, column)
                .ok_or_else(|| format!("({at}, {column}) is off the board"))
        };
        let value = |&row: &usize| LineValue {
            tried: self.lines[row],
            value: self.value[row],
            error: self.error[row],
            blocks: std::array::from_fn(|block| self.blocks[block][row]),
        };
        Ok(GuessToScore {
            number: self.guess[first],
            view,
            first_click: self.first_click[first].parse()?,
            unknown: self.unknown[first],
            weight: self.weight[first],
            seed: self.seed[first],
            exact: self.exact[first],
            layouts: self.layouts[first],
            cells: rows.iter().map(cell).collect::<Result<_, String>>()?,
            values: rows.iter().map(value).collect(),
        })
    }
}

/// Scores a policy on a set of guesses and gives what `mineflow.Score` holds.
#[pyfunction]
pub fn score<'py>(
    py: Python<'py>,
    policy: &Bound<'py, PyAny>,
    columns: Columns,
    set: &str,
    node_limit: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let side = Side::new(policy)?;
    let guesses = columns.guesses().or_else(refuse)?;
    if guesses.is_empty() {
        return refuse("guesses: there are none");
    }
    let threads = Threads::new(threads)?;
    let (spec, asked) = match &side {
        Side::Named(spec, _) => (Some((**spec).clone()), vec![None; guesses.len()]),
        Side::Function(policy) => (None, ask(py, policy, &guesses)?),
    };
    let (seats, mut losses) = (Rest::default(), Vec::with_capacity(guesses.len()));
    for (guesses, asked) in guesses.chunks(BATCH).zip(asked.chunks(BATCH)) {
        py.check_signals()?;
        let mut found = vec![Ok(0.0); guesses.len()];
        detached(py, || {
            let build = || (spec.as_ref().map(PlayerSpec::build), Valuation::default());
            threads.for_each(
                guesses.iter().zip(asked).zip(&mut found).collect(),
                || seats.take(build),
                |seat: &mut Taken<'_, _>, ((guess, &asked), loss)| {
                    let (player, valuation) = &mut **seat;
                    let choice = match player {
                        Some(player) => guess.choice_of(player.as_mut(), node_limit),
                        None => asked,
                    };
                    *loss = guess.loss(choice, valuation);
                },
            );
        })?;
        for (guess, loss) in guesses.iter().zip(found) {
            losses.push(loss.or_else(|why| refuse(format!("guess {}: {why}", guess.number)))?);
        }
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

/// What a function from int8[B, H, W] to B cells opens in each guess.
fn ask(
    py: Python<'_>,
    policy: &Bound<'_, PyAny>,
    guesses: &[GuessToScore],
) -> PyResult<Vec<Option<Cell>>> {
    let mut choices = Vec::with_capacity(guesses.len());
    let same_board = |a: &GuessToScore, b: &GuessToScore| a.view.board() == b.view.board();
    for guesses in guesses
        .chunk_by(same_board)
        .flat_map(|of_board| of_board.chunks(BATCH))
    {
        py.check_signals()?;
        let board = guesses[0].view.board();
        let views =
            PyArray3::<i8>::zeros(py, [guesses.len(), board.height(), board.width()], false);
        {
            let mut views = views.readwrite();
            let rows = views.as_slice_mut()?.chunks_mut(board.cells());
            let seen = guesses.iter().zip(rows);
            seen.for_each(|(guess, row)| guess.view.write_numbers(row));
        }
        let answer = integers(
            &policy.call1((views,))?,
            "policy: its answer",
            guesses.len(),
        )?;
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
