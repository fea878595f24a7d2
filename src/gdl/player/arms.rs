//! The actions of one role in one state, with their statistics.

use mineflow_rng::Rng;
use mineflow_search::bandit::any_of_best;

/// An action, and the sums of the rewards of all roles in the playouts that began with it.
pub(super) struct ActionArm {
    pub action: usize,
    pub visits: u64,
    pub sums: Box<[f64]>,
    /// The exact rewards of all roles, if the action leads to a state of known value.
    pub known: Option<Box<[f64]>>,
}

impl ActionArm {
    pub fn new(action: usize, roles: usize) -> Self {
        Self {
            action,
            visits: 0,
            sums: vec![0.0; roles].into(),
            known: None,
        }
    }

    /// Returns the exact reward of a role if it is known, otherwise the mean reward.
    pub fn mean(&self, role: usize) -> f64 {
        match &self.known {
            Some(rewards) => rewards[role],
            None => self.sums[role] / self.visits.max(1) as f64,
        }
    }
}

/// Returns the index of the arm to sample next for a role: an arm without visits if there is one,
/// otherwise the argmax of the mean plus `sqrt(explore ln N / n)` (UCB1).
pub(super) fn to_sample(arms: &[ActionArm], role: usize, explore: f64, rng: &mut Rng) -> usize {
    let logarithm = libm::log(arms.iter().map(|arm| arm.visits).sum::<u64>() as f64);
    let bound = |arm: &ActionArm| match arm.visits {
        0 => f64::INFINITY,
        visits => arm.mean(role) + (explore * logarithm / visits as f64).sqrt(),
    };
    any_of_best(arms.iter().map(bound), rng)
}
