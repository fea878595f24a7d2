//! What all answers share.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::Refusal;
use mineflow_minesweeper::player::{PlayerSpec, versions};
use mineflow_minesweeper::solver::Budget;

/// A player that can be asked.
#[derive(Clone, Serialize)]
pub struct ListedPlayer {
    pub name: String,
    pub recipe: String,
    pub summary: String,
    pub source: String,
}

impl ListedPlayer {
    /// Every player that has a name.
    pub fn versions() -> Vec<Self> {
        let listed = versions().iter().map(|version| Self {
            name: version.name.to_owned(),
            recipe: version.recipe.to_owned(),
            summary: version.summary.to_owned(),
            source: version.source.to_owned(),
        });
        listed.collect()
    }
}

/// Makes a listed player, or says why it can't be made.
pub type MakePlayer = Box<dyn Fn(&str) -> Result<PlayerSpec, String> + Send + Sync>;

/// What all answers share: the players, the models and the limits.
pub struct Setup {
    pub players: Vec<ListedPlayer>,
    pub make: MakePlayer,
    /// The folder with `registry.json`; `None` for the usual one.
    pub models: Option<PathBuf>,
    /// Nodes of search or counting of one answer.
    pub node_limit: u64,
    /// Processor time of one answer.
    pub time_limit: Duration,
}

impl Setup {
    /// The budget of one answer.
    pub fn budget(&self) -> Budget {
        Budget::new(Some(self.node_limit), Some(self.time_limit))
    }

    /// The player of that name.
    pub(crate) fn spec(&self, name: &str) -> Result<PlayerSpec, Refusal> {
        if !self.players.iter().any(|player| player.name == name) {
            return Err(Refusal::bad(format!(
                "there is no player `{name}` here; `pipeline serve --player RECIPE` adds one"
            )));
        }
        (self.make)(name).map_err(Refusal::unanswerable)
    }
}
