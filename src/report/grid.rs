//! Section 5.3 of Sinha et al.: every board size with every mine ratio.
//!
//! On small boards several ratios give the same number of mines. Such a board is played once and used for each of these ratios, so
//! that all means are over the same sizes.

use std::collections::{BTreeSet, HashMap};

use mineflow_arena::Estimate;
use mineflow_tasks::eval::EvalRow;

use crate::data::players_of;

/// The mine ratios of the grid, in %.
pub(crate) const PERCENTS: std::ops::RangeInclusive<usize> = 5..=25;

/// A board size with its mine ratio in %.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) percent: usize,
}

pub(crate) struct Grid<'a> {
    rows: HashMap<(&'a str, usize, usize, usize), &'a EvalRow>,
}

impl<'a> Grid<'a> {
    /// Creates the grid from the rows with this first-click rule. The suffix `-paper` of a player's name, which denotes the traversal of
    /// Sinha et al., is removed.
    pub(crate) fn new(rows: &'a [EvalRow], first_click: &str) -> Self {
        let rows = rows.iter().filter(|row| row.first_click == first_click);
        let key = |row: &'a EvalRow| {
            (
                (
                    row.player.trim_end_matches("-paper"),
                    row.width,
                    row.height,
                    row.mines,
                ),
                row,
            )
        };
        Self {
            rows: rows.map(key).collect(),
        }
    }

    /// Returns these players of the grid, under all their names.
    pub(crate) fn players(&self, players: &[&str]) -> Vec<&'a str> {
        players_of(self.rows.keys().map(|(player, ..)| *player), players)
    }

    fn row(&self, player: &'a str, at: Place) -> Option<&'a EvalRow> {
        let cells = at.width * at.height;
        // A number of mines halfway between two integers may have been rounded up or down.
        let mines = ((cells * at.percent + 50) / 100).max(1);
        let row = |mines: usize| {
            self.rows
                .get(&(player, at.width, at.height, mines))
                .copied()
        };
        row(mines).or_else(|| row(mines - 1).filter(|_| cells * at.percent % 100 == 50))
    }

    /// Returns the places that all of these players have played.
    pub(crate) fn shared(&self, players: &[&'a str]) -> Vec<Place> {
        let sizes: BTreeSet<_> = self
            .rows
            .keys()
            .map(|&(_, width, height, _)| (width, height))
            .collect();
        let places = sizes.into_iter().flat_map(|(width, height)| {
            PERCENTS.map(move |percent| Place {
                width,
                height,
                percent,
            })
        });
        places
            .filter(|&at| players.iter().all(|player| self.row(player, at).is_some()))
            .collect()
    }

    /// Returns the rows of a player at these places, with their multiplicities.
    fn rows(&self, player: &'a str, places: &[Place]) -> Vec<(&'a EvalRow, f64)> {
        let mut rows: Vec<(&EvalRow, f64)> = Vec::new();
        for row in places.iter().filter_map(|&at| self.row(player, at)) {
            match rows.last_mut() {
                Some((last, times)) if std::ptr::eq(*last, row) => *times += 1.0,
                _ => rows.push((row, 1.0)),
            }
        }
        rows
    }

    /// Returns the mean win rate of a player, luck-corrected if luck was measured at all places.
    pub(crate) fn won(&self, player: &'a str, places: &[Place]) -> Option<Estimate> {
        let rows = self.rows(player, places);
        let corrected: Option<Vec<_>> = rows
            .iter()
            .map(|(row, times)| Some((row.corrected()?, *times)))
            .collect();
        match corrected {
            Some(corrected) => Estimate::weighted(corrected),
            None => Estimate::of(rows.into_iter().map(|(row, times)| row.stratum(times))),
        }
    }

    /// Returns the difference in win rate of two players at the places that both have played and `of` selects. The intervals
    /// assume independent games; as both played the same boards, the true interval is narrower.
    pub(crate) fn lead(
        &self,
        first: &'a str,
        second: &'a str,
        of: impl Fn(Place) -> bool,
    ) -> Option<Estimate> {
        let mut places = self.shared(&[first, second]);
        places.retain(|&at| of(at));
        Some(self.won(first, &places)?.minus(self.won(second, &places)?))
    }

    /// Returns the mean CPU time of a game in seconds.
    pub(crate) fn seconds(&self, player: &'a str, places: &[Place]) -> Option<f64> {
        let rows = self.rows(player, places);
        let sum: Option<f64> = rows
            .iter()
            .map(|(row, times)| Some(times * row.cpu_seconds? / row.games as f64))
            .sum();
        let weights: f64 = rows.iter().map(|(_, times)| times).sum();
        sum.filter(|_| weights > 0.0).map(|sum| sum / weights)
    }

    /// Returns the ratio of the second player's time to the first's. The interval is that of a ratio of means over sizes (delta
    /// method).
    pub(crate) fn times(&self, first: &'a str, second: &'a str) -> Option<Estimate> {
        let places = self.shared(&[first, second]);
        let sizes: BTreeSet<_> = places.iter().map(|at| (at.width, at.height)).collect();
        let of_size = |&(width, height): &(usize, usize)| {
            let here: Vec<_> = places
                .iter()
                .copied()
                .filter(|at| (at.width, at.height) == (width, height))
                .collect();
            Some((self.seconds(first, &here)?, self.seconds(second, &here)?))
        };
        let pairs: Vec<(f64, f64)> = sizes.iter().map(of_size).collect::<Option<_>>()?;
        let count = pairs.len() as f64;
        let (of_first, of_second) = pairs.iter().fold((0.0, 0.0), |sum, pair| {
            (sum.0 + pair.0 / count, sum.1 + pair.1 / count)
        });
        let times = of_second / of_first;
        (pairs.len() > 1 && of_first > 0.0).then(|| {
            Estimate::mean(
                pairs
                    .iter()
                    .map(|pair| times + (pair.1 - times * pair.0) / of_first),
            )
        })
    }
}
