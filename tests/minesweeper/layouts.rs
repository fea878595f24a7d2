//! Tests of layouts sampled from the posterior, compared with enumeration of all layouts and with
//! the probabilities.

use std::collections::BTreeMap;

use mineflow_minesweeper::solver::{Analysis, Budget, Layouts, Weighting};
use mineflow_minesweeper::{Cell, FirstClick, Game, Status, View};
use mineflow_rng::Seed;

use crate::dead::analysis;

/// Returns a game in which some safe cells were opened one by one, ignoring proofs.
pub(crate) fn some_way_into(board: &str, seed: u64, opens: usize) -> Game {
    let mut game = Game::new(board.parse().unwrap(), FirstClick::Safe);
    game.start(Seed::new(seed));
    let cells = game.board().cells();
    for turn in 0..opens {
        let at = Seed::new(seed).child("cell", turn as u64).value() as usize % cells;
        let cell = Cell(at as u16);
        let is_safe = game.field().is_none_or(|field| !field.is_mine(cell));
        if game.status() == Status::Playing && is_safe && !game.view().is_open(cell) {
            game.open(cell).unwrap();
        }
    }
    game
}

/// Returns whether exactly these mines are consistent with the open numbers and the number of
/// mines.
fn fits(view: &View, mines: &[Cell]) -> bool {
    let around = |cell| {
        view.grid()
            .neighbors(cell)
            .filter(|d| mines.contains(d))
            .count()
    };
    mines.len() == view.mines()
        && mines.iter().all(|&mine| !view.is_open(mine))
        && view
            .opened()
            .iter()
            .all(|&open| view.number(open) == Some(around(open) as u8))
}

/// Returns all layouts of a view of at most 32 cells, each as a bit set.
pub(crate) fn all_layouts(view: &View) -> Vec<u32> {
    let bits = |cells: &mut dyn Iterator<Item = Cell>| cells.map(|cell| 1 << cell.0).sum::<u32>();
    let covered = bits(&mut view.covered());
    let number = |open| {
        (
            bits(&mut view.grid().neighbors(open)),
            u32::from(view.number(open).unwrap()),
        )
    };
    let numbers: Vec<(u32, u32)> = view.opened().iter().map(|&open| number(open)).collect();
    // All subsets of the covered cells, in decreasing order of their bits.
    let subsets = std::iter::successors(Some(covered), |&mines| {
        (mines > 0).then(|| (mines - 1) & covered)
    });
    subsets
        .filter(|mines| mines.count_ones() as usize == view.mines())
        .filter(|mines| {
            numbers
                .iter()
                .all(|&(around, number)| (mines & around).count_ones() == number)
        })
        .collect()
}

fn prepared(view: &View) -> (Analysis, Layouts) {
    let (mut analysis, mut layouts) = (analysis(view, false), Layouts::default());
    analysis
        .layouts(&mut layouts, &mut Budget::unlimited())
        .unwrap();
    (analysis, layouts)
}

#[test]
fn every_layout_is_drawn_equally_often() {
    let (mut chi_square, mut degrees, mut views) = (0.0, 0, 0);
    for seed in 0..200 {
        let game = some_way_into("5x4/5", seed, 6 + seed as usize % 5);
        let all = if game.view().covered_count() <= 16 {
            all_layouts(game.view())
        } else {
            continue;
        };
        if all.len() > 40 {
            continue;
        }
        let (_, layouts) = prepared(game.view());
        let mut drawn = layouts.drawing();
        let mut rng = Seed::new(seed).child("draw", 0).rng();
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let draws = 30 * all.len();
        for _ in 0..draws {
            layouts.draw(&mut drawn, &mut rng);
            *counts
                .entry(drawn.mines().iter().map(|mine| 1 << mine.0).sum())
                .or_default() += 1;
        }
        assert!(
            counts.keys().all(|mines| all.contains(mines)),
            "seed {seed}: {:?} of {all:?}",
            counts.keys()
        );
        let expected = draws as f64 / all.len() as f64;
        let off = |mines| f64::from(counts.get(mines).copied().unwrap_or(0)) - expected;
        chi_square += all
            .iter()
            .map(|mines| off(mines).powi(2) / expected)
            .sum::<f64>();
        degrees += all.len() - 1;
        views += usize::from(all.len() > 1);
    }
    assert!(views > 50, "{views} views with several layouts");
    // The chi-square statistic has a mean equal to its degrees of freedom, and a variance of twice
    // that.
    let deviations = (chi_square - degrees as f64) / (2.0 * degrees as f64).sqrt();
    assert!(
        deviations.abs() < 4.0,
        "{chi_square} with {degrees} degrees of freedom"
    );
}

#[test]
fn drawn_layouts_fit_and_have_the_exact_probabilities() {
    // The last board has more boundary cells than the floating-point engine counts.
    for (board, opens, draws) in [
        ("9x9/10", 12, 100_000),
        ("30x16/99", 60, 10_000),
        ("70x70/900", 700, 500),
    ] {
        let game = some_way_into(board, 3, opens);
        let view = game.view();
        let (mut analysis, layouts) = prepared(view);
        let exact = analysis
            .probabilities(Weighting::Posterior, &mut Budget::unlimited())
            .unwrap()
            .mine
            .clone();
        let mut drawn = layouts.drawing();
        let mut rng = Seed::new(1).rng();
        let mut counts = vec![0u32; view.board().cells()];
        for draw in 0..draws {
            layouts.draw(&mut drawn, &mut rng);
            drawn
                .mines()
                .iter()
                .for_each(|mine| counts[mine.index()] += 1);
            assert!(draw > 20 || fits(view, drawn.mines()), "{board}");
        }
        for cell in view.covered() {
            let (p, count) = (exact[cell.index()], f64::from(counts[cell.index()]));
            let expected = p * f64::from(draws);
            if p == 0.0 || p == 1.0 {
                assert_eq!(count, expected, "{board}: {cell:?} is certain");
            } else {
                let deviations = (count - expected) / (expected * (1.0 - p)).sqrt();
                assert!(
                    deviations.abs() < 4.5,
                    "{board}: {cell:?} {count} times instead of {expected}"
                );
            }
        }
    }
}
