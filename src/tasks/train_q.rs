//! Trains the networks of players 6.0 and 6.5 (Sinha et al., sections 4.2.3 and 5.2.2, table 2).

use std::{num::NonZeroU32, sync::Arc};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::json;

use crate::{
    Context, Outcome, Stage, as_text,
    generate::{
        Amount, Boards, DISCOUNT, FirstCell, Labels, QSettings, RowKind, SelfPlay, alpha,
        check_weighs, typed_alpha,
    },
    help::{EXIT_CODES, examples},
    network::{
        Learning, Mode, OwnGames, PaperSettings, RowSource, Task, TrainingPlan, loaded,
        read_network, setting, setting_text,
    },
    training_records::Round,
    values::check_range,
};
use mineflow_learn::data::DataFolders;
use mineflow_minesweeper::{
    features::{LocationScore, QV2, q_v2},
    player::{PlayerSpec, choose::note_inputs},
};
use mineflow_model::{ALPHA, Expected, Linear, Metadata, Mlp, Models};

/// The player version whose network is trained in a single pass.
pub(crate) const SINGLE_PASS: &str = "6.5";
/// The player version whose network is trained iteratively.
const ITERATIVE: &str = "6.0";

const TASK: Task = Task {
    command: "train-q",
    single_pass: SINGLE_PASS,
    iterative: ITERATIVE,
    features: &q_v2::SET,
    is_paper: true,
};
const READS: Expected<'_> = Expected::new(TASK.command, &q_v2::SET);

pub(crate) const EPOCHS: u32 = 1;
pub(crate) const EPISODES: u32 = 50;
/// The default number of games of a single pass per board size and mine ratio.
const GAMES: u32 = 200;
/// The default number of games of an episode per board size and mine ratio.
const EPISODE_GAMES: u32 = 5;
const PLAYER: &str = "4.0";
const EXPLORE: f64 = 0.05;

/// Train the network of player 6.0 or 6.5, from data or from its own games
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-q --games 5000 --out q",
            "train-q --iterative --out q-iterative",
            "train-q --iterative --from q/artifact.safetensors --episodes 20 --out q-longer",
        ], EXIT_CODES))]
pub struct TrainQ {
    #[command(flatten)]
    #[serde(flatten)]
    pub learning: PaperSettings,
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
    /// Choose the first cell: own (the player's choice), corner or anywhere [default: own]
    #[arg(
        long,
        value_name = "WHERE",
        value_enum,
        hide_possible_values = true,
        conflicts_with = "data"
    )]
    pub first_cell: Option<FirstCell>,
    #[arg(long, value_name = "RATIO", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: set the exploration rate, the probability of a random guess [default: {EXPLORE}]"
    ))]
    pub explore: Option<f64>,
}

impl TrainQ {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or(PLAYER)
    }

    /// Loads the network from which iterative training starts.
    fn mode(&self, models: &Models) -> Result<Mode> {
        let (round, rounds) = self.learning.rounds(EPOCHS, EPISODES);
        let start = match (&self.learning.network.from, round) {
            (Some(from), _) => Some(read_network(from, &READS)?),
            (None, Round::Epoch) => None,
            (None, Round::Episode) => {
                let artifact = models.registry()?.load(SINGLE_PASS, &READS)?;
                let sha256 = artifact.sha256.clone();
                Some((Arc::new(artifact.into_network(READS.reader)?), sha256))
            }
        };
        Ok(Mode {
            round,
            rounds,
            start,
        })
    }

    /// Returns the number of games per board size and mine ratio.
    fn games(&self) -> u32 {
        self.games.map_or(
            if self.learning.iterative {
                EPISODE_GAMES
            } else {
                GAMES
            },
            NonZeroU32::get,
        )
    }

    fn plan<'a>(&'a self, learning: &'a Learning<'a>) -> Result<TrainingPlan<'a>> {
        let (q, mut rows) = if self.learning.network.folders.data.is_empty() {
            self.own_games(learning)?
        } else {
            let folders = DataFolders::open(&self.learning.network.folders.data, &q_v2::SET)?;
            (
                q_settings(&folders)?,
                RowSource::folders(folders, learning)?,
            )
        };
        // Theta is recorded as text, because settings are compared and JSON readers may round a
        // long fraction differently.
        let theta = q.alpha.theta().map(|theta| theta.to_string());
        rows.settings["discount"] = json!(DISCOUNT);
        rows.settings["theta"] = json!(theta);
        rows.settings["score"] = json!(q.score.name());
        rows.settings["off_board"] = json!(q.off_board);
        let inputs = note_q(&q, Metadata::new(TASK.features.name));
        TrainingPlan::new(&TASK, learning, rows, inputs)
    }

    /// Returns the settings and the source of rows of new games. In iterative training, every
    /// episode has games of the current network, and sub-states are made as for the first one.
    fn own_games<'a>(&'a self, learning: &'a Learning<'a>) -> Result<(QSettings, RowSource<'a>)> {
        let player = PlayerSpec::with_models(self.player(), learning.context.models)?;
        let first_cell = self.first_cell.unwrap_or_default();
        let mut settings = json!({"games": self.games(), "first_cell": first_cell});
        let mut explore = 0.0;
        let (q, highest) = match learning.mode.round {
            Round::Epoch => {
                settings["player"] = json!(player.recipe.without_folders());
                let q = QSettings {
                    alpha: read_alpha(self.alpha.as_deref(), learning.context.models)?,
                    score: self.score.unwrap_or_default(),
                    off_board: q_v2::OFF_BOARD,
                };
                (q, 0.30)
            }
            Round::Episode => {
                explore = self.explore.unwrap_or(EXPLORE);
                settings["explore"] = json!(explore);
                let start = learning.mode.start.as_ref();
                let (network, _) = start.context("an iterative training starts from a network")?;
                (q_of_network(network)?, 0.20)
            }
        };
        let own = OwnGames {
            games: SelfPlay {
                first_cell,
                explore,
                ..SelfPlay::on(Boards::paper_q(highest), learning.root())
            },
            amount: Amount::Passes(self.games().into()),
            kind: RowKind {
                features: &QV2,
                labels: Labels::Return(q.clone()),
            },
            player,
        };
        Ok((q, own.rows(&TASK, settings, learning)?))
    }
}

impl Stage for TrainQ {
    fn check(&self) -> Result<()> {
        self.learning
            .check_iterative("explore", self.explore.is_some())?;
        check_range("explore", self.explore.unwrap_or(EXPLORE), 0.0..=1.0)?;
        self.alpha.as_deref().map_or(Ok(None), typed_alpha)?;
        check_weighs(self.player())?;
        self.learning.check()
    }

    fn published(&self) -> Vec<String> {
        let learning = &self.learning;
        let name = if learning.iterative {
            learning.network.from.is_none().then_some(SINGLE_PASS)
        } else {
            (self.alpha.is_none() && learning.network.folders.data.is_empty()).then_some(ALPHA)
        };
        name.map(str::to_owned).into_iter().collect()
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        match self.learning.network.folders.data.is_empty() && !self.learning.iterative {
            true => vec![("player", self.player().to_owned())],
            false => Vec::new(),
        }
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let learning = self.learning.begin(self.mode(context.models)?, context)?;
        self.plan(&learning)?.run()
    }
}

/// Reads the settings of the sub-states and returns of the rows in folders.
pub(crate) fn q_settings(folders: &DataFolders) -> Result<QSettings> {
    let off_board = setting(folders, "off_board")?.as_f64();
    ensure!(
        *setting(folders, "discount")? == DISCOUNT,
        "the data's returns are not discounted linearly"
    );
    let alpha = setting(folders, "alpha")?;
    let theta = match alpha.as_f64() {
        Some(alpha) => [0.0, 0.0, 0.0, alpha],
        None => {
            serde_json::from_value(alpha["theta"].clone()).context("the data notes no alpha")?
        }
    };
    Ok(QSettings {
        alpha: Linear::new(theta, Metadata::new(Linear::FEATURES))?,
        score: setting_text(folders, "score")?,
        off_board: off_board.context("the data's off_board is not a number")? as f32,
    })
}

/// Adds the settings to the metadata of a model, from which players read them.
pub(crate) fn note_q(q: &QSettings, metadata: Metadata) -> Metadata {
    let metadata = metadata.note("discount", DISCOUNT);
    note_inputs(metadata, &q.alpha, q.score, q.off_board)
}

/// Returns the settings of the sub-states that `network` records.
fn q_of_network(network: &Arc<Mlp>) -> Result<QSettings> {
    let model = loaded(ITERATIVE, network)?;
    let alpha = model.alpha.clone();
    Ok(QSettings {
        alpha: alpha.context("the network notes no alpha")?,
        score: model.score,
        off_board: model.off_board,
    })
}

/// Parses alpha of Sinha et al. (equation 9): a number or a file of `fit-alpha`. The default is the
/// fit of equation 10 in the models folder.
fn read_alpha(typed: Option<&str>, models: &Models) -> Result<Linear> {
    if let Some(text) = typed {
        return alpha(text, TASK.command);
    }
    let expected = Linear::expected(TASK.command);
    let loaded = models
        .registry()
        .and_then(|registry| registry.load(ALPHA, &expected));
    let loaded = loaded
        .context("no alpha is published: fit one with `pipeline fit-alpha`, or give --alpha")?;
    Ok(loaded.into_alpha(expected.reader)?)
}
