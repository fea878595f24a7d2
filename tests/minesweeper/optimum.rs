//! Tests of optimal play on small boards, compared with all policies on tiny boards and with known
//! values of larger ones.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use mineflow_minesweeper::optimum::{FirstCellValue, Layouts, Optimum, OptimumError, Resources};
use mineflow_minesweeper::{Board, Cell, FirstClick, Grid};

use crate::files::NEVER;

fn value(optimum: &Optimum, cell: Cell) -> FirstCellValue {
    optimum
        .value(cell, &NEVER)
        .expect("there is room and nobody asks to stop")
}

fn best(board: &str, first_click: FirstClick) -> (u64, u64) {
    let optimum = Optimum::new(board.parse().unwrap(), first_click, Resources::default()).unwrap();
    let values = optimum
        .first_cells()
        .into_iter()
        .map(|cell| value(&optimum, cell));
    let best = values
        .reduce(|best, value| if value.beats(&best) { value } else { best })
        .unwrap();
    (best.won, best.layouts)
}

/// An exhaustive search for the number of layouts that the best of all policies wins. The search
/// opens one cell at a time, without flood fill or pruning.
struct EveryPolicy {
    around: Vec<u64>,
    safe_cells: u32,
    known: HashMap<(u64, Vec<u64>), u64>,
}

impl EveryPolicy {
    fn new(board: Board) -> Self {
        let grid = Grid::new(board);
        let around = board
            .all_cells()
            .map(|cell| grid.neighbors(cell).fold(0, |set, cell| set | 1 << cell.0))
            .collect();
        Self {
            around,
            safe_cells: (board.cells() - board.mines()) as u32,
            known: HashMap::new(),
        }
    }

    fn open(&mut self, cell: usize, open: u64, layouts: &[u64]) -> u64 {
        let number = |layout: u64| (layout & self.around[cell]).count_ones();
        let safe = layouts
            .iter()
            .copied()
            .filter(|layout| layout >> cell & 1 == 0);
        let mut parts: [Vec<u64>; 9] = Default::default();
        safe.for_each(|layout| parts[number(layout) as usize].push(layout));
        parts
            .into_iter()
            .map(|part| self.best(open | 1 << cell, part))
            .sum()
    }

    fn best(&mut self, open: u64, layouts: Vec<u64>) -> u64 {
        if layouts.is_empty() || open.count_ones() == self.safe_cells {
            return layouts.len() as u64;
        }
        let state = (open, layouts);
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let covered = (0..self.around.len()).filter(|cell| open >> cell & 1 == 0);
        let best = covered
            .map(|cell| self.open(cell, open, &state.1))
            .max()
            .unwrap_or(0);
        self.known.insert(state, best);
        best
    }
}

#[test]
fn the_optimum_of_tiny_boards_is_the_value_of_the_best_policy() {
    let sizes = [(1, 1), (4, 1), (2, 2), (3, 2), (2, 4), (3, 3)];
    let boards = sizes
        .iter()
        .flat_map(|&(width, height)| (0..width * height).map(move |mines| (width, height, mines)));
    let larger = [(7, 1, 3), (5, 2, 3), (4, 3, 2), (4, 3, 3)];
    for (width, height, mines) in boards.chain(larger) {
        let board = Board::new(width, height, mines).unwrap();
        for &first_click in FirstClick::ALL {
            let optimum = Optimum::new(board, first_click, Resources::default()).unwrap();
            let mut policies = EveryPolicy::new(board);
            // All cells are compared, including those that are equivalent by symmetry.
            for cell in board.all_cells() {
                let layouts: Vec<_> = Layouts::of(board, first_click, cell).iter().collect();
                let won = policies.open(cell.index(), 0, &layouts);
                let expected = FirstCellValue {
                    cell,
                    won,
                    layouts: layouts.len() as u64,
                };
                assert_eq!(value(&optimum, cell), expected, "{board} {first_click}");
            }
        }
    }
}

#[test]
fn known_boards_have_their_values() {
    let known = [
        ("4x4/4", FirstClick::Safe, (961, 1365)),
        ("5x5/4", FirstClick::Safe, (8236, 10_626)),
        ("6x6/3", FirstClick::Safe, (6427, 6545)),
        ("4x4/4", FirstClick::Opening, (34, 35)),
        ("5x5/5", FirstClick::Opening, (3500, 4368)),
    ];
    for (board, first_click, expected) in known {
        assert_eq!(best(board, first_click), expected, "{board} {first_click}");
    }
}

#[test]
fn low_memory_changes_no_value_and_too_little_is_an_error() {
    let board: Board = "5x4/4".parse().unwrap();
    let of = |memory| {
        let optimum = Optimum::new(board, FirstClick::Safe, Resources { memory, threads: 1 })?;
        optimum
            .first_cells()
            .into_iter()
            .map(|cell| optimum.value(cell, &NEVER))
            .collect::<Result<Vec<_>, _>>()
    };
    let values = of(1 << 30).unwrap();
    let failed = |memory: &u64| of(*memory).is_err();
    let little = (0..)
        .map(|step| 70_000 + step * 10_000)
        .find(|memory| !failed(memory))
        .unwrap();
    assert!(little < 1 << 20, "{little} bytes");
    assert_eq!(of(little).unwrap(), values);
    let OptimumError::TooManyLayouts {
        layouts: 3876,
        memory: 70_000,
        ..
    } = of(70_000).unwrap_err()
    else {
        panic!("the number of layouts is told")
    };
}

#[test]
fn a_search_that_is_asked_to_stop_stops() {
    let optimum = Optimum::new(
        "6x6/8".parse().unwrap(),
        FirstClick::Safe,
        Resources::default(),
    )
    .unwrap();
    assert_eq!(
        optimum.value(Cell(0), &AtomicBool::new(true)),
        Err(OptimumError::Stopped)
    );
    assert_eq!(
        optimum.value(Cell(36), &NEVER),
        Err(OptimumError::OffBoard(36))
    );
}
