//! The setup shared by all answers: players, models and limits.

use std::{path::PathBuf, time::Duration};

use serde::Serialize;

use crate::Refusal;
use mineflow_minesweeper::{
    player::{PlayerSpec, versions},
    solver::Budget,
};

/// A player that the page offers.
#[derive(Serialize)]
pub struct ListedPlayer {
    pub name: String,
    pub recipe: String,
    pub summary: String,
    pub source: String,
}

impl ListedPlayer {
    /// Returns all named players.
    pub fn versions() -> Vec<Self> {
        versions()
            .iter()
            .map(|version| Self {
                name: version.name.to_owned(),
                recipe: version.recipe.to_owned(),
                summary: version.summary.to_owned(),
                source: version.source.to_owned(),
            })
            .collect()
    }
}

/// A function that makes a listed player, or returns the reason why the player can't be made.
pub type MakePlayer = Box<dyn Fn(&str) -> Result<PlayerSpec, String> + Send + Sync>;

/// The setup shared by all answers: players, models and limits.
pub struct Setup {
    pub players: Vec<ListedPlayer>,
    pub make: MakePlayer,
    /// The folder with `registry.json`; `None` for the default folder.
    pub models: Option<PathBuf>,
    /// Limit of an answer, in nodes of search or counting.
    pub node_limit: u64,
    /// Limit of an answer, in CPU time.
    pub time_limit: Duration,
}

impl Setup {
    /// Returns the budget of one answer.
    pub fn budget(&self) -> Budget {
        Budget::new(Some(self.node_limit), Some(self.time_limit))
    }

    /// Returns the player of that name.
    pub(crate) fn spec(&self, name: &str) -> Result<PlayerSpec, Refusal> {
        if !self.players.iter().any(|player| player.name == name) {
            return Err(Refusal::bad(format!(
                "there is no player `{name}` here; `pipeline serve --player RECIPE` adds one"
            )));
        }
        (self.make)(name).map_err(Refusal::unanswerable)
    }
}
