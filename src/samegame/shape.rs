//! Maximum board sizes: the size of the bit boards, and the operations on them.

use std::{fmt::Debug, hash::Hash};

use super::{
    bits::{Bits, Portable},
    groups,
    playout::{self, Strategy},
    rules::{COLOURS, Move},
};
use mineflow_rng::Rng;

/// A size of bit board. [`Small`] and [`Large`] play the same game; [`Small`] is faster.
pub trait Shape:
    Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static + sealed::Kernels
{
}

/// Boards of at most 16 columns and 16 rows. The operations use AVX2 and BMI2 if the processor
/// supports them, with the same results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Small;

/// Boards of at most 25 columns and 25 rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Large;

impl Shape for Small {}
impl Shape for Large {}

pub(super) mod sealed {
    use super::*;

    /// The bit boards of a shape.
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
        /// Bit boards for every processor.
        type Plain: Bits<Words = Self::Words>;
        /// Bit boards for processors on which [`Kernels::is_fast`] returns true.
        type Fast: Bits<Words = Self::Words>;
        /// The maximum number of columns, which is also the maximum number of rows.
        const SIDE: usize;

        /// Returns whether the processor supports AVX2 and BMI2, and the shape uses them.
        fn is_fast() -> bool;
    }
}

impl sealed::Kernels for Small {
    type Words = [u64; 4];
    type Plain = Portable<4, 16>;
    #[cfg(target_arch = "x86_64")]
    type Fast = super::bits::Avx2;
    #[cfg(not(target_arch = "x86_64"))]
    type Fast = Self::Plain;
    const SIDE: usize = 16;

    fn is_fast() -> bool {
        #[cfg(target_arch = "x86_64")]
        return super::bits::Avx2::is_available();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

impl sealed::Kernels for Large {
    type Words = [u64; 13];
    type Plain = Portable<13, 32>;
    type Fast = Self::Plain;
    const SIDE: usize = 25;

    fn is_fast() -> bool {
        false
    }
}

/// Calls `found` with the lowest bit and the number of cells of every group.
pub(super) fn each_group<S: Shape>(colours: &[S::Words; COLOURS], found: impl FnMut(usize, u32)) {
    if S::is_fast() {
        // SAFETY: the processor supports the instructions, here and below.
        unsafe { fast::each_group::<S::Fast>(colours, found) }
    } else {
        groups::each_group::<S::Plain>(colours, found)
    }
}

/// Removes the group of a cell and returns its number of cells, as [`groups::remove_at`] does.
pub(super) fn remove_at<S: Shape>(colours: &mut [S::Words; COLOURS], bit: usize) -> u32 {
    if S::is_fast() {
        unsafe { fast::remove_at::<S::Fast>(colours, bit) }
    } else {
        groups::remove_at::<S::Plain>(colours, bit)
    }
}

/// Plays to the end of the game and returns the points for the groups removed.
pub(super) fn playout<S: Shape>(
    colours: &mut [S::Words; COLOURS],
    strategy: &Strategy,
    line: &mut Vec<Move>,
    rng: &mut Rng,
) -> i32 {
    if S::is_fast() {
        unsafe { fast::playout::<S::Fast>(colours, strategy, line, rng) }
    } else {
        playout::playout::<S::Plain>(colours, strategy, line, rng)
    }
}

/// The operations, compiled for AVX2 and BMI2. What they call is inlined.
mod fast {
    use super::*;

    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt")
    )]
    pub(super) unsafe fn each_group<B: Bits>(
        colours: &[B::Words; COLOURS],
        found: impl FnMut(usize, u32),
    ) {
        groups::each_group::<B>(colours, found);
    }

    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt")
    )]
    pub(super) unsafe fn remove_at<B: Bits>(colours: &mut [B::Words; COLOURS], bit: usize) -> u32 {
        groups::remove_at::<B>(colours, bit)
    }

    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt")
    )]
    pub(super) unsafe fn playout<B: Bits>(
        colours: &mut [B::Words; COLOURS],
        strategy: &Strategy,
        line: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> i32 {
        playout::playout::<B>(colours, strategy, line, rng)
    }
}
