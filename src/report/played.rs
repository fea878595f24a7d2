//! How the games of a table were played: the `manifest.json` beside it.

use std::path::Path;

use serde::Deserialize;

use super::error::ReportError;
use super::files::json;

/// The settings of a series, as far as its results depend on them and its table doesn't have them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct PlayedSettings {
    players: Vec<PlayedRecipe>,
    seed: u64,
    engine: String,
    node_limit: Option<u64>,
    time_limit_seconds: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct PlayedRecipe {
    name: String,
    recipe: String,
}

#[derive(Deserialize)]
struct EvalManifest {
    settings: PlayedSettings,
}

/// The settings of the games of a table, `None` if no manifest lies beside it.
pub(super) fn played(table: &Path) -> Result<Option<PlayedSettings>, ReportError> {
    let manifest: Option<EvalManifest> = json(&table.with_file_name("manifest.json"))?;
    Ok(manifest.map(|manifest| manifest.settings))
}

impl PlayedSettings {
    /// The file of the model that a player of this name was given in place of a published one, those of `published`.
    pub(super) fn model(&self, player: &str, published: &[&str]) -> Option<&str> {
        let recipe = &self
            .players
            .iter()
            .find(|other| other.name == player)?
            .recipe;
        // A player that is not named has its model in its name.
        let (_, model) = recipe.split_once(":model=").filter(|_| recipe != player)?;
        let (model, _) = model.rsplit_once(":sha256=")?;
        (!published.contains(&model)).then_some(model)
    }

    /// What `pipeline eval` is given of the settings that aren't in the table.
    pub(super) fn arguments(&self) -> String {
        let mut text = format!(" --seed {}", self.seed);
        if self.engine != "components" {
            text += &format!(" --engine {}", self.engine);
        }
        if let Some(nodes) = self.node_limit {
            text += &format!(" --node-limit {nodes}");
        }
        if let Some(seconds) = self.time_limit_seconds {
            text += &format!(" --time-limit {seconds}s");
        }
        text
    }
}
