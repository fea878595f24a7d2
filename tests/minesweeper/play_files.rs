//! Games in files: what is saved comes back, what is broken is an error, positions without mines get some that fit.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use mineflow_minesweeper::play::saved::{self, Format, Loaded, Missing, SavedError};
use mineflow_minesweeper::play::{Adviser, Round, Shown, fitting_field};
use mineflow_minesweeper::player::GameStart;
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::text::TextError;
use mineflow_minesweeper::{Cell, FirstClick, Minefield, Status, View, text};
use mineflow_rng::Seed;
use rand::RngExt;

use crate::brute_force::posterior;

const MISSING: Missing = Missing { seed: Seed::new(5), first_click: FirstClick::Safe, node_limit: 1_000_000 };

fn read(text: &str) -> Result<Loaded, SavedError> {
    saved::read(text.as_bytes(), Format::Text, &MISSING)
}

fn shown(round: &Round) -> Vec<Shown> {
    round.board().all_cells().map(|cell| round.shown(cell)).collect()
}

#[test]
fn a_saved_text_keeps_the_state_of_play() {
    let mut endings = Vec::new();
    for seed in 0..20 {
        let mut rng = Seed::new(seed).rng();
        let mut adviser = Adviser::new("7.0".parse().unwrap(), 1_000_000);
        let rule = [FirstClick::Safe, FirstClick::Opening, FirstClick::Any][seed as usize % 3];
        let mut round = Round::new("12x7/14".parse().unwrap(), rule, Seed::new(seed));
        for move_number in 0.. {
            let time = Duration::from_millis(1001 * move_number);
            let bytes = saved::write(&round, time, Format::Text).unwrap();
            let Loaded { round: again, time: its_time } = saved::read(&bytes, Format::Text, &MISSING).unwrap();
            assert_eq!(shown(&again), shown(&round));
            assert_eq!((again.status(), again.exploded(), its_time), (round.status(), round.exploded(), time));
            assert_eq!(again.first_click(), round.first_click());
            let mines = |round: &Round| round.field().map(Minefield::to_string);
            assert_eq!(mines(&again), mines(&round));
            assert_eq!(saved::write(&again, time, Format::Text).unwrap(), bytes);
            if round.status() != Status::Playing {
                endings.push(round.status());
                let mut back = again;
                assert_eq!(back.undo().is_ok(), round.status() == Status::Lost, "a lost click is a move of its own");
                break;
            }
            let _ = round.flag(Cell(rng.random_range(0..84u32) as u16));
            let game = GameStart { board: round.board(), first_click: rule, seed: Seed::new(seed) };
            let advice = adviser.advise(round.view(), &game).unwrap();
            round.open_chosen(&advice.moves).unwrap();
        }
    }
    assert!(endings.contains(&Status::Won) && endings.contains(&Status::Lost));
}

#[test]
fn a_saved_text_is_made_of_known_forms() {
    let mut round = Round::on("...\n.*.".parse().unwrap());
    round.open(Cell(0)).unwrap();
    round.flag(Cell(4)).unwrap();
    round.open(Cell(3)).unwrap();
    let bytes = saved::write(&round, Duration::from_millis(12_250), Format::Text).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text, "3x2x1\n1HH\n1FH\n\n...\n.*.\n\nfirst-click any\nseconds 12.250\n");
    let blocks: Vec<_> = text.split("\n\n").collect();
    assert_eq!(text::read_mine(blocks[0]).unwrap().to_string(), round.view().to_string());
    assert_eq!(blocks[1].parse::<Minefield>().unwrap().to_string(), round.field().unwrap().to_string());
}

#[test]
fn a_board_file_keeps_the_mines() {
    let mut round = Round::new("9x9/10".parse().unwrap(), FirstClick::Safe, Seed::new(1));
    assert_eq!(saved::write(&round, Duration::ZERO, Format::Mbf), Err(SavedError::NothingLaid));
    round.open(Cell(0)).unwrap();
    let bytes = saved::write(&round, Duration::ZERO, Format::Mbf).unwrap();
    let again = saved::read(&bytes, Format::of(Path::new("a/B.MBF")), &MISSING).unwrap().round;
    assert_eq!(again.field().unwrap().to_string(), round.field().unwrap().to_string());
    assert!(again.view().opened().is_empty());
}

#[test]
fn a_minefield_alone_is_a_game_not_begun() {
    let loaded = read("*..\n...\n").unwrap().round;
    assert_eq!((loaded.board().to_string().as_str(), loaded.view().opened().len()), ("3x2/1", 0));
    // Rows alone take their number of mines from the minefield.
    let loaded = read("F##\n##1\n\n*..\n...\n").unwrap_err();
    assert_eq!(loaded, TextError::Differ.into());
    assert_eq!(read("F1#\n##0\n\n*..\n...\n").unwrap().round.view().to_string(), "F10\n#10");
}

/// How often each layout is drawn for a position, and how many layouts fit.
fn frequencies(view: &View, draws: u64) -> (HashMap<String, u64>, u64) {
    let mut drawn = HashMap::new();
    for seed in 0..draws {
        let field = fitting_field(view, Seed::new(seed), &mut Budget::unlimited()).unwrap();
        let fits = |&cell: &Cell| !field.is_mine(cell) && view.number(cell) == Some(field.number(cell));
        assert!(field.mines() == view.mines() && view.opened().iter().all(fits), "{field}");
        *drawn.entry(field.to_string()).or_default() += 1;
    }
    (drawn, posterior(view).layouts)
}

#[test]
fn mines_for_a_position_are_drawn_from_all_layouts_alike() {
    for (rows, mines) in [
        (&["1##", "###"][..], 2),
        (&["1#1", "###", "###"][..], 3),
        (&["#2#", "###"][..], 2),
        (&["####", "#3##", "####"][..], 4),
    ] {
        let view = View::from_rows(rows, mines).unwrap();
        let draws = 4000;
        let (drawn, layouts) = frequencies(&view, draws);
        assert_eq!(drawn.len() as u64, layouts, "every layout is drawn");
        let expected = draws as f64 / layouts as f64;
        let chi_square: f64 = drawn.values().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        // Mean n and variance 2n; five deviations.
        let n = (layouts - 1) as f64;
        assert!(chi_square < n + 5.0 * (2.0 * n).sqrt() + 5.0, "{rows:?}: {chi_square} for {n}");
    }
}

#[test]
fn a_position_alone_is_played_on_with_mines_that_fit() {
    let loaded = read(
        "9x9x10\nHHHHHHHHH\nHH2HHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHH3HHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHFH\nHHHHHHHHH\n",
    );
    let round = loaded.unwrap().round;
    assert_eq!(round.view().opened(), [Cell(11), Cell(40)]);
    assert_eq!((round.view().number(Cell(11)), round.field().unwrap().number(Cell(40))), (Some(2), 3));
    assert_eq!((round.shown(Cell(70)), round.field().unwrap().mines()), (Shown::Flag, 10));
    let untouched = read("3x1x1\nHFH\n").unwrap().round;
    assert!(untouched.field().is_none());
    assert_eq!((untouched.shown(Cell(1)), untouched.first_click()), (Shown::Flag, FirstClick::Safe));
}

#[test]
fn broken_texts_are_errors_that_name_the_line() {
    let cases = [
        ("", "there is neither a position nor a minefield in the text"),
        ("seconds 5\n", "there is neither a position nor a minefield in the text"),
        ("1#\n##\n", "rows alone don't say how many mines there are"),
        ("2x1x1\nHH\n\n2x1x1\nHH\n", "line 4: a second position"),
        ("*.\n\n..\n", "line 3: a second minefield"),
        ("*.\n\n*?\n", "line 3: a second minefield"),
        ("2x1x1\nHH\n\n*?\n", "line 4, column 2: '?' is not a cell"),
        ("2x1x1\nHH\n\n**\n", "don't fit together"),
        ("2x1x1\n1H\n\n*.\n", "don't fit together"),
        ("2x1x1\n0H\n", "no mines can be laid that fit the position"),
        ("*.\n\nfirst-click never\n", "line 3: `first-click never` is none of"),
        ("*.\n\nseconds 1\nseconds -1\n", "line 4: `seconds -1` is none of"),
        ("*.\n\nseconds NaN\n", "line 3"),
        ("*.\n\nexploded 0 1\n", "`exploded` names no covered mine"),
        ("*.\n\nexploded 5 5\n", "`exploded` names no covered mine"),
        ("x\n", "line 1: `x` is none of"),
        ("9x\n", "line 1: `9x` is not a size"),
    ];
    for (text, expected) in cases {
        let message = read(text).unwrap_err().to_string();
        assert!(message.contains(expected), "{text:?}: {message}");
    }
    let binary = saved::read(&[b'1', 0xff], Format::Text, &MISSING).unwrap_err();
    assert_eq!(binary, SavedError::NoText(2));
}

#[test]
fn whatever_the_bytes_reading_does_not_panic() {
    let valid = "4x3x2\n1HHH\n1F2H\nHHHH\n\n....\n.*.*\n....\n\nfirst-click safe\nseconds 1.000\nexploded 1 3\n";
    read(valid).unwrap();
    let mut rng = Seed::new(1).rng();
    let letters = b"0123456789xHF#*.\n -efs";
    let mut read_well = 0;
    for _ in 0..3000 {
        let mut bytes = valid.as_bytes().to_vec();
        for _ in 0..rng.random_range(1..4u32) {
            let at = rng.random_range(0..bytes.len() as u32) as usize;
            match rng.random_range(0..3u32) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = letters[rng.random_range(0..letters.len() as u32) as usize],
                _ => bytes.insert(at, letters[rng.random_range(0..letters.len() as u32) as usize]),
            }
        }
        for format in [Format::Text, Format::Mbf] {
            read_well += u32::from(saved::read(&bytes, format, &MISSING).is_ok());
        }
    }
    assert!(read_well > 50, "{read_well}");
}
