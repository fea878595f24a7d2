//! A uniformly random choice of one legal action in each lane.

use rand::Rng as _;

use super::lanes::{Words, lanes_of};
use mineflow_rng::Rng;

/// A 64x64 matrix of bits.
type BitSquare = [u64; 64];

/// Scratch memory for choosing.
pub(super) struct UniformChoice<const W: usize> {
    /// For each available action, its input slot and the lanes in which the action is legal.
    options: Vec<(usize, Words<W>)>,
    /// The slots of the actions that are legal in some lane of the current word.
    slots: Vec<usize>,
    /// For the current word, matrices with one row per lane, whose bits say which of `slots` are
    /// legal in this lane.
    blocks: Vec<BitSquare>,
}

impl<const W: usize> UniformChoice<W> {
    pub(super) const fn new() -> Self {
        Self {
            options: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.options.clear();
    }

    /// Adds an action that is legal in the given lanes.
    pub(super) fn offer(&mut self, slot: usize, lanes: Words<W>) {
        self.options.push((slot, lanes));
    }

    /// Chooses one of the legal actions in each of `lanes`, and calls `raise` with the slot of the
    /// action and the lane.
    pub(super) fn choose(
        &mut self,
        lanes: Words<W>,
        rng: &mut Rng,
        mut raise: impl FnMut(usize, usize),
    ) {
        // The same actions are often legal in every lane, for example for dice.
        if self.options.iter().all(|&(_, legal)| legal == lanes) {
            for lane in lanes_of(lanes) {
                raise(self.options[below(rng, self.options.len())].0, lane);
            }
            return;
        }
        for word in (0..W).filter(|&word| lanes[word] != 0) {
            self.turn(word);
            for lane in lanes_of([lanes[word]]) {
                let rows = self.blocks.iter().map(|block| block[lane]);
                let mut left = below(rng, rows.clone().map(|row| row.count_ones() as usize).sum());
                for (index, row) in rows.enumerate() {
                    let here = row.count_ones() as usize;
                    if left < here {
                        raise(
                            self.slots[64 * index + nth_one(row, left)],
                            64 * word + lane,
                        );
                        break;
                    }
                    left -= here;
                }
            }
        }
    }

    fn turn(&mut self, word: usize) {
        self.slots.clear();
        self.blocks.clear();
        for &(slot, legal) in self.options.iter().filter(|(_, legal)| legal[word] != 0) {
            let place = self.slots.len() % 64;
            if place == 0 {
                self.blocks.push([0; 64]);
            }
            let block = self
                .blocks
                .last_mut()
                .expect("one was pushed with the first action");
            block[place] = legal[word];
            self.slots.push(slot);
        }
        self.blocks.iter_mut().for_each(transpose);
    }
}

/// Returns a random number below `bound`, uniform up to a relative error of `bound / 2^64`.
fn below(rng: &mut Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// Returns the index of the `n`-th set bit, where `n` is counted from 0.
fn nth_one(mut row: u64, n: usize) -> usize {
    for _ in 0..n {
        row &= row - 1;
    }
    row.trailing_zeros() as usize
}

/// Transposes the matrix by swapping quarters recursively (Warren, Hacker's Delight, 7-3).
fn transpose(block: &mut BitSquare) {
    let mut size = 32;
    let mut mask = 0xffff_ffff_u64;
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            for upper in row..row + size {
                let swap = ((block[upper] >> size) ^ block[upper + size]) & mask;
                block[upper] ^= swap << size;
                block[upper + size] ^= swap;
            }
            row += 2 * size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mineflow_rng::Seed;

    #[test]
    fn a_transposed_block_has_rows_for_columns() {
        let mut rng = Seed::new(1).rng();
        let block: BitSquare = std::array::from_fn(|_| rng.next_u64());
        let mut turned = block;
        transpose(&mut turned);
        for (row, from) in block.iter().enumerate() {
            for (column, to) in turned.iter().enumerate() {
                assert_eq!(to >> row & 1, from >> column & 1);
            }
        }
    }

    #[test]
    fn every_legal_action_is_chosen_equally_often_and_no_other() {
        // Lane `l` may do action `a` if bit `l` of the action's word is set. There are 100 actions,
        // and 1 to 100 of them are legal in a lane.
        let mut choice = UniformChoice::<1>::new();
        for action in 0..100 {
            choice.offer(
                action,
                [(0..64).fold(0, |word, lane| {
                    word | u64::from(action % (lane + 1) == 0) << lane
                })],
            );
        }
        let mut rng = Seed::new(2).rng();
        let mut counts = [[0_u32; 100]; 64];
        for _ in 0..20_000 {
            choice.choose([!0], &mut rng, |action, lane| counts[lane][action] += 1);
        }
        for (lane, counts) in counts.iter().enumerate() {
            let legal = 100_usize.div_ceil(lane + 1);
            for (action, &count) in counts.iter().enumerate() {
                let expected = if action % (lane + 1) == 0 {
                    20_000.0 / legal as f64
                } else {
                    0.0
                };
                assert!(
                    (f64::from(count) - expected).abs() <= 6.0 * expected.sqrt(),
                    "{lane} {action} {count}"
                );
            }
        }
    }
}
