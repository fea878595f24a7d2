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

    /// An operation on the bit boards of the colours.
    pub trait Operation<Words> {
        type Output;

        /// Performs the operation by one implementation of bit boards. It must be inlined, so that
        /// it is compiled for the instruction set of its caller.
        #[allow(private_bounds)]
        fn run<B: Bits<Words = Words>>(self) -> Self::Output;
    }

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
        /// The number of bits per column.
        const LANE: usize;
        /// The maximum number of columns, which is also the maximum number of rows.
        const SIDE: usize;

        /// Performs an operation by the fastest implementation of bit boards.
        fn run<O: Operation<Self::Words>>(operation: O) -> O::Output;
    }
}

use sealed::Operation;

/// Calls `found` with the lowest bit and the number of cells of every group.
pub(super) struct EachGroup<'a, Words, F> {
    pub(super) colours: &'a [Words; COLOURS],
    pub(super) found: F,
}

impl<Words, F: FnMut(usize, u32)> Operation<Words> for EachGroup<'_, Words, F> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits<Words = Words>>(self) {
        each_group::<B, COLOURS>(self.colours, self.found);
    }
}

/// Removes the group of a cell and returns its number of cells, as [`remove_at`] does.
pub(super) struct RemoveAt<'a, Words> {
    pub(super) colours: &'a mut [Words; COLOURS],
    pub(super) bit: usize,
}

impl<Words> Operation<Words> for RemoveAt<'_, Words> {
    type Output = u32;

    #[inline(always)]
    fn run<B: Bits<Words = Words>>(self) -> u32 {
        remove_at::<B, COLOURS>(self.colours, self.bit)
    }
}

/// Plays to the end of the game and returns the points for the groups removed.
pub(super) struct Playout<'a, Words> {
    pub(super) colours: &'a mut [Words; COLOURS],
    pub(super) strategy: &'a Strategy,
    pub(super) line: &'a mut Vec<Move>,
    pub(super) rng: &'a mut Rng,
}

impl<Words> Operation<Words> for Playout<'_, Words> {
    type Output = i32;

    #[inline(always)]
    fn run<B: Bits<Words = Words>>(self) -> i32 {
        let Self {
            colours,
            strategy,
            line,
            rng,
        } = self;
        if B::load(&colours[COLOURS - 1]).is_empty() {
            playout::<B, 3>(colours, strategy, line, rng)
        } else {
            playout::<B, 4>(colours, strategy, line, rng)
        }
    }
}

/// Performs an operation, compiled for AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_fast<O: Operation<[u64; 4]>>(operation: O) -> O::Output {
    operation.run::<Avx2>()
}

impl sealed::Kernels for Small {
    type Words = [u64; 4];
    const LANE: usize = 16;
    const SIDE: usize = 16;

    fn run<O: Operation<Self::Words>>(operation: O) -> O::Output {
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_available() {
            // SAFETY: the processor supports the instructions for which the function is compiled.
            return unsafe { run_fast(operation) };
        }
        operation.run::<Portable<4, 16>>()
    }
}

impl sealed::Kernels for Large {
    type Words = [u64; 13];
    const LANE: usize = 32;
    const SIDE: usize = 25;

    fn run<O: Operation<Self::Words>>(operation: O) -> O::Output {
        operation.run::<Portable<13, 32>>()
    }
}
