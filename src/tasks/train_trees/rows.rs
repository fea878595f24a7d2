//! The rows for training trees, from data folders or from games generated in memory.

use anyhow::Context as _;
use serde_json::{Value, json};

use super::super::boosting::{TreesRows, extra_memory};
use super::TreesRun;
use crate::generate::{Amount, Boards, GenerateError, Labels, RowKind, SelfPlay, rows_in_memory};
use crate::network::DataFolders;
use crate::train_q::Returns;
use mineflow_learn::data::{Drawn, Manifest, Rows, Split, Windows, check_memory};
use mineflow_minesweeper::features::{ClassifierV2, LocationScore, classifier_v2, feature_set};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_model::{FeatureSet, Metadata, Target};

/// The source of the rows.
pub(super) struct TreesSource {
    pub(super) description: Value,
    pub(super) set: &'static FeatureSet,
    /// The settings of the input rows, which players read from the artifact.
    pub(super) inputs: Metadata,
    /// The windows of the rows, if the rows are not read all at once.
    pub(super) windows: Option<Windows>,
    /// The player and the number of rows, if rows are generated in memory.
    games: Option<(PlayerSpec, u64)>,
}

impl TreesRun<'_> {
    pub(super) fn source(&self) -> anyhow::Result<TreesSource> {
        if let Some(first) = self.settings.data.first() {
            let named = Manifest::of_finished(first)?.features;
            let set = feature_set(&named)
                .with_context(|| {
                    format!("{}: this version has no features {named}", first.display())
                })?
                .set();
            let folder = DataFolders::open(&self.settings.data, set.name)?;
            let metadata = Metadata::new(set.name);
            let inputs = match set.target {
                Target::Safe => {
                    let score: LocationScore = folder.text("score")?;
                    metadata.note("location_score", score)
                }
                Target::Return => Returns::read(&folder)?.note(metadata),
                Target::Won | Target::Gain => metadata,
            };
            let drawn = Drawn {
                seed: self.root().child("windows", 0),
                turned: self.settings.symmetries.0,
            };
            let limits = (self.context.memory, extra_memory(set.width()));
            let data = &self.settings.data;
            let window = self.settings.window;
            let windows = Windows::plan(data, set, window, drawn, limits)?;
            return Ok(TreesSource {
                description: json!(folder.sha256),
                set,
                inputs,
                windows,
                games: None,
            });
        }
        let player = PlayerSpec::with_models(&self.settings.player, self.context.models)?;
        let set = &classifier_v2::SET;
        let rows = self
            .settings
            .rows
            .context("trees learn from either --data or --rows")?
            .get();
        check_memory(rows, set.width(), self.context.memory)?;
        let description = json!({"self_play": player.recipe.without_folders(), "rows": rows});
        let inputs = Metadata::new(set.name).note("location_score", self.settings.location_score);
        Ok(TreesSource {
            description,
            set,
            inputs,
            windows: None,
            games: Some((player, rows)),
        })
    }

    /// Reads or generates the rows. Returns `None` after an interruption.
    pub(super) fn rows(&self, source: &TreesSource) -> anyhow::Result<Option<TreesRows>> {
        let Some((player, rows)) = &source.games else {
            return Ok(Some(TreesRows::read(
                &self.settings.data,
                source.set,
                source.windows.as_ref(),
                self.context,
            )?));
        };
        let games = SelfPlay::on(Boards::paper_classifier(), self.root());
        let kind = RowKind {
            features: &ClassifierV2,
            labels: Labels::Safe {
                score: self.settings.location_score,
            },
        };
        let make = || player.build();
        let amount = Amount::Rows(*rows);
        match rows_in_memory(&games, amount, &kind, &make, self.context) {
            Ok(table) => {
                let [train, validation, test] =
                    Split::PARTS.map(|split| table.of_games(|game| split.holds(game)));
                Ok(Some(TreesRows {
                    train: Rows::Whole(train),
                    validation,
                    test,
                }))
            }
            Err(GenerateError::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
