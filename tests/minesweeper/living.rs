//! Tests of two-step safety with only living cells, compared with enumeration of all layouts.

use mineflow_minesweeper::Cell;
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};

use crate::look_ahead::{guess, guesses, parts, safe, shown};

/// Returns the values of the position after `cell` has shown the number that it has in all
/// `layouts`: the safety of the next move, and the contribution to S, 0 to 1.
fn follow_up(parent: &Analysis, covered: &[Cell], cell: Cell, layouts: &[u32]) -> (f64, f64) {
    let grid = parent.grid();
    let mut child = Analysis::new();
    child.follow(parent);
    child
        .suppose(cell, shown(grid, cell, layouts[0]).unwrap() as u8)
        .unwrap();
    // If single numbers prove that two living cells are safe, nothing is counted.
    if child
        .safe()
        .iter()
        .filter(|&&other| !child.is_dead(other))
        .count()
        > 1
    {
        return (1.0, 1.0);
    }
    child
        .probabilities(Weighting::Posterior, &mut Budget::unlimited())
        .unwrap();
    let of = |cell: Cell| safe(layouts, cell) as f64 / layouts.len() as f64;
    let others = || {
        covered
            .iter()
            .copied()
            .filter(|&other| other != cell && of(other) > 0.0)
    };
    let certain = others()
        .filter(|&other| of(other) == 1.0 && !child.is_dead(other))
        .count();
    let best = |dead: bool| {
        others()
            .filter(|&c| of(c) < 1.0 && child.is_dead(c) == dead)
            .map(of)
            .reduce(f64::max)
    };
    match (certain, best(false), best(true)) {
        (0, None, None) => (1.0, 1.0),
        (0, None, Some(safety)) | (0, Some(safety), _) => (safety, 0.0),
        (1, living, _) => (1.0 - 0.5 * (1.0 - living.unwrap_or(1.0)), 0.5),
        _ => (1.0, 1.0),
    }
}

#[test]
fn two_step_safety_with_living_cells_equals_its_definition() {
    let (mut seen, mut other) = (0, 0);
    let recipes = [
        "dss+posterior+two-step:living=yes",
        "dss+posterior+two-step",
    ];
    let [mut player, mut plain] =
        recipes.map(|recipe| recipe.parse::<PlayerSpec>().unwrap().build());
    guesses("4x4/4", 6000, |seed, view, analysis, layouts| {
        let (Some(chosen), Some(plain)) = (
            guess(&mut *player, seed, view),
            guess(&mut *plain, seed, view),
        ) else {
            return;
        };
        let covered: Vec<Cell> = view.covered().collect();
        let score = |cell: Cell| {
            let (mut safety, mut certain) = (0.0, 0.0);
            for part in parts(view.grid(), cell, layouts) {
                let chance = part.len() as f64 / layouts.len() as f64;
                let (next, counts) = follow_up(analysis, &covered, cell, &part);
                safety += chance * next;
                certain += chance * counts;
            }
            safety * (1.0 + 0.1 * certain)
        };
        let living: Vec<Cell> = covered
            .iter()
            .copied()
            .filter(|&cell| !analysis.is_dead(cell))
            .collect();
        let may_win = living.iter().any(|&cell| safe(layouts, cell) > 0);
        let all = if may_win { living } else { covered.clone() };
        let most = all.iter().map(|&cell| safe(layouts, cell)).max().unwrap();
        let candidates = all
            .iter()
            .filter(|&&cell| safe(layouts, cell) as f64 >= 0.9 * most as f64 - 1e-9);
        let best = candidates.map(|&cell| score(cell)).fold(0.0, f64::max);
        assert!(
            (score(chosen) - best).abs() < 1e-9,
            "seed {seed}: {} and {best}",
            score(chosen)
        );
        seen += 1;
        other += u32::from(chosen != plain);
    });
    assert!(seen > 100 && other > 5, "{other} of {seen}");
}
