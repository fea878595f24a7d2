//! The journal of a folder: one record a line, appended as the games are played.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::FolderError;
use super::ledger::{Ledger, Record};

/// An open journal, at its end.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// Opens the journal at `path`, made if missing, and takes all its records into `ledger`. A last line without an
    /// end was torn off when its writer was killed; it is dropped, and its games are to be played again.
    pub(super) fn open(path: PathBuf, ledger: &mut Ledger) -> Result<Self, FolderError> {
        let text = match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(FolderError::io("read", &path))?,
        };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (index, line) in text[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
            take(line, ledger).map_err(|why| FolderError::Record { path: path.clone(), line: index + 1, why })?;
        }
        let file = append_at(&path, whole as u64).map_err(FolderError::io("write", &path))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Appends a record; it is on its way to the disk after the next [`Journal::flush`].
    pub(super) fn append(&mut self, record: &Record) -> Result<(), FolderError> {
        let written = serde_json::to_writer(&mut self.file, record).map_err(io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(FolderError::io("write", &self.path))
    }

    /// Hands everything appended to the operating system, so that it outlives this process.
    pub(super) fn flush(&mut self) -> Result<(), FolderError> {
        self.file.flush().map_err(FolderError::io("write", &self.path))
    }
}

fn take(line: &[u8], ledger: &mut Ledger) -> Result<(), String> {
    let record: Record = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    ledger.add(&record).map_err(|error| error.to_string())
}

/// The file at `path`, cut to its first `length` bytes, to be written on from there.
fn append_at(path: &Path, length: u64) -> io::Result<File> {
    let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}
