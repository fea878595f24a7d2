//! Tests of self-play rows: their contents, and that only the settings determine them.

use std::sync::LazyLock;

use mineflow_arena::Part;
use mineflow_learn::data::Table;
use mineflow_minesweeper::features::{ClassifierV2, LocationScore, Position, QV2, q_v2};
use mineflow_minesweeper::player::{
    Decision, GameStart, NoMove, Player, PlayerSpec, Reason, Recipe, RecipePlayer,
};
use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
use mineflow_minesweeper::{Cell, FirstClick, Game, Status, View};
use mineflow_model::{Linear, Metadata, Models};
use mineflow_rng::Seed;
use mineflow_tasks::generate::{
    Amount, Boards, Labels, MineRatios, QSettings, RowKind, SelfPlay, rows_in_memory,
};
use mineflow_tasks::{Context, Unobserved};

use crate::files::NEVER;

static MODELS: LazyLock<Models> = LazyLock::new(Models::default);

/// Returns a context with this number of threads and no output folder.
pub fn context(threads: usize) -> Context<'static> {
    Context {
        out: None,
        seed: 1,
        part: Part::WHOLE,
        threads,
        memory: u64::MAX,
        models: &MODELS,
        stop: &NEVER,
        observer: &Unobserved,
    }
}

/// Returns the same alpha for every board.
pub fn constant_alpha(alpha: f64) -> Linear {
    Linear::new([0.0, 0.0, 0.0, alpha], Metadata::new(Linear::FEATURES)).unwrap()
}

fn player(name: &str) -> PlayerSpec {
    name.parse().unwrap()
}

fn small_boards() -> Boards {
    Boards::grid(&[5, 8, 11], (0.5, 1.0), &MineRatios::Uniform(0.05, 0.30)).unwrap()
}

fn rows_of(settings: &SelfPlay, amount: Amount, name: &str, threads: usize) -> Table {
    let spec = player(name);
    let kind = RowKind {
        features: &ClassifierV2,
        labels: Labels::Safe {
            score: LocationScore::Printed,
        },
    };
    rows_in_memory(settings, amount, &kind, &|| spec.build(), &context(threads)).unwrap()
}

fn q_rows_of(settings: &SelfPlay, amount: Amount, threads: usize) -> Table {
    let spec = player("4.0");
    rows_in_memory(settings, amount, &q(), &|| spec.build(), &context(threads)).unwrap()
}

fn q() -> RowKind {
    RowKind {
        features: &QV2,
        labels: Labels::Return(QSettings {
            alpha: constant_alpha(0.3),
            score: LocationScore::Printed,
            off_board: q_v2::OFF_BOARD,
        }),
    }
}

/// A player that gives up in games whose seed is odd, once several cells are open.
struct GivesUp {
    player: Box<dyn Player>,
    gives_up: bool,
}

impl Player for GivesUp {
    fn begin(&mut self, game: &GameStart) {
        self.gives_up = game.seed.value() % 2 == 1;
        self.player.begin(game);
    }

    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove> {
        match self.gives_up && view.opened().len() > 9 {
            true => Err(NoMove::TooHard("so".to_owned())),
            false => self.player.decide(view, budget),
        }
    }
}

#[test]
fn games_in_which_the_player_gives_up_are_left_out() {
    let settings = SelfPlay::on(Boards::exactly(&["8x8/12".parse().unwrap()]), Seed::new(5));
    let spec = player("4.0");
    let build = || -> Box<dyn Player> {
        Box::new(GivesUp {
            player: spec.build(),
            gives_up: false,
        })
    };
    let amount = Amount::Passes(60);
    let found = rows_in_memory(&settings, amount, &q(), &build, &context(2)).unwrap();
    let all = q_rows_of(&settings, amount, 2);
    let is_even = |game: u64| Seed::new(game).child("player", 0).value().is_multiple_of(2);
    let is_left = |game: u64| found.game.contains(&game);
    assert_eq!(found, all.of_games(is_left));
    assert!(all.game.iter().all(|&game| !is_even(game) || is_left(game)));
    assert!(found.rows() + 20 < all.rows());
}

#[test]
fn fewer_rows_are_a_prefix_of_more_rows() {
    let settings = SelfPlay {
        explore: 0.1,
        ..SelfPlay::on(small_boards(), Seed::new(3))
    };
    let all = rows_of(&settings, Amount::Rows(5000), "4.0", 1);
    assert_eq!(all.rows(), 5000);
    let fewer = rows_of(&settings, Amount::Rows(777), "4.0", 2);
    assert_eq!(fewer.features, all.features[..777 * all.width]);
    assert_eq!(
        (fewer.target, fewer.game),
        (all.target[..777].to_vec(), all.game[..777].to_vec())
    );
    let other_seed = SelfPlay {
        seed: Seed::new(4),
        ..settings.clone()
    };
    assert_ne!(all, rows_of(&other_seed, Amount::Rows(5000), "4.0", 1));
}

/// Replays the game of `seed` without exploration, and calls `at_guess` before each guess.
fn replay(seed: Seed, board: &str, mut at_guess: impl FnMut(&Game, &Position<'_>, Cell)) -> Status {
    replay_from(Reason::Guess, seed, board, &mut at_guess)
}

/// Replays a game as [`replay`] does, and also calls `at_guess` before each decision with the
/// reason `first`.
fn replay_from(
    first: Reason,
    seed: Seed,
    board: &str,
    at_guess: &mut dyn FnMut(&Game, &Position<'_>, Cell),
) -> Status {
    let mut game = Game::new(board.parse().unwrap(), FirstClick::Safe);
    game.start(seed);
    let mut player = player("4.0").build();
    player.begin(&GameStart {
        board: game.board(),
        first_click: FirstClick::Safe,
        seed: seed.child("player", 0),
    });
    while game.status() == Status::Playing {
        let decision = player
            .decide(game.view(), &mut Budget::unlimited())
            .unwrap();
        let (reason, moves) = (decision.reason, decision.cells);
        if reason == Reason::Guess || reason == first {
            game.lay_for(moves[0]);
            at_guess(&game, &decision.position(game.view()).unwrap(), moves[0]);
        }
        for &cell in moves {
            if game.status() == Status::Playing && !game.view().is_open(cell) {
                game.open(cell).unwrap();
            }
        }
    }
    game.status()
}

#[test]
fn rows_have_the_cells_probabilities_and_labels_of_the_game() {
    let board = "9x7/12";
    let settings = SelfPlay::on(Boards::exactly(&[board.parse().unwrap()]), Seed::new(11));
    let table = rows_of(&settings, Amount::Passes(40), "4.0", 2);
    let (mut row, mut boundary_rows, mut other_rows) = (0, 0, 0);
    for number in 0..40 {
        let seed = Seed::new(11).child("game", number);
        replay(seed, board, |game, position, _| {
            // This independent analysis knows only the view.
            let mut analysis = Analysis::new();
            analysis.begin(game.view().grid(), game.view().mines());
            analysis.update(game.view()).unwrap();
            let counted = analysis
                .probabilities(Weighting::Solutions, &mut Budget::unlimited())
                .unwrap();
            let undecided = |cell: &Cell| counted.mine[cell.index()] < 1.0;
            let boundary: Vec<_> = game.view().boundary().filter(undecided).collect();
            assert!(
                boundary
                    .iter()
                    .all(|&cell| counted.mine[cell.index()] > 0.0),
                "nothing safe is left at a guess"
            );
            let known = game
                .view()
                .boundary()
                .filter(|cell| !undecided(cell))
                .count();
            let others = game.view().covered_count() - boundary.len() - known;
            let expected = boundary.len() + others.min(3);
            let lowest = boundary
                .iter()
                .map(|c| counted.mine[c.index()])
                .fold(f64::INFINITY, f64::min);
            let argmin = boundary
                .iter()
                .find(|c| counted.mine[c.index()] < lowest + 1e-9);
            for i in 0..expected {
                let numbers = table.row(row);
                assert_eq!(table.game[row], seed.value());
                assert_eq!(numbers[..3], [9.0, 7.0, 12.0]);
                let cell = game
                    .board()
                    .cell(numbers[3] as usize, numbers[4] as usize)
                    .unwrap();
                if i < boundary.len() {
                    assert_eq!(cell, boundary[i]);
                    assert!((f64::from(numbers[5]) - counted.mine[cell.index()]).abs() < 1e-6);
                    boundary_rows += 1;
                } else {
                    assert!(
                        !game.view().is_open(cell) && !game.view().boundary().any(|b| b == cell)
                    );
                    assert_eq!(
                        numbers[5],
                        (12.0 / 63.0) as f32,
                        "the density of the whole board off the boundary"
                    );
                    other_rows += 1;
                }
                assert_eq!(numbers[6], boundary.len() as f32);
                assert_eq!(numbers[7], argmin.map_or(-1.0, |c| f32::from(c.0)));
                let density = (12.0 - known as f64) / (boundary.len() + others) as f64;
                let k = match game.view().grid().neighbor_count(cell) {
                    3 => 4,
                    5 => 6,
                    _ => 8,
                };
                assert!(
                    (f64::from(numbers[8]) - (1.0 - density.powi(k))).abs() < 1e-6,
                    "equation 4"
                );
                assert_eq!(
                    table.target[row] == 0.0,
                    game.field().unwrap().is_mine(cell)
                );
                row += 1;
            }
            assert_eq!(position.mines_found, known);
        });
    }
    assert_eq!(row, table.rows());
    assert!(
        boundary_rows > 300 && other_rows > 60,
        "{boundary_rows} and {other_rows}"
    );
}

#[test]
fn q_rows_are_sub_states_of_first_clicks_and_guesses_with_their_discounted_rewards() {
    let board = "8x8/12";
    let settings = SelfPlay::on(Boards::exactly(&[board.parse().unwrap()]), Seed::new(5));
    let table = q_rows_of(&settings, Amount::Passes(60), 2);
    let mut row = 0;
    let mut losses = 0;
    for number in 0..60 {
        let seed = Seed::new(5).child("game", number);
        let mut open_before = Vec::new();
        let mut sub_states = Vec::new();
        let mut is_lost_at = None;
        let status = replay_from(
            Reason::FirstClick,
            seed,
            board,
            &mut |game, position, cell| {
                open_before.push(game.view().opened().len());
                let (centre_row, centre_col) = game.board().row_col(cell);
                let known = game
                    .board()
                    .all_cells()
                    .filter(|c| !game.view().is_open(*c) && position.mine[c.index()].is_nan());
                let found = known.count();
                let density = (12 - found) as f64 / (game.view().covered_count() - found) as f64;
                let mut sub_state = Vec::new();
                for (down, right) in
                    (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)))
                {
                    let at = centre_row
                        .checked_add_signed(down)
                        .zip(centre_col.checked_add_signed(right));
                    let neighbor = at.and_then(|(row, col)| game.board().cell(row, col));
                    sub_state.push(match neighbor {
                        None => f64::from(q_v2::OFF_BOARD),
                        Some(neighbor) if game.view().is_open(neighbor) => -1.0,
                        Some(neighbor) => {
                            let p = position.mine[neighbor.index()];
                            let p = if p.is_nan() { 1.0 } else { p };
                            let k = [4, 6, 8][match game.view().grid().neighbor_count(neighbor) {
                                3 => 0,
                                5 => 1,
                                _ => 2,
                            }];
                            0.3 * p + 0.7 * (1.0 - density.powi(k))
                        }
                    });
                }
                sub_states.push(sub_state);
                is_lost_at = game
                    .field()
                    .unwrap()
                    .is_mine(cell)
                    .then_some(open_before.len() - 1);
            },
        );
        losses += u32::from(status == Status::Lost);
        // The reward of a guess is the number of cells opened until the next guess or the end, as a
        // share of the 52 safe cells. A guess that loses has the reward -1.
        let mut rewards: Vec<f64> = open_before
            .windows(2)
            .map(|pair| (pair[1] - pair[0]) as f64 / 52.0)
            .collect();
        if let Some(&last) = open_before.last() {
            rewards.push(if is_lost_at.is_some() {
                -1.0
            } else {
                (52 - last) as f64 / 52.0
            });
        }
        for (t, sub_state) in sub_states.iter().enumerate() {
            let expected: f64 = (t..rewards.len())
                .map(|k| rewards[k] / (1 + k - t) as f64)
                .sum();
            assert!((f64::from(table.target[row]) - expected.clamp(-1.0, 1.0)).abs() < 1e-6);
            for (found, expected) in table.row(row).iter().zip(sub_state) {
                assert!((f64::from(*found) - expected).abs() < 1e-6);
            }
            row += 1;
        }
    }
    assert_eq!(row, table.rows());
    assert!(losses > 5 && row > 60, "{losses} losses, {row} rows");
}

#[test]
fn explored_guesses_are_drawn_from_all_candidates() {
    let board = "5x5/4";
    let settings = SelfPlay::on(Boards::exactly(&[board.parse().unwrap()]), Seed::new(2));
    let explored = SelfPlay {
        explore: 1.0,
        ..settings.clone()
    };
    let safe = |settings: &SelfPlay| {
        let table = q_rows_of(settings, Amount::Passes(400), 2);
        table.target.iter().filter(|&&target| target > -1.0).count() as f64 / table.rows() as f64
    };
    assert!(
        safe(&explored) + 0.02 < safe(&settings),
        "random guesses meet more mines"
    );
}

#[test]
fn probabilities_of_a_view_alone_equal_those_of_the_player_in_the_game() {
    let Recipe::Steps(steps) = player("4.0").recipe else {
        panic!("4.0 has steps")
    };
    let mut looking = RecipePlayer::new(steps);
    for number in 0..30 {
        replay(
            Seed::new(8).child("game", number),
            "16x16/50",
            |game, position, _| {
                let known: Vec<_> = game
                    .board()
                    .all_cells()
                    .filter(|c| !game.view().is_open(*c) && position.mine[c.index()].is_nan())
                    .collect();
                let looked = looking
                    .look(game.view(), &known, &mut Budget::unlimited())
                    .unwrap();
                assert_eq!(looked.boundary, position.boundary);
                assert_eq!(looked.mines_found, position.mines_found);
                for (a, b) in looked.mine.iter().zip(position.mine) {
                    assert!(
                        a.is_nan() && b.is_nan() || (a - b).abs() < 1e-12,
                        "{a} and {b}"
                    );
                }
            },
        );
    }
}
