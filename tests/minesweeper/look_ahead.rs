//! Tests of one-move look-ahead and of endgames, compared with enumeration of all layouts.

use std::collections::HashMap;

use mineflow_minesweeper::player::{GameStart, Player, PlayerSpec, Reason};
use mineflow_minesweeper::solver::{Analysis, Budget, Endgame, EndgameLimits};
use mineflow_minesweeper::{Cell, FirstClick, Grid, View};
use mineflow_rng::Seed;

use crate::dead::analysis;
use crate::layouts::{all_layouts, some_way_into};

pub(crate) const LIMITS: EndgameLimits = EndgameLimits {
    layouts: 200,
    nodes: 1_000_000,
};

/// Calls `look` for views without proved cells, each with its seed, its analysis and all its
/// layouts.
pub(crate) fn guesses(
    board: &str,
    seeds: u64,
    mut look: impl FnMut(u64, &View, &mut Analysis, &[u32]),
) {
    for seed in 0..seeds {
        let game = some_way_into(board, seed, 2 + seed as usize % 12);
        let view = game.view();
        let mut analysis = analysis(view, true);
        if analysis.safe().is_empty()
            && view.covered_count() <= 16
            && view.covered_count() > view.mines()
        {
            look(seed, view, &mut analysis, &all_layouts(view));
        }
    }
}

/// Returns the number that a cell shows in the layout `mines`, or `None` if the cell is a mine.
pub(crate) fn shown(grid: &Grid, cell: Cell, mines: u32) -> Option<u32> {
    let around: u32 = grid.neighbors(cell).map(|d| 1 << d.0).sum();
    (mines >> cell.0 & 1 == 0).then_some((mines & around).count_ones())
}

/// Returns the sets of layouts that opening a cell distinguishes, one set for each number that the
/// cell may show.
pub(crate) fn parts(grid: &Grid, cell: Cell, layouts: &[u32]) -> Vec<Vec<u32>> {
    let part = |number| {
        layouts
            .iter()
            .copied()
            .filter(|&mines| shown(grid, cell, mines) == Some(number))
            .collect()
    };
    (0..9)
        .map(part)
        .filter(|part: &Vec<u32>| !part.is_empty())
        .collect()
}

/// Returns the number of layouts that the best of all policies wins.
pub(crate) fn best_policy(
    grid: &Grid,
    open: u32,
    layouts: &[u32],
    known: &mut HashMap<(u32, Vec<u32>), usize>,
) -> usize {
    let all = (1u32 << grid.off_board()) - 1;
    if let Some(&won) = known.get(&(open, layouts.to_vec())) {
        return won;
    }
    let covered = grid
        .board()
        .all_cells()
        .filter(|cell| open >> cell.0 & 1 == 0);
    let after = |cell: Cell, known: &mut _| -> usize {
        let open = open | 1 << cell.0;
        let won = |part: &Vec<u32>, known: &mut _| {
            // The layout whose safe cells are all open is won; no number distinguishes this layout
            // from the rest of the part.
            let is_over = part.iter().any(|mines| mines | open == all);
            usize::from(is_over)
                + best_policy(
                    grid,
                    open,
                    &part
                        .iter()
                        .copied()
                        .filter(|mines| mines | open != all)
                        .collect::<Vec<_>>(),
                    known,
                )
        };
        parts(grid, cell, layouts)
            .iter()
            .map(|part| won(part, known))
            .sum()
    };
    let best = covered.map(|cell| after(cell, known)).max().unwrap_or(0);
    known.insert((open, layouts.to_vec()), best);
    best
}

#[test]
fn endgames_are_played_optimally() {
    let mut seen = 0;
    for (board, seeds) in [("4x4/5", 1500), ("4x3/4", 1500), ("5x3/3", 800)] {
        guesses(board, seeds, |seed, view, analysis, layouts| {
            if view.covered_count() > 11 || layouts.len() < 2 {
                return;
            }
            let found = analysis
                .endgame(&mut Endgame::default(), LIMITS, &mut Budget::unlimited())
                .unwrap()
                .unwrap();
            let open = view.opened().iter().map(|cell| 1 << cell.0).sum();
            let best = best_policy(view.grid(), open, layouts, &mut HashMap::new());
            assert_eq!(
                (found.won as usize, found.layouts as usize),
                (best, layouts.len()),
                "{board}, seed {seed}"
            );
            seen += 1;
        });
    }
    assert!(seen > 300, "{seen} endgames");
}

/// Returns the number of layouts that the best policy wins, computed from sets of layouts alone.
/// Cells that are safe in all layouts are opened first, every informative cell is tried, and the
/// position is not split into components.
fn best_by_sets(grid: &Grid, layouts: &[u32], known: &mut HashMap<Vec<u32>, usize>) -> usize {
    if layouts.len() < 2 {
        return layouts.len();
    }
    if let Some(&won) = known.get(layouts) {
        return won;
    }
    let safe = |cell: Cell| {
        layouts
            .iter()
            .filter(|&mines| mines >> cell.0 & 1 == 0)
            .count()
    };
    let mut cells: Vec<_> = grid
        .board()
        .all_cells()
        .map(|cell| (safe(cell), cell, parts(grid, cell, layouts)))
        .collect();
    cells.retain(|(_, _, parts)| parts.len() > 1);
    cells.sort_by_key(|&(safe, ..)| std::cmp::Reverse(safe));
    let mut best = 1;
    for (safe, _, parts) in cells {
        if safe > best {
            best = best.max(
                parts
                    .iter()
                    .map(|part| best_by_sets(grid, part, known))
                    .sum(),
            );
        }
        if safe == layouts.len() {
            break;
        }
    }
    known.insert(layouts.to_vec(), best);
    best
}

#[test]
fn longer_endgames_agree_with_a_search_by_sets_in_every_cell() {
    let limits = EndgameLimits {
        layouts: 1000,
        nodes: 10_000_000,
    };
    let (mut seen, mut large, mut endgame) = (0, 0, Endgame::default());
    for (board, seeds) in [
        ("5x4/5", 100),
        ("8x2/5", 200),
        ("9x2/6", 200),
        ("6x3/5", 100),
    ] {
        guesses(board, seeds, |seed, view, analysis, layouts| {
            if !(12..=600).contains(&layouts.len()) {
                return;
            }
            let found = analysis
                .endgame(&mut endgame, limits, &mut Budget::unlimited())
                .unwrap()
                .unwrap();
            let known = &mut HashMap::new();
            let best = best_by_sets(view.grid(), layouts, known);
            assert_eq!(
                (found.won as usize, found.layouts as usize),
                (best, layouts.len()),
                "{board}, seed {seed}"
            );
            let mut won = |cell: Cell| -> usize {
                parts(view.grid(), cell, layouts)
                    .iter()
                    .map(|part| best_by_sets(view.grid(), part, known))
                    .sum()
            };
            assert_eq!(
                won(found.cell),
                best,
                "{board}, seed {seed}: {:?}",
                found.cell
            );
            let cells = analysis
                .endgame_cells(&mut endgame, limits, &mut Budget::unlimited())
                .unwrap()
                .unwrap();
            assert_eq!(
                (cells.won.len(), cells.layouts),
                (analysis.unknown(), found.layouts),
                "{board}, seed {seed}"
            );
            for (cell, of_cell) in cells.won {
                assert_eq!(
                    of_cell as usize,
                    won(cell),
                    "{board}, seed {seed}: {cell:?}"
                );
            }
            seen += 1;
            large += usize::from(layouts.len() > 64);
        });
    }
    assert!(
        seen > 100 && large > 20,
        "{seen} endgames, {large} of them large"
    );
}

#[test]
fn an_endgame_beyond_its_limits_has_no_value() {
    let mut seen = 0;
    guesses("5x4/5", 500, |_, _, analysis, layouts| {
        let mut within = |most: usize, nodes| {
            let limits = EndgameLimits {
                layouts: most as u32,
                nodes,
            };
            analysis
                .endgame(&mut Endgame::default(), limits, &mut Budget::unlimited())
                .unwrap()
                .is_some()
        };
        if layouts.len() > 100 {
            assert!(within(layouts.len(), 1_000_000));
            assert!(!within(layouts.len() - 1, 1_000_000));
            assert!(!within(layouts.len(), 1));
            seen += 1;
        }
    });
    assert!(seen > 5, "{seen} endgames");
}

#[test]
fn probabilities_of_the_numbers_and_of_a_mine_in_a_cell_sum_to_1() {
    let budget = &mut Budget::unlimited();
    let mut child = Analysis::new();
    let mut cells = 0;
    for seed in 0..60 {
        let game = some_way_into("30x16/99", seed, 5 + 4 * seed as usize);
        let view = game.view();
        let mut analysis = analysis(view, true);
        let mine = analysis.counted().mine.clone();
        let ln_layouts = analysis.ln_layouts(budget).unwrap();
        for cell in view
            .covered()
            .filter(|&cell| analysis.is_unknown(cell))
            .step_by(7)
        {
            let mut total = mine[cell.index()];
            for number in analysis.numbers(cell) {
                child.follow(&analysis);
                if child.suppose(cell, number).is_ok()
                    && let Ok(ln) = child.ln_layouts(budget)
                {
                    total += (ln - ln_layouts).exp();
                }
            }
            assert!((total - 1.0).abs() < 1e-12, "seed {seed}: {total}");
            cells += 1;
        }
    }
    assert!(cells > 1000, "{cells} cells");
}

/// Returns the number of layouts without a mine in `cell`.
pub(crate) fn safe(layouts: &[u32], cell: Cell) -> usize {
    layouts
        .iter()
        .filter(|&mines| mines >> cell.0 & 1 == 0)
        .count()
}

/// Returns the candidates of two-step safety.
fn candidates<'a>(covered: &'a [Cell], layouts: &'a [u32]) -> impl Iterator<Item = Cell> + 'a {
    let most = covered
        .iter()
        .map(|&cell| safe(layouts, cell))
        .max()
        .unwrap_or(0);
    covered
        .iter()
        .copied()
        .filter(move |&cell| safe(layouts, cell) as f64 >= 0.9 * most as f64 - 1e-9)
}

/// Returns two-step safety with its bonus.
fn two_step(grid: &Grid, covered: &[Cell], layouts: &[u32], cell: Cell) -> f64 {
    let (mut safety, mut certain) = (0.0, 0.0);
    for part in parts(grid, cell, layouts) {
        let others = covered.iter().filter(|&&other| other != cell);
        let best = others.map(|&other| safe(&part, other)).max().unwrap_or(0);
        // If every other cell is a mine, the game is won.
        let best = if best == 0 { part.len() } else { best };
        safety += best as f64;
        certain += if best == part.len() {
            part.len() as f64
        } else {
            0.0
        };
    }
    let all = layouts.len() as f64;
    safety / all * (1.0 + 0.1 * certain / all)
}

/// Returns the guess of a player in the position of `view`, or `None` if it doesn't guess or too
/// many cells are covered.
pub(crate) fn guess(player: &mut dyn Player, seed: u64, view: &View) -> Option<Cell> {
    player.begin(&GameStart {
        board: view.board(),
        first_click: FirstClick::Safe,
        seed: Seed::new(seed),
    });
    let decision = player.decide(view, &mut Budget::unlimited()).unwrap();
    (decision.reason == Reason::Guess && view.covered_count() <= 12).then(|| decision.cells[0])
}

#[test]
fn two_step_safety_equals_its_definition() {
    let mut seen = 0;
    let mut player = "dss+posterior+two-step"
        .parse::<PlayerSpec>()
        .unwrap()
        .build();
    guesses("4x4/4", 3000, |seed, view, _, layouts| {
        if let Some(chosen) = guess(&mut *player, seed, view) {
            let covered: Vec<Cell> = view.covered().collect();
            let score = |cell: Cell| two_step(view.grid(), &covered, layouts, cell);
            let (chosen, best) = (
                score(chosen),
                candidates(&covered, layouts).map(score).fold(0.0, f64::max),
            );
            assert!(
                (chosen - best).abs() < 1e-9,
                "seed {seed}: {chosen} and {best}"
            );
            seen += 1;
        }
    });
    assert!(seen > 50, "{seen} guesses");
}
