//! Options that several commands have.

use std::{num::NonZeroU64, path::PathBuf};

use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;

use super::{
    as_text, program,
    values::{ModelFor, unique},
};
use mineflow_arena::Sprt;
use mineflow_minesweeper::{FirstClick, player::PlayerSpec};
use mineflow_model::Models;

/// Overrides of players' models.
#[derive(Clone, Default, Args, Serialize)]
pub struct ModelArgs {
    /// Override the model of a player by a file or the folder of a training, such as
    /// 5.0=trees.json; separate several by commas
    #[arg(long, value_name = "PLAYER=FILE", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub model: Vec<ModelFor>,
}

impl ModelArgs {
    /// Checks that every override belongs to one of the players and that no player has more than
    /// one.
    ///
    /// # Errors
    /// Returns an error if an override names no player, or a player has two.
    pub fn check(&self, texts: &[String]) -> Result<()> {
        for (index, ModelFor { player, .. }) in self.model.iter().enumerate() {
            ensure!(
                texts.contains(player),
                "--model names player {player}, and those who play are {}",
                texts.join(", ")
            );
            let before = &self.model[..index];
            ensure!(
                before.iter().all(|other| other.player != *player),
                "--model names player {player} twice"
            );
        }
        Ok(())
    }

    /// Returns the players that `texts` name or describe, with their models loaded.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`] and of [`Self::player`].
    pub fn players(&self, texts: &[String], models: &Models) -> Result<Vec<PlayerSpec>> {
        self.check(texts)?;
        texts.iter().map(|text| self.player(text, models)).collect()
    }

    /// Returns the player that `text` names or describes, with its override if there is one, or else
    /// with its published model.
    ///
    /// # Errors
    /// Returns an error if the player can't be made, or the model is not of its kind.
    pub fn player(&self, text: &str, models: &Models) -> Result<PlayerSpec> {
        if let Some(model) = self.model.iter().find(|model| model.player == *text) {
            return Ok(PlayerSpec::with_model_file(text, &model.file)?);
        }
        match program::player(text)? {
            Some(player) => Ok(player),
            None => Ok(PlayerSpec::with_models(text, models)?),
        }
    }
}

/// The sequential test of a comparison.
#[derive(Clone, Copy, Args, Serialize)]
pub struct SprtArgs {
    /// Stop early with a sequential test (GSPRT, error rates 5 %), such as 0:2. LOW and HIGH are
    /// its hypotheses on the difference; the number of games is then the maximum. short is 0:2, long
    /// 0:0.5 and no-regression -0.5:0.25
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    #[serde(serialize_with = "as_text::optional")]
    pub sprt: Option<Sprt>,
}

/// The data folders of a training.
#[derive(Args, Serialize)]
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
    pub fn check(&self) -> Result<()> {
        ensure!(
            self.window.is_none() || !self.data.is_empty(),
            "--window takes --data"
        );
        Ok(())
    }
}

/// The first-click rules under which games are played.
#[derive(Default, Args, Serialize)]
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
