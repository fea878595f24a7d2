//! Replays of Metasweeper (`.evf`), versions 0 to 4, following their specification in the
//! repository `eee555/ms_toollib`.
//!
//! | versions | bytes | meaning |
//! |---|---|---|
//! | all | 1 | version |
//! | all | 1 | bits: won, official, fair, no flags; from version 4 on translated from another format |
//! | 3 and 4 | 1 | options |
//! | all | 1, 1, 2 | rows, columns, mines |
//! | all | 1, 2, 2 | pixels of the side of a cell, mode, 3BV |
//! | 0 to 3 | 3 | time in milliseconds |
//! | 4 | 4, 2, 8, 8 | time in milliseconds, country, start and end in microseconds |
//! | all | text | program |
//! | 4, if translated | text, text | the program that translated it, the encoding of the original |
//! | all | text, text, text | player, competition, an identifier |
//! | 0 to 3 | text, text, text | start, end, country |
//! | 2 and 3 | text | identifier of the device |
//! | 4 | 2, then that many | identifier of the device |
//! | all | 1 bit for each cell | mines |
//! | 4 | 2, then that many texts | names of metrics |
//! | 0 to 3 | 8 for each event | kind, 3 for milliseconds, 2 for x, 2 for y; kind 0 or 255 ends them |
//! | 4 | 6 for each event | kind, milliseconds since the previous event, change of x and y (see below) |
//!
//! The first event of version 4 has x and y instead of their change. Events of version 4 with kinds
//! from 81 on are shorter or longer, and kind 0 ends the events.
//!
//! Texts end in a zero byte. A checksum follows the events. The bit for question marks is ignored,
//! as Metasweeper has no question marks.

use super::{
    Bytes, Format, Replay, ReplayError,
    mouse::{Button, Event, Recorder},
    name, promise_of_mode,
};

/// The newest supported version.
const NEWEST: u8 = 4;
/// The bit of a game that was won. An overflow in the program can clear this bit too, so that a
/// cleared bit leaves the result unknown.
const WON: u8 = 0x80;
/// The bit of a replay translated from another format.
const TRANSLATED: u8 = 0x08;

pub(super) fn read(data: &[u8]) -> Result<Replay, ReplayError> {
    let mut bytes = Bytes::new(Format::Evf, data);
    let version = bytes.u8()?;
    if version == 0 && is_set(data).unwrap_or(false) {
        return Err(ReplayError::Set);
    }
    if version > NEWEST {
        return Err(bytes.unsupported(format!("version {version}")));
    }
    let flags = bytes.u8()?;
    if version >= 3 {
        bytes.u8()?;
    }
    let [rows, columns] = bytes.array()?;
    let mines = bytes.u16()?;
    let square = bytes.square()?;
    let mode = bytes.u16()?;
    bytes.u16()?;
    bytes.take(if version < 4 { 3 } else { 4 + 2 + 8 + 8 })?;
    let program = bytes.until(0)?;
    if version >= 4 && flags & TRANSLATED != 0 {
        bytes.texts(2)?;
    }
    let player = bytes.until(0)?;
    // All versions have the competition and an identifier, versions 0 to 3 also the start, end and
    // country, and versions 2 and 3 also the device.
    bytes.texts([5, 5, 6, 6, 2][usize::from(version)])?;
    if version >= 4 {
        let length = bytes.u16()?;
        bytes.take(length.into())?;
    }
    let field = bytes.mine_bits((columns.into(), rows.into(), mines.into()))?;
    let first_click = promise_of_mode(mode)?;

    if version >= 4 {
        bytes.begin("the names of metrics");
        let metrics = bytes.u16()?;
        bytes.texts(metrics)?;
    }
    bytes.begin("the events");
    let mut recorder = Recorder::new(Format::Evf, &field, square, false);
    let mut won = (flags & WON != 0).then_some(true);
    if version < 4 {
        events(&mut bytes, &mut recorder)?;
    } else if let Some(end) = changes(&mut bytes, &mut recorder)? {
        won = Some(end);
    }
    Ok(Replay {
        format: Format::Evf,
        program: name(program).unwrap_or_else(|| "Metasweeper".to_owned()),
        player: name(player),
        field,
        first_click,
        clicks: recorder.into_clicks(),
        won,
    })
}

/// Returns whether `data` is a set of replays (`.evfs`): a version, the length of a checksum, and
/// for each replay its name, its length, its bytes and a checksum.
fn is_set(data: &[u8]) -> Result<bool, ReplayError> {
    let mut bytes = Bytes::new(Format::Evf, data);
    bytes.u8()?;
    let checksum = bytes.u16()?;
    while !bytes.rest().is_empty() {
        if bytes.until(0)?.is_empty() {
            return Ok(false);
        }
        bytes.u8()?;
        let length = bytes.u24()?;
        bytes.take(length as usize + usize::from(checksum))?;
    }
    Ok(true)
}

/// Returns the mouse event with the number `kind`, which is the byte at offset `at`.
fn mouse_event(bytes: &Bytes, at: usize, kind: u8) -> Result<Event, ReplayError> {
    Ok(match kind {
        8 => Event::Preflag,
        9 => Event::PressOther,
        10 => Event::Switch(Button::Left),
        11 => Event::Switch(Button::Right),
        12 => Event::Switch(Button::Middle),
        _ => Event::numbered(kind).ok_or_else(|| bytes.no_event(at))?,
    })
}

/// Reads the events of versions 0 to 3.
fn events(bytes: &mut Bytes, recorder: &mut Recorder) -> Result<(), ReplayError> {
    loop {
        let at = bytes.at();
        let kind = bytes.u8()?;
        if matches!(kind, 0 | 255) {
            return Ok(());
        }
        let event = mouse_event(bytes, at, kind)?;
        recorder.event(bytes.seconds()?, event, bytes.pixels()?)?;
    }
}

/// Reads the events of version 4. Returns whether the game was won, if an event says so.
fn changes(bytes: &mut Bytes, recorder: &mut Recorder) -> Result<Option<bool>, ReplayError> {
    let mut milliseconds = 0_u64;
    let mut x = 0_i32;
    let mut y = 0_i32;
    let mut won = None;
    loop {
        let at = bytes.at();
        let kind = bytes.u8()?;
        match kind {
            0 => return Ok(won),
            // Kind 255 is a pause.
            255 => {
                milliseconds += u64::from(bytes.u16()?);
                continue;
            }
            _ => milliseconds += u64::from(bytes.u8()?),
        }
        match kind {
            // The game is restarted or lost.
            81 | 83 => won = Some(false),
            82 => won = Some(true),
            99 => {}
            // The content of a cell, with its column and row.
            100..=121 => {
                bytes.take(2)?;
            }
            200 => {
                bytes.take(2 + 8)?;
            }
            201 => {
                bytes.take(2)?;
                bytes.until(0)?;
            }
            _ => {
                let event = mouse_event(bytes, at, kind)?;
                x = x.saturating_add(bytes.i16()?.into());
                y = y.saturating_add(bytes.i16()?.into());
                recorder.event(milliseconds as f64 / 1000.0, event, (x, y))?;
            }
        }
    }
}
