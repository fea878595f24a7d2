//! The network of player 5.5 (main paper, section 4.2.2, algorithm 4, table 1).

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use serde_json::{Value, json};

use crate::network::{
    DataFolders, Examination, Learning, MakeRows, Tables, TrainingPlan, excludes, learnt, location_score,
    network_settings, of_data, read_network, settings, train,
};
use mineflow_arena::Workers;
use mineflow_data::{ReadLimits, Windows};
use mineflow_minesweeper::features::{LocationScore, classifier_v2};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::player::Swap;
use mineflow_model::{Expected, Mlp};
use mineflow_stage::definition::{Context, Outcome, Stage};
use mineflow_stage::texts::optional_text;
use mineflow_stage::training_records::Round;
use mineflow_stage_generate::{Amount, Boards, FirstCell, SelfPlay, classifier_rows};
use mineflow_train::{Overfit, classifier};

/// The version that the network is for.
const VERSION: &str = "5.5";
/// Rows of which those to learn by heart are drawn.
const OVERFIT_FROM: u64 = 5000;

/// Rows a step where none is given.
const BATCH: u32 = 1024;

network_settings! {
    /// A training of the table 1 network.
    pub struct TrainClassifier {
        /// Learn from the training games of folders that `pipeline generate` made, separated by commas
        #[arg(long, value_name = "DIRS", value_delimiter = ',', required_unless_present = "iterative")]
        pub data: Vec<PathBuf>,
        /// How often the rows of --data are learnt from [default: 10]
        #[arg(long, value_name = "N")]
        pub epochs: Option<NonZeroU32>,
        /// Algorithm 4: in every episode new rows, from games of the network as it is
        #[arg(long)]
        pub iterative: bool,
        /// With --iterative: number of episodes [default: 100]
        #[arg(long, value_name = "N")]
        pub episodes: Option<NonZeroU32>,
        /// With --iterative: rows an episode, those of one game of ten held out [default: 700000]
        #[arg(long, value_name = "N")]
        pub rows: Option<NonZeroU64>,
        /// With --iterative: the network to start from
        #[arg(long, value_name = "FILE")]
        pub from: Option<PathBuf>,
        /// With --iterative: who plays as long as there is no network [default: 4.0]
        #[arg(long, value_name = "PLAYER")]
        pub player: Option<String>,
        /// With --iterative: location score of the features, opening or printed [default: opening]
        #[arg(long, value_name = "SCORE")]
        #[serde(with = "optional_text")]
        pub score: Option<LocationScore>,
        /// With --iterative: rows of first clicks too, with the label: was the game won?
        #[arg(long)]
        pub first_clicks: bool,
        /// With --first-clicks: where games begin: own (where the player chooses), corner or anywhere [default: own]
        #[arg(long, value_name = "WHERE")]
        #[serde(with = "optional_text")]
        pub first_cell: Option<FirstCell>,
    }
}

impl TrainClassifier {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or("4.0")
    }

    fn episodes(&self) -> u32 {
        self.episodes.map_or(100, NonZeroU32::get)
    }

    fn data(&self) -> anyhow::Result<ClassifierData> {
        Ok(match &self.data[..] {
            paths @ [_, ..] => {
                ClassifierData::Folders { paths: paths.to_vec(), epochs: self.epochs.map_or(10, NonZeroU32::get) }
            }
            [] => ClassifierData::Iterative(Box::new(Iterative {
                episodes: self.episodes(),
                rows: self.rows.map_or(700_000, NonZeroU64::get),
                first_player: self.player().parse()?,
                from: self.from.clone(),
                score: self.score.unwrap_or(LocationScore::Opening),
                first_clicks: self.first_clicks,
                first_cell: self.first_cell.unwrap_or_default(),
            })),
        })
    }
}

impl Stage for TrainClassifier {
    fn check(&self) -> anyhow::Result<()> {
        let of_episodes = [
            ("episodes", self.episodes.is_some()),
            ("rows", self.rows.is_some()),
            ("from", self.from.is_some()),
            ("player", self.player.is_some()),
            ("score", self.score.is_some()),
            ("first-clicks", self.first_clicks),
        ];
        ensure!(self.window.is_none() || !self.iterative, "--window takes --data");
        ensure!(self.data.is_empty() == self.iterative, "a classifier learns from either --data or --iterative games");
        if self.iterative {
            excludes("iterative", &[("epochs", self.epochs.is_some())])?;
        } else {
            excludes("data", &of_episodes)?;
        }
        if self.from.is_some() {
            excludes("from", &[("player", self.player.is_some()), ("score", self.score.is_some())])?;
        }
        ensure!(self.first_cell.is_none() || self.first_clicks, "--first-cell takes --first-clicks");
        self.learning().check()
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        vec![("player", self.player().to_owned())]
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let (eval_games, symmetries) = (self.eval_games, self.symmetries.0);
        let learning = self.learning().in_context(BATCH, self.iterative.then(|| self.episodes()), context);
        let training = ClassifierTraining { data: self.data()?, learning, eval_games, symmetries };
        if self.overfit {
            return Ok(learnt(training.overfit(context.stop)?));
        }
        context.folder()?;
        train(context, training.plan(context.stop)?)
    }
}

/// Where the rows come from.
#[derive(Clone, PartialEq, Debug)]
enum ClassifierData {
    /// Folders of `pipeline generate`, read this many times.
    Folders {
        paths: Vec<PathBuf>,
        epochs: u32,
    },
    Iterative(Box<Iterative>),
}

/// Algorithm 4: rows of self-play by the network as it is, new ones in every episode.
#[derive(Clone, PartialEq, Debug)]
struct Iterative {
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
struct ClassifierTraining {
    pub data: ClassifierData,
    pub learning: Learning,
    /// Validation games after every round; 0 for none.
    pub eval_games: u32,
    /// Whether rows to learn from are turned by the eight symmetries of the board.
    pub symmetries: bool,
}

impl ClassifierTraining {
    /// Learns 16 rows by heart in up to 20,000 steps, to a cross-entropy below 0.05. Nothing is kept.
    fn overfit(&self, stop: &AtomicBool) -> anyhow::Result<Overfit> {
        let mut few = self.clone();
        if let ClassifierData::Iterative(data) = &mut few.data {
            data.rows = data.rows.min(OVERFIT_FROM);
        }
        few.plan(stop)?.overfit((16, 20_000, 0.05), stop)
    }

    fn plan<'a>(&'a self, stop: &'a AtomicBool) -> anyhow::Result<TrainingPlan<'a>> {
        match &self.data {
            ClassifierData::Folders { paths, epochs } => self.over_folders(paths, *epochs, stop),
            ClassifierData::Iterative(iterative) => self.iterative(iterative, stop),
        }
    }

    /// Algorithm 4.
    fn iterative<'a>(&'a self, data: &'a Iterative, stop: &'a AtomicBool) -> anyhow::Result<TrainingPlan<'a>> {
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
        let plan = self.any(own, score, Box::new(make));
        Ok(TrainingPlan {
            round: Round::Episode,
            new_rows: true,
            rounds: data.episodes.into(),
            from: from.map(|(network, _)| network),
            ..plan
        })
    }

    fn over_folders<'a>(
        &'a self,
        paths: &[PathBuf],
        epochs: u32,
        stop: &'a AtomicBool,
    ) -> anyhow::Result<TrainingPlan<'a>> {
        let folder = DataFolders::open(paths, classifier_v2::SET.name)?;
        let windows = self.learning.windows(&folder, &classifier_v2::SET, self.symmetries)?;
        let own = of_data(epochs, &folder, windows.as_ref());
        let score = folder.text("score")?;
        let limits = ReadLimits { stop, memory: self.learning.memory };
        let count = windows.as_ref().map_or(1, Windows::count);
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            Ok(self.turned(folder.tables(&classifier_v2::SET, windows.as_ref(), limits)?, 0))
        };
        Ok(TrainingPlan { rounds: epochs.into(), windows: count, ..self.any(own, score, Box::new(make)) })
    }

    /// The rows to learn from, turned if that is asked for.
    fn turned(&self, mut tables: Tables, round: u64) -> Tables {
        if self.symmetries {
            tables.turn(&classifier_v2::SET, self.learning.root().child("symmetries", round));
        }
        tables
    }

    /// Epochs over what `rows` gives.
    fn any<'a>(&self, mut own: Value, score: LocationScore, rows: Box<MakeRows<'a>>) -> TrainingPlan<'a> {
        own["seed"] = json!(self.learning.seed);
        own["eval_games"] = json!(self.eval_games);
        own["score"] = json!(score.name());
        own["symmetries"] = json!(self.symmetries);
        let trainer = self.learning.trainer(classifier::network(&classifier_v2::SET), classifier::OPTIMIZER);
        TrainingPlan {
            settings: settings("train-classifier", &self.learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: 1,
            new_rows: false,
            windows: 1,
            from: None,
            metadata: self.learning.metadata("train-classifier", classifier_v2::SET.name).note("location_score", score),
            examination: Examination { player: VERSION, games: self.eval_games },
            average: self.learning.average,
            rows,
        }
    }
}

const READS: Expected<'_> = Expected::new("train-classifier", &classifier_v2::SET);
