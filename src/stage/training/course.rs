//! A training as it was asked for, round by round.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::generate::GenerateError;
use super::super::run_folder::RunFolder;
use super::super::series::round;
use super::{
    Doing, Examination, MakeRows, Metrics, Round, RoundResult, Tables, TrainingEnd, TrainingProgress, TrainingResult,
    Watch,
};
use crate::arena::{Arena, Configuration, Ending, Limits, Plan};
use crate::data::Table;
use crate::minesweeper::FirstClick;
use crate::model::{Metadata, Mlp, sha256};
use crate::player::PlayerSpec;
use crate::player::choose::Swap;
use crate::train::{Overfit, TrainError, Trainer, TrainerSettings};

const ARTIFACT: &str = "artifact.safetensors";
const CHECKPOINT: &str = "checkpoint.json";
const METRICS: &str = "metrics.jsonl";
const RAN_AWAY: &str = "ran-away.csv";
/// The format of the checkpoint that this program writes and reads.
const FORMAT: u64 = 1;
/// The board on which a network is examined: the beginner's, as in the main paper's table 4.
const EXAMINATION: &str = "beginner";

/// A training as it was asked for.
pub(in crate::stage) struct Course<'a> {
    /// Everything that the result depends on.
    pub(in crate::stage) settings: Map<String, Value>,
    pub(in crate::stage) trainer: TrainerSettings,
    pub(in crate::stage) round: Round,
    pub(in crate::stage) rounds: u64,
    /// The network to start from, in place of random weights.
    pub(in crate::stage) from: Option<Arc<Mlp>>,
    pub(in crate::stage) metadata: Metadata,
    pub(in crate::stage) examination: Examination,
    pub(in crate::stage) threads: usize,
    pub(in crate::stage) rows: Box<MakeRows<'a>>,
}

/// The file `checkpoint.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: u64,
    /// Whole rounds.
    rounds: u64,
    last: RoundResult,
    trainer: Value,
}

/// A training at work in its folder.
struct UnderWay<'a> {
    course: Course<'a>,
    folder: RunFolder,
    /// Whole rounds.
    rounds: u64,
    last: Option<RoundResult>,
    /// `None` before the first rows.
    trainer: Option<Trainer>,
    /// The network as it was after the last whole round.
    network: Option<Arc<Mlp>>,
    tables: Option<Tables>,
    /// The text of `metrics.jsonl`.
    metrics: String,
}

impl<'a> Course<'a> {
    /// Trains from where the folder has it to the end, or until soon after `stop` is set.
    pub(in crate::stage) fn run(
        self,
        out: &Path,
        stop: &AtomicBool,
        watch: &mut Watch<'_>,
    ) -> anyhow::Result<TrainingEnd> {
        let folder = RunFolder::open(out, &self.settings)?;
        if let Some(result) = folder.result()? {
            return Ok(TrainingEnd::AlreadyFinished(result));
        }
        let mut training = UnderWay::open(self, folder)?;
        while training.rounds < training.course.rounds {
            match training.round(stop, watch) {
                Err(error) if matches!(error.downcast_ref(), Some(GenerateError::Stopped)) => {
                    return Ok(TrainingEnd::Stopped { rounds: training.rounds });
                }
                done => done?,
            }
        }
        training.publish().map(TrainingEnd::Finished)
    }

    /// Learns a few rows by heart: the first check of a network. Nothing is kept.
    pub(in crate::stage) fn overfit(mut self, rows: usize, steps: usize, wanted: f64) -> anyhow::Result<Overfit> {
        let tables = (self.rows)(0, self.from.as_ref())?;
        Ok(Trainer::new(self.trainer, &tables.train)?.overfit(&tables.train, rows, steps, wanted)?)
    }

    /// How often `network` wins, `None` if it isn't examined; [`GenerateError::Stopped`] if it was asked to stop.
    fn examine(
        &self,
        network: &Arc<Mlp>,
        stop: &AtomicBool,
        tell: &mut impl FnMut(Doing),
    ) -> anyhow::Result<Option<f64>> {
        let Examination { player, games } = self.examination;
        if games == 0 {
            return Ok(None);
        }
        let player = PlayerSpec::with_model(player, &Swap::Network(network.clone()))?;
        let configuration = Configuration { player, board: EXAMINATION.parse()?, first_click: FirstClick::Safe };
        let seed = self.trainer.seed.child("examination", 0);
        let (configurations, limits, threads) = (vec![configuration], Limits::default(), self.threads);
        let mut arena = Arena::in_memory(Plan { configurations, games, seed, limits, threads });
        let ending = arena.play(stop, &mut |p| tell(Doing::Playing { played: p.played, games: p.planned }))?;
        if ending == Ending::Stopped {
            return Err(GenerateError::Stopped.into());
        }
        Ok(Some(round(arena.ledger().won() as f64 / f64::from(games), 6)))
    }
}

impl<'a> UnderWay<'a> {
    /// Takes up what the folder has.
    fn open(course: Course<'a>, folder: RunFolder) -> anyhow::Result<Self> {
        let network = course.from.clone();
        let (last, trainer, tables, metrics) = (None, None, None, String::new());
        let mut training = Self { course, folder, rounds: 0, last, trainer, network, tables, metrics };
        training.read_checkpoint()?;
        Ok(training)
    }

    fn read_checkpoint(&mut self) -> anyhow::Result<()> {
        let Some(text) = self.folder.read(CHECKPOINT)? else {
            return Ok(());
        };
        let place = || format!("{} can't be gone on from", self.folder.path().join(CHECKPOINT).display());
        let stored: Checkpoint = serde_json::from_slice(&text).with_context(place)?;
        if stored.format != FORMAT {
            let why = format!("its format is {}, not {FORMAT}", stored.format);
            return Err(TrainError::Checkpoint(why)).with_context(place);
        }
        let trainer = Trainer::from_checkpoint(self.course.trainer, stored.trainer).with_context(place)?;
        self.network = Some(Arc::new(trainer.mlp(self.course.metadata.clone())?));
        (self.trainer, self.last, self.rounds) = (Some(trainer), Some(stored.last), stored.rounds);
        // A line more is the one of a round whose checkpoint was not written any more.
        let metrics =
            String::from_utf8(self.folder.read(METRICS)?.unwrap_or_default()).context("metrics.jsonl is no text")?;
        self.metrics = metrics.split_inclusive('\n').take(self.rounds as usize).collect();
        Ok(())
    }

    /// One round, to its checkpoint; [`GenerateError::Stopped`] if it was asked to stop before.
    fn round(&mut self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<()> {
        let began = Instant::now();
        let Course { round: kind, rounds, trainer: settings, .. } = self.course;
        let mut tell = |doing| watch(TrainingProgress { round: kind, number: self.rounds + 1, rounds, doing });
        tell(Doing::GettingRows);
        if kind == Round::Episode {
            self.tables = None;
        }
        let tables = match &mut self.tables {
            Some(tables) => tables,
            empty => empty.insert((self.course.rows)(self.rounds, self.network.as_ref())?),
        };
        let trainer = match &mut self.trainer {
            Some(trainer) => trainer,
            empty => empty.insert(match &self.course.from {
                Some(from) => Trainer::from_artifact(settings, from)?,
                None => Trainer::new(settings, &tables.train)?,
            }),
        };
        let learning = Instant::now();
        let learnt = trainer.epoch(&tables.train, self.rounds, stop, &mut |progress| {
            let rows_per_second = progress.rows as f64 / learning.elapsed().as_secs_f64().max(1e-9);
            tell(Doing::Learning { progress, rows_per_second });
        });
        let learnt = learnt.map_err(|error| note_batch(&self.folder, &settings, &tables.train, error))?;
        let loss = learnt.ok_or(GenerateError::Stopped)?;
        let learning = learning.elapsed().as_secs_f64();
        let network = read_back(trainer, &self.course.metadata)?;
        let validation_loss = trainer.validate(&tables.validation)?;
        let largest_difference = trainer.compare(&network, &tables.validation)?;
        let network = Arc::new(network);
        let win_ratio = self.course.examine(&network, stop, &mut tell)?;
        let rows = tables.train.rows();
        let result = RoundResult {
            rows: self.last.as_ref().map_or(0, |last| last.rows) + rows as u64,
            loss: round(loss, 6),
            validation_loss: round(validation_loss, 6),
            win_ratio,
            largest_difference: round(largest_difference.into(), 9),
        };
        self.rounds += 1;
        self.metrics += &serde_json::to_string(&Metrics {
            round: kind.name(),
            number: self.rounds,
            steps: trainer.steps(),
            rows,
            loss: result.loss,
            validation_loss: result.validation_loss,
            win_ratio,
            rows_per_second: round(rows as f64 / learning.max(1e-9), 0),
            seconds: round(began.elapsed().as_secs_f64(), 3),
        })?;
        self.metrics.push('\n');
        self.folder.write(METRICS, self.metrics.as_bytes())?;
        let trainer = trainer.checkpoint();
        let stored = Checkpoint { format: FORMAT, rounds: self.rounds, last: result.clone(), trainer };
        self.folder.write(CHECKPOINT, &serde_json::to_vec(&stored)?)?;
        (self.last, self.network) = (Some(result), Some(network));
        Ok(())
    }

    /// Writes the artifact and what came of the training.
    fn publish(mut self) -> anyhow::Result<TrainingResult> {
        let (trainer, last) = self.trainer.zip(self.last).context("there is no round to train")?;
        let bytes = trainer.mlp(self.course.metadata)?.to_bytes();
        self.folder.write(ARTIFACT, &bytes)?;
        let result = TrainingResult { sha256: sha256(&bytes), steps: trainer.steps(), last };
        self.folder.finish(json!(result))?;
        Ok(result)
    }
}

/// The network as a reader of its artifact has it.
fn read_back(trainer: &Trainer, metadata: &Metadata) -> Result<Mlp, TrainError> {
    let written = trainer.mlp(metadata.clone())?.to_bytes();
    Ok(Mlp::from_bytes(&written)?)
}

/// The settings that every training has, for its manifest; those of the command follow.
pub(in crate::stage) fn settings(command: &str, trainer: &TrainerSettings, own: Value) -> Map<String, Value> {
    let mut settings = Map::from_iter(
        [
            ("command", json!(command)),
            ("network", json!(trainer.network.name)),
            ("features", json!(trainer.network.features)),
            ("optimizer", json!(trainer.optimizer.name())),
            ("learning_rate", json!(trainer.learning_rate)),
            ("batch", json!(trainer.batch)),
            ("device", json!(trainer.device.name())),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    if let Value::Object(own) = own {
        settings.extend(own);
    }
    settings
}

/// Writes down the batch with which training ran away, and says so.
fn note_batch(folder: &RunFolder, trainer: &TrainerSettings, table: &Table, error: TrainError) -> anyhow::Error {
    let TrainError::RanAway { rows, .. } = &error else {
        return error.into();
    };
    let mut text = format!("row,game,{},target\n", trainer.network.columns.join(","));
    for &row in rows {
        let row = row as usize;
        let numbers = table.row(row).iter().chain([&table.target[row]]).map(f32::to_string).collect::<Vec<_>>();
        text += &format!("{row},{},{}\n", table.game[row], numbers.join(","));
    }
    match folder.write(RAN_AWAY, text.as_bytes()) {
        Ok(()) => {
            let place = folder.path().join(RAN_AWAY);
            anyhow::Error::new(error)
                .context(format!("training failed; the rows of its batch are in {}", place.display()))
        }
        Err(unwritten) => anyhow::Error::new(error).context(unwritten.to_string()),
    }
}
