//! Files: reading, atomic writing, hashing.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    str::Utf8Error,
    sync::atomic::{AtomicBool, Ordering},
};

use sha2::{Digest, Sha256};

use super::StoreError;

/// The maximum size of a file that is read into memory, in bytes. Every record, journal and rule
/// sheet is far smaller.
pub const LONGEST: u64 = 256 << 20;
/// The number of bytes hashed between two checks of the stop flag.
const CHUNK: usize = 1 << 20;

/// Reads a file. Returns `None` if the file doesn't exist.
///
/// # Errors
/// Returns an error if the file exists but can't be read, is not a regular file, or is longer than
/// [`LONGEST`].
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(mut file) = open(path)? else {
        return Ok(None);
    };
    read_up_to(&mut file, LONGEST)
        .map(Some)
        .map_err(StoreError::io("read", path))
}

/// Reads a file that a user names, which may also be a pipe.
///
/// # Errors
/// Returns an error if the file can't be read or has more than `longest` bytes.
pub fn read_input(path: &Path, longest: u64) -> Result<Vec<u8>, StoreError> {
    let file = File::open(path).and_then(|mut file| read_up_to(&mut file, longest));
    file.map_err(StoreError::io("read", path))
}

/// Reads the text of a file that a user names, which may also be a pipe. A byte order mark is
/// removed.
///
/// # Errors
/// Returns the errors of [`read_input`], and an error if the text is not UTF-8.
pub fn read_input_text(path: &Path, longest: u64) -> Result<String, StoreError> {
    let text = text(read_input(path, longest)?);
    text.map_err(|error| {
        StoreError::io("read", path)(io::Error::new(io::ErrorKind::InvalidData, error))
    })
}

/// Decodes the bytes of a whole file as text, without a byte order mark. A line that ends in a
/// carriage return alone, as some editors write it, ends in a line feed instead.
///
/// # Errors
/// Returns an error if the bytes are not UTF-8.
pub fn text(mut bytes: Vec<u8>) -> Result<String, Utf8Error> {
    bytes.drain(..bytes.len() - without_bom(&bytes).len());
    for at in 0..bytes.len() {
        if bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            bytes[at] = b'\n';
        }
    }
    String::from_utf8(bytes).map_err(|error| error.utf8_error())
}

/// Returns the bytes of a text, without the byte order mark that some editors write at the start.
pub fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Reads `from` to its end.
///
/// # Errors
/// Returns an error if `from` can't be read or has more than `longest` bytes.
pub fn read_up_to(from: &mut impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(longest + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > longest {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {longest} bytes"),
        )),
        false => Ok(bytes),
    }
}

/// Opens a file. Returns `None` if the file doesn't exist.
///
/// # Errors
/// Returns an error if the file can't be opened or is not a regular file. A device or a pipe is
/// refused because it may never end.
pub fn open(path: &Path) -> Result<Option<File>, StoreError> {
    let in_path = StoreError::io("read", path);
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(in_path(error)),
        Ok(found) if !found.is_file() => {
            let why = if found.is_dir() {
                "it is a folder, and a file is needed"
            } else {
                "it is not a regular file"
            };
            Err(in_path(io::Error::new(io::ErrorKind::InvalidInput, why)))
        }
        Ok(_) => File::open(path).map(Some).map_err(in_path),
    }
}

/// Opens a file that must exist.
///
/// # Errors
/// Returns the errors of [`open`], and an error if the file doesn't exist.
pub fn open_existing(path: &Path) -> Result<File, StoreError> {
    let missing = || StoreError::io("read", path)(io::ErrorKind::NotFound.into());
    open(path)?.ok_or_else(missing)
}

/// Writes a file under a temporary name, then renames it, so that it is never seen half written.
///
/// # Errors
/// Returns an error if the file can't be written; the old file then stays.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), StoreError> {
    put_whole(path, |unfinished| unfinished.write_all(contents))
}

/// Copies a file atomically, and returns the SHA-256 of its contents in hexadecimal digits.
///
/// # Errors
/// Returns an error if the source can't be read or is not a regular file, or the target can't be
/// written.
pub fn copy(from: &Path, to: &Path) -> Result<String, StoreError> {
    let source = open_existing(from)?;
    put_whole(to, |unfinished| {
        hash_chunks(source, |chunk| unfinished.write_all(chunk))
    })
}

/// Returns the temporary path of a file while it is written: `.NAME.tmp` in the same folder. The
/// name is fixed, so that the next process removes a file that a killed process left. It is hidden,
/// so that programs that read every file of a folder as a data set skip it.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    path.with_file_name(format!(
        ".{}.tmp",
        path.file_name().unwrap_or_default().display()
    ))
}

/// Calls `make` with a temporary file, then renames it to `path`. A pipe or a device at `path` is
/// written to directly: a rename would replace `/dev/null` by a regular file.
///
/// # Errors
/// Returns an error if the file can't be written; the temporary file is then removed and the old
/// file stays.
pub fn put_whole<T>(
    path: &Path,
    make: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, StoreError> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let written = File::options()
            .write(true)
            .open(path)
            .and_then(|mut stream| make(&mut stream));
        return written.map_err(StoreError::io("write", path));
    }
    // The file is newly created, so that nothing is written through a link at that name.
    let unfinished = unfinished(path);
    let put = if_present(fs::remove_file(&unfinished))
        .and_then(|_| File::create_new(&unfinished))
        .and_then(|mut file| make(&mut file))
        .and_then(|made| fs::rename(&unfinished, path).map(|()| made));
    put.map_err(|error| {
        // Ignore an error here: the first one is reported.
        let _ = fs::remove_file(&unfinished);
        StoreError::io("write", path)(error)
    })
}

/// Opens a file to continue writing. It is created if missing; a link is never followed.
///
/// # Errors
/// Returns an error if the file is a link or can't be opened.
pub fn open_to_write(path: &Path) -> Result<File, StoreError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let opened = if is_link {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link"))
    } else {
        File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
    };
    opened.map_err(StoreError::io("write", path))
}

/// Removes a file, if it exists.
///
/// # Errors
/// Returns an error if the file exists and can't be removed.
pub fn remove_file(path: &Path) -> Result<(), StoreError> {
    if_present(fs::remove_file(path))
        .map(drop)
        .map_err(StoreError::io("remove", path))
}

/// Removes a folder with all its contents, if it exists.
///
/// # Errors
/// Returns an error if the folder exists and can't be removed.
pub fn remove_folder(path: &Path) -> Result<(), StoreError> {
    if_present(fs::remove_dir_all(path))
        .map(drop)
        .map_err(StoreError::io("remove", path))
}

fn if_present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Returns the SHA-256 of these bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of a file's contents, or `None` if the file doesn't exist.
///
/// # Errors
/// Returns an error if the file exists but can't be read, is not a regular file, or if `stop` was
/// set in the meantime ([`StoreError::Stopped`]).
pub fn file_sha256(path: &Path, stop: &AtomicBool) -> Result<Option<String>, StoreError> {
    let Some(file) = open(path)? else {
        return Ok(None);
    };
    let is_stopped = || stop.load(Ordering::Relaxed);
    let hashed = hash_chunks(file, |_| {
        if is_stopped() {
            Err(io::ErrorKind::Interrupted.into())
        } else {
            Ok(())
        }
    });
    hashed.map(Some).map_err(|error| {
        if is_stopped() {
            StoreError::Stopped
        } else {
            StoreError::io("read", path)(error)
        }
    })
}

/// Returns the SHA-256 of all bytes of `from`. Calls `each` with every chunk before the chunk is
/// hashed.
fn hash_chunks(
    mut from: impl Read,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            read => {
                each(&buffer[..read])?;
                hash.update(&buffer[..read]);
            }
        }
    }
}

/// Returns the SHA-256 of the names and contents of the files directly in a folder, or `None` if
/// the folder has no file.
///
/// # Errors
/// Returns the errors of [`file_sha256`], and an error if the folder can't be read.
pub fn folder_sha256(path: &Path, stop: &AtomicBool) -> Result<Option<String>, StoreError> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(path).map_err(StoreError::io("read", path))? {
        let file = entry.map_err(StoreError::io("read", path))?.path();
        if file.is_file() {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            lines.push(format!(
                "{name} {}\n",
                file_sha256(&file, stop)?.unwrap_or_default()
            ));
        }
    }
    lines.sort();
    Ok((!lines.is_empty()).then(|| sha256(lines.concat().as_bytes())))
}

/// Formats bytes as hexadecimal digits, two digits per byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).expect("half a byte is a digit");
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.collect()
}
