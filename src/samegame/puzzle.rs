//! A board in the form in which people write it.

use std::{fmt, str::FromStr};

use super::{
    board::Board,
    rules::COLOURS,
    shape::{Large, Shape, Small, sealed::Kernels as _},
};
use mineflow_rng::{Seed, below};

/// A board as a grid of colours, of any size up to 25 x 25.
///
/// In text form, each row is a line, starting with the top row. A letter or digit is a colour, and
/// a dot or a `-1` between blanks is an empty cell:
///
/// ```text
/// B..
/// AB.
/// BBA
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    height: usize,
    /// The colours of the cells of each column from the bottom up, without the empty cells above.
    columns: Vec<Vec<u8>>,
    width: usize,
}

/// Why a grid is not a valid puzzle.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PuzzleError(String);

impl PuzzleError {
    fn no_colour(row: usize, column: usize, found: &str) -> Self {
        let at = format!("row {row} from the top, column {column}, counted from 0");
        let colours = "colours are A to H or 0 to 7, a dot or -1 is an empty cell";
        Self(format!("{at}: `{found}` is not a colour; {colours}"))
    }
}

impl Puzzle {
    /// Returns the puzzle with the given rows, starting with the top row; `None` is an empty cell.
    /// Errors count rows and columns from 0.
    ///
    /// # Errors
    /// Returns an error for a grid of invalid size or with rows of different lengths, an unknown
    /// colour, a cell above an empty cell, or an empty column before a nonempty one.
    pub fn from_rows(rows: &[Vec<Option<u8>>]) -> Result<Self, PuzzleError> {
        let width = rows.first().map_or(0, Vec::len);
        let height = rows.len();
        check_size(width, height)?;
        for (row, cells) in rows.iter().enumerate() {
            if cells.len() != width {
                let at = format!("row {row} from the top, counted from 0, has");
                let cells = cells.len();
                return Err(PuzzleError(format!(
                    "{at} {cells} cells, and the first has {width}"
                )));
            }
            if let Some((column, found)) = cells
                .iter()
                .enumerate()
                .find_map(|(column, cell)| Some((column, (*cell)?)))
                .filter(|&(_, colour)| usize::from(colour) >= COLOURS)
            {
                return Err(PuzzleError::no_colour(row, column, &found.to_string()));
            }
        }
        let columns = (0..width)
            .map(|column| settled(rows, column))
            .collect::<Result<Vec<_>, _>>()?;
        let used = columns
            .iter()
            .rposition(|column| !column.is_empty())
            .map_or(0, |last| last + 1);
        if let Some(column) = columns[..used].iter().position(Vec::is_empty) {
            let gap = "counted from 0, is empty and the one after it is not";
            return Err(PuzzleError(format!("column {column}, {gap}")));
        }
        Ok(Self {
            height,
            columns,
            width,
        })
    }

    /// Returns a full board in which the colour of each cell is uniformly random.
    ///
    /// # Errors
    /// Returns an error for an invalid size or number of colours.
    pub fn random(
        width: usize,
        height: usize,
        colours: usize,
        seed: Seed,
    ) -> Result<Self, PuzzleError> {
        check_size(width, height)?;
        if !(1..=COLOURS).contains(&colours) {
            let colours = format!("a board has 1 to {COLOURS} colours, not {colours}");
            return Err(PuzzleError(colours));
        }
        let mut rng = seed.rng();
        let columns = (0..width)
            .map(|_| {
                (0..height)
                    .map(|_| below(&mut rng, colours) as u8)
                    .collect()
            })
            .collect();
        Ok(Self {
            height,
            columns,
            width,
        })
    }

    /// Returns the number of columns, including empty columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns whether the puzzle is small enough for [`Small`] bit boards.
    pub fn is_small(&self) -> bool {
        self.width <= Small::SIDE && self.height <= Small::SIDE
    }

    /// Returns the board of the puzzle.
    ///
    /// # Panics
    /// Panics if the puzzle is too large for the shape; see [`Puzzle::is_small`].
    pub fn board<S: Shape>(&self) -> Board<S> {
        assert!(
            self.width <= S::SIDE && self.height <= S::SIDE,
            "the puzzle is too large for this shape"
        );
        let mut board = Board::default();
        for (column, cells) in self.columns.iter().enumerate() {
            for (row, &colour) in cells.iter().enumerate() {
                board.put(column, row, usize::from(colour));
            }
        }
        board
    }

    /// Returns a puzzle of this puzzle's size with the cells of `board`.
    pub fn after<S: Shape>(&self, board: &Board<S>) -> Self {
        let cells = |column| (0..self.height).map_while(move |row| board.colour(column, row));
        let column = |column| cells(column).map(|colour| colour as u8).collect();
        Self {
            columns: (0..self.width).map(column).collect(),
            ..*self
        }
    }
}

fn check_size(width: usize, height: usize) -> Result<(), PuzzleError> {
    let fits = |side| (1..=Large::SIDE).contains(&side);
    if fits(width) && fits(height) {
        Ok(())
    } else {
        let side = Large::SIDE;
        let most = format!("a board has 1 to {side} rows and columns");
        Err(PuzzleError(format!(
            "{most}, not {width} columns and {height} rows"
        )))
    }
}

/// Returns the cells of a column from the bottom up.
fn settled(rows: &[Vec<Option<u8>>], column: usize) -> Result<Vec<u8>, PuzzleError> {
    let mut cells = Vec::new();
    for (height, row) in rows.iter().rev().enumerate() {
        match row[column] {
            Some(colour) if cells.len() == height => cells.push(colour),
            Some(_) => {
                let row = rows.len() - 1 - height;
                let at = format!("row {row} from the top, column {column}, counted from 0");
                return Err(PuzzleError(format!("{at}, holds a cell over an empty one")));
            }
            None => {}
        }
    }
    Ok(cells)
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let wrong = PuzzleError::no_colour;
        let row = |(row, line): (usize, &str)| {
            let mut cells = Vec::new();
            let is_spaced = line.contains(char::is_whitespace);
            for word in line.split_whitespace() {
                // Between blanks, `10` is a number, and not the colours 1 and 0.
                if is_spaced && word.len() > 1 && word != "-1" && word.parse::<i32>().is_ok() {
                    return Err(wrong(row, cells.len(), word));
                }
                for letter in word.replace("-1", ".").chars() {
                    cells.push(match letter {
                        '.' => None,
                        'A'..='H' => Some(letter as u8 - b'A'),
                        'a'..='h' => Some(letter as u8 - b'a'),
                        '0'..='7' => Some(letter as u8 - b'0'),
                        _ => return Err(wrong(row, cells.len(), &letter.to_string())),
                    });
                }
            }
            Ok(cells)
        };
        Self::from_rows(&lines.enumerate().map(row).collect::<Result<Vec<_>, _>>()?)
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.height).rev() {
            let letter = |cells: &Vec<u8>| {
                cells
                    .get(row)
                    .map_or('.', |&colour| (b'A' + colour) as char)
            };
            writeln!(f, "{}", self.columns.iter().map(letter).collect::<String>())?;
        }
        Ok(())
    }
}
