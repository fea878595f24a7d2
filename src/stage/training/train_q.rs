//! The network of players 6.0 and 6.5 (main paper, sections 4.2.3 and 5.2.2, table 2).

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::network::{
    DataFolders, Examination, Learning, MakeRows, Tables, TrainingPlan, excludes, learnt, network_settings, of_data,
    read_network, rule, settings, train,
};
use mineflow_arena::Workers;
use mineflow_data::{ReadLimits, Windows};
use mineflow_minesweeper::features::{LocationScore, q_v2};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::player::{
    Swap,
    choose::{RowNotes, Rule},
};
use mineflow_model::{ALPHA, Expected, Linear, Metadata, Mlp, Registry};
use mineflow_stage::definition::{Context, Outcome, Stage};
use mineflow_stage::texts::optional_text;
use mineflow_stage::training_records::Round;
use mineflow_stage::values::check_range;
use mineflow_stage_generate::{Alpha, Amount, Boards, Discount, FirstCell, QSettings, SelfPlay, off_board, q_rows};
use mineflow_train::{Overfit, q};

/// The version of the single pass.
const SINGLE_PASS: &str = "6.5";
/// The version of the iterative training.
const ITERATIVE: &str = "6.0";

const READS: Expected<'_> = Expected::new("train-q", &q_v2::SET);

/// Where alpha of equation 9 comes from.
#[derive(Clone, PartialEq, Debug, Default)]
enum AlphaFrom {
    /// The published fit of equation 10.
    #[default]
    Published,
    /// An artifact of `fit-alpha`.
    File(PathBuf),
    /// The same on every board, 0 to 1.
    Fixed(f64),
}

impl AlphaFrom {
    fn read(&self) -> anyhow::Result<Linear> {
        let expected = Linear::expected("train-q");
        match self {
            &Self::Fixed(alpha) => fixed(alpha),
            Self::File(path) => Ok(Linear::load(path, expected.reader)?),
            Self::Published => {
                let loaded = Registry::open(None).and_then(|registry| registry.load(ALPHA, &expected));
                let loaded =
                    loaded.context("no alpha is published: fit one with `pipeline fit-alpha`, or give --alpha")?;
                Ok(loaded.artifact.into_kind(expected.reader)?)
            }
        }
    }
}

/// Rows a step where none is given.
const BATCH: u32 = 32;

network_settings! {
    /// A training of the table 2 network.
    pub struct TrainQ {
        /// Learn from the training games of folders that `pipeline generate --kind q` made, separated by commas [default: games made in memory]
        #[arg(long, value_name = "DIRS", value_delimiter = ',')]
        pub data: Vec<PathBuf>,
        /// How often the same rows are learnt from [default: 1]
        #[arg(long, value_name = "N")]
        pub epochs: Option<NonZeroU32>,
        /// Games on each size at each mine ratio [default: 200; with --iterative 5 an episode]
        #[arg(long, value_name = "N")]
        pub games: Option<NonZeroU32>,
        /// Who plays for the single pass [default: 4.0]
        #[arg(long, value_name = "PLAYER")]
        pub player: Option<String>,
        /// Share of the mine probability in a cell's score: a file of `pipeline fit-alpha`, or a number [default: as published]
        #[arg(long, value_name = "FILE|VALUE")]
        pub alpha: Option<String>,
        /// Location score in a cell's score, opening or printed [default: opening]
        #[arg(long, value_name = "SCORE")]
        #[serde(with = "optional_text")]
        pub score: Option<LocationScore>,
        /// The value of a cell off the board in a sub-state, -2 to 2; -1 is that of an open cell [default: -2]
        #[arg(long, value_name = "VALUE", value_parser = off_board, allow_negative_numbers = true)]
        pub off_board: Option<f32>,
        /// Where games begin: own (where the player chooses), corner or anywhere [default: own]
        #[arg(long, value_name = "WHERE")]
        #[serde(with = "optional_text")]
        pub first_cell: Option<FirstCell>,
        /// What later rewards count: linear, or exponential:BASE [default: linear]
        #[arg(long, value_name = "HOW")]
        #[serde(with = "optional_text")]
        pub discount: Option<Discount>,
        /// In every episode new games, played with the network as it is
        #[arg(long, requires = "from")]
        pub iterative: bool,
        /// With --iterative: the network to start from, such as the one of the single pass
        #[arg(long, value_name = "FILE", requires = "iterative")]
        pub from: Option<PathBuf>,
        /// With --iterative: number of episodes [default: 50]
        #[arg(long, value_name = "N", requires = "iterative")]
        pub episodes: Option<NonZeroU32>,
        /// With --iterative: the chance that a guess is drawn at random [default: 0.05]
        #[arg(long, value_name = "RATIO", requires = "iterative")]
        pub explore: Option<f64>,
    }
}

impl TrainQ {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or("4.0")
    }

    fn episodes(&self) -> u32 {
        self.episodes.map_or(50, NonZeroU32::get)
    }

    fn data(&self) -> anyhow::Result<QData> {
        let epochs = self.epochs.map_or(1, NonZeroU32::get);
        let games = |usual| self.games.map_or(usual, NonZeroU32::get);
        let (first_cell, discount) = (self.first_cell.unwrap_or_default(), self.discount.unwrap_or_default());
        Ok(match (&self.data[..], &self.from) {
            (paths @ [_, ..], _) => QData::Folders { paths: paths.to_vec(), epochs },
            ([], Some(from)) => QData::Iterative(Box::new(Iterative {
                from: from.clone(),
                episodes: self.episodes(),
                games: games(5),
                explore: self.explore.unwrap_or(0.05),
                first_cell,
                discount,
            })),
            ([], None) => QData::SinglePass(Box::new(SinglePass {
                player: self.player().parse()?,
                games: games(200),
                epochs,
                alpha: self.alpha.as_deref().map_or(Ok(AlphaFrom::Published), alpha_from)?,
                score: self.score.unwrap_or(LocationScore::Opening),
                off_board: self.off_board.unwrap_or(q_v2::OFF_BOARD),
                first_cell,
                discount,
            })),
        })
    }
}

/// Alpha as it is given: what is not a number is a file.
fn alpha_from(text: &str) -> anyhow::Result<AlphaFrom> {
    match text.parse::<f64>() {
        Ok(alpha) => {
            ensure!((0.0..=1.0).contains(&alpha), "--alpha {text} does not lie between 0 and 1");
            Ok(AlphaFrom::Fixed(alpha))
        }
        Err(_) => Ok(AlphaFrom::File(text.into())),
    }
}

impl Stage for TrainQ {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.iterative == self.from.is_some(), "--iterative starts --from a network");
        let of_single_pass = [
            ("player", self.player.is_some()),
            ("alpha", self.alpha.is_some()),
            ("score", self.score.is_some()),
            ("off-board", self.off_board.is_some()),
        ];
        let of_games = [
            ("games", self.games.is_some()),
            ("first-cell", self.first_cell.is_some()),
            ("discount", self.discount.is_some()),
            ("iterative", self.iterative),
        ];
        if self.iterative {
            excludes("iterative", &[("epochs", self.epochs.is_some()), ("data", !self.data.is_empty())])?;
            excludes("iterative", &of_single_pass)?;
        } else {
            let of_episodes = [("episodes", self.episodes.is_some()), ("explore", self.explore.is_some())];
            ensure!(!of_episodes.iter().any(|(_, given)| *given), "--episodes and --explore take --iterative");
        }
        ensure!(self.window.is_none() || !self.data.is_empty(), "--window takes --data");
        if !self.data.is_empty() {
            excludes("data", &of_single_pass)?;
            excludes("data", &of_games)?;
        }
        check_range("explore", self.explore.unwrap_or(0.0), 0.0..=1.0)?;
        check_range("off-board", self.off_board.unwrap_or(q_v2::OFF_BOARD), q_v2::OFF_BOARD_RANGE)?;
        self.alpha.as_deref().map_or(Ok(()), |alpha| alpha_from(alpha).map(drop))?;
        self.learning().check()
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        vec![("player", self.player().to_owned())]
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let (eval_games, symmetries) = (self.eval_games, self.symmetries.0);
        let learning = self.learning().in_context(BATCH, self.iterative.then(|| self.episodes()), context);
        let training = QTraining { data: self.data()?, learning, eval_games, symmetries };
        if self.overfit {
            return Ok(learnt(training.overfit(context.stop)?));
        }
        context.folder()?;
        train(context, training.plan(context.stop)?)
    }
}

/// Where the rows come from.
#[derive(Clone, PartialEq, Debug)]
enum QData {
    /// A folder of `pipeline generate --kind q`, read this many times.
    Folders {
        paths: Vec<PathBuf>,
        epochs: u32,
    },
    SinglePass(Box<SinglePass>),
    Iterative(Box<Iterative>),
}

/// Games of one player, made in memory.
#[derive(Clone, PartialEq, Debug)]
struct SinglePass {
    pub player: PlayerSpec,
    /// Games on each size at each mine ratio.
    pub games: u32,
    /// How often the rows are learnt from.
    pub epochs: u32,
    pub alpha: AlphaFrom,
    pub score: LocationScore,
    /// The value of a cell off the board in a sub-state.
    pub off_board: f32,
    pub first_cell: FirstCell,
    pub discount: Discount,
}

/// Games of the network as it is, new ones in every episode. Sub-states are made as for the network to start from.
#[derive(Clone, PartialEq, Debug)]
struct Iterative {
    /// The network to start from.
    pub from: PathBuf,
    pub episodes: u32,
    /// Games an episode on each size at each mine ratio.
    pub games: u32,
    /// The chance that a guess is drawn at random.
    pub explore: f64,
    pub first_cell: FirstCell,
    pub discount: Discount,
}

/// A training of the table 2 network.
#[derive(Clone, PartialEq, Debug)]
struct QTraining {
    pub data: QData,
    pub learning: Learning,
    /// Validation games after every round; 0 for none.
    pub eval_games: u32,
    /// Whether rows to learn from are turned by the eight symmetries of the board.
    pub symmetries: bool,
}

/// How the sub-states of a network are made.
struct SubStates {
    alpha: Linear,
    score: LocationScore,
    off_board: f32,
}

impl SubStates {
    /// As `network` notes.
    fn of(network: &Arc<Mlp>) -> anyhow::Result<Self> {
        match rule(ITERATIVE, network)? {
            Rule::ByQ(rule) => {
                let RowNotes { score, alpha, off_board } = rule.rows().clone();
                Ok(Self { alpha: alpha.context("the network notes no alpha")?, score, off_board })
            }
            other => anyhow::bail!("player {ITERATIVE} chooses by {other}, not by Q"),
        }
    }

    fn rows(&self, discount: Discount) -> QSettings {
        let (alpha, score, off_board) = (Alpha::Fitted(self.alpha.clone()), self.score, self.off_board);
        QSettings { alpha, score, off_board, discount }
    }
}

impl QTraining {
    /// Learns 16 rows by heart in up to 20,000 steps, to a mean squared error below 0.001. Nothing is kept.
    fn overfit(&self, stop: &AtomicBool) -> anyhow::Result<Overfit> {
        let mut few = self.clone();
        match &mut few.data {
            QData::Folders { .. } => {}
            QData::SinglePass(data) => data.games = 1,
            QData::Iterative(data) => data.games = 1,
        }
        few.plan(stop)?.overfit((16, 20_000, 0.001), stop)
    }

    fn plan<'a>(&'a self, stop: &'a AtomicBool) -> anyhow::Result<TrainingPlan<'a>> {
        match &self.data {
            QData::Folders { paths, epochs } => self.over_folders(paths, *epochs, stop),
            QData::SinglePass(data) => self.single_pass(data, stop),
            QData::Iterative(data) => self.iterative(data, stop),
        }
    }

    fn single_pass<'a>(&'a self, data: &'a SinglePass, stop: &'a AtomicBool) -> anyhow::Result<TrainingPlan<'a>> {
        let sub_states = SubStates { alpha: data.alpha.read()?, score: data.score, off_board: data.off_board };
        let own = json!({
            "epochs": data.epochs,
            "games": data.games,
            "player": data.player.recipe.to_string(),
            "first_cell": data.first_cell.name(),
        });
        let rows = sub_states.rows(data.discount);
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            let (make, workers) = (|| data.player.build(), Workers { threads: self.learning.threads, stop });
            let seed = self.learning.root().child("games", 0);
            let games = SelfPlay { first_cell: data.first_cell, ..SelfPlay::on(Boards::paper_q(0.30), seed) };
            let rows = q_rows(&games, Amount::Passes(data.games.into()), rows.clone(), &make, workers)?;
            Ok(self.turned(Tables::split(&rows), 0))
        };
        let plan = self.any(own, &sub_states, data.discount, Box::new(make));
        Ok(TrainingPlan { rounds: data.epochs.into(), ..plan })
    }

    fn iterative<'a>(&'a self, data: &'a Iterative, stop: &'a AtomicBool) -> anyhow::Result<TrainingPlan<'a>> {
        let (from, sha256) = read_network(&data.from, &READS)?;
        let sub_states = SubStates::of(&from)?;
        let own = json!({
            "episodes": data.episodes,
            "games": data.games,
            "from": sha256,
            "explore": data.explore,
            "first_cell": data.first_cell.name(),
        });
        let rows = sub_states.rows(data.discount);
        let make = move |episode: u64, network: Option<&Arc<Mlp>>| {
            let network = network.context("an iterative training starts from a network")?;
            let player = PlayerSpec::with_model(ITERATIVE, &Swap::Network(network.clone()))?;
            let (make, workers) = (|| player.build(), Workers { threads: self.learning.threads, stop });
            let seed = self.learning.root().child("episode", episode);
            let (first_cell, explore) = (data.first_cell, data.explore);
            let games = SelfPlay { first_cell, explore, ..SelfPlay::on(Boards::paper_q(0.20), seed) };
            let rows = q_rows(&games, Amount::Passes(data.games.into()), rows.clone(), &make, workers)?;
            Ok(self.turned(Tables::split(&rows), episode))
        };
        let plan = self.any(own, &sub_states, data.discount, Box::new(make));
        let examination = Examination { player: ITERATIVE, games: self.eval_games };
        Ok(TrainingPlan {
            round: Round::Episode,
            rounds: data.episodes.into(),
            new_rows: true,
            from: Some(from),
            examination,
            ..plan
        })
    }

    fn over_folders<'a>(
        &'a self,
        paths: &[PathBuf],
        epochs: u32,
        stop: &'a AtomicBool,
    ) -> anyhow::Result<TrainingPlan<'a>> {
        let folder = DataFolders::open(paths, q_v2::SET.name)?;
        let off_board = folder.setting("off_board")?.as_f64().context("the data's off_board is not a number")? as f32;
        let alpha = alpha_of(folder.setting("alpha")?)?;
        let sub_states = SubStates { alpha, score: folder.text("score")?, off_board };
        let windows = self.learning.windows(&folder, &q_v2::SET, self.symmetries)?;
        let own = of_data(epochs, &folder, windows.as_ref());
        let discount = folder.text("discount")?;
        let limits = ReadLimits { stop, memory: self.learning.memory };
        let count = windows.as_ref().map_or(1, Windows::count);
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            Ok(self.turned(folder.tables(&q_v2::SET, windows.as_ref(), limits)?, 0))
        };
        Ok(TrainingPlan {
            rounds: epochs.into(),
            windows: count,
            ..self.any(own, &sub_states, discount, Box::new(make))
        })
    }

    /// The rows to learn from, turned if that is asked for.
    fn turned(&self, mut tables: Tables, round: u64) -> Tables {
        if self.symmetries {
            tables.turn(&q_v2::SET, self.learning.root().child("symmetries", round));
        }
        tables
    }

    /// Epochs over what `rows` gives.
    fn any<'a>(
        &self,
        mut own: Value,
        sub_states: &SubStates,
        discount: Discount,
        rows: Box<MakeRows<'a>>,
    ) -> TrainingPlan<'a> {
        own["seed"] = json!(self.learning.seed);
        own["eval_games"] = json!(self.eval_games);
        own["discount"] = json!(discount.to_string());
        // As text: a file of settings is compared, and JSON readers may round a long fraction differently.
        own["theta"] = json!(sub_states.alpha.theta().map(|theta| theta.to_string()));
        own["score"] = json!(sub_states.score.name());
        own["off_board"] = json!(sub_states.off_board);
        own["symmetries"] = json!(self.symmetries);
        let trainer = self.learning.trainer(q::network(&q_v2::SET), q::OPTIMIZER);
        let metadata = self.learning.metadata("train-q", q_v2::SET.name).note("discount", discount);
        TrainingPlan {
            settings: settings("train-q", &self.learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: 1,
            new_rows: false,
            windows: 1,
            from: None,
            metadata: RowNotes::note(metadata, &sub_states.alpha, sub_states.score, sub_states.off_board),
            examination: Examination { player: SINGLE_PASS, games: self.eval_games },
            average: self.learning.average,
            rows,
        }
    }
}

/// Alpha that is the same on every board.
fn fixed(alpha: f64) -> anyhow::Result<Linear> {
    Ok(Linear::new([0.0, 0.0, 0.0, alpha], Metadata::new(Linear::FEATURES))?)
}

/// Alpha as data folders note it: a number, or the theta of equation 10.
fn alpha_of(noted: &Value) -> anyhow::Result<Linear> {
    if let Some(alpha) = noted.as_f64() {
        return fixed(alpha);
    }
    let theta: [f64; 4] = serde_json::from_value(noted["theta"].clone()).context("the data notes no alpha")?;
    Ok(Linear::new(theta, Metadata::new(Linear::FEATURES))?)
}
