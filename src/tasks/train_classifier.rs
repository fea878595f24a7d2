//! Trains the network of player 5.5 (Sinha et al., section 4.2.2, algorithm 4, table 1).

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use crate::as_text;
use crate::generate::{Amount, Boards, Labels, RowKind, SelfPlay, check_weighs, rows_in_memory};
use crate::help::{EXIT_CODES, examples};
use crate::network::{
    DataFolders, Learning, NetworkSettings, RowSource, Tables, Task, TrainingPlan, loaded,
    read_network, train,
};
use crate::{Context, Outcome, Stage};
use mineflow_learn::data::check_memory;
use mineflow_learn::train::classifier;
use mineflow_minesweeper::features::{ClassifierV2, LocationScore, classifier_v2};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_model::{Artifact, Expected, Mlp};

/// The player version that uses the network.
const VERSION: &str = "5.5";
/// The maximum number of rows that are made for the overfitting check.
const OVERFIT_FROM: u64 = 5000;

const TASK: Task = Task {
    command: "train-classifier",
    network: classifier::network(&classifier_v2::SET),
    optimizer: classifier::OPTIMIZER,
    batch: classifier::BATCH,
    by_heart: 0.05,
};
const READS: Expected<'_> = Expected::new(TASK.command, &classifier_v2::SET);

const EPOCHS: u32 = 10;
const EPISODES: u32 = 100;
const ROWS: u64 = 700_000;
const PLAYER: &str = "4.0";

/// Train the network of player 5.5, from data or from its own games
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-classifier --iterative --episodes 20 --out network",
            "train-classifier --data rows --epochs 3 --out network",
            "train-classifier --data rows --overfit",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct TrainClassifier {
    /// Train on the training games of `pipeline generate` folders, separated by commas
    #[arg(
        long,
        value_name = "DIRS",
        value_delimiter = ',',
        required_unless_present = "iterative",
        conflicts_with = "iterative"
    )]
    pub data: Vec<PathBuf>,
    #[arg(long, value_name = "N", conflicts_with = "iterative", help = format!("Set the number of epochs over the rows of --data [default: {EPOCHS}]"))]
    pub epochs: Option<NonZeroU32>,
    /// Train by algorithm 4 of Sinha et al.: every episode has new games of the current network
    #[arg(long)]
    pub iterative: bool,
    #[arg(long, value_name = "N", requires = "iterative", conflicts_with = "data", help = format!("With --iterative: set the number of episodes [default: {EPISODES}]"))]
    pub episodes: Option<NonZeroU32>,
    #[arg(long, value_name = "N", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: make N rows per episode; those of a tenth of the games are held out [default: {ROWS}]"
    ))]
    pub rows: Option<NonZeroU64>,
    /// With --iterative: start from this network
    #[arg(long, value_name = "FILE", requires = "iterative", conflicts_with_all = ["data", "player", "score"])]
    pub from: Option<PathBuf>,
    #[arg(long, value_name = "PLAYER", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: choose the player for episodes before the first network [default: {PLAYER}]"
    ))]
    pub player: Option<String>,
    /// With --iterative: choose the location score of the features, opening or printed [default:
    /// opening]
    #[arg(
        long,
        value_name = "SCORE",
        requires = "iterative",
        conflicts_with = "data"
    )]
    #[serde(serialize_with = "as_text::optional")]
    pub score: Option<LocationScore>,
    #[command(flatten)]
    #[serde(flatten)]
    pub learning: NetworkSettings,
}

impl TrainClassifier {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or(PLAYER)
    }

    fn episodes(&self) -> u32 {
        self.episodes.map_or(EPISODES, NonZeroU32::get)
    }

    fn plan<'a>(&'a self, learning: &'a Learning<'a>) -> anyhow::Result<TrainingPlan<'a>> {
        let (score, rows) = if self.iterative {
            self.own_games(learning)?
        } else {
            self.folders(learning)?
        };
        let mut plan = TrainingPlan::new(
            &TASK,
            learning,
            rows.noting(&[("score", json!(score.name()))]),
        );
        plan.metadata = plan.metadata.note("location_score", score);
        Ok(plan)
    }

    fn folders<'a>(
        &'a self,
        learning: &'a Learning<'a>,
    ) -> anyhow::Result<(LocationScore, RowSource<'a>)> {
        let folders = DataFolders::open(&self.data, classifier_v2::SET.name)?;
        let score = folders.text("score")?;
        let epochs = self.epochs.map_or(EPOCHS, NonZeroU32::get);
        Ok((
            score,
            RowSource::folders(VERSION, epochs, folders, (&TASK, learning))?,
        ))
    }

    /// Returns the row source of algorithm 4 of Sinha et al., which plays games with the current
    /// network.
    fn own_games<'a>(
        &'a self,
        learning: &'a Learning<'a>,
    ) -> anyhow::Result<(LocationScore, RowSource<'a>)> {
        let first = PlayerSpec::with_models(self.player(), learning.context.models)?;
        let from = self
            .from
            .as_deref()
            .map(|path| read_network(path, &READS))
            .transpose()?;
        let score = match &from {
            Some((network, _)) => loaded(VERSION, network)?.score,
            None => self.score.unwrap_or_default(),
        };
        let rows = self.rows.map_or(ROWS, NonZeroU64::get);
        let settings = json!({
            "episodes": self.episodes(),
            "rows": rows,
            "first_player": from.is_none().then(|| first.recipe.without_folders()),
            "from": from.as_ref().map(|(_, sha256)| sha256),
        });
        let amount = Amount::Rows(if self.learning.overfit {
            rows.min(OVERFIT_FROM)
        } else {
            rows
        });
        let memory = learning.context.memory;
        check_memory(amount.rows(), classifier_v2::SET.width(), memory)?;
        let kind = RowKind {
            features: &ClassifierV2,
            labels: Labels::Safe { score },
        };
        let make = move |episode: u64, network: Option<&Arc<Mlp>>| {
            let player = match network {
                Some(network) => PlayerSpec::with_model(VERSION, Artifact::in_memory(network))?,
                None => first.clone(),
            };
            let seed = learning.root().child("episode", episode);
            let games = SelfPlay::on(Boards::paper_classifier(), seed);
            let make = || player.build();
            let rows = rows_in_memory(&games, amount, &kind, &make, learning.context)?;
            Ok(Tables::split(&rows))
        };
        let from = from.map(|(network, _)| network);
        Ok((
            score,
            RowSource::episodes(VERSION, self.episodes(), from, settings, Box::new(make)),
        ))
    }
}

impl Stage for TrainClassifier {
    fn check(&self) -> anyhow::Result<()> {
        check_weighs(self.player())?;
        self.learning.check(&self.data)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        match self.iterative && self.from.is_none() {
            true => vec![("player", self.player().to_owned())],
            false => Vec::new(),
        }
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let learning = self
            .learning
            .begin(self.iterative.then(|| self.episodes()), context)?;
        train(self.plan(&learning)?)
    }
}
