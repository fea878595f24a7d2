//! Solves positions given as JSON Lines: every input line is one position, and every answer is one
//! output line, in the same order.
//!
//! Input: `{"id": any, "width": w, "height": h, "mines": n, "rows": ["##10", ...]}`, with the
//! characters of [`text`]; `id` is optional and defaults to `null`.
//!
//! Output: `{"id", "solutions", "mine_probability", "safe", "mines"}` or `{"id", "error"}`.
//! `solutions` is the number of consistent layouts with exactly `n` mines, as a decimal string.
//! `mine_probability` lists, for every row, the posterior mine probability of each cell, and `null`
//! for an open cell. `safe` and `mines` list the proved cells as `[row, column]`, counted from 0.
//! The `id` is returned verbatim. With `why`, `proofs` lists the proved cells, the easiest first, as
//! [`Proofs::json`] describes.
//!
//! A flag is only a note: its cell is treated like any other covered cell.

mod id;

use std::{
    io::{self, BufRead, BufWriter, Write},
    sync::Arc,
};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json};

use crate::{
    Board, BoardError, Cell, Grid, MAX_CELLS, View,
    proof::Proofs,
    solver::{Budget, CountError, Solver},
    text::{self, TextError},
};
use id::id_of;
use mineflow_store::without_bom;

/// The maximum number of bytes in a line: 16 per cell of the largest board, several times what that
/// board needs.
pub const MAX_LINE: usize = 16 * MAX_CELLS;

/// The numbers of lines that were answered with a result and with an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LineCounts {
    pub solved: u64,
    pub errors: u64,
}

/// The error that stopped the processing before the end of the input.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    #[error("can't read the input: {0}")]
    Read(#[source] io::Error),
    #[error("can't write the output: {0}")]
    Write(#[from] io::Error),
}

/// Writes the answer to every line of `input` except blank ones to `output`, in order. Each line
/// has its own copy of `budget`; with `why`, answers have proofs. Returns how many lines got a result and how many got an error.
///
/// Each line is answered by a result or an error, and reading continues after an error. All answers
/// are flushed before a read that may block, so that a program may send one line and wait for the
/// answer.
///
/// # Errors
/// Returns an error if the input can't be read or the output can't be written.
pub fn answer_lines(
    input: impl BufRead,
    output: impl Write,
    budget: &Budget,
    why: bool,
) -> Result<LineCounts, LinesError> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut lines = Lines {
        input,
        bytes: Vec::new(),
        drained: true,
        number: 0,
    };
    let mut answerer = Answerer {
        solver: Solver::new(),
        grid: None,
        budget,
        why,
    };
    let mut counts = LineCounts::default();
    loop {
        let line = match lines.next(&mut output)? {
            Next::End => break,
            Next::Line if lines.bytes.trim_ascii().is_empty() => continue,
            Next::Line => answerer.answer(&lines.bytes, lines.number),
            Next::TooLong => Reply::too_long(lines.number),
        };
        match &line.body {
            Ok(_) => counts.solved += 1,
            Err(_) => counts.errors += 1,
        }
        line.write(&mut output)?;
    }
    output.flush()?;
    Ok(counts)
}

/// The answer to one line.
pub struct Answered {
    /// The answer as JSON, including the line break.
    pub text: Vec<u8>,
    /// Whether the answer is a result; false for an error.
    pub solved: bool,
}

/// Answers one line in the format of [`answer_lines`].
pub fn answer_line(solver: &mut Solver, line: &[u8], budget: &Budget) -> Answered {
    let mut answerer = Answerer {
        solver: std::mem::take(solver),
        grid: None,
        budget,
        why: false,
    };
    let mut text = Vec::new();
    let reply = if line.len() > MAX_LINE {
        Reply::too_long(1)
    } else {
        answerer.answer(line, 1)
    };
    reply.write(&mut text).expect("memory can be written to");
    let solved = reply.body.is_ok();
    *solver = answerer.solver;
    Answered { text, solved }
}

/// The error returned for a line without a result. Input lines, columns, bytes and rows are counted
/// from 1.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error(
        "input line {line} has more than {MAX_LINE} bytes; no board of {MAX_CELLS} cells needs more"
    )]
    TooLong { line: u64 },
    #[error("input line {line}, byte {byte}: not UTF-8")]
    NotText { line: u64, byte: usize },
    #[error("input line {line}, column {column}: {message}")]
    Json {
        line: u64,
        column: usize,
        message: String,
    },
    #[error(
        "input line {line} is not a JSON object; write {{\"id\", \"width\", \"height\", \"mines\", \"rows\"}}"
    )]
    NotAnObject { line: u64 },
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("in `rows`, {0}")]
    Rows(TextError),
    #[error(transparent)]
    Solve(#[from] CountError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The field is declared only so that it is allowed; [`id_of`] reads the value.
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    width: usize,
    height: usize,
    mines: usize,
    rows: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    solutions: String,
    /// Open cells are NaN, which is written as `null` in JSON.
    mine_probability: Vec<Vec<f64>>,
    safe: Vec<(usize, usize)>,
    mines: Vec<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proofs: Option<Vec<Value>>,
}

/// One line of the output.
struct Reply<'a> {
    /// The `id` as JSON text.
    id: &'a str,
    body: Result<Answer, LineError>,
}

impl Reply<'_> {
    fn too_long(line: u64) -> Self {
        Self {
            id: "null",
            body: Err(LineError::TooLong { line }),
        }
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let rest = match &self.body {
            Ok(answer) => serde_json::to_vec(answer)?,
            Err(error) => serde_json::to_vec(&json!({"error": error.to_string()}))?,
        };
        write!(output, "{{\"id\":{},", self.id)?;
        // The body is a JSON object too; its opening brace is skipped, since `id` was written
        // before it.
        output.write_all(&rest[1..])?;
        output.write_all(b"\n")
    }
}

/// State kept between lines.
struct Answerer<'a> {
    solver: Solver,
    /// The grid of the last board, reused if the next board has the same size.
    grid: Option<Arc<Grid>>,
    /// The budget of each line.
    budget: &'a Budget,
    /// Whether the answers have proofs.
    why: bool,
}

impl Answerer<'_> {
    fn answer<'b>(&mut self, bytes: &'b [u8], line: u64) -> Reply<'b> {
        let text = object(bytes, line);
        Reply {
            id: text
                .as_ref()
                .ok()
                .and_then(|text| id_of(text))
                .unwrap_or("null"),
            body: text.and_then(|text| self.solve(text, line)),
        }
    }

    fn solve(&mut self, text: &str, line: u64) -> Result<Answer, LineError> {
        let request: Request =
            serde_json::from_str(text).map_err(|error| json_error(&error, line))?;
        let view = self.view(&request)?;
        let solution = self.solver.solve(&view, &mut self.budget.clone())?;
        let row_col = |&cell: &Cell| view.board().row_col(cell);
        let row_cols = |cells: &[Cell]| cells.iter().map(row_col).collect();
        let rows = solution.mine_probability.chunks(request.width);
        Ok(Answer {
            solutions: solution.layouts.to_string(),
            mine_probability: rows.map(<[f64]>::to_vec).collect(),
            safe: row_cols(&solution.safe),
            mines: row_cols(&solution.mines),
            proofs: self.why.then(|| {
                Proofs::new(&view, &solution.safe, &solution.mines)
                    .json(view.board())
                    .collect()
            }),
        })
    }

    fn view(&mut self, request: &Request) -> Result<View, LineError> {
        let board = Board::new(request.width, request.height, request.mines)?;
        let grid = match &self.grid {
            Some(grid)
                if (grid.board().width(), grid.board().height())
                    == (board.width(), board.height()) =>
            {
                grid.clone()
            }
            _ => Arc::new(Grid::new(board)),
        };
        self.grid = Some(grid.clone());
        text::view_on(grid, request.mines, &request.rows).map_err(LineError::Rows)
    }
}

/// Returns the line as text, or an error if it is not one JSON object.
fn object(bytes: &[u8], line: u64) -> Result<&str, LineError> {
    let text = std::str::from_utf8(bytes).map_err(|error| LineError::NotText {
        line,
        byte: error.valid_up_to() + 1,
    })?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| json_error(&error, line))?;
    if text.trim_ascii_start().starts_with('{') {
        Ok(text)
    } else {
        Err(LineError::NotAnObject { line })
    }
}

fn json_error(error: &serde_json::Error, line: u64) -> LineError {
    let message = error.to_string();
    let column = error.column();
    // The message ends with the line and column in the JSON. Only the column is useful, as the JSON
    // is always one line; it is reported separately.
    let place = format!(" at line {} column {column}", error.line());
    let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    LineError::Json {
        line,
        column,
        message,
    }
}

/// Reads the input line by line, with a bounded length of each line.
struct Lines<R> {
    input: R,
    /// The last line read, without its line break.
    bytes: Vec<u8>,
    /// Whether all buffered input is consumed, so that the next read may block.
    drained: bool,
    /// The number of the line read last, counted from 1.
    number: u64,
}

enum Next {
    Line,
    TooLong,
    End,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line. A byte order mark before the first line is removed. Flushes `output`
    /// before every read that may block.
    fn next(&mut self, output: &mut impl Write) -> Result<Next, LinesError> {
        self.bytes.clear();
        self.number += 1;
        let mut too_long = false;
        let mut begun = false;
        loop {
            if self.drained {
                output.flush()?;
            }
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(LinesError::Read(error)),
            };
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            too_long |= self.bytes.len() + piece.len() > MAX_LINE;
            if !too_long {
                self.bytes.extend_from_slice(piece);
            }
            let at_end = chunk.is_empty();
            begun |= !at_end;
            let used = piece.len() + usize::from(end.is_some());
            self.drained = used == chunk.len();
            self.input.consume(used);
            if at_end && !begun {
                return Ok(Next::End);
            }
            if at_end || end.is_some() {
                if self.number == 1 {
                    self.bytes
                        .drain(..self.bytes.len() - without_bom(&self.bytes).len());
                }
                return Ok(if too_long { Next::TooLong } else { Next::Line });
            }
        }
    }
}
