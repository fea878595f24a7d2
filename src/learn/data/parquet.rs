//! Writes, reads and hashes Parquet files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use polars::polars_utils::mmap::UNMAP_POOL;
use polars::prelude::{
    AnyValue, ArrowDataType, BinaryChunked, BooleanChunked, ChunkFull, Column as Stored,
    CompatLevel, DataFrame, DataType, Field, Float32Chunked, IntoColumn, KeyValueMetadata,
    NewChunkedArray, ParquetCompression, ParquetReader, ParquetWriter, PlSmallStr, PolarsError,
    SchemaExt, SerReader, StringChunked, UInt32Chunked, UInt64Chunked,
};
use polars_core::runtime::THREAD_POOL;
use polars_parquet::write::schema_to_metadata_key;
use sha2::{Digest, Sha256};

use super::folder::FileEntry;
use super::{DataError, FileKind};
use mineflow_model::{Column, ColumnType};
use mineflow_store::{StoreError, file_sha256, hexadecimal, open_existing, put_whole};

/// The values of a column.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Values {
    Float32(Vec<f32>),
    UInt32(Vec<u32>),
    UInt64(Vec<u64>),
    Boolean(Vec<bool>),
    /// The same text in every row.
    Text(String),
    Texts(Vec<String>),
    /// Concatenated byte strings, with the end of each.
    Binary {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
}

impl Values {
    fn column_type(&self) -> ColumnType {
        match self {
            Self::Float32(_) => ColumnType::Float32,
            Self::UInt32(_) => ColumnType::UInt32,
            Self::UInt64(_) => ColumnType::UInt64,
            Self::Boolean(_) => ColumnType::Boolean,
            Self::Text(_) | Self::Texts(_) => ColumnType::String,
            Self::Binary { .. } => ColumnType::Binary,
        }
    }

    fn store(self, name: &str, rows: usize) -> Stored {
        let name = PlSmallStr::from_str(name);
        match self {
            Self::Float32(values) => Float32Chunked::from_vec(name, values).into_column(),
            Self::UInt32(values) => UInt32Chunked::from_vec(name, values).into_column(),
            Self::UInt64(values) => UInt64Chunked::from_vec(name, values).into_column(),
            Self::Boolean(values) => BooleanChunked::from_slice(name, &values).into_column(),
            Self::Text(text) => StringChunked::full(name, &text, rows).into_column(),
            Self::Texts(texts) => StringChunked::from_slice(name, &texts).into_column(),
            Self::Binary { bytes, ends } => {
                let starts = std::iter::once(0).chain(ends.iter().copied());
                let values = starts.zip(&ends).map(|(start, &end)| &bytes[start..end]);
                BinaryChunked::from_iter_values(name, values).into_column()
            }
        }
    }
}

/// Writes a file with the columns of `kind` and returns its entry. On an error no file is left.
pub fn write(
    folder: &Path,
    file: String,
    kind: FileKind,
    rows: usize,
    values: Vec<Values>,
) -> Result<FileEntry, DataError> {
    let columns = kind.columns();
    assert!(
        columns
            .iter()
            .map(|column| column.column_type)
            .eq(values.iter().map(Values::column_type)),
        "{kind:?}"
    );
    let stored = columns
        .iter()
        .zip(values)
        .map(|(column, values)| values.store(column.name, rows))
        .collect();
    let mut frame =
        DataFrame::new(rows, stored).expect("columns of one length with different names");
    write_frame(folder, file, &mut frame)
}

/// Writes a file under a temporary name, then renames it. The file may lie in a subfolder of
/// `folder`.
pub(super) fn write_frame(
    folder: &Path,
    file: String,
    frame: &mut DataFrame,
) -> Result<FileEntry, DataError> {
    start_threads()?;
    let path = folder.join(&file);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(StoreError::io("make", parent))?;
    }
    let (bytes, sha256) = put_whole(&path, |unfinished| write_hashed(unfinished, frame))?;
    Ok(FileEntry {
        file,
        bytes,
        sha256,
    })
}

fn write_hashed(file: &mut File, frame: &mut DataFrame) -> io::Result<(u64, String)> {
    // Zstandard files are half the size of Snappy files, for no more CPU time in total.
    let compression = ParquetCompression::Zstd(None);
    let inner = BufWriter::new(file);
    let mut writer = Hashing {
        inner,
        hash: Sha256::new(),
        bytes: 0,
        error: None,
    };
    let written = ParquetWriter::new(&mut writer)
        .with_compression(compression)
        .set_parallel(false)
        .with_key_value_metadata(Some(arrow_schema(frame)))
        .finish(frame);
    // The Parquet writer does not return a write error; `writer` has recorded it.
    if let Some(error) = writer.error {
        return Err(error);
    }
    written.map_err(io::Error::other)?;
    writer.inner.flush()?;
    Ok((writer.bytes, hexadecimal(&writer.hash.finalize())))
}

/// Returns the Arrow schema stored in the file, with `large_string` and `large_binary`. The
/// writer's own schema has view types, which pyarrow 14 can't read and pyarrow 21 to 26 can't
/// filter, sort or take.
fn arrow_schema(frame: &DataFrame) -> KeyValueMetadata {
    let arrow = |field: Field| {
        field
            .dtype()
            .to_arrow_field(field.name().clone(), CompatLevel::oldest())
    };
    let schema = frame
        .schema()
        .iter_fields()
        .map(arrow)
        .map(|field| (field.name.clone(), field))
        .collect();
    KeyValueMetadata::Static(vec![schema_to_metadata_key(&schema)])
}

/// A writer that also hashes the data.
struct Hashing<W> {
    inner: W,
    hash: Sha256,
    bytes: u64,
    /// The first error of `inner`.
    error: Option<io::Error>,
}

impl<W: Write> Hashing<W> {
    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let copy = io::Error::from(error.kind());
            self.error.get_or_insert(error);
            copy
        })
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer);
        let written = self.noted(written)?;
        self.hash.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.noted(flushed)
    }
}

/// Checks the hash of a file against its manifest.
pub fn check_hash(folder: &Path, entry: &FileEntry, stop: &AtomicBool) -> Result<(), DataError> {
    let path = folder.join(&entry.file);
    let missing = || StoreError::io("open", &path)(io::ErrorKind::NotFound.into());
    let found = file_sha256(&path, stop)?.ok_or_else(missing)?;
    let expected = entry.sha256.clone();
    if found == expected {
        Ok(())
    } else {
        Err(DataError::Hash {
            path,
            expected,
            found,
        })
    }
}

/// An open Parquet file whose rows are not read yet.
pub(super) struct Unread<'a> {
    path: &'a Path,
    reader: ParquetReader<File>,
    /// Number of rows according to the file.
    pub(super) rows: usize,
}

impl<'a> Unread<'a> {
    /// Opens a file and reads its number of rows.
    pub(super) fn open(path: &'a Path) -> Result<Self, DataError> {
        start_threads()?;
        let mut reader = ParquetReader::new(open_existing(path)?);
        let rows = guarded(path, || reader.num_rows())?;
        Ok(Self { path, reader, rows })
    }

    /// Opens a file and checks that it has `expected` rows, the number in its manifest.
    pub(super) fn of_rows(path: &'a Path, expected: u64) -> Result<Self, DataError> {
        let file = Self::open(path)?;
        match file.rows as u64 {
            found if found == expected => Ok(file),
            found => Err(DataError::RowCount {
                path: path.to_owned(),
                expected,
                found,
            }),
        }
    }

    /// Reads these columns, or all columns for `None`, of the first `rows` rows. Columns that the
    /// file lacks are skipped.
    pub(super) fn read(
        mut self,
        columns: Option<&[&str]>,
        rows: usize,
    ) -> Result<DataFrame, DataError> {
        let schema = guarded(self.path, || self.reader.schema())?;
        let is_read = |name: &str| columns.is_none_or(|columns| columns.contains(&name));
        let mut fields = schema.iter_values().filter(|field| is_read(&field.name));
        if let Some(field) =
            fields.find(|field| matches!(field.dtype, ArrowDataType::Dictionary(..)))
        {
            let why = format!("column `{}` has categories; write it as text", field.name);
            let action = "read";
            let path = self.path.to_owned();
            return Err(DataError::Parquet { action, path, why });
        }
        let known = |names: &[&str]| {
            names
                .iter()
                .filter(|name| schema.contains(name))
                .map(ToString::to_string)
                .collect()
        };
        let reader = self
            .reader
            .with_columns(columns.map(known))
            .with_slice(Some((0, rows)));
        guarded(self.path, || reader.finish())
    }
}

/// Starts the threads of polars, once. If the system refuses them, polars panics, which would be
/// printed as a fault of this program.
fn start_threads() -> Result<(), DataError> {
    static ARE_STARTED: LazyLock<bool> = LazyLock::new(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let started = catch_unwind(|| {
            LazyLock::force(&THREAD_POOL);
            LazyLock::force(&UNMAP_POOL);
        });
        panic::set_hook(hook);
        started.is_ok()
    });
    ARE_STARTED.then_some(()).ok_or(DataError::Threads)
}

/// Runs the Parquet crate on a file and turns its panics, which a damaged file may cause, into
/// errors.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, PolarsError>) -> Result<T, DataError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    let why = match read {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it is damaged".to_owned(),
    };
    Err(DataError::Parquet {
        action: "read",
        path: path.to_owned(),
        why,
    })
}

/// Reads a file and checks that it has `expected` rows, the number in its manifest.
pub(super) fn read(path: &Path, expected: u64) -> Result<DataFrame, DataError> {
    Unread::of_rows(path, expected)?.read(None, expected as usize)
}

/// The first rows of a file, as text.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// Names and types of the columns.
    pub columns: Vec<(String, String)>,
    /// Values as text, one per column for every row. Byte strings are written as hexadecimal
    /// digits.
    pub rows: Vec<Vec<String>>,
    /// Number of rows in the file.
    pub height: usize,
}

/// Reads the columns and the first rows of a Parquet file, whatever program wrote it.
pub fn head(path: &Path, rows: usize) -> Result<Head, DataError> {
    let file = Unread::open(path)?;
    let height = file.rows;
    let frame = file.read(None, rows)?;
    let text = |column: &Stored, row: usize| match column.get(row) {
        Ok(AnyValue::Binary(bytes)) => hexadecimal(bytes),
        Ok(AnyValue::BinaryOwned(bytes)) => hexadecimal(&bytes),
        Ok(AnyValue::String(text)) => text.to_owned(),
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    };
    Ok(Head {
        columns: frame
            .columns()
            .iter()
            .map(|c| (c.name().to_string(), type_name(c.dtype())))
            .collect(),
        rows: (0..frame.height())
            .map(|row| {
                frame
                    .columns()
                    .iter()
                    .map(|column| text(column, row))
                    .collect()
            })
            .collect(),
        height,
    })
}

/// Returns the name of a type as in [`ColumnType::name`], or the Parquet crate's name for other
/// types.
pub(super) fn type_name(found: &DataType) -> String {
    let ours = [
        (DataType::Float32, ColumnType::Float32),
        (DataType::UInt32, ColumnType::UInt32),
        (DataType::UInt64, ColumnType::UInt64),
        (DataType::Boolean, ColumnType::Boolean),
        (DataType::String, ColumnType::String),
        (DataType::Binary, ColumnType::Binary),
    ];
    let named = ours.iter().find(|(stored, _)| stored == found);
    named.map_or_else(|| found.to_string(), |(_, named)| named.name().to_owned())
}

/// A column of a file, which is checked when it is converted.
pub(super) struct Reading<'a> {
    pub(super) path: &'a Path,
    pub(super) frame: &'a DataFrame,
}

impl Reading<'_> {
    /// Returns a column. It is an error if the column is missing or has nulls.
    fn column(&self, column: &'static str) -> Result<&Stored, DataError> {
        let path = || self.path.to_owned();
        let stored = self
            .frame
            .column(column)
            .map_err(|_| DataError::MissingColumn {
                path: path(),
                column,
            })?;
        if stored.null_count() > 0 {
            let nulls = stored.is_null();
            let row = nulls
                .iter()
                .position(|null| null == Some(true))
                .unwrap_or(0);
            return Err(DataError::Null {
                path: path(),
                column,
                row,
            });
        }
        Ok(stored)
    }

    fn cast(
        &self,
        column: &'static str,
        to: &DataType,
        expected: &'static str,
    ) -> Result<Stored, DataError> {
        let stored = self.column(column)?;
        let dtype = stored.dtype();
        let wrong = || DataError::WrongType {
            path: self.path.to_owned(),
            column,
            found: dtype.to_string(),
            expected,
        };
        let numeric = dtype.is_primitive_numeric() || *dtype == DataType::Boolean;
        if !numeric && dtype != to {
            return Err(wrong());
        }
        let cast = stored.strict_cast(to).map_err(|_| wrong())?;
        if cast.null_count() > 0 {
            Err(wrong())
        } else {
            Ok(cast)
        }
    }

    /// Converts a column of numbers of any type to floats; NaN and infinity are errors.
    pub(super) fn floats(&self, column: &'static str) -> Result<Vec<f32>, DataError> {
        let stored = self.cast(column, &DataType::Float32, "numbers")?;
        let chunked = stored.f32().expect("it was cast");
        let mut values = Vec::with_capacity(chunked.len());
        chunked
            .downcast_iter()
            .for_each(|chunk| values.extend_from_slice(chunk.values()));
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(row) => Err(DataError::NotFinite {
                path: self.path.to_owned(),
                column,
                row,
                value: values[row],
            }),
        }
    }

    /// Converts a column to unsigned integers.
    pub(super) fn numbers(&self, column: &'static str) -> Result<Vec<u64>, DataError> {
        let stored = self.cast(column, &DataType::UInt64, "whole numbers from 0")?;
        let chunked = stored.u64().expect("it was cast");
        let mut values = Vec::with_capacity(chunked.len());
        chunked
            .downcast_iter()
            .for_each(|chunk| values.extend_from_slice(chunk.values()));
        Ok(values)
    }

    /// Converts a column to strings.
    pub(super) fn texts(&self, column: &'static str) -> Result<Vec<String>, DataError> {
        let stored = self.cast(column, &DataType::String, "text")?;
        let chunked = stored.str().expect("it was cast");
        Ok(chunked
            .iter()
            .map(|text| text.unwrap_or_default().to_owned())
            .collect())
    }

    /// Converts a column to Booleans.
    pub(super) fn truths(&self, column: &'static str) -> Result<Vec<bool>, DataError> {
        let stored = self.cast(column, &DataType::Boolean, "truth values")?;
        Ok(stored
            .bool()
            .expect("it was cast")
            .iter()
            .map(|value| value == Some(true))
            .collect())
    }

    /// Converts a column to byte strings.
    pub(super) fn bytes(&self, column: &'static str) -> Result<Vec<Vec<u8>>, DataError> {
        let stored = self.cast(column, &DataType::Binary, "bytes")?;
        let chunked = stored.binary().expect("it was cast");
        Ok(chunked
            .iter()
            .map(|value| value.unwrap_or_default().to_owned())
            .collect())
    }

    /// Checks the type and values of a column.
    pub(super) fn check(&self, column: &Column) -> Result<(), DataError> {
        let stored = self.column(column.name)?;
        let found = type_name(stored.dtype());
        if found != column.column_type.name() {
            let path = self.path.to_owned();
            let expected = column.column_type.name();
            return Err(DataError::WrongType {
                path,
                column: column.name,
                found,
                expected,
            });
        }
        if let Some((low, high)) = column.range {
            let values = self.floats(column.name)?;
            let wrong = |&value: &f32| !(low..=high).contains(&f64::from(value));
            if let Some(row) = values.iter().position(wrong) {
                let path = self.path.to_owned();
                let value = f64::from(values[row]);
                return Err(DataError::OutOfRange {
                    path,
                    column: column.name,
                    row,
                    value,
                    low,
                    high,
                });
            }
        }
        Ok(())
    }
}
