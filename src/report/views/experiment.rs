//! The games of section 5.3, averaged over boards.
//!
//! Every size of the experiment is played at every mine ratio, from 5 to 25 % by whole percents. On a small board several ratios give
//! the same number of mines; such a board is played once and stands for each of them, so that every mean is over the same sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::games::GameTable;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::list;
use mineflow_tasks::eval::EvalRow;

/// The end of the name of a player whose limits count over the whole system, as in the paper.
const PAPER_ENGINE: &str = "-paper";
/// The mine ratios of the experiment, in percent.
const PERCENTS: std::ops::RangeInclusive<u32> = 5..=25;
/// A table of fewer sizes than this is not an experiment.
const LEAST_SIZES: usize = 5;

/// Width and height.
pub(super) type BoardSize = (usize, usize);

/// Everything that was played, by player, size and number of mines.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct MineRatioExperiment {
    players: BTreeMap<String, BTreeMap<BoardSize, BTreeMap<usize, EvalRow>>>,
}

/// Players on the boards that all of them have played.
pub(super) struct SharedBoards<'a> {
    experiment: &'a MineRatioExperiment,
    pub(super) players: Vec<&'a str>,
    /// Those asked for that have played on less than half of the sizes.
    pub(super) left_out: Vec<&'a str>,
    pub(super) sizes: BTreeSet<BoardSize>,
    /// Mine ratios in percent.
    pub(super) percents: Vec<u32>,
}

impl MineRatioExperiment {
    /// The games of the tables that belong to the experiment, and these tables.
    pub(super) fn of(tables: &[(PathBuf, GameTable)]) -> (Self, Vec<PathBuf>) {
        let mut experiment = Self::default();
        let added = tables
            .iter()
            .filter(|(_, table)| experiment.add(&table.rows))
            .map(|(path, _)| path.clone())
            .collect();
        (experiment, added)
    }

    /// Adds the rows of one table, if it has many sizes, and says whether. Of two rows on the same board the one with more games stays.
    fn add(&mut self, rows: &[EvalRow]) -> bool {
        let sizes: BTreeSet<BoardSize> = rows.iter().map(|row| (row.width, row.height)).collect();
        if sizes.len() < LEAST_SIZES {
            return false;
        }
        for row in rows.iter().filter(|row| row.first_click == "safe") {
            let player = row.player.trim_end_matches(PAPER_ENGINE).to_owned();
            let sizes = self.players.entry(player).or_default();
            let boards = sizes.entry((row.width, row.height)).or_default();
            let known = boards.entry(row.mines).or_insert_with(|| row.clone());
            if known.games < row.games {
                *known = row.clone();
            }
        }
        true
    }

    /// These players on the boards that all of them have played. A player with less than half of the sizes of another is left out.
    pub(super) fn shared<'a>(&'a self, players: &[&'a str]) -> SharedBoards<'a> {
        let most = players
            .iter()
            .map(|player| self.sizes_of(player))
            .max()
            .unwrap_or(0);
        let (enough, left_out): (Vec<_>, Vec<_>) = self
            .those_of(players)
            .partition(|player| 2 * self.sizes_of(player) >= most);
        SharedBoards {
            left_out,
            ..self.of_all(&enough)
        }
    }

    /// The same for every player that has played at all, however few boards they share.
    pub(super) fn of_all<'a>(&'a self, players: &[&'a str]) -> SharedBoards<'a> {
        let players: Vec<_> = self.those_of(players).collect();
        let has = |player: &str, size: &BoardSize| self.players[player].contains_key(size);
        let of_first = players
            .first()
            .map(|&first| self.players[first].keys().copied())
            .into_iter()
            .flatten();
        let sizes: BTreeSet<BoardSize> = of_first
            .filter(|size| players.iter().all(|player| has(player, size)))
            .collect();
        let is_played = |&percent: &u32| {
            let at = |player: &str| {
                sizes
                    .iter()
                    .all(|&size| self.row(player, size, percent).is_some())
            };
            players.iter().all(|player| at(player))
        };
        let percents = if sizes.is_empty() {
            Vec::new()
        } else {
            PERCENTS.filter(is_played).collect()
        };
        SharedBoards {
            experiment: self,
            players,
            left_out: Vec::new(),
            sizes,
            percents,
        }
    }

    fn those_of<'a>(&self, players: &[&'a str]) -> impl Iterator<Item = &'a str> {
        players
            .iter()
            .copied()
            .filter(|player| self.sizes_of(player) > 0)
    }

    fn sizes_of(&self, player: &str) -> usize {
        self.players.get(player).map_or(0, BTreeMap::len)
    }

    /// The games of a player on boards of this size at this mine ratio.
    fn row(&self, player: &str, (width, height): BoardSize, percent: u32) -> Option<&EvalRow> {
        let boards = self.players.get(player)?.get(&(width, height))?;
        let cells = width * height;
        // In hundredths, so that halves are exact; a half may have been rounded either way.
        let hundredths = cells * percent as usize;
        let rounded = ((hundredths + 50) / 100).clamp(1, cells.saturating_sub(1).max(1));
        let other = if hundredths % 100 == 50 {
            rounded.saturating_sub(1).max(1)
        } else {
            rounded
        };
        boards.get(&rounded).or_else(|| boards.get(&other))
    }
}

impl<'a> SharedBoards<'a> {
    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.players.is_empty() || self.percents.is_empty()
    }

    /// The games of one of the players at the mine ratios and on the sizes that are asked for, with how often each stands.
    fn rows<'b>(
        &'b self,
        player: &'b str,
        percents: &'b [u32],
        of: impl Fn(BoardSize) -> bool + 'b,
    ) -> impl Iterator<Item = (&'a EvalRow, f64)> + 'b {
        let is_shown = self.players.contains(&player);
        self.sizes
            .iter()
            .copied()
            .filter(move |&size| is_shown && of(size))
            .flat_map(move |size| {
                let mut times: BTreeMap<usize, (&'a EvalRow, f64)> = BTreeMap::new();
                for &percent in percents {
                    if let Some(row) = self.experiment.row(player, size, percent) {
                        times.entry(row.mines).or_insert((row, 0.0)).1 += 1.0;
                    }
                }
                times.into_values()
            })
    }

    /// The mean win ratio of a player over all sizes and these mine ratios; `None` of one that is not among the players.
    pub(super) fn wins(&self, player: &str, percents: &[u32]) -> Option<Estimate> {
        self.wins_on(player, percents, |_| true)
    }

    /// The same over the sizes that `of` names: luck-corrected where that was measured on all these boards.
    pub(super) fn wins_on(
        &self,
        player: &str,
        percents: &[u32],
        of: impl Fn(BoardSize) -> bool,
    ) -> Option<Estimate> {
        let rows: Vec<_> = self.rows(player, percents, of).collect();
        let corrected = rows
            .iter()
            .map(|(row, times)| Some((row.corrected()?, *times)));
        match corrected.collect::<Option<Vec<_>>>() {
            Some(corrected) => Estimate::weighted(corrected),
            None => Estimate::of(rows.into_iter().map(|(row, times)| row.stratum(times))),
        }
    }

    /// The mean processor time of a game in seconds.
    pub(super) fn seconds(&self, player: &str, percents: &[u32]) -> Option<f64> {
        self.mean(player, percents, |row| row.cpu_seconds.unwrap_or(f64::NAN))
            .filter(|seconds| seconds.is_finite())
    }

    /// How many times as long the second player takes as the first for all its games at these mine ratios. The interval is that of a ratio of
    /// means (the delta method), sizes being drawn; `None` where a time is missing, a player has not played, or there are fewer than two sizes.
    pub(super) fn times(&self, [first, second]: [&str; 2], percents: &[u32]) -> Option<Estimate> {
        let seconds = |player: &str| -> Option<Vec<f64>> {
            let of_size = |size: &BoardSize| {
                let rows = self.rows(player, percents, |other| other == *size);
                rows.map(|(row, times)| Some(times * row.cpu_seconds? / row.games as f64))
                    .sum::<Option<f64>>()
            };
            self.sizes.iter().map(of_size).collect()
        };
        let (of_first, of_second) = (seconds(first)?, seconds(second)?);
        let [mean_first, mean_second] =
            [&of_first, &of_second].map(|all| all.iter().sum::<f64>() / all.len() as f64);
        let times = mean_second / mean_first;
        let pairs = of_first.iter().zip(&of_second);
        let each =
            pairs.map(|(of_first, of_second)| times + (of_second - times * of_first) / mean_first);
        (of_first.len() > 1 && mean_first > 0.0 && mean_second > 0.0).then(|| Estimate::mean(each))
    }

    /// The number of games of a player that were out of time.
    pub(super) fn late(&self, player: &str) -> u64 {
        self.rows(player, &self.percents, |_| true)
            .map(|(row, _)| row.timeouts)
            .sum()
    }

    /// The mean number of guesses of a game on the sizes that `of` names.
    pub(super) fn guesses(&self, player: &str, of: impl Fn(BoardSize) -> bool) -> Option<f64> {
        let rows = self.rows(player, &self.percents, of);
        let (sum, weights) = rows.fold((0.0, 0.0), |(sum, weights), (row, times)| {
            (sum + times * row.guesses_per_game, weights + times)
        });
        (weights > 0.0).then(|| sum / weights)
    }

    /// The mean over the configurations of a sum over their games, a game.
    fn mean(&self, player: &str, percents: &[u32], sum: impl Fn(&EvalRow) -> f64) -> Option<f64> {
        let (mut total, mut weights) = (0.0, 0.0);
        for (row, times) in self.rows(player, percents, |_| true) {
            total += times * sum(row) / row.games as f64;
            weights += times;
        }
        (weights > 0.0).then(|| total / weights)
    }

    /// The least and the greatest number of games that a player has played of a configuration.
    pub(super) fn games(&self, player: &str) -> (u64, u64) {
        let games = self
            .rows(player, &self.percents, |_| true)
            .map(|(row, _)| row.games);
        games.fold((u64::MAX, 0), |(least, most), games| {
            (least.min(games), most.max(games))
        })
    }

    /// The boards in words, with the number of games where players differ in it.
    pub(super) fn describe(&self) -> String {
        let range = |(low, high): (u64, u64)| {
            if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            }
        };
        let widths = self
            .sizes
            .first()
            .zip(self.sizes.last())
            .map_or((0, 0), |(low, high)| (low.0, high.0));
        let first = self.percents.first().copied().unwrap_or(0);
        let last = self.percents.last().copied().unwrap_or(0);
        let mut by_games: BTreeMap<(u64, u64), Vec<&str>> = BTreeMap::new();
        for player in &self.players {
            by_games.entry(self.games(player)).or_default().push(player);
        }
        let each: Vec<_> = by_games
            .iter()
            .rev()
            .map(|(&games, players)| format!("{} by {}", range(games), list(players)))
            .collect();
        let games = match by_games.first_key_value() {
            Some((&games, _)) if by_games.len() == 1 => format!("{} games of each", range(games)),
            _ => format!("games of each: {}", each.join("; ")),
        };
        let mut text = format!(
            "{} sizes of width {}, {} mine ratios from {first} to {last} %; {games}",
            self.sizes.len(),
            range((widths.0 as u64, widths.1 as u64)),
            self.percents.len()
        );
        if !self.left_out.is_empty() {
            let (names, verb) = (
                list(&self.left_out),
                if self.left_out.len() == 1 {
                    "has"
                } else {
                    "have"
                },
            );
            text += &format!(
                ". {names} {verb} played on less than half of the sizes and so {verb} no line"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(
        player: &str,
        (width, height): BoardSize,
        mines: usize,
        games: u64,
        wins: u64,
    ) -> EvalRow {
        let row = serde_json::json!({
            "player": player, "width": width, "height": height, "mines": mines, "mine_ratio": 0.0, "first_click": "safe", "games": games,
            "wins": wins, "losses": games - wins, "timeouts": 0, "win_ratio": wins as f64 / games as f64, "ci_low": 0.0, "ci_high": 1.0,
            "guesses_per_game": 0.0
        });
        EvalRow {
            cpu_seconds: Some(games as f64 * 0.01),
            ..serde_json::from_value(row).unwrap()
        }
    }

    /// Five sizes, 10 and 20 % of mines.
    fn table(player: &str, games: u64, wins: impl Fn(BoardSize, usize) -> u64) -> Vec<EvalRow> {
        let sizes = [(10, 6), (10, 7), (10, 8), (10, 9), (10, 10)];
        let at = |size: BoardSize, percent| {
            let mines = size.0 * size.1 * percent / 100;
            row(player, size, mines, games, wins(size, percent))
        };
        sizes
            .into_iter()
            .flat_map(|size| [10, 20].map(|percent| at(size, percent)))
            .collect()
    }

    #[test]
    fn means_are_over_the_sizes_that_all_have_played() {
        let mut experiment = MineRatioExperiment::default();
        experiment.add(&table("3.0-paper", 10, |(_, height), _| height as u64));
        let mut some = table("2.5", 20, |_, percent| percent as u64);
        some.retain(|row| row.height < 10);
        some.push(row("2.5", (12, 12), 14, 20, 0));
        experiment.add(&some);
        let shared = experiment.shared(&["2.5", "3.0", "9.9"]);
        assert_eq!(shared.players, ["2.5", "3.0"]);
        assert_eq!(
            (shared.sizes.len(), shared.percents.as_slice()),
            (4, [10, 20].as_slice())
        );
        let wins = shared.wins("3.0", &[10]).unwrap();
        assert!((wins.value - 0.75).abs() < 1e-12); // 6, 7, 8 and 9 of 10
        let of_two = shared
            .wins_on("2.5", &[10, 20], |(_, height)| height < 8)
            .unwrap();
        assert!((of_two.value - 0.75).abs() < 1e-12); // 10 and 20 of 20
        assert!((shared.seconds("2.5", &[10]).unwrap() - 0.01).abs() < 1e-12);
        let times = shared.times(["2.5", "3.0"], &[10, 20]).unwrap();
        assert!(
            [times.value, times.low, times.high]
                .iter()
                .all(|times| (times - 1.0).abs() < 1e-12),
            "{times:?}"
        );
        assert!(shared.times(["2.5", "9.9"], &[10]).is_none());
    }

    #[test]
    fn a_player_of_few_sizes_is_left_out_and_named() {
        let mut experiment = MineRatioExperiment::default();
        let mut rows = table("3.0", 10, |_, _| 5);
        rows.extend([
            row("1.0", (10, 6), 6, 10, 5),
            row("1.0", (10, 6), 12, 10, 5),
        ]);
        experiment.add(&rows);
        let shared = experiment.shared(&["1.0", "3.0"]);
        assert_eq!(
            (shared.players.as_slice(), shared.left_out.as_slice()),
            (["3.0"].as_slice(), ["1.0"].as_slice())
        );
        assert!(
            shared
                .describe()
                .ends_with("1.0 has played on less than half of the sizes and so has no line")
        );
    }

    #[test]
    fn a_board_that_two_ratios_share_stands_for_both() {
        let mut experiment = MineRatioExperiment::default();
        // 5x3 has one mine from 5 to 9 %, two from 10 to 16 %.
        let sizes = [(5, 3), (5, 3), (5, 4), (5, 5), (6, 3), (6, 4)];
        let mut rows: Vec<_> = sizes
            .into_iter()
            .map(|size| row("3.0", size, 1, 10, 10))
            .collect();
        rows.push(row("3.0", (5, 3), 2, 10, 0));
        experiment.add(&rows);
        assert!(
            [5, 9]
                .iter()
                .all(|&percent| experiment.row("3.0", (5, 3), percent).unwrap().mines == 1)
        );
        assert!(
            [10, 16]
                .iter()
                .all(|&percent| experiment.row("3.0", (5, 3), percent).unwrap().mines == 2)
        );
        assert_eq!(experiment.row("3.0", (5, 3), 20), None);
        // A tenth of 5x5 is 2.5 mines; 10x5 at 5 % may have been rounded to 2 or 3.
        assert_eq!(experiment.row("3.0", (5, 5), 10), None);
    }

    #[test]
    fn a_table_of_one_board_is_no_experiment() {
        let mut experiment = MineRatioExperiment::default();
        experiment.add(&[row("3.0", (9, 9), 10, 100, 80)]);
        assert!(experiment.shared(&["3.0"]).is_empty());
    }
}
