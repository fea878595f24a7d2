//! Replays of Minesweeper Arbiter (`.avf`).
//!
//! | bytes | meaning |
//! |---|---|
//! | 1 | version: 52 for 0.52 |
//! | 4 | random |
//! | 1 | level: 3 to 5 for 8x8, 16x16 and 30x16, 6 for another size |
//! | 4, only level 6 | width and height, each less 1, and 2 bytes for the number of mines |
//! | 2 for each mine | row and column, counted from 1 |
//! | unknown | a code of the board, the country, options; the second byte before the `[` is 17 if there are question marks |
//! | text | `[LEVEL\|START\|END\|B3BVTTIME]`, with a size after LEVEL for level 6 |
//! | unknown | up to the first event, which is found by a byte 1 after a byte 0 or 1 |
//! | 8 for each event | buttons, then X, s, X, h, Y, S, Y (see below) |
//! | text | a checksum after `cs=`, then lines that end in a carriage return: `Skin: NAME`, the player, the program |
//!
//! In an event, X and Y are the pixels, each with the high byte first. S is the high byte and s is
//! the low byte of the seconds. h is the hundredths of a second. Seconds are counted from 1; an
//! event with 0 seconds ends the events.
//!
//! The format does not state the result. Up to version 0.44 the release of a chord on a covered
//! cell may open the cell (a Rilian click); this module never opens it.

use super::{
    Bytes, Format, Replay, ReplayError,
    mouse::{Button, Event, Recorder},
    name,
};
use crate::FirstClick;

/// The side length of a cell in pixels.
const SQUARE: u8 = 16;
/// The offset of the level byte.
const LEVEL: usize = 5;
/// The level of custom boards.
const CUSTOM: u8 = 6;
/// The byte that indicates question marks.
const MARKS: u8 = 17;

/// Returns whether the level byte is valid. The format has no signature that could be checked.
pub(super) fn is_likely(bytes: &[u8]) -> bool {
    bytes
        .get(LEVEL)
        .is_some_and(|level| (3..=CUSTOM).contains(level))
}

pub(super) fn read(data: &[u8]) -> Result<Replay, ReplayError> {
    let mut bytes = Bytes::new(Format::Avf, data);
    let [version, _, _, _, _, level] = bytes.array()?;
    let size = match level {
        3 => (8, 8, 10),
        4 => (16, 16, 40),
        5 => (30, 16, 99),
        CUSTOM => {
            let [width, height] = bytes.array::<2>()?.map(|less| usize::from(less) + 1);
            (width, height, bytes.u16()?.into())
        }
        _ => return Err(bytes.damaged(LEVEL, format!("level {level} is not one of 3 to 6"))),
    };
    let field = bytes.mines(size, 1, false)?;

    bytes.begin("the line with the times");
    let is_line = |part: &[u8]| matches!(part, [_, _, b'[', b'0'..=b'3', b'|']);
    let line = bytes.rest().windows(5).position(is_line);
    // If the line is missing, one byte more than is left is requested, which is an error.
    let before = bytes.take(line.unwrap_or(bytes.rest().len()) + 1)?;
    let marks = before.last() == Some(&MARKS);
    bytes.until(b']')?;

    let mut recorder = Recorder::new(Format::Avf, &field, SQUARE, marks);
    read_events(&mut bytes, &mut recorder)?;

    let text = find(bytes.rest(), b"cs=").unwrap_or_default();
    // The player's name is the line after the skin. Older versions have neither of the two lines.
    let player = find(text, b"Skin:").and_then(|skin| skin.split(|&byte| byte == b'\r').nth(1));
    let program = find(text, b"Minesweeper Arbiter ")
        .and_then(|version| name(version.split(|&byte| byte == b' ').next()?))
        .map_or_else(
            || format!("0.{version}"),
            |version| version.trim_end_matches('.').to_owned(),
        );
    Ok(Replay {
        format: Format::Avf,
        program: format!("Minesweeper Arbiter {program}"),
        player: player.and_then(name),
        field,
        first_click: FirstClick::Safe,
        clicks: recorder.into_clicks(),
        won: None,
    })
}

fn read_events(bytes: &mut Bytes, recorder: &mut Recorder) -> Result<(), ReplayError> {
    bytes.begin("the events");
    let first = bytes
        .rest()
        .windows(3)
        .position(|part| part[1] <= 1 && part[2] == 1);
    bytes.take(first.unwrap_or(bytes.rest().len()))?;
    loop {
        let at = bytes.at();
        let [
            buttons,
            x_high,
            second,
            x,
            hundredth,
            y_high,
            second_high,
            y,
        ] = bytes.array()?;
        let Some(second) = u16::from_be_bytes([second_high, second]).checked_sub(1) else {
            return Ok(());
        };
        let events: &[Event] = match buttons {
            1 => &[],
            3 => &[Event::Press(Button::Left)],
            5 => &[Event::Release(Button::Left)],
            9 => &[Event::Press(Button::Right)],
            11 => &[Event::ShiftPress],
            17 | 145 => &[Event::Release(Button::Right)],
            21 => &[Event::Release(Button::Left), Event::Release(Button::Right)],
            33 => &[Event::Press(Button::Middle)],
            65 | 193 => &[Event::Release(Button::Middle)],
            _ => return Err(bytes.no_event(at)),
        };
        let seconds = f64::from(second) + f64::from(hundredth) / 100.0;
        let pixel = [[x_high, x], [y_high, y]].map(|pixel| u16::from_be_bytes(pixel).into());
        for &event in events {
            recorder.event(seconds, event, pixel.into())?;
        }
    }
}

/// Returns the bytes after the first occurrence of `part`.
fn find<'a>(bytes: &'a [u8], part: &[u8]) -> Option<&'a [u8]> {
    let at = bytes
        .windows(part.len())
        .position(|window| window == part)?;
    bytes.get(at + part.len()..)
}
