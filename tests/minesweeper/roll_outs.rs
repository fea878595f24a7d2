//! Tests of roll-outs, compared with enumeration of all layouts.

use std::collections::HashMap;

use mineflow_minesweeper::ahead::{
    Arm, BLOCKS, Guesser, LayoutPlayout, LineValue, Lines, LookScratch, Policy, RollOuts,
    SCORING_LOOKS, Teacher, TwoStep, Valuation, lay, losses,
};
use mineflow_minesweeper::solver::{Analysis, Budget, Layouts, TIE, Weighting};
use mineflow_minesweeper::{Cell, CellSet, FirstClick, Game, Grid, View};
use mineflow_rng::Seed;

use crate::dead::analysis;
use crate::look_ahead::{LIMITS, best_policy, guesses, parts, shown};

fn set(mines: u32) -> CellSet {
    let mut set = CellSet::new(32);
    set.extend((0..32).filter(|cell| mines >> cell & 1 == 1).map(Cell));
    set
}

#[test]
fn roll_outs_that_end_in_optimal_play_have_the_value_of_the_best_policy() {
    let mut seen = 0;
    guesses("4x4/5", 3000, |seed, view, analysis, layouts| {
        if view.covered_count() > 11 || layouts.len() < 3 {
            return;
        }
        let open: u32 = view.opened().iter().map(|cell| 1 << cell.0).sum();
        let cell = safest(analysis);
        let won: usize = parts(view.grid(), cell, layouts)
            .iter()
            .map(|part| {
                let all = (1u32 << view.grid().off_board()) - 1;
                let open = open | 1 << cell.0;
                let (over, left): (Vec<u32>, _) =
                    part.iter().partition(|&mines| mines | open == all);
                over.len() + best_policy(view.grid(), open, &left, &mut HashMap::new())
            })
            .sum();
        let mut roll_out = LayoutPlayout::default();
        let policy = Policy {
            looks: 0,
            guesser: Guesser::LeastMine,
            end: LIMITS,
        };
        let safe = layouts.iter().filter(|&&mines| mines >> cell.0 & 1 == 0);
        let value = |&mines: &u32| {
            roll_out
                .value(
                    analysis,
                    &[cell],
                    &set(mines),
                    policy,
                    &mut Seed::new(1).rng(),
                )
                .unwrap()
        };
        let sum: f64 = safe.map(value).sum();
        assert!(
            (sum - won as f64).abs() < 1e-9,
            "seed {seed}: {sum}, not {won}"
        );
        seen += 1;
    });
    assert!(seen > 100, "{seen}");
}

/// Returns whether a policy wins on a layout. The policy opens `cell`, then certain cells. The
/// first `looks` guesses follow two-step safety with living cells; later guesses take the safest
/// cell.
fn wins(analysis: &Analysis, grid: &Grid, cell: Cell, mines: u32, mut looks: u32) -> bool {
    let number = |cell: Cell| shown(grid, cell, mines).expect("it is safe") as u8;
    let mut at = analysis.clone();
    at.suppose(cell, number(cell)).unwrap();
    loop {
        at.open_certain(number).unwrap();
        if at.unknown() == 0 {
            return true;
        }
        at.probabilities(Weighting::Posterior, &mut Budget::unlimited())
            .unwrap();
        if at.safe().is_empty() && at.unknown() > 0 {
            let guess = match looks {
                0 => safest(&at),
                _ => {
                    looks -= 1;
                    let (mine, mut looking) = (at.counted().mine.clone(), LookScratch::default());
                    TwoStep::of_living_cells().look(&mut at, &mine, 1, &mut looking);
                    looking.scored[0].cell
                }
            };
            if mines >> guess.0 & 1 == 1 {
                return false;
            }
            at.suppose(guess, number(guess)).unwrap();
        }
    }
}

#[test]
fn roll_outs_have_the_mean_of_continued_games() {
    for looks in [0, 1, 1_000] {
        have_the_mean_of_playing_on(looks);
    }
}

fn have_the_mean_of_playing_on(looks: u32) {
    // `endgame: 1` leaves out optimal play, because a position with a single layout has only
    // certain cells.
    let rule = RollOuts {
        layouts: 200,
        endgame: 1,
        looks,
        ..RollOuts::default()
    };
    let (mut differences, mut squares, mut seen) = (0.0, 0.0, 0.0);
    guesses("5x4/5", 1000, |seed, view, analysis, layouts| {
        if layouts.len() < 30 {
            return;
        }
        let cell = safest(analysis);
        let wins = |mines: u32| {
            mines >> cell.0 & 1 == 0 && wins(analysis, view.grid(), cell, mines, looks)
        };
        let won = layouts.iter().filter(|&&mines| wins(mines));
        let exact = won.count() as f64 / layouts.len() as f64;
        let mut drawn = Layouts::default();
        analysis
            .layouts(&mut drawn, &mut Budget::unlimited())
            .unwrap();
        analysis
            .probabilities(Weighting::Posterior, &mut Budget::unlimited())
            .unwrap();
        let mut arms = [Arm::new(cell, 1.0 - analysis.counted().mine[cell.index()])];
        rule.try_all(
            (analysis, &drawn),
            &mut arms,
            200,
            &mut LayoutPlayout::default(),
            &mut Seed::new(seed).rng(),
        );
        let difference = arms[0].value() - exact;
        assert!(
            difference.abs() < 0.2,
            "seed {seed}: {} for {exact}",
            arms[0].value()
        );
        differences += difference;
        squares += difference * difference;
        seen += 1.0;
    });
    assert!(seen > 40.0, "{seen}");
    let (mean, error) = (differences / seen, (squares / seen / seen).sqrt());
    assert!(mean.abs() < 4.0 * error, "{mean} +- {error}");
}

/// All boards share one cache. The last two have ten mines and show the same number in the same
/// cell.
#[test]
fn the_value_of_a_line_does_not_depend_on_cached_positions() {
    let mut kept = LayoutPlayout::default();
    let (mut lines, mut won) = (0, 0);
    for (seed, (board, rule, number)) in (0..60).flat_map(|seed| {
        [
            ("16x16/40", FirstClick::Opening, 0),
            ("8x8/10", FirstClick::Safe, 1),
            ("9x9/10", FirstClick::Safe, 1),
        ]
        .map(|game| (seed, game))
    }) {
        let mut game = Game::new(board.parse().unwrap(), rule);
        game.start(Seed::new(seed));
        game.open(Cell(0)).unwrap();
        if game.view().number(Cell(0)) != Some(number) {
            continue;
        }
        let (mut at, cells) = (analysis(game.view(), true), game.board().cells());
        let mut layouts = Layouts::default();
        at.layouts(&mut layouts, &mut Budget::unlimited()).unwrap();
        let (mut drawn, mut mines) = (layouts.drawing(), CellSet::new(cells));
        let rng = &mut Seed::new(seed).rng();
        let policy = Policy {
            looks: seed as u32 % 3,
            guesser: Guesser::LeastMine,
            end: LIMITS,
        };
        for _ in 0..20 {
            layouts.draw(&mut drawn, rng);
            lay(&drawn, cells, &mut mines);
            for cell in game
                .board()
                .all_cells()
                .filter(|&cell| at.is_unknown(cell) && !mines.contains(cell))
                .take(2)
            {
                let [value, alone] = [&mut kept, &mut LayoutPlayout::default()].map(|playout| {
                    playout
                        .value(&at, &[cell], &mines, policy, &mut Seed::new(seed).rng())
                        .ok()
                });
                assert_eq!(value, alone, "{board}, seed {seed}, {cell:?}");
                (lines, won) = (
                    lines + 1,
                    won + u32::from(value.is_some_and(|value| value > 0.0)),
                );
            }
        }
    }
    assert!(lines > 2000 && won > 1000, "{lines} and {won}");
}

#[test]
fn roll_outs_use_more_lines_if_candidates_are_close() {
    let (mut same, mut longer) = (0, 0);
    guesses("4x4/5", 300, |seed, _, analysis, _| {
        let mut layouts = Layouts::default();
        analysis
            .layouts(&mut layouts, &mut Budget::unlimited())
            .unwrap();
        let mine = &analysis.counted().mine;
        let unknown = analysis
            .grid()
            .board()
            .all_cells()
            .filter(|&cell| analysis.is_unknown(cell));
        let arms: Vec<Arm> = unknown
            .map(|cell| Arm::new(cell, 1.0 - mine[cell.index()]))
            .collect();
        let values = |more: u32| {
            let roll_outs = RollOuts {
                layouts: 8,
                ..RollOuts::default()
            };
            let (mut arms, teacher) = (arms.clone(), Teacher { roll_outs, more });
            let rng = &mut Seed::new(seed).rng();
            teacher.teach(
                (analysis, &layouts),
                &mut arms,
                &mut LayoutPlayout::default(),
                rng,
            );
            arms.iter().map(Arm::value).collect::<Vec<_>>()
        };
        let (short, long) = (values(0), values(200));
        let best = short.iter().copied().fold(0.0, f64::max);
        for (short, long) in short.into_iter().zip(long) {
            *if short == long {
                &mut same
            } else {
                &mut longer
            } += 1;
            // Roll-outs on eight layouts have a standard error of at most 0.36. A candidate is
            // dropped if it is more than two standard errors of the difference below the best.
            assert!(short == long || best - short < 2.0 * 0.36 * 2_f64.sqrt());
        }
    });
    assert!(same > 100 && longer > 100, "{same} and {longer}");
}

/// Returns the cell with the lowest mine probability. Ties are broken as by player 7.0.
fn safest(at: &Analysis) -> Cell {
    let grid = at.grid();
    let found = at.counted();
    let rank = |cell: Cell| (!found.boundary().contains(cell), grid.neighbor_count(cell));
    let cells = grid.board().all_cells().filter(|&cell| at.is_unknown(cell));
    let better = |best: Cell, cell: Cell| {
        let p = found.mine[cell.index()];
        let least = found.mine[best.index()];
        if p < least - TIE || p < least + TIE && rank(cell) < rank(best) {
            cell
        } else {
            best
        }
    };
    cells
        .reduce(better)
        .expect("a position that is not won has unknown cells")
}

fn value(blocks: [f64; BLOCKS]) -> LineValue {
    LineValue {
        blocks,
        ..LineValue::default()
    }
}

#[test]
fn a_cell_has_the_same_value_alone_as_among_others() {
    let rows = [
        "01######", "13######", "########", "########", "########", "########",
    ];
    let mut valuation = Valuation::default();
    valuation
        .read(&View::from_rows(&rows, 10).unwrap())
        .unwrap();
    let lines = Lines {
        layouts: 40,
        looks: SCORING_LOOKS,
    };
    let cells = valuation.candidates();
    assert!(cells.len() >= 8 && valuation.exact().is_none());
    let together = valuation.by_lines(&cells, lines, 7);
    for (&cell, value) in cells.iter().zip(together).rev() {
        assert_eq!(valuation.by_lines(&[cell], lines, 7), [value], "{cell:?}");
    }
}

#[test]
fn the_best_cell_of_a_block_is_chosen_by_the_others() {
    // Cell 0 is better only in the first block, and cell 1 is better in every other block.
    let mut first = [0.5; BLOCKS];
    first[0] = 0.9;
    let found = losses(&[value(first), value([0.6; BLOCKS])]);
    // In block 0 as in every other block, cell 1 is the best by the sum over the other blocks.
    let expected = (7.0 * 0.1 - 0.3) / 8.0;
    assert!(
        (found[0] - expected).abs() < 1e-12 && found[1].abs() < 1e-12,
        "{found:?}"
    );
}
