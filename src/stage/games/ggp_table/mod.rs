//! The experiments of the English paper's section 5 on a list of games, at budgets of one's own: pairs of algorithms
//! (table 3), budgets (table 4), matches in a row (figure 5), the share of solving (figure 6).
//!
//! ```text
//! DIR/manifest.json, lock     as of every run
//!     series/NAME/            a folder of `ggp match` a series; tables that need the same series share it
//!     table3.csv, table4.csv, figure5.csv, figure6.csv, cost.csv   of the series that are finished, written again after each
//! ```

mod stage;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use stage::GgpTable;

use crate::ggp_match::{MatchEvent, Matches, Played, SERIES, Standing, Venue, cooperative_standing, play, standings};
use mineflow_arena::{Ending, Part};
use mineflow_document::Estimate;
use mineflow_document::to_csv;
use mineflow_gdl::player::{Algorithm, MacUcbSettings, MoveBudget, PlayerRecipe};
use mineflow_store::{Folder, Purpose};

/// One of the paper's experiments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Experiment {
    /// Pairs of algorithms, at a game's budget.
    Table3,
    /// MAC-UCB against UCT at several budgets.
    Table4,
    /// MAC-UCB against UCT over matches in a row, in which both keep what they know.
    Figure5,
    /// MAC-UCB against UCT at several shares of solving.
    Figure6,
}

impl Experiment {
    pub const ALL: [Self; 4] = [Self::Table3, Self::Table4, Self::Figure5, Self::Figure6];

    /// As it is typed, and the name of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table3 => "table3",
            Self::Table4 => "table4",
            Self::Figure5 => "figure5",
            Self::Figure6 => "figure6",
        }
    }
}

impl FromStr for Experiment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|experiment| experiment.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of table3, table4, figure5, figure6"))
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the roles of a game stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two algorithms play against each other.
    Opposed,
    /// One algorithm plays all roles, and they win or lose together.
    Cooperative,
}

/// A game of the experiments.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub name: String,
    pub sheet: PathBuf,
    pub kind: Kind,
    /// For each move.
    pub budget: MoveBudget,
}

/// Settings of the experiments.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    pub experiments: Vec<Experiment>,
    pub games: Vec<Entry>,
    /// Matches of each series.
    pub matches: u32,
    /// Table 4's budgets, in those of the games.
    pub factors: Vec<f64>,
    /// Figure 5's matches in a row.
    pub in_a_row: u32,
    /// Figure 6's shares of solving.
    pub shares: Vec<f64>,
    /// Who plays as MAC-UCB, as FC-UCB and as UCT.
    pub mac_ucb: PlayerRecipe,
    pub fc_ucb: PlayerRecipe,
    pub uct: PlayerRecipe,
    pub horizon: usize,
    pub most_explored: usize,
    pub seed: u64,
    /// Which matches of each series are played.
    pub part: Part,
    pub threads: usize,
    pub out: PathBuf,
}

/// What was counted in a series: a row of `table3.csv`, `table4.csv` or `figure6.csv`, from the view of `player`. The same
/// for every run if the budget is one of playouts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableRow {
    pub game: String,
    pub kind: Kind,
    pub player: String,
    /// Empty in a cooperative game.
    pub opponent: String,
    pub budget: String,
    /// Of `player`, or as MAC-UCB usually has them.
    pub solving_share: f64,
    pub samples_a_stage: String,
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// In per cent, with the standard deviation of that mean and its 95 % interval.
    pub score: f64,
    pub deviation: f64,
    pub low: f64,
    pub high: f64,
    pub mean_goal: f64,
    pub opponent_goal: Option<f64>,
    pub samples_a_move: f64,
    pub opponent_samples_a_move: Option<f64>,
    pub stages_a_move: f64,
    pub certain_cuts_a_move: f64,
    pub confidence_cuts_a_move: f64,
    /// Of the playouts, those that ended in the cache of explored leaves, in per cent.
    pub explored: f64,
    pub opponent_explored: Option<f64>,
}

/// Some of the matches in a row: a row of `figure5.csv`, from the view of `player`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningRow {
    pub game: String,
    pub player: String,
    pub opponent: String,
    pub budget: String,
    /// The first and the last match of these, of all in a row, counted from 1.
    pub from: u32,
    pub to: u32,
    /// Of all rows together.
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// In per cent, with its 95 % interval.
    pub score: f64,
    pub low: f64,
    pub high: f64,
    /// Of the playouts, those that ended in a state that was known, in per cent.
    pub explored: f64,
    pub samples_a_move: f64,
}

/// What a series took: a row of `cost.csv`. No two runs agree in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableCost {
    pub game: String,
    pub player: String,
    pub opponent: String,
    pub budget: String,
    pub solving_share: f64,
    pub matches: u32,
    /// Of all matches and players together.
    pub cpu_seconds: f64,
    pub cpu_seconds_a_move: f64,
    pub opponent_cpu_seconds_a_move: Option<f64>,
    /// Of the CPU time, that in the solver, in per cent.
    pub solving: f64,
    pub opponent_solving: Option<f64>,
}

/// A series that some experiments need.
#[derive(Clone, PartialEq, Debug)]
struct Series<'a> {
    entry: &'a Entry,
    player: PlayerRecipe,
    opponent: Option<PlayerRecipe>,
    budget: MoveBudget,
    /// Matches between which players keep what they know.
    in_a_row: u32,
}

/// Where the work stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Matches played and planned, those of series that experiments share counted once.
    pub played: u64,
    pub planned: u64,
    /// The series under way.
    pub series: String,
}

/// The files that are made from the matches.
const TABLES: &[&str] = &["table3.csv", "table4.csv", "figure6.csv"];

/// Plays what is missing and writes the tables. Once `stop` is set, no matches are begun.
pub fn run(tables: &Tables, stop: &AtomicBool, report: &mut dyn FnMut(&Progress)) -> anyhow::Result<Ending> {
    tables.check()?;
    let settings = json!({
        "command": "ggp table",
        "matches": tables.matches,
        "in_a_row": tables.in_a_row,
        "horizon": tables.horizon,
        "most_explored": tables.most_explored,
        "seed": tables.seed,
    });
    let settings = settings.as_object().expect("it was written as an object").clone();
    let purpose = Purpose { results: TABLES, ..Purpose::of(tables.part.noted_in(settings)) };
    let folder = Folder::open(&tables.out, &purpose, stop)?;
    let mut work = Work { tables, folder, finished: HashMap::new() };
    let needed = tables.series();
    let a_series = needed.first().map_or(0, |series| tables.matches_of(series).own().len() as u64);
    let planned = needed.len() as u64 * a_series;
    let mut venues: HashMap<&Path, Venue> = HashMap::new();
    for (number, series) in needed.iter().enumerate() {
        let before = number as u64 * a_series;
        let name = series.name();
        let venue = venues.entry(&series.entry.sheet).or_insert_with(|| Venue::new(&series.entry.sheet));
        let matches = tables.matches_of(series);
        let played = play(&matches, venue, stop, &mut |event| {
            if let MatchEvent::Played(done) = event {
                report(&Progress { played: before + u64::from(done), planned, series: name.clone() });
            }
        })?;
        if (played.rows.len() as u64) < a_series {
            return Ok(Ending::Stopped);
        }
        if !tables.part.is_whole() {
            continue;
        }
        let (row, cost) = rows_of(series, &matches, &played);
        let learning = if series.in_a_row > 1 { learning_of(series, &matches, &played) } else { Vec::new() };
        work.finished.insert(name, Counted { row, cost, learning });
        work.write()?;
    }
    work.folder.finish(&json!({ "matches": planned }), stop)?;
    Ok(Ending::Finished)
}

struct Work<'a> {
    tables: &'a Tables,
    folder: Folder,
    finished: HashMap<String, Counted>,
}

/// What was counted of a series.
struct Counted {
    row: TableRow,
    cost: TableCost,
    /// Over the matches in a row.
    learning: Vec<LearningRow>,
}

impl Work<'_> {
    fn write(&self) -> anyhow::Result<()> {
        for &experiment in &self.tables.experiments {
            let series = self.tables.series_of(experiment);
            let counted = series.iter().filter_map(|series| self.finished.get(&series.name()));
            let text = match experiment {
                Experiment::Figure5 => to_csv(&counted.flat_map(|counted| &counted.learning).collect::<Vec<_>>())?,
                _ => to_csv(&counted.map(|counted| &counted.row).collect::<Vec<_>>())?,
            };
            self.folder.write(&format!("{}.csv", experiment.name()), &text)?;
        }
        let series = self.tables.series();
        let counted = series.iter().filter_map(|series| self.finished.get(&series.name()));
        let costs: Vec<&TableCost> = counted.map(|counted| &counted.cost).collect();
        Ok(self.folder.write("cost.csv", &to_csv(&costs)?)?)
    }
}

impl Tables {
    fn check(&self) -> anyhow::Result<()> {
        let in_playouts = self.games.iter().find(|entry| matches!(entry.budget, MoveBudget::Playouts(_)));
        if let Some(entry) = in_playouts
            && self.experiments.contains(&Experiment::Figure6)
        {
            anyhow::bail!(
                "figure6 shares out CPU time, and {} has a budget of playouts, {}; give it a time such as 20ms, or \
                 leave figure6 away",
                entry.name,
                entry.budget
            );
        }
        Ok(())
    }

    /// All series, each once, in the order in which they are played.
    fn series(&self) -> Vec<Series<'_>> {
        let mut all: Vec<Series<'_>> = Vec::new();
        for series in self.experiments.iter().flat_map(|&experiment| self.series_of(experiment)) {
            if !all.contains(&series) {
                all.push(series);
            }
        }
        all
    }

    fn series_of(&self, experiment: Experiment) -> Vec<Series<'_>> {
        let Self { mac_ucb, fc_ucb, uct, .. } = self;
        let mut all = Vec::new();
        for entry in &self.games {
            let series = |(player, opponent): (&PlayerRecipe, &PlayerRecipe), budget| {
                let opponent = (entry.kind == Kind::Opposed).then(|| opponent.clone());
                Series { entry, player: player.clone(), opponent, budget, in_a_row: 1 }
            };
            match experiment {
                Experiment::Table3 => {
                    let pairs = match entry.kind {
                        Kind::Opposed => [(mac_ucb, uct), (mac_ucb, fc_ucb), (fc_ucb, uct)],
                        Kind::Cooperative => [(mac_ucb, uct), (fc_ucb, mac_ucb), (uct, mac_ucb)],
                    };
                    all.extend(pairs.map(|pair| series(pair, entry.budget)));
                }
                Experiment::Table4 => {
                    let budgets = self.factors.iter().map(|&factor| entry.budget.times(factor));
                    all.extend(budgets.map(|budget| series((mac_ucb, uct), budget)));
                }
                Experiment::Figure5 if entry.kind == Kind::Opposed => {
                    all.push(Series { in_a_row: self.in_a_row, ..series((mac_ucb, uct), entry.budget) });
                }
                Experiment::Figure5 => {}
                Experiment::Figure6 => {
                    all.extend(self.shares.iter().map(|&solving_share| {
                        let settings = MacUcbSettings { solving_share, ..solving_of(mac_ucb) };
                        series((&PlayerRecipe::new(Algorithm::MacUcb(settings)), uct), entry.budget)
                    }));
                }
            }
        }
        all
    }

    fn matches_of(&self, series: &Series<'_>) -> Matches {
        // In a game of more than two, one plays against several of the other.
        let mut players = vec![series.player.clone()];
        players.extend(series.opponent.clone());
        Matches {
            sheet: series.entry.sheet.clone(),
            players,
            matches: self.matches,
            series: series.in_a_row,
            budget: series.budget,
            horizon: self.horizon,
            most_explored: self.most_explored,
            seed: self.seed,
            part: self.part,
            threads: self.threads,
            out: Some(self.out.join(SERIES).join(series.name())),
        }
    }
}

impl Series<'_> {
    fn name(&self) -> String {
        let opponent = self.opponent.as_ref().map_or_else(String::new, |opponent| format!("-against-{opponent}"));
        let in_a_row = if self.in_a_row > 1 { format!("-{}-in-a-row", self.in_a_row) } else { String::new() };
        format!("{}-{}{opponent}-{}{in_a_row}", self.entry.name, self.player, self.budget).replace(':', "-")
    }
}

fn rows_of(series: &Series<'_>, matches: &Matches, played: &Played) -> (TableRow, TableCost) {
    let (own, other): (Standing, Option<Standing>) = match series.opponent {
        None => (cooperative_standing(&series.player, played), None),
        Some(_) => {
            let mut both = standings(matches, played).into_iter();
            (both.next().expect("the first of the players is the player"), both.next())
        }
    };
    let interval = own.interval.expect("every match of the series has a score");
    let solving = solving_of(&series.player);
    let (game, player) = (series.entry.name.clone(), series.player.to_string());
    let opponent = series.opponent.as_ref().map_or_else(String::new, PlayerRecipe::to_string);
    let budget = series.budget.to_string();
    let cost = TableCost {
        game: game.clone(),
        player: player.clone(),
        opponent: opponent.clone(),
        budget: budget.clone(),
        solving_share: solving.solving_share,
        matches: own.matches,
        cpu_seconds: played.cpu_seconds(),
        cpu_seconds_a_move: own.cpu_seconds_a_move,
        opponent_cpu_seconds_a_move: other.as_ref().map(|other| other.cpu_seconds_a_move),
        solving: own.solving,
        opponent_solving: other.as_ref().map(|other| other.solving),
    };
    let row = TableRow {
        game,
        kind: series.entry.kind,
        player,
        opponent,
        budget,
        solving_share: solving.solving_share,
        samples_a_stage: solving.samples.to_string(),
        matches: own.matches,
        wins: own.wins,
        draws: own.draws,
        losses: own.losses,
        score: own.score.expect("every match of the series has a score"),
        deviation: own.deviation.expect("every match of the series has a score"),
        low: interval.low,
        high: interval.high,
        mean_goal: own.mean_goal,
        opponent_goal: other.as_ref().map(|other| other.mean_goal),
        samples_a_move: own.samples_a_move,
        opponent_samples_a_move: other.as_ref().map(|other| other.samples_a_move),
        stages_a_move: own.stages_a_move,
        certain_cuts_a_move: own.certain_cuts_a_move,
        confidence_cuts_a_move: own.confidence_cuts_a_move,
        explored: own.explored,
        opponent_explored: other.as_ref().map(|other| other.explored),
    };
    (row, cost)
}

/// The settings of a player that solves, those of MAC-UCB for another.
fn solving_of(player: &PlayerRecipe) -> MacUcbSettings {
    match &player.algorithm {
        Algorithm::MacUcb(settings) => *settings,
        Algorithm::Uct(_) | Algorithm::Random => MacUcbSettings::default(),
    }
}

/// Parts into which the matches in a row are counted.
const PARTS_IN_A_ROW: u32 = 10;

/// What was counted in each part of the matches in a row, over all rows.
fn learning_of(series: &Series<'_>, matches: &Matches, played: &Played) -> Vec<LearningRow> {
    let ends = |part: u32| series.in_a_row * part / PARTS_IN_A_ROW;
    let parts = (0..PARTS_IN_A_ROW).map(|part| (ends(part), ends(part + 1))).filter(|(from, to)| from < to);
    let row = |(from, to): (u32, u32)| {
        let inside = |index: u32| (from..to).contains(&(index % series.in_a_row));
        let part = Played {
            rows: played.rows.iter().filter(|row| inside(row.index)).cloned().collect(),
            costs: played.costs.iter().filter(|cost| inside(cost.index)).cloned().collect(),
        };
        let own = standings(matches, &part).into_iter().next().expect("a player has a standing");
        let interval = own.interval?;
        Some(LearningRow {
            game: series.entry.name.clone(),
            player: own.player,
            opponent: series.opponent.as_ref().map_or_else(String::new, PlayerRecipe::to_string),
            budget: series.budget.to_string(),
            from: from + 1,
            to,
            matches: own.matches,
            wins: own.wins,
            draws: own.draws,
            losses: own.losses,
            score: own.score?,
            low: interval.low,
            high: interval.high,
            explored: own.explored,
            samples_a_move: own.samples_a_move,
        })
    };
    parts.filter_map(row).collect()
}

impl TableRow {
    /// Wins and half of the draws, 0 to 1.
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.score / 100.0, low: self.low / 100.0, high: self.high / 100.0 }
    }

    /// The budget as a number, to be laid along an axis: milliseconds or playouts.
    pub fn amount(&self) -> f64 {
        amount(&self.budget).expect("the budget was checked when it was read")
    }
}

/// The number in a budget: milliseconds or playouts.
pub fn amount(budget: &str) -> Option<f64> {
    budget.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()
}

impl LearningRow {
    /// As that of a [`TableRow`].
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.score / 100.0, low: self.low / 100.0, high: self.high / 100.0 }
    }
}
