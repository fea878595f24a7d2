//! Sets of 16 columns of 16 cells in one 256-bit register.
//!
//! Every method is inlined into a function compiled for AVX2 and BMI2, which is called only if
//! [`Avx2::is_available`] returns true.

use std::arch::x86_64::*;

use super::{Bits, spread};

/// Sixteen lanes of 16 bits.
#[derive(Clone, Copy)]
pub struct Avx2(__m256i);

/// The mask of all bits below each bit index.
static BELOW: [[u64; 4]; 257] = below();

const fn below() -> [[u64; 4]; 257] {
    let mut table = [[0; 4]; 257];
    let mut bit = 0;
    while bit < 256 {
        table[bit + 1] = table[bit];
        table[bit + 1][bit / 64] |= 1 << (bit % 64);
        bit += 1;
    }
    table
}

impl Avx2 {
    /// Returns whether this processor supports the instructions used here.
    pub(crate) fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
    }

    /// Computes [`spread`] within each half of the register, which is twice as fast but may miss
    /// links between columns 7 and 8.
    #[inline(always)]
    fn spread_in_halves(self, vertical: Self, horizontal: Self) -> Self {
        // SAFETY: see the head of this file.
        let (right, left) = unsafe {
            let from_right = self.and(horizontal).0;
            (
                Self(_mm256_bslli_epi128(self.0, 2)),
                Self(_mm256_bsrli_epi128(from_right, 2)),
            )
        };
        let upright = self.up().and(vertical).or(self.and(vertical).down());
        self.or(upright).or(right.and(horizontal).or(left))
    }
}

/// How the columns of a board shift when the lowest run of removed cells is deleted from each
/// column.
struct Shift {
    /// Cells that stay in place.
    below: __m256i,
    /// Cells that fall by the length of the run.
    above: __m256i,
    /// `2^(16 - length)`. The upper half of a product with this factor is a right shift by
    /// `length`.
    factor: __m256i,
}

impl Shift {
    /// Returns the shift for the lowest run of `gone` in each column, and the cells of `gone` above
    /// these runs.
    #[inline(always)]
    fn lowest_runs(gone: __m256i) -> (Self, __m256i) {
        // SAFETY: see the head of this file.
        unsafe {
            let ones = _mm256_set1_epi8(-1);
            let lowest = _mm256_and_si256(gone, _mm256_sub_epi16(_mm256_setzero_si256(), gone));
            // The carry propagates through the lowest run and clears its bits.
            let carried = _mm256_add_epi16(gone, lowest);
            let run = _mm256_andnot_si256(carried, gone);
            let rest = _mm256_and_si256(carried, gone);
            let below = _mm256_add_epi16(lowest, ones);
            let above = _mm256_andnot_si256(_mm256_or_si256(below, run), ones);
            // The bits of each byte are counted with two nibble lookups. Then both bytes of each
            // 16-bit lane are added: each byte gets the sum, plus 8 in the high byte.
            let nibbles = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let low = _mm256_set1_epi8(15);
            let bytes = _mm256_add_epi8(
                _mm256_shuffle_epi8(nibbles, _mm256_and_si256(run, low)),
                _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(run, 4), low)),
            );
            let swap = _mm256_setr_epi8(
                1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8,
                11, 10, 13, 12, 15, 14,
            );
            let length_plus_8_above = _mm256_add_epi8(bytes, _mm256_set1_epi16(0x0800));
            let index = _mm256_add_epi8(length_plus_8_above, _mm256_shuffle_epi8(bytes, swap));
            // The table contains the low byte of 2^(16 - length) at index `length`, and the high
            // byte at index `length + 8`, modulo 16. For lengths 0 and 16 the lookup is
            // meaningless, but no cell lies above the run then.
            let powers = _mm256_setr_epi8(
                1, 0, 0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                -128, 64, 32, 16, 8, 4, 2,
            );
            (
                Self {
                    below,
                    above,
                    factor: _mm256_shuffle_epi8(powers, index),
                },
                rest,
            )
        }
    }

    #[inline(always)]
    fn apply(&self, set: __m256i) -> __m256i {
        // SAFETY: see the head of this file.
        unsafe {
            let fallen = _mm256_mulhi_epu16(_mm256_and_si256(set, self.above), self.factor);
            _mm256_or_si256(_mm256_and_si256(set, self.below), fallen)
        }
    }
}

// SAFETY of every block below: see the head of this file. Loads and stores access 32 bytes that the
// reference covers.
impl Bits for Avx2 {
    type Words = [u64; 4];
    const LANE: usize = 16;

    #[inline(always)]
    fn load(words: &[u64; 4]) -> Self {
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        unsafe {
            let low = _mm256_castsi256_si128(self.0);
            let high = _mm256_extracti128_si256(self.0, 1);
            [
                _mm_cvtsi128_si64(low) as u64,
                _mm_extract_epi64(low, 1) as u64,
                _mm_cvtsi128_si64(high) as u64,
                _mm_extract_epi64(high, 1) as u64,
            ]
        }
    }

    #[inline(always)]
    fn empty() -> Self {
        Self(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn cell(bit: usize) -> Self {
        Self::load(&BELOW[bit + 1]).without(Self::load(&BELOW[bit]))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn up(self) -> Self {
        Self(unsafe { _mm256_slli_epi16(self.0, 1) })
    }

    #[inline(always)]
    fn down(self) -> Self {
        Self(unsafe { _mm256_srli_epi16(self.0, 1) })
    }

    #[inline(always)]
    fn right(self) -> Self {
        unsafe {
            let low_half_above = _mm256_permute2x128_si256(self.0, self.0, 0x08);
            Self(_mm256_alignr_epi8(self.0, low_half_above, 14))
        }
    }

    #[inline(always)]
    fn left(self) -> Self {
        unsafe {
            let high_half_below = _mm256_permute2x128_si256(self.0, self.0, 0x81);
            Self(_mm256_alignr_epi8(high_half_below, self.0, 2))
        }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn pick(self, random: u32) -> Option<usize> {
        let words = self.words();
        // The running counts are used for the choice as well. Otherwise the compiler would count
        // again with vector instructions.
        let first = words[0].count_ones();
        let second = first + words[1].count_ones();
        let third = second + words[2].count_ones();
        let count = third + words[3].count_ones();
        if count == 0 {
            return None;
        }
        let index = ((u64::from(random) * u64::from(count)) >> 32) as u32;
        let mut word = words[0];
        let mut skipped = 0;
        let mut start = 0;
        if index >= first {
            (word, skipped, start) = (words[1], first, 64);
        }
        if index >= second {
            (word, skipped, start) = (words[2], second, 128);
        }
        if index >= third {
            (word, skipped, start) = (words[3], third, 192);
        }
        let bit = unsafe { _pdep_u64(1 << (index - skipped), word) }.trailing_zeros();
        Some((bit + start) as usize)
    }

    #[inline(always)]
    fn holds_below(self, bit: usize) -> bool {
        !self.and(Self::load(&BELOW[bit])).is_empty()
    }

    #[inline(always)]
    fn columns(self) -> u32 {
        unsafe {
            let empty = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            _pext_u32(!_mm256_movemask_epi8(empty) as u32, 0x5555_5555)
        }
    }

    #[inline(always)]
    fn close(self, column: usize) -> Self {
        let kept = Self::load(&BELOW[16 * column]);
        self.and(kept).or(self.left().without(kept))
    }

    #[inline(always)]
    fn fall<const N: usize>(sets: &mut [Self; N], gone: Self) {
        let mut gone = gone.0;
        loop {
            let (shift, rest) = Shift::lowest_runs(gone);
            for set in &mut *sets {
                set.0 = shift.apply(set.0);
            }
            if Self(rest).is_empty() {
                return;
            }
            gone = shift.apply(rest);
        }
    }

    /// Runs three steps within the halves before each complete step with a check, because groups
    /// are small and the check is the expensive part.
    #[inline(always)]
    fn flood(self, vertical: Self, horizontal: Self) -> Self {
        let mut reached = self;
        loop {
            let mut near = reached;
            for _ in 0..3 {
                near = near.spread_in_halves(vertical, horizontal);
            }
            reached = spread(near, vertical, horizontal);
            if reached.xor(near).is_empty() {
                return reached;
            }
        }
    }
}
