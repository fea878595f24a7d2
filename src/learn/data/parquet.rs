//! Writes, reads and hashes Parquet files.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, Write},
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{LazyLock, atomic::AtomicBool},
};

use polars::{
    polars_utils::mmap::UNMAP_POOL,
    prelude::{
        AnyValue, ArrowDataType, BinaryChunked, BooleanChunked, ChunkFull, ChunkedArray,
        Column as Stored, CompatLevel, DataFrame, DataType, Field, Float32Chunked, IntoColumn,
        KeyValueMetadata, NewChunkedArray, ParquetCompression, ParquetReader, ParquetWriter,
        PlSmallStr, PolarsError, PolarsNumericType, SchemaExt, SerReader, StringChunked,
        UInt32Chunked, UInt64Chunked,
    },
};
use polars_core::runtime::THREAD_POOL;
use polars_parquet::write::schema_to_metadata_key;

use super::{DataError, FileKind, folder::FileEntry};
use mineflow_model::{Column, ColumnType};
use mineflow_store::{StoreError, file_sha256, hexadecimal, open_existing, put_whole, sha256};

/// The values of a column.
pub(super) enum Values {
    Float32(Vec<f32>),
    UInt32(Vec<u32>),
    UInt64(Vec<u64>),
    Boolean(Vec<bool>),
    /// The same text in every row.
    Text(String),
    Texts(Vec<String>),
    Binary(Vec<Vec<u8>>),
}

impl Values {
    fn column_type(&self) -> ColumnType {
        match self {
            Self::Float32(_) => ColumnType::Float32,
            Self::UInt32(_) => ColumnType::UInt32,
            Self::UInt64(_) => ColumnType::UInt64,
            Self::Boolean(_) => ColumnType::Boolean,
            Self::Text(_) | Self::Texts(_) => ColumnType::String,
            Self::Binary(_) => ColumnType::Binary,
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
            Self::Binary(values) => {
                BinaryChunked::from_iter_values(name, values.iter()).into_column()
            }
        }
    }
}

/// Writes a file with the columns of `kind` and returns its entry. On an error no file is left.
pub(super) fn write(
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
    let mut contents = Vec::new();
    // Zstandard files are half the size of Snappy files, for no more CPU time in total.
    ParquetWriter::new(&mut contents)
        .with_compression(ParquetCompression::Zstd(None))
        .set_parallel(false)
        .with_key_value_metadata(Some(arrow_schema(frame)))
        .finish(frame)
        .map_err(parquet_error("write", &path))?;
    put_whole(&path, |unfinished| unfinished.write_all(&contents))?;
    Ok(FileEntry {
        file,
        bytes: contents.len() as u64,
        sha256: sha256(&contents),
    })
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

/// Checks the hash of a file against its manifest.
pub(super) fn check_hash(
    folder: &Path,
    entry: &FileEntry,
    stop: &AtomicBool,
) -> Result<(), DataError> {
    let path = folder.join(&entry.file);
    let missing = || StoreError::io("open", &path)(io::ErrorKind::NotFound.into());
    let found = file_sha256(&path, stop)?.ok_or_else(missing)?;
    if found == entry.sha256 {
        return Ok(());
    }
    Err(DataError::Hash {
        path,
        expected: entry.sha256.clone(),
        found,
    })
}

/// An open Parquet file whose rows are not read yet.
pub(super) struct Unread<'a> {
    path: &'a Path,
    reader: ParquetReader<File>,
    /// Number of rows according to the file.
    pub rows: usize,
}

impl<'a> Unread<'a> {
    /// Opens a file and reads its number of rows, which must be `expected`, the number in its
    /// manifest, if it has one.
    pub fn open(path: &'a Path, expected: Option<u64>) -> Result<Self, DataError> {
        start_threads()?;
        let mut reader = ParquetReader::new(open_existing(path)?);
        let rows = guarded(path, || reader.num_rows())?;
        match expected {
            Some(expected) if expected != rows as u64 => Err(DataError::RowCount {
                path: path.to_owned(),
                expected,
                found: rows as u64,
            }),
            _ => Ok(Self { path, reader, rows }),
        }
    }

    /// Reads these columns, or all columns for `None`, of the first `rows` rows. Columns that the
    /// file lacks are skipped.
    pub fn read(mut self, columns: Option<&[&str]>, rows: usize) -> Result<Read<'a>, DataError> {
        let schema = guarded(self.path, || self.reader.schema())?;
        let is_read = |name: &str| columns.is_none_or(|columns| columns.contains(&name));
        let mut fields = schema.iter_values().filter(|field| is_read(&field.name));
        if let Some(field) =
            fields.find(|field| matches!(field.dtype, ArrowDataType::Dictionary(..)))
        {
            let why = format!("column `{}` has categories; write it as text", field.name);
            return Err(parquet_error("read", self.path)(why));
        }
        let known = |names: &[&str]| {
            let known = names.iter().filter(|name| schema.contains(name));
            known.map(ToString::to_string).collect()
        };
        let reader = self
            .reader
            .with_columns(columns.map(known))
            .with_slice(Some((0, rows)));
        Ok(Read {
            path: self.path,
            frame: guarded(self.path, || reader.finish())?,
        })
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
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(parquet_error("read", path)),
        Err(_) => Err(parquet_error("read", path)("it is damaged")),
    }
}

fn parquet_error<E: Display>(action: &'static str, path: &Path) -> impl FnOnce(E) -> DataError {
    move |why| DataError::Parquet {
        action,
        path: path.to_owned(),
        why: why.to_string(),
    }
}

/// Reads a file and checks that it has `expected` rows, the number in its manifest.
pub(super) fn read(path: &Path, expected: u64) -> Result<Read<'_>, DataError> {
    Unread::open(path, Some(expected))?.read(None, expected as usize)
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
    let file = Unread::open(path, None)?;
    let height = file.rows;
    let frame = file.read(None, rows)?.frame;
    let text = |column: &Stored, row: usize| match column.get(row) {
        Ok(AnyValue::Binary(bytes)) => hexadecimal(bytes),
        Ok(AnyValue::BinaryOwned(bytes)) => hexadecimal(&bytes),
        Ok(AnyValue::String(text)) => text.to_owned(),
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    };
    let columns = frame.columns();
    let row = |row| columns.iter().map(|column| text(column, row)).collect();
    Ok(Head {
        columns: columns
            .iter()
            .map(|column| (column.name().to_string(), type_name(column.dtype())))
            .collect(),
        rows: (0..frame.height()).map(row).collect(),
        height,
    })
}

/// Returns the name of a type as in [`ColumnType::name`], or the Parquet crate's name for other
/// types.
fn type_name(found: &DataType) -> String {
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

/// The rows of a file. A column is checked when it is converted.
pub(super) struct Read<'a> {
    path: &'a Path,
    pub frame: DataFrame,
}

impl Read<'_> {
    /// Returns a column. It is an error if the column is missing or has nulls.
    fn column(&self, column: &'static str) -> Result<&Stored, DataError> {
        let missing = |_| DataError::MissingColumn {
            path: self.path.to_owned(),
            column,
        };
        let stored = self.frame.column(column).map_err(missing)?;
        if stored.null_count() == 0 {
            return Ok(stored);
        }
        let row = stored.is_null().iter().position(|null| null == Some(true));
        Err(DataError::Null {
            path: self.path.to_owned(),
            column,
            row: row.unwrap_or(0),
        })
    }

    fn cast(
        &self,
        column: &'static str,
        to: &DataType,
        expected: &'static str,
    ) -> Result<Stored, DataError> {
        let stored = self.column(column)?;
        let dtype = stored.dtype();
        let is_numeric = dtype.is_primitive_numeric() || *dtype == DataType::Boolean;
        let cast = stored.strict_cast(to).ok();
        cast.filter(|cast| cast.null_count() == 0 && (is_numeric || dtype == to))
            .ok_or_else(|| self.wrong_type(column, dtype.to_string(), expected))
    }

    fn wrong_type(&self, column: &'static str, found: String, expected: &'static str) -> DataError {
        DataError::WrongType {
            path: self.path.to_owned(),
            column,
            found,
            expected,
        }
    }

    /// Converts a column of numbers of any type to floats; NaN and infinity are errors.
    pub fn floats(&self, column: &'static str) -> Result<Vec<f32>, DataError> {
        let stored = self.cast(column, &DataType::Float32, "numbers")?;
        let values = numbers(stored.f32().expect("it was cast"));
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
    pub fn whole(&self, column: &'static str) -> Result<Vec<u64>, DataError> {
        let stored = self.cast(column, &DataType::UInt64, "whole numbers from 0")?;
        Ok(numbers(stored.u64().expect("it was cast")))
    }

    /// Converts a column to strings.
    pub fn texts(&self, column: &'static str) -> Result<Vec<String>, DataError> {
        let stored = self.cast(column, &DataType::String, "text")?;
        let texts = stored.str().expect("it was cast").iter();
        Ok(texts.flatten().map(str::to_owned).collect())
    }

    /// Converts a column to Booleans.
    pub fn truths(&self, column: &'static str) -> Result<Vec<bool>, DataError> {
        let stored = self.cast(column, &DataType::Boolean, "truth values")?;
        Ok(stored
            .bool()
            .expect("it was cast")
            .iter()
            .flatten()
            .collect())
    }

    /// Converts a column to byte strings.
    pub fn bytes(&self, column: &'static str) -> Result<Vec<Vec<u8>>, DataError> {
        let stored = self.cast(column, &DataType::Binary, "bytes")?;
        let values = stored.binary().expect("it was cast").iter();
        Ok(values.flatten().map(<[u8]>::to_owned).collect())
    }

    /// Checks the type and values of a column.
    pub fn check(&self, column: &Column) -> Result<(), DataError> {
        let found = type_name(self.column(column.name)?.dtype());
        let expected = column.column_type.name();
        if found != expected {
            return Err(self.wrong_type(column.name, found, expected));
        }
        let Some((low, high)) = column.range else {
            return Ok(());
        };
        let values = self.floats(column.name)?;
        let is_out = |&value: &f32| !(low..=high).contains(&f64::from(value));
        values.iter().position(is_out).map_or(Ok(()), |row| {
            Err(DataError::OutOfRange {
                path: self.path.to_owned(),
                column: column.name,
                row,
                value: values[row].into(),
                low,
                high,
            })
        })
    }
}

/// Returns the numbers of a column without nulls.
fn numbers<T: PolarsNumericType>(column: &ChunkedArray<T>) -> Vec<T::Native> {
    let chunks = column.downcast_iter().map(|chunk| &chunk.values()[..]);
    chunks.collect::<Vec<_>>().concat()
}
