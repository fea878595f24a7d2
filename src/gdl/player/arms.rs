//! The actions of one role in one state, and what came of them.

use mineflow_rng::Rng;
use mineflow_search::bandit::any_of_best;

/// An action and the rewards of all roles in the playouts that began with it.
#[derive(Clone, Debug)]
pub(super) struct ActionArm {
    pub(super) action: usize,
    pub(super) visits: u32,
    pub(super) sums: Box<[f64]>,
    /// The rewards of all roles where the action leads to a state whose value is known.
    pub(super) known: Option<Box<[f64]>>,
}

impl ActionArm {
    pub(super) fn new(action: usize, roles: usize) -> Self {
        Self { action, visits: 0, sums: vec![0.0; roles].into(), known: None }
    }

    /// The mean reward of a role, or the exact one.
    pub(super) fn mean(&self, role: usize) -> f64 {
        match &self.known {
            Some(rewards) => rewards[role],
            None => self.sums[role] / f64::from(self.visits.max(1)),
        }
    }
}

/// The place of the arm to sample next: one without visits, else the highest sum of what `value` gives an arm and the root
/// of `explore ln N / n`. An arm worth minus infinity is not sampled before all others are worth as little.
pub(super) fn to_sample_by(
    arms: &[ActionArm],
    value: impl Fn(usize, &ActionArm) -> f64,
    explore: f64,
    rng: &mut Rng,
) -> usize {
    let logarithm = f64::from(arms.iter().map(|arm| arm.visits).sum::<u32>()).ln();
    let bound = |(place, arm): (usize, &ActionArm)| match (value(place, arm), arm.visits) {
        (f64::NEG_INFINITY, _) => f64::NEG_INFINITY,
        (_, 0) => f64::INFINITY,
        (value, visits) => value + (explore * logarithm / f64::from(visits)).sqrt(),
    };
    any_of_best(arms.iter().enumerate().map(bound), rng)
}
