//! Tests of positions and minefields as text, `.mine` and `.mbf`: golden texts, round trips, one
//! error of each kind, invalid input.

use std::sync::Arc;

use crate::files::assert_has;
use mineflow_minesweeper::board_text::BoardText;
use mineflow_minesweeper::links;
use mineflow_minesweeper::mbf;
use mineflow_minesweeper::text::{self, TextError};
use mineflow_minesweeper::{Board, Cell, CellView, Grid, Minefield, View};
use proptest::prelude::*;

const MINE_TEXT: &str = "5x3x4\n01HH0\n12F8H\n23456\n";

#[test]
fn a_mine_text_round_trips() {
    let view = text::read_mine(MINE_TEXT).unwrap();
    assert_eq!(view.board().to_string(), "5x3/4");
    assert_eq!(text::write_mine(&view), MINE_TEXT);
    assert_eq!(view.to_string(), "01##0\n12F8#\n23456");
    let seen: Vec<CellView> = [1, 2, 7, 8].map(|cell| view.at(Cell(cell))).into();
    assert_eq!(
        seen,
        [
            CellView::Open(1),
            CellView::Covered,
            CellView::Flagged,
            CellView::Open(8)
        ]
    );
}

#[test]
fn letters_of_jsminesweeper_are_covered_cells() {
    let lost = text::read_mine(include_str!("../data/positions/jsm-lost-game.mine")).unwrap();
    assert_eq!(lost.to_string(), "#1##1##1#\n##00000##\n#########");
    assert_eq!(
        View::from_rows(&["?MI", "O1F"], 1).unwrap().to_string(),
        "###\nF1F"
    );
    let rows_alone: BoardText = "?1\n##\n\n*.\n..\n".parse().unwrap();
    assert_eq!(rows_alone.position.unwrap().to_string(), "#1\n##");
}

#[test]
fn cells_are_opened_in_row_major_order() {
    let view = text::read_mine(MINE_TEXT).unwrap();
    assert_eq!(view.opened().len(), 11);
    assert!(view.opened().is_sorted());
}

#[test]
fn line_breaks_blank_lines_indents_and_a_byte_order_mark_change_nothing() {
    let windows = MINE_TEXT.replace('\n', "\r\n");
    let padded = format!("\u{feff}\n \t\n{}\n  \n", MINE_TEXT.replace('\n', " \n\t"));
    for same in [windows.as_str(), padded.as_str(), MINE_TEXT.trim_end()] {
        assert_eq!(text::write_mine(&text::read_mine(same).unwrap()), MINE_TEXT);
        assert_eq!(
            text::write_mine(&text::read(same, None).unwrap()),
            MINE_TEXT
        );
    }
}

#[test]
fn rows_alone_take_their_mines_from_the_caller() {
    for text in [
        "01##0\n12F8#\n23456",
        "01HH0\r\n12F8H\r\n23456\r\n\r\n",
        MINE_TEXT,
    ] {
        assert_eq!(
            text::write_mine(&text::read(text, Some(4)).unwrap()),
            MINE_TEXT
        );
    }
}

#[test]
fn every_text_error_names_the_place_and_the_mistake() {
    for (text, mines, expected) in [
        (" \n\n", None, "there is no board: every line is blank"),
        (
            "\n3x2\n#",
            None,
            "line 2: `3x2` is not a size; write WIDTHxHEIGHTxMINES",
        ),
        (
            "3x2x1x1\n###",
            None,
            "line 1: `3x2x1x1` is not a size; write WIDTHxHEIGHTxMINES",
        ),
        (
            "3x-2x1",
            None,
            "line 1: `3x-2x1` is not a size; write WIDTHxHEIGHTxMINES",
        ),
        (
            "99999999999999999999x1x1",
            None,
            "line 1: `99999999999999999999x1x1` is not a size; write WIDTHxHEIGHTxMINES",
        ),
        (
            "3x2x1\n#01\n#9#",
            None,
            "line 3, column 2: '9' is not a cell; write # or H",
        ),
        (
            "\n  ###\n  1é1",
            Some(1),
            "line 3, column 4: 'é' is not a cell; write # or H",
        ),
        (
            "3x2x1\n###\n####",
            None,
            "line 3: a row of 4 cells on a board that is 3 wide",
        ),
        (
            "###\n##\n###",
            Some(1),
            "line 2: a row of 2 cells on a board that is 3 wide",
        ),
        (
            "###\n\n###",
            Some(1),
            "line 2: a row of 0 cells on a board that is 3 wide",
        ),
        ("3x2x1\n###", None, "1 rows on a board that is 2 high"),
        (
            "3x2x1\n###\n###\n###",
            None,
            "3 rows on a board that is 2 high",
        ),
        (
            "###",
            None,
            "rows alone don't say how many mines there are; begin with a line WIDTHxHEIGHTxMINES such as 9x9x10",
        ),
        (
            "3x1x1\n###",
            Some(2),
            "line 1 says 1 mines, but 2 are asked for; leave one of the two out",
        ),
        ("0x2x1", None, "a board of 0 x 2 cells is empty"),
        (
            "65535x2x1",
            None,
            "a board of 65535 x 2 cells has more than 65535 cells",
        ),
        ("###", Some(4), "4 mines don't fit on a board of 3 cells"),
    ] {
        assert_has(text::read(text, mines).unwrap_err().to_string(), expected);
    }
    assert_eq!(
        text::read_mine("###").unwrap_err(),
        TextError::Size {
            line: 1,
            found: "###".to_owned()
        }
    );
}

#[test]
fn a_text_has_a_position_or_a_minefield_and_notes() {
    let saved = "3x2x1\n1HH\n1FH\n\n...\n.*.\n\nfirst-click any\nseconds 12.250\nexploded 1 1\n";
    let BoardText { position, field } = saved.parse().unwrap();
    assert_eq!(
        (position.unwrap().to_string(), field.unwrap().to_string()),
        ("1##\n1F#".into(), "...\n.*.".into())
    );
    let alone: BoardText = "*..\n...\n".parse().unwrap();
    assert!(alone.position.is_none() && alone.field.is_some());
    for (text, expected) in [
        (
            "",
            "there is neither a position nor a minefield in the text",
        ),
        (
            "seconds 5\n",
            "there is neither a position nor a minefield in the text",
        ),
        ("1#\n##\n", "rows alone don't say how many mines there are"),
        ("2x1x1\nHH\n\n2x1x1\nHH\n", "line 4: a second position"),
        ("*.\n\n..\n", "line 3: a second minefield"),
        ("*.\n\n*?\n", "line 3: a second minefield"),
        ("2x1x1\nHH\n\n*?\n", "line 4, column 2: '?' is not a cell"),
        ("2x1x1\nHH\n\n**\n", "don't fit together"),
        ("2x1x1\n1H\n\n*.\n", "don't fit together"),
        ("F##\n##1\n\n*..\n...\n", "don't fit together"),
        (
            "*.\n\nseconds 1\nminutes 1\n",
            "line 4: `minutes 1` is none of",
        ),
        ("x\n", "line 1: `x` is none of"),
        ("9x\n", "line 1: `9x` is not a size"),
    ] {
        let message = text.parse::<BoardText>().unwrap_err().to_string();
        assert_has(&message, expected);
    }
}

#[test]
fn a_long_first_line_is_quoted_in_part() {
    let error = text::read(&"x".repeat(100_000), None).unwrap_err();
    assert!(error.to_string().len() < 150);
}

#[test]
fn rows_of_a_program_are_taken_literally() {
    let grid = || Arc::new(Grid::new(Board::new(3, 2, 0).unwrap()));
    assert_eq!(
        text::view_on(grid(), 1, &["##1", "F10"])
            .unwrap()
            .to_string(),
        "##1\nF10"
    );
    assert!(matches!(
        text::view_on(grid(), 1, &[" ##1", "F10"]),
        Err(TextError::NoCell {
            line: 1,
            column: 1,
            found: ' ',
            ..
        })
    ));
    assert_eq!(
        text::view_on(grid(), 1, &["##1", "F10", ""]).unwrap_err(),
        TextError::RowCount {
            found: 3,
            height: 2
        }
    );
    assert_eq!(
        View::from_rows(&["##1", "F10"], 1).unwrap().to_string(),
        "##1\nF10"
    );
    assert_eq!(
        View::from_rows(&["##", "#"], 1).unwrap_err(),
        TextError::RowLength {
            line: 2,
            found: 1,
            width: 2
        }
    );
    assert!(matches!(
        View::from_rows(&[""; 0], 0),
        Err(TextError::Board(_))
    ));
    assert!(matches!(
        text::view_on(grid(), 7, &["##1", "F10"]),
        Err(TextError::Board(_))
    ));
}

#[test]
fn minefield_errors_name_the_place_and_the_mistake() {
    for (text, expected) in [
        ("*.\n.#", "line 2, column 2: '#' is not a cell"),
        (
            "*.\n*",
            "line 2: a row of 1 cells on a board that is 2 wide",
        ),
        ("", "there is no board: every line is blank"),
    ] {
        let error = text.parse::<Minefield>().unwrap_err();
        assert_has(error.to_string(), expected);
    }
}

/// A minefield of 4 columns and 3 rows, with mines at (column, row) (3, 0), (0, 1) and (2, 2).
const FIELD: &str = "...*\n*...\n..*.";
const FIELD_MBF: [u8; 10] = [4, 3, 0, 3, 3, 0, 0, 1, 2, 2];

#[test]
fn a_board_file_is_read_and_written_byte_for_byte() {
    let field: Minefield = FIELD.parse().unwrap();
    assert_eq!(mbf::write(&field).unwrap(), FIELD_MBF);
    assert_eq!(mbf::read(&FIELD_MBF).unwrap().to_string(), FIELD);
}

#[test]
fn the_mines_of_a_board_file_may_come_in_any_order() {
    let field = mbf::read(&[4, 3, 0, 3, 2, 2, 0, 1, 3, 0]).unwrap();
    assert_eq!(field.to_string(), FIELD);
}

#[test]
fn the_mine_count_of_a_board_file_is_big_endian() {
    let full = Minefield::from_mines(
        Arc::new(Grid::new(Board::new(20, 20, 0).unwrap())),
        (0..300).map(Cell),
    );
    let bytes = mbf::write(&full).unwrap();
    assert_eq!(bytes[..4], [20, 20, 1, 44]);
    assert_eq!(mbf::read(&bytes).unwrap().mines(), 300);
}

#[test]
fn every_board_file_error_says_what_is_wrong() {
    for (bytes, expected) in [
        (
            &FIELD_MBF[..3],
            "3 bytes are too few for a board file, which begins with 4 of width, height and number of mines",
        ),
        (
            &FIELD_MBF[..9],
            "a board file with 3 mines has 10 bytes, this one has 9",
        ),
        (
            &[2, 2, 0, 0, 1],
            "a board file with 0 mines has 4 bytes, this one has 5",
        ),
        (&[0, 3, 0, 0], "a board of 0 x 3 cells is empty"),
        (&[2, 2, 1, 0], "256 mines don't fit on a board of 4 cells"),
        (
            &[4, 3, 0, 2, 0, 0, 4, 1],
            "mine 2 of the board file is at column 4, row 1, off a board of 4 x 3 cells",
        ),
        (
            &[4, 3, 0, 2, 1, 2, 1, 2],
            "mine 2 of the board file is at column 1, row 2, where there is one already",
        ),
    ] {
        assert_has(mbf::read(bytes).unwrap_err().to_string(), expected);
    }
    let wide = Minefield::new(Arc::new(Grid::new(Board::new(256, 1, 0).unwrap())));
    assert_eq!(
        mbf::write(&wide).unwrap_err().to_string(),
        "a board file holds at most 255 columns and 255 rows; this board has 256 and 1"
    );
}

/// Returns a strategy for rows of cells drawn from `letters`.
fn drawing(letters: &'static str, longest: usize) -> impl Strategy<Value = String> {
    let letters: Vec<char> = letters.chars().collect();
    (1..=longest, 1..=longest).prop_flat_map(move |(width, height)| {
        let row = prop::collection::vec(prop::sample::select(letters.clone()), width);
        prop::collection::vec(row.prop_map(String::from_iter), height)
            .prop_map(|rows| rows.join("\n"))
    })
}

/// Returns a text with a few characters replaced, inserted or deleted.
fn spoil(text: &str, edits: &[(prop::sample::Index, u8, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, kind, letter) in edits {
        let at = place.index(chars.len() + 1);
        match kind % 3 {
            0 => chars.insert(at, *letter),
            1 if at < chars.len() => chars[at] = *letter,
            _ if at < chars.len() => drop(chars.remove(at)),
            _ => chars.push(*letter),
        }
    }
    chars.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, char)>> {
    let letter = prop_oneof![
        prop::sample::select("x09#HF*. \n\r-\u{feff}".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), letter), 1..5)
}

/// Checks that every written form of `view` is read back as the same cells by every reader, even if
/// no game can reach the view.
fn survives(view: &View) -> Result<(), TestCaseError> {
    let (mine, rows) = (text::write_mine(view), view.to_string());
    let linked = links::read(&links::position(view).unwrap()).unwrap();
    let read = [
        text::read_mine(&mine).unwrap(),
        text::read(&mine, None).unwrap(),
        text::read(&rows, Some(view.mines())).unwrap(),
        View::from_rows(&rows.lines().collect::<Vec<_>>(), view.mines()).unwrap(),
        mine.parse::<BoardText>().unwrap().position.unwrap(),
        linked,
    ];
    for again in read {
        prop_assert_eq!(again.to_string(), view.to_string());
        prop_assert_eq!(again.board(), view.board());
    }
    Ok(())
}

proptest! {
    #[test]
    fn positions_survive_writing_and_reading(rows in drawing("#F012345678", 12), share in 0.0..=1.0) {
        let cells = rows.chars().filter(|&letter| letter != '\n').count();
        let view = text::read(&rows, Some((cells as f64 * share) as usize)).unwrap();
        prop_assert_eq!(view.to_string(), rows);
        survives(&view)?;
    }

    #[test]
    fn minefields_survive_writing_and_reading(rows in drawing("*...", 40)) {
        let field: Minefield = rows.parse().unwrap();
        prop_assert_eq!(field.mines(), rows.matches('*').count());
        prop_assert_eq!(field.to_string(), rows.clone());
        let bytes = mbf::write(&field).unwrap();
        prop_assert_eq!(bytes.len(), 4 + 2 * field.mines());
        prop_assert_eq!(mbf::read(&bytes).unwrap().to_string(), rows);
    }

    #[test]
    fn a_spoilt_position_is_read_or_refused(
        rows in drawing("#F012345678", 6),
        mines in 0..40usize,
        edits in edits(),
    ) {
        let width = rows.lines().next().unwrap().len();
        let mine_text = spoil(&format!("{width}x{}x{mines}\n{rows}\n", rows.lines().count()), &edits);
        let rows_text = spoil(&rows, &edits);
        for read in [text::read(&mine_text, None), text::read_mine(&mine_text), text::read(&rows_text, Some(mines))] {
            match read {
                Ok(view) => survives(&view)?,
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        mines in prop::option::of(any::<usize>()),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = (text.parse::<Minefield>(), text.parse::<BoardText>());
        let reads = [text::read(&text, mines), text::read_mine(&text)];
        for view in reads.into_iter().flatten() {
            survives(&view)?;
        }
    }

    #[test]
    fn a_spoilt_board_file_is_read_or_refused(
        rows in drawing("*...", 9),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![0..10u8, any::<u8>()]), 0..3),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = mbf::write(&rows.parse().unwrap()).unwrap();
        for (place, byte) in edits {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(field) = mbf::read(&bytes) {
            prop_assert_eq!(mbf::read(&mbf::write(&field).unwrap()).unwrap().to_string(), field.to_string());
        }
    }

    #[test]
    fn any_bytes_are_a_board_file_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(field) = mbf::read(&bytes) {
            prop_assert_eq!(4 + 2 * field.mines(), bytes.len());
        }
    }
}

#[test]
fn flags_in_a_link_count_for_the_numbers_beside_them() {
    // A 3x1 board with one mine: a 1 whose mine is flagged (written as 0), the flag, a covered cell.
    let view = links::read("?analysis=adabaaabb2S").unwrap();
    assert_eq!(view.to_string(), "1F#");
}

#[test]
fn what_is_not_a_link_with_a_board_is_refused() {
    for (text, words) in [
        ("https://example.org", "no `analysis`"),
        ("?analysis=ab", "0 cells"),
        ("?analysis=adabaaab-", "a to z"),
        (
            "?analysis=adabaaab99999999999999999999999999",
            "cells for a board of 3 x 1",
        ),
    ] {
        let error = links::read(text).expect_err(text).to_string();
        assert_has(&error, words);
    }
}

#[test]
fn a_board_beyond_the_digits_of_a_link_is_refused() {
    let strip = |width| View::from_rows(&["1".repeat(width)], 0).unwrap();
    let back = links::read(&links::position(&strip(3843)).unwrap()).unwrap();
    assert_eq!(back.board(), strip(3843).board());
    let message = links::position(&strip(3844)).unwrap_err().to_string();
    assert_eq!(
        message,
        "a JSMinesweeper link holds boards up to 3843 x 3843, not 3844 x 1"
    );
}
