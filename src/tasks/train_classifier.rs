//! Trains the network of player 5.5 (Sinha et al., section 4.2.2, algorithm 4, table 1).

use anyhow::Result;
use std::num::NonZeroU64;

use clap::ArgGroup;
use serde::Serialize;
use serde_json::json;

use crate::{
    Context, Outcome, Stage, as_text,
    generate::{Amount, Boards, Labels, RowKind, SelfPlay, check_weighs},
    help::{EXIT_CODES, examples},
    network::{
        Learning, Mode, OwnGames, PaperSettings, RowSource, Task, TrainingPlan, loaded,
        read_network, setting_text,
    },
    training_records::Round,
};
use mineflow_learn::data::DataFolders;
use mineflow_minesweeper::{
    features::{ClassifierV2, LocationScore, classifier_v2},
    player::PlayerSpec,
};
use mineflow_model::{Expected, Metadata};

/// The player version that uses the network.
pub(crate) const VERSION: &str = "5.5";

const TASK: Task = Task {
    command: "train-classifier",
    single_pass: VERSION,
    iterative: VERSION,
    features: &classifier_v2::SET,
    is_paper: true,
};
const READS: Expected<'_> = Expected::new(TASK.command, &classifier_v2::SET);

pub(crate) const EPOCHS: u32 = 10;
pub(crate) const EPISODES: u32 = 100;
const ROWS: u64 = 700_000;
const PLAYER: &str = "4.0";

/// Train the network of player 5.5, from data or from its own games
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-classifier --iterative --episodes 20 --out network",
            "train-classifier --data rows --epochs 3 --out network",
        ], EXIT_CODES))]
#[command(group(ArgGroup::new("source").args(["data", "iterative"]).required(true)))]
pub struct TrainClassifier {
    #[command(flatten)]
    #[serde(flatten)]
    pub learning: PaperSettings,
    #[arg(long, value_name = "N", requires = "iterative", conflicts_with = "data", help = format!(
        "With --iterative: make N rows per episode; those of a tenth of the games are held out [default: {ROWS}]"
    ))]
    pub rows: Option<NonZeroU64>,
    #[arg(long, value_name = "PLAYER", requires = "iterative", conflicts_with_all = ["data", "from"], help = format!(
        "With --iterative: choose the player for episodes before the first network [default: {PLAYER}]"
    ))]
    pub player: Option<String>,
    /// With --iterative: choose the location score of the features, opening or printed [default:
    /// opening]
    #[arg(
        long,
        value_name = "SCORE",
        requires = "iterative",
        conflicts_with_all = ["data", "from"]
    )]
    #[serde(serialize_with = "as_text::optional")]
    pub score: Option<LocationScore>,
}

impl TrainClassifier {
    fn player(&self) -> &str {
        self.player.as_deref().unwrap_or(PLAYER)
    }

    fn mode(&self) -> Result<Mode> {
        let (round, rounds) = self.learning.rounds(EPOCHS, EPISODES);
        let from = self.learning.network.from.as_deref();
        Ok(Mode {
            round,
            rounds,
            start: from.map(|path| read_network(path, &READS)).transpose()?,
        })
    }

    fn plan<'a>(&'a self, learning: &'a Learning<'a>) -> Result<TrainingPlan<'a>> {
        let (score, mut rows) = match learning.mode.round {
            Round::Epoch => {
                let data = &self.learning.network.folders.data;
                let folders = DataFolders::open(data, TASK.features)?;
                let score = setting_text(&folders, "score")?;
                (score, RowSource::folders(folders, learning)?)
            }
            Round::Episode => {
                let score = match &learning.mode.start {
                    None => self.score.unwrap_or_default(),
                    Some((network, _)) => loaded(VERSION, network)?.score,
                };
                (score, self.own_games(score, learning)?)
            }
        };
        rows.settings["score"] = json!(score.name());
        let inputs = Metadata::new(TASK.features.name).note("location_score", score);
        TrainingPlan::new(&TASK, learning, rows, inputs)
    }

    /// Returns the row source of algorithm 4 of Sinha et al., which plays games with the current
    /// network.
    fn own_games<'a>(
        &'a self,
        score: LocationScore,
        learning: &'a Learning<'a>,
    ) -> Result<RowSource<'a>> {
        let first = PlayerSpec::with_models(self.player(), learning.context.models)?;
        let rows = self.rows.map_or(ROWS, NonZeroU64::get);
        let is_first_asked = self.learning.network.from.is_none();
        let settings = json!({
            "rows": rows,
            "first_player": is_first_asked.then(|| first.recipe.without_folders()),
        });
        let own = OwnGames {
            games: SelfPlay::on(Boards::paper_classifier(), learning.root()),
            amount: Amount::Rows(rows),
            kind: RowKind {
                features: &ClassifierV2,
                labels: Labels::Safe { score },
            },
            player: first,
        };
        own.rows(&TASK, settings, learning)
    }
}

impl Stage for TrainClassifier {
    fn check(&self) -> Result<()> {
        check_weighs(self.player())?;
        self.learning.check()
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        match self.learning.iterative && self.learning.network.from.is_none() {
            true => vec![("player", self.player().to_owned())],
            false => Vec::new(),
        }
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let learning = self.learning.begin(self.mode()?, context)?;
        self.plan(&learning)?.run()
    }
}
