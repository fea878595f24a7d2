//! Settings for running playouts in parallel: the number of playouts, and the number of leaves from
//! which they start.

use super::add_scaled;
use super::walk::GameWalk;
use crate::propnet::{PlayoutRows, PlayoutStart};
use mineflow_rng::Rng;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The size of batches of parallel playouts. With more than one lane, playouts neither read nor
/// fill the cache of explored leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batches {
    /// The number of playouts that run at once. The playouts are divided evenly among the leaves.
    pub lanes: u32,
    /// The number of leaves that are collected before their playouts run. Until then, the pending
    /// playouts count as losses (virtual loss).
    pub leaves: u32,
}

impl Default for Batches {
    fn default() -> Self {
        Self {
            lanes: 1,
            leaves: 1,
        }
    }
}

impl Batches {
    /// Returns the number of playouts from each leaf.
    pub(super) fn share(self) -> u64 {
        u64::from(self.lanes / self.leaves)
    }

    /// Returns the reason why the settings contradict each other, if they do.
    pub(super) fn contradiction(self) -> Option<&'static str> {
        (self.leaves > self.lanes)
            .then_some("there are more leaves than lanes; give each leaf a lane at least")
    }
}

impl Options for Batches {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("lanes", &mut self.lanes, 1..=4096)?;
        list.number("leaves", &mut self.leaves, 1..=4096)
    }
}

/// Runs the given number of playouts from each leaf of `leaves`, all at once. Returns, for each
/// leaf, the sums of the rewards of all roles.
pub(super) fn play_out<'s>(
    walk: &mut GameWalk<'_>,
    leaves: impl Iterator<Item = (PlayoutStart<'s>, u64)> + Clone,
    rng: &mut Rng,
) -> Vec<Box<[f64]>> {
    let start = |(leaf, playouts)| std::iter::repeat_n(leaf, playouts as usize);
    let starts: Vec<PlayoutStart<'_>> = leaves.clone().flat_map(start).collect();
    let roles = walk.roles();
    let mut rows = PlayoutRows::default();
    walk.play_out_all(&starts, rng, &mut rows);
    let mut rewards = rows.rewards.chunks(roles);
    let of_leaf = |(_, playouts)| {
        let mut sums: Box<[f64]> = vec![0.0; roles].into();
        for row in rewards.by_ref().take(playouts as usize) {
            add_scaled(&mut sums, 1.0, row);
        }
        sums
    };
    leaves.map(of_leaf).collect()
}
