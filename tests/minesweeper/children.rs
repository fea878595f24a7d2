//! Tests of positions one move ahead: positions solved from their common components are compared
//! with positions solved from scratch.

use mineflow_minesweeper::solver::{Analysis, Budget, Children, CountError, Weighting};
use mineflow_minesweeper::{Cell, FirstClick, Game, Status};
use mineflow_rng::Seed;

/// The numbers of compared children, by what is proved in them.
#[derive(Default)]
struct Seen {
    /// Children with cells that single numbers prove safe.
    by_numbers: usize,
    /// Children with cells that only counting proves safe.
    by_counting: usize,
    /// Children without cells that are proved safe.
    unproved: usize,
    /// Numbers that cannot be shown.
    impossible: usize,
}

impl Seen {
    fn all(&self) -> usize {
        self.by_numbers + self.by_counting + self.unproved
    }
}

/// Compares the children that opening each of these cells can give with analyses from scratch.
fn compare(parent: &mut Analysis, cells: &[Cell], children: &mut Children, seen: &mut Seen) {
    let budget = &mut Budget::unlimited();
    let mut child = Analysis::new();
    children.begin(parent, budget).unwrap();
    for &cell in cells {
        children.open(parent, cell, budget).unwrap();
        for number in 0..9 {
            child.follow(parent);
            let shown = child.suppose(cell, number).map_err(CountError::from);
            let Ok(fresh) = shown.and_then(|()| child.outlook(budget)) else {
                assert_eq!(
                    children.ln_layouts(number),
                    f64::NEG_INFINITY,
                    "{number} at {cell:?} is impossible"
                );
                assert!(children.outlook(parent, number, budget).is_err());
                seen.impossible += 1;
                continue;
            };
            let found = children.outlook(parent, number, budget).unwrap();
            assert_eq!(found.ln_layouts, children.ln_layouts(number));
            assert!(
                (found.ln_layouts - fresh.ln_layouts).abs() < 1e-9,
                "{number} at {cell:?}: {found:?}, {fresh:?}"
            );
            assert!(
                (found.safety - fresh.safety).abs() < 1e-12,
                "{number} at {cell:?}: {found:?}, {fresh:?}"
            );
            assert_eq!(found.certain, fresh.certain, "{number} at {cell:?}");
            compare_living(parent, (cell, number), children, &mut child);
            *match (child.safe().is_empty(), fresh.certain) {
                (false, _) => &mut seen.by_numbers,
                (true, 0) => &mut seen.unproved,
                (true, _) => &mut seen.by_counting,
            } += 1;
        }
    }
}

/// Compares as [`compare`] does, for a player that never opens dead cells. `child` is the position
/// after `cell` has shown `number`.
fn compare_living(
    parent: &Analysis,
    (cell, number): (Cell, u8),
    children: &mut Children,
    child: &mut Analysis,
) {
    if (cell.index() + usize::from(number)) % 4 > 0 {
        return;
    }
    let budget = &mut Budget::unlimited();
    let found = children
        .living_outlook(parent, number, usize::MAX, budget)
        .unwrap();
    let fresh = child.living_outlook(budget).unwrap();
    assert_eq!(found.certain, fresh.certain, "{number} at {cell:?}");
    let [(found, of_found), (fresh, of_fresh)] =
        [found, fresh].map(|of| (of.mine.or(of.dead_mine), of.mine.is_some()));
    assert_eq!(of_found, of_fresh, "{number} at {cell:?}");
    assert!(
        (found.unwrap_or(2.0) - fresh.unwrap_or(2.0)).abs() < 1e-12,
        "{number} at {cell:?}: {found:?}, {fresh:?}"
    );
}

/// Plays a game by opening cells that are proved safe, or a random safe cell if none is proved.
/// Compares the children at every guess, and at every eighth move before a proved cell.
fn play(board: &str, seed: u64, step: usize, children: &mut Children, seen: &mut Seen) {
    let mut game = Game::new(board.parse().unwrap(), FirstClick::Safe);
    game.start(Seed::new(seed));
    let mut rng = (0..).map(|turn| Seed::new(seed).child("cell", turn).value() as usize);
    let mut draw = |cells: &[Cell]| cells[rng.next().unwrap() % cells.len()];
    game.open(draw(&game.board().all_cells().collect::<Vec<_>>()))
        .unwrap();
    let mut analysis = Analysis::new();
    analysis.begin(game.view().grid(), game.view().mines());
    let mut moves = 0;
    while game.status() == Status::Playing {
        analysis.update(game.view()).unwrap();
        analysis
            .probabilities(Weighting::Posterior, &mut Budget::unlimited())
            .unwrap();
        let is_guess = analysis.safe().is_empty();
        if is_guess || moves % 8 == 0 {
            let cells: Vec<Cell> = game
                .view()
                .covered()
                .filter(|&cell| !analysis.is_mine(cell))
                .collect();
            let cells: Vec<Cell> = cells.into_iter().skip(moves % step).step_by(step).collect();
            compare(&mut analysis, &cells, children, seen);
        }
        let field = game.field().expect("the first move laid the mines");
        let safe = game
            .view()
            .covered()
            .filter(|&cell| !field.is_mine(cell))
            .collect::<Vec<_>>();
        let next = if is_guess {
            draw(&safe)
        } else {
            analysis.safe()[0]
        };
        game.open(next).unwrap();
        moves += 1;
    }
}

#[test]
fn a_million_children_equal_those_solved_from_scratch() {
    let (mut children, mut seen) = (Children::default(), Seen::default());
    let boards = [
        ("30x16/99", 16, 2),
        ("16x16/40", 40, 1),
        ("9x9/10", 120, 1),
        ("5x4/5", 300, 1),
        ("1x9/3", 100, 1),
        ("12x12/36", 10, 1),
    ];
    for (board, games, step) in boards {
        for seed in 0..games {
            play(board, seed, step, &mut children, &mut seen);
        }
    }
    assert!(seen.all() > 1_000_000, "{} children", seen.all());
    assert!(
        seen.by_numbers > 100_000
            && seen.by_counting > 1_000
            && seen.unproved > 100_000
            && seen.impossible > 10_000
    );
}

#[test]
fn children_beyond_the_limits_of_floats_are_solved_one_by_one() {
    let (mut children, mut seen) = (Children::default(), Seen::default());
    let mut game = Game::new("120x120/2400".parse().unwrap(), FirstClick::Safe);
    game.start(Seed::new(1));
    game.open(Cell(60 * 120 + 60)).unwrap();
    let field = game.field().expect("the first move laid the mines").clone();
    for cell in game
        .board()
        .all_cells()
        .step_by(7)
        .filter(|&cell| !field.is_mine(cell))
    {
        if !game.view().is_open(cell) {
            game.open(cell).unwrap();
        }
    }
    let mut analysis = Analysis::new();
    analysis.begin(game.view().grid(), game.view().mines());
    analysis.update(game.view()).unwrap();
    let found = analysis
        .probabilities(Weighting::Posterior, &mut Budget::unlimited())
        .unwrap();
    assert!(
        found.boundary().len() > 400,
        "{} cells on the boundary",
        found.boundary().len()
    );
    let cells: Vec<Cell> = game
        .view()
        .covered()
        .filter(|&cell| !analysis.is_mine(cell))
        .step_by(701)
        .collect();
    compare(&mut analysis, &cells, &mut children, &mut seen);
    assert!(seen.all() > 10, "{} children", seen.all());
}
