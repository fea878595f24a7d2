//! Replays as text: RawVF, revisions 3 to 6, following the repository
//! `thefinerminer/minesweeper-rawvf`.
//!
//! A text starts with lines `KEY: VALUE`, in any order and case. Then come `Board:` and its rows,
//! with `*` for a mine and `0` for a safe cell, and `Events:`. A mouse event is a line `SECONDS
//! NAME [COLUMN ROW] (X Y)`, with pixels counted from the corner of the board. Lines of events
//! without a time, such as `number1 3 4`, are ignored unless they state the result.

use super::{
    Format, Replay, ReplayError,
    mouse::{Button, Event, Recorder},
    name,
};
use crate::{Board, FirstClick, Minefield};

/// The default side length of a cell in pixels.
const SQUARE: u8 = 16;
/// Options of FreeSweeper that change the effect of clicks.
const CHEATS: [&str; 8] = [
    "autoflag",
    "elmartechnique",
    "lawnmower",
    "lives",
    "nono",
    "nonomouse",
    "superclick",
    "superflag",
];

/// Values that mean that an option is off.
const OFF: [&str; 5] = ["", "0", "off", "no", "false"];

/// Returns whether the text begins with a letter and has a line `Board:`.
pub(super) fn is_text(text: &[u8]) -> bool {
    let is_board = |line: &[u8]| {
        line.get(..6)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"board:"))
    };
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && text
            .split(|&byte| byte == b'\n')
            .any(|line| is_board(line.trim_ascii_start()))
}

/// The content of the lines before the board, and the result that lines after it may state.
#[derive(Default)]
struct Header {
    program: Option<String>,
    version: Option<String>,
    player: Option<String>,
    size: [Option<usize>; 3],
    /// The side of a cell in pixels, if the text states it.
    square: Option<u8>,
    marks: bool,
    first_click: FirstClick,
    won: Option<bool>,
}

pub(super) fn read(data: &[u8]) -> Result<Replay, ReplayError> {
    let data = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
    let lines = data.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = (1..).zip(lines).peekable();
    let mut header = Header::default();
    let mut board_line = 0;
    for (line, text) in lines.by_ref() {
        if header.take(line, text)? {
            board_line = line;
            break;
        }
    }

    let mut rows: Vec<&[u8]> = Vec::new();
    let is_row =
        |text: &[u8]| !text.is_empty() && text.iter().all(|cell| matches!(cell, b'*' | b'0'));
    while let Some((_, row)) = lines.next_if(|(_, text)| is_row(text)) {
        rows.push(row);
    }
    let field = board(board_line, &rows, header.size)?;

    let square = header.square.unwrap_or(SQUARE);
    let mut recorder = Recorder::new(Format::RawVf, &field, square, header.marks);
    for (line, text) in lines {
        let text = String::from_utf8_lossy(text);
        read_event(line, &text, &mut recorder, &mut header.won)?;
    }
    let program = [header.program, header.version].into_iter().flatten();
    Ok(Replay {
        format: Format::RawVf,
        program: program.collect::<Vec<_>>().join(" "),
        player: header.player,
        field,
        first_click: header.first_click,
        clicks: recorder.into_clicks(),
        won: header.won,
    })
}

impl Header {
    /// Reads a line; returns true if the line is `Board:`.
    fn take(&mut self, line: usize, text: &[u8]) -> Result<bool, ReplayError> {
        let Some(colon) = text.iter().position(|&byte| byte == b':') else {
            return Ok(false);
        };
        let key = String::from_utf8_lossy(text[..colon].trim_ascii()).to_ascii_lowercase();
        let bytes = text[colon + 1..].trim_ascii();
        let value = String::from_utf8_lossy(bytes);
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        let wrong = |what: &str| ReplayError::Line {
            line,
            found: format!("`{}` is not {what}", short(&value)),
        };
        let number = || value.parse::<usize>().map_err(|_| wrong("a number"));
        match key.as_str() {
            "board" => return Ok(true),
            "program" => self.program = name(bytes),
            "version" => self.version = name(bytes),
            "player" => self.player = name(bytes),
            "width" => self.size[0] = Some(number()?),
            "height" => self.size[1] = Some(number()?),
            "mines" => self.size[2] = Some(number()?),
            "marks" | "questionmarks" => self.marks = is("on"),
            "squaresize" => {
                let square = u8::try_from(number()?).ok().filter(|&square| square > 0);
                self.square = Some(square.ok_or_else(|| wrong("one of 1 to 255 pixels"))?);
            }
            "status" if is("won") => self.won = Some(true),
            "status" if is("lost") => self.won = Some(false),
            // In a UPK game the player has seen the board before.
            "mode" if is("upk") => self.first_click = FirstClick::Any,
            "level" if is("marathon") => return Err(ReplayError::Rules("marathon".to_owned())),
            cheat if CHEATS.contains(&cheat) && !OFF.iter().any(|off| is(off)) => {
                return Err(ReplayError::Rules(format!("{key}: {}", short(&value))));
            }
            _ => {}
        }
        Ok(false)
    }
}

/// Builds the minefield of these rows, which must have the size and the number of mines in the
/// header.
fn board(
    line: usize,
    rows: &[&[u8]],
    [width, height, mines]: [Option<usize>; 3],
) -> Result<Minefield, ReplayError> {
    let columns = rows.first().map_or(0, |row| row.len());
    for (line, row) in (line + 1..).zip(rows) {
        if row.len() != columns {
            let found = format!("a row of {} cells after one of {columns}", row.len());
            return Err(ReplayError::Line { line, found });
        }
    }
    let cells = || rows.iter().copied().flatten();
    let found = cells().filter(|&&cell| cell == b'*').count();
    for (found, said, name) in [
        (columns, width, "columns"),
        (rows.len(), height, "rows"),
        (found, mines, "mines"),
    ] {
        if let Some(said) = said.filter(|&said| said != found) {
            let found = format!("a board with {found} {name}, where the header says {said}");
            return Err(ReplayError::Line { line, found });
        }
    }
    let board = Board::new(columns, rows.len(), found).map_err(|error| ReplayError::Board {
        format: Format::RawVf,
        error,
    })?;
    let mines = board.all_cells().zip(cells());
    let mines = mines.filter(|&(_, &cell)| cell == b'*');
    Ok(Minefield::on(board, mines.map(|(cell, _)| cell)))
}

fn read_event(
    line: usize,
    text: &str,
    recorder: &mut Recorder,
    won: &mut Option<bool>,
) -> Result<(), ReplayError> {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else {
        return Ok(());
    };
    let wrong = |text: &str, what: &str| ReplayError::Line {
        line,
        found: format!("`{}` {what}", short(text)),
    };
    // Revisions differ in whether the final event has a time.
    let (seconds, event) = if first.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let seconds: f64 = first
            .parse()
            .ok()
            .filter(|seconds: &f64| seconds.is_finite())
            .ok_or_else(|| wrong(first, "is not a time"))?;
        (Some(seconds), words.next().unwrap_or_default())
    } else {
        (None, first)
    };
    match event {
        "won" => *won = Some(true),
        "boom" | "blast" | "lost" => *won = Some(false),
        _ => {}
    }
    let Some(seconds) = seconds else {
        return Ok(());
    };
    let event = match event {
        "lc" => Event::Press(Button::Left),
        "lr" => Event::Release(Button::Left),
        "rc" => Event::Press(Button::Right),
        "rr" => Event::Release(Button::Right),
        "mc" => Event::Press(Button::Middle),
        "mr" => Event::Release(Button::Middle),
        "sc" => Event::ShiftPress,
        "mt" => Event::SwitchMarks,
        // Movements, scrolling, and longer names, which describe the game and its cells, are
        // ignored.
        "mv" | "sx" | "sy" => return Ok(()),
        word if word.len() > 2 => return Ok(()),
        _ => return Err(wrong(event, "is no event")),
    };
    let pixels = text
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
        .and_then(|(pixels, _)| {
            let (x, y) = pixels.trim().split_once(char::is_whitespace)?;
            Some((x.parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
        })
        .ok_or_else(|| wrong(text, "does not end in pixels such as (24 8)"))?;
    recorder.event(seconds.max(0.0), event, pixels)
}

/// Returns the beginning of a text, for error messages.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
