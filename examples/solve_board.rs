//! Reads a board from text and prints the exact mine probability of each covered cell and the safe
//! cells.
//!
//! `cargo run --release --example solve_board`

use std::error::Error;

use mineflow::minesweeper::solver::{Budget, Solver};
use mineflow::minesweeper::text;

/// The board as text: `#` is a covered cell, a digit an open one.
const BOARD: &str = "
    00001#
    00112#
    001###
    112###
    ######";

fn main() -> Result<(), Box<dyn Error>> {
    let view = text::read(BOARD, Some(7))?;
    let solution = Solver::new().solve(&view, &mut Budget::unlimited())?;

    println!(
        "{view}\n\n{} layouts of {} mines fit these numbers.",
        solution.layouts,
        view.mines()
    );
    println!("The chance of a mine, in percent:");
    let board = view.board();
    for cell in board.all_cells() {
        match view.number(cell) {
            Some(number) => print!("{number:>6}"),
            None => print!("{:>6.1}", 100.0 * solution.mine_probability[cell.index()]),
        }
        if board.row_col(cell).1 + 1 == board.width() {
            println!();
        }
    }
    let names = solution
        .safe
        .iter()
        .map(|&cell| board.row_col(cell))
        .map(|(row, col)| format!("row {row}, column {col}"));
    println!(
        "Safe, counted from 0: {}",
        names.collect::<Vec<_>>().join("; ")
    );
    Ok(())
}
