//! A training at work in its folder, round by round, and the choice at its end.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::choice::{Candidate, Kept, best, finalists, table};
use super::examination::Look;
use super::metrics::{from_lines, to_lines};
use super::tensorboard::Events;
use super::{Activity, Tables, TrainingEnd, TrainingPlan, TrainingProgress, TrainingResult, Watch};
use mineflow_data::Table;
use mineflow_document::{numbers::round, to_csv};
use mineflow_model::{Metadata, Mlp, sha256};
use mineflow_stage::training_records::{Figures, Metrics, RoundCost};
use mineflow_stage_generate::GenerateError;
use mineflow_store::Folder;
use mineflow_store::StoreError;
use mineflow_train::{TrainError, Trainer, TrainerSettings};

const ARTIFACT: &str = "artifact.safetensors";
const CHECKPOINT: &str = "checkpoint.json";
/// The folder of the networks; [`Kept`] names its files.
const CHECKPOINTS: &str = "checkpoints";
const CHOICE: &str = "checkpoints.csv";
/// What is made again from the rest.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, CHOICE];
const METRICS: &str = "metrics.jsonl";
const COSTS: &str = "cost.csv";
const RAN_AWAY: &str = "ran-away.csv";
/// The format of the checkpoint that this program writes and reads.
const FORMAT: u64 = 3;

/// The file `checkpoint.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: u64,
    /// Whole rounds.
    rounds: u64,
    /// Of the mean of the last rounds, once they are done.
    average: Option<Figures>,
    /// Of the round under way, if some of its windows are learnt.
    begun: Option<Begun>,
    trainer: Value,
}

/// What is learnt of a round.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Begun {
    windows: usize,
    rows: usize,
    /// Mean over these rows.
    loss: f64,
    /// What learning took.
    seconds: f64,
}

impl Checkpoint {
    fn write(&self, folder: &Folder) -> anyhow::Result<()> {
        Ok(folder.write_checked(CHECKPOINT, &serde_json::to_vec(self)?)?)
    }
}

/// A training at work in its folder.
pub(super) struct OpenTraining<'a> {
    plan: TrainingPlan<'a>,
    folder: Folder,
    /// `None` before the first rows.
    trainer: Option<Trainer>,
    begun: Option<Begun>,
    /// The network as it was after the last whole round.
    network: Option<Arc<Mlp>>,
    tables: Option<Tables>,
    /// Of every whole round.
    metrics: Vec<Metrics>,
    /// Of the rounds of which it is known.
    costs: Vec<RoundCost>,
    /// Of the mean of the last rounds, once they are done.
    average: Option<Figures>,
    events: Events,
}

impl<'a> OpenTraining<'a> {
    /// Takes up what the folder has.
    pub(super) fn open(plan: TrainingPlan<'a>, folder: Folder) -> anyhow::Result<Self> {
        let networks = folder.path().join(CHECKPOINTS);
        fs::create_dir_all(&networks).map_err(StoreError::io("make", &networks))?;
        let Some(text) = folder.read_checked(CHECKPOINT)? else {
            let events = Events::open(folder.path(), &[])?;
            let network = plan.from.clone();
            let (metrics, costs) = (Vec::new(), Vec::new());
            let (trainer, begun, tables, average) = (None, None, None, None);
            return Ok(Self { plan, folder, trainer, begun, network, tables, metrics, costs, average, events });
        };
        let place = || format!("{} can't be resumed from", folder.path().join(CHECKPOINT).display());
        let stored: Checkpoint = serde_json::from_slice(&text).with_context(place)?;
        if stored.format != FORMAT {
            let why = format!("its format is {}, not {FORMAT}", stored.format);
            return Err(TrainError::Checkpoint(why)).with_context(place);
        }
        let trainer = Trainer::from_checkpoint(plan.trainer, stored.trainer).with_context(place)?;
        let network = match stored.rounds {
            0 => plan.from.clone(),
            rounds => Some(Arc::new(read(&folder, Kept::Round(rounds))?)),
        };
        // A line more is the one of a round whose checkpoint was not written any more.
        let metrics = from_lines(&folder.read(METRICS)?.unwrap_or_default(), stored.rounds)
            .ok_or_else(|| TrainError::Checkpoint(format!("{METRICS} does not tell of its {} rounds", stored.rounds)))
            .with_context(place)?;
        let events = Events::open(folder.path(), &metrics)?;
        let (trainer, begun, average, tables) = (Some(trainer), stored.begun, stored.average, None);
        let costs = read_costs(&folder, stored.rounds)?;
        Ok(Self { plan, folder, trainer, begun, network, tables, metrics, costs, average, events })
    }

    /// Does the rounds that are missing and publishes, or stops soon after `stop` is set.
    pub(super) fn finish(mut self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        let done = self.rounds_and_choice(stop, watch);
        match done {
            Err(error) if matches!(error.downcast_ref(), Some(GenerateError::Stopped)) => {
                Ok(TrainingEnd::Stopped { rounds: self.rounds(), windows: self.begun.unwrap_or_default().windows })
            }
            done => done.map(TrainingEnd::Finished),
        }
    }

    fn rounds_and_choice(&mut self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<TrainingResult> {
        while self.rounds() < self.plan.rounds {
            self.round(stop, watch)?;
        }
        self.publish(stop, watch)
    }

    /// Whole rounds.
    fn rounds(&self) -> u64 {
        self.metrics.len() as u64
    }

    /// One round, to its checkpoint; [`GenerateError::Stopped`] if it was asked to stop before.
    fn round(&mut self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<()> {
        let began = Instant::now();
        let (index, number) = (self.rounds(), self.rounds() + 1);
        let TrainingPlan { round: kind, rounds, new_rows, trainer: settings, examination, .. } = self.plan;
        let mut tell = |activity| watch(TrainingProgress { round: kind, number, rounds, activity });
        tell(Activity::GettingRows);
        if new_rows {
            self.tables = None;
        }
        let tables = match &mut self.tables {
            Some(tables) => tables,
            empty => empty.insert((self.plan.rows)(index, self.network.as_ref())?),
        };
        let windows = tables.train.windows();
        let mut begun = self.begun.unwrap_or_default();
        for window in begun.windows..windows {
            if window > 0 {
                tell(Activity::GettingRows);
            }
            let table = tables.train.window(index, window, stop)?;
            if table.rows() == 0 && windows > 1 {
                continue;
            }
            let trainer = match &mut self.trainer {
                Some(trainer) => trainer,
                empty => empty.insert(match &self.plan.from {
                    Some(from) => Trainer::from_artifact(settings, from)?,
                    None => Trainer::new(settings, &table)?,
                }),
            };
            let began = Instant::now();
            let learnt = trainer.epoch(&table, index * windows as u64 + window as u64, stop, &mut |progress| {
                let rows_per_second = progress.rows as f64 / began.elapsed().as_secs_f64().max(1e-9);
                tell(Activity::Learning { progress, rows_per_second });
            });
            let learnt = learnt.map_err(|error| note_batch(&self.folder, &settings, &table, error))?;
            begun.seconds += began.elapsed().as_secs_f64();
            begun.windows = window + 1;
            begun.rows += table.rows();
            // The mean of all rows so far; of a single window its own to the bit.
            begun.loss +=
                (learnt.ok_or(GenerateError::Stopped)? - begun.loss) * (table.rows() as f64 / begun.rows as f64);
            if begun.windows < windows {
                self.begun = Some(begun);
                let average = self.average;
                Checkpoint { format: FORMAT, rounds: index, average, begun: self.begun, trainer: trainer.checkpoint() }
                    .write(&self.folder)?;
            }
        }
        let Begun { rows, loss, seconds: learning, .. } = begun;
        let trainer = self.trainer.as_mut().ok_or(TrainError::NoRows("training"))?;

        // What one network is worth, once it is read back and kept.
        let metadata = &self.plan.metadata;
        let mut keep = |trainer: &Trainer, kept: Kept| -> anyhow::Result<(Arc<Mlp>, Figures)> {
            let network = Arc::new(keep(&self.folder, trainer, metadata, kept)?);
            let largest_difference = round(trainer.compare(&network, &tables.validation)?.into(), 9);
            let validation_loss = round(trainer.validate(&tables.validation)?, 6);
            let won = match examination.games {
                0 => None,
                _ => Some(examination.play(
                    &network,
                    Look::First,
                    (settings.seed, settings.threads),
                    stop,
                    &mut |p| {
                        tell(Activity::Playing { played: p.played, games: p.planned });
                    },
                )?),
            };
            Ok((network, Figures { validation_loss, largest_difference, won }))
        };
        let (network, figures) = keep(trainer, Kept::Round(number))?;
        let averaged = u64::from(self.plan.average).min(number);
        if number == rounds && averaged > 1 {
            let before = (number + 1 - averaged..number).map(|number| read(&self.folder, Kept::Round(number)));
            let before = before.collect::<anyhow::Result<Vec<_>>>()?;
            self.average = Some(keep(&Trainer::at_mean(settings, &network, &before)?, Kept::Average)?.1);
        }

        let metrics = Metrics {
            round: kind,
            number,
            steps: trainer.steps(),
            rows,
            learning_rate: settings.schedule.at(index * windows as u64),
            loss: round(loss, 6),
            figures,
        };
        let cost = RoundCost {
            number,
            rows_per_second: round(rows as f64 / learning.max(1e-9), 0),
            seconds: round(began.elapsed().as_secs_f64(), 3),
        };
        let trainer = trainer.checkpoint();
        self.metrics.push(metrics);
        self.costs.push(cost);
        self.network = Some(network);
        self.folder.write(METRICS, to_lines(&self.metrics)?.as_bytes())?;
        self.begun = None;
        Checkpoint { format: FORMAT, rounds: number, average: self.average, begun: None, trainer }
            .write(&self.folder)?;
        self.folder.write(COSTS, &to_csv(&self.costs)?)?;
        self.events.add(&metrics)?;
        let pace = self.costs.iter().map(|round| round.seconds).sum::<f64>() / self.costs.len() as f64;
        tell(Activity::Done { metrics, cost, seconds_left: pace * (rounds - number) as f64 });
        Ok(())
    }

    /// Chooses among the networks and writes the artifact and what came of the training.
    fn publish(&mut self, stop: &AtomicBool, watch: &mut Watch<'_>) -> anyhow::Result<TrainingResult> {
        let TrainingPlan { round: kind, rounds, trainer: settings, examination, .. } = self.plan;
        let of_rounds = self.metrics.iter().map(|round| (Kept::Round(round.number), round.figures));
        let mut candidates: Vec<_> = of_rounds
            .chain(self.average.map(|figures| (Kept::Average, figures)))
            .map(|(kept, figures)| Candidate { kept, figures, second: None })
            .collect();
        let finalists = finalists(&candidates);
        if finalists.len() > 1 {
            for (place, &index) in finalists.iter().enumerate() {
                let network = Arc::new(read(&self.folder, candidates[index].kept)?);
                let at = (settings.seed, settings.threads);
                let won = examination.play(&network, Look::Second, at, stop, &mut |progress| {
                    let (candidate, candidates) = (place + 1, finalists.len());
                    let activity =
                        Activity::Choosing { candidate, candidates, played: progress.played, games: progress.planned };
                    watch(TrainingProgress { round: kind, number: rounds, rounds, activity });
                })?;
                candidates[index].second = Some(won);
            }
        }
        let published = best(&candidates, &finalists).context("there is no round to train")?;
        let last = self.metrics.last().context("there is no round to train")?;
        let Candidate { kept, figures, second } = candidates[published];
        self.folder.write(CHOICE, &table(&candidates, published)?)?;
        let bytes = read(&self.folder, kept)?.to_bytes();
        self.folder.write(ARTIFACT, &bytes)?;
        let result = TrainingResult {
            sha256: sha256(&bytes),
            published: kept.to_string(),
            steps: last.steps,
            rows: self.metrics.iter().map(|round| round.rows as u64).sum(),
            loss: last.loss,
            figures: Figures { won: second.or(figures.won), ..figures },
        };
        self.folder.finish(&result, stop)?;
        Ok(result)
    }
}

/// What rounds took, of the first `rounds`, as far as it is known: nothing depends on it.
fn read_costs(folder: &Folder, rounds: u64) -> anyhow::Result<Vec<RoundCost>> {
    let text = folder.read(COSTS)?.unwrap_or_default();
    let costs = csv::Reader::from_reader(&text[..]).into_deserialize::<RoundCost>();
    Ok(costs.map_while(Result::ok).filter(|cost| cost.number <= rounds).collect())
}

/// Writes a network into its file and reads it back.
fn keep(folder: &Folder, trainer: &Trainer, metadata: &Metadata, kept: Kept) -> anyhow::Result<Mlp> {
    folder.write(&kept.file(), &trainer.mlp(metadata.clone())?.to_bytes())?;
    read(folder, kept)
}

/// A network that was kept.
fn read(folder: &Folder, kept: Kept) -> anyhow::Result<Mlp> {
    let place = || format!("{} can't be read", folder.path().join(kept.file()).display());
    let bytes = folder.read(&kept.file())?.context("the file is missing; give another --out").with_context(place)?;
    Mlp::from_bytes(&bytes).map_err(TrainError::from).with_context(place)
}

/// Writes down the batch with which training ran away, and says so.
fn note_batch(folder: &Folder, trainer: &TrainerSettings, table: &Table, error: TrainError) -> anyhow::Error {
    let TrainError::RanAway { rows, .. } = &error else {
        return error.into();
    };
    let mut text = format!("row,game,{},target\n", trainer.network.features.names.join(","));
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
