//! The network of player 5.5 (main paper, section 4.2.2, algorithm 4, table 1).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::generate::{Amount, Boards, FirstCell, SelfPlay, classifier_rows};
use super::training::{
    Course, DataFolder, Examination, Learning, MakeRows, Round, Tables, TrainingEnd, Watch, location_score,
    read_network, settings,
};
use crate::arena::Workers;
use crate::learn::model::{Expected, Mlp};
use crate::learn::train::{Overfit, classifier};
use crate::minesweeper::features::{LocationScore, classifier_v2};
use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::player::Swap;

/// The version that the network is for.
const VERSION: &str = "5.5";
/// Rows of which those to learn by heart are drawn.
const OVERFIT_FROM: u64 = 5000;

/// Where the rows come from.
#[derive(Clone, PartialEq, Debug)]
pub enum ClassifierData {
    /// A folder of `pipeline generate`, learnt from so many times.
    Folder {
        path: PathBuf,
        epochs: u32,
    },
    Iterative(Box<Iterative>),
}

/// Algorithm 4: rows of self-play by the network as it is, new ones in every episode.
#[derive(Clone, PartialEq, Debug)]
pub struct Iterative {
    pub episodes: u32,
    /// Rows an episode; those of one game of ten are held out.
    pub rows: u64,
    /// Who plays as long as there is no network.
    pub first_player: PlayerSpec,
    /// The network to start from.
    pub from: Option<PathBuf>,
    /// The location score of the features; that of the network to start from, if there is one.
    pub score: LocationScore,
    /// Whether first clicks have rows, with the label "game won".
    pub first_clicks: bool,
    /// Where games begin whose first click has a row.
    pub first_cell: FirstCell,
}

/// A training of the table 1 network.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainClassifier {
    pub data: ClassifierData,
    pub learning: Learning,
    /// Validation games after every round; 0 for none.
    pub eval_games: u32,
    /// Whether rows to learn from are turned by the eight symmetries of the board.
    pub symmetries: bool,
}

impl TrainClassifier {
    /// Trains from where the folder has it to the end, or until soon after `stop` is set.
    pub fn run(&self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        self.course(stop)?.run(&self.learning.out, stop, watch)
    }

    /// Learns 16 rows by heart in up to 20,000 steps, to a cross-entropy below 0.05. Nothing is kept.
    pub fn overfit(&self, stop: &AtomicBool) -> anyhow::Result<Overfit> {
        let mut few = self.clone();
        if let ClassifierData::Iterative(data) = &mut few.data {
            data.rows = data.rows.min(OVERFIT_FROM);
        }
        few.course(stop)?.overfit(16, 20_000, 0.05)
    }

    fn course<'a>(&'a self, stop: &'a AtomicBool) -> anyhow::Result<Course<'a>> {
        match &self.data {
            ClassifierData::Folder { path, epochs } => self.over_folder(path, *epochs),
            ClassifierData::Iterative(iterative) => self.iterative(iterative, stop),
        }
    }

    /// Algorithm 4.
    fn iterative<'a>(&'a self, data: &'a Iterative, stop: &'a AtomicBool) -> anyhow::Result<Course<'a>> {
        let from = data.from.as_deref().map(|path| read_network(path, &READS)).transpose()?;
        let score = from.as_ref().map_or(Ok(data.score), |(network, _)| location_score(network))?;
        let own = json!({
        "episodes": data.episodes,
        "rows": data.rows,
        "first_player": from.is_none().then(|| data.first_player.recipe.to_string()),
        "from": from.as_ref().map(|(_, sha256)| sha256),
        "first_clicks": data.first_clicks,
        "first_cell": data.first_cell.name(),
                });
        let make = move |episode: u64, network: Option<&Arc<Mlp>>| {
            let player = match network {
                Some(network) => PlayerSpec::with_model(VERSION, &Swap::Network(network.clone()))?,
                None => data.first_player.clone(),
            };
            let (make, workers) = (|| player.build(), Workers { threads: self.learning.threads, stop });
            let seed = self.learning.root().child("episode", episode);
            let games = SelfPlay { first_cell: data.first_cell, ..SelfPlay::on(Boards::paper_classifier(), seed) };
            let rows = classifier_rows(&games, Amount::Rows(data.rows), score, data.first_clicks, &make, workers)?;
            Ok(self.turned(Tables::split(&rows), episode))
        };
        let course = self.any(own, score, Box::new(make));
        Ok(Course {
            round: Round::Episode,
            rounds: data.episodes.into(),
            from: from.map(|(network, _)| network),
            ..course
        })
    }

    fn over_folder<'a>(&'a self, path: &Path, epochs: u32) -> anyhow::Result<Course<'a>> {
        let folder = DataFolder::open(path, classifier_v2::SET.name)?;
        let own = json!({"epochs": epochs, "data": folder.sha256});
        let score = folder.text("score")?;
        let make = move |_: u64, _: Option<&Arc<Mlp>>| Ok(self.turned(folder.tables(&classifier_v2::SET)?, 0));
        Ok(Course { rounds: epochs.into(), ..self.any(own, score, Box::new(make)) })
    }

    /// The rows to learn from, turned if that is asked for.
    fn turned(&self, mut tables: Tables, round: u64) -> Tables {
        if self.symmetries {
            tables.train.turn(&classifier_v2::SET, self.learning.root().child("symmetries", round));
        }
        tables
    }

    /// Epochs over what `rows` gives.
    fn any<'a>(&self, mut own: Value, score: LocationScore, rows: Box<MakeRows<'a>>) -> Course<'a> {
        own["seed"] = json!(self.learning.seed);
        own["eval_games"] = json!(self.eval_games);
        own["score"] = json!(score.name());
        own["symmetries"] = json!(self.symmetries);
        let trainer = self.learning.trainer(classifier::network(&classifier_v2::SET), classifier::OPTIMIZER);
        Course {
            settings: settings("train-classifier", &self.learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: 1,
            from: None,
            metadata: self.learning.metadata("train-classifier", classifier_v2::SET.name).note("location_score", score),
            examination: Examination { player: VERSION, games: self.eval_games },
            average: self.learning.average,
            rows,
        }
    }
}

const READS: Expected<'_> = Expected::new("train-classifier", &classifier_v2::SET);
