//! Who plays: players by name or recipe, and other models for them.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::player::Swap;

/// Models in place of those that players name.
#[derive(Args)]
pub(super) struct ModelArgs {
    /// Another model for a player, such as 5.0=trees.json; several are separated by commas
    #[arg(long = "model", value_name = "PLAYER=FILE", value_delimiter = ',', value_parser = swap)]
    models: Vec<(String, PathBuf)>,
}

impl ModelArgs {
    /// The players that `texts` name or describe, with their models loaded.
    pub(super) fn players(&self, texts: &[String]) -> anyhow::Result<Vec<PlayerSpec>> {
        self.check(texts)?;
        texts.iter().map(|text| self.player(text)).collect()
    }

    /// Holds that every model is for one of those who play, and each of them has at most one.
    pub(super) fn check(&self, texts: &[String]) -> anyhow::Result<()> {
        for (index, (player, _)) in self.models.iter().enumerate() {
            ensure!(
                texts.contains(player),
                "--model names player {player}, and those who play are {}",
                texts.join(", ")
            );
            let before = &self.models[..index];
            ensure!(before.iter().all(|(other, _)| other != player), "--model names player {player} twice");
        }
        Ok(())
    }

    /// The player that `text` names or describes.
    pub(super) fn player(&self, text: &str) -> anyhow::Result<PlayerSpec> {
        match self.models.iter().find(|(player, _)| player == text) {
            Some((_, file)) => Ok(PlayerSpec::with_model(text, &Swap::File(file.clone()))?),
            None => Ok(text.parse()?),
        }
    }
}

fn swap(text: &str) -> Result<(String, PathBuf), String> {
    // A recipe may hold other signs of equality, a file's name hardly ever does.
    match text.rsplit_once('=') {
        Some((player, file)) if !player.is_empty() && !file.is_empty() => Ok((player.to_owned(), file.into())),
        _ => Err(format!("`{text}` names no player and file; write PLAYER=FILE, such as 5.0=trees.json")),
    }
}
