//! The rows for training trees, from data folders or from games generated in memory.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::{super::boosting::extra_memory, TreesRun};
use crate::{
    generate::{Amount, Boards, GenerateError, Labels, RowKind, SelfPlay, rows_in_memory},
    network::{hash, open_rows},
};
use mineflow_learn::data::{DataFolders, Drawn, Rows, Split, TrainingRows, Windows, check_memory};
use mineflow_minesweeper::{
    features::{ClassifierV2, LocationScore, classifier_v2},
    player::PlayerSpec,
};
use mineflow_model::{FeatureSet, Metadata};

/// The source of the rows.
pub(super) struct TreesSource {
    pub description: Value,
    pub set: &'static FeatureSet,
    /// The settings of the input rows, which players read from the artifact.
    pub inputs: Metadata,
    /// The windows of the rows, if the rows are not read all at once.
    pub windows: Option<Windows>,
    rows: RowsFrom,
}

enum RowsFrom {
    Folders(DataFolders),
    /// This number of rows of the player's games, generated in memory.
    Games(PlayerSpec, u64),
}

impl TreesRun<'_> {
    pub fn source(&self) -> Result<TreesSource> {
        let given = &self.settings.folders;
        if given.data.is_empty() {
            return self.games();
        }
        let (folders, inputs) = open_rows(&given.data)?;
        let set = folders.set;
        let drawn = Drawn {
            seed: self.root().child("windows", 0),
            turned: true,
        };
        let memory = (self.context.memory, extra_memory(set.width()));
        Ok(TreesSource {
            description: json!(hash(&folders)?),
            set,
            inputs,
            windows: Windows::plan(&folders, given.window, drawn, memory)?,
            rows: RowsFrom::Folders(folders),
        })
    }

    fn games(&self) -> Result<TreesSource> {
        let player = PlayerSpec::with_models(&self.settings.player, self.context.models)?;
        let set = &classifier_v2::SET;
        let rows = self.settings.rows;
        let rows = rows
            .context("trees learn from either --data or --rows")?
            .get();
        check_memory(rows, set.width(), self.context.memory)?;
        Ok(TreesSource {
            description: json!({"self_play": player.recipe.without_folders(), "rows": rows}),
            set,
            inputs: Metadata::new(set.name).note("location_score", LocationScore::Opening),
            windows: None,
            rows: RowsFrom::Games(player, rows),
        })
    }

    /// Reads or generates the rows. Returns `None` after an interruption.
    pub fn rows(&self, source: &TreesSource) -> Result<Option<TrainingRows>> {
        let (player, rows) = match &source.rows {
            RowsFrom::Folders(folders) => {
                let limits = self.context.read_limits();
                let windows = source.windows.as_ref();
                return Ok(Some(TrainingRows::read(folders, windows, true, limits)?));
            }
            RowsFrom::Games(player, rows) => (player, *rows),
        };
        let games = SelfPlay::on(Boards::paper_classifier(), self.root());
        let score = LocationScore::Opening;
        let kind = RowKind {
            features: &ClassifierV2,
            labels: Labels::Safe { score },
        };
        let make = || player.build();
        match rows_in_memory(&games, Amount::Rows(rows), &kind, &make, self.context) {
            Ok(table) => {
                let part = |split: Split| table.of_games(|game| split.holds(game));
                Ok(Some(TrainingRows {
                    train: Rows::Whole(part(Split::Train)),
                    validation: part(Split::Validation),
                    test: part(Split::Test),
                }))
            }
            Err(GenerateError::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
