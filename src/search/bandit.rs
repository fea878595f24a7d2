//! Multi-armed bandits: the upper bound of an arm, and choices with random tie-breaking.

use rand::RngExt;

use mineflow_rng::Rng;

/// Returns the upper confidence bound of an arm with rewards in 0..=1, `v_i + sqrt(2 ln n / n_i)`
/// (UCB1: Auer, Cesa-Bianchi, Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem",
/// Machine Learning 47, 2002). The bound is infinite for an arm without visits.
pub fn ucb1(mean: f64, visits: u64, all_visits: u64) -> f64 {
    if visits == 0 {
        return f64::INFINITY;
    }
    mean + (2.0 * libm::log(all_visits as f64) / visits as f64).sqrt()
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
