//! Who plays: players by name or recipe, and other models for them.

use clap::Args;

use mineflow_minesweeper::player::PlayerSpec;
use mineflow_stage::values::{ModelFor, check_models, player, players};

/// Models in place of those that players name.
#[derive(Args)]
pub(super) struct ModelArgs {
    /// Another model for a player, such as 5.0=trees.json; several are separated by commas
    #[arg(long = "model", value_name = "PLAYER=FILE", value_delimiter = ',')]
    models: Vec<ModelFor>,
}

impl ModelArgs {
    /// As they were given.
    pub(super) fn given(&self) -> &[ModelFor] {
        &self.models
    }

    /// The players that `texts` name or describe, with their models loaded.
    pub(super) fn players(&self, texts: &[String]) -> anyhow::Result<Vec<PlayerSpec>> {
        players(texts, &self.models)
    }

    /// Holds that every model is for one of those who play, and each of them has at most one.
    pub(super) fn check(&self, texts: &[String]) -> anyhow::Result<()> {
        check_models(texts, &self.models)
    }

    /// The player that `text` names or describes.
    pub(super) fn player(&self, text: &str) -> anyhow::Result<PlayerSpec> {
        player(text, &self.models)
    }
}
