//! Alpha as a linear function of the board (main paper, section 4.2.3, equation 10).

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2};

/// What the columns of the regression are, in the order of theta.
const COLUMNS: [&str; 4] = ["longer side", "shorter side", "mine ratio", "constant"];
/// A column counts as made of others when so small a part of its length is its own.
const OWN_PART: f64 = 1e-6;

/// One board and the alpha that wins most on it.
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

/// A fitted line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaFit {
    /// theta 1 to 4: the factors of longer side, shorter side, mine ratio, and the constant.
    pub theta: [f64; 4],
    /// The share of the variance that the line explains; `None` where there is none to explain.
    pub r_squared: Option<f64>,
}

/// Why no line can be fitted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AlphaError {
    #[error("4 numbers can't be fitted to {0} boards; sweep more of them")]
    TooFew(usize),
    #[error("row {row}: {column} is {value}, which is not a number to fit")]
    NotFinite {
        row: usize,
        column: &'static str,
        value: f64,
    },
    #[error(
        "over these boards the {column} follows from the other columns, so its factor is undetermined; sweep boards that differ in it"
    )]
    Deficient { column: &'static str },
    #[error("the regression failed: {0}")]
    Regression(String),
}

impl AlphaFit {
    /// Least squares over `rows`.
    ///
    /// # Errors
    /// Fewer than 4 rows, a number that is not finite, or columns that determine each other: least squares alone would give
    /// some line and say nothing.
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
        let total: f64 = rows.iter().map(|row| (row.alpha - mean).powi(2)).sum();
        let unexplained: f64 = rows
            .iter()
            .map(|row| (row.alpha - fit.at(row)).powi(2))
            .sum();
        fit.r_squared = (total > 0.0).then(|| 1.0 - unexplained / total);
        Ok(fit)
    }

    /// Checks that a line can be fitted over these boards, whatever their alphas turn out to be.
    ///
    /// # Errors
    /// As [`AlphaFit::new`].
    pub fn check(rows: &[AlphaRow]) -> Result<(), AlphaError> {
        check(rows)
    }

    /// The line at the board of `row`, not clamped.
    pub fn at(&self, row: &AlphaRow) -> f64 {
        row.columns()
            .iter()
            .zip(&self.theta)
            .map(|(x, theta)| x * theta)
            .sum()
    }
}

/// The alpha with the most wins; the mean of those that share them.
///
/// # Panics
/// If there are no alphas, or not as many numbers of wins.
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

fn check(rows: &[AlphaRow]) -> Result<(), AlphaError> {
    if rows.len() < COLUMNS.len() {
        return Err(AlphaError::TooFew(rows.len()));
    }
    for (index, row) in rows.iter().enumerate() {
        let named = COLUMNS
            .into_iter()
            .zip(row.columns())
            .chain([("alpha", row.alpha)]);
        if let Some((column, value)) = named.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(AlphaError::NotFinite {
                row: index,
                column,
                value,
            });
        }
    }
    // Gram and Schmidt, the constant first: what is left of each column once the ones before it are taken out.
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(COLUMNS.len());
    for column in [3, 0, 1, 2] {
        let mut own: Vec<f64> = rows.iter().map(|row| row.columns()[column]).collect();
        let length = norm(&own);
        // Twice, because the first pass leaves what rounding made of it.
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

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}
