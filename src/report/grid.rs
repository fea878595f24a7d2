//! Section 5.3 of Sinha et al.: every board size with every mine ratio.
//!
//! On small boards several ratios give the same number of mines. Such a board is played once and
//! used for each of these ratios, so that all means are over the same sizes.

use std::collections::{BTreeMap, HashMap};

use mineflow_arena::Estimate;
use mineflow_tasks::eval::EvalRow;

/// The mine ratios of the grid, in %.
const PERCENTS: std::ops::RangeInclusive<usize> = 5..=25;

/// A board size with its mine ratio in %.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    width: usize,
    height: usize,
    percent: usize,
}

/// Returns the quantity of this name, by which places are grouped.
pub(crate) fn group(by: &str) -> Option<fn(Place) -> f64> {
    Some(match by {
        "mine_ratio" => |at| at.percent as f64 / 100.0,
        // The ratio of the sides.
        "sides" => |at| (10.0 * at.height as f64 / at.width as f64).round() / 10.0,
        // The midpoint of a group that spans thirty consecutive numbers of cells.
        "cells" => |at| (at.width * at.height / 30 * 30 + 15) as f64,
        _ => return None,
    })
}

/// The rows of a player under a first-click rule, at each place that the player has played.
#[derive(Clone, Default)]
pub(crate) struct Played<'a> {
    pub player: &'a str,
    pub first_click: &'a str,
    rows: BTreeMap<Place, &'a EvalRow>,
}

/// Returns the rows by player and first-click rule. The suffix `-paper` of a player's name, which
/// denotes the traversal of Sinha et al., is removed.
pub(crate) fn grid(rows: &[EvalRow]) -> Vec<Played<'_>> {
    let mut series: BTreeMap<_, HashMap<_, &EvalRow>> = BTreeMap::new();
    for row in rows {
        series
            .entry((row.player.trim_end_matches("-paper"), &*row.first_click))
            .or_default()
            .insert((row.width, row.height, row.mines), row);
    }
    series
        .into_iter()
        .map(|((player, first_click), by_board)| Played {
            player,
            first_click,
            rows: by_place(&by_board),
        })
        .collect()
}

fn by_place<'a>(
    by_board: &HashMap<(usize, usize, usize), &'a EvalRow>,
) -> BTreeMap<Place, &'a EvalRow> {
    let mut rows = BTreeMap::new();
    for &(width, height, _) in by_board.keys() {
        for percent in PERCENTS {
            let of_hundred = width * height * percent;
            let mines = ((of_hundred + 50) / 100).max(1);
            let row = by_board.get(&(width, height, mines)).or_else(|| {
                // A number of mines halfway between two integers may have been rounded up or down.
                by_board
                    .get(&(width, height, mines - 1))
                    .filter(|_| of_hundred % 100 == 50)
            });
            let place = Place {
                width,
                height,
                percent,
            };
            rows.extend(row.map(|row| (place, *row)));
        }
    }
    // A ratio between those that were played has the number of mines of one of them on small boards
    // only.
    let mut sizes = BTreeMap::new();
    for place in rows.keys() {
        *sizes.entry(place.percent).or_insert(0) += 1;
    }
    let most = sizes.values().copied().max();
    rows.retain(|place, _| Some(sizes[&place.percent]) == most);
    rows
}

impl Played<'_> {
    /// Returns the number of places.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the rows at the places that `is` selects.
    pub fn only(&self, is: impl Fn(Place) -> bool) -> Self {
        let mut only = self.clone();
        only.rows.retain(|place, _| is(*place));
        only
    }

    /// Returns the rows at the places that the other player has played, too.
    pub fn shared(&self, other: &Self) -> Self {
        self.only(|place| other.rows.contains_key(&place))
    }

    /// Returns the rows of each group of places, in ascending order of the quantity.
    pub fn groups(&self, of: fn(Place) -> f64) -> Vec<(f64, Self)> {
        let mut groups: Vec<f64> = self.rows.keys().map(|place| of(*place)).collect();
        groups.sort_by(f64::total_cmp);
        groups.dedup();
        groups
            .into_iter()
            .map(|group| (group, self.only(|place| of(place) == group)))
            .collect()
    }

    /// Returns the rows with their multiplicities.
    fn weighted(&self) -> Vec<(&EvalRow, f64)> {
        let mut rows: Vec<(&EvalRow, f64)> = Vec::new();
        for row in self.rows.values() {
            match rows.last_mut() {
                Some((last, times)) if std::ptr::eq(*last, *row) => *times += 1.0,
                _ => rows.push((row, 1.0)),
            }
        }
        rows
    }

    /// Returns the mean win rate, luck-corrected if luck was measured at all places.
    pub fn won(&self) -> Option<Estimate> {
        let rows = self.weighted();
        let corrected: Option<Vec<_>> = rows
            .iter()
            .map(|(row, times)| Some((row.corrected()?, *times)))
            .collect();
        match corrected {
            Some(corrected) => Estimate::weighted(corrected),
            None => Estimate::of(rows.into_iter().map(|(row, times)| row.stratum(times))),
        }
    }

    /// Returns the difference in win rate of two players at the places that both have played. The
    /// intervals assume independent games; as both played the same boards, the true interval is
    /// narrower.
    pub fn lead(&self, other: &Self) -> Option<Estimate> {
        Some(self.shared(other).won()?.minus(other.shared(self).won()?))
    }

    /// Returns the mean CPU time of a game in seconds.
    pub fn seconds(&self) -> Option<f64> {
        let mut sum = 0.0;
        let mut weights = 0.0;
        for (row, times) in self.weighted() {
            sum += times * row.cpu_seconds? / row.games as f64;
            weights += times;
        }
        (weights > 0.0).then(|| sum / weights)
    }

    /// Returns the ratio of the player's time to the other's at the places that both have played.
    /// The interval is that of a ratio of means over sizes (delta method).
    pub fn times(&self, other: &Self) -> Option<Estimate> {
        let [own, others] = [self.shared(other), other.shared(self)];
        let mut sizes: Vec<_> = own.rows.keys().map(|at| (at.width, at.height)).collect();
        sizes.dedup();
        let mut pairs = Vec::new();
        for size in sizes {
            let seconds = |played: &Self| played.only(|at| (at.width, at.height) == size).seconds();
            pairs.push([seconds(&own)?, seconds(&others)?]);
        }
        let count = pairs.len() as f64;
        let [own, others] = [0, 1].map(|of| pairs.iter().map(|pair| pair[of]).sum::<f64>() / count);
        let times = own / others;
        let errors = pairs
            .iter()
            .map(|pair| times + (pair[0] - times * pair[1]) / others);
        (pairs.len() > 1 && others > 0.0).then(|| Estimate::mean(errors))
    }
}
