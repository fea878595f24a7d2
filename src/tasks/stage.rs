//! A stage: the settings of a command, which do its work in a context.

use serde::Serialize;
use serde_json::{Map, Value};

use super::context::{Context, Outcome};

/// The settings of a command that can be a stage of a pipeline. Clap decodes them, and serde writes them where results depend on them.
pub trait Stage {
    /// Checks that the settings go together; called before anything is done. It may not read files that a stage makes.
    ///
    /// # Errors
    /// Settings that contradict each other or that no work can be done with.
    fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// The players, each with the setting that names it: what a player's name stands for may change.
    fn players(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The row of the registry whose model it reads because none is given.
    fn published(&self) -> Option<&'static str> {
        None
    }

    /// Does the work, from where the folder of the context has it to the end or until soon after it is asked to stop.
    ///
    /// # Errors
    /// Inputs that can't be read, and whatever goes wrong on the way.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome>;
}

/// The players of the setting `players`, as [`Stage::players`] gives them.
pub(crate) fn named_players(players: &[String]) -> Vec<(&'static str, String)> {
    players
        .iter()
        .map(|player| ("players", player.clone()))
        .collect()
}

/// The settings by name; null for those without a value.
pub fn settings_of(stage: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(stage) {
        Ok(Value::Object(settings)) => settings,
        other => unreachable!("settings are an object, not {other:?}"),
    }
}
