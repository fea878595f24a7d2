//! A training run in progress in its folder: its rounds, and the selection of the published network
//! at its end.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::choice::{Candidate, CandidateSource, best, finalists, table};
use super::metrics::from_lines;
use super::tensorboard::Events;
use super::validation::Validation;
use super::{Activity, Tables, TrainingEnd, TrainingPlan, TrainingProgress, TrainingResult, Watch};
use crate::generate::GenerateError;
use crate::json_lines;
use crate::training_records::{Figures, Metrics, RoundCost};
use mineflow_arena::GamesProgress;
use mineflow_arena::{numbers::round, to_csv};
use mineflow_learn::data::Table;
use mineflow_learn::train::{TrainError, Trainer, TrainerSettings};
use mineflow_model::Mlp;
use mineflow_store::{Folder, StoreError, sha256};

const ARTIFACT: &str = "artifact.safetensors";
const CHECKPOINT: &str = "checkpoint.json";
/// The folder of the networks; [`CandidateSource`] names its files.
const CHECKPOINTS: &str = "checkpoints";
const CHOICE: &str = "checkpoints.csv";
/// The result files, which are derived from the other files.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, CHOICE];
const METRICS: &str = "metrics.jsonl";
const COSTS: &str = "cost.csv";
/// Panic message if a round has no rows.
const AT_HAND: &str = "a round begins with its rows";
const RAN_AWAY: &str = "ran-away.csv";
/// The format of the checkpoint that this program writes and reads.
const FORMAT: u64 = 3;

/// The file `checkpoint.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: u64,
    /// Number of whole rounds.
    rounds: u64,
    /// Validation results of the network with the mean weights of the last rounds, once all rounds
    /// are finished.
    average: Option<Figures>,
    /// The round in progress, if it has finished windows.
    begun: Option<Begun>,
    trainer: Value,
}

/// The finished windows of a round, with their totals.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Begun {
    windows: usize,
    rows: usize,
    /// Mean loss over the rows of the finished windows.
    loss: f64,
    /// Training time in seconds.
    seconds: f64,
}

impl Begun {
    /// Adds the results of a window whose training started at `began`.
    fn add(&mut self, window: usize, rows: usize, loss: f64, began: Instant) {
        self.seconds += began.elapsed().as_secs_f64();
        self.windows = window + 1;
        self.rows += rows;
        // This is the mean over all rows so far. For a single window, it is exactly the window's
        // loss.
        self.loss += (loss - self.loss) * (rows as f64 / self.rows as f64);
    }
}

/// A training run in progress in its folder.
pub(super) struct OpenTraining<'a> {
    plan: TrainingPlan<'a>,
    folder: Folder,
    /// The trainer; `None` before the first rows are available.
    trainer: Option<Trainer>,
    begun: Option<Begun>,
    /// The network after the last whole round.
    network: Option<Arc<Mlp>>,
    tables: Option<Tables>,
    /// Metrics of every whole round.
    metrics: Vec<Metrics>,
    /// Costs of the rounds for which they are known.
    costs: Vec<RoundCost>,
    /// Validation results of the network with the mean weights of the last rounds, once all rounds
    /// are finished.
    average: Option<Figures>,
    events: Events,
}

impl<'a> OpenTraining<'a> {
    /// Opens a training run and restores the folder's checkpoint if there is one.
    pub(super) fn open(plan: TrainingPlan<'a>, folder: Folder) -> anyhow::Result<Self> {
        let networks = folder.path().join(CHECKPOINTS);
        fs::create_dir_all(&networks).map_err(StoreError::io("make", &networks))?;
        let place = || {
            format!(
                "{} can't be resumed from",
                folder.path().join(CHECKPOINT).display()
            )
        };
        let mut trainer = None;
        let mut begun = None;
        let mut average = None;
        let mut rounds = 0;
        if let Some(text) = folder.read_checked(CHECKPOINT)? {
            let stored: Checkpoint = serde_json::from_slice(&text).with_context(place)?;
            if stored.format != FORMAT {
                let why = format!("its format is {}, not {FORMAT}", stored.format);
                return Err(TrainError::Checkpoint(why)).with_context(place);
            }
            let restored = Trainer::from_checkpoint(plan.trainer, stored.trainer);
            trainer = Some(restored.with_context(place)?);
            (begun, average, rounds) = (stored.begun, stored.average, stored.rounds);
        }
        let network = match rounds {
            0 => plan.source.from.clone(),
            rounds => Some(Arc::new(read(&folder, CandidateSource::Round(rounds))?)),
        };
        // The file may have an extra line: that of a round whose checkpoint was not written.
        let metrics = from_lines(&folder.read(METRICS)?.unwrap_or_default(), rounds)
            .ok_or_else(|| {
                TrainError::Checkpoint(format!("{METRICS} does not have its {rounds} rounds"))
            })
            .with_context(place)?;
        let events = Events::open(folder.path(), &metrics)?;
        let costs = read_costs(&folder, rounds)?;
        Ok(Self {
            plan,
            folder,
            trainer,
            begun,
            network,
            tables: None,
            metrics,
            costs,
            average,
            events,
        })
    }

    /// Runs the remaining rounds and publishes a network, or stops soon after `stop` is set.
    pub(super) fn finish(mut self, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        let done = self.rounds_and_choice(watch);
        match done {
            Err(error) if matches!(error.downcast_ref(), Some(GenerateError::Stopped)) => {
                Ok(TrainingEnd::Stopped {
                    rounds: self.rounds(),
                    windows: self.begun.unwrap_or_default().windows,
                })
            }
            done => done.map(TrainingEnd::Finished),
        }
    }

    fn rounds_and_choice(&mut self, watch: &mut Watch<'_>) -> anyhow::Result<TrainingResult> {
        while self.rounds() < self.plan.rounds() {
            self.round(watch)?;
        }
        self.publish(watch)
    }

    /// Returns the number of whole rounds.
    fn rounds(&self) -> u64 {
        self.metrics.len() as u64
    }

    /// Returns the progress of the training run when it does `activity` in round `number`.
    fn at(&self, number: u64, activity: Activity) -> TrainingProgress {
        TrainingProgress {
            round: self.plan.source.round,
            number,
            rounds: self.plan.rounds(),
            activity,
        }
    }

    /// Runs one round up to its checkpoint. Returns [`GenerateError::Stopped`] if the training run
    /// is interrupted before that.
    fn round(&mut self, watch: &mut Watch<'_>) -> anyhow::Result<()> {
        let began = Instant::now();
        let number = self.rounds() + 1;
        let learnt = self.learn(number, watch)?;
        let trainer = self
            .trainer
            .as_ref()
            .ok_or(TrainError::NoRows("training"))?;
        let (network, figures) =
            self.keep(trainer, CandidateSource::Round(number), number, watch)?;
        if let Some(trainer) = self.averaged(number, &network)? {
            self.average = Some(
                self.keep(&trainer, CandidateSource::Average, number, watch)?
                    .1,
            );
        }
        self.note(number, learnt, figures, began)?;
        self.network = Some(network);
        let metrics = self.metrics[self.metrics.len() - 1];
        let cost = self.costs[self.costs.len() - 1];
        let pace =
            self.costs.iter().map(|round| round.seconds).sum::<f64>() / self.costs.len() as f64;
        let seconds_left = pace * (self.plan.rounds() - number) as f64;
        watch(self.at(
            number,
            Activity::Done {
                metrics,
                cost,
                seconds_left,
            },
        ));
        Ok(())
    }

    /// Trains on the rows of a round, or on the remaining windows of a round in progress. Returns
    /// the totals of the round.
    fn learn(&mut self, number: u64, watch: &mut Watch<'_>) -> anyhow::Result<Begun> {
        let index = number - 1;
        let stop = self.plan.learning.context.stop;
        let settings = self.plan.trainer;
        watch(self.at(number, Activity::GettingRows));
        if self.plan.has_new_rows() {
            self.tables = None;
        }
        if self.tables.is_none() {
            self.tables = Some(self.plan.rows(index, self.network.as_ref())?);
        }
        let mut begun = self.begun.unwrap_or_default();
        let windows = self.tables().train.windows();
        let first = index as usize * windows;
        let at = self.at(number, Activity::GettingRows);
        while let Some((place, table)) = self
            .tables
            .as_ref()
            .expect(AT_HAND)
            .train
            .first_of(first + begun.windows..first + windows, stop)?
        {
            let trainer = match &mut self.trainer {
                Some(trainer) => trainer,
                empty => empty.insert(self.plan.fresh_trainer(&table)?),
            };
            let began = Instant::now();
            let learnt = trainer.epoch(&table, place as u64, stop, &mut |progress| {
                let rows_per_second =
                    progress.rows as f64 / began.elapsed().as_secs_f64().max(1e-9);
                watch(TrainingProgress {
                    activity: Activity::Learning {
                        progress,
                        rows_per_second,
                    },
                    ..at
                });
            });
            let learnt =
                learnt.map_err(|error| note_batch(&self.folder, &settings, &table, error))?;
            begun.add(
                place - first,
                table.rows(),
                learnt.ok_or(GenerateError::Stopped)?,
                began,
            );
            if begun.windows < windows {
                self.begun = Some(begun);
                self.write_checkpoint(index)?;
                watch(at);
            }
        }
        Ok(begun)
    }

    /// Returns the rows of the round in progress.
    fn tables(&self) -> &Tables {
        self.tables.as_ref().expect(AT_HAND)
    }

    /// Saves the trainer's network, reads the file back and evaluates the network.
    fn keep(
        &self,
        trainer: &Trainer,
        kept: CandidateSource,
        number: u64,
        watch: &mut Watch<'_>,
    ) -> anyhow::Result<(Arc<Mlp>, Figures)> {
        let plan = &self.plan;
        let held_out = &self.tables().validation;
        self.folder.write(
            &kept.file(),
            &trainer.mlp(plan.metadata.clone())?.to_bytes(),
        )?;
        let network = Arc::new(read(&self.folder, kept)?);
        let largest_difference = round(trainer.compare(&network, held_out)?.into(), 9);
        let validation_loss = round(trainer.validate(held_out)?, 6);
        let mut tell = |progress: GamesProgress| {
            watch(self.at(
                number,
                Activity::Playing {
                    played: progress.played,
                    games: progress.planned,
                },
            ));
        };
        let won = match plan.validation.games {
            0 => None,
            _ => Some(plan.validation.play(
                &network,
                Validation::EveryRound,
                plan.learning,
                &mut tell,
            )?),
        };
        Ok((
            network,
            Figures {
                validation_loss,
                largest_difference,
                won,
            },
        ))
    }

    /// Returns a trainer with the mean weights of the last rounds, including `last`, if this round
    /// is the last one and averaging is on. Otherwise returns `None`.
    fn averaged(&self, number: u64, last: &Mlp) -> anyhow::Result<Option<Trainer>> {
        let averaged = u64::from(self.plan.learning.average()).min(number);
        if number < self.plan.rounds() || averaged < 2 {
            return Ok(None);
        }
        let before = (number + 1 - averaged..number)
            .map(|number| read(&self.folder, CandidateSource::Round(number)));
        let before = before.collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Some(Trainer::at_mean(self.plan.trainer, last, &before)?))
    }

    /// Records a finished round in the metrics, the checkpoint and the costs.
    fn note(
        &mut self,
        number: u64,
        learnt: Begun,
        figures: Figures,
        began: Instant,
    ) -> anyhow::Result<()> {
        let Begun {
            rows,
            loss,
            seconds,
            ..
        } = learnt;
        let windows = self.tables().train.windows() as u64;
        let metrics = Metrics {
            round: self.plan.source.round,
            number,
            steps: self.trainer.as_ref().map_or(0, Trainer::steps),
            rows,
            learning_rate: self.plan.trainer.schedule.at((number - 1) * windows),
            loss: round(loss, 6),
            figures,
        };
        self.metrics.push(metrics);
        self.costs.push(RoundCost {
            number,
            rows_per_second: round(rows as f64 / seconds.max(1e-9), 0),
            seconds: round(began.elapsed().as_secs_f64(), 3),
        });
        self.folder
            .write(METRICS, json_lines(&self.metrics)?.as_bytes())?;
        self.begun = None;
        self.write_checkpoint(number)?;
        self.folder.write(COSTS, &to_csv(&self.costs)?)?;
        Ok(self.events.add(&metrics)?)
    }

    /// Writes the checkpoint of the training run after this many whole rounds.
    fn write_checkpoint(&self, rounds: u64) -> anyhow::Result<()> {
        let Some(trainer) = &self.trainer else {
            return Ok(());
        };
        let &Self { average, begun, .. } = self;
        let checkpoint = Checkpoint {
            format: FORMAT,
            rounds,
            average,
            begun,
            trainer: trainer.checkpoint(),
        };
        Ok(self
            .folder
            .write_checked(CHECKPOINT, &serde_json::to_vec(&checkpoint)?)?)
    }

    /// Selects a network, and writes the artifact and the result of the training run.
    fn publish(&mut self, watch: &mut Watch<'_>) -> anyhow::Result<TrainingResult> {
        let candidates = self.candidates(watch)?;
        let published =
            best(&candidates, &finalists(&candidates)).context("there is no round to train")?;
        let last = self.metrics.last().context("there is no round to train")?;
        let Candidate {
            kept,
            figures,
            second,
        } = candidates[published];
        self.folder.write(CHOICE, &table(&candidates, published)?)?;
        let bytes = read(&self.folder, kept)?.to_bytes();
        self.folder.write(ARTIFACT, &bytes)?;
        let result = TrainingResult {
            sha256: sha256(&bytes),
            published: kept.to_string(),
            steps: last.steps,
            rows: self.metrics.iter().map(|round| round.rows as u64).sum(),
            loss: last.loss,
            figures: Figures {
                won: second.or(figures.won),
                ..figures
            },
        };
        self.folder
            .finish(&result, self.plan.learning.context.stop)?;
        Ok(result)
    }

    /// Returns the candidates for publication, after the final validation of the best candidates.
    fn candidates(&self, watch: &mut Watch<'_>) -> anyhow::Result<Vec<Candidate>> {
        let of_rounds = self
            .metrics
            .iter()
            .map(|round| (CandidateSource::Round(round.number), round.figures));
        let mut candidates: Vec<_> = of_rounds
            .chain(
                self.average
                    .map(|figures| (CandidateSource::Average, figures)),
            )
            .map(|(kept, figures)| Candidate {
                kept,
                figures,
                second: None,
            })
            .collect();
        let finalists = finalists(&candidates);
        if finalists.len() < 2 {
            return Ok(candidates);
        }
        for (place, &index) in finalists.iter().enumerate() {
            let network = Arc::new(read(&self.folder, candidates[index].kept)?);
            let mut tell = |GamesProgress {
                                played,
                                planned: games,
                                ..
                            }: GamesProgress| {
                let candidate = place + 1;
                let candidates = finalists.len();
                watch(self.at(
                    self.plan.rounds(),
                    Activity::Choosing {
                        candidate,
                        candidates,
                        played,
                        games,
                    },
                ));
            };
            let won = self.plan.validation.play(
                &network,
                Validation::Finalists,
                self.plan.learning,
                &mut tell,
            )?;
            candidates[index].second = Some(won);
        }
        Ok(candidates)
    }
}

/// Reads the known costs of the first `rounds` rounds. Unreadable costs are ignored, because
/// results do not depend on costs.
fn read_costs(folder: &Folder, rounds: u64) -> anyhow::Result<Vec<RoundCost>> {
    let text = folder.read(COSTS)?.unwrap_or_default();
    let costs = csv::Reader::from_reader(&text[..]).into_deserialize::<RoundCost>();
    Ok(costs
        .map_while(Result::ok)
        .filter(|cost| cost.number <= rounds)
        .collect())
}

/// Reads a saved network.
fn read(folder: &Folder, kept: CandidateSource) -> anyhow::Result<Mlp> {
    let place = || {
        format!(
            "{} can't be read",
            folder.path().join(kept.file()).display()
        )
    };
    let bytes = folder
        .read(&kept.file())?
        .context("the file is missing; give another --out")
        .with_context(place)?;
    Mlp::from_bytes(&bytes)
        .map_err(TrainError::from)
        .with_context(place)
}

/// Writes the batch at which the training diverged to a file, and returns an error that names the
/// file.
fn note_batch(
    folder: &Folder,
    trainer: &TrainerSettings,
    table: &Table,
    error: TrainError,
) -> anyhow::Error {
    let TrainError::Diverged { rows, .. } = &error else {
        return error.into();
    };
    let mut text = format!(
        "row,game,{},target\n",
        trainer.network.features.names.join(",")
    );
    for &row in rows {
        let row = row as usize;
        let numbers = table
            .row(row)
            .iter()
            .chain([&table.target[row]])
            .map(f32::to_string)
            .collect::<Vec<_>>();
        text += &format!("{row},{},{}\n", table.game[row], numbers.join(","));
    }
    match folder.write(RAN_AWAY, text.as_bytes()) {
        Ok(()) => {
            let place = folder.path().join(RAN_AWAY);
            anyhow::Error::new(error).context(format!(
                "training failed; the rows of its batch are in {}",
                place.display()
            ))
        }
        Err(unwritten) => anyhow::Error::new(error).context(unwritten.to_string()),
    }
}
