//! The trait of stages. A stage holds the settings of a command and runs its work in a context.

use serde::Serialize;
use serde_json::{Map, Value};

use super::context::{Context, Outcome};
use mineflow_store::object;

/// Settings by name, as serde writes them, with dashes in names as on the command line.
pub trait Settings {
    /// Returns the settings by name; settings without a value are null.
    fn settings(&self) -> Map<String, Value>;
}

impl<S: Serialize> Settings for S {
    fn settings(&self) -> Map<String, Value> {
        let settings = serde_json::to_value(self);
        let settings = object(settings.expect("settings have text keys and finite numbers"));
        let named = |(name, value): (String, Value)| (name.replace('_', "-"), value);
        settings.into_iter().map(named).collect()
    }
}

/// The settings of a command that can be a stage of a pipeline. Clap parses them, and serde writes
/// the settings that results depend on.
pub trait Stage: Settings {
    /// Checks that the settings are consistent. This method is called before any work and may not
    /// read files that a stage makes.
    ///
    /// # Errors
    /// Returns an error if settings contradict each other or allow no work.
    fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns the players, each with the setting that names it: by default the player of the
    /// setting `player`. Players are recorded because the meaning of a player's name may change.
    fn players(&self) -> Vec<(&'static str, String)> {
        match self.settings().get("player") {
            Some(Value::String(player)) => vec![("player", player.clone())],
            _ => Vec::new(),
        }
    }

    /// Returns the registry names of the models that these settings make the stage read, except for
    /// models of players. A stage is out of date if one of these models has changed.
    fn published(&self) -> Vec<String> {
        Vec::new()
    }

    /// Does the work from the state of the output folder to the end, or stops soon after an
    /// interruption.
    ///
    /// # Errors
    /// Returns an error if inputs can't be read or the work fails.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome>;
}

/// Returns the players of the setting `players`, in the form of [`Stage::players`].
pub(crate) fn named_players(players: &[String]) -> Vec<(&'static str, String)> {
    players
        .iter()
        .map(|player| ("players", player.clone()))
        .collect()
}
