//! The number types of the counts.

use num_bigint::BigUint;

/// A number of layouts, by default 0. It is never negative; sums thus lose no digits by
/// cancellation.
pub(super) trait Count: Clone + Default {
    fn one() -> Self;
    /// Returns the size in bytes of one count of the layouts of `cells` cells.
    fn bytes(_cells: usize) -> usize {
        size_of::<Self>()
    }
    /// Computes `self += other * factor`.
    fn add_scaled(&mut self, other: &Self, factor: u32);
}

/// A count that can be multiplied by real weights.
pub(super) trait Real: Count + Copy {
    /// Whether the sums of any board stay within the range of the type.
    const UNBOUNDED: bool;
    fn add_product(&mut self, a: Self, b: Self);
    fn times(self, factor: f64) -> Self;
    fn ratio(self, whole: Self) -> f64;
    fn is_zero(self) -> bool;
    /// Returns the natural logarithm.
    fn ln(self) -> f64;
    /// Returns the sum of the products of two slices, up to the length of the shorter one.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let mut sum = Self::default();
        a.iter().zip(b).for_each(|(&a, &b)| sum.add_product(a, b));
        sum
    }
}

impl Count for f64 {
    fn one() -> Self {
        1.0
    }

    fn add_scaled(&mut self, other: &Self, factor: u32) {
        *self += other * f64::from(factor);
    }
}

impl Real for f64 {
    const UNBOUNDED: bool = false;

    fn add_product(&mut self, a: Self, b: Self) {
        *self += a * b;
    }

    fn times(self, factor: f64) -> Self {
        self * factor
    }

    fn ratio(self, whole: Self) -> f64 {
        self / whole
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn ln(self) -> f64 {
        libm::log(self)
    }

    /// Adds up four independent sums, so that additions don't wait for each other.
    #[inline]
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let len = a.len().min(b.len());
        let (a, a_end) = a[..len].as_chunks::<4>();
        let (b, b_end) = b[..len].as_chunks::<4>();
        let mut sums = [0.0; 4];
        for (a, b) in a.iter().zip(b) {
            for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                *sum += a * b;
            }
        }
        let end: f64 = a_end.iter().zip(b_end).map(|(a, b)| a * b).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + end
    }
}

/// A non-negative real with the precision of an `f64` and an exponent that is large enough for
/// boards of any size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wide {
    /// 0, or at least 1 and below 2.
    fraction: f64,
    exponent: i64,
}

impl Wide {
    fn new(value: f64, exponent: i64) -> Self {
        if value == 0.0 {
            return Self::default();
        }
        let bits = value.to_bits();
        let own = (bits >> 52) as i64 - 1023;
        let fraction = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
        Self {
            fraction,
            exponent: exponent + own,
        }
    }

    /// Returns the number of bits that suffice for a whole number of about this size.
    pub fn bits(self) -> usize {
        // One bit for the power of two itself and one for rounding up to the next.
        self.exponent as usize + 2
    }

    fn plus(self, other: Self) -> Self {
        let (large, small) =
            if self.is_zero() || (!other.is_zero() && other.exponent > self.exponent) {
                (other, self)
            } else {
                (self, other)
            };
        let shift = large.exponent - small.exponent;
        if small.is_zero() || shift > 64 {
            return large;
        }
        Self::new(
            large.fraction + small.fraction / (1u128 << shift) as f64,
            large.exponent,
        )
    }
}

impl Count for Wide {
    fn one() -> Self {
        Self::new(1.0, 0)
    }

    fn add_scaled(&mut self, other: &Self, factor: u32) {
        *self = self.plus(other.times(f64::from(factor)));
    }
}

impl Real for Wide {
    const UNBOUNDED: bool = true;

    fn add_product(&mut self, a: Self, b: Self) {
        *self = self.plus(Self::new(a.fraction * b.fraction, a.exponent + b.exponent));
    }

    fn times(self, factor: f64) -> Self {
        Self::new(self.fraction * factor, self.exponent)
    }

    fn ratio(self, whole: Self) -> f64 {
        let exponent = (self.exponent - whole.exponent).clamp(-1100, 1100) as i32;
        self.fraction / whole.fraction * libm::scalbn(1.0, exponent)
    }

    fn ln(self) -> f64 {
        libm::log(self.fraction) + self.exponent as f64 * std::f64::consts::LN_2
    }

    fn is_zero(self) -> bool {
        self.fraction == 0.0
    }
}

/// Exact while the component has fewer than 128 cells, since there are fewer than `2^cells`
/// layouts.
impl Count for u128 {
    fn one() -> Self {
        1
    }

    fn add_scaled(&mut self, other: &Self, factor: u32) {
        *self += other * u128::from(factor);
    }
}

impl Count for BigUint {
    fn one() -> Self {
        Self::from(1u32)
    }

    fn bytes(cells: usize) -> usize {
        size_of::<Self>() + 16 + cells / 8
    }

    fn add_scaled(&mut self, other: &Self, factor: u32) {
        *self += other * factor;
    }
}
