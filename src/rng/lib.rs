#![doc = include_str!("README.md")]

use rand::{Rng as _, SeedableRng};

/// The project's only random generator: xoshiro256++ (Blackman and Vigna), with the same numbers on
/// every platform.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A 64-bit seed from which named child seeds are derived.
///
/// ```
/// use mineflow_rng::Seed;
/// let games = Seed::new(1);
/// assert_ne!(games.child("game", 0), games.child("game", 1));
/// assert_ne!(games.child("game", 0), games.child("player", 0));
/// assert_eq!(games.child("game", 7), Seed::new(1).child("game", 7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Seed(u64);

impl Seed {
    /// Creates the root seed that a user gives, such as `--seed 1`.
    pub const fn new(value: u64) -> Self {
        Self(value)
    }

    /// Derives the seed of the `index`-th item called `name`.
    pub const fn child(self, name: &str, index: u64) -> Self {
        let mut hash = mix(self.0 ^ 0x6a09_e667_f3bc_c908);
        let bytes = name.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            hash = mix(hash ^ bytes[i] as u64);
            i += 1;
        }
        Self(mix(hash ^ mix(index)))
    }

    /// Creates a generator that starts from this seed.
    pub fn rng(self) -> Rng {
        Rng::seed_from_u64(self.0)
    }

    /// Returns the seed as a number, for manifests.
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// Draws a random number in `0..count`, uniform up to a relative error of `count / 2^32`. `count`
/// must be above 0 and below 2^32.
#[inline(always)]
pub fn below(rng: &mut Rng, count: usize) -> usize {
    ((u64::from(rng.next_u32()) * count as u64) >> 32) as usize
}

/// Applies the output function of SplitMix64 (Steele, Lea and Flood): a bijection in which every
/// input bit affects all 64 output bits.
pub const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
