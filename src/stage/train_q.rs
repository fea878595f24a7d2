//! The network of players 6.0 and 6.5 (main paper, sections 4.2.3 and 5.2.2, table 2).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use serde_json::{Value, json};

use super::generate::{Alpha, Amount, Boards, Discount, QSettings, SelfPlay, Workers, q_rows};
use super::training::{
    Course, DataFolder, Examination, Learning, MakeRows, Round, Tables, TrainingEnd, Watch, read_network, rule,
    settings,
};
use crate::data::FileKind;
use crate::features::{LocationScore, q_v1};
use crate::model::{Artifact, Expected, Linear, Metadata, Mlp, Registry};
use crate::player::PlayerSpec;
use crate::player::choose::{Q, Rule, Swap};
use crate::train::{Overfit, q};

/// The version of the single pass.
const SINGLE_PASS: &str = "6.5";
/// The version of the iterative training.
const ITERATIVE: &str = "6.0";
/// The name under which alpha is published.
const ALPHA: &str = "alpha";

const READS: Expected<'_> =
    Expected { reader: "train-q", features: q_v1::NAME, width: q_v1::WIDTH, columns: &q_v1::COLUMNS };

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
        let loaded = match self {
            &Self::Fixed(alpha) => return fixed(alpha),
            Self::File(path) => Artifact::load(path, &expected)?,
            Self::Published => Registry::open(None)
                .and_then(|registry| registry.load(ALPHA, &expected))
                .context("no alpha is published: fit one with `pipeline fit-alpha`, or give --alpha")?,
        };
        match loaded.artifact {
            Artifact::Linear(linear) => Ok(linear),
            other => anyhow::bail!("that is {}, train-q needs alpha", other.kind()),
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
    pub discount: Discount,
}

/// A training of the table 2 network.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainQ {
    pub data: QData,
    pub learning: Learning,
    /// Validation games after every round; 0 for none.
    pub eval_games: u32,
}

/// How the sub-states of a network are made.
struct SubStates {
    alpha: Linear,
    score: LocationScore,
}

impl SubStates {
    /// As `network` notes.
    fn of(network: &Arc<Mlp>) -> anyhow::Result<Self> {
        match rule(ITERATIVE, network)? {
            Rule::Q(q) => Ok(Self { score: q.model.location_score(), alpha: Arc::unwrap_or_clone(q.alpha) }),
            other => anyhow::bail!("player {ITERATIVE} chooses by {other}, not by Q"),
        }
    }

    fn rows(&self, discount: Discount) -> QSettings {
        QSettings { alpha: Alpha::Fitted(self.alpha.clone()), score: self.score, discount }
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
        let sub_states = SubStates { alpha: data.alpha.read()?, score: data.score };
        let own = json!({
            "epochs": data.epochs,
            "games": data.games,
            "player": data.player.recipe.to_string(),
        });
        let rows = sub_states.rows(data.discount);
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            let workers = Workers { player: &|| data.player.build(), threads: self.learning.threads, stop };
            let games = SelfPlay::on(Boards::paper_q(0.30), self.learning.root().child("games", 0));
            Ok(Tables::split(&q_rows(&games, Amount::Passes(data.games.into()), rows.clone(), workers)?))
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
        });
        let rows = sub_states.rows(data.discount);
        let make = move |episode: u64, network: Option<&Arc<Mlp>>| {
            let network = network.context("an iterative training starts from a network")?;
            let player = PlayerSpec::with_model(ITERATIVE, &Swap::Network(network.clone()))?;
            let workers = Workers { player: &|| player.build(), threads: self.learning.threads, stop };
            let seed = self.learning.root().child("episode", episode);
            let games = SelfPlay { explore: data.explore, ..SelfPlay::on(Boards::paper_q(0.20), seed) };
            Ok(Tables::split(&q_rows(&games, Amount::Passes(data.games.into()), rows.clone(), workers)?))
        };
        let course = self.any(own, &sub_states, data.discount, Box::new(make));
        let examination = Examination { player: ITERATIVE, games: self.eval_games };
        Ok(Course { round: Round::Episode, rounds: data.episodes.into(), from: Some(from), examination, ..course })
    }

    fn over_folder<'a>(&'a self, path: &Path, epochs: u32) -> anyhow::Result<Course<'a>> {
        let folder = DataFolder::open(path, q_v1::NAME)?;
        let sub_states = SubStates { alpha: alpha_of(folder.setting("alpha")?)?, score: folder.text("score")? };
        let own = json!({"epochs": epochs, "data": folder.sha256});
        let discount = folder.text("discount")?;
        let make = move |_: u64, _: Option<&Arc<Mlp>>| Ok(folder.tables(FileKind::QRows)?);
        Ok(Course { rounds: epochs.into(), ..self.any(own, &sub_states, discount, Box::new(make)) })
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
        let trainer = self.learning.trainer(q::NETWORK, q::OPTIMIZER);
        let metadata = self.learning.metadata("train-q", q_v1::NAME).note("discount", discount);
        Course {
            settings: settings("train-q", &self.learning, &trainer, own),
            trainer,
            round: Round::Epoch,
            rounds: 1,
            from: None,
            metadata: Q::note(metadata, &sub_states.alpha, sub_states.score),
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
