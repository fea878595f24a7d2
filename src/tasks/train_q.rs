//! Trains the networks of players 6.0 and 6.5 (Sinha et al., sections 4.2.3 and 5.2.2, table 2).

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use crate::as_text;
use crate::generate::{
    Alpha, Amount, Boards, DISCOUNT, FirstCell, Labels, QSettings, RowKind, SelfPlay, check_weighs,
    off_board, rows_in_memory, typed_alpha,
};
use crate::help::{EXIT_CODES, examples};
use crate::network::{
    DataFolders, Learning, NetworkSettings, RowSource, Tables, Task, TrainingPlan, loaded,
    read_network, train,
};
use crate::values::check_range;
use crate::{Context, Outcome, Stage};
use mineflow_learn::data::check_memory;
use mineflow_learn::train::q;
use mineflow_minesweeper::features::{LocationScore, QV2, q_v2};
use mineflow_minesweeper::player::{PlayerSpec, choose::note_inputs};
use mineflow_model::{ALPHA, Artifact, Expected, Linear, Metadata, Mlp, Models};

/// The player version whose network is trained in a single pass.
const SINGLE_PASS: &str = "6.5";
/// The player version whose network is trained iteratively.
const ITERATIVE: &str = "6.0";

const TASK: Task = Task {
    command: "train-q",
    network: q::network(&q_v2::SET),
    optimizer: q::OPTIMIZER,
    batch: q::BATCH,
    by_heart: 0.001,
};
const READS: Expected<'_> = Expected::new(TASK.command, &q_v2::SET);

const EPOCHS: u32 = 1;
const EPISODES: u32 = 50;
/// The default number of games of a single pass per board size and mine ratio.
const GAMES: u32 = 200;
/// The default number of games of an episode per board size and mine ratio.
const EPISODE_GAMES: u32 = 5;
const PLAYER: &str = "4.0";
const EXPLORE: f64 = 0.05;

/// Train the network of player 6.0 or 6.5, from data or from its own games
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-q --games 5000 --out q",
            "train-q --iterative --out q-iterative",
            "train-q --iterative --from q/artifact.safetensors --episodes 20 --out q-longer",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct TrainQ {
    /// Train on games of `pipeline generate --kind q` folders, separated by commas [default: games
    /// made in memory]
    #[arg(
        long,
        value_name = "DIRS",
        value_delimiter = ',',
        conflicts_with = "iterative"
    )]
    pub data: Vec<PathBuf>,
    #[arg(long, value_name = "N", conflicts_with = "iterative", help = format!("Set the number of epochs over the same rows [default: {EPOCHS}]"))]
    pub epochs: Option<NonZeroU32>,
    #[arg(long, value_name = "N", conflicts_with = "data", help = format!(
        "Play N games per board size and mine ratio [default: {GAMES}; with --iterative {EPISODE_GAMES} per episode]"
    ))]
    pub games: Option<NonZeroU32>,
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["iterative", "data"], help = format!("Choose the player whose games train the single pass [default: {PLAYER}]"))]
    pub player: Option<String>,
    /// Set the weight of the mine probability in a cell's score: a file or folder of `pipeline
    /// fit-alpha`, or a number [default: the fit in the models folder]
    #[arg(long, value_name = "FILE|VALUE", conflicts_with_all = ["iterative", "data"])]
    pub alpha: Option<String>,
    /// Choose the location score in a cell's score, opening or printed [default: opening]
    #[arg(long, value_name = "SCORE", conflicts_with_all = ["iterative", "data"])]
    #[serde(serialize_with = "as_text::optional")]
    pub score: Option<LocationScore>,
    #[arg(long, value_name = "VALUE", value_parser = off_board, allow_negative_numbers = true, conflicts_with_all = ["iterative", "data"], help = format!(
        "Set the input value of cells off the board, -2 to 2; open cells have -1 [default: {}]", q_v2::OFF_BOARD
    ))]
    pub off_board: Option<f32>,
    /// Choose the first cell: own (the player's choice), corner or anywhere [default: own]
    #[arg(
        long,
        value_name = "WHERE",
        value_enum,
        hide_possible_values = true,
        conflicts_with = "data"
    )]
    pub first_cell: Option<FirstCell>,
    /// Train iteratively: every episode has new games, played with the current network
    #[arg(long)]
    pub iterative: bool,
    /// With --iterative: start from this network, a file or the folder of a training [default: the
    /// single-pass network that 6.5 loads]
    #[arg(
        long,
        value_name = "FILE",
        requires = "iterative",
        conflicts_with = "data"
    )]
    pub from: Option<PathBuf>,
    #[arg(long, value_name = "N", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: set the number of episodes [default: {EPISODES}]"
    ))]
    pub episodes: Option<NonZeroU32>,
    #[arg(long, value_name = "RATIO", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: set the exploration rate, the probability of a random guess [default: {EXPLORE}]"
    ))]
    pub explore: Option<f64>,
    #[command(flatten)]
    #[serde(flatten)]
    pub learning: NetworkSettings,
}

impl TrainQ {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or(PLAYER)
    }

    fn epochs(&self) -> u32 {
        self.epochs.map_or(EPOCHS, NonZeroU32::get)
    }

    fn episodes(&self) -> u32 {
        self.episodes.map_or(EPISODES, NonZeroU32::get)
    }

    /// Returns the number of games per board size and mine ratio.
    fn games(&self) -> u32 {
        self.games.map_or(
            if self.iterative { EPISODE_GAMES } else { GAMES },
            NonZeroU32::get,
        )
    }

    /// Returns the number of passes over the boards from which rows are made. The overfitting check
    /// needs a single pass.
    fn amount(&self) -> Amount {
        Amount::Passes(if self.learning.overfit {
            1
        } else {
            self.games().into()
        })
    }

    /// Loads the network from which iterative training starts, with the hash of its file.
    fn start(&self, models: &Models) -> anyhow::Result<(Arc<Mlp>, String)> {
        if let Some(from) = &self.from {
            return read_network(from, &READS);
        }
        let artifact = models.registry()?.load(SINGLE_PASS, &READS)?;
        let sha256 = artifact.sha256.clone();
        Ok((Arc::new(artifact.into_network(READS.reader)?), sha256))
    }

    fn plan<'a>(
        &'a self,
        learning: &'a Learning<'a>,
        start: Option<(Arc<Mlp>, String)>,
    ) -> anyhow::Result<TrainingPlan<'a>> {
        let (returns, rows) = match (&self.data[..], start) {
            ([_, ..], _) => self.folders(learning)?,
            ([], Some(start)) => self.own_games(start, learning)?,
            ([], None) => self.single_pass(learning)?,
        };
        if self.data.is_empty() {
            // Most games have more rows than one. The limit also holds while rows are made.
            let boards = Boards::paper_q(if self.iterative { 0.20 } else { 0.30 });
            let least = self.amount().games(&boards).unwrap_or(0);
            check_memory(least, q_v2::SET.width(), learning.context.memory)?;
        }
        let mut plan = TrainingPlan::new(&TASK, learning, rows.noting(&returns.noted()));
        plan.metadata = returns.note(plan.metadata);
        Ok(plan)
    }

    fn folders<'a>(
        &'a self,
        learning: &'a Learning<'a>,
    ) -> anyhow::Result<(Returns, RowSource<'a>)> {
        let folders = DataFolders::open(&self.data, q_v2::SET.name)?;
        let returns = Returns::read(&folders)?;
        Ok((
            returns,
            RowSource::folders(SINGLE_PASS, self.epochs(), folders, (&TASK, learning))?,
        ))
    }

    fn single_pass<'a>(
        &'a self,
        learning: &'a Learning<'a>,
    ) -> anyhow::Result<(Returns, RowSource<'a>)> {
        let models = learning.context.models;
        let player = PlayerSpec::with_models(self.player(), models)?;
        let first_cell = self.first_cell.unwrap_or_default();
        let returns = Returns {
            alpha: read_alpha(self.alpha.as_deref(), models)?,
            score: self.score.unwrap_or_default(),
            off_board: self.off_board.unwrap_or(q_v2::OFF_BOARD),
        };
        let settings = json!({
            "epochs": self.epochs(),
            "games": self.games(),
            "player": player.recipe.without_folders(),
            "first_cell": first_cell,
        });
        let seed = learning.root().child("games", 0);
        let games = SelfPlay {
            first_cell,
            ..SelfPlay::on(Boards::paper_q(0.30), seed)
        };
        let kind = returns.kind();
        let make = move |_: u64, _: Option<&Arc<Mlp>>| self.play(&games, &player, &kind, learning);
        Ok((
            returns,
            RowSource::epochs(SINGLE_PASS, self.epochs(), settings, Box::new(make)),
        ))
    }

    /// Returns the row source of iterative training: new games of the current network in every
    /// episode. Sub-states are made as for the initial network.
    fn own_games<'a>(
        &'a self,
        (from, sha256): (Arc<Mlp>, String),
        learning: &'a Learning<'a>,
    ) -> anyhow::Result<(Returns, RowSource<'a>)> {
        let returns = Returns::of(&from)?;
        let first_cell = self.first_cell.unwrap_or_default();
        let explore = self.explore.unwrap_or(EXPLORE);
        let settings = json!({
            "episodes": self.episodes(),
            "games": self.games(),
            "from": sha256,
            "explore": explore,
            "first_cell": first_cell,
        });
        let kind = returns.kind();
        let make = move |episode: u64, network: Option<&Arc<Mlp>>| {
            let network = network.context("an iterative training starts from a network")?;
            let player = PlayerSpec::with_model(ITERATIVE, Artifact::in_memory(network))?;
            let seed = learning.root().child("episode", episode);
            let games = SelfPlay {
                first_cell,
                explore,
                ..SelfPlay::on(Boards::paper_q(0.20), seed)
            };
            self.play(&games, &player, &kind, learning)
        };
        Ok((
            returns,
            RowSource::episodes(
                ITERATIVE,
                self.episodes(),
                Some(from),
                settings,
                Box::new(make),
            ),
        ))
    }

    /// Plays games and returns their rows.
    fn play(
        &self,
        games: &SelfPlay,
        player: &PlayerSpec,
        kind: &RowKind,
        learning: &Learning<'_>,
    ) -> anyhow::Result<Tables> {
        let amount = self.amount();
        let make = || player.build();
        let rows = rows_in_memory(games, amount, kind, &make, learning.context)?;
        Ok(Tables::split(&rows))
    }
}

impl Stage for TrainQ {
    fn check(&self) -> anyhow::Result<()> {
        // Clap drops a requirement if an argument that excludes the required argument is also
        // given.
        let of_iterative = [
            ("from", self.from.is_some()),
            ("episodes", self.episodes.is_some()),
            ("explore", self.explore.is_some()),
        ];
        if let Some((name, _)) = of_iterative.iter().find(|(_, given)| *given) {
            ensure!(self.iterative, "--{name} takes --iterative");
        }
        check_range("explore", self.explore.unwrap_or(EXPLORE), 0.0..=1.0)?;
        self.alpha.as_deref().map_or(Ok(None), typed_alpha)?;
        check_weighs(self.player())?;
        self.learning.check(&self.data)
    }

    fn published(&self) -> Vec<String> {
        let name = match self {
            Self {
                iterative: true,
                from: None,
                ..
            } => SINGLE_PASS,
            Self {
                iterative: false,
                alpha: None,
                data,
                ..
            } if data.is_empty() => ALPHA,
            _ => return Vec::new(),
        };
        vec![name.to_owned()]
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        match self.data.is_empty() && !self.iterative {
            true => vec![("player", self.player().to_owned())],
            false => Vec::new(),
        }
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let learning = self
            .learning
            .begin(self.iterative.then(|| self.episodes()), context)?;
        let start = self
            .iterative
            .then(|| self.start(context.models))
            .transpose()?;
        train(self.plan(&learning, start)?)
    }
}

/// The settings on which the sub-states and returns of rows depend.
pub(crate) struct Returns {
    alpha: Linear,
    score: LocationScore,
    /// Value of a cell off the board in a sub-state.
    off_board: f32,
}

impl Returns {
    /// Reads the settings of the rows in folders.
    pub(crate) fn read(folders: &DataFolders) -> anyhow::Result<Self> {
        let off_board = folders
            .setting("off_board")?
            .as_f64()
            .context("the data's off_board is not a number")? as f32;
        ensure!(
            *folders.setting("discount")? == DISCOUNT,
            "the data's returns are not discounted linearly"
        );
        Ok(Self {
            alpha: alpha_of(folders.setting("alpha")?)?,
            score: folders.text("score")?,
            off_board,
        })
    }

    /// Adds the settings to the metadata of a model, from which players read them.
    pub(crate) fn note(&self, metadata: Metadata) -> Metadata {
        let metadata = metadata.note("discount", DISCOUNT);
        note_inputs(metadata, &self.alpha, self.score, self.off_board)
    }

    /// Returns the settings of the sub-states that `network` records.
    fn of(network: &Arc<Mlp>) -> anyhow::Result<Self> {
        let model = loaded(ITERATIVE, network)?;
        let alpha = model.alpha.clone();
        Ok(Self {
            alpha: alpha.context("the network notes no alpha")?,
            score: model.score,
            off_board: model.off_board,
        })
    }

    /// Returns the kind of the rows.
    fn kind(&self) -> RowKind {
        let &Self {
            score, off_board, ..
        } = self;
        RowKind {
            features: &QV2,
            labels: Labels::Return(QSettings {
                alpha: Alpha::Fitted(self.alpha.clone()),
                score,
                off_board,
            }),
        }
    }

    /// Returns the settings as the manifest records them.
    fn noted(&self) -> [(&'static str, Value); 4] {
        [
            ("discount", json!(DISCOUNT)),
            // Theta is recorded as text, because settings are compared and JSON readers may round a
            // long fraction differently.
            (
                "theta",
                json!(self.alpha.theta().map(|theta| theta.to_string())),
            ),
            ("score", json!(self.score.name())),
            ("off_board", json!(self.off_board)),
        ]
    }
}

/// Parses alpha of Sinha et al. (equation 9): a number or a file of `fit-alpha`. The default is the
/// fit of equation 10 in the models folder.
fn read_alpha(typed: Option<&str>, models: &Models) -> anyhow::Result<Linear> {
    let expected = Linear::expected(TASK.command);
    let Some(text) = typed else {
        let registry = models.registry();
        let published = registry.and_then(|registry| registry.load(ALPHA, &expected));
        let published = published
            .context("no alpha is published: fit one with `pipeline fit-alpha`, or give --alpha")?;
        return Ok(published.into_alpha(expected.reader)?);
    };
    match typed_alpha(text)? {
        Some(alpha) => fixed(alpha),
        None => Ok(Linear::load(text.as_ref(), expected.reader)?),
    }
}

/// Returns a constant alpha for every board.
fn fixed(alpha: f64) -> anyhow::Result<Linear> {
    Ok(Linear::new(
        [0.0, 0.0, 0.0, alpha],
        Metadata::new(Linear::FEATURES),
    )?)
}

/// Parses alpha as data folders record it: a number, or the coefficients theta of equation 10 of
/// Sinha et al.
fn alpha_of(noted: &Value) -> anyhow::Result<Linear> {
    if let Some(alpha) = noted.as_f64() {
        return fixed(alpha);
    }
    let theta: [f64; 4] =
        serde_json::from_value(noted["theta"].clone()).context("the data notes no alpha")?;
    Ok(Linear::new(theta, Metadata::new(Linear::FEATURES))?)
}
