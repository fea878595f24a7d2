//! A journal: one record a line, appended as the work goes on.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{StoreError, read};

/// An open journal, at its end.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// The usual name of its file.
    pub const FILE: &str = "journal.jsonl";

    /// Opens the journal at `path`, made if missing, and gives all its records to `take`. A last line without an end was
    /// torn off when its writer was killed; it is dropped, and its work is to be done again.
    ///
    /// # Errors
    /// If the file can't be read or written, and a line that is not a record or that `take` refuses, with its number.
    pub fn open<R: DeserializeOwned>(
        path: PathBuf,
        mut take: impl FnMut(R) -> Result<(), String>,
    ) -> Result<Self, StoreError> {
        let text = read(&path)?.unwrap_or_default();
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (index, line) in text[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let record = serde_json::from_slice(line).map_err(|error| error.to_string());
            let taken = record.and_then(&mut take);
            taken.map_err(|why| StoreError::Line { path: path.clone(), line: index + 1, why })?;
        }
        let open = || {
            let mut file = File::options().write(true).create(true).truncate(false).open(&path)?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0)).map(|_| file)
        };
        let file = open().map_err(StoreError::io("write", &path))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Appends a record; it outlives this process after the next [`Journal::flush`].
    ///
    /// # Errors
    /// If it can't be written.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        let written = serde_json::to_writer(&mut self.file, record).map_err(io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(StoreError::io("write", &self.path))
    }

    /// Hands everything appended to the operating system.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(StoreError::io("write", &self.path))
    }
}
