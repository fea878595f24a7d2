//! Sets of cells as bits, and the set operations that the game uses.
//!
//! A column is a lane of bits whose lowest bit is the bottom cell. Column 0 is the lowest lane:
//!
//! ```text
//! row 2   2 18 34          bit = column * LANE + row, LANE = 16 here
//! row 1   1 17 33
//! row 0   0 16 32
//! column  0  1  2
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
pub(super) use portable::Portable;

/// A set of cells. All implementations give the same results and differ only in speed.
pub(super) trait Bits: Copy {
    /// The memory representation of the set.
    type Words: Copy;
    /// The number of bits per column.
    const LANE: usize;

    fn load(words: &Self::Words) -> Self;
    fn words(self) -> Self::Words;
    fn empty() -> Self;
    /// Returns the set that contains only the cell `bit`.
    fn cell(bit: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    /// Shifts every cell up by one row. Cells of the top row are dropped.
    fn up(self) -> Self;
    fn down(self) -> Self;
    /// Shifts every cell right by one column. Cells of the last column are dropped.
    fn right(self) -> Self;
    fn left(self) -> Self;
    fn is_empty(self) -> bool;
    fn count(self) -> u32;
    /// Returns the cell with index `floor(random * count / 2^32)`, counted from the lowest bit, or `None` for an empty set.
    fn pick(self, random: u32) -> Option<usize>;
    /// Returns whether the set contains a bit below `bit`.
    fn holds_below(self, bit: usize) -> bool;
    /// Returns the columns that contain a cell. Column 0 is the lowest bit.
    fn columns(self) -> u32;
    /// Returns the set without the lane of `column`, with the lanes to the right of it shifted left by one column.
    fn close(self, column: usize) -> Self;
    /// Removes the cells of `gone` from every set, and lets the cells above fall within their columns.
    fn fall<const N: usize>(sets: &mut [Self; N], gone: Self);

    /// Returns the cells reachable from `self` by links. A cell of `vertical` is linked to the cell below it, a cell of `horizontal` to
    /// its left neighbour.
    #[inline(always)]
    fn flood(self, vertical: Self, horizontal: Self) -> Self {
        let mut reached = self;
        loop {
            let more = spread(reached, vertical, horizontal);
            if more.xor(reached).is_empty() {
                return reached;
            }
            reached = more;
        }
    }
}

/// Returns the cells and the neighbours that are linked to them.
#[inline(always)]
fn spread<B: Bits>(cells: B, vertical: B, horizontal: B) -> B {
    let upright = cells.up().and(vertical).or(cells.and(vertical).down());
    let sideways = cells
        .right()
        .and(horizontal)
        .or(cells.and(horizontal).left());
    cells.or(upright).or(sideways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mineflow_rng::Seed;
    use rand::Rng as _;

    type Reference = Portable<4, 16>;

    /// Checks that every operation of `B` gives the same result as the portable one on the same random sets.
    fn agrees<B: Bits<Words = [u64; 4]>>() {
        let mut rng = Seed::new(1).child("bits", 0).rng();
        let mut word = |thin: u32| (0..thin).fold(u64::MAX, |word, _| word & rng.next_u64());
        for round in 0..2_000 {
            let mut set = || std::array::from_fn::<u64, 4, _>(|_| word(round % 4 + 1));
            let (a, b, c) = (set(), set(), set());
            let (x, y, z) = (B::load(&a), B::load(&b), B::load(&c));
            let (p, q, r) = (
                Reference::load(&a),
                Reference::load(&b),
                Reference::load(&c),
            );
            assert_eq!(x.and(y).words(), p.and(q).words());
            assert_eq!(x.or(y).words(), p.or(q).words());
            assert_eq!(x.xor(y).words(), p.xor(q).words());
            assert_eq!(x.without(y).words(), p.without(q).words());
            assert_eq!(x.up().words(), p.up().words());
            assert_eq!(x.down().words(), p.down().words());
            assert_eq!(x.right().words(), p.right().words());
            assert_eq!(x.left().words(), p.left().words());
            assert_eq!(x.count(), p.count());
            assert_eq!(x.columns(), p.columns());
            let random = a[0] as u32;
            let (bit, column) = (random as usize % 256, random as usize % 16);
            assert_eq!(x.pick(random), p.pick(random));
            assert_eq!(B::cell(bit).words(), Reference::cell(bit).words());
            assert_eq!(x.holds_below(bit), p.holds_below(bit));
            assert_eq!(x.close(column).words(), p.close(column).words());
            assert_eq!(x.and(y).flood(y, z).words(), p.and(q).flood(q, r).words());
            let (mut fast, mut slow) = ([x, y], [p, q]);
            B::fall(&mut fast, z);
            Reference::fall(&mut slow, r);
            assert_eq!(fast.map(Bits::words), slow.map(Bits::words));
        }
        assert!(B::empty().is_empty() && B::empty().pick(7).is_none());
    }

    #[test]
    fn portable_sets_agree_with_a_list_of_cells() {
        let mut rng = Seed::new(1).child("bits", 1).rng();
        for _ in 0..300 {
            let (words, gone) = (
                [rng.next_u64(), rng.next_u64(), 0, rng.next_u64()],
                [rng.next_u64(), 0, 0, rng.next_u64()],
            );
            let (set, fallen) = (Reference::load(&words), Reference::load(&gone));
            let holds = |set: Reference, column: usize, row: usize| {
                let bit = column * 16 + row;
                set.words()[bit / 64] >> (bit % 64) & 1 == 1
            };
            let mut after = [set];
            Reference::fall(&mut after, fallen);
            for column in 0..16 {
                let kept = (0..16)
                    .filter(|&row| !holds(fallen, column, row))
                    .map(|row| holds(set, column, row));
                let column_after: Vec<_> =
                    (0..16).map(|row| holds(after[0], column, row)).collect();
                let mut expected: Vec<_> = kept.collect();
                expected.resize(16, false);
                assert_eq!(column_after, expected);
                for row in 0..16 {
                    assert_eq!(
                        holds(set.up(), column, row),
                        row > 0 && holds(set, column, row - 1)
                    );
                    assert_eq!(
                        holds(set.down(), column, row),
                        row < 15 && holds(set, column, row + 1)
                    );
                    assert_eq!(
                        holds(set.right(), column, row),
                        column > 0 && holds(set, column - 1, row)
                    );
                    assert_eq!(
                        holds(set.left(), column, row),
                        column < 15 && holds(set, column + 1, row)
                    );
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn avx2_sets_agree_with_portable_ones() {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn fast() {
            agrees::<Avx2>();
        }
        if !Avx2::is_available() {
            return eprintln!("skipped: this processor has no AVX2");
        }
        // SAFETY: the processor supports the instructions for which `fast` is compiled.
        unsafe { fast() }
    }
}
