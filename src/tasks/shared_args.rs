//! Options that several commands have.

use std::num::NonZeroU64;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use serde::Serialize;

use super::as_text;
use super::values::{ModelFor, check_models, player, players, unique};
use mineflow_arena::Sprt;
use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_model::Models;

/// Overrides of players' models.
#[derive(Clone, Debug, Default, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ModelArgs {
    /// Override the model of a player by a file or the folder of a training, such as
    /// 5.0=trees.json; separate several by commas
    #[arg(long, value_name = "PLAYER=FILE", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    model: Vec<ModelFor>,
}

impl ModelArgs {
    /// Returns the overrides as the command line gives them.
    pub fn given(&self) -> &[ModelFor] {
        &self.model
    }

    /// Returns the players that `texts` name or describe, with their models loaded.
    pub fn players(&self, texts: &[String], models: &Models) -> anyhow::Result<Vec<PlayerSpec>> {
        players(texts, &self.model, models)
    }

    /// Checks that every override belongs to one of the players and that no player has more than
    /// one.
    pub fn check(&self, texts: &[String]) -> anyhow::Result<()> {
        check_models(texts, &self.model)
    }

    /// Returns the player that `text` names or describes.
    pub fn player(&self, text: &str, models: &Models) -> anyhow::Result<PlayerSpec> {
        player(text, &self.model, models)
    }
}

/// The sequential test of a comparison.
#[derive(Clone, Copy, Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SprtArgs {
    /// Stop early with a sequential test (GSPRT, error rates 5 %), such as 0:2. LOW and HIGH are
    /// its hypotheses on the difference; the number of games is then the maximum. short is 0:2, long
    /// 0:0.5 and no-regression -0.5:0.25
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    #[serde(serialize_with = "as_text::optional")]
    pub sprt: Option<Sprt>,
}

/// The data folders of a training.
#[derive(Clone, Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct DataArgs {
    /// Train on the training games of `pipeline generate` folders, separated by commas; their
    /// other games serve for validation and testing
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    pub data: Vec<PathBuf>,
    /// With --data: train on windows of N rows, with the shards in a new random order each pass
    /// [default: all rows, or the largest power of two that fits into --memory]
    #[arg(long, value_name = "ROWS", requires = "data")]
    pub window: Option<NonZeroU64>,
}

impl DataArgs {
    /// Checks that windows are set only with data folders. Clap drops a requirement if an argument
    /// that excludes the required argument is also given.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.window.is_none() || !self.data.is_empty(),
            "--window takes --data"
        );
        Ok(())
    }
}

/// The first-click rules under which games are played.
#[derive(Clone, Debug, Default, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FirstClickArgs {
    /// Choose the first-click rules: safe, opening or any; separate several by commas
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        default_value = "safe"
    )]
    #[serde(serialize_with = "as_text::list")]
    first_click: Vec<FirstClick>,
}

impl FirstClickArgs {
    /// Returns this rule alone.
    pub fn one(rule: FirstClick) -> Self {
        Self {
            first_click: vec![rule],
        }
    }

    /// Returns the rules, each once.
    pub fn rules(&self) -> Vec<FirstClick> {
        unique(self.first_click.clone())
    }
}
