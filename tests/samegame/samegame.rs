//! Tests of SameGame: the bit boards compared with a plain grid, points, playouts, and files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files::read_text;
use mineflow_rng::Seed;
use mineflow_samegame::*;

/// A simple reference implementation of the rules: columns of colours from the bottom up.
#[derive(Clone, PartialEq, Debug)]
struct Plain(Vec<Vec<usize>>);

impl Plain {
    fn of<S: Shape>(board: &Board<S>) -> Self {
        let column = |column| (0..25).map_while(|row| board.colour(column, row)).collect();
        Self((0..25).map(column).collect())
    }

    fn at(&self, column: i32, row: i32) -> Option<usize> {
        let column = usize::try_from(column)
            .ok()
            .and_then(|column| self.0.get(column))?;
        usize::try_from(row)
            .ok()
            .and_then(|row| column.get(row))
            .copied()
    }

    fn group(&self, column: i32, row: i32) -> Vec<(i32, i32)> {
        let colour = self.at(column, row);
        let mut cells = vec![(column, row)];
        let mut next = 0;
        while let Some(&(column, row)) = cells.get(next) {
            for cell in [
                (column + 1, row),
                (column - 1, row),
                (column, row + 1),
                (column, row - 1),
            ] {
                if self.at(cell.0, cell.1) == colour && !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
            next += 1;
        }
        cells
    }

    /// Returns all groups by their lowest cell, in column order.
    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for column in 0..25 {
            for row in 0..25 {
                if self.at(column, row).is_some() {
                    let cells = self.group(column, row);
                    if cells.len() > 1 && cells.iter().min() == Some(&(column, row)) {
                        let name = Move {
                            column: column as u8,
                            row: row as u8,
                        };
                        groups.push(Group {
                            name,
                            size: cells.len() as u32,
                        });
                    }
                }
            }
        }
        groups
    }

    fn remove(&mut self, cell: Move) {
        for (column, row) in sorted_from_the_top(self.group(cell.column.into(), cell.row.into())) {
            self.0[column as usize].remove(row as usize);
        }
        self.0.retain(|column| !column.is_empty());
        self.0.resize(25, Vec::new());
    }
}

fn sorted_from_the_top(mut cells: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    cells.sort_by_key(|&(_, row)| -row);
    cells
}

fn random<S: Shape>(width: usize, height: usize, colours: usize, index: u64) -> Board<S> {
    let seed = Seed::new(1).child("test board", index);
    Puzzle::random(width, height, colours, seed)
        .unwrap()
        .board()
}

/// Plays random games of the strategy and makes every move on the plain grid too.
fn plays_by_the_rules<S: Shape>(
    width: usize,
    height: usize,
    colours: usize,
    games: u64,
    strategy: Strategy,
) {
    for game in 0..games {
        let start = random::<S>(width, height, colours, game);
        let mut rng = Seed::new(2).child("play-out", game).rng();
        let (mut played, mut line) = (start, Vec::new());
        let points_made = played.playout(&strategy, &mut line, &mut rng);
        let (mut position, mut plain) = (Position::new(start), Plain::of(&start));
        for &cell in &line {
            let mut groups = Vec::new();
            position.board.groups(&mut groups);
            assert_eq!(groups, plain.groups());
            let mut moves = Vec::new();
            position.board.moves(&mut moves);
            assert_eq!(
                moves,
                groups.iter().map(|group| group.name).collect::<Vec<_>>()
            );
            assert!(
                moves.contains(&cell),
                "a playout names groups by their name"
            );
            let size = position
                .remove(cell)
                .expect("a playout removes groups only");
            assert_eq!(
                size as usize,
                plain.group(cell.column.into(), cell.row.into()).len()
            );
            plain.remove(cell);
            assert_eq!(Plain::of(&position.board), plain);
        }
        assert_eq!(
            position.board, played,
            "the playout ends where its line leads"
        );
        assert_eq!(position.points, points_made);
        assert!(
            plain.groups().is_empty(),
            "a playout ends where no group is left"
        );
        let left = plain
            .0
            .iter()
            .flatten()
            .fold([0i32; COLOURS], |mut left, &colour| {
                left[colour] += 1;
                left
            });
        let ending = if left == [0; COLOURS] {
            CLEARED
        } else {
            -left.map(|n| (n - 2).max(0).pow(2)).iter().sum::<i32>()
        };
        assert_eq!(position.score(), points_made + ending);
    }
}

fn every_strategy() -> impl Iterator<Item = Strategy> {
    let policies = [Policy::Random, Policy::TabuRandom, Policy::TabuColorRandom];
    policies.into_iter().map(|policy| Strategy {
        policy,
        epsilon: 0.1,
    })
}

#[test]
fn bit_boards_play_by_the_rules_with_every_strategy() {
    for strategy in every_strategy() {
        plays_by_the_rules::<Small>(15, 15, 5, 6, strategy);
        plays_by_the_rules::<Small>(16, 16, 8, 3, strategy);
        plays_by_the_rules::<Large>(25, 25, 8, 1, strategy);
        plays_by_the_rules::<Large>(7, 9, 3, 6, strategy);
    }
    plays_by_the_rules::<Small>(16, 16, 2, 40, Strategy::default());
    plays_by_the_rules::<Small>(1, 16, 1, 1, Strategy::default());
    plays_by_the_rules::<Small>(3, 2, 2, 50, Strategy::new(Policy::Random));
}

#[test]
fn small_and_large_boards_play_the_same_games() {
    for strategy in every_strategy() {
        for game in 0..5 {
            let (mut small, mut large) = (
                random::<Small>(15, 15, 7, game),
                random::<Large>(15, 15, 7, game),
            );
            let (mut small_line, mut large_line) = (Vec::new(), Vec::new());
            let rng = || Seed::new(3).child("game", game).rng();
            let points = small.playout(&strategy, &mut small_line, &mut rng());
            assert_eq!(
                large.playout(&strategy, &mut large_line, &mut rng()),
                points
            );
            assert_eq!(small_line, large_line);
        }
    }
}

/// Returns the frequency of each first move in `draws` playouts.
fn first_moves(board: Board, strategy: Strategy, draws: u32) -> BTreeMap<Move, f64> {
    let mut rng = Seed::new(4).rng();
    let mut counts = BTreeMap::new();
    for _ in 0..draws {
        let mut line = Vec::new();
        board.clone().playout(&strategy, &mut line, &mut rng);
        let mut groups = Vec::new();
        board.groups(&mut groups);
        let cells = Plain::of(&board).group(line[0].column.into(), line[0].row.into());
        let name = cells.into_iter().min().unwrap();
        *counts
            .entry(Move {
                column: name.0 as u8,
                row: name.1 as u8,
            })
            .or_insert(0.0) += 1.0 / f64::from(draws);
    }
    counts
}

/// A board with three groups: A of 2 cells, B of 7 with a concave outline, where a scan meets the
/// group several times, and C of 3.
const THREE_GROUPS: &str = "
    BBB.
    BABC
    DABC
    FEBC";

#[test]
fn every_group_is_drawn_equally_often() {
    let board: Board = THREE_GROUPS.parse::<Puzzle>().unwrap().board();
    let drawn = first_moves(board, Strategy::new(Policy::Random), 60_000);
    assert_eq!(drawn.len(), 3);
    assert!(
        drawn.values().all(|share| (share - 1.0 / 3.0).abs() < 0.01),
        "{drawn:?}"
    );
}

#[test]
fn the_tabu_colour_is_the_most_frequent_one_and_is_removed_last() {
    let board: Board = THREE_GROUPS.parse::<Puzzle>().unwrap().board();
    let strict = Strategy {
        epsilon: 0.0,
        ..Strategy::default()
    };
    let drawn = first_moves(board, strict, 2_000);
    assert_eq!(
        drawn
            .keys()
            .map(|&name| (name.column, name.row))
            .collect::<Vec<_>>(),
        [(1, 1), (3, 0)]
    );
    let half = first_moves(
        board,
        Strategy {
            epsilon: 0.5,
            ..strict
        },
        60_000,
    );
    let tabu = half[&Move { column: 0, row: 2 }];
    assert!(
        (tabu - 0.5 / 3.0).abs() < 0.01,
        "with a chance of one half, one of three: {tabu}"
    );
    let drawn_tabu = first_moves(
        board,
        Strategy {
            epsilon: 0.0,
            ..Strategy::new(Policy::TabuRandom)
        },
        60_000,
    );
    // The tabu colour is one of six. If it is A, B or C, the other two groups share the
    // probability; if it is D, E or F, all three do.
    let expected = (2.0 * 0.5 + 3.0 / 3.0) / 6.0;
    assert!(
        drawn_tabu
            .values()
            .all(|share| (share - expected).abs() < 0.01),
        "{drawn_tabu:?}"
    );
}

#[test]
fn the_example_of_schadd_et_al_scores_one_and_sixteen() {
    // This board is similar to figure 1 of Schadd et al.: removing a group of three joins six
    // cells; then a column is empty and closes.
    let puzzle: Puzzle = "
        ..C..
        .CB..
        .ABB.
        CCCAD
        ACDDA"
        .parse()
        .unwrap();
    let mut position = Position::new(puzzle.board::<Small>());
    assert_eq!(position.remove(Move { column: 2, row: 2 }), Some(3));
    assert_eq!(position.points, 1);
    assert_eq!(position.remove(Move { column: 2, row: 0 }), Some(2));
    assert_eq!(position.points, 1, "two cells are worth nothing");
}

#[test]
fn leftovers_are_deducted_beyond_two_of_a_colour() {
    let ending = |text: &str| text.parse::<Puzzle>().unwrap().board::<Small>().ending();
    assert_eq!(ending("."), CLEARED);
    assert_eq!(
        ending("A"),
        0,
        "the authors' program takes nothing for one cell"
    );
    assert_eq!(ending("ABAB"), 0);
    assert_eq!(ending("ABABA"), -1);
    assert_eq!(ending("ABABABAB"), -8);
}

#[test]
fn puzzles_round_trip() {
    let text = "B..\nAB.\nBBA\n";
    let puzzle: Puzzle = text.parse().unwrap();
    assert_eq!(puzzle.to_string(), text);
    for other in ["1..\n01.\n110", "1 -1 -1\n0 1 -1\n1 1 0"] {
        assert_eq!(other.parse::<Puzzle>().unwrap(), puzzle);
    }
    let mut board = puzzle.board::<Small>();
    board.remove(Move { column: 0, row: 0 }).unwrap();
    assert_eq!(puzzle.after(&board).to_string(), "...\nB..\nAA.\n");
    assert_eq!(
        Puzzle::random(15, 15, 5, Seed::new(1)),
        Puzzle::random(15, 15, 5, Seed::new(1))
    );
}

#[test]
fn the_error_of_an_invalid_grid_names_the_place() {
    let error = |text: &str| text.parse::<Puzzle>().unwrap_err().to_string();
    assert!(error("AB\nA").contains("row 1 from the top, counted from 0, has 1 cells"));
    assert!(
        error("AB\nAX")
            .contains("row 1 from the top, column 1, counted from 0: `X` is not a colour")
    );
    assert!(
        error("1 1\n1 10")
            .contains("row 1 from the top, column 1, counted from 0: `10` is not a colour")
    );
    assert!(error("AB\nA.").contains("row 0 from the top, column 1, counted from 0, holds a cell"));
    assert!(error("A.B").contains("column 1, counted from 0, is empty"));
    assert!(error("").contains("1 to 25 rows"));
    assert!(error(&"A".repeat(26)).contains("26 columns"));
    assert!(
        Puzzle::random(15, 15, 9, Seed::new(1))
            .unwrap_err()
            .to_string()
            .contains("1 to 8 colours, not 9")
    );
    let set = |json: &str| TestSet::parse(json).unwrap_err();
    assert!(matches!(set("{\"boards\": []}"), TestSetError::Empty));
    assert!(matches!(
        set("{\"boards\": [[[0]], [[8]]]}"),
        TestSetError::Puzzle { board: 2, .. }
    ));
    assert!(matches!(set("{"), TestSetError::Json(_)));
}

/// Reads a file of the folder with the standard boards, which we may not publish.
fn standard(name: &str) -> String {
    let folder =
        std::env::var_os("MINEFLOW_TEST_DATA").expect("MINEFLOW_TEST_DATA names the folder");
    read_text(Path::new(&folder).join(name))
}

#[test]
#[ignore = "needs the standard boards, which have no licence: their folder in MINEFLOW_TEST_DATA"]
fn the_published_solutions_replay_to_their_scores() {
    let (boards, solutions) = (
        standard("samegame20.json"),
        standard("samegame20-solutions.json"),
    );
    let boards = TestSet::parse(&boards).unwrap().puzzles;
    let solutions = ScoredLine::parse_all(&solutions).unwrap();
    assert_eq!((boards.len(), solutions.len()), (20, 20));
    for (number, solution) in &solutions {
        let mut position = Position::new(boards[number - 1].board::<Small>());
        position.replay(&solution.moves).unwrap();
        assert_eq!(position.score(), solution.score, "board {number}");
    }
    assert_eq!(
        ScoredLine::parse_all(&ScoredLine::write_all(&solutions)).unwrap(),
        solutions
    );
}

#[test]
#[ignore = "needs the standard boards, which have no licence: their folder in MINEFLOW_TEST_DATA"]
fn the_250_boards_are_read() {
    let boards = standard("samegame250.json");
    let boards = TestSet::parse(&boards).unwrap().puzzles;
    assert_eq!(boards.len(), 250);
    assert!(
        boards
            .iter()
            .all(|puzzle| (puzzle.width(), puzzle.height()) == (15, 15) && puzzle.is_small())
    );
}
