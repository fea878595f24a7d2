//! Tests of first clicks on boards of at most 4x4 cells, compared with optimal play.

use std::fmt::Write as _;

use mineflow::minesweeper::optimum::{FirstCellValue, Optimum, Resources};
use mineflow::minesweeper::player::{FirstMove, Limits, PlayerSpec, Recipe, Seat, versions};
use mineflow::minesweeper::{Board, Cell, FirstClick, Grid};
use mineflow::rng::Seed;

use crate::files::{NEVER, assert_golden};

/// Returns every board of at most 4x4 cells on which there is a decision.
fn boards() -> impl Iterator<Item = Board> {
    let sizes = (1..=4).flat_map(|height| (1..=4).map(move |width| (width, height)));
    sizes.flat_map(|(width, height)| {
        (0..width * height).map(move |mines| Board::new(width, height, mines).unwrap())
    })
}

/// Returns the value of every first cell of a board under optimal play, and the first of the best
/// cells.
fn values(board: Board, rule: FirstClick) -> (Vec<FirstCellValue>, FirstCellValue) {
    let optimum = Optimum::new(
        board,
        rule,
        Resources {
            memory: 1 << 26,
            threads: 1,
        },
    )
    .unwrap();
    let values: Vec<_> = board
        .all_cells()
        .map(|cell| optimum.value(cell, &NEVER).unwrap())
        .collect();
    let best = values
        .iter()
        .copied()
        .reduce(|best, value| if value.beats(&best) { value } else { best });
    (values, best.unwrap())
}

fn first_cell(player: &PlayerSpec, board: Board, rule: FirstClick, seed: u64) -> Cell {
    let mut seat = Seat::new(player.build(), board, rule, Limits::default());
    seat.first_cell(Seed::new(seed))
        .unwrap()
        .expect("no limit is reached before the first click")
}

fn players() -> Vec<PlayerSpec> {
    versions()
        .iter()
        .map(|version| version.name.parse().unwrap())
        .collect()
}

fn starts_in_a_corner(player: &PlayerSpec) -> bool {
    matches!(&player.recipe, Recipe::Steps(steps) if steps.first_move == FirstMove::Corner)
}

/// Checks every player, including those that draw their first cell or let a model choose it: where
/// an opening is promised, the first cell has room for one, or no first cell has a higher value.
#[test]
fn a_promised_opening_has_room_at_the_first_cell_or_no_first_cell_is_better() {
    let players = players();
    for board in boards() {
        let grid = Grid::new(board);
        let (values, best) = values(board, FirstClick::Opening);
        for player in &players {
            for seed in 0..4 {
                let cell = first_cell(player, board, FirstClick::Opening, seed);
                let has_room = board.mines() + grid.neighbor_count(cell) < board.cells();
                let is_best = !best.beats(&values[cell.index()]);
                assert!(
                    has_room || is_best,
                    "{} begins {board} at {:?}",
                    player.name,
                    board.row_col(cell)
                );
            }
        }
    }
}

/// Compares with a golden file the list of all boards on which `corner-first` is not the best first
/// click, with the loss in percentage points of the win probability under optimal play.
#[test]
fn the_first_click_of_corner_players_is_best_except_on_the_listed_boards() {
    let corner_players: Vec<_> = players().into_iter().filter(starts_in_a_corner).collect();
    assert!(
        corner_players.len() > 5,
        "{} players start in a corner",
        corner_players.len()
    );
    let mut list = String::from("board first-click clicked won% best won% below\n");
    for board in boards() {
        for &rule in FirstClick::ALL {
            let mut cells = corner_players
                .iter()
                .map(|player| first_cell(player, board, rule, 0));
            let cell = cells.next().unwrap();
            assert!(cells.all(|other| other == cell), "{board} {rule}");
            let (values, best) = values(board, rule);
            let value = values[cell.index()];
            if best.beats(&value) {
                let place = |cell| format!("{:?}", board.row_col(cell)).replace(' ', "");
                let (percent, most) = (100.0 * value.ratio(), 100.0 * best.ratio());
                let (clicked, better) = (place(cell), place(best.cell));
                let below = most - percent;
                writeln!(
                    list,
                    "{board} {rule} {clicked} {percent:.2} {better} {most:.2} {below:.2}"
                )
                .unwrap();
            }
        }
    }
    assert_golden("first-clicks", &list);
}
