//! Fixed-point sums, which do not depend on the order of their terms.

/// Numbers are summed as multiples of `1 / UNIT`.
pub(super) const UNIT: f64 = (1u64 << 30) as f64;

/// Converts a non-negative number to a multiple of `1 / UNIT`.
pub(super) fn in_units(number: f64) -> u128 {
    (number * UNIT).round() as u128
}
