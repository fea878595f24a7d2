//! Tests of dead cells, compared with enumeration of all layouts.

use std::collections::HashMap;

use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
use mineflow_minesweeper::{Cell, Grid, View};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

use crate::layouts::{all_layouts, some_way_into};
use crate::look_ahead::{best_policy, guesses, parts, shown};

/// Returns an analysis of `view`, which also counts the layouts if `counted` is true.
pub(crate) fn analysis(view: &View, counted: bool) -> Analysis {
    let mut analysis = Analysis::new();
    analysis.begin(view.grid(), view.mines());
    analysis.update(view).unwrap();
    if counted {
        analysis
            .probabilities(Weighting::Posterior, &mut Budget::unlimited())
            .unwrap();
    }
    analysis
}

/// Returns whether `cell` shows the same number in all layouts in which it is safe.
fn tells_nothing(grid: &Grid, cell: Cell, layouts: &[u32]) -> bool {
    let mut numbers = layouts.iter().filter_map(|&mines| shown(grid, cell, mines));
    let first = numbers.next();
    numbers.all(|number| Some(number) == first)
}

/// Returns whether the sets of unknown cells around any two open numbers are equal or disjoint.
fn numbers_do_not_overlap(view: &View, analysis: &Analysis) -> bool {
    let unknown = |open: &Cell| -> u32 {
        view.grid()
            .neighbors(*open)
            .filter(|&d| analysis.is_unknown(d))
            .map(|d| 1 << d.0)
            .sum()
    };
    let sets: Vec<u32> = view.opened().iter().map(unknown).collect();
    sets.iter()
        .all(|a| sets.iter().all(|b| a == b || a & b == 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn dead_cells_reveal_nothing(seed in any::<u64>(), width in 2..=5_usize, height in 2..=4_usize, density in 1..=4_usize, counted: bool) {
        let mines = (width * height * density).div_ceil(10).min(width * height - 1);
        let game = some_way_into(&format!("{width}x{height}/{mines}"), seed, 1 + seed as usize % 12);
        let (view, layouts) = (game.view(), all_layouts(game.view()));
        let analysis = analysis(view, counted);
        for cell in view.covered().filter(|&cell| !analysis.is_mine(cell) && analysis.is_dead(cell)) {
            prop_assert!(tells_nothing(view.grid(), cell, &layouts), "{cell:?}");
        }
    }

    #[test]
    fn no_dead_cell_is_missed_if_numbers_do_not_overlap(seed in any::<u64>(), width in 2..=5_usize, height in 2..=4_usize, density in 1..=4_usize) {
        let mines = (width * height * density).div_ceil(10).min(width * height - 1);
        let game = some_way_into(&format!("{width}x{height}/{mines}"), seed, 1 + seed as usize % 12);
        let (view, layouts) = (game.view(), all_layouts(game.view()));
        let analysis = analysis(view, true);
        if !numbers_do_not_overlap(view, &analysis) {
            return Ok(());
        }
        let has_number = |cell: Cell| view.grid().neighbors(cell).any(|d| view.is_open(d));
        for cell in view.covered().filter(|&cell| !analysis.is_mine(cell)) {
            if view.grid().neighbors(cell).filter(|&d| analysis.is_unknown(d)).all(has_number) {
                prop_assert_eq!(analysis.is_dead(cell), tells_nothing(view.grid(), cell, &layouts), "{:?}", cell);
            }
        }
    }
}

#[test]
fn some_best_move_is_not_dead() {
    let (mut seen, mut worse) = (0, 0);
    for (board, seeds) in [("4x4/5", 1500), ("4x3/4", 1500), ("5x3/3", 800)] {
        guesses(board, seeds, |seed, view, analysis, layouts| {
            let covered: Vec<Cell> = view
                .covered()
                .filter(|&cell| !analysis.is_mine(cell))
                .collect();
            let is_mixed = covered.iter().any(|&cell| analysis.is_dead(cell))
                && !covered.iter().all(|&cell| analysis.is_dead(cell));
            if covered.len() > 10 || layouts.len() < 2 || !is_mixed {
                return;
            }
            let open: u32 = view.opened().iter().map(|cell| 1 << cell.0).sum();
            let all = (1u32 << view.grid().off_board()) - 1;
            let known = &mut HashMap::new();
            let mut won = |cell: Cell| -> usize {
                let open = open | 1 << cell.0;
                let mut of_part = |part: Vec<u32>| {
                    let left: Vec<u32> = part
                        .iter()
                        .copied()
                        .filter(|mines| mines | open != all)
                        .collect();
                    usize::from(left.len() < part.len())
                        + best_policy(view.grid(), open, &left, known)
                };
                parts(view.grid(), cell, layouts)
                    .into_iter()
                    .map(&mut of_part)
                    .sum()
            };
            let mut best = |is_dead: bool| {
                let cells = covered
                    .iter()
                    .filter(|&&cell| analysis.is_dead(cell) == is_dead);
                cells.map(|&cell| won(cell)).max().unwrap()
            };
            let (living, dead) = (best(false), best(true));
            assert!(living >= dead, "{board}, seed {seed}: {living} and {dead}");
            seen += 1;
            worse += usize::from(living > dead);
        });
    }
    assert!(seen > 50 && worse > 10, "{worse} of {seen}");
}
