//! Tests that positions whose open numbers constrain each other across the whole board can be
//! counted. `minesweeper/components.rs` compares the counts of smaller ones with an independent
//! program.

use std::sync::Arc;

use mineflow_minesweeper::solver::{Budget, CountError, Solution, Solver};
use mineflow_minesweeper::{Board, Cell, Grid, Minefield, View};
use mineflow_rng::Seed;

/// A predicate that tells whether the cell at a row and column is open.
type Pattern = fn(usize, usize) -> bool;

const LATTICE: Pattern = |row, col| row % 2 == 1 && col % 2 == 1;

const PATTERNS: [(&str, Pattern); 12] = [
    ("every odd row and column", LATTICE),
    ("every even row and column", |row, col| {
        row % 2 == 0 && col % 2 == 0
    }),
    ("even rows, odd columns", |row, col| {
        row % 2 == 0 && col % 2 == 1
    }),
    ("bricks", |row, col| {
        row % 2 == 1 && (col + row / 2) % 2 == 1
    }),
    ("pairs in odd rows", |row, col| row % 2 == 1 && col % 4 < 2),
    ("every other row", |row, _| row % 2 == 1),
    ("every third column", |_, col| col % 3 == 1),
    ("a checkerboard", |row, col| (row + col) % 2 == 0),
    ("every third diagonal", |row, col| (row + col) % 3 == 0),
    ("every fourth diagonal", |row, col| (row + col) % 4 == 0),
    ("a knight's move apart", |row, col| (row + 2 * col) % 5 == 0),
    ("every third row, odd columns", |row, col| {
        row % 3 == 1 && col % 2 == 1
    }),
];

/// Returns a view in which the cells of `pattern` are open. A share `density` of all cells are
/// mines, placed at random outside the pattern.
fn position(width: usize, height: usize, density: f64, seed: u64, pattern: Pattern) -> View {
    let cells = width * height;
    let open = |cell: &Cell| pattern(usize::from(cell.0) / width, usize::from(cell.0) % width);
    let kept: Vec<Cell> = (0..cells as u16).map(Cell).filter(open).collect();
    let mines = ((cells as f64 * density) as usize).min(cells - kept.len());
    let grid = Arc::new(Grid::new(
        Board::new(width, height, mines).expect("it is a board"),
    ));
    let mut field = Minefield::new(grid.clone());
    field.lay(mines, &kept, &mut Seed::new(seed).rng());
    let mut view = View::new(grid, mines);
    for &cell in &kept {
        view.open(cell, field.number(cell))
            .expect("the cell is covered");
    }
    view
}

/// Returns the budget of `pipeline solve`.
fn budget() -> Budget {
    Budget::new(Some(mineflow_cli::solve::DEFAULT_NODE_LIMIT), None)
}

/// Checks properties of every correct posterior: the probabilities sum to the number of mines, on
/// the board and around each number.
fn check_sums(view: &View, solution: &Solution) {
    let p = |cell: Cell| solution.mine_probability[cell.index()];
    let mines: f64 = view.covered().map(p).sum();
    assert!(
        (mines - view.mines() as f64).abs() < 1e-8,
        "{mines} mines in\n{view:?}"
    );
    for &open in view.opened() {
        let around: f64 = view
            .grid()
            .neighbors(open)
            .filter(|&cell| !view.is_open(cell))
            .map(p)
            .sum();
        let number = f64::from(view.number(open).expect("it is open"));
        assert!(
            (around - number).abs() < 1e-9,
            "{around} around {open:?} in\n{view:?}"
        );
    }
    assert!(
        solution.safe.iter().all(|&cell| p(cell) == 0.0)
            && solution.mines.iter().all(|&cell| p(cell) == 1.0)
    );
}

#[test]
fn every_pattern_is_solved_on_the_expert_board() {
    let mut solver = Solver::new();
    for (name, pattern) in PATTERNS {
        for (density, seed) in [(0.2, 1), (0.4, 2)] {
            for (width, height) in [(30, 16), (16, 30)] {
                let view = position(width, height, density, seed, pattern);
                let solution = solver
                    .solve(&view, &mut budget())
                    .unwrap_or_else(|why| panic!("{name}: {why}\n{view:?}"));
                check_sums(&view, &solution);
            }
        }
    }
}

#[test]
fn lattices_are_solved_at_every_density() {
    let mut solver = Solver::new();
    for (size, densities) in [
        ((12, 12), &[0.1, 0.5, 0.7][..]),
        ((14, 14), &[0.4]),
        ((20, 16), &[0.3]),
        // This board has more boundary cells than the floating-point engine counts.
        ((64, 10), &[0.4]),
        ((30, 16), &[0.3, 0.5]),
    ] {
        for &density in densities {
            let view = position(size.0, size.1, density, 7, LATTICE);
            let solution = solver
                .solve(&view, &mut budget())
                .unwrap_or_else(|why| panic!("{size:?} {density}: {why}"));
            check_sums(&view, &solution);
        }
    }
}

#[test]
fn a_memory_limit_ends_the_counting() {
    let view = position(30, 16, 0.4, 2, LATTICE);
    let little = &mut Budget::unlimited().with_memory_limit(1 << 20);
    let error = Solver::new()
        .solve(&view, little)
        .expect_err("a megabyte is little");
    assert!(
        matches!(error, CountError::TooHard { cells } if cells > 300),
        "{error}"
    );
}
