//! Whole numbers of a fixed length, for counts whose size is known in advance.

use num_bigint::BigUint;

use super::number::Count;

/// A count of `64 * WORDS` bits, the lowest word first. Sums wrap around; a final count that fits
/// is thus exact even if intermediate counts don't fit.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for Fixed<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl<const WORDS: usize> Count for Fixed<WORDS> {
    fn one() -> Self {
        let mut one = Self::default();
        one.0[0] = 1;
        one
    }

    fn add_scaled(&mut self, other: &Self, factor: u32) {
        let mut carry = 0;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            let sum = u128::from(other) * u128::from(factor) + u128::from(*word) + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
    }
}

impl<const WORDS: usize> From<Fixed<WORDS>> for BigUint {
    fn from(Fixed(words): Fixed<WORDS>) -> Self {
        Self::from_bytes_le(&words.map(u64::to_le_bytes).concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_carry_and_wrap_around() {
        let mut count = Fixed::<2>::one();
        for _ in 0..20 {
            count.add_scaled(&count.clone(), 69);
        }
        assert_eq!(
            BigUint::from(count),
            BigUint::from(70_u32).pow(20) % (BigUint::one() << 128)
        );
        let mut wide = Fixed::<4>::one();
        for _ in 0..20 {
            wide.add_scaled(&wide.clone(), 69);
        }
        assert_eq!(BigUint::from(wide), BigUint::from(70_u32).pow(20));
    }
}
