//! Writes the rounds of a training run in TensorBoard's format: `tensorboard --logdir runs`.
//!
//! An event file is a sequence of records. Each record holds an event as a protocol buffer:
//!
//! ```text
//! u64 length | u32 checksum of the length | event | u32 checksum of the event      all little-endian
//!
//! event    1: double  seconds since 1970         summary  1: value ...
//!          2: int64   step                       value    1: string  tag
//!          3: string  version of the format               2: float   number
//!          5: summary
//! ```
//!
//! A checksum is a masked CRC-32C (rotated, plus a constant), as TFRecord defines it. The mask
//! keeps checksums of data with embedded checksums useful.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use mineflow_store::StoreError;

const FOLDER: &str = "tensorboard";
/// TensorBoard recognises its files by this prefix; usually the time and host name follow.
const FILE: &str = "events.out.tfevents.0.mineflow";
const VERSION: &str = "brain.Event:2";

/// A round: its number and its figures, each with its tag.
pub(crate) type Event = (u64, Vec<(&'static str, f64)>);

/// The event file of a training run.
pub(crate) struct Events {
    path: PathBuf,
    file: File,
}

impl Events {
    /// Rewrites the event file in the output folder, so that the file has no round twice. Later
    /// rounds are appended, as TensorBoard expects.
    pub fn open(folder: &Path, rounds: impl Iterator<Item = Event>) -> Result<Self, StoreError> {
        let folder = folder.join(FOLDER);
        fs::create_dir_all(&folder).map_err(StoreError::io("make", &folder))?;
        let path = folder.join(FILE);
        let file = File::create(&path).map_err(StoreError::io("write", &path))?;
        let mut events = Self { path, file };
        events.write(&record(&header(0.0)))?;
        for round in rounds {
            events.add(&round)?;
        }
        Ok(events)
    }

    /// Appends the event of a round.
    pub fn add(&mut self, round: &Event) -> Result<(), StoreError> {
        self.write(&record(&scalars(round)))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file
            .write_all(bytes)
            .map_err(StoreError::io("write", &self.path))
    }
}

fn record(event: &[u8]) -> Vec<u8> {
    let length = (event.len() as u64).to_le_bytes();
    [&length, &checksum(&length)[..], event, &checksum(event)].concat()
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes)
        .rotate_right(15)
        .wrapping_add(0xa282_ead8)
        .to_le_bytes()
}

/// Returns the first event of a file.
fn header(seconds: f64) -> Vec<u8> {
    [double(1, seconds), bytes(3, VERSION.as_bytes())].concat()
}

/// Returns the event of a round. The wall time of the event is the round's number, so that the same
/// settings produce identical bytes.
fn scalars((number, figures): &Event) -> Vec<u8> {
    let mut summary = Vec::new();
    for (tag, figure) in figures {
        let mut value = bytes(1, tag.as_bytes());
        value.extend(float(2, *figure as f32));
        summary.extend(bytes(1, &value));
    }
    let mut event = double(1, *number as f64);
    event.push(2 << 3);
    event.extend(varint(*number));
    event.extend(bytes(5, &summary));
    event
}

// The following functions encode a field of a protocol buffer: first the field number with the wire
// type, then the value.

fn double(field: u8, value: f64) -> Vec<u8> {
    [&[field << 3 | 1], &value.to_le_bytes()[..]].concat()
}

fn float(field: u8, value: f32) -> Vec<u8> {
    [&[field << 3 | 5], &value.to_le_bytes()[..]].concat()
}

fn bytes(field: u8, value: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2], &varint(value.len() as u64)[..], value].concat()
}

/// Encodes a base-128 varint: seven bits per byte, lowest bits first. The eighth bit says that more
/// bytes follow.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    // The expected bytes come from another encoder, of this file format and of protocol buffers.

    #[test]
    fn a_file_begins_with_its_version() {
        let expected = b"\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7fK\"\x09\x00\x00\x00\x00e\xcd\xcdA\x1a\x0dbrain.Event:2\xf4\xeb\x19^";
        assert_eq!(record(&header(1e9)), expected);
    }

    #[test]
    fn every_round_is_an_event_with_its_numbers() {
        let figures = vec![
            ("loss", 0.25),
            ("validation_loss", 0.5),
            ("learning_rate", 0.001),
            ("win_ratio", 0.75),
        ];
        let expected = b"[\x00\x00\x00\x00\x00\x00\x00\x1b\x01\x02\x8a\x09\x00\x00\x00\x00\x00\xc0r@\x10\xac\x02*M\x0a\x0b\x0a\x04loss\x15\x00\x00\x80>\x0a\x16\x0a\x0fvalidation_loss\x15\x00\x00\x00?\x0a\x14\x0a\x0dlearning_rate\x15o\x12\x83:\x0a\x10\x0a\x09win_ratio\x15\x00\x00@?>\xbd\xfaO";
        assert_eq!(record(&scalars(&(300, figures))), expected);
    }

    #[test]
    fn checksums_are_those_of_other_writers() {
        // The example of 32 zero bytes is from RFC 3720, section B.4.
        assert_eq!(crc32c::crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(checksum(&[0; 32]), 0x0fd7_fffa_u32.to_le_bytes());
    }
}
