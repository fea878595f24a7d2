//! Which series of matches the experiments need.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::GgpTable;
use crate::Context;
use crate::ggp_match::Matches;
use crate::part::SERIES;
use mineflow_gdl::player::{Algorithm, MacUcbSettings, MoveBudget, PlayerRecipe};
use mineflow_store::named;

/// One of the paper's experiments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Experiment {
    /// Pairs of algorithms, at a game's budget.
    Table3,
    /// MAC-UCB against UCT at several budgets.
    Table4,
    /// MAC-UCB against UCT over matches in a row, in which both keep what they know; each alone in a cooperative game.
    Figure5,
    /// MAC-UCB against UCT at several shares of solving.
    Figure6,
}

named!(Experiment, "table or figure": Table3 = "table3", Table4 = "table4", Figure5 = "figure5", Figure6 = "figure6");

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
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) sheet: PathBuf,
    pub(super) kind: Kind,
    /// For each move.
    pub(super) budget: MoveBudget,
}

/// A series that some experiments need.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Series {
    pub(super) entry: Entry,
    pub(super) player: PlayerRecipe,
    pub(super) opponent: Option<PlayerRecipe>,
    pub(super) budget: MoveBudget,
    /// Matches between which players keep what they know.
    pub(super) in_a_row: u32,
}

impl GgpTable {
    fn entries(&self) -> Vec<Entry> {
        let opposed = self.games.iter().map(|game| (game, Kind::Opposed));
        let all = opposed.chain(self.cooperative.iter().map(|game| (game, Kind::Cooperative)));
        let entry = |(game, kind): (&super::GameBudget, Kind)| Entry {
            name: game.name.clone(),
            sheet: self.sheets.join(&game.name).with_extension("kif"),
            kind,
            budget: game.budget.0,
        };
        all.map(entry).collect()
    }

    /// All series, each once, in the order in which they are played.
    pub(super) fn series(&self) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for series in self.experiments.iter().flat_map(|&experiment| self.series_of(experiment)) {
            if !all.contains(&series) {
                all.push(series);
            }
        }
        all
    }

    pub(super) fn series_of(&self, experiment: Experiment) -> Vec<Series> {
        self.entries().iter().flat_map(|entry| self.series_on(entry, experiment)).collect()
    }

    fn series_on(&self, entry: &Entry, experiment: Experiment) -> Vec<Series> {
        let Self { mac_ucb, fc_ucb, uct, .. } = self;
        let series = |(player, opponent): (&PlayerRecipe, &PlayerRecipe), budget| {
            let opponent = (entry.kind == Kind::Opposed).then(|| opponent.clone());
            Series { entry: entry.clone(), player: player.clone(), opponent, budget, in_a_row: 1 }
        };
        match experiment {
            Experiment::Table3 => {
                let pairs = match entry.kind {
                    Kind::Opposed => [(mac_ucb, uct), (mac_ucb, fc_ucb), (fc_ucb, uct)],
                    Kind::Cooperative => [(mac_ucb, uct), (fc_ucb, mac_ucb), (uct, mac_ucb)],
                };
                pairs.map(|pair| series(pair, entry.budget)).to_vec()
            }
            Experiment::Table4 => {
                let budgets = self.factors.iter().map(|&factor| entry.budget.times(factor));
                budgets.map(|budget| series((mac_ucb, uct), budget)).collect()
            }
            Experiment::Figure5 => {
                let in_a_row = |pair| Series { in_a_row: self.in_a_row, ..series(pair, entry.budget) };
                match entry.kind {
                    Kind::Opposed => vec![in_a_row((mac_ucb, uct))],
                    Kind::Cooperative => [(mac_ucb, uct), (uct, mac_ucb)].map(in_a_row).to_vec(),
                }
            }
            Experiment::Figure6 => {
                let at = |&solving_share: &f64| {
                    let settings = MacUcbSettings { solving_share, ..solving_of(mac_ucb) };
                    series((&PlayerRecipe::new(Algorithm::MacUcb(settings)), uct), entry.budget)
                };
                self.shares.iter().map(at).collect()
            }
        }
    }

    /// The matches of a series, in its folder below that of the context.
    pub(super) fn matches_of(&self, series: &Series, context: &Context<'_>) -> Matches {
        let mut players = vec![series.player.clone()];
        players.extend(series.opponent.clone());
        Matches {
            sheet: series.entry.sheet.clone(),
            players,
            matches: self.matches,
            series: series.in_a_row,
            budget: series.budget,
            horizon: self.horizon,
            most_explored: self.cache,
            seed: context.seed,
            part: context.part,
            sprt: self.sprt.filter(|_| series.opponent.is_some()),
            threads: context.threads,
            out: context.out.as_ref().map(|out| out.join(SERIES).join(series.name())),
        }
    }
}

impl Series {
    /// The name of its folder.
    pub(super) fn name(&self) -> String {
        let opponent = self.opponent.as_ref().map_or_else(String::new, |opponent| format!("-against-{opponent}"));
        let in_a_row = if self.in_a_row > 1 { format!("-{}-in-a-row", self.in_a_row) } else { String::new() };
        format!("{}-{}{opponent}-{}{in_a_row}", self.entry.name, self.player, self.budget).replace(':', "-")
    }
}

/// The settings of a player that solves, those of MAC-UCB for another.
pub(super) fn solving_of(player: &PlayerRecipe) -> MacUcbSettings {
    match &player.algorithm {
        Algorithm::MacUcb(settings) => *settings,
        Algorithm::Uct(_) | Algorithm::Random => MacUcbSettings::default(),
    }
}
