//! Standardises inputs to mean 0 and standard deviation 1.

use crate::data::Table;

/// The mean and standard deviation of each input. They are computed from the first data that a
/// network sees and stored in the artifact.
#[derive(Clone, PartialEq, Debug)]
pub struct Standardisation {
    pub mean: Vec<f32>,
    /// Standard deviations above 0; 1 for a constant input.
    pub deviation: Vec<f32>,
}

impl Standardisation {
    /// Computes the mean and standard deviation of every column of `table`, which must have rows
    /// and only finite numbers.
    pub fn of(table: &Table) -> Self {
        let means = |term: &dyn Fn(usize, f64) -> f64| {
            let mut sums = vec![0.0; table.width];
            for row in table.features.chunks_exact(table.width) {
                for (column, (sum, &x)) in sums.iter_mut().zip(row).enumerate() {
                    *sum += term(column, x.into());
                }
            }
            let rows = table.rows() as f64;
            sums.into_iter().map(|sum| sum / rows).collect::<Vec<f64>>()
        };
        let mean = means(&|_, x| x);
        let variance = means(&|column, x| (x - mean[column]).powi(2));
        let deviation = |variance: &f64| {
            let deviation = variance.sqrt() as f32;
            if deviation > f32::MIN_POSITIVE {
                deviation
            } else {
                1.0
            }
        };
        Self {
            mean: mean.iter().map(|&mean| mean as f32).collect(),
            deviation: variance.iter().map(deviation).collect(),
        }
    }

    /// Returns the standardised inputs for `rows` of `table`, as (inputs, rows), row-major.
    pub(super) fn columns(&self, table: &Table, rows: &[u32]) -> Vec<f32> {
        let mut columns = vec![0.0; self.mean.len() * rows.len()];
        let inverse: Vec<f32> = self
            .deviation
            .iter()
            .map(|deviation| 1.0 / deviation)
            .collect();
        for (at, &row) in rows.iter().enumerate() {
            let values = table.row(row as usize);
            for (input, &value) in values.iter().enumerate() {
                columns[input * rows.len() + at] = (value - self.mean[input]) * inverse[input];
            }
        }
        columns
    }
}
