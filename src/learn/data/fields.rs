//! The fields of a row type whose rows are the rows of a file.

use super::{
    DataError,
    parquet::{Read, Values},
};

/// A field of the row type `R`, which holds the values of one column.
pub(super) enum Field<R> {
    UInt32(fn(&mut R) -> &mut u32),
    UInt64(fn(&mut R) -> &mut u64),
    Float32(fn(&mut R) -> &mut f32),
    Boolean(fn(&mut R) -> &mut bool),
    String(fn(&mut R) -> &mut String),
    Bytes(fn(&mut R) -> &mut Vec<u8>),
}

impl<R> Field<R> {
    /// Sets the field of every row to its value in column `name` of a file with as many rows.
    pub fn read(
        &self,
        name: &'static str,
        file: &Read<'_>,
        rows: &mut [R],
    ) -> Result<(), DataError> {
        fn set<R, T>(
            rows: &mut [R],
            values: impl IntoIterator<Item = T>,
            at: &fn(&mut R) -> &mut T,
        ) {
            for (row, value) in rows.iter_mut().zip(values) {
                *at(row) = value;
            }
        }
        match self {
            Self::UInt32(at) => {
                set(rows, file.whole(name)?.into_iter().map(|of| of as u32), at);
            }
            Self::UInt64(at) => set(rows, file.whole(name)?, at),
            Self::Float32(at) => set(rows, file.floats(name)?, at),
            Self::Boolean(at) => set(rows, file.truths(name)?, at),
            Self::String(at) => set(rows, file.texts(name)?, at),
            Self::Bytes(at) => set(rows, file.bytes(name)?, at),
        }
        Ok(())
    }

    /// Returns the values of a column: those of the rows with these indices.
    pub fn values(&self, rows: &mut [R], of: &[usize]) -> Values {
        fn get<R, T: Clone>(rows: &mut [R], of: &[usize], at: &fn(&mut R) -> &mut T) -> Vec<T> {
            of.iter().map(|&row| at(&mut rows[row]).clone()).collect()
        }
        match self {
            Self::UInt32(at) => Values::UInt32(get(rows, of, at)),
            Self::UInt64(at) => Values::UInt64(get(rows, of, at)),
            Self::Float32(at) => Values::Float32(get(rows, of, at)),
            Self::Boolean(at) => Values::Boolean(get(rows, of, at)),
            Self::String(at) => Values::Texts(get(rows, of, at)),
            Self::Bytes(at) => Values::Binary(get(rows, of, at)),
        }
    }
}
