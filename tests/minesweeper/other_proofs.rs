//! Decides whether a board needs a guess, independently of the library's proofs.

use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Cell, CellView, Game, Status, View};

/// Returns the cells that single numbers prove safe, given the mines that single numbers prove.
fn single_numbers(view: &View) -> Vec<Cell> {
    let mut mines: Vec<Cell> = Vec::new();
    loop {
        let (mut safe, before) = (Vec::new(), mines.len());
        for &cell in view.opened() {
            let covered: Vec<Cell> = view
                .grid()
                .neighbors(cell)
                .filter(|&near| !view.is_open(near))
                .collect();
            let unknown: Vec<Cell> = covered
                .iter()
                .copied()
                .filter(|near| !mines.contains(near))
                .collect();
            let left = usize::from(view.number(cell).unwrap()) - (covered.len() - unknown.len());
            if left == 0 {
                safe.extend(unknown);
            } else if left == unknown.len() {
                mines.extend(unknown);
            }
        }
        if !safe.is_empty() || mines.len() == before {
            return safe;
        }
    }
}

/// Returns whether single numbers alone solve the board after the first click, or `None` if a guess
/// is needed. If single numbers prove no safe cell, all cells are opened that the exact solver
/// proves safe.
pub fn expected(game: &mut Game, first: Cell) -> Option<bool> {
    let mut only_single = true;
    let mut status = game.open(first).unwrap();
    while status == Status::Playing {
        let mut safe = single_numbers(game.view());
        if safe.is_empty() {
            only_single = false;
            let solution = Solver::new()
                .solve(game.view(), &mut Budget::unlimited())
                .unwrap();
            let all = game.board().all_cells();
            safe = all
                .filter(|cell| {
                    game.view().at(*cell) == CellView::Covered
                        && solution.mine_probability[cell.index()] == 0.0
                })
                .collect();
        }
        if safe.is_empty() {
            return None;
        }
        for cell in safe {
            if status == Status::Playing && !game.view().is_open(cell) {
                status = game.open(cell).unwrap();
            }
        }
    }
    (status == Status::Won).then_some(only_single)
}
