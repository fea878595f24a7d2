//! The mines of a saved game as text. A character stands for five cells, row-major, the first cell
//! as the highest bit, in the digits `0` to `9` and `a` to `v`; trailing zeros may be omitted.

use super::kept::KeptError;
use crate::{Board, Cell, Minefield};

/// Returns the mines of a field as text.
pub(super) fn write(field: &Minefield) -> String {
    let cells: Vec<Cell> = field.board().all_cells().collect();
    cells
        .chunks(5)
        .map(|five| {
            let bit = |at: usize| five.get(at).is_some_and(|&cell| field.is_mine(cell));
            let bits = (0..5).fold(0, |bits, at| bits << 1 | u32::from(bit(at)));
            char::from_digit(bits, 32).expect("five bits are a digit")
        })
        .collect()
}

/// Reads the minefield that [`write`] wrote, on a board with the size of `board`.
///
/// # Errors
/// Returns an error if the text has another character, or mines beyond the board.
pub(super) fn read(board: Board, text: &str) -> Result<Minefield, KeptError> {
    let mut mines = Vec::new();
    for (at, digit) in text.chars().enumerate() {
        let bits = digit
            .to_digit(32)
            .filter(|_| !digit.is_ascii_uppercase())
            .ok_or(KeptError::Digit(digit))?;
        mines.extend(
            (0..5)
                .filter(|bit| bits >> (4 - bit) & 1 == 1)
                .map(|bit| at * 5 + bit),
        );
    }
    if mines.last().is_some_and(|&last| last >= board.cells()) {
        return Err(KeptError::Beyond(board.cells()));
    }
    let cells = mines.into_iter().map(|cell| Cell(cell as u16));
    Ok(Minefield::on(board, cells))
}
