//! The games of section 5.3, put together over boards.
//!
//! Every size of the experiment is played at every mine ratio, from 5 to 25 % by whole percents. On a small board several ratios give
//! the same number of mines; such a board is played once and stands for each of them, so that every mean is over the same sizes.

use std::collections::{BTreeMap, BTreeSet};

use super::read::GameRow;
use crate::document::{Estimate, Stratum};

/// The end of a player's name that counts as the paper counts, over the whole system.
const PAPER_ENGINE: &str = "-paper";
/// The mine ratios of the experiment, in percent.
const PERCENTS: std::ops::RangeInclusive<u32> = 5..=25;
/// Fewer sizes than this are no experiment.
const LEAST_SIZES: usize = 5;

/// Width and height.
pub(crate) type Size = (u32, u32);

/// All that was played, by player, size and number of mines.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Experiment {
    players: BTreeMap<String, BTreeMap<Size, BTreeMap<u32, GameRow>>>,
}

/// Players on the boards that all of them have played.
pub(crate) struct Shared<'a> {
    experiment: &'a Experiment,
    pub(crate) players: Vec<&'a str>,
    /// Those asked for that have played on less than half of the sizes.
    pub(crate) left_out: Vec<&'a str>,
    pub(crate) sizes: BTreeSet<Size>,
    /// Mine ratios in percent.
    pub(crate) percents: Vec<u32>,
}

impl Experiment {
    /// Takes in the rows of one table, if it is of many sizes. Of two rows on the same games the one with more games stays.
    pub(crate) fn add(&mut self, rows: &[GameRow]) {
        let sizes: BTreeSet<Size> = rows.iter().map(|row| (row.width, row.height)).collect();
        if sizes.len() < LEAST_SIZES {
            return;
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
    }

    /// These players, but for those that have played on less than half of the sizes of another, where all of them have.
    pub(crate) fn shared<'a>(&'a self, players: &[&'a str]) -> Shared<'a> {
        let most = players.iter().map(|player| self.sizes_of(player)).max().unwrap_or(0);
        let (enough, left_out): (Vec<_>, Vec<_>) =
            self.those_of(players).partition(|player| 2 * self.sizes_of(player) >= most);
        Shared { left_out, ..self.of_all(&enough) }
    }

    /// These players where all of them have played, however little that is; those that have not played at all aside.
    pub(crate) fn of_all<'a>(&'a self, players: &[&'a str]) -> Shared<'a> {
        let players: Vec<_> = self.those_of(players).collect();
        let has = |player: &str, size: &Size| self.players[player].contains_key(size);
        let of_first = players.first().map(|&first| self.players[first].keys().copied()).into_iter().flatten();
        let sizes: BTreeSet<Size> = of_first.filter(|size| players.iter().all(|player| has(player, size))).collect();
        let is_played = |&percent: &u32| {
            let at = |player: &str| sizes.iter().all(|&size| self.row(player, size, percent).is_some());
            players.iter().all(|player| at(player))
        };
        let percents = if sizes.is_empty() { Vec::new() } else { PERCENTS.filter(is_played).collect() };
        Shared { experiment: self, players, left_out: Vec::new(), sizes, percents }
    }

    fn those_of<'a>(&self, players: &[&'a str]) -> impl Iterator<Item = &'a str> {
        players.iter().copied().filter(|player| self.sizes_of(player) > 0)
    }

    fn sizes_of(&self, player: &str) -> usize {
        self.players.get(player).map_or(0, BTreeMap::len)
    }

    /// The games of a player on boards of this size at this mine ratio.
    fn row(&self, player: &str, (width, height): Size, percent: u32) -> Option<&GameRow> {
        let boards = self.players.get(player)?.get(&(width, height))?;
        let cells = width * height;
        // In hundredths, so that halves are exact; a half may have been rounded either way.
        let hundredths = cells * percent;
        let rounded = ((hundredths + 50) / 100).clamp(1, cells.saturating_sub(1).max(1));
        let other = if hundredths % 100 == 50 { rounded.saturating_sub(1).max(1) } else { rounded };
        boards.get(&rounded).or_else(|| boards.get(&other))
    }
}

impl<'a> Shared<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.players.is_empty() || self.percents.is_empty()
    }

    /// The games of a player at the mine ratios and on the sizes that are asked for, with how often each stands.
    fn rows<'b>(
        &'b self,
        player: &'b str,
        percents: &'b [u32],
        of: impl Fn(Size) -> bool + 'b,
    ) -> impl Iterator<Item = (&'a GameRow, f64)> + 'b {
        self.sizes.iter().copied().filter(move |&size| of(size)).flat_map(move |size| {
            let mut times: BTreeMap<u32, (&'a GameRow, f64)> = BTreeMap::new();
            for &percent in percents {
                if let Some(row) = self.experiment.row(player, size, percent) {
                    times.entry(row.mines).or_insert((row, 0.0)).1 += 1.0;
                }
            }
            times.into_values()
        })
    }

    /// The mean win ratio of a player over sizes and mine ratios.
    pub(crate) fn wins(&self, player: &str, percents: &[u32], of: impl Fn(Size) -> bool) -> Option<Estimate> {
        let strata: Vec<Stratum> = self.rows(player, percents, of).map(|(row, times)| row.stratum(times)).collect();
        Estimate::of(strata)
    }

    /// The mean processor time of a game in seconds.
    pub(crate) fn seconds(&self, player: &str, percents: &[u32]) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (row, times) in self.rows(player, percents, |_| true) {
            sum += times * row.cpu_seconds / f64::from(row.games);
            weights += times;
        }
        (weights > 0.0).then(|| sum / weights)
    }

    /// The mean share of games that were out of time.
    pub(crate) fn timeouts(&self, player: &str, percents: &[u32]) -> f64 {
        let (mut sum, mut weights) = (0.0f64, 0.0f64);
        for (row, times) in self.rows(player, percents, |_| true) {
            sum += times * f64::from(row.timeouts) / f64::from(row.games);
            weights += times;
        }
        sum / weights.max(f64::MIN_POSITIVE)
    }

    /// The least and the greatest number of games that a player has played of a configuration.
    pub(crate) fn games(&self, player: &str) -> (u32, u32) {
        let games = self.rows(player, &self.percents, |_| true).map(|(row, _)| row.games);
        games.fold((u32::MAX, 0), |(least, most), games| (least.min(games), most.max(games)))
    }

    /// The boards in words, with the number of games where players differ in it.
    pub(crate) fn describe(&self) -> String {
        let widths = self.sizes.iter().map(|&(width, _)| width);
        let (low, high) = widths.fold((u32::MAX, 0), |(low, high), width| (low.min(width), high.max(width)));
        let widths = if low == high { low.to_string() } else { format!("{low} to {high}") };
        let first = self.percents.first().copied().unwrap_or(0);
        let last = self.percents.last().copied().unwrap_or(0);
        let mut by_games: BTreeMap<(u32, u32), Vec<&str>> = BTreeMap::new();
        for player in &self.players {
            by_games.entry(self.games(player)).or_default().push(player);
        }
        let games = |&(least, most): &(u32, u32)| {
            if least == most { format!("{least}") } else { format!("{least} to {most}") }
        };
        let games: Vec<_> = if by_games.len() == 1 {
            by_games.keys().map(|at| format!("{} games of each", games(at))).collect()
        } else {
            let of = |(at, players): (&(u32, u32), &Vec<&str>)| {
                format!("{} by {}", games(at), crate::document::numbers::list(players))
            };
            let each: Vec<_> = by_games.iter().rev().map(of).collect();
            vec![format!("games of each: {}", each.join("; "))]
        };
        let mut text = format!(
            "{} sizes of width {widths}, {} mine ratios from {first} to {last} %; {}",
            self.sizes.len(),
            self.percents.len(),
            games.join("")
        );
        if !self.left_out.is_empty() {
            let (names, verb) =
                (crate::document::numbers::list(&self.left_out), if self.left_out.len() == 1 { "has" } else { "have" });
            text += &format!(". {names} {verb} played on less than half of the sizes and so {verb} no line");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(player: &str, size: Size, mines: u32, games: u32, wins: u32) -> GameRow {
        let ratio = f64::from(wins) / f64::from(games);
        let csv = format!(
            "player,width,height,mines,first_click,games,wins,timeouts,win_ratio,ci_low,ci_high,cpu_seconds\n\
             {player},{},{},{mines},safe,{games},{wins},0,{ratio},0,1,{}\n",
            size.0,
            size.1,
            f64::from(games) * 0.01
        );
        csv::Reader::from_reader(csv.as_bytes()).deserialize().next().unwrap().unwrap()
    }

    /// Five sizes, 10 and 20 % of mines.
    fn table(player: &str, games: u32, wins: impl Fn(Size, u32) -> u32) -> Vec<GameRow> {
        let sizes = [(10, 6), (10, 7), (10, 8), (10, 9), (10, 10)];
        let at = |size: Size, percent| {
            let mines = size.0 * size.1 * percent / 100;
            row(player, size, mines, games, wins(size, percent))
        };
        sizes.into_iter().flat_map(|size| [10, 20].map(|percent| at(size, percent))).collect()
    }

    #[test]
    fn means_are_over_the_sizes_that_all_have_played() {
        let mut experiment = Experiment::default();
        experiment.add(&table("3.0-paper", 10, |(_, height), _| height));
        let mut some = table("2.5", 20, |_, percent| percent);
        some.retain(|row| row.height < 10);
        some.push(row("2.5", (12, 12), 14, 20, 0));
        experiment.add(&some);
        let shared = experiment.shared(&["2.5", "3.0", "9.9"]);
        assert_eq!(shared.players, ["2.5", "3.0"]);
        assert_eq!((shared.sizes.len(), shared.percents.as_slice()), (4, [10, 20].as_slice()));
        let wins = shared.wins("3.0", &[10], |_| true).unwrap();
        assert!((wins.value - 0.75).abs() < 1e-12); // 6, 7, 8 and 9 of 10
        let of_two = shared.wins("2.5", &[10, 20], |(_, height)| height < 8).unwrap();
        assert!((of_two.value - 0.75).abs() < 1e-12); // 10 and 20 of 20
        assert!((shared.seconds("2.5", &[10]).unwrap() - 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_player_of_few_sizes_is_left_out_and_named() {
        let mut experiment = Experiment::default();
        let mut rows = table("3.0", 10, |_, _| 5);
        rows.extend([row("1.0", (10, 6), 6, 10, 5), row("1.0", (10, 6), 12, 10, 5)]);
        experiment.add(&rows);
        let shared = experiment.shared(&["1.0", "3.0"]);
        assert_eq!((shared.players.as_slice(), shared.left_out.as_slice()), (["3.0"].as_slice(), ["1.0"].as_slice()));
        assert!(shared.describe().ends_with("1.0 has played on less than half of the sizes and so has no line"));
    }

    #[test]
    fn a_board_that_two_ratios_share_stands_for_both() {
        let mut experiment = Experiment::default();
        // 5x3 has one mine from 5 to 9 %, two from 10 to 16 %.
        let sizes = [(5, 3), (5, 3), (5, 4), (5, 5), (6, 3), (6, 4)];
        let mut rows: Vec<_> = sizes.into_iter().map(|size| row("3.0", size, 1, 10, 10)).collect();
        rows.push(row("3.0", (5, 3), 2, 10, 0));
        experiment.add(&rows);
        assert!([5, 9].iter().all(|&percent| experiment.row("3.0", (5, 3), percent).unwrap().mines == 1));
        assert!([10, 16].iter().all(|&percent| experiment.row("3.0", (5, 3), percent).unwrap().mines == 2));
        assert_eq!(experiment.row("3.0", (5, 3), 20), None);
        // A tenth of 5x5 is 2.5 mines; 10x5 at 5 % may have been rounded to 2 or 3.
        assert_eq!(experiment.row("3.0", (5, 5), 10), None);
    }

    #[test]
    fn a_table_of_one_board_is_no_experiment() {
        let mut experiment = Experiment::default();
        experiment.add(&[row("3.0", (9, 9), 10, 100, 80)]);
        assert!(experiment.shared(&["3.0"]).is_empty());
    }
}
