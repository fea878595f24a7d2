//! Tests of counting by components, compared with brute force.

use std::sync::Arc;

use mineflow_minesweeper::solver::{Analysis, Budget, CountError, Exhausted, Solver, Weighting};
use mineflow_minesweeper::{Board, Cell, Grid, Minefield, View};
use mineflow_rng::{Rng, Seed};
use rand::RngExt;

use crate::brute_force::{self, Counts};

/// Compares all results of the engine for `view` with brute force.
fn check(analysis: &mut Analysis, solver: &mut Solver, view: &View) {
    let unlimited = &mut Budget::unlimited();
    let posterior = brute_force::posterior(view);
    let solution = solver.solve(view, unlimited).unwrap();
    assert_eq!(
        solution.layouts,
        posterior.layouts.into(),
        "layouts of\n{view:?}"
    );
    let p = |cell: Cell| solution.mine_probability[cell.index()];
    compare(view, &posterior, p);
    for cell in view.board().all_cells() {
        assert_eq!(p(cell).is_nan(), view.is_open(cell));
        let certain = |mines: u64| posterior.probability(cell) == Some(mines as f64);
        assert_eq!(solution.safe.contains(&cell), certain(0));
        assert_eq!(solution.mines.contains(&cell), certain(1));
    }

    analysis.begin(view.grid(), view.mines());
    analysis.update(view).unwrap();
    let solutions = brute_force::solutions(view);
    let probabilities = analysis
        .probabilities(Weighting::Solutions, unlimited)
        .unwrap();
    compare(view, &solutions, |cell| probabilities.mine[cell.index()]);
    let proved_safe: Vec<Cell> = analysis.safe().to_vec();
    for (&cell, &mines) in solutions.cells.iter().zip(&solutions.mines) {
        assert_eq!(proved_safe.contains(&cell), mines == 0);
        assert_eq!(analysis.is_mine(cell), mines == solutions.layouts);
    }
}

fn compare(view: &View, counts: &Counts, probability: impl Fn(Cell) -> f64) {
    for &cell in &counts.cells {
        let (expected, found) = (counts.probability(cell).unwrap(), probability(cell));
        assert!(
            (expected - found).abs() <= 1e-13 * expected,
            "{cell:?}: {found}, not {expected}, in\n{view:?}"
        );
    }
}

fn open_all(view: &mut View, field: &Minefield, cells: impl IntoIterator<Item = Cell>) {
    for cell in cells {
        view.open(cell, field.number(cell)).unwrap();
    }
}

/// Returns a view of `field` with a random subset of its safe cells open, each with the given
/// probability.
fn random_view(field: &Minefield, chance: f64, rng: &mut Rng) -> View {
    let mut view = View::new(field.grid().clone(), field.mines());
    for cell in field.board().all_cells() {
        if !field.is_mine(cell) && rng.random_bool(chance) {
            view.open(cell, field.number(cell)).unwrap();
        }
    }
    view
}

#[test]
fn components_equal_brute_force_on_every_view_of_small_boards() {
    let (mut analysis, mut solver) = (Analysis::new(), Solver::new());
    for (width, height) in [(1, 1), (2, 1), (5, 1), (2, 2), (3, 2), (3, 3), (4, 2)] {
        let cells = width * height;
        for mines in 0..=cells {
            let grid = Arc::new(Grid::new(Board::new(width, height, mines).unwrap()));
            for layout in (0u32..1 << cells).filter(|layout| layout.count_ones() as usize == mines)
            {
                let is_mine = |cell: &Cell| layout >> cell.0 & 1 == 1;
                let field =
                    Minefield::from_mines(grid.clone(), grid.board().all_cells().filter(is_mine));
                for open in (0u32..1 << cells).filter(|open| open & layout == 0) {
                    let mut view = View::new(grid.clone(), mines);
                    let opened = grid.board().all_cells();
                    let opened = opened.filter(|cell| open >> cell.0 & 1 == 1);
                    open_all(&mut view, &field, opened);
                    check(&mut analysis, &mut solver, &view);
                }
            }
        }
    }
}

#[test]
fn components_equal_brute_force_on_random_views() {
    let (mut analysis, mut solver) = (Analysis::new(), Solver::new());
    let mut rng = Seed::new(20).child("views", 0).rng();
    let mut checked = 0;
    while checked < 4000 {
        let (width, height) = (rng.random_range(2..9), rng.random_range(2..7));
        let mines = rng.random_range(0..=width * height / 3);
        let board = Board::new(width, height, mines).unwrap();
        let mut field = Minefield::new(Arc::new(Grid::new(board)));
        field.lay(mines, &[], &mut rng);
        let chance = rng.random_range(0.2..0.95);
        let view = random_view(&field, chance, &mut rng);
        if view.covered_count() <= 18 {
            check(&mut analysis, &mut solver, &view);
            checked += 1;
        }
    }
}

#[test]
fn incremental_analysis_equals_a_fresh_one() {
    let board = Board::new(16, 16, 45).unwrap();
    let grid = Arc::new(Grid::new(board));
    let mut rng = Seed::new(21).rng();
    for _ in 0..40 {
        let mut field = Minefield::new(grid.clone());
        field.lay(45, &[], &mut rng);
        let mut view = View::new(grid.clone(), 45);
        let mut grown = Analysis::new();
        grown.begin(&grid, 45);
        loop {
            let closed: Vec<Cell> = view
                .covered()
                .filter(|&cell| !field.is_mine(cell))
                .collect();
            if closed.is_empty() {
                break;
            }
            for _ in 0..rng.random_range(1..30) {
                let cell = closed[rng.random_range(0..closed.len())];
                if !view.is_open(cell) {
                    view.open(cell, field.number(cell)).unwrap();
                }
            }
            let mut fresh = Analysis::new();
            fresh.begin(&grid, 45);
            grown.update(&view).unwrap();
            fresh.update(&view).unwrap();
            let budget = &mut Budget::unlimited();
            let grown = grown
                .probabilities(Weighting::Posterior, budget)
                .unwrap()
                .mine
                .clone();
            let fresh = &fresh
                .probabilities(Weighting::Posterior, budget)
                .unwrap()
                .mine;
            for (a, b) in grown.iter().zip(fresh) {
                assert!((a - b).abs() < 1e-12 || a.is_nan() && b.is_nan());
            }
        }
    }
}

/// Returns a view with open numbers in every second row and column. Each number has eight covered
/// neighbours, and the boundary is one component.
fn lattice(size: usize, mines: usize, seed: u64) -> View {
    let grid = Arc::new(Grid::new(Board::new(size, size, mines).unwrap()));
    let open = |cell: &Cell| {
        let (row, col) = grid.board().row_col(*cell);
        row % 2 == 1 && col % 2 == 1
    };
    let kept: Vec<Cell> = grid.board().all_cells().filter(open).collect();
    let mut field = Minefield::new(grid.clone());
    field.lay(mines, &kept, &mut Seed::new(seed).rng());
    let mut view = View::new(grid.clone(), mines);
    open_all(&mut view, &field, kept);
    view
}

#[test]
fn positions_too_hard_to_count_are_an_error() {
    for size in [61, 255] {
        let view = lattice(size, size * size / 4, 5);
        let error = Solver::new()
            .solve(&view, &mut Budget::unlimited())
            .expect_err("it is far too entangled");
        assert!(
            matches!(error, CountError::TooHard { cells } if cells > 1000),
            "{error}"
        );
    }
    let view = lattice(21, 100, 5);
    let error = Solver::new()
        .solve(&view, &mut Budget::new(Some(1000), None))
        .expect_err("1,000 nodes are few");
    assert_eq!(error, CountError::Exhausted(Exhausted::Nodes(1000)));
}

#[test]
fn layouts_of_the_untouched_board_are_a_binomial() {
    let count = |text: &str| {
        let board: Board = text.parse().unwrap();
        let view = View::new(Arc::new(Grid::new(board)), board.mines());
        Solver::new()
            .solve(&view, &mut Budget::unlimited())
            .unwrap()
            .layouts
            .to_string()
    };
    // The counts are binomial coefficients: 81 choose 10 and 64 choose 32.
    assert_eq!(count("beginner"), "1878392407320");
    assert_eq!(count("8x8/32"), "1832624140942590534");
    assert_eq!(count("255x257/0"), "1");
}

#[derive(serde::Deserialize)]
struct Counted {
    id: String,
    mines: usize,
    rows: Vec<String>,
    solutions: String,
    /// Row and column of a cell, and the number of layouts in which this cell is a mine.
    probes: Vec<(usize, usize, String)>,
}

/// Compares the counts with those of `data/count_layouts.py`, a transfer-matrix sweep with Python
/// integers of up to 80 digits.
#[test]
fn layout_counts_equal_those_of_an_independent_program() {
    let table = include_str!("data/layout_counts.jsonl");
    assert_eq!(table.lines().count(), 21);
    for line in table.lines() {
        let known: Counted = serde_json::from_str(line).unwrap();
        let rows: Vec<&str> = known.rows.iter().map(String::as_str).collect();
        let view = View::from_rows(&rows, known.mines).unwrap();
        let solution = Solver::new()
            .solve(&view, &mut Budget::unlimited())
            .unwrap();
        assert_eq!(
            solution.layouts.to_string(),
            known.solutions,
            "{}",
            known.id
        );
        for (row, col, mines) in &known.probes {
            let cell = view.board().cell(*row, *col).unwrap();
            let exact = ratio(mines, &known.solutions);
            let found = solution.mine_probability[cell.index()];
            assert!(
                (found - exact).abs() <= 1e-12 * exact,
                "{}, {cell:?}: {found}, not {exact}",
                known.id
            );
            assert_eq!(solution.safe.contains(&cell), mines == "0");
            assert_eq!(solution.mines.contains(&cell), *mines == known.solutions);
        }
    }
}

/// Returns the quotient of two decimal integers, correct to 15 digits.
fn ratio(part: &str, whole: &str) -> f64 {
    let parse = |text: &str| text.parse::<num_bigint::BigUint>().unwrap();
    let scaled = parse(part) * 10u32.pow(9) * 10u32.pow(9) / parse(whole);
    scaled.to_string().parse::<f64>().unwrap() / 1e18
}

#[test]
fn thousands_of_components_are_combined() {
    // Each tile of 5 x 3 cells has two open cells and is a separate component.
    let grid = Arc::new(Grid::new(Board::new(60, 60, 700).unwrap()));
    let is_open = |cell: &Cell| {
        let (row, col) = grid.board().row_col(*cell);
        row % 3 == 1 && (col % 5 == 1 || col % 5 == 3)
    };
    let kept: Vec<Cell> = grid.board().all_cells().filter(is_open).collect();
    let mut field = Minefield::new(grid.clone());
    field.lay(700, &kept, &mut Seed::new(9).rng());
    let mut view = View::new(grid.clone(), 700);
    open_all(&mut view, &field, kept);
    let mut budget = Budget::unlimited();
    let solution = Solver::new().solve(&view, &mut budget).unwrap();
    let mines: f64 = solution
        .mine_probability
        .iter()
        .filter(|p| !p.is_nan())
        .sum();
    assert!((mines - 700.0).abs() < 1e-6, "{mines}");
    assert!(solution.layouts.to_string().len() > 300);
    assert!(budget.spent() > 0);
}
