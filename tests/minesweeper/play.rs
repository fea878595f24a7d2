//! The terminal game without its terminal: moves, undo, hints, players, the clock.

use std::time::Duration;

use mineflow_minesweeper::play::{
    Button, Command, Direction, Effect, Mode, Prompt, Proof, Question, Refusal, Round, Shown, Table, Written,
};
use mineflow_minesweeper::player::Reason;
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Board, Cell, FirstClick, Minefield, Status};
use mineflow_rng::{Rng, Seed};
use rand::RngExt;

use crate::table::{NOON, press, table, table_with};

fn random_cell(board: Board, rng: &mut Rng) -> Cell {
    Cell(rng.random_range(0..board.cells() as u32) as u16)
}

/// A round on the mines drawn with stars.
fn round(field: &str) -> Round {
    Round::on(field.parse::<Minefield>().unwrap())
}

#[test]
fn undo_and_redo_pass_through_every_position() {
    let mut moves = 0;
    for seed in 0..30 {
        let mut rng = Seed::new(seed).rng();
        let mut round = Round::new("8x6/9".parse().unwrap(), FirstClick::Safe, Seed::new(seed));
        let mut positions = vec![round.view().to_string()];
        for _ in 0..200 {
            let cell = random_cell(round.board(), &mut rng);
            let done = match rng.random_range(0..6u32) {
                0..3 => round.flag(cell),
                3 => round.chord(cell),
                _ => round.open(cell),
            };
            if done.is_ok() {
                positions.push(round.view().to_string());
            }
        }
        assert_eq!(round.moves() + 1, positions.len());
        moves += round.moves();
        let end = (round.status(), round.exploded());
        for position in positions.iter().rev().skip(1) {
            round.undo().unwrap();
            assert_eq!(round.view().to_string(), *position);
            assert_eq!((round.status(), round.exploded()), (Status::Playing, None));
        }
        assert_eq!(round.undo(), Err(Refusal::NothingDone));
        for position in &positions[1..] {
            round.redo().unwrap();
            assert_eq!(round.view().to_string(), *position);
        }
        assert_eq!((round.status(), round.exploded()), end);
        assert_eq!(round.redo(), Err(Refusal::NothingUndone));
        round.restart().unwrap();
        assert_eq!(round.view().to_string(), positions[0]);
        round.redo().unwrap();
        assert_eq!(round.view().to_string(), positions[1]);
    }
    assert!(moves > 200, "{moves}");
}

#[test]
fn a_lost_click_can_be_taken_back_and_the_game_won() {
    let mut round = round("*..\n...\n..*");
    round.open(Cell(2)).unwrap();
    round.flag(Cell(7)).unwrap();
    round.open(Cell(8)).unwrap();
    assert_eq!((round.status(), round.exploded()), (Status::Lost, Some(Cell(8))));
    let shown = [0, 7, 8, 6].map(|cell| round.shown(Cell(cell)));
    assert_eq!(shown, [Shown::Mine, Shown::WrongFlag, Shown::Exploded, Shown::Covered]);
    assert_eq!(round.open(Cell(6)), Err(Refusal::Over));
    round.undo().unwrap();
    round.flag(Cell(7)).unwrap();
    for cell in [3, 6] {
        round.open(Cell(cell)).unwrap();
    }
    assert_eq!(round.status(), Status::Won);
    assert_eq!((round.shown(Cell(8)), round.mines_left()), (Shown::Flag, 0));
    // A new move after an undo leaves nothing to make again.
    assert_eq!(round.redo(), Err(Refusal::NothingUndone));
}

#[test]
fn a_chord_needs_its_flags_and_believes_them() {
    let mut round = round("*..\n...\n...");
    assert_eq!(round.chord(Cell(4)), Err(Refusal::Covered));
    round.open(Cell(4)).unwrap();
    assert_eq!(round.chord(Cell(4)), Err(Refusal::Flags { number: 1, flags: 0 }));
    round.flag(Cell(0)).unwrap();
    assert_eq!(round.open(Cell(0)), Err(Refusal::Flagged));
    assert_eq!(round.mines_left(), 0);
    round.chord(Cell(4)).unwrap();
    assert_eq!(round.status(), Status::Won);
    assert_eq!(round.moves(), 3);
    round.undo().unwrap();
    round.flag(Cell(0)).unwrap();
    round.flag(Cell(1)).unwrap();
    round.chord(Cell(4)).unwrap();
    assert_eq!((round.status(), round.exploded()), (Status::Lost, Some(Cell(0))));
    round.undo().unwrap();
    round.flag(Cell(2)).unwrap();
    assert_eq!((round.mines_left(), round.chord(Cell(4))), (-1, Err(Refusal::Flags { number: 1, flags: 2 })));
}

#[test]
fn games_have_the_mines_that_the_arena_gives_them() {
    use mineflow_minesweeper::Game;
    use mineflow_minesweeper::player::board_seed;
    let board: Board = "9x9/10".parse().unwrap();
    let mut table = table("9x9/10");
    press(&mut table, Command::NewGame);
    press(&mut table, Command::Click(Cell(7), Button::Open));
    let mut game = Game::new(board, FirstClick::Safe);
    game.start(board_seed(Seed::new(1), board).child("game", 1));
    game.open(Cell(7)).unwrap();
    assert_eq!(table.view().to_string(), game.view().to_string());
    assert_eq!(table.origin(), "seed 1 game 1");
}

#[test]
fn hints_are_the_posterior_and_their_proofs_hold() {
    let (mut by_number, mut by_layouts) = (0, 0);
    let mut table = table("16x16/40");
    press(&mut table, Command::Hints);
    for first in [0, 40, 77, 200, 255, 8, 80, 100] {
        press(&mut table, Command::NewGame);
        press(&mut table, Command::Click(Cell(first), Button::Open));
        while table.round().status() == Status::Playing {
            let (view, odds) = (table.view(), table.odds().unwrap());
            let solution = Solver::new().solve(view, &mut Budget::unlimited()).unwrap();
            for cell in view.board().all_cells() {
                let p = solution.mine_probability[cell.index()];
                assert_eq!(odds.mine(cell), (!p.is_nan()).then_some(p));
                match odds.proof(view, cell) {
                    None => assert_ne!(p, 0.0),
                    Some(Proof::Layouts) => {
                        assert_eq!(p, 0.0);
                        by_layouts += 1;
                    }
                    Some(Proof::Number(witness)) => {
                        assert!(p == 0.0 && view.grid().neighbors(witness).any(|d| d == cell));
                        let mines = view.grid().neighbors(witness).filter(|d| solution.mines.contains(d)).count();
                        assert_eq!(view.number(witness), Some(mines as u8));
                        by_number += 1;
                    }
                }
            }
            press(&mut table, Command::LetPlay);
        }
        assert_eq!(table.advice_line(), "");
    }
    assert!(by_number > 100 && by_layouts > 20, "{by_number} {by_layouts}");
}

#[test]
fn a_player_that_goes_on_makes_the_moves_that_it_makes_one_by_one() {
    for player in ["7.0", "4.0", "agent", "2.5", "5.0", "5.5", "6.0", "6.5"] {
        let mut by_hand = table_with("9x9/10", player, 1_000_000);
        let mut by_itself = table_with("9x9/10", player, 1_000_000);
        let mut certain = 0;
        while by_hand.round().status() == Status::Playing {
            // Hints, a move taken back and a flag change nothing in what the player does.
            press(&mut by_hand, Command::Hints);
            if let Some(advice) = by_hand.advice().filter(|advice| advice.reason == Reason::Certain) {
                certain += advice.moves.len();
                assert!(advice.moves.iter().all(|&cell| by_hand.odds().unwrap().mine(cell) == Some(0.0)));
            }
            press(&mut by_hand, Command::LetPlay);
            press(&mut by_hand, Command::Undo);
            press(&mut by_hand, Command::LetPlay);
        }
        press(&mut by_itself, Command::LetFinish);
        while by_itself.goes_on() {
            by_itself.step(NOON);
        }
        assert_eq!(by_itself.view().to_string(), by_hand.view().to_string(), "{player}");
        assert_ne!(by_itself.round().status(), Status::Playing);
        assert!(certain > 0 && !by_itself.message().is_empty());
    }
}

#[test]
fn any_command_stops_a_player_that_goes_on() {
    let mut table = table("30x16/99");
    press(&mut table, Command::LetFinish);
    assert!(table.goes_on());
    press(&mut table, Command::Cancel);
    assert!(!table.goes_on());
    let moves = table.round().moves();
    table.step(NOON);
    assert_eq!(table.round().moves(), moves);
}

#[test]
fn a_player_without_an_answer_says_why() {
    let mut table = table_with("9x9/10", "1.0", 1);
    press(&mut table, Command::Press(Button::Open));
    press(&mut table, Command::Hints);
    press(&mut table, Command::LetFinish);
    assert!(!table.goes_on());
    assert_eq!(table.round().moves(), 1);
    assert_eq!(table.message(), "1.0 gives no move: the limit of 1 nodes is reached");
}

#[test]
fn the_clock_counts_while_the_game_goes_on() {
    let seconds = Duration::from_secs;
    let mut table = table("9x9/10");
    let mut at = |second, command| {
        table.handle(command, seconds(second));
        table.time(seconds(second + 100)).as_secs()
    };
    assert_eq!(at(5, Command::Click(Cell(0), Button::Flag)), 0);
    assert_eq!(at(9, Command::Click(Cell(40), Button::Open)), 100);
    assert_eq!(at(10, Command::LetFinish), 101);
    for second in 11..60 {
        table.step(seconds(second));
    }
    assert_ne!(table.round().status(), Status::Playing);
    let end = table.time(seconds(60));
    assert!(end < seconds(51) && end == table.time(seconds(999)));
    table.handle(Command::Undo, seconds(1000));
    assert_eq!(table.time(seconds(1007)), end + seconds(7));
    table.handle(Command::Restart, seconds(1010));
    assert_eq!(table.time(seconds(1020)), NOON);
}

#[test]
fn the_cursor_stays_on_the_board() {
    let mut table = table("7x4/3");
    let mut go = |direction, steps| {
        press(&mut table, Command::Go(direction, steps));
        table.view().board().row_col(table.cursor())
    };
    assert_eq!(go(Direction::Left, usize::MAX), (1, 0));
    assert_eq!(go(Direction::Up, 2), (0, 0));
    assert_eq!(go(Direction::Down, usize::MAX), (3, 0));
    assert_eq!(go(Direction::Right, 5), (3, 5));
    assert_eq!(go(Direction::Right, 5), (3, 6));
    press(&mut table, Command::Play("2x2/1".parse().unwrap()));
    assert_eq!(table.cursor(), Cell(0));
}

fn type_in(table: &mut Table, question: Question, text: &str) -> Effect {
    press(table, Command::Ask(question));
    while let Mode::Typing(Prompt { text, .. }) = table.mode()
        && !text.is_empty()
    {
        press(table, Command::Erase);
    }
    text.chars().for_each(|typed| press(table, Command::Type(typed)));
    table.handle(Command::Confirm, NOON)
}

#[test]
fn boards_players_and_files_are_asked_for() {
    let mut table = table("9x9/10");
    assert_eq!(type_in(&mut table, Question::Board, "12x5/7"), Effect::Nothing);
    assert_eq!(table.view().board().to_string(), "12x5/7");
    type_in(&mut table, Question::Board, "12x5/99");
    assert_eq!(table.message(), "99 mines don't fit on a board of 60 cells");
    assert_eq!(type_in(&mut table, Question::Player, "dss+components+min-p"), {
        Effect::Find("dss+components+min-p".to_owned())
    });
    table.seat("2.0".parse().map_err(|_| String::new()));
    assert_eq!(table.player().name, "2.0");
    table.seat(Err("no such player".to_owned()));
    assert_eq!((table.player().name.as_str(), table.message()), ("2.0", "no such player"));
    assert_eq!(table.handle(Command::NextPlayer, NOON), Effect::Find("4.0".to_owned()));
    assert_eq!(table.handle(Command::NextPlayer, NOON), Effect::Find("7.0".to_owned()));
    assert_eq!(type_in(&mut table, Question::Load, "some file.txt"), Effect::Read("some file.txt".into()));
    assert_eq!(type_in(&mut table, Question::Load, ""), Effect::Nothing);
    press(&mut table, Command::Ask(Question::Load));
    press(&mut table, Command::Cancel);
    assert_eq!(*table.mode(), Mode::Playing);
}

#[test]
fn a_file_that_is_there_gives_way_only_if_asked_to() {
    let mut table = table("9x9/10");
    press(&mut table, Command::Press(Button::Open));
    let save = |table: &mut Table| match type_in(table, Question::Save, "a.txt") {
        Effect::Write { path, bytes, existing } => (path, bytes, existing),
        other => panic!("{other:?}"),
    };
    let (path, bytes, existing) = save(&mut table);
    assert_eq!(existing, mineflow_minesweeper::play::Existing::Keep);
    table.saved(path.clone(), bytes.clone(), Written::Exists);
    assert!(matches!(table.mode(), Mode::Typing(Prompt { question: Question::Replace { .. }, .. })));
    press(&mut table, Command::Type('n'));
    assert_eq!((table.handle(Command::Confirm, NOON), table.message()), (Effect::Nothing, "not saved"));
    table.saved(path.clone(), bytes.clone(), Written::Exists);
    press(&mut table, Command::Type('y'));
    let replace = table.handle(Command::Confirm, NOON);
    assert_eq!(
        replace,
        Effect::Write { path: path.clone(), bytes, existing: mineflow_minesweeper::play::Existing::Replace }
    );
    table.saved(path, Vec::new(), Written::Done);
    assert_eq!((table.message(), table.origin()), ("saved a.txt", "a.txt".to_owned()));
}
