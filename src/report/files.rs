//! Files of rows and records.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::error::ReportError;

/// The bytes of a file, `None` if there is none.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, ReportError> {
    Ok(mineflow_store::read(path)?)
}

/// The rows of a CSV file with a header line; `check` says what is wrong with one that can be read.
pub(super) fn csv_rows<R: DeserializeOwned>(
    path: &Path,
    mut check: impl FnMut(&R) -> Result<(), String>,
) -> Result<Option<Vec<R>>, ReportError> {
    let Some(bytes) = bytes(path)? else {
        return Ok(None);
    };
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let header = reader
        .headers()
        .map_err(|error| ReportError::line(path, 1, error.to_string()))?
        .clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let at = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
        let record =
            record.map_err(|error| ReportError::line(path, at(&error), why(&error, &header)))?;
        let line = record.position().map_or(1, csv::Position::line);
        let row: R = record
            .deserialize(Some(&header))
            .map_err(|error| ReportError::line(path, line, why(&error, &header)))?;
        check(&row).map_err(|why| ReportError::line(path, line, why))?;
        rows.push(row);
    }
    Ok(Some(rows))
}

/// What a CSV reader found, without the line, which the caller adds.
fn why(error: &csv::Error, header: &csv::StringRecord) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            match err.field().and_then(|at| header.get(at as usize)) {
                Some(column) => format!("{column}: {}", err.kind()),
                None => err.kind().to_string(),
            }
        }
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("it has {len} entries, the header {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// The objects of a file of JSON lines.
pub(super) fn json_lines<R: DeserializeOwned>(path: &Path) -> Result<Option<Vec<R>>, ReportError> {
    let Some(bytes) = bytes(path)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).map_err(|_| ReportError::file(path, "it is not UTF-8"))?;
    let object = |(index, line)| {
        serde_json::from_str(line).map_err(|error: serde_json::Error| {
            ReportError::line(path, index as u64 + 1, error.to_string())
        })
    };
    text.lines()
        .enumerate()
        .map(object)
        .collect::<Result<_, _>>()
        .map(Some)
}

/// The one object of a JSON file.
pub(super) fn json<R: DeserializeOwned>(path: &Path) -> Result<Option<R>, ReportError> {
    let Some(bytes) = bytes(path)? else {
        return Ok(None);
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| ReportError::line(path, error.line() as u64, error.to_string()))
}

/// Checks that a number is a ratio.
pub(super) fn ratio(name: &str, value: f64) -> Result<(), String> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(format!("{name} is {value}, not between 0 and 1"))
    }
}

/// The table `part` that belongs to another one: of `eval.csv` it is `PART.csv`, of `NAME.csv` it is `NAME-PART.csv`.
pub(super) fn beside(path: &Path, part: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(if stem == "eval" {
        format!("{part}.csv")
    } else {
        format!("{stem}-{part}.csv")
    })
}
