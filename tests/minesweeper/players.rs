//! Tests of players from recipes, in whole games compared with an omniscient reference.

use std::collections::HashSet;

use mineflow_minesweeper::player::{
    Decision, GameStart, NoMove, Player, PlayerSpec, Reason, versions,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status, View};
use mineflow_rng::Seed;

use crate::brute_force::{posterior, solutions};
use crate::tiny_models;

/// The moves of a player, and whether the player won.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    moves: Vec<(Reason, Vec<Cell>)>,
    pub(crate) won: bool,
}

fn player(text: &str) -> Box<dyn Player> {
    tiny_models::player(text).build()
}

/// Plays game `index` and passes every decision to `judge`.
pub(crate) fn play(
    player: &mut dyn Player,
    game: &mut Game,
    index: u64,
    mut judge: impl FnMut(&Game, &Decision<'_>),
) -> Result<Record, NoMove> {
    let seed = Seed::new(8).child("game", index);
    game.start(seed.child("mines", 0));
    player.begin(&GameStart {
        board: game.board(),
        first_click: game.first_click(),
        seed: seed.child("player", 0),
    });
    let mut record = Record::default();
    let mut budget = Budget::unlimited();
    while game.status() == Status::Playing {
        let decision = player.decide(game.view(), &mut budget)?;
        judge(game, &decision);
        let (reason, mut moves) = (decision.reason, decision.cells.to_vec());
        for &cell in &moves {
            if game.status() == Status::Playing && !game.view().is_open(cell) {
                game.open(cell).expect("a covered cell of the board");
            }
        }
        // The order of a set of safe cells does not matter.
        moves.sort_unstable();
        record.moves.push((reason, moves));
    }
    record.won = game.status() == Status::Won;
    Ok(record)
}

fn record(text: &str, board: &str, rule: FirstClick, games: u64) -> Vec<Record> {
    let mut game = Game::new(board.parse().unwrap(), rule);
    let mut player = player(text);
    (0..games)
        .map(|index| play(player.as_mut(), &mut game, index, |_, _| ()).unwrap())
        .collect()
}

/// Returns, by brute force, the minimum mine probability among the candidates and the mine
/// probability of `chosen`.
fn least_and_chosen(game: &Game, recipe: &str, chosen: Cell) -> (f64, f64) {
    let view = game.view();
    let (judge, elsewhere) = match recipe {
        "7.0" => (posterior(view), f64::NAN),
        _ => (solutions(view), game.board().mine_ratio()),
    };
    let p = |cell| judge.probability(cell).unwrap_or(elsewhere);
    (
        view.covered().map(p).fold(f64::INFINITY, f64::min),
        p(chosen),
    )
}

#[test]
fn every_version_plays_by_its_probabilities() {
    for (name, margin) in [
        ("1.0", 0.0),
        ("2.0", 0.0),
        ("3.0", 0.0),
        ("4.0", 0.05),
        ("7.0", 0.0),
    ] {
        for rule in [FirstClick::Safe, FirstClick::Opening, FirstClick::Any] {
            let mut guesses = 0;
            let mut game = Game::new(Board::new(5, 4, 6).unwrap(), rule);
            let mut player = player(name);
            for index in 0..60 {
                play(player.as_mut(), &mut game, index, |game, decision| {
                    let moves = decision.cells;
                    let view = game.view();
                    assert!(!moves.is_empty() && moves.iter().all(|&cell| !view.is_open(cell)));
                    match decision.reason {
                        Reason::FirstClick => assert!(view.opened().is_empty()),
                        // A cell that is called certain is safe in all layouts. For 7.0, the
                        // layouts have the board's number of mines; for other players, any number.
                        Reason::Certain => {
                            let judge = if name == "7.0" {
                                posterior(view)
                            } else {
                                solutions(view)
                            };
                            assert!(
                                moves
                                    .iter()
                                    .all(|&cell| judge.probability(cell) == Some(0.0)),
                                "{name}"
                            );
                        }
                        Reason::Guess => {
                            guesses += 1;
                            let (least, chosen) = least_and_chosen(game, name, moves[0]);
                            assert_eq!(moves.len(), 1);
                            assert!(least > 0.0, "{name}: a cell is safe but was not opened");
                            assert!(
                                chosen <= least + margin + 1e-9,
                                "{name}: {chosen} where {least} is to be had"
                            );
                        }
                    }
                })
                .unwrap();
            }
            assert!(
                guesses > 15,
                "{name}, {rule}: {guesses} guesses judge nothing"
            );
        }
    }
}

#[test]
fn the_engines_of_sinha_et_al_and_components_play_the_same_games() {
    for (board, games) in [("9x9/10", 300), ("6x5/9", 300), ("16x8/20", 100)] {
        for chooses in ["min-p", "edge", "least-mine"] {
            let [by_components, by_dsscsp, by_backtracking] =
                ["components", "dsscsp", "backtracking"].map(|engine| {
                    let dss = format!("dss+{engine}:off-boundary=half+{chooses}");
                    (record(&dss, board, FirstClick::Safe, games), engine)
                });
            assert_eq!(by_components.0, by_dsscsp.0, "{board} {chooses}");
            assert_eq!(by_dsscsp.0, by_backtracking.0, "{board} {chooses}");
        }
    }
}

#[test]
fn a_reused_player_plays_as_a_new_one() {
    for version in versions() {
        let boards = ["9x9/10", "6x5/9", "9x9/10"];
        let mut used = player(version.name);
        // Players that search their guesses take a second per game, and thus play fewer games.
        let searches = version
            .name
            .parse::<PlayerSpec>()
            .unwrap()
            .searches_guesses();
        let games = if searches { 4 } else { 20 };
        for board in boards {
            let mut game = Game::new(board.parse().unwrap(), FirstClick::Safe);
            for index in 0..games {
                let again = play(used.as_mut(), &mut game, index, |_, _| ()).unwrap();
                let mut new_game = Game::new(board.parse().unwrap(), FirstClick::Safe);
                let new = play(
                    player(version.name).as_mut(),
                    &mut new_game,
                    index,
                    |_, _| (),
                )
                .unwrap();
                assert_eq!(again, new, "{} on {board}", version.name);
            }
        }
    }
}

#[test]
fn a_player_remembers_no_choice_for_another_number_of_mines() {
    let board: Board = "9x9/10".parse().unwrap();
    let grid = Game::new(board, FirstClick::Safe).view().grid().clone();
    let chosen = |player: &mut dyn Player, mines: usize, number: u8| {
        let mut view = View::new(grid.clone(), mines);
        view.open(Cell(0), number).unwrap();
        player.begin(&GameStart {
            board: view.board(),
            first_click: FirstClick::Safe,
            seed: Seed::new(3),
        });
        let decision = player.decide(&view, &mut Budget::unlimited()).unwrap();
        decision.cells[0]
    };
    for recipe in ["7.0", "11.0-fast", "11.0", "5.0"] {
        let mut used = player(recipe);
        let mut choices = HashSet::new();
        for number in 1..=2 {
            for mines in (5..60).step_by(9) {
                let found = chosen(used.as_mut(), mines, number);
                assert_eq!(
                    found,
                    chosen(player(recipe).as_mut(), mines, number),
                    "{recipe}, {mines} mines around a {number}"
                );
                choices.insert(found);
            }
        }
        assert!(choices.len() > 1, "{recipe}");
    }
}

#[test]
fn every_version_finishes_games_on_odd_boards() {
    for board in [
        "1x1/0", "1x1/1", "1x7/3", "2x2/0", "2x2/3", "2x2/4", "4x4/15", "12x1/0", "5x5/24",
    ] {
        for version in versions() {
            for rule in [FirstClick::Safe, FirstClick::Opening, FirstClick::Any] {
                let games = record(version.name, board, rule, 10);
                let sure = matches!(board, "1x1/0" | "2x2/0" | "2x2/4" | "1x1/1" | "12x1/0");
                assert!(
                    !sure || games.iter().all(|game| game.won),
                    "{} on {board}",
                    version.name
                );
            }
        }
    }
}

#[test]
fn a_limited_walk_is_certain_only_if_it_found_every_solution() {
    for recipe in ["dsscsp:solutions=3+min-p", "dss+backtracking:swaps=12+edge"] {
        let mut game = Game::new(Board::new(5, 4, 6).unwrap(), FirstClick::Safe);
        let mut player = player(recipe);
        let (mut certain, mut mistaken) = (0, 0);
        for index in 0..100 {
            play(player.as_mut(), &mut game, index, |game, decision| {
                let moves = decision.cells;
                let judge = solutions(game.view());
                let p = |cell| judge.probability(cell);
                match decision.reason {
                    Reason::Certain => {
                        assert!(moves.iter().all(|&cell| p(cell) == Some(0.0)), "{recipe}");
                        certain += 1;
                    }
                    Reason::FirstClick => {}
                    Reason::Guess => {
                        assert_eq!(moves.len(), 1, "{recipe}");
                        let least = game.view().boundary().filter_map(p).fold(1.0, f64::min);
                        mistaken +=
                            usize::from(p(moves[0]).is_some_and(|chosen| chosen > least + 0.05));
                    }
                }
            })
            .unwrap();
        }
        assert!(
            certain > 20 && mistaken > 20,
            "{recipe}: {certain} certain, {mistaken} mistaken"
        );
    }
}

#[test]
fn if_the_limits_leave_no_solution_every_cell_is_equally_likely() {
    // A tree of several variables has no leaf within one edge. P is then 0.5 everywhere, not only
    // on the boundary, and thus cells off the boundary are as likely to be chosen.
    let mut game = Game::new("9x9/10".parse().unwrap(), FirstClick::Safe);
    let mut player = player("backtracking:swaps=1+min-p");
    let (mut on_boundary, mut elsewhere) = (0, 0);
    for index in 0..100 {
        play(player.as_mut(), &mut game, index, |game, decision| {
            let moves = decision.cells;
            let boundary: Vec<Cell> = game.view().boundary().collect();
            if decision.reason == Reason::Guess
                && boundary.len() > 1
                && boundary.len() < game.view().covered_count()
            {
                *(if boundary.contains(&moves[0]) {
                    &mut on_boundary
                } else {
                    &mut elsewhere
                }) += 1;
            }
        })
        .unwrap();
    }
    assert!(
        on_boundary > 20 && elsewhere > 20,
        "{on_boundary} on the boundary, {elsewhere} elsewhere"
    );
}

#[test]
fn a_position_whose_covered_cells_are_all_known_mines_is_a_contradiction() {
    let view = View::from_rows(&["1#"], 1).unwrap();
    for name in ["2.0", "3.0", "4.0", "agent"] {
        let mut player = player(name);
        player.begin(&GameStart {
            board: view.board(),
            first_click: FirstClick::Safe,
            seed: Seed::new(1),
        });
        let decided = player
            .decide(&view, &mut Budget::unlimited())
            .map(|decision| decision.reason);
        assert_eq!(decided, Err(NoMove::Contradiction), "{name}");
    }
}
