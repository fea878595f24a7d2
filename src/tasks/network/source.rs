//! The source of the rows of a training run: data folders, or games generated in memory.

use std::sync::Arc;

use serde_json::{Value, json};

use super::tables::MakeRows;
use super::{DataFolders, Learning, Task};
use crate::training_records::Round;
use mineflow_learn::data::Windows;
use mineflow_model::Mlp;

/// The source of the rows of every round.
pub(crate) struct RowSource<'a> {
    /// The kind of the rounds: an epoch reuses the rows of the previous epoch, and an episode has
    /// new rows.
    pub(super) round: Round,
    pub(super) rounds: u32,
    /// The windows of a round, if its rows are not read all at once.
    pub(super) windows: Option<Windows>,
    /// The network to start from instead of random weights.
    pub(super) from: Option<Arc<Mlp>>,
    /// The player version as which the network is evaluated.
    pub(super) player: &'a str,
    /// All settings that the rows depend on, for the manifest.
    pub(super) settings: Value,
    pub(super) make: Box<MakeRows<'a>>,
}

impl<'a> RowSource<'a> {
    /// Returns a source of epochs over fixed rows, for the network of a player version.
    pub(crate) fn epochs(
        player: &'a str,
        epochs: u32,
        settings: Value,
        make: Box<MakeRows<'a>>,
    ) -> Self {
        Self {
            round: Round::Epoch,
            rounds: epochs,
            windows: None,
            from: None,
            player,
            settings,
            make,
        }
    }

    /// Returns a source of epochs over the training games of data folders.
    pub(crate) fn folders(
        player: &'a str,
        epochs: u32,
        folders: DataFolders,
        (task, learning): (&Task, &'a Learning<'a>),
    ) -> anyhow::Result<Self> {
        let set = task.network.features;
        let windows = learning.windows(&folders, set)?;
        let mut settings = json!({"epochs": epochs, "data": folders.sha256});
        if let Some(windows) = &windows {
            settings["window"] = json!(windows.rows());
        }
        let of_rounds = windows.clone();
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            Ok(folders.tables(set, of_rounds.as_ref(), learning.context.read_limits())?)
        };
        Ok(Self {
            windows,
            ..Self::epochs(player, epochs, settings, Box::new(make))
        })
    }

    /// Returns a source of episodes, each with games of the current network.
    pub(crate) fn episodes(
        player: &'a str,
        episodes: u32,
        from: Option<Arc<Mlp>>,
        settings: Value,
        make: Box<MakeRows<'a>>,
    ) -> Self {
        Self {
            round: Round::Episode,
            from,
            ..Self::epochs(player, episodes, settings, make)
        }
    }

    /// Returns this source with additional settings that its rows depend on.
    #[must_use]
    pub(crate) fn noting(mut self, more: &[(&str, Value)]) -> Self {
        more.iter()
            .for_each(|(name, value)| self.settings[*name] = value.clone());
        self
    }
}
