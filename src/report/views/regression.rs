//! A least-squares line through boards, and how far its R^2 would be another with other boards.

use mineflow_arena::Estimate;
use mineflow_rng::{Seed, below};

/// Unknowns of the line: three factors and the constant.
const UNKNOWNS: usize = 4;
/// Draws of the bootstrap, and its seed.
const DRAWS: usize = 2000;
const SEED: Seed = Seed::new(1);
/// Fewer boards than this give no interval.
const FEWEST: usize = 20;

/// What a board is like, a constant 1 last, and its target.
pub(super) type LinePoint = ([f64; UNKNOWNS], f64);

/// R^2 with its percentile interval over draws of as many boards with replacement; `None` for few boards, or if they don't determine a line.
pub(super) fn r_squared_with_interval(points: &[LinePoint]) -> Option<Estimate> {
    let value = r_squared(points)?;
    if points.len() < FEWEST {
        return None;
    }
    let draw = |number: usize| {
        let mut rng = SEED.child("boards", number as u64).rng();
        let drawn: Vec<_> = points
            .iter()
            .map(|_| points[below(&mut rng, points.len())])
            .collect();
        r_squared(&drawn)
    };
    let mut drawn: Vec<f64> = (0..DRAWS).filter_map(draw).collect();
    drawn.sort_by(f64::total_cmp);
    let outside = drawn.len() / 40;
    Some(Estimate {
        value,
        low: *drawn.get(outside)?,
        high: drawn[drawn.len() - 1 - outside],
    })
}

/// The share of the targets' variance that the line explains.
fn r_squared(points: &[LinePoint]) -> Option<f64> {
    let theta = line(points)?;
    let mean = points.iter().map(|(_, target)| target).sum::<f64>() / points.len() as f64;
    let total: f64 = points
        .iter()
        .map(|(_, target)| (target - mean).powi(2))
        .sum();
    let of_line = |like: &[f64; UNKNOWNS]| {
        like.iter()
            .zip(theta)
            .map(|(value, factor)| value * factor)
            .sum::<f64>()
    };
    let unexplained: f64 = points
        .iter()
        .map(|(like, target)| (target - of_line(like)).powi(2))
        .sum();
    (total > 0.0).then(|| 1.0 - unexplained / total)
}

/// The line of least squares by the normal equations, `None` where they have no single solution.
fn line(points: &[LinePoint]) -> Option<[f64; UNKNOWNS]> {
    let mut rows = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
    for (like, target) in points {
        for (row, value) in rows.iter_mut().zip(like) {
            row.iter_mut()
                .zip(like.iter().chain([target]))
                .for_each(|(sum, other)| *sum += value * other);
        }
    }
    for at in 0..UNKNOWNS {
        let best =
            (at..UNKNOWNS).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()))?;
        rows.swap(at, best);
        if rows[at][at].abs() < 1e-9 {
            return None;
        }
        let pivot = rows[at];
        for (_, row) in rows
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| *index != at)
        {
            let factor = row[at] / pivot[at];
            row.iter_mut()
                .zip(pivot)
                .for_each(|(value, of_pivot)| *value -= factor * of_pivot);
        }
    }
    Some(std::array::from_fn(|at| rows[at][UNKNOWNS] / rows[at][at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards on a plane, and every other one as far above it as the next is below.
    fn points(count: usize, off: f64) -> Vec<LinePoint> {
        let at = |index: usize| {
            let [a, b, c] = [index % 5, index / 5 % 3, index / 15].map(|value| value as f64);
            let sign = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
            ([a, b, c, 1.0], 0.5 + 0.25 * a - b + 2.0 * c + sign * off)
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn r_squared_is_1_on_a_line_and_its_interval_is_the_same_every_time() {
        assert!((r_squared(&points(60, 0.0)).unwrap() - 1.0).abs() < 1e-9);
        let noisy = points(60, 2.0);
        let of = r_squared_with_interval(&noisy).unwrap();
        assert!(
            0.0 < of.low && of.low < of.value && of.value < of.high && of.high < 1.0,
            "{of:?}"
        );
        assert_eq!(r_squared_with_interval(&noisy), Some(of));
    }

    #[test]
    fn too_few_boards_or_boards_on_one_side_give_none() {
        assert_eq!(r_squared_with_interval(&points(19, 2.0)), None);
        assert_eq!(
            r_squared_with_interval(&vec![([1.0, 1.0, 1.0, 1.0], 1.0); 30]),
            None
        );
    }
}
