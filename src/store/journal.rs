//! A journal: one record a line, appended as the work goes on.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{StoreError, open_to_write, put_whole, read, sha256};

/// Digits of a line's check.
const CHECK: usize = 8;

/// An open journal, at its end. A line is `["CHECK",RECORD]`: the first eight digits of the SHA-256 of the record's text, then the
/// record.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// The usual name of its file.
    pub const FILE: &str = "journal.jsonl";
    /// The file beside it that has what the clock says of the same work.
    pub const COSTS: &str = "cost.jsonl";

    /// Opens the journal at `path`, made if missing, and gives all its records to `take`. A last line without an end was
    /// torn off when its writer was killed; it is dropped, and its work is to be done again.
    ///
    /// # Errors
    /// If the file can't be read or written, and a line that was changed, is not a record or that `take` refuses, with its number.
    pub fn open<R: DeserializeOwned>(
        path: PathBuf,
        mut take: impl FnMut(R) -> Result<(), String>,
    ) -> Result<Self, StoreError> {
        let text = read(&path)?.unwrap_or_default();
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (index, line) in text[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let record = record_of(line).and_then(|text| serde_json::from_slice(text).map_err(|why| why.to_string()));
            let taken = record.and_then(&mut take);
            taken.map_err(|why| StoreError::Line { path: path.clone(), line: index + 1, why })?;
        }
        let mut file = open_to_write(&path)?;
        let at_end = file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        at_end.map_err(StoreError::io("write", &path))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Appends a record; it outlives this process after the next [`Journal::flush`].
    ///
    /// # Errors
    /// If it can't be written.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        self.file.write_all(&line_of(record)).map_err(StoreError::io("write", &self.path))
    }

    /// Hands everything appended to the operating system.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(StoreError::io("write", &self.path))
    }

    /// Puts these records in the place of all that are there, whole or not at all.
    ///
    /// # Errors
    /// If they can't be written; the journal is then as it was.
    pub fn replace<R: Serialize>(&mut self, records: impl IntoIterator<Item = R>) -> Result<(), StoreError> {
        self.flush()?;
        put_whole(&self.path, |file| records.into_iter().try_for_each(|record| file.write_all(&line_of(&record))))?;
        let mut file = open_to_write(&self.path)?;
        file.seek(SeekFrom::End(0)).map_err(StoreError::io("write", &self.path))?;
        self.file = BufWriter::new(file);
        Ok(())
    }
}

fn line_of(record: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_string(record).expect("a record has text keys and finite numbers alone");
    format!("[\"{}\",{text}]\n", &sha256(text.as_bytes())[..CHECK]).into_bytes()
}

/// The text of the record in a line.
fn record_of(line: &[u8]) -> Result<&[u8], String> {
    let inner = line.strip_prefix(b"[\"").and_then(|rest| rest.strip_suffix(b"]\n"));
    let (check, text) = inner.and_then(|inner| inner.split_at_checked(CHECK)).ok_or("it is not a line of a journal")?;
    let text = text.strip_prefix(b"\",").ok_or("it is not a line of a journal")?;
    match sha256(text).as_bytes().starts_with(check) {
        true => Ok(text),
        false => Err("it was changed after it was written".to_owned()),
    }
}
