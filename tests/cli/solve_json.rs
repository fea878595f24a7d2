//! Tests of `pipeline solve`: JSON Lines through the library, compared with brute force line by
//! line; the printed board.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Write};
use std::rc::Rc;

use mineflow_cli::solve::board::write_solution;
use mineflow_minesweeper::json_lines::{LineCounts, LinesError, MAX_LINE, answer_lines};
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::text;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::brute_force;
use crate::files::{assert_golden, assert_has};

const NODES: u64 = 1_000_000;
const GOOD: &str = r#"{"id":1,"width":4,"height":3,"mines":2,"rows":["01##","01F#","0111"]}"#;
const GOOD_ANSWER: &str = concat!(
    r#"{"id":1,"solutions":"1","mine_probability":[[null,null,0.0,1.0],[null,null,1.0,0.0],[null,null,null,null]],"#,
    r#""safe":[[0,2],[1,3]],"mines":[[0,3],[1,2]]}"#
);

fn nodes(limit: u64) -> Budget {
    Budget::new(Some(limit), None)
}

fn answer(input: impl AsRef<[u8]>) -> (Vec<String>, LineCounts) {
    let mut output = Vec::new();
    let counts = answer_lines(input.as_ref(), &mut output, &nodes(NODES), false).unwrap();
    (
        String::from_utf8(output)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect(),
        counts,
    )
}

/// Returns the id and the error in the answer to one line.
fn refused(line: impl AsRef<[u8]>) -> (Value, String) {
    let (answers, counts) = answer(line);
    assert_eq!(
        (answers.len(), counts),
        (
            1,
            LineCounts {
                solved: 0,
                errors: 1
            }
        )
    );
    let answer: Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer.as_object().unwrap().len(), 2, "{answer}");
    (
        answer["id"].clone(),
        answer["error"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn an_answer_has_the_promised_fields_in_their_order() {
    assert_eq!(
        answer(GOOD),
        (
            vec![GOOD_ANSWER.to_owned()],
            LineCounts {
                solved: 1,
                errors: 0
            }
        )
    );
}

#[test]
fn probabilities_equal_those_of_brute_force_and_flags_prove_nothing() {
    let rows = ["F#1##", "221##", "#####"];
    let view = text::read(&rows.join("\n"), Some(4)).unwrap();
    let expected = brute_force::posterior(&view);
    let (answers, _) =
        answer(json!({"width": 5, "height": 3, "mines": 4, "rows": rows}).to_string());
    let answer: Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer["id"], Value::Null);
    assert_eq!(answer["solutions"], expected.layouts.to_string());
    for cell in view.board().all_cells() {
        let (row, col) = view.board().row_col(cell);
        match (
            answer["mine_probability"][row][col].as_f64(),
            expected.probability(cell),
        ) {
            (Some(found), Some(truth)) => {
                assert!((found - truth).abs() < 1e-12, "{cell:?}: {found} {truth}")
            }
            (found, truth) => assert_eq!(found, truth),
        }
    }
}

#[test]
fn an_id_is_returned_unchanged() {
    for id in [
        "null",
        "0",
        "-1.50",
        "123456789012345678901234567890",
        "1e999",
        r#""\u00e9 é""#,
        r#"{"b": [1],"a":{}}"#,
    ] {
        for line in [
            GOOD.replace(r#""id":1"#, &format!(r#""id":{id}"#)),
            format!(r#" {{ "x" : [1, {{"id":2}}] , "\u0069d" : {id} , "y":0}} "#),
        ] {
            let (answers, _) = answer(&line);
            assert!(
                answers[0].starts_with(&format!(r#"{{"id":{id},""#)),
                "{}",
                answers[0]
            );
        }
    }
}

#[test]
fn every_invalid_line_gets_an_error_that_names_the_mistake() {
    for (line, mistake) in [
        ("foo", "input line 1, column 2: expected ident"),
        (&GOOD[..40], "input line 1, column 40: EOF"),
        (
            r#"[1,4,3,2,["01##","01F#","0111"]]"#,
            "is not a JSON object",
        ),
        ("5", "is not a JSON object"),
        (r#"{"id":1,"width":4}"#, "missing field `height`"),
    ] {
        assert_has(&refused(line).1, mistake);
    }
    for (from, to, mistake) in [
        ("{", r#"{"depth":1,"#, "unknown field `depth`"),
        ("{", r#"{"width":4,"#, "duplicate field `width`"),
        (":4", ":-4", "invalid value: integer `-4`"),
        (":4", ":4.5", "invalid type: floating point `4.5`"),
        (":4", ":0", "a board of 0 x 3 cells is empty"),
        (":4", ":9999999999", "has more than 65535 cells"),
        (r#"es":2"#, r#"es":13"#, "13 mines don't fit"),
        (":3", ":4", "in `rows`, 3 rows"),
        ("01##", "01#", "in `rows`, line 1: a row of 3 cells"),
        ("F", "9", "in `rows`, line 2, column 3: '9' is not a cell"),
        ("0111", "0118", "contradict"),
    ] {
        let message = refused(GOOD.replace(from, to)).1;
        assert_has(&message, mistake);
    }
    let message = refused(b"{\"id\":\xff}").1;
    assert_eq!(message, "input line 1, byte 7: not UTF-8");
}

#[test]
fn an_error_keeps_the_id_of_a_line_that_is_json() {
    assert_eq!(refused(r#"{"width":true,"id":[7]}"#).0, json!([7]));
    assert_eq!(refused(GOOD.replace("0111", "0118")).0, json!(1));
    assert_eq!(refused(r#"{"id":7"#).0, Value::Null);
    assert_eq!(refused(r#"[7]"#).0, Value::Null);
}

#[test]
fn an_invalid_line_keeps_its_place_and_blank_lines_are_skipped() {
    let second = GOOD.replace(r#""id":1"#, r#""id":2"#);
    let input = [
        b"\n  \r\n",
        GOOD.as_bytes(),
        b"\r\n\xff\xfe\n\n",
        second.as_bytes(),
    ]
    .concat();
    let (answers, counts) = answer(input);
    assert_eq!(
        counts,
        LineCounts {
            solved: 2,
            errors: 1
        }
    );
    assert_eq!(answers[0], GOOD_ANSWER);
    assert_eq!(
        answers[1],
        r#"{"id":null,"error":"input line 4, byte 1: not UTF-8"}"#
    );
    assert_eq!(answers[2], GOOD_ANSWER.replace(r#""id":1"#, r#""id":2"#));
}

#[test]
fn an_endless_line_is_refused_and_the_next_one_is_answered() {
    let input = io::repeat(b'[')
        .take(3 * MAX_LINE as u64)
        .chain(&b"\n"[..])
        .chain(GOOD.as_bytes());
    let mut output = Vec::new();
    let counts = answer_lines(BufReader::new(input), &mut output, &nodes(NODES), false).unwrap();
    assert_eq!(
        counts,
        LineCounts {
            solved: 1,
            errors: 1
        }
    );
    let output = String::from_utf8(output).unwrap();
    assert_has(&output, "input line 1 has more than 1048560 bytes");
    assert!(output.ends_with(&format!("{GOOD_ANSWER}\n")));
}

#[test]
fn deep_nesting_overflows_no_stack() {
    let deep = "[".repeat(500_000) + &"]".repeat(500_000);
    assert_eq!(answer(&deep).1.errors, 1);
    assert_eq!(
        answer(GOOD.replace(r#""id":1"#, &format!(r#""id":{deep}"#)))
            .1
            .solved,
        1
    );
    assert_eq!(answer(GOOD.replace(r#""01##""#, &deep)).1.errors, 1);
}

#[test]
fn a_line_over_the_node_limit_is_an_error_and_the_next_is_answered() {
    let easy = r#"{"width":2,"height":1,"mines":1,"rows":["1#"]}"#;
    let wide = json!({"id": 9, "width": 15, "height": 2, "mines": 5, "rows": ["###############", "12#21##12#21##1"]});
    let mut output = Vec::new();
    let counts = answer_lines(
        format!("{wide}\n{easy}").as_bytes(),
        &mut output,
        &nodes(4),
        false,
    )
    .unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(
        counts,
        LineCounts {
            solved: 1,
            errors: 1
        },
        "{output}"
    );
    assert!(output.starts_with(r#"{"id":9,"error":"#), "{output}");
}

/// A shared output.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input that delivers half a line at a time and expects all answers that are possible before
/// the next half.
struct Patient {
    sink: Sink,
    sent: usize,
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let answers = self
            .sink
            .0
            .borrow()
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        assert_eq!(answers, self.sent / 2);
        if self.sent == 10 {
            return Ok(0);
        }
        let line = format!("{GOOD}\n");
        let half = line.len() / 2;
        let piece = if self.sent.is_multiple_of(2) {
            &line[..half]
        } else {
            &line[half..]
        };
        self.sent += 1;
        buffer[..piece.len()].copy_from_slice(piece.as_bytes());
        Ok(piece.len())
    }
}

#[test]
fn every_answer_is_written_before_waiting_for_input() {
    let sink = Sink::default();
    let input = BufReader::new(Patient {
        sink: sink.clone(),
        sent: 0,
    });
    assert_eq!(
        answer_lines(input, sink, &nodes(NODES), false)
            .unwrap()
            .solved,
        5
    );
}

#[test]
fn a_closed_output_stops_the_answering() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let endless = io::repeat(b'x')
        .take(1 << 20)
        .chain(&b"\n"[..])
        .chain(io::repeat(b'\n'));
    match answer_lines(BufReader::new(endless), Closed, &nodes(NODES), false) {
        Err(LinesError::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
        other => panic!("{other:?}"),
    }
}

/// Returns a strategy for arbitrary lines: edited and truncated copies of a valid line, and random
/// bytes.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0..3u8,
        prop_oneof![0x20..0x7fu8, any::<u8>()],
    );
    let spoilt = prop::collection::vec(edit, 1..4).prop_map(|edits| {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (place, kind, byte) in edits {
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        bytes
    });
    let cut = (0..GOOD.len()).prop_map(|length| GOOD.as_bytes()[..length].to_vec());
    prop_oneof![2 => spoilt, 1 => cut, 1 => prop::collection::vec(any::<u8>(), 0..50)]
        .prop_map(|bytes| bytes.into_iter().filter(|&byte| byte != b'\n').collect())
}

proptest! {
    #[test]
    fn good_lines_are_answered_in_their_places_whatever_stands_between(
        lines in prop::collection::vec(prop::option::of(any_line()), 1..20),
        capacity in 1..200usize,
    ) {
        let mut input = Vec::new();
        let mut good = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let with_id = |text: &str| text.replace(r#""id":1"#, &format!(r#""id":"good {number}""#));
            match line {
                None => {
                    input.extend(with_id(GOOD).bytes());
                    good.push(Some(with_id(GOOD_ANSWER)));
                }
                Some(bytes) => {
                    input.extend(bytes);
                    if !bytes.trim_ascii().is_empty() {
                        good.push(None);
                    }
                }
            }
            input.push(b'\n');
        }
        let mut output = Vec::new();
        let counts = answer_lines(BufReader::with_capacity(capacity, &input[..]), &mut output, &nodes(NODES), false).unwrap();
        let output = String::from_utf8(output).unwrap();
        prop_assert_eq!(output.lines().count(), good.len());
        let mut errors = 0;
        for (answer, expected) in output.lines().zip(&good) {
            let value: Value = serde_json::from_str(answer).unwrap();
            errors += u64::from(value["error"].is_string());
            prop_assert!(value["error"].is_string() != value["solutions"].is_string());
            if let Some(expected) = expected {
                prop_assert_eq!(answer, expected);
            }
        }
        prop_assert_eq!(counts.errors, errors);
    }
}

fn printed(text: &str) -> (String, String) {
    let view = text::read(text, None).unwrap();
    let solution = Solver::new()
        .solve(&view, &mut Budget::unlimited())
        .unwrap();
    let mut output = Vec::new();
    write_solution(&mut output, &view, &solution).unwrap();
    let coloured = String::from_utf8(output).unwrap();
    (
        anstream::adapter::strip_str(&coloured).to_string(),
        coloured,
    )
}

#[test]
fn a_small_board_is_printed_with_two_decimals() {
    let (plain, coloured) = printed("5x3x2\n01HFH\n01H21\n0001H\n");
    assert_golden("solve-small", &plain);
    assert_has(&coloured, "\u{1b}[1m\u{1b}[32m+");
    assert_has(&coloured, "\u{1b}[1m\u{1b}[31m*");
}

#[test]
fn a_board_without_a_safe_cell_lists_the_least_likely_mines() {
    assert_golden("solve-no-safe-cell", &printed("5x2x3\nHH2HH\nHHHHH\n").0);
}

/// Returns a position with `width` columns and 16 rows. All cells are open except the six in the
/// top left corner, where the mine is in one of two cells.
fn corner(width: usize) -> String {
    let zeros = "0".repeat(width - 2);
    format!(
        "{width}x16x1\n{}{}",
        format!("HH{zeros}\n").repeat(3),
        format!("00{zeros}\n").repeat(13)
    )
}

#[test]
fn an_expert_board_fits_into_80_columns() {
    for width in [19, 25, 30, 38] {
        let (plain, _) = printed(&corner(width));
        let board = plain.split("\n\n").next().unwrap();
        assert!(
            board
                .lines()
                .all(|line| line.len() <= 80 && line == line.trim_end()),
            "{plain}"
        );
        if width == 30 {
            assert_golden("solve-expert", &plain);
        }
    }
}
