//! Alpha, the weight of the mine probability in a cell's score, as a function of the board (Sinha
//! et al. 2021, equation 10).

use super::{
    error::{Fault, check_finite},
    kind::{Model, ModelScratch},
    metadata::Metadata,
    safetensors::{Container, Tensor, to_bytes},
};

pub(super) const THETA: &str = "theta";

/// `alpha = theta_1 p + theta_2 q + theta_3 mines / (p q) + theta_4`, clamped to 0..=1, with `p`
/// the longer side.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    theta: [f64; 4],
    metadata: Metadata,
}

impl Linear {
    pub(super) const KIND: &str = "linear";
    pub(super) const WIDTH: usize = 4;

    /// The name of alpha's feature set, whose columns are the longer side, the shorter side, the
    /// mine ratio and 1.
    pub const FEATURES: &str = "board-v1";

    /// Creates alpha with these factors.
    ///
    /// # Errors
    /// Returns an error if a factor is not finite.
    pub fn new(theta: [f64; 4], metadata: Metadata) -> Result<Self, Fault> {
        check_finite(THETA, &theta)?;
        Ok(Self { theta, metadata })
    }

    /// Returns `theta_1` to `theta_4`.
    pub fn theta(&self) -> [f64; 4] {
        self.theta
    }

    /// Computes alpha for a board, 0 to 1. The sides are in cells and may be swapped.
    pub fn alpha(&self, width: usize, height: usize, mines: usize) -> f64 {
        let longer = width.max(height) as f64;
        let shorter = width.min(height) as f64;
        self.of_row([longer, shorter, mines as f64 / (longer * shorter), 1.0])
    }

    fn of_row(&self, row: [f64; Self::WIDTH]) -> f64 {
        let [longer, shorter, ratio, one] = row;
        let theta = self.theta;
        (theta[0] * longer + theta[1] * shorter + theta[2] * ratio + theta[3] * one).clamp(0.0, 1.0)
    }

    /// Serialises the model as a safetensors file; equal factors and metadata give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let theta = Tensor {
            name: THETA.to_owned(),
            dtype: "F64",
            shape: vec![4],
            bytes: self.theta.map(f64::to_le_bytes).concat(),
        };
        to_bytes(&self.metadata.to_file(Self::KIND), &[theta])
    }

    pub(super) fn from_container(mut container: Container) -> Result<Self, Fault> {
        let (shape, values) = container.f64(THETA)?;
        let theta = match <[f64; 4]>::try_from(values) {
            Ok(theta) if shape == [4] => theta,
            _ => {
                return Err(Fault::Shape {
                    tensor: THETA.to_owned(),
                    found: shape,
                    expected: "[4]".to_owned(),
                });
            }
        };
        let metadata = Metadata::from_file(std::mem::take(&mut container.metadata));
        container.finish()?;
        Self::new(theta, metadata)
    }
}

impl Model for Linear {
    fn width(&self) -> usize {
        Self::WIDTH
    }

    /// Appends alpha for each row: longer side, shorter side, mine ratio, 1.
    fn append(&self, rows: &[f32], out: &mut Vec<f32>, _: &mut ModelScratch) {
        let (rows, rest) = rows.as_chunks();
        assert!(rest.is_empty(), "{} numbers are left over", rest.len());
        out.extend(
            rows.iter()
                .map(|row| self.of_row(row.map(f64::from)) as f32),
        );
    }

    fn bound(&self, largest: f64) -> f64 {
        self.theta.iter().map(|theta| theta.abs() * largest).sum()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}
