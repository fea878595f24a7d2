//! Positions as text: rows alone, the community's `.mine` files, and minefields drawn with `*` and
//! `.`.
//!
//! | character | in a position | in a minefield |
//! |---|---|---|
//! | `#` or `H` | a covered cell | |
//! | `?`, `M` or `I` | a covered cell: JSMinesweeper writes `?` for a mine of a lost game and reads `M` and `I` | |
//! | `F` or `O` | a covered cell with a flag, which is the player's note and proves nothing | |
//! | `0` to `8` | an open cell | |
//! | `*`, `.` | | a mine, no mine |
//!
//! A `.mine` file consists of a first line `WIDTHxHEIGHTxMINES` and the rows. Readers ignore blank
//! lines before and after the board, white space around a line, and a byte order mark, and accept
//! either kind of line break.
//!
//! ```
//! use mineflow_minesweeper::text;
//! let view = text::read_mine("3x2x1\n1HH\n1F1\n").unwrap();
//! assert_eq!(view.to_string(), "1##\n1F1");
//! assert_eq!(text::write_mine(&view), "3x2x1\n1HH\n1F1\n");
//! ```

use std::{
    fmt::{self, Write},
    str::FromStr,
    sync::Arc,
};

use super::{Board, BoardError, Cell, CellView, Grid, Minefield, View};

/// The error returned for a text that is neither a position nor a minefield. Lines, rows and
/// columns are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    #[error("there is no board: every line is blank")]
    Blank,
    #[error("line {line}: `{found}` is not a size; write WIDTHxHEIGHTxMINES such as 9x9x10")]
    Size { line: usize, found: String },
    #[error("line {line}, column {column}: {found:?} is not a cell; {expected}")]
    NoCell {
        line: usize,
        column: usize,
        found: char,
        expected: &'static str,
    },
    #[error("line {line}: a row of {found} cells on a board that is {width} wide")]
    RowLength {
        line: usize,
        found: usize,
        width: usize,
    },
    #[error("{found} rows on a board that is {height} high")]
    RowCount { found: usize, height: usize },
    #[error(
        "rows alone don't say how many mines there are; begin with a line WIDTHxHEIGHTxMINES \
         such as 9x9x10"
    )]
    MinesUnknown,
    #[error(
        "line {line} says {written} mines, but {given} are asked for; leave one of the two out"
    )]
    MinesDiffer {
        line: usize,
        written: usize,
        given: usize,
    },
    #[error("there is neither a position nor a minefield in the text")]
    Nothing,
    #[error("line {line}: a second {what}")]
    Twice { line: usize, what: &'static str },
    #[error("line {line}: `{found}` is none of `first-click`, `seconds` and `exploded`")]
    Note { line: usize, found: String },
    #[error(
        "the minefield and the position don't fit together: they differ in size, mines or an open number"
    )]
    Differ,
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a `.mine` text. If `mines` is given, the rows alone are accepted too. Cells are opened in
/// row-major order.
///
/// # Errors
/// Returns an error if the text is not a position, or if its number of mines is missing or differs
/// from `mines`. For a wrong character, the error names the place and the allowed characters.
pub fn read(text: &str, mines: Option<usize>) -> Result<View, TextError> {
    let lines = lines(text);
    let first = lines.first().ok_or(TextError::Blank)?;
    let Some(size) = first.text.contains('x').then(|| size(first)) else {
        return rows_alone(&lines, mines.ok_or(TextError::MinesUnknown)?);
    };
    let board = size?;
    match mines {
        Some(given) if given != board.mines() => Err(TextError::MinesDiffer {
            line: first.number,
            written: board.mines(),
            given,
        }),
        _ => on_board(board, &lines[1..]),
    }
}

/// Reads a `.mine` text. Cells are opened in row-major order.
///
/// # Errors
/// Returns an error if the text is not a position. For a wrong character, the error names the place
/// and the allowed characters.
pub fn read_mine(text: &str) -> Result<View, TextError> {
    let lines = lines(text);
    let (first, rows) = lines.split_first().ok_or(TextError::Blank)?;
    on_board(size(first)?, rows)
}

/// Reads the position in `rows` on `grid` with `mines` mines. Cells are opened in row-major order.
/// Unlike the functions that read whole texts, this function does not ignore white space: a blank
/// is not a cell.
///
/// # Errors
/// Returns an error if the text is not a position. For a wrong character, the error names the place
/// and the allowed characters.
pub fn view_on(grid: Arc<Grid>, mines: usize, rows: &[impl AsRef<str>]) -> Result<View, TextError> {
    let strict = |(index, row): (usize, _)| Line {
        number: index + 1,
        column: 1,
        text: AsRef::as_ref(row),
    };
    let rows: Vec<_> = rows.iter().enumerate().map(strict).collect();
    view(grid, mines, &rows)
}

impl View {
    /// Reads the position in `rows` on a board with `mines` mines, as [`view_on`] does. Cells are
    /// opened in row-major order.
    ///
    /// ```
    /// use mineflow_minesweeper::{Cell, View};
    /// let view = View::from_rows(&["1#", "F1"], 1).unwrap();
    /// assert_eq!(view.opened(), [Cell(0), Cell(3)]);
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a position. For a wrong character, the error names the
    /// place and the allowed characters.
    pub fn from_rows(rows: &[impl AsRef<str>], mines: usize) -> Result<Self, TextError> {
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let board = Board::new(width, rows.len(), mines)?;
        view_on(Arc::new(Grid::new(board)), mines, rows)
    }
}

/// Returns the `.mine` text of a position, which [`read_mine`] reads back.
pub fn write_mine(view: &View) -> String {
    let board = view.board();
    let mut text = format!("{}x{}x{}\n", board.width(), board.height(), board.mines());
    for cell in board.all_cells() {
        text.push(letter(view.at(cell), 'H'));
        if board.row_col(cell).1 + 1 == board.width() {
            text.push('\n');
        }
    }
    text
}

/// Writes the rows with `#`, `F` and digits, without a final line break.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.board(), |cell| letter(self.at(cell), '#'))
    }
}

/// Writes the rows with `*` and `.`, without a final line break.
impl fmt::Display for Minefield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(
            f,
            self.board(),
            |cell| if self.is_mine(cell) { '*' } else { '.' },
        )
    }
}

/// ```
/// use mineflow_minesweeper::{Cell, Minefield};
/// let field: Minefield = "*..\n.*.".parse().unwrap();
/// assert_eq!((field.mines(), field.number(Cell(2))), (2, 1));
/// ```
impl FromStr for Minefield {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let lines = lines(text);
        let width = lines.first().ok_or(TextError::Blank)?.text.chars().count();
        let grid = Arc::new(Grid::new(Board::new(width, lines.len(), 0)?));
        let mut mines = Vec::new();
        for_each_cell(
            &grid,
            &lines,
            "write * for a mine, . for none",
            |cell, found| {
                if found == '*' {
                    mines.push(cell);
                }
                matches!(found, '*' | '.')
            },
        )?;
        Ok(Self::from_mines(grid, mines))
    }
}

/// A line of a text without the white space around it.
struct Line<'a> {
    /// The line number, counted from 1.
    number: usize,
    /// The column of the first character, counted from 1.
    column: usize,
    text: &'a str,
}

/// Returns the lines of a text from the first to the last one that is not blank.
fn lines(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let inner = line.trim_start();
            let indent = line[..line.len() - inner.len()].chars().count();
            Line {
                number: index + 1,
                column: indent + 1,
                text: inner.trim_end(),
            }
        })
        .skip_while(|line| line.text.is_empty())
        .collect();
    while lines.last().is_some_and(|line| line.text.is_empty()) {
        lines.pop();
    }
    lines
}

/// Parses the first line of a `.mine` text.
fn size(line: &Line<'_>) -> Result<Board, TextError> {
    let numbers = line.text.split('x').map(|part| part.trim().parse());
    let numbers: Result<Vec<usize>, _> = numbers.collect();
    match numbers.as_deref() {
        Ok(&[width, height, mines]) => Ok(Board::new(width, height, mines)?),
        // The line may be arbitrarily long; the error quotes only its start.
        _ => Err(TextError::Size {
            line: line.number,
            found: line.text.chars().take(30).collect(),
        }),
    }
}

fn rows_alone(rows: &[Line<'_>], mines: usize) -> Result<View, TextError> {
    let width = rows.first().ok_or(TextError::Blank)?.text.chars().count();
    on_board(Board::new(width, rows.len(), mines)?, rows)
}

fn on_board(board: Board, rows: &[Line<'_>]) -> Result<View, TextError> {
    view(Arc::new(Grid::new(board)), board.mines(), rows)
}

fn view(grid: Arc<Grid>, mines: usize, rows: &[Line<'_>]) -> Result<View, TextError> {
    let board = grid.board();
    Board::new(board.width(), board.height(), mines)?;
    let mut view = View::new(grid.clone(), mines);
    for_each_cell(
        &grid,
        rows,
        "write # or H for a covered cell, F for a flag, 0 to 8 for an open one",
        |cell, found| {
            let shown = match found {
                '#' | 'H' | '?' | 'M' | 'I' => Ok(()),
                'F' | 'O' => view.set_flag(cell, true),
                '0'..='8' => view.open(cell, found as u8 - b'0'),
                _ => return false,
            };
            shown.expect("every cell comes once, and the number was checked");
            true
        },
    )?;
    Ok(view)
}

/// Passes every cell and its character to `take`, row by row; `take` returns false for a character
/// that is not a cell.
fn for_each_cell(
    grid: &Grid,
    rows: &[Line<'_>],
    expected: &'static str,
    mut take: impl FnMut(Cell, char) -> bool,
) -> Result<(), TextError> {
    let board = grid.board();
    if rows.len() != board.height() {
        return Err(TextError::RowCount {
            found: rows.len(),
            height: board.height(),
        });
    }
    let mut cells = board.all_cells();
    for row in rows {
        let length = row.text.chars().count();
        for (col, found) in row.text.chars().enumerate().take(board.width()) {
            // A short row returns an error below, thus cells and rows stay aligned.
            let cell = cells
                .next()
                .expect("there are as many rows as the board is high");
            if !take(cell, found) {
                return Err(TextError::NoCell {
                    line: row.number,
                    column: row.column + col,
                    found,
                    expected,
                });
            }
        }
        if length != board.width() {
            return Err(TextError::RowLength {
                line: row.number,
                found: length,
                width: board.width(),
            });
        }
    }
    Ok(())
}

fn letter(seen: CellView, covered: char) -> char {
    match seen {
        CellView::Covered => covered,
        CellView::Flagged => 'F',
        CellView::Open(number) => char::from(b'0' + number),
    }
}

fn draw(f: &mut fmt::Formatter<'_>, board: Board, letter: impl Fn(Cell) -> char) -> fmt::Result {
    for cell in board.all_cells() {
        if cell.index() > 0 && board.row_col(cell).1 == 0 {
            f.write_char('\n')?;
        }
        f.write_char(letter(cell))?;
    }
    Ok(())
}
