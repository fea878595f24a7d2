//! Replays of Viennasweeper (`.rmv`), formats 1 and 2, following their specification in the
//! repository `ralokt/rmv_spec`.
//!
//! | formats | bytes | meaning |
//! |---|---|---|
//! | both | 4, 2 | `*rmv`, format |
//! | 2 | 1, 1 | program, its version |
//! | both | 4 | length of the file |
//! | 1 | 2 | length of the result |
//! | both | 2, 2, 2, 2, 2 | length of the version, the player, the board, the flags before the game, the properties |
//! | 2 | 2 | length of further properties |
//! | both | 4, 2 | length of the events and of the checksum |
//! | 1 | text | result |
//! | both | text | version |
//! | both | 2, then that many texts with a length byte each | player: name, nickname, country, token |
//! | both | 4, 1, 1, 2 | time of the board, width, height, mines |
//! | both | 2 for each mine | column and row, counted from 0 |
//! | both, if their length is not 0 | 2 and 2 for each | flags before the game |
//! | both | properties | question marks, no flags, mode, level; format 2: 3BV (2), pixels of the side of a cell |
//! | 2 | 2, then that many names and values | further properties |
//! | both | events | see `read_events` |
//!
//! The recording begins with the release that opens the first cell. The recorded contents of cells
//! are ignored, as they follow from the clicks.

use super::mouse::{Button, Event, Recorder};
use super::{Bytes, Format, Replay, ReplayError, name, promise_of_mode};

/// The first bytes of a file.
pub(super) const SIGNATURE: &[u8] = b"*rmv";
/// The position of the board in the window, in pixels. The coordinates of format 1 are relative to
/// the window.
const BOARD_AT: (i32, i32) = (12, 56);
/// The side length of a cell in format 1, in pixels.
const SQUARE: u8 = 16;

pub(super) fn read(data: &[u8]) -> Result<Replay, ReplayError> {
    let mut bytes = Bytes::new(Format::Rmv, data);
    bytes.take(SIGNATURE.len())?;
    let version = bytes.u16()?;
    if !matches!(version, 1 | 2) {
        return Err(ReplayError::Version {
            format: Format::Rmv,
            version: format!("format {version}"),
        });
    }
    let is_new = version == 2;
    let clone = if is_new { bytes.array::<2>()?[0] } else { 1 };
    bytes.take(4)?;
    let result = if is_new { 0 } else { bytes.u16()? };
    let program = bytes.u16()?;
    bytes.take(2 + 2)?;
    let [preflags, properties] = [bytes.u16()?, bytes.u16()?];
    bytes.take(if is_new { 2 } else { 0 } + 4 + 2)?;
    bytes.take(result.into())?;
    let program = name(bytes.take(program.into())?);
    // The copyright follows the name and the version.
    let program = program.as_deref().map(|text| {
        let end = [" Copyright", " (c)"]
            .iter()
            .filter_map(|word| text.find(word))
            .min();
        text[..end.unwrap_or(text.len())].to_owned()
    });

    bytes.begin("the player");
    let mut player = None;
    for number in 0..bytes.u16()? {
        let text = bytes.counted()?;
        if number == 0 {
            player = name(text);
        }
    }
    bytes.begin("the board");
    bytes.take(4)?;
    let [width, height] = bytes.array()?;
    let mines = bytes.u16()?;
    let field = bytes.mines((width.into(), height.into(), mines.into()), |col, row| {
        Some((row.into(), col.into()))
    })?;
    bytes.begin("the flags before the game");
    let mut flags = Vec::new();
    if preflags > 0 {
        for _ in 0..bytes.u16()? {
            let at = bytes.at();
            let [col, row] = bytes.array()?;
            let cell = field.board().cell(row.into(), col.into());
            let off = || bytes.damaged(at, format!("a flag ({col}, {row}) is off the board"));
            flags.push(cell.ok_or_else(off)?);
        }
    }
    bytes.begin("the properties");
    let at = bytes.at();
    let properties = bytes.take(properties.into())?;
    let (marks, mode, square) = match *properties {
        [marks, _, mode, _, _, _, square, ..] if is_new => (marks, mode, square),
        [marks, _, mode, _, ..] if !is_new => (marks, mode, SQUARE),
        _ => {
            let found = format!("{} properties are too few", properties.len());
            return Err(bytes.damaged(at, found));
        }
    };
    if square == 0 {
        return Err(bytes.damaged(at + 6, "cells have a side of 0 pixels"));
    }
    let first_click = promise_of_mode(mode.into())?;
    let mut clone_name = None;
    if is_new {
        for _ in 0..bytes.u16()? {
            let [key, value] = [bytes.counted()?, bytes.counted()?];
            if clone == 0 && key == b"clone_name" {
                clone_name = name(value);
            }
        }
    }

    bytes.begin("the events");
    let mut recorder = Recorder::new(Format::Rmv, &field, square, marks != 0).with_left_down();
    for cell in flags {
        recorder.event_at(0.0, Event::Preflag, Some(cell))?;
    }
    let corner = if is_new { (0, 0) } else { BOARD_AT };
    let won = read_events(&mut bytes, &mut recorder, is_new, corner)?;
    Ok(Replay {
        format: Format::Rmv,
        program: clone_name
            .or(program)
            .unwrap_or_else(|| "Viennasweeper".to_owned()),
        player,
        field,
        first_click,
        clicks: recorder.into_clicks(),
        won: Some(won),
    })
}

/// Reads the events up to the end of the game; returns whether the game was won.
///
/// | number | bytes after it | meaning |
/// |---|---|---|
/// | 0, format 1 | 4 | a time |
/// | 1 to 7 | 3, 1, 2, 2 | milliseconds, buttons, x, y: a movement, press and release of left, right and middle |
/// | 9 to 14, 18 to 27 | 1, 1 | the content of a cell, with its column and row |
/// | 15, 16, 17 | 3 | lost, won, given up |
/// | 28, format 2 | 1, 1 | a short movement: milliseconds since the previous event, change of x and y in 4 bits each |
fn read_events(
    bytes: &mut Bytes,
    recorder: &mut Recorder,
    is_new: bool,
    corner: (i32, i32),
) -> Result<bool, ReplayError> {
    loop {
        let at = bytes.at();
        let kind = bytes.u8()?;
        let event = match kind {
            0 if !is_new => {
                bytes.take(4)?;
                continue;
            }
            9..=14 | 18..=27 => {
                bytes.take(2)?;
                continue;
            }
            15 | 17 => return Ok(false),
            16 => return Ok(true),
            // A short movement can be ignored: later events have their own time and place.
            28 if is_new => {
                bytes.take(2)?;
                continue;
            }
            1 => None,
            2 => Some(Event::Press(Button::Left)),
            3 => Some(Event::Release(Button::Left)),
            4 => Some(Event::Press(Button::Right)),
            5 => Some(Event::Release(Button::Right)),
            6 => Some(Event::Press(Button::Middle)),
            7 => Some(Event::Release(Button::Middle)),
            _ => return Err(bytes.damaged(at, format!("{kind} is no event"))),
        };
        let seconds = f64::from(bytes.u24()?) / 1000.0;
        bytes.u8()?;
        let [x, y] = if is_new {
            [bytes.i16()?.into(), bytes.i16()?.into()]
        } else {
            [i32::from(bytes.u16()?), i32::from(bytes.u16()?)]
        };
        if let Some(event) = event {
            recorder.event(seconds, event, (x - corner.0, y - corner.1))?;
        }
    }
}
