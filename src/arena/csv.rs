//! Rows as CSV.

use serde::Serialize;

/// Serialises rows as CSV with a header line.
///
/// # Errors
/// Returns an error for a row that CSV cannot represent.
pub fn to_csv<R: Serialize>(rows: &[R]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(writer.into_inner()?)
}
