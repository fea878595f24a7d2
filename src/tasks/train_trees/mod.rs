//! Trains boosted trees on rows of any kind: those of player 5.0 (Sinha et al., section 4.2.2), a
//! value model of positions, or a ranker of the candidates of a guess. The data decide.

mod result;
mod rows;

use std::{
    num::{NonZeroU32, NonZeroU64},
    path::PathBuf,
};

use anyhow::{Result, ensure};
use clap::ArgGroup;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::boosting::{ARTIFACT, Boosting, RESULTS, check_growing};
use crate::{
    Context, DataArgs, Outcome, Rows, Stage, as_text,
    generate::check_weighs,
    help::{EXIT_CODES, examples},
    network,
    values::{Switch, above_zero},
};
use mineflow_arena::{Arena, Configuration, Ending, Part, Plan, numbers::round};
use mineflow_learn::{
    data::TrainingRows,
    train::{
        Loss,
        trees::{TreesSettings, check},
    },
};
use mineflow_minesweeper::{
    FirstClick,
    features::classifier_v2,
    player::{Limits, PlayerSpec},
};
use mineflow_model::{AnyModel, Artifact, Expected, FeatureSet, Objective, Target};
use mineflow_rng::Seed;
use mineflow_store::{Folder, Purpose, object};

use result::Judgement;
pub use result::TreesResult;
use rows::TreesSource;

const COMMAND: &str = "train-trees";
/// The player version that uses the trees.
const VERSION: &str = "5.0";
/// The board on which the player is evaluated, as in table 4 of Sinha et al.
const EXAMINATION: &str = "beginner";

/// Grow boosted trees from data: those of player 5.0, a value model, or a ranker of guesses
///
/// The rows of the data decide what the trees predict: that a cell is safe, that the game is won,
/// the return of a guess, or the gain of a candidate over the other candidates of its guess.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "train-trees --data rows --out trees",
            "train-trees --data rows --from trees.json --rounds 20 --out more-trees",
            "train-trees --data guesses --rounds 300 --patience 20 --learning-rate 0.1 --leaf-weight 400 --out ranker",
        ], EXIT_CODES))]
#[command(group(ArgGroup::new("source").args(["data", "rows"]).required(true)))]
pub struct TrainTrees {
    #[command(flatten)]
    #[serde(flatten)]
    pub folders: DataArgs,
    /// Instead of --data: train on N rows of new games on the boards of Sinha et al., kept only in
    /// memory
    #[arg(long, value_name = "N")]
    pub rows: Option<NonZeroU64>,
    /// With --rows: choose the player of the games
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "4.0",
        requires = "rows",
        conflicts_with = "data"
    )]
    pub player: String,
    /// Grow the trees on top of those in this file or folder of a training, which are kept;
    /// --rounds counts the new ones
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    pub boosting: TreesSettings,
    /// Write a checkpoint every N rounds; each checkpoint costs a pass of all rows through all
    /// trees so far
    #[arg(long, value_name = "N", default_value_t = above_zero(50))]
    pub checkpoint_every: NonZeroU32,
    /// With classifier-v2 rows: make scores non-increasing in P (monotone_constraints): on or off
    #[arg(long, value_name = "SWITCH", default_value_t = Switch(false))]
    #[serde(serialize_with = "as_text::one")]
    pub monotone: Switch,
    /// With rows of safe cells: at the end, play N games of player 5.0 with the trees on the
    /// beginner board; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub eval_games: u32,
}

impl Stage for TrainTrees {
    fn check(&self) -> Result<()> {
        check_weighs(&self.player)?;
        self.folders.check()?;
        check_growing(&self.boosting)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        let player = |_| ("player", self.player.clone());
        self.rows.iter().map(player).collect()
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        TreesRun {
            settings: self,
            context,
        }
        .run()
    }
}

/// A training run with the context of its stage.
struct TreesRun<'a> {
    settings: &'a TrainTrees,
    context: &'a Context<'a>,
}

impl TreesRun<'_> {
    /// Trains from the folder's state to the end, or stops soon after an interruption.
    fn run(&self) -> Result<Outcome> {
        let context = self.context;
        let source = self.source()?;
        ensure!(
            !self.settings.monotone.0 || source.set.name == classifier_v2::SET.name,
            "--monotone is for rows of {}, and these are {}: leave it out",
            classifier_v2::SET.name,
            source.set.name
        );
        let start = self.start(source.set)?;
        let mut folder = context.open(&Purpose {
            results: RESULTS,
            ..Purpose::of(self.manifest(&source, start.as_ref()))
        })?;
        if let Some(result) = folder.result::<TreesResult>()? {
            return network::finished_before(result, context);
        }
        context.say(
            0,
            self.settings.boosting.rounds.get().into(),
            "getting rows",
        );
        let Some(mut rows) = self.rows(&source)? else {
            return Ok(context.interrupted("0 rounds"));
        };
        rows.train
            .turn(source.set, self.root().child("symmetries", 0));
        let result = match self.grow(rows, &source, start, &folder)? {
            Ok(result) => result,
            Err(interrupted) => return Ok(interrupted),
        };
        folder.finish(&result, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![result]))))
    }

    /// Reads the trees to start from.
    fn start(&self, set: &'static FeatureSet) -> Result<Option<Artifact>> {
        let Some(path) = &self.settings.from else {
            return Ok(None);
        };
        let artifact = Artifact::load(path, &Expected::new(COMMAND, set))?;
        let expected = match Loss::of(set.target) {
            Loss::Logarithmic => Objective::Logistic,
            Loss::SquaredError => Objective::SquaredError,
        };
        ensure!(
            matches!(&artifact.model, AnyModel::Forest(of) if of.objective() == expected),
            "--from {}: these rows take trees with the objective {}, such as those of `{COMMAND}`",
            path.display(),
            expected.name()
        );
        Ok(Some(artifact))
    }

    /// Grows trees on these rows, publishes them and judges them.
    fn grow(
        &self,
        rows: TrainingRows,
        source: &TreesSource,
        start: Option<Artifact>,
        folder: &Folder,
    ) -> Result<Result<TreesResult, Outcome>> {
        let TrainingRows {
            train,
            validation,
            test,
        } = rows;
        let loss = Loss::of(source.set.target);
        check("test", &test, source.set.width(), loss)?;
        let from = start.as_ref().map(|start| start.sha256.clone());
        let boosting = Boosting {
            context: self.context,
            folder,
            settings: TreesSettings {
                falling: self
                    .settings
                    .monotone
                    .0
                    .then_some(classifier_v2::PROBABILITY),
                ..self.settings.boosting
            },
            loss,
            checkpoint_every: self.settings.checkpoint_every,
            set: source.set,
            start,
        };
        let grown = match boosting.grow(train, validation)? {
            Ok(grown) => grown,
            Err(interrupted) => return Ok(Err(interrupted)),
        };
        let judgement = Judgement::of(&grown.trees, &test, source.set)?;
        let notes = self.notes(source, from, &judgement);
        let (sha256, largest_difference) = boosting.publish(&grown.trees, &notes, &test)?;
        let Some(win_ratio) = self.examine(folder, source.set)? else {
            let done = format!("{} rounds", grown.rounds);
            return Ok(Err(self.context.interrupted(&done)));
        };
        Ok(Ok(TreesResult {
            sha256,
            rounds: grown.rounds,
            trees: grown.trees.best_round,
            train_rows: grown.train_rows,
            validation_rows: grown.validation_rows,
            test_rows: test.rows(),
            judgement,
            largest_difference,
            win_ratio,
        }))
    }

    /// Measures the win rate of player 5.0 with the artifact in `folder`. The rate is `None` if
    /// evaluation is off, or the trees are a value model. Returns `None` after an interruption.
    fn examine(&self, folder: &Folder, set: &FeatureSet) -> Result<Option<Option<f64>>> {
        if self.settings.eval_games == 0 || set.target != Target::Safe {
            return Ok(Some(None));
        }
        let player = PlayerSpec::with_model_file(VERSION, &folder.path().join(ARTIFACT))?;
        let games = self.settings.eval_games;
        let mut arena = Arena::in_memory(Plan {
            configurations: vec![Configuration {
                player,
                board: EXAMINATION.parse()?,
                first_click: FirstClick::Safe,
                value_model: None,
            }],
            games,
            part: Part::WHOLE,
            seed: self.root().child("examination", 0),
            limits: Limits::default(),
            sprt: None,
            threads: self.context.threads,
        });
        let mut watch = |progress| self.context.games(progress, VERSION);
        let ending = arena.play(self.context.stop, &mut watch)?;
        let won = arena.ledger().won() as f64 / f64::from(games);
        Ok((ending == Ending::Finished).then_some(Some(round(won, 6))))
    }

    /// Returns the seed of the training run. No game that evaluates a player version has a seed
    /// derived from this seed.
    fn root(&self) -> Seed {
        Seed::new(self.context.seed).child("training", 0)
    }

    fn manifest(&self, source: &TreesSource, start: Option<&Artifact>) -> Map<String, Value> {
        let mut settings = object(json!({
            "command": COMMAND,
            "features": source.set.name,
            "data": source.description,
            "location_score": source.inputs.notes.get("location_score"),
            "eval_games": self.settings.eval_games,
            "symmetries": true,
            "seed": self.context.seed,
        }));
        settings.extend(object(json!(self.settings.boosting)));
        if self.settings.monotone.0 {
            settings.insert("monotone".to_owned(), json!(true));
        }
        if let Some(start) = start {
            settings.insert("from".to_owned(), json!(start.sha256));
        }
        if let Some(windows) = &source.windows {
            settings.insert("window".to_owned(), json!(windows.rows()));
        }
        settings
    }

    fn notes<'s>(
        &self,
        source: &'s TreesSource,
        from: Option<String>,
        judgement: &Judgement,
    ) -> Vec<(&'s str, String)> {
        let mut notes = vec![("features", source.set.name.to_owned())];
        let inputs = source.inputs.notes.iter();
        notes.extend(inputs.map(|(name, value)| (name.as_str(), value.clone())));
        notes.extend([
            ("command", COMMAND.to_owned()),
            ("data", source.description.to_string()),
            ("seed", self.context.seed.to_string()),
        ]);
        notes.extend(from.map(|sha256| ("from", sha256)));
        notes.extend(judgement.notes());
        notes
    }
}
