//! Sums that don't depend on their order.

/// Numbers are added up as whole numbers of this part, so that sums don't depend on their order.
pub(super) const UNIT: f64 = (1u64 << 30) as f64;

/// A number from 0 in units.
pub(super) fn in_units(number: f64) -> u128 {
    (number * UNIT).round() as u128
}
