//! The network of players 6.0 and 6.5 (main paper, sections 4.2.3 and 5.2.2, table 2).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use serde_json::{Value, json};

use super::generate::{Alpha, Amount, Boards, Discount, FirstCell, QSettings, SelfPlay, q_rows};
use super::training::{
    Course, DataFolder, Examination, Learning, MakeRows, Round, Tables, TrainingEnd, Watch, read_network, rule,
    settings,
};
use crate::arena::Workers;
use crate::learn::model::{ALPHA, Expected, Linear, Metadata, Mlp, Registry};
use crate::learn::train::{Overfit, q};
use crate::minesweeper::features::{LocationScore, q_v2};
use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::player::{
    Swap,
    choose::{RowNotes, Rule},
};

/// The version of the single pass.
const SINGLE_PASS: &str = "6.5";
/// The version of the iterative training.
const ITERATIVE: &str = "6.0";

const READS: Expected<'_> = Expected::new("train-q", &q_v2::SET);

/// Where alpha of equation 9 comes from.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum AlphaFrom {
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

/// Where the rows come from.
#[derive(Clone, PartialEq, Debug)]
pub enum QData {
    /// A folder of `pipeline generate --kind q`, learnt from so many times.
    Folder {
        path: PathBuf,
        epochs: u32,
    },
    SinglePass(Box<SinglePass>),
    Iterative(Box<Iterative>),
}

/// Games of one player, made in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct SinglePass {
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
pub struct Iterative {
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
pub struct TrainQ {
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

impl TrainQ {
    /// Trains from where the folder has it to the end, or until soon after `stop` is set.
    pub fn run(&self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        self.course(stop)?.run(&self.learning.out, stop, watch)
    }

    /// Learns 16 rows by heart in up to 20,000 steps, to a mean squared error below 0.001. Nothing is kept.
    pub fn overfit(&self, stop: &AtomicBool) -> anyhow::Result<Overfit> {
        let mut few = self.clone();
        match &mut few.data {
            QData::Folder { .. } => {}
            QData::SinglePass(data) => data.games = 1,
            QData::Iterative(data) => data.games = 1,
        }
        few.course(stop)?.overfit(16, 20_000, 0.001)
    }

    fn course<'a>(&'a self, stop: &'a AtomicBool) -> anyhow::Result<Course<'a>> {
        match &self.data {
            QData::Folder { path, epochs } => self.over_folder(path, *epochs),
            QData::SinglePass(data) => self.single_pass(data, stop),
            QData::Iterative(data) => self.iterative(data, stop),
        }
    }

    fn single_pass<'a>(&'a self, data: &'a SinglePass, stop: &'a AtomicBool) -> anyhow::Result<Course<'a>> {
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
        let course = self.any(own, &sub_states, data.discount, Box::new(make));
        Ok(Course { rounds: data.epochs.into(), ..course })
    }

    fn iterative<'a>(&'a self, data: &'a Iterative, stop: &'a AtomicBool) -> anyhow::Result<Course<'a>> {
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
        let course = self.any(own, &sub_states, data.discount, Box::new(make));
        let examination = Examination { player: ITERATIVE, games: self.eval_games };
        Ok(Course { round: Round::Episode, rounds: data.episodes.into(), from: Some(from), examination, ..course })
    }

    fn over_folder<'a>(&'a self, path: &Path, epochs: u32) -> anyhow::Result<Course<'a>> {
        let folder = DataFolder::open(path, q_v2::SET.name)?;
        let off_board = folder.setting("off_board")?.as_f64().context("the data's off_board is not a number")? as f32;
        let alpha = alpha_of(folder.setting("alpha")?)?;
        let sub_states = SubStates { alpha, score: folder.text("score")?, off_board };
        let own = json!({"epochs": epochs, "data": folder.sha256});
        let discount = folder.text("discount")?;
        let make = move |_: u64, _: Option<&Arc<Mlp>>| Ok(self.turned(folder.tables(&q_v2::SET)?, 0));
        Ok(Course { rounds: epochs.into(), ..self.any(own, &sub_states, discount, Box::new(make)) })
    }

    /// The rows to learn from, turned if that is asked for.
    fn turned(&self, mut tables: Tables, round: u64) -> Tables {
        if self.symmetries {
            tables.train.turn(&q_v2::SET, self.learning.root().child("symmetries", round));
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
    ) -> Course<'a> {
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
        Course {
            settings: settings("train-q", &self.learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: 1,
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
