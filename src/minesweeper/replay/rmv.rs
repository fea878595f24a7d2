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

use super::{
    Bytes, Format, Replay, ReplayError,
    mouse::{Event, Recorder},
    name, promise_of_mode,
};
use crate::{Cell, Minefield};

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
        return Err(bytes.unsupported(format!("format {version}")));
    }
    let is_new = version == 2;
    let clone = if is_new { bytes.array::<2>()?[0] } else { 1 };
    bytes.take(4)?;
    let result = if is_new { 0 } else { bytes.u16()? };
    let program = bytes.u16()?;
    bytes.take(2 + 2)?;
    let has_flags = bytes.u16()? > 0;
    let properties = bytes.u16()?;
    bytes.take(if is_new { 2 } else { 0 } + 4 + 2)?;
    bytes.take(result.into())?;
    let program = name(bytes.take(program.into())?);

    bytes.begin("the player");
    let mut texts = Vec::new();
    for _ in 0..bytes.u16()? {
        texts.push(bytes.counted()?);
    }
    let player = texts.first().and_then(|text| name(text));
    bytes.begin("the board");
    bytes.take(4)?;
    let [width, height] = bytes.array::<2>()?.map(usize::from);
    let mines = bytes.u16()?.into();
    let field = bytes.mines((width, height, mines), 0, true)?;
    let flags = match has_flags {
        true => read_flags(&mut bytes, &field)?,
        false => Vec::new(),
    };
    let (marks, mode, square) = read_properties(&mut bytes, is_new, properties)?;
    let first_click = promise_of_mode(mode.into())?;
    let clone_name = if is_new {
        read_clone_name(&mut bytes)?.filter(|_| clone == 0)
    } else {
        None
    };

    bytes.begin("the events");
    let mut recorder = Recorder::new(Format::Rmv, &field, square, marks != 0).with_left_down();
    for cell in flags {
        recorder.event_at(0.0, Event::Preflag, Some(cell))?;
    }
    let won = read_events(&mut bytes, &mut recorder, is_new)?;
    Ok(Replay {
        format: Format::Rmv,
        program: clone_name
            .or(program.map(without_copyright))
            .unwrap_or_else(|| "Viennasweeper".to_owned()),
        player,
        field,
        first_click,
        clicks: recorder.into_clicks(),
        won: Some(won),
    })
}

/// Removes the copyright, which follows the name and the version of the program.
fn without_copyright(mut program: String) -> String {
    for word in [" Copyright", " (c)"] {
        let end = program.find(word).unwrap_or(program.len());
        program.truncate(end);
    }
    program
}

/// Reads `count` bytes of properties; returns whether there are question marks, the mode, and the
/// side of a cell in pixels.
fn read_properties(
    bytes: &mut Bytes,
    is_new: bool,
    count: u16,
) -> Result<(u8, u8, u8), ReplayError> {
    bytes.begin("the properties");
    let at = bytes.at();
    match *bytes.take(count.into())? {
        [_, _, _, _, _, _, 0, ..] if is_new => {
            Err(bytes.damaged(at + 6, "cells have a side of 0 pixels"))
        }
        [marks, _, mode, _, _, _, square, ..] if is_new => Ok((marks, mode, square)),
        [marks, _, mode, _, ..] if !is_new => Ok((marks, mode, SQUARE)),
        _ => Err(bytes.damaged(at, format!("{count} properties are too few"))),
    }
}

/// Reads the further properties; returns the name of the program if it is one of them.
fn read_clone_name(bytes: &mut Bytes) -> Result<Option<String>, ReplayError> {
    let mut clone_name = None;
    for _ in 0..bytes.u16()? {
        let key = bytes.counted()?;
        let value = bytes.counted()?;
        if key == b"clone_name" {
            clone_name = name(value);
        }
    }
    Ok(clone_name)
}

fn read_flags(bytes: &mut Bytes, field: &Minefield) -> Result<Vec<Cell>, ReplayError> {
    bytes.begin("the flags before the game");
    let mut flags = Vec::new();
    for _ in 0..bytes.u16()? {
        let at = bytes.at();
        let [col, row] = bytes.array()?;
        match field.board().cell(row.into(), col.into()) {
            Some(cell) => flags.push(cell),
            None => {
                return Err(bytes.damaged(at, format!("a flag ({col}, {row}) is off the board")));
            }
        }
    }
    Ok(flags)
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
) -> Result<bool, ReplayError> {
    loop {
        let at = bytes.at();
        let event = match bytes.u8()? {
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
            number => Event::numbered(number).ok_or_else(|| bytes.no_event(at))?,
        };
        let seconds = bytes.seconds()?;
        bytes.u8()?;
        let pixel = if is_new {
            (bytes.i16()?.into(), bytes.i16()?.into())
        } else {
            let (x, y) = bytes.pixels()?;
            (x - BOARD_AT.0, y - BOARD_AT.1)
        };
        recorder.event(seconds, event, pixel)?;
    }
}
