//! Bit-sliced counters, one for each of 64 cells.

/// Number of sets that are added together.
const BLOCK: usize = 8;

/// One counter per cell, stored as one word per binary digit.
pub(super) struct Counts {
    digits: [u64; u32::BITS as usize],
    /// Number of digits that may be non-zero.
    used: usize,
}

impl Counts {
    /// Counts for each cell the sets that contain it. There must be fewer than 2^32 sets.
    pub fn of_sets(sets: &[u64]) -> Self {
        let mut counts = Self {
            digits: [0; u32::BITS as usize],
            used: (usize::BITS - sets.len().leading_zeros()) as usize,
        };
        let mut blocks = sets.chunks_exact(BLOCK);
        blocks.by_ref().for_each(|block| counts.add_block(block));
        blocks
            .remainder()
            .iter()
            .for_each(|&set| counts.add(set, 0));
        counts
    }

    /// Adds `1 << digit` to the counters of the cells in a set.
    fn add(&mut self, set: u64, digit: usize) {
        let mut carry = set;
        for digit in &mut self.digits[digit..] {
            if carry == 0 {
                break;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// Adds 1 to the counters of the cells in each of [`BLOCK`] sets, by a carry-save adder tree
    /// (Harley and Seal).
    fn add_block(&mut self, sets: &[u64]) {
        let full = |a: u64, b: u64, c: u64| (a ^ b ^ c, a & b | (a ^ b) & c);
        let [ones, twos, fours, ..] = &mut self.digits;
        let (sum, two_a) = full(*ones, sets[0], sets[1]);
        let (sum, two_b) = full(sum, sets[2], sets[3]);
        let (sum_of_twos, four_a) = full(*twos, two_a, two_b);
        let (sum, two_a) = full(sum, sets[4], sets[5]);
        let (sum, two_b) = full(sum, sets[6], sets[7]);
        let (sum_of_twos, four_b) = full(sum_of_twos, two_a, two_b);
        let (sum_of_fours, eight) = full(*fours, four_a, four_b);
        (*ones, *twos, *fours) = (sum, sum_of_twos, sum_of_fours);
        self.add(eight, 3);
    }

    pub fn of(&self, cell: usize) -> u32 {
        self.digits[..self.used]
            .iter()
            .enumerate()
            .map(|(at, digit)| ((digit >> cell & 1) as u32) << at)
            .sum()
    }

    /// Returns the lowest counter of the cells in a non-empty set.
    pub fn least(&self, mut set: u64) -> u32 {
        let mut least = 0;
        for (at, digit) in self.digits[..self.used].iter().enumerate().rev() {
            match set & !digit {
                0 => least |= 1 << at,
                zero => set = zero,
            }
        }
        least
    }
}
