//! Fixed-point sums, which do not depend on the order of their terms.

/// Numbers are added as multiples of one over this.
pub(super) const UNIT: f64 = (1u64 << 30) as f64;

/// Converts a number that is not negative to units.
pub(super) fn in_units(number: f64) -> u128 {
    (number * UNIT).round() as u128
}
