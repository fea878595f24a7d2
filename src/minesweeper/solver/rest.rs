//! The number of ways to place mines on the cells off the boundary.

use super::number::Real;

/// `f64` weights must lie between this value and its inverse.
const F64_WEIGHT: f64 = 1e-120;

/// Computes the number of ways to place the remaining mines on `rest` cells if `fewest`, `fewest +
/// 1`, ... mines are on the boundary: `C(rest, mines_left - on_boundary)`, up to a common factor,
/// and 0 where that number of mines is impossible. Returns false if the weights may leave the range
/// of `N`.
pub(super) fn rest_weights<N: Real>(
    fewest: usize,
    len: usize,
    mines_left: usize,
    rest: usize,
    weights: &mut Vec<N>,
) -> bool {
    weights.clear();
    weights.resize(len, N::default());
    let mut last: Option<N> = None;
    for (weight, on_boundary) in weights.iter_mut().zip(fewest..) {
        let Some(left) = mines_left
            .checked_sub(on_boundary)
            .filter(|&left| left <= rest)
        else {
            continue;
        };
        // C(rest, left) = C(rest, left + 1) * (left + 1) / (rest - left)
        *weight = last.map_or(N::one(), |last| {
            last.times((left + 1) as f64 / (rest - left) as f64)
        });
        let size = weight.ratio(N::one());
        if !N::UNBOUNDED && !(F64_WEIGHT..=1.0 / F64_WEIGHT).contains(&size) {
            return false;
        }
        last = Some(*weight);
    }
    true
}

/// Logarithms of binomial coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct LnBinomials {
    /// `ln n!` for each `n` from 0 on, computed as needed.
    ln_factorials: Vec<f64>,
}

impl LnBinomials {
    /// Returns `ln C(n, k)`.
    pub fn get(&mut self, n: usize, k: usize) -> f64 {
        while self.ln_factorials.len() <= n {
            let next = match self.ln_factorials.last() {
                None => 0.0,
                Some(last) => last + libm::log(self.ln_factorials.len() as f64),
            };
            self.ln_factorials.push(next);
        }
        self.ln_factorials[n] - self.ln_factorials[k] - self.ln_factorials[n - k]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::number::Wide;

    #[test]
    fn numbers_beyond_floats_are_counted() {
        let mut weights: Vec<f64> = Vec::new();
        assert!(!rest_weights(0, 500, 30_000, 1_000_000, &mut weights));
        let mut weights: Vec<Wide> = Vec::new();
        assert!(rest_weights(0, 500, 30_000, 1_000_000, &mut weights));
        assert!(weights.iter().all(|weight| !weight.is_zero()));
    }
}
