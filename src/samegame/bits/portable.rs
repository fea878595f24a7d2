//! Sets of cells in plain words, for boards of any size and for processors without AVX2.

use super::Bits;

/// A set of `WORDS` words, each divided into lanes of `LANE` bits, where `LANE` is 16 or 32.
#[derive(Clone, Copy)]
pub struct Portable<const WORDS: usize, const LANE: usize>([u64; WORDS]);

impl<const WORDS: usize, const LANE: usize> Portable<WORDS, LANE> {
    /// The lowest lane with all bits set.
    const COLUMN: u64 = (1 << LANE) - 1;
    /// The lowest bit of every lane.
    const BOTTOM: u64 = u64::MAX / Self::COLUMN;

    fn map(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const WORDS: usize, const LANE: usize> Bits for Portable<WORDS, LANE> {
    type Words = [u64; WORDS];
    const LANE: usize = LANE;

    fn load(words: &Self::Words) -> Self {
        Self(*words)
    }

    fn words(self) -> Self::Words {
        self.0
    }

    fn empty() -> Self {
        Self([0; WORDS])
    }

    fn cell(bit: usize) -> Self {
        let mut set = Self::empty();
        set.0[bit / 64] = 1 << (bit % 64);
        set
    }

    fn and(self, other: Self) -> Self {
        self.map(other, |a, b| a & b)
    }

    fn or(self, other: Self) -> Self {
        self.map(other, |a, b| a | b)
    }

    fn xor(self, other: Self) -> Self {
        self.map(other, |a, b| a ^ b)
    }

    fn without(self, other: Self) -> Self {
        self.map(other, |a, b| a & !b)
    }

    fn up(self) -> Self {
        Self(self.0.map(|word| word << 1 & !Self::BOTTOM))
    }

    fn down(self) -> Self {
        Self(self.0.map(|word| word >> 1 & !(Self::BOTTOM << (LANE - 1))))
    }

    fn right(self) -> Self {
        Self(std::array::from_fn(|i| {
            self.0[i] << LANE
                | if i > 0 {
                    self.0[i - 1] >> (64 - LANE)
                } else {
                    0
                }
        }))
    }

    fn left(self) -> Self {
        Self(std::array::from_fn(|i| {
            self.0[i] >> LANE
                | if i + 1 < WORDS {
                    self.0[i + 1] << (64 - LANE)
                } else {
                    0
                }
        }))
    }

    fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn pick(self, random: u32) -> Option<usize> {
        let mut skip = ((u64::from(random) * u64::from(self.count())) >> 32) as u32;
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if skip < here {
                let word = (0..skip).fold(word, |word, _| word & (word - 1));
                return Some(64 * i + word.trailing_zeros() as usize);
            }
            skip -= here;
        }
        None
    }

    fn holds_below(self, bit: usize) -> bool {
        let whole = bit / 64;
        let rest = bit % 64;
        self.0[..whole].iter().any(|&word| word != 0) || self.0[whole] & ((1 << rest) - 1) != 0
    }

    fn columns(self) -> u32 {
        let lanes = 64 / LANE;
        let lane = |column: usize| self.0[column / lanes] >> (column % lanes * LANE) & Self::COLUMN;
        (0..WORDS * lanes).fold(0, |columns, column| {
            columns | u32::from(lane(column) != 0) << column
        })
    }

    fn close(self, column: usize) -> Self {
        let moved = self.left();
        Self(std::array::from_fn(|i| {
            let kept = match (column * LANE).saturating_sub(64 * i) {
                0 => 0,
                low if low < 64 => (1 << low) - 1,
                _ => u64::MAX,
            };
            self.0[i] & kept | moved.0[i] & !kept
        }))
    }

    fn fall<const N: usize>(sets: &mut [Self; N], gone: Self) {
        for (i, &word) in gone.0.iter().enumerate() {
            let mut left = word;
            // Cells are removed from the top down, so that a falling cell never passes a cell that
            // is still to be removed.
            while left != 0 {
                let bit = 63 - left.leading_zeros();
                left &= !(1 << bit);
                let lane = Self::COLUMN << (bit as usize / LANE * LANE);
                let above = lane & !((1 << bit) - 1);
                for set in sets.iter_mut() {
                    let fallen = (set.0[i] & above & !(1 << bit)) >> 1;
                    set.0[i] = set.0[i] & !above | fallen;
                }
            }
        }
    }
}
