//! Maximum board sizes: the size of the bit boards, and the operations on them.

use std::fmt::Debug;
use std::hash::Hash;

#[cfg(target_arch = "x86_64")]
use super::bits::Avx2;
use super::bits::{Bits, Portable};
use super::groups::{each_group, remove_at};
use super::playout::{Strategy, playout};
use super::rules::{COLOURS, Move};
use mineflow_rng::Rng;

/// A size of bit board. [`Small`] and [`Large`] play the same game; [`Small`] is faster.
pub trait Shape:
    Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static + sealed::Kernels
{
}

/// Boards of at most 16 columns and 16 rows. The operations use AVX2 and BMI2 if the processor supports them, with the same results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Small;

/// Boards of at most 25 columns and 25 rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Large;

impl Shape for Small {}
impl Shape for Large {}

pub(super) mod sealed {
    use super::*;

    /// The operations of a shape on the bit boards of the colours.
    pub trait Kernels {
        type Words: Copy
            + Eq
            + Ord
            + Hash
            + Debug
            + Default
            + Send
            + Sync
            + AsRef<[u64]>
            + AsMut<[u64]>;
        /// The number of bits per column.
        const LANE: usize;
        /// The maximum number of columns, which is also the maximum number of rows.
        const SIDE: usize;

        fn each_group(colours: &[Self::Words; COLOURS], found: impl FnMut(usize, u32));
        fn remove_at(colours: &mut [Self::Words; COLOURS], bit: usize) -> u32;
        fn playout(
            colours: &mut [Self::Words; COLOURS],
            strategy: &Strategy,
            line: &mut Vec<Move>,
            rng: &mut Rng,
        ) -> i32;
    }
}

type SmallBits = Portable<4, 16>;
type LargeBits = Portable<13, 32>;

fn any_playout<B: Bits>(
    colours: &mut [B::Words; COLOURS],
    strategy: &Strategy,
    line: &mut Vec<Move>,
    rng: &mut Rng,
) -> i32 {
    if B::load(&colours[COLOURS - 1]).is_empty() {
        playout::<B, 3>(colours, strategy, line, rng)
    } else {
        playout::<B, 4>(colours, strategy, line, rng)
    }
}

/// The same functions compiled for AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
mod fast {
    use super::*;

    type Colours = [[u64; 4]; COLOURS];

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn each(colours: &Colours, found: impl FnMut(usize, u32)) {
        each_group::<Avx2, COLOURS>(colours, found);
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn remove(colours: &mut Colours, bit: usize) -> u32 {
        remove_at::<Avx2, COLOURS>(colours, bit)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn three_planes(
        colours: &mut Colours,
        strategy: &Strategy,
        line: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> i32 {
        playout::<Avx2, 3>(colours, strategy, line, rng)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn four_planes(
        colours: &mut Colours,
        strategy: &Strategy,
        line: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> i32 {
        playout::<Avx2, 4>(colours, strategy, line, rng)
    }
}

impl sealed::Kernels for Small {
    type Words = [u64; 4];
    const LANE: usize = 16;
    const SIDE: usize = 16;

    fn each_group(colours: &[Self::Words; COLOURS], found: impl FnMut(usize, u32)) {
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_available() {
            // SAFETY: the processor supports the instructions for which the function is compiled.
            return unsafe { fast::each(colours, found) };
        }
        each_group::<SmallBits, COLOURS>(colours, found);
    }

    fn remove_at(colours: &mut [Self::Words; COLOURS], bit: usize) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_available() {
            // SAFETY: the processor supports the instructions for which the function is compiled.
            return unsafe { fast::remove(colours, bit) };
        }
        remove_at::<SmallBits, COLOURS>(colours, bit)
    }

    fn playout(
        colours: &mut [Self::Words; COLOURS],
        strategy: &Strategy,
        line: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_available() {
            let seven_colours = colours[COLOURS - 1] == [0; 4];
            // SAFETY: the processor supports the instructions for which the functions are compiled.
            return unsafe {
                if seven_colours {
                    fast::three_planes(colours, strategy, line, rng)
                } else {
                    fast::four_planes(colours, strategy, line, rng)
                }
            };
        }
        any_playout::<SmallBits>(colours, strategy, line, rng)
    }
}

impl sealed::Kernels for Large {
    type Words = [u64; 13];
    const LANE: usize = 32;
    const SIDE: usize = 25;

    fn each_group(colours: &[Self::Words; COLOURS], found: impl FnMut(usize, u32)) {
        each_group::<LargeBits, COLOURS>(colours, found);
    }

    fn remove_at(colours: &mut [Self::Words; COLOURS], bit: usize) -> u32 {
        remove_at::<LargeBits, COLOURS>(colours, bit)
    }

    fn playout(
        colours: &mut [Self::Words; COLOURS],
        strategy: &Strategy,
        line: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> i32 {
        any_playout::<LargeBits>(colours, strategy, line, rng)
    }
}
