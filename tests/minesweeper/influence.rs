//! Tests of 50/50s, compared with enumeration of all layouts.

use mineflow_minesweeper::ahead::{ClosedParts, Influence};
use mineflow_minesweeper::solver::{Analysis, Budget, Endgame, EndgameLimits, Weighting};
use mineflow_minesweeper::{Cell, Grid, View};
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

use crate::dead::analysis;
use crate::layouts::{all_layouts, some_way_into};
use crate::look_ahead::shown;

/// A possible 50/50 of a cell: the cells that are mines and those that are safe if the cell is
/// safe.
type Place = (Vec<Cell>, Vec<Cell>);

/// Returns the pairs in the row of a cell, the pairs in its column, and the squares around the
/// cell.
fn places(view: &View, cell: Cell) -> [Vec<Place>; 3] {
    let board = view.board();
    let (row, col) = board.row_col(cell);
    let at = |down: isize, right: isize| {
        board.cell(
            row.checked_add_signed(down)?,
            col.checked_add_signed(right)?,
        )
    };
    let pair = |down: isize, right: isize| Some((vec![at(down, right)?], Vec::new()));
    let square = |down: isize, right: isize| {
        Some((vec![at(down, 0)?, at(0, right)?], vec![at(down, right)?]))
    };
    let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    [
        [pair(0, -1), pair(0, 1)].into_iter().flatten().collect(),
        [pair(-1, 0), pair(1, 0)].into_iter().flatten().collect(),
        corners
            .into_iter()
            .filter_map(|(down, right)| square(down, right))
            .collect(),
    ]
}

/// Returns whether no number outside a place distinguishes its halves, for any layout consistent
/// with the known cells.
fn is_even(grid: &Grid, analysis: &Analysis, cell: Cell, (mines, safe): &Place) -> bool {
    let halves = [
        vec![cell]
            .into_iter()
            .chain(safe.iter().copied())
            .collect::<Vec<_>>(),
        mines.clone(),
    ];
    let of = |half: &[Cell], seen: Cell| grid.neighbors(seen).filter(|d| half.contains(d)).count();
    let outside = grid
        .board()
        .all_cells()
        .filter(|seen| !halves[0].contains(seen) && !halves[1].contains(seen));
    let mut outside = outside.filter(|&seen| !analysis.is_mine(seen));
    outside.all(|seen| of(&halves[0], seen) == of(&halves[1], seen))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn influence_is_the_share_of_layouts_that_no_number_distinguishes(
        seed in any::<u64>(), width in 2..=5_usize, height in 2..=4_usize, density in 1..=5_usize,
    ) {
        let mines = (width * height * density).div_ceil(10).min(width * height - 1);
        let game = some_way_into(&format!("{width}x{height}/{mines}"), seed, 1 + seed as usize % 12);
        let (view, layouts) = (game.view(), all_layouts(game.view()));
        let (grid, analysis) = (view.grid(), analysis(view, true));
        let mut influence = Influence::default();
        for cell in view.covered().filter(|&cell| analysis.is_unknown(cell)) {
            let is_safe = |cells: &[Cell], layout: u32| cells.iter().all(|&cell| shown(grid, cell, layout).is_some());
            let count = |of: &dyn Fn(u32) -> bool| layouts.iter().filter(|&&layout| of(layout)).count() as f64;
            let safe = count(&|layout| is_safe(&[cell], layout));
            let mut expected = 0.0;
            for kind in places(view, cell) {
                let unknown = |place: &&Place| place.0.iter().chain(&place.1).all(|&cell| analysis.is_unknown(cell));
                let even = kind.iter().filter(unknown).filter(|place| is_even(grid, &analysis, cell, place));
                let share = |(mines, others): &Place| {
                    let has = |layout: u32| {
                        is_safe(&[cell], layout) && is_safe(others, layout) && mines.iter().all(|&mine| !is_safe(&[mine], layout))
                    };
                    count(&has)
                };
                expected += even.map(share).fold(0.0, f64::max);
            }
            let expected = expected.min(layouts.len() as f64 - safe) / safe;
            let bound = influence.bound(&analysis, cell);
            let found = influence.share(&analysis, cell, &mut Budget::unlimited()).unwrap();
            prop_assert!((found - expected).abs() < 1e-9, "{cell:?}: {found} and {expected}");
            prop_assert!(found <= bound + 1e-9, "{cell:?}: {found} above {bound}");
        }
    }
}

/// Returns a counted position on a board with many mines, where 50/50s are frequent, and the cell
/// of an unavoidable 50/50 if there is one.
fn crowded(seed: u64, width: usize, height: usize, moves: usize) -> (Analysis, Option<Cell>) {
    let game = some_way_into(
        &format!("{width}x{height}/{}", width * height * 2 / 5),
        seed,
        moves,
    );
    let analysis = analysis(game.view(), true);
    let found = Influence::default()
        .unavoidable(&analysis, &mut Budget::unlimited())
        .unwrap();
    (analysis, found)
}

#[test]
fn optimal_play_loses_nothing_by_making_an_unavoidable_guess_first() {
    let limits = EndgameLimits {
        layouts: 2000,
        nodes: u32::MAX,
    };
    let mut endgame = Endgame::default();
    let mut found = 0;
    for seed in 0..60_000 {
        let (mut analysis, cell) = crowded(seed, 3 + seed as usize % 4, 4, 4 + seed as usize % 9);
        let Some(cell) = cell.filter(|_| analysis.safe().is_empty()) else {
            continue;
        };
        let Some(cells) = analysis
            .endgame_cells(&mut endgame, limits, &mut Budget::unlimited())
            .unwrap()
        else {
            continue;
        };
        let best = cells.won.iter().map(|of| of.1).max();
        let won = cells.won.iter().find(|of| of.0 == cell).map(|of| of.1);
        assert_eq!(won, best, "seed {seed}, {cell:?} of {:?}", cells.won);
        found += 1;
    }
    assert!(found >= 100, "{found}");
}

/// Returns the chance and the bound of the closed parts of a position, and the number of unknown
/// cells in the rest.
fn closed(rows: &[&str], mines: usize) -> (f64, f64, usize) {
    let mut analysis = Analysis::new();
    let budget = &mut Budget::unlimited();
    analysis
        .read(&View::from_rows(rows, mines).unwrap())
        .unwrap();
    analysis
        .probabilities(Weighting::Posterior, budget)
        .unwrap();
    let limits = EndgameLimits {
        layouts: 100,
        nodes: 1_000,
    };
    let mut parts = ClosedParts::default();
    let found = parts.find(&analysis, limits, budget).unwrap();
    (found.chance, found.bound, parts.rest().unknown())
}

#[test]
fn closed_parts_have_the_same_number_of_mines_in_all_layouts() {
    // Two pairs, each with one mine.
    assert_eq!(closed(&["#1001#", "#1001#"], 2), (0.25, 0.25, 0));
    // Of the six cells in the outer columns, two are mines, in one column or in both.
    assert_eq!(closed(&["##101##"; 3], 4), (1.0, 1.0, 6));
}
