//! Replays of Minesweeper Clone (`.mvf`).
//!
//! The format from version 0.97 on:
//!
//! | versions | bytes | meaning |
//! |---|---|---|
//! | all | 4 texts | the program, its years, its author, its version; a byte with the length before each |
//! | all | 3 | unknown |
//! | all | 1, 1, 2, 1, 1, 1 | month, day, year, hour, minute, second |
//! | all | 1, 1, 3 | level, mode (1 classic, 2 density, 3 UPK, 4 cheat), time |
//! | 0.97 | 2, 2, 6 | 3BV, solved 3BV, clicks |
//! | all | 1 | whether there are question marks |
//! | all | 1, 1, 2 | width, height, mines |
//! | all | 2 for each mine | column and row, counted from 1 |
//! | all | text | the player |
//! | all | 2, 3 | key of the permutation, number of records |
//! | all | 5 (0.97) or 6 (2006, 2007) for each record | bits of the buttons, the place and the time, permuted by the key |
//!
//! The format up to version 0.96 has no header. A file consists of the width, height, number of
//! mines, cells of the mines counted from 0, question marks, an unknown byte, and records of 8
//! bytes. The records end at one that is earlier than its predecessor or later than the game's
//! time, which is stored at the end of the file with the player's name.
//!
//! A record holds the position of the mouse and the buttons that are down. The first record has the
//! button down that began the game. Up to 0.96 the seconds are one byte, so that records after 255
//! seconds are not read.

use super::{Bytes, Format, Replay, ReplayError, mouse::Recorder, name};
use crate::FirstClick;

/// The side length of a cell in pixels.
const SQUARE: u8 = 16;
/// The first bytes of a file from version 0.97 on.
const SIGNATURE: &[u8] = b"\x11Minesweeper Clone";
/// The boards of versions up to 0.96, which are the first bytes of their files.
const OLD_BOARDS: [[u8; 4]; 3] = [[8, 8, 0, 10], [16, 16, 0, 40], [30, 16, 0, 99]];

/// Returns whether the file was written by version 0.97 or later.
pub(super) fn is_signed(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// Returns whether the file begins like those of versions up to 0.96.
pub(super) fn is_old(bytes: &[u8]) -> bool {
    OLD_BOARDS.iter().any(|board| bytes.starts_with(board))
}

pub(super) fn read(data: &[u8]) -> Result<Replay, ReplayError> {
    if is_signed(data) {
        read_signed(data)
    } else {
        read_old(data)
    }
}

/// The layout of a record after its bits are put in order: three buttons (right, middle, left), y,
/// x, the time.
struct Layout {
    bytes: usize,
    /// The number of bits per coordinate.
    place: usize,
    /// The value that is subtracted from each coordinate.
    margin: i32,
    /// The bit counts of the time's two parts: hundredths and seconds, or milliseconds and nothing.
    time: [usize; 2],
}

const LAYOUT_097: Layout = Layout {
    bytes: 5,
    place: 9,
    margin: 0,
    time: [7, 10],
};
const LAYOUT_2006: Layout = Layout {
    bytes: 6,
    place: 11,
    margin: 32,
    time: [22, 0],
};

impl Layout {
    /// Returns the positions of a record's bits in the order of the layout. The positions are
    /// sorted by decimal digits of sines and cosines that depend on the key. There is one digit per
    /// bit, and the bit with the lowest digit comes first.
    ///
    /// The digits don't depend on how sines and cosines are computed: for every key, the value that
    /// is rounded is at least 3e-7 from a tie, and an error of a few units in the last place of the
    /// sine is below 1e-7.
    fn permutation(&self, key: u16) -> Vec<usize> {
        let root = f64::from(key).sqrt();
        let more = (f64::from(key) + 1000.0).sqrt();
        let high = (root + 1000.0).sqrt();
        let higher = (more + 1000.0).sqrt();
        let waves = [
            libm::cos(high + 1000.0),
            libm::sin(more.sqrt()),
            libm::cos(high),
            libm::sin(root.sqrt() + 1000.0),
            libm::cos(higher),
            libm::sin(higher),
        ];
        let digits: Vec<u8> = waves[..self.bytes]
            .iter()
            .flat_map(|wave| {
                let text = format!("{:08}", (wave.abs() * 1e8).round() as u32);
                text.into_bytes().into_iter().take(8)
            })
            .collect();
        let mut order: Vec<usize> = (0..digits.len()).collect();
        order.sort_by_key(|&at| digits[at]);
        order
    }

    /// Passes a record to `recorder`.
    fn record(
        &self,
        bits: &[u8],
        permutation: &[usize],
        recorder: &mut Recorder,
    ) -> Result<(), ReplayError> {
        let mut next = permutation
            .iter()
            .map(|&at| bits[at / 8] >> (at % 8) & 1 == 1);
        let mut number = |count: usize| {
            (0..count).fold(0_i32, |number, at| {
                number | i32::from(next.next() == Some(true)) << at
            })
        };
        let [right, middle, left] = [(); 3].map(|()| number(1) == 1);
        let y = number(self.place) - self.margin;
        let x = number(self.place) - self.margin;
        let [low, high] = self.time.map(&mut number);
        let seconds = if self.time[1] == 0 {
            f64::from(low) / 1000.0
        } else {
            f64::from(high) + f64::from(low) / 100.0
        };
        recorder.buttons(seconds, [left, right, middle], (x, y))
    }
}

fn read_signed(data: &[u8]) -> Result<Replay, ReplayError> {
    let mut bytes = Bytes::new(Format::Mvf, data);
    bytes.counted()?;
    let years = bytes.counted()?;
    bytes.counted()?;
    let version = bytes.counted()?;
    let layout = match years.last() {
        // The version of 2008 is a modified 0.97.
        Some(b'5' | b'8') => &LAYOUT_097,
        Some(b'6' | b'7') => &LAYOUT_2006,
        _ => {
            let version = name(version).unwrap_or_else(|| "the version".to_owned());
            return Err(bytes.unsupported(version));
        }
    };
    bytes.take(3 + 7 + 1)?;
    let mode = bytes.u8()?;
    bytes.take(3)?;
    let mut won = None;
    if std::ptr::eq(layout, &LAYOUT_097) {
        won = Some(bytes.u16()? == bytes.u16()?);
        bytes.take(6)?;
    }
    let marks = bytes.u8()? != 0;
    let [width, height] = bytes.array()?;
    let mines = bytes.u16()?;
    let size = (width.into(), height.into(), mines.into());
    let field = bytes.mines(size, 1, true)?;
    bytes.begin("the player's name");
    let player = bytes.counted()?;
    bytes.begin("the events");
    let permutation = layout.permutation(bytes.u16()?);
    let mut recorder = Recorder::new(Format::Mvf, &field, SQUARE, marks);
    for _ in 0..bytes.u24()? {
        layout.record(bytes.take(layout.bytes)?, &permutation, &mut recorder)?;
    }
    Ok(Replay {
        format: Format::Mvf,
        program: format!(
            "Minesweeper Clone {}",
            name(version)
                .unwrap_or_default()
                .trim_start_matches("version ")
        ),
        player: name(player),
        field,
        // In a UPK game the player has seen the board before.
        first_click: if mode == 3 {
            FirstClick::Any
        } else {
            FirstClick::Safe
        },
        clicks: recorder.into_clicks(),
        won,
    })
}

fn read_old(data: &[u8]) -> Result<Replay, ReplayError> {
    let mut bytes = Bytes::new(Format::Mvf, data);
    let [width, height] = bytes.array()?;
    let size = (width.into(), height.into(), bytes.u16()?.into());
    let field = bytes.mines(size, 0, true)?;
    bytes.begin("the options");
    let [marks, _] = bytes.array()?;
    bytes.begin("the events");

    // The file ends with the time (3 bytes), the player (100 bytes, from 0.76 on) and the checksum
    // (10 digits, later 22 bytes).
    let is_digit = |back| {
        let at = data.len().checked_sub(back);
        at.is_some_and(|at| data[at].is_ascii_digit())
    };
    let (version, checksum, player) = if !is_digit(1) && !is_digit(22) {
        ("0.96 or earlier", 22, 100)
    } else if data[..data.len().saturating_sub(10)].ends_with(b"   ") {
        ("0.76", 10, 100)
    } else {
        ("0.75 or earlier", 10, 0)
    };
    let events = bytes
        .rest()
        .len()
        .checked_sub(3 + player + checksum)
        .ok_or(ReplayError::Short {
            format: Format::Mvf,
            at: data.len(),
            part: "the events",
        })?;
    let events = bytes.take(events)?;
    let seconds = bytes.u16()?;
    let last = u32::from(seconds) * 100 + u32::from(bytes.u8()?);
    let player = name(bytes.take(player)?);
    let mut recorder = Recorder::new(Format::Mvf, &field, SQUARE, marks != 0);
    read_old_events(events, last, &mut recorder)?;
    Ok(Replay {
        format: Format::Mvf,
        program: format!("Minesweeper Clone {version}"),
        player,
        field,
        first_click: FirstClick::Safe,
        clicks: recorder.into_clicks(),
        won: None,
    })
}

/// Reads the records up to the end of the game, which is `last` hundredths of a second long.
fn read_old_events(events: &[u8], last: u32, recorder: &mut Recorder) -> Result<(), ReplayError> {
    let mut before = 0;
    let mut place = (0, 0);
    for event in events.chunks_exact(8) {
        let time = u32::from(event[0]) * 100 + u32::from(event[1]);
        if time < before || time > last {
            break;
        }
        before = time;
        let pixel = |at: usize| i32::from(u16::from_be_bytes([event[at], event[at + 1]]));
        place = (pixel(3), pixel(5));
        let down = [1, 4, 2].map(|bit| event[2] & bit != 0);
        recorder.buttons(f64::from(time) / 100.0, down, place)?;
    }
    // The release that ended the game is not recorded.
    recorder.buttons(f64::from(before) / 100.0, [false; 3], place)
}
