//! The order of training rows.

use rand::RngExt;

use mineflow_rng::Seed;

/// Draws a random permutation of the numbers below `rows` with `seed` (Fisher-Yates).
pub(super) fn shuffled(rows: usize, seed: Seed) -> Vec<u32> {
    let rows = u32::try_from(rows).expect("a table of 4 billion rows fits no memory");
    let mut order: Vec<u32> = (0..rows).collect();
    let mut rng = seed.rng();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.random_range(0..=last as u32) as usize);
    }
    order
}
