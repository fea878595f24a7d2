//! The trait of stages: the settings of a command, which run its work in a context.

use serde::Serialize;
use serde_json::{Map, Value};

use super::context::{Context, Outcome};

/// The settings of a command that can be a stage of a pipeline. Clap parses them, and serde writes the settings that results depend
/// on.
pub trait Stage {
    /// Checks that the settings are consistent. It is called before any work and may not read files that a stage makes.
    ///
    /// # Errors
    /// If settings contradict each other or allow no work.
    fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// The players, each with the setting that names it. They are recorded because the meaning of a player's name may change.
    fn players(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The registry row of the published model that the stage reads by default, if it does.
    fn published(&self) -> Option<&'static str> {
        None
    }

    /// Does the work, from the state of the output folder to the end or until soon after an interruption.
    ///
    /// # Errors
    /// If inputs can't be read or the work fails.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome>;
}

/// The players of the setting `players`, as [`Stage::players`] gives them.
pub(crate) fn named_players(players: &[String]) -> Vec<(&'static str, String)> {
    players
        .iter()
        .map(|player| ("players", player.clone()))
        .collect()
}

/// The settings by name; settings without a value are null.
pub fn settings_of(stage: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(stage) {
        Ok(Value::Object(settings)) => settings,
        other => unreachable!("settings are an object, not {other:?}"),
    }
}
