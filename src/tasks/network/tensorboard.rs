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

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::training_records::Metrics;
use mineflow_store::StoreError;

const FOLDER: &str = "tensorboard";
/// TensorBoard recognises its files by this prefix; usually the time and host name follow.
const FILE: &str = "events.out.tfevents.0.mineflow";
const VERSION: &str = "brain.Event:2";

/// The event file of a training run.
pub(super) struct Events {
    path: PathBuf,
    file: File,
}

impl Events {
    /// Rewrites the event file in the output folder, so that the file has no round twice. Later
    /// rounds are appended, as TensorBoard expects.
    pub(super) fn open(folder: &Path, metrics: &[Metrics]) -> Result<Self, StoreError> {
        let folder = folder.join(FOLDER);
        fs::create_dir_all(&folder).map_err(StoreError::io("make", &folder))?;
        let path = folder.join(FILE);
        let file = File::create(&path).map_err(StoreError::io("write", &path))?;
        let mut events = Self { path, file };
        events.write(&record(&header(0.0)))?;
        for line in metrics {
            events.add(line)?;
        }
        Ok(events)
    }

    /// Appends the event of a round.
    pub(super) fn add(&mut self, metrics: &Metrics) -> Result<(), StoreError> {
        self.write(&record(&scalars(metrics)))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file
            .write_all(bytes)
            .map_err(StoreError::io("write", &self.path))
    }
}

fn record(event: &[u8]) -> Vec<u8> {
    let length = (event.len() as u64).to_le_bytes();
    [
        &length,
        checksum(&length).as_slice(),
        event,
        &checksum(event),
    ]
    .concat()
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes)
        .rotate_right(15)
        .wrapping_add(0xa282_ead8)
        .to_le_bytes()
}

/// Returns the first event of a file.
fn header(seconds: f64) -> Vec<u8> {
    let mut event = double(1, seconds);
    event.extend(bytes(3, VERSION.as_bytes()));
    event
}

/// Returns the event of a round. The wall time of the event is the round's number, so that the same
/// settings produce identical bytes.
fn scalars(metrics: &Metrics) -> Vec<u8> {
    let won = metrics.figures.won.map(|won| ("win_ratio", won.win_ratio));
    let always = [
        ("loss", metrics.loss),
        ("validation_loss", metrics.figures.validation_loss),
        ("learning_rate", metrics.learning_rate),
    ];
    let mut summary = Vec::new();
    for (tag, number) in always.into_iter().chain(won) {
        let mut value = bytes(1, tag.as_bytes());
        value.extend(float(2, number as f32));
        summary.extend(bytes(1, &value));
    }
    let mut event = double(1, metrics.number as f64);
    event.push(2 << 3);
    event.extend(varint(metrics.number));
    event.extend(bytes(5, &summary));
    event
}

// The following functions encode a field of a protocol buffer: first the field number with the wire
// type, then the value.

fn double(field: u8, value: f64) -> Vec<u8> {
    [&[field << 3 | 1], value.to_le_bytes().as_slice()].concat()
}

fn float(field: u8, value: f32) -> Vec<u8> {
    [&[field << 3 | 5], value.to_le_bytes().as_slice()].concat()
}

fn bytes(field: u8, value: &[u8]) -> Vec<u8> {
    [
        &[field << 3 | 2],
        varint(value.len() as u64).as_slice(),
        value,
    ]
    .concat()
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
    use crate::training_records::{Figures, Round, Won};

    /// Parses the events of a file and verifies the checksums.
    fn events(mut file: &[u8]) -> Vec<&[u8]> {
        let mut events = Vec::new();
        while !file.is_empty() {
            let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
            assert_eq!(checksum(&file[..8]), file[8..12]);
            let (event, rest) = file[12..].split_at(length);
            assert_eq!(checksum(event), rest[..4]);
            events.push(event);
            file = &rest[4..];
        }
        events
    }

    /// Returns the fields of a message, each with its number and value.
    fn fields(mut message: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let mut fields = Vec::new();
        while let [key, rest @ ..] = message {
            let number = key >> 3;
            let kind = key & 7;
            let (start, end) = match kind {
                0 => (
                    0,
                    1 + rest.iter().position(|byte| byte & 0x80 == 0).unwrap(),
                ),
                1 => (0, 8),
                2 => (1, 1 + usize::from(rest[0])),
                5 => (0, 4),
                _ => panic!("no such kind: {kind}"),
            };
            assert!(kind != 2 || rest[0] < 0x80, "messages here are short");
            fields.push((number, rest[start..end].to_vec()));
            message = &rest[end..];
        }
        fields
    }

    fn metrics(number: u64, won: Option<Won>) -> Metrics {
        let figures = Figures {
            validation_loss: 0.5,
            largest_difference: 0.0,
            won,
        };
        Metrics {
            round: Round::Episode,
            number,
            steps: 7,
            rows: 70,
            learning_rate: 0.001,
            loss: 0.25,
            figures,
        }
    }

    #[test]
    fn every_round_is_an_event_with_its_numbers() {
        let won = Won {
            games: 4,
            wins: 3,
            win_ratio: 0.75,
            win_low: 0.3,
            win_high: 0.95,
        };
        let file = [
            record(&header(1e9)),
            record(&scalars(&metrics(300, Some(won)))),
        ]
        .concat();
        let events = events(&file);
        let version = vec![
            (1, 1e9f64.to_le_bytes().to_vec()),
            (3, b"brain.Event:2".to_vec()),
        ];
        assert_eq!(fields(events[0]), version);
        let event = fields(events[1]);
        assert_eq!(
            event[..2],
            [(1, 300f64.to_le_bytes().to_vec()), (2, vec![0xac, 0x02])]
        );
        let values = fields(&event[2].1).into_iter().map(|(_, value)| {
            let value = fields(&value);
            let number = f32::from_le_bytes(value[1].1.clone().try_into().unwrap());
            (String::from_utf8(value[0].1.clone()).unwrap(), number)
        });
        let expected = [
            ("loss", 0.25),
            ("validation_loss", 0.5),
            ("learning_rate", 0.001),
            ("win_ratio", 0.75),
        ];
        assert_eq!(
            values.collect::<Vec<_>>(),
            expected.map(|(tag, number)| (tag.to_owned(), number))
        );
        assert_eq!(events.len(), 2);
    }

    #[test]
    fn checksums_are_those_of_other_writers() {
        // The example of 32 zero bytes is from RFC 3720, section B.4.
        assert_eq!(crc32c::crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(checksum(&[0; 32]), 0x0fd7_fffa_u32.to_le_bytes());
    }
}
