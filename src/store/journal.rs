//! A journal: one record per line, appended as the work goes on.

use std::{
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use super::{StoreError, open_to_write, put_whole, read, sha256};

/// The number of lines that are parsed together, on all threads.
const CHUNK: usize = 1 << 14;
/// The number of hexadecimal digits of a line's checksum.
const CHECK: usize = 8;

/// An open journal, positioned at its end. Each line is `["CHECK",RECORD]`: the first eight
/// hexadecimal digits of the SHA-256 of the record's text, then the record.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// The usual name of the journal file.
    pub const FILE: &str = "journal.jsonl";
    /// The name of the companion file with the times of the same work.
    pub const COSTS: &str = "cost.jsonl";

    /// Opens the journal at `path`, creates it if it is missing, and passes all its records to
    /// `take`. An incomplete last line was cut off when its writer was killed; it is dropped, and
    /// its work must be done again.
    ///
    /// # Errors
    /// Returns an error if the file can't be read or written, or if a line was changed, is not a
    /// record or is refused by `take`. An error in a line has the number of the line.
    pub fn open<R: DeserializeOwned + Send>(
        path: PathBuf,
        take: impl FnMut(R) -> Result<(), String>,
    ) -> Result<Self, StoreError> {
        let whole = Self::read(&path, take)?;
        let file = open_at_end(&path, Some(whole))?;
        Ok(Self { path, file })
    }

    /// Passes all records of the journal at `path` to `take`, and returns the length of its
    /// complete lines in bytes. The file is not changed. A missing file has no records.
    ///
    /// # Errors
    /// Returns the errors of [`Journal::open`].
    pub fn read<R: DeserializeOwned + Send>(
        path: &Path,
        mut take: impl FnMut(R) -> Result<(), String>,
    ) -> Result<u64, StoreError> {
        let text = read(path)?.unwrap_or_default();
        let whole = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let lines: Vec<&[u8]> = text[..whole]
            .split_inclusive(|&byte| byte == b'\n')
            .collect();
        let parse =
            |line: &&[u8]| serde_json::from_slice(record_of(line)?).map_err(|why| why.to_string());
        for (chunk, lines) in lines.chunks(CHUNK).enumerate() {
            let records: Vec<Result<R, String>> =
                lines.par_iter().with_min_len(64).map(parse).collect();
            for (index, record) in records.into_iter().enumerate() {
                let line = chunk * CHUNK + index + 1;
                record.and_then(&mut take).map_err(|why| StoreError::Line {
                    path: path.to_owned(),
                    line,
                    why,
                })?;
            }
        }
        Ok(whole as u64)
    }

    /// Appends a record; after the next [`Journal::flush`] it survives the end of this process.
    ///
    /// # Errors
    /// Returns an error if the record can't be written.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        self.file
            .write_all(&line_of(record))
            .map_err(StoreError::io("write", &self.path))
    }

    /// Passes all appended records to the operating system.
    ///
    /// # Errors
    /// Returns an error if the records can't be written.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.file
            .flush()
            .map_err(StoreError::io("write", &self.path))
    }

    /// Replaces all records by these, atomically.
    ///
    /// # Errors
    /// Returns an error if the records can't be written; the journal then stays as it was.
    pub fn replace<R: Serialize + Sync>(
        &mut self,
        records: impl IntoIterator<Item = R>,
    ) -> Result<(), StoreError> {
        self.flush()?;
        let mut records = records.into_iter();
        put_whole(&self.path, |file| {
            loop {
                let chunk: Vec<R> = records.by_ref().take(CHUNK).collect();
                if chunk.is_empty() {
                    return Ok(());
                }
                let lines: Vec<Vec<u8>> = chunk
                    .par_iter()
                    .with_min_len(64)
                    .map(|record| line_of(record))
                    .collect();
                file.write_all(&lines.concat())?;
            }
        })?;
        self.file = open_at_end(&self.path, None)?;
        Ok(())
    }
}

/// Opens a file at its end, after cutting it to a length if one is given.
fn open_at_end(path: &Path, length: Option<u64>) -> Result<BufWriter<File>, StoreError> {
    let mut file = open_to_write(path)?;
    length
        .map_or(Ok(()), |length| file.set_len(length))
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(StoreError::io("write", path))?;
    Ok(BufWriter::new(file))
}

fn line_of(record: &impl Serialize) -> Vec<u8> {
    let text =
        serde_json::to_string(record).expect("a record has text keys and finite numbers alone");
    format!("[\"{}\",{text}]\n", &sha256(text.as_bytes())[..CHECK]).into_bytes()
}

/// Returns the text of the record in a line.
fn record_of(line: &[u8]) -> Result<&[u8], String> {
    let (check, text) = line
        .strip_prefix(b"[\"")
        .and_then(|rest| rest.strip_suffix(b"]\n")?.split_at_checked(CHECK))
        .and_then(|(check, text)| Some((check, text.strip_prefix(b"\",")?)))
        .ok_or("it is not a line of a journal")?;
    if sha256(text).as_bytes().starts_with(check) {
        Ok(text)
    } else {
        Err("it was changed after it was written".to_owned())
    }
}
