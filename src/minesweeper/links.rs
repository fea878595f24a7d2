//! Reads and writes links to JSMinesweeper of David N. Hill that contain a position:
//! `board=WxHxM&analysis=POSITION` after `?`.
//!
//! POSITION uses the digits `a` to `z`, `A` to `Z`, `0` to `9`: two for the width, two for the
//! height, four for the mines, then runs of equal cells. Each kind of cell has its own set of
//! digits, in which the length of a run is written as a number; a kind with one digit repeats it.
//! The number of a cell is reduced by the flags next to it (`F`, or `I` for a flag that is not
//! shown; the flag `O` is not subtracted). Links written by this module contain no `F` and no `I`.
//!
//! ```
//! use mineflow_minesweeper::{links, text};
//! let view = text::read_mine("3x2x1\n1HH\n1F1\n").unwrap();
//! let link = links::position(&view).unwrap();
//! let back = links::read(&link).unwrap();
//! assert_eq!(back.to_string(), "1##\n1F1");
//! ```

use std::sync::Arc;

use super::{
    Board, BoardError, CellView, Grid, View,
    text::{self, TextError},
};

const ANALYSER: &str = "https://davidnhill.github.io/JSMinesweeper/index.html";

/// Digits of the numbers in a position.
const DIGITS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// The kinds of cells in order, with the number of [`DIGITS`] that each kind uses.
const KINDS: [(char, usize); 13] = [
    ('0', 10),
    ('1', 7),
    ('2', 5),
    ('3', 5),
    ('4', 4),
    ('5', 3),
    ('6', 3),
    ('7', 1),
    ('8', 1),
    ('I', 4),
    ('H', 10),
    ('F', 8),
    ('O', 1),
];

/// The error returned if a text is not a link with a board, or a board does not fit in a link.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    #[error("the link has no `analysis` (a position) after its `?`")]
    Nothing,
    #[error("`analysis` has {0:?}; its characters are a to z, A to Z and 0 to 9")]
    Digit(char),
    #[error("`analysis` holds {found} cells for a board of {width} x {height}")]
    Cells {
        found: usize,
        width: usize,
        height: usize,
    },
    #[error("`analysis` has {found} flags beside a number, more than eight together with it")]
    Flags { found: usize },
    #[error("a JSMinesweeper link holds boards up to {most} x {most}, not {width} x {height}")]
    TooLarge {
        width: usize,
        height: usize,
        most: usize,
    },
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Text(#[from] TextError),
}

/// Returns a link to JSMinesweeper with this position.
///
/// # Errors
/// Returns an error if the width or height exceeds 3,843, the largest number of two base-62 digits.
pub fn position(view: &View) -> Result<String, LinkError> {
    let board = view.board();
    let width = board.width();
    let height = board.height();
    let mines = view.mines();
    let most = DIGITS.len().pow(2) - 1;
    if width.max(height) > most {
        return Err(LinkError::TooLarge {
            width,
            height,
            most,
        });
    }
    let letter = |cell| match view.at(cell) {
        CellView::Covered => 'H',
        CellView::Flagged => 'O',
        CellView::Open(number) => char::from(b'0' + number),
    };
    let cells: Vec<char> = board.all_cells().map(letter).collect();
    // JSMinesweeper reads the first run one cell too short if its kind has only one digit. A
    // preceding empty run of zeros avoids this.
    let has_one_digit = KINDS.contains(&(cells[0], 1));
    let empty = if has_one_digit { "a" } else { "" };
    let runs: String = cells
        .chunk_by(|a, b| a == b)
        .map(|run| run_text(run[0], run.len()))
        .collect();
    let [w, h, m] =
        [(width, 2), (height, 2), (mines, 4)].map(|(number, digits)| number_text(number, digits));
    Ok(format!(
        "{ANALYSER}?board={width}x{height}x{mines}&analysis={w}{h}{m}{empty}{runs}"
    ))
}

/// Reads the position from a link, or from the part of a link after its `?`.
///
/// # Errors
/// Returns an error if the text is not a link with a valid board.
pub fn read(link: &str) -> Result<View, LinkError> {
    let query = link
        .trim()
        .split_once('?')
        .map_or(link.trim(), |(_, query)| query);
    let query = query.split('#').next().unwrap_or(query);
    let analysis = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("analysis="));
    read_position(analysis.ok_or(LinkError::Nothing)?)
}

fn read_position(analysis: &str) -> Result<View, LinkError> {
    let mut digits = Vec::with_capacity(analysis.len());
    for digit in analysis.chars() {
        let value = DIGITS.iter().position(|&known| char::from(known) == digit);
        digits.push(value.ok_or(LinkError::Digit(digit))?);
    }
    let number =
        |digits: &[usize]| (digits.iter()).fold(0, |number, digit| number * DIGITS.len() + digit);
    let (head, runs) = digits.split_at_checked(8).ok_or(LinkError::Cells {
        found: 0,
        width: 0,
        height: 0,
    })?;
    let width = number(&head[..2]);
    let height = number(&head[2..4]);
    let mines = number(&head[4..]);
    let board = Board::new(width, height, mines)?;
    let cells = cells(runs, board.cells());
    if cells.len() != board.cells() {
        return Err(LinkError::Cells {
            found: cells.len(),
            width,
            height,
        });
    }
    let grid = Grid::new(board);
    let mut rows = vec![String::new(); height];
    for cell in board.all_cells() {
        let shown = match cells[cell.index()] {
            'F' | 'O' => 'F',
            kind => match kind.to_digit(10) {
                None => '#',
                Some(number) => {
                    let near = grid.neighbors(cell).map(|near| cells[near.index()]);
                    let found = near.filter(|kind| matches!(kind, 'F' | 'I')).count();
                    char::from_digit(number + found as u32, 9).ok_or(LinkError::Flags { found })?
                }
            },
        };
        rows[board.row_col(cell).0].push(shown);
    }
    Ok(text::view_on(Arc::new(grid), mines, &rows)?)
}

/// Decodes the runs and returns their cells, but at most `most + 1` of them.
fn cells(runs: &[usize], most: usize) -> Vec<char> {
    let mut cells = Vec::new();
    let kinds = |digit: usize| {
        let mut first = 0;
        KINDS.iter().find_map(|&(kind, digits)| {
            first += digits;
            (digit < first).then(|| (kind, digits, digit + digits - first))
        })
    };
    let read: Vec<(char, usize, usize)> = runs.iter().filter_map(|&digit| kinds(digit)).collect();
    for run in read.chunk_by(|a, b| a.0 == b.0) {
        let (kind, base, _) = run[0];
        let longer = |length: usize, &(_, _, digit): &(char, usize, usize)| {
            (length * base + digit).min(most + 1)
        };
        let length = if base == 1 {
            run.len()
        } else {
            run.iter().fold(0, longer)
        };
        cells.extend(std::iter::repeat_n(
            kind,
            length.min(most + 1 - cells.len().min(most + 1)),
        ));
    }
    cells
}

fn number_text(mut number: usize, digits: usize) -> String {
    let mut text = vec![b'a'; digits];
    for digit in text.iter_mut().rev() {
        *digit = DIGITS[number % DIGITS.len()];
        number /= DIGITS.len();
    }
    text.into_iter().map(char::from).collect()
}

fn run_text(kind: char, mut length: usize) -> String {
    let at = KINDS
        .iter()
        .position(|&(known, _)| known == kind)
        .expect("the kind is one of the table");
    let first: usize = KINDS[..at].iter().map(|(_, digits)| digits).sum();
    let base = KINDS[at].1;
    if base == 1 {
        return char::from(DIGITS[first]).to_string().repeat(length);
    }
    let mut text = Vec::new();
    while length > 0 {
        text.push(char::from(DIGITS[first + length % base]));
        length /= base;
    }
    text.into_iter().rev().collect()
}
