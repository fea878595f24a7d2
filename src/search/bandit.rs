//! Arms of a bandit: which one to take in the end, and ties broken at random.

use rand::RngExt;

use mineflow_rng::Rng;

/// What the samples of an arm came to, as one player sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArmValue {
    /// The mean reward.
    pub mean: f64,
    pub visits: u32,
}

/// The place of the arm to take: the highest mean, among equals the most visits, then any.
pub fn arm_to_take(arms: impl Iterator<Item = ArmValue>, rng: &mut Rng) -> usize {
    any_of_best(arms.map(|arm| (arm.mean, arm.visits)), rng)
}

/// The place of the highest value, of several each with the same chance.
pub fn any_of_best<V: PartialOrd>(values: impl Iterator<Item = V>, rng: &mut Rng) -> usize {
    let (mut best, mut place, mut equals) = (None, 0, 0_u32);
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
