//! Alpha as a linear function of the board (Sinha et al., section 4.2.3, equation 10).

use linfa::{Dataset, traits::Fit};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2};

/// The columns of the regression, in the order of theta.
const COLUMNS: [&str; 4] = ["longer side", "shorter side", "mine ratio", "constant"];
/// A column counts as linearly dependent if its orthogonal part is smaller than this, relative to
/// its length.
const OWN_PART: f64 = 1e-6;

/// A board with its best alpha.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaRow {
    /// Cells along the longer side, `p`.
    pub longer: f64,
    /// Cells along the shorter side, `q`.
    pub shorter: f64,
    /// Mines per cell, 0 to 1.
    pub mine_ratio: f64,
    /// The alpha to fit.
    pub alpha: f64,
}

impl AlphaRow {
    fn columns(&self) -> [f64; 4] {
        [self.longer, self.shorter, self.mine_ratio, 1.0]
    }
}

/// The result of the regression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaFit {
    /// theta 1 to 4: the coefficients of longer side, shorter side and mine ratio, and the
    /// constant.
    pub theta: [f64; 4],
    /// R squared: the share of the variance that the regression explains; `None` if there is no
    /// variance.
    pub r_squared: Option<f64>,
}

/// Errors of the regression.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum AlphaError {
    #[error("{0} boards are too few to fit 4 numbers; sweep more boards")]
    TooFew(usize),
    #[error("row {row}: {column} is {value}, which is not a number to fit")]
    NotFinite {
        row: usize,
        column: &'static str,
        value: f64,
    },
    #[error(
        "over these boards the {column} follows from the other columns, and its factor is undetermined; sweep boards that differ in it"
    )]
    Deficient { column: &'static str },
    #[error("the regression failed: {0}")]
    Regression(String),
}

impl AlphaFit {
    /// Fits alpha to `rows` by least squares.
    ///
    /// # Errors
    /// Returns an error if there are fewer than 4 rows, a number is not finite, or the columns are
    /// linearly dependent. Without this check, least squares would return arbitrary coefficients
    /// for dependent columns.
    pub fn new(rows: &[AlphaRow]) -> Result<Self, AlphaError> {
        Self::check(rows)?;
        let records =
            Array2::from_shape_fn((rows.len(), 3), |(row, column)| rows[row].columns()[column]);
        let targets: Array1<f64> = rows.iter().map(|row| row.alpha).collect();
        let fitted = LinearRegression::new()
            .fit(&Dataset::new(records, targets))
            .map_err(|error| AlphaError::Regression(error.to_string()))?;
        let factors = fitted.params();
        let mut fit = Self {
            theta: [factors[0], factors[1], factors[2], fitted.intercept()],
            r_squared: None,
        };
        let mean = rows.iter().map(|row| row.alpha).sum::<f64>() / rows.len() as f64;
        let squares = |at: &dyn Fn(&AlphaRow) -> f64| -> f64 {
            rows.iter().map(|row| (row.alpha - at(row)).powi(2)).sum()
        };
        let total = squares(&|_| mean);
        let unexplained = squares(&|row| fit.at(row));
        fit.r_squared = (total > 0.0).then(|| 1.0 - unexplained / total);
        Ok(fit)
    }

    /// Checks the rows as [`AlphaFit::new`] does, without a fit. The alphas only have to be finite.
    ///
    /// # Errors
    /// Returns the errors of [`AlphaFit::new`].
    pub fn check(rows: &[AlphaRow]) -> Result<(), AlphaError> {
        if rows.len() < COLUMNS.len() {
            return Err(AlphaError::TooFew(rows.len()));
        }
        for (index, row) in rows.iter().enumerate() {
            let mut named = COLUMNS
                .into_iter()
                .zip(row.columns())
                .chain([("alpha", row.alpha)]);
            if let Some((column, value)) = named.find(|(_, value)| !value.is_finite()) {
                return Err(AlphaError::NotFinite {
                    row: index,
                    column,
                    value,
                });
            }
        }
        // Gram-Schmidt, starting with the constant: each column is made orthogonal to the previous
        // ones.
        let mut basis: Vec<Vec<f64>> = Vec::with_capacity(COLUMNS.len());
        for column in [3, 0, 1, 2] {
            let mut own: Vec<f64> = rows.iter().map(|row| row.columns()[column]).collect();
            let length = norm(&own);
            // Repeat the projection, because the first pass has rounding errors.
            for direction in basis.iter().chain(&basis) {
                let along: f64 = direction.iter().zip(&own).map(|(d, x)| d * x).sum();
                own.iter_mut()
                    .zip(direction)
                    .for_each(|(x, d)| *x -= along * d);
            }
            let left = norm(&own);
            if left <= OWN_PART * length || length == 0.0 {
                return Err(AlphaError::Deficient {
                    column: COLUMNS[column],
                });
            }
            own.iter_mut().for_each(|x| *x /= left);
            basis.push(own);
        }
        Ok(())
    }

    /// Returns the fitted alpha for the board of `row`, not clamped.
    pub fn at(&self, row: &AlphaRow) -> f64 {
        row.columns()
            .iter()
            .zip(&self.theta)
            .map(|(x, theta)| x * theta)
            .sum()
    }
}

/// Returns the alpha with the most wins, or the mean of the tied alphas.
///
/// # Panics
/// Panics if there are no alphas, or the lengths differ.
pub fn best_alpha(alphas: &[f64], wins: &[u64]) -> f64 {
    assert!(
        !alphas.is_empty() && alphas.len() == wins.len(),
        "a number of wins for each alpha"
    );
    let most = wins.iter().max();
    let best: Vec<f64> = alphas
        .iter()
        .zip(wins)
        .filter(|&(_, w)| Some(w) == most)
        .map(|(&alpha, _)| alpha)
        .collect();
    best.iter().sum::<f64>() / best.len() as f64
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}
