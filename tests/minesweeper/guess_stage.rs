//! Tests of a guess as a stage of a stochastic constraint network, compared with all layouts and with the exact solver.

use mineflow_minesweeper::player::{GuessStage, Recipe, RecipePlayer, StageQuestion};
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Cell, View};
use mineflow_search::scsp::End;

use crate::layouts::{all_layouts, some_way_into};

/// A node limit that no search in these tests reaches.
const NODES: u64 = 10_000_000;

fn stage_of(view: &View) -> GuessStage {
    let Ok(Recipe::Steps(steps)) = "posterior+min-p".parse() else {
        panic!("these are steps")
    };
    let mut weigher = RecipePlayer::new(steps);
    let position = weigher.look(view, &[], &mut Budget::unlimited()).unwrap();
    let mut stage = GuessStage::default();
    stage.build(&position, &mut Budget::unlimited()).unwrap();
    stage
}

/// Returns the cells that are feasible at this threshold.
fn feasible(stage: &mut GuessStage, threshold: f64) -> Vec<Cell> {
    let mut cells = Vec::new();
    let effort = stage.feasible(
        StageQuestion {
            threshold,
            nodes: NODES,
        },
        &mut cells,
    );
    assert_eq!(effort.end, End::Complete);
    cells
}

#[test]
fn table_and_feasible_cells_are_those_of_all_layouts() {
    let (mut views, mut certain) = (0, 0);
    for seed in 0..150 {
        let game = some_way_into("5x4/5", seed, 4 + seed as usize % 7);
        let view = game.view();
        let layouts = if view.covered_count() <= 17 {
            all_layouts(view)
        } else {
            continue;
        };
        let mut stage = stage_of(view);
        let around = |cell| view.grid().neighbors(cell).map(|d| 1 << d.0).sum::<u32>();
        for cell in view.covered() {
            let mut counts = [0_u32; 10];
            for mines in &layouts {
                let is_mine = mines >> cell.0 & 1 == 1;
                counts[if is_mine {
                    9
                } else {
                    (mines & around(cell)).count_ones() as usize
                }] += 1;
            }
            for (shown, &count) in stage.shown(cell).unwrap().iter().zip(&counts) {
                let expected = f64::from(count) / layouts.len() as f64;
                assert!(
                    (shown - expected).abs() < 1e-12,
                    "{cell:?} shows {counts:?} times each in\n{view}"
                );
                assert_eq!(*shown == 0.0, count == 0, "{cell:?} in\n{view}");
            }
        }
        let may_be_safe = |cell: &Cell| layouts.iter().any(|mines| mines >> cell.0 & 1 == 0);
        let expected: Vec<Cell> = view.covered().filter(may_be_safe).collect();
        assert_eq!(feasible(&mut stage, 0.0), expected, "{view}");
        views += 1;
        certain += view.covered_count() - expected.len();
    }
    assert!(
        views > 80 && certain > 80,
        "{certain} certain mines in {views} views"
    );
}

#[test]
fn feasible_cells_are_those_of_the_exact_solver() {
    let mut certain = 0;
    for seed in 0..25 {
        let game = some_way_into("9x9/10", seed, 6 + seed as usize % 20);
        let view = game.view();
        let exact = Solver::new().solve(view, &mut Budget::unlimited()).unwrap();
        certain += exact.mines.len();
        let mut stage = stage_of(view);
        for threshold in [0.0, 0.5, 0.85] {
            let is_good = |cell: &Cell| {
                let mine = exact.mine_probability[cell.index()];
                !exact.mines.contains(cell) && 1.0 - mine >= threshold - 1e-12
            };
            let expected: Vec<Cell> = view.covered().filter(is_good).collect();
            assert_eq!(
                feasible(&mut stage, threshold),
                expected,
                "from {threshold} in\n{view}"
            );
        }
    }
    assert!(certain > 25, "{certain} certain mines");
}

#[test]
fn a_search_that_reaches_its_limit_returns_the_cells_of_the_posterior() {
    let game = some_way_into("9x9/10", 1, 12);
    let mut stage = stage_of(game.view());
    let complete = feasible(&mut stage, 0.0);
    let mut cells = Vec::new();
    let effort = stage.feasible(
        StageQuestion {
            threshold: 0.0,
            nodes: 3,
        },
        &mut cells,
    );
    assert_eq!((effort.end, cells), (End::Limit, complete));
}
