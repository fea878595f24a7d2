//! Multi-armed bandits: the final choice of an arm, with random tie-breaking.

use rand::RngExt;

use mineflow_rng::Rng;

/// The statistics of an arm, from the point of view of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArmValue {
    /// The mean reward.
    pub mean: f64,
    pub visits: u64,
}

/// Returns the index of the arm to take: the argmax of the mean. Ties are broken by the number of
/// visits, then at random.
pub fn arm_to_take(arms: impl Iterator<Item = ArmValue>, rng: &mut Rng) -> usize {
    any_of_best(arms.map(|arm| (arm.mean, arm.visits)), rng)
}

/// Returns the index of the highest value, with ties broken uniformly at random.
pub fn any_of_best<V: PartialOrd>(values: impl Iterator<Item = V>, rng: &mut Rng) -> usize {
    let mut best = None;
    let mut place = 0;
    let mut equals = 0_u32;
    for (index, value) in values.enumerate() {
        if best.as_ref().is_none_or(|best| value > *best) {
            (best, place, equals) = (Some(value), index, 1);
        } else if best.as_ref() == Some(&value) {
            equals += 1;
            if rng.random_range(0..equals) == 0 {
                place = index;
            }
        }
    }
    place
}
