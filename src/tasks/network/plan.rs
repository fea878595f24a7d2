//! The plan of a training run: a network, its rows and its hyperparameters.

use anyhow::Result;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    Learning, TrainingResult, finished_before, hash,
    open_training::{OpenTraining, RESULTS},
};
use crate::{
    Context, Outcome,
    generate::{Amount, RowKind, SelfPlay, rows_in_memory},
    training_records::{Round, VALIDATION_BOARDS},
};
use mineflow_arena::numbers::{counted, grouped};
use mineflow_learn::{
    data::{DataFolders, Rows, Split, Table, TrainingRows, Windows, check_memory},
    train::{Defaults, TrainError, Trainer, TrainerSettings},
};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_model::{Artifact, FeatureSet, Metadata, Mlp};
use mineflow_store::{Purpose, object};

/// The network that a command trains, with the command's defaults.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub command: &'static str,
    /// The player version whose network is trained in a single pass.
    pub single_pass: &'static str,
    /// The player version whose network is trained iteratively.
    pub iterative: &'static str,
    pub features: &'static FeatureSet,
    /// Whether the command is one of Sinha et al., whose folders and artifacts stay as they were:
    /// every checkpoint is kept, the last one is published unless games choose another, and
    /// artifacts only record settings that can't be the default.
    pub is_paper: bool,
}

/// A function that makes the rows of a round. Its arguments are the index of the round and the
/// current network, if there is one.
type MakeRows<'a> = dyn FnMut(u64, Option<&Arc<Mlp>>) -> Result<TrainingRows> + 'a;

/// The source of the rows of every round: data folders, or games generated in memory.
pub(crate) struct RowSource<'a> {
    /// The windows of a round, if its rows are not read all at once.
    pub windows: Option<Windows>,
    /// All settings that the rows depend on, for the manifest.
    pub settings: Value,
    pub make: Box<MakeRows<'a>>,
}

impl<'a> RowSource<'a> {
    /// Returns a source of epochs over the training games of data folders.
    pub fn folders(folders: DataFolders, learning: &'a Learning<'a>) -> Result<Self> {
        let windows = learning.windows(&folders)?;
        if let Some(parts) = &learning.settings.schedule {
            // Some of these rows are held out.
            let rows: u64 = folders.folders.iter().map(|(_, of)| of.totals.rows).sum();
            let batch = learning.batch(Defaults::of(folders.set.target));
            parts.check(rows.div_ceil(batch.into()) as usize * learning.mode.rounds as usize)?;
        }
        let mut settings = json!({"epochs": learning.mode.rounds, "data": hash(&folders)?});
        if let Some(windows) = &windows {
            settings["window"] = json!(windows.rows());
        }
        let of_rounds = windows.clone();
        let limits = learning.context.read_limits();
        let make = move |_: u64, _: Option<&Arc<Mlp>>| {
            Ok(TrainingRows::read(
                &folders,
                of_rounds.as_ref(),
                false,
                limits,
            )?)
        };
        Ok(Self {
            windows,
            settings,
            make: Box::new(make),
        })
    }
}

/// Games whose rows are made in memory.
pub(crate) struct OwnGames {
    pub games: SelfPlay,
    pub amount: Amount,
    pub kind: RowKind,
    /// The player of the games where there is no network yet, and of a single pass.
    pub player: PlayerSpec,
}

impl OwnGames {
    /// Returns the source of their rows: new games of the current network in every episode, or the
    /// same games in every epoch. The validation games are held out, all others train. `settings`
    /// holds what else the rows depend on.
    pub fn rows<'a>(
        self,
        task: &'a Task,
        mut settings: Value,
        learning: &'a Learning<'a>,
    ) -> Result<RowSource<'a>> {
        // Most games have more rows than one. The limit also holds while rows are made.
        let games = self.amount.games(&self.games.boards);
        let least = games.unwrap_or(self.amount.rows());
        check_memory(least, task.features.width(), learning.context.memory)?;
        let mode = &learning.mode;
        match mode.round {
            Round::Epoch => settings["epochs"] = json!(mode.rounds),
            Round::Episode => {
                settings["episodes"] = json!(mode.rounds);
                settings["from"] = json!(mode.start.as_ref().map(|(_, sha256)| sha256));
            }
        }
        let make = move |round: u64, network: Option<&Arc<Mlp>>| {
            let mut games = self.games.clone();
            let mut player = self.player.clone();
            let root = learning.root();
            games.seed = match learning.mode.round {
                Round::Epoch => root.child("games", 0),
                Round::Episode => root.child("episode", round),
            };
            if let (Round::Episode, Some(network)) = (learning.mode.round, network) {
                player = PlayerSpec::with_model(task.iterative, Artifact::in_memory(network))?;
            }
            let build = || player.build();
            let context = learning.context;
            let table = rows_in_memory(&games, self.amount, &self.kind, &build, context)?;
            let is_held_out = |game: u64| Split::of(game) == Split::Validation;
            Ok(TrainingRows {
                train: Rows::Whole(table.of_games(|game| !is_held_out(game))),
                validation: table.of_games(is_held_out),
                test: Table::default(),
            })
        };
        Ok(RowSource {
            windows: None,
            settings,
            make: Box::new(make),
        })
    }
}

/// The plan of a training run.
pub(crate) struct TrainingPlan<'a> {
    pub learning: &'a Learning<'a>,
    pub source: RowSource<'a>,
    pub trainer: TrainerSettings,
    /// Metadata of the artifact.
    pub metadata: Metadata,
    task: &'a Task,
}

impl<'a> TrainingPlan<'a> {
    /// Plans a training run. `inputs` are the settings of the rows, which players read from the
    /// artifact.
    ///
    /// # Errors
    /// Returns an error if the network to start from has other layers.
    pub fn new(
        task: &'a Task,
        learning: &'a Learning<'a>,
        source: RowSource<'a>,
        inputs: Metadata,
    ) -> Result<Self> {
        let windows = source.windows.as_ref().map_or(1, Windows::count) as u64;
        // The trainer counts every window as a round.
        let trainer = learning.trainer(task, u64::from(learning.mode.rounds) * windows);
        if let Some(start) = learning.start() {
            Trainer::from_artifact(trainer.clone(), start)?;
        }
        let metadata = inputs
            .note("command", task.command)
            .note("seed", learning.context.seed);
        let mut plan = Self {
            trainer,
            metadata,
            learning,
            source,
            task,
        };
        if !task.is_paper {
            // How to make the network again.
            for (name, value) in plan.settings() {
                let is_noted =
                    !value.is_null() && name != "features" && name != "validation_boards";
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                plan.metadata.notes.extend(is_noted.then_some((name, text)));
            }
        }
        Ok(plan)
    }

    /// Returns the number of rounds of the whole training run.
    pub fn rounds(&self) -> u64 {
        self.learning.mode.rounds.into()
    }

    /// Returns whether every round generates new rows.
    pub fn has_new_rows(&self) -> bool {
        self.learning.mode.round == Round::Episode
    }

    /// Returns the player version as which the network is evaluated.
    pub fn version(&self) -> &'static str {
        match self.learning.mode.round {
            Round::Epoch => self.task.single_pass,
            Round::Episode => self.task.iterative,
        }
    }

    /// Returns whether the folder only keeps the best few checkpoints, of which the one with the
    /// lowest validation loss is published unless games choose another.
    pub fn keeps_the_best(&self) -> bool {
        !self.task.is_paper
    }

    /// Returns the rows of a round. Training rows are augmented by symmetries. `network` is the
    /// current network, if there is one.
    pub fn rows(&mut self, round: u64, network: Option<&Arc<Mlp>>) -> Result<TrainingRows> {
        let mut rows = (self.source.make)(round, network)?;
        let drawn = if self.has_new_rows() { round } else { 0 };
        let seed = self.learning.root().child("symmetries", drawn);
        rows.train.turn(self.trainer.network.features, seed);
        Ok(rows)
    }

    /// Creates a trainer before its first step. Inputs are standardised on these rows, unless the
    /// training run starts from a network.
    pub fn fresh_trainer(&self, rows: &Table) -> Result<Trainer, TrainError> {
        let settings = self.trainer.clone();
        match self.learning.start() {
            Some(from) => Trainer::from_artifact(settings, from),
            None => Trainer::new(settings, rows),
        }
    }

    /// Trains from the folder's state to the end, or stops soon after an interruption.
    pub fn run(self) -> Result<Outcome> {
        let context = self.learning.context;
        let folder = context.open(&Purpose {
            results: RESULTS,
            ..Purpose::of(self.settings())
        })?;
        if let Some(result) = folder.result::<TrainingResult>()? {
            return finished_before(result, context);
        }
        if let Some(windows) = &self.source.windows {
            note_windows(context, windows);
        }
        OpenTraining::open(self, folder)?.finish()
    }

    /// Returns all settings that the result depends on, for the manifest.
    fn settings(&self) -> Map<String, Value> {
        let learning = self.learning;
        let trainer = &self.trainer;
        let hidden = &trainer.network.hidden;
        let name = Defaults::of(self.task.features.target).name_of(hidden);
        let mut settings = json!({
            "command": self.task.command,
            "network": name,
            "features": self.task.features.name,
            "optimizer": trainer.optimizer.name(),
            "learning_rate": trainer.schedule.learning_rate,
            "clip": trainer.clip,
            "average": learning.average,
            "batch": trainer.batch,
            "device": trainer.device.name(),
            "validation_boards": VALIDATION_BOARDS,
            "seed": learning.context.seed,
            "eval_games": learning.eval_games,
            "symmetries": true,
        });
        match &trainer.schedule.parts {
            None => settings["decay"] = json!(trainer.schedule.decay),
            Some(parts) => settings["schedule"] = json!(parts.to_string()),
        }
        if trainer.weight_decay > 0.0 {
            settings["weight_decay"] = json!(trainer.weight_decay);
        }
        if let Some(patience) = learning.settings.patience {
            settings["patience"] = json!(patience);
        }
        if let (Round::Epoch, Some((_, from))) = (learning.mode.round, &learning.mode.start) {
            settings["from"] = json!(from);
        }
        let mut settings = object(settings);
        settings.extend(object(self.source.settings.clone()));
        settings
    }
}

/// Notes for the user that training reads the rows in windows.
pub(crate) fn note_windows(context: &Context<'_>, windows: &Windows) {
    context.note(&format!(
        "note: learning in {} of up to {} rows",
        counted(windows.count() as u64, "window"),
        grouped(windows.rows())
    ));
}
