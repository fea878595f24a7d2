//! A training run in progress in its folder: its rounds, and the selection of the published network
//! at its end.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;

use super::answer::round_line;
use super::choice::{Candidate, CandidateSource, best, finalists, table};
use super::state::{Begun, State, note_batch, read};
use super::tensorboard::Events;
use super::validation::Validation;
use super::{TrainingPlan, TrainingResult};
use crate::generate::GenerateError;
use crate::training_records::{Figures, Metrics, RoundCost};
use crate::{Outcome, Rows};
use mineflow_arena::GamesProgress;
use mineflow_arena::numbers::{counted, grouped, round};
use mineflow_learn::data::TrainingRows;
use mineflow_learn::train::{RowsError, Trainer};
use mineflow_model::Mlp;
use mineflow_store::{Folder, StoreError, sha256};

const ARTIFACT: &str = "artifact.safetensors";
/// The folder of the networks; [`CandidateSource`] names its files.
const CHECKPOINTS: &str = "checkpoints";
const CHOICE: &str = "checkpoints.csv";
/// The result files, which are derived from the other files.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, CHOICE];
/// Panic message if a round has no rows.
const AT_HAND: &str = "a round begins with its rows";

/// A training run in progress in its folder.
pub(super) struct OpenTraining<'a> {
    plan: TrainingPlan<'a>,
    folder: Folder,
    state: State,
    /// The rows of the round in progress.
    rows: Option<TrainingRows>,
    events: Events,
}

impl<'a> OpenTraining<'a> {
    /// Opens a training run and restores the folder's checkpoint if there is one.
    pub(super) fn open(plan: TrainingPlan<'a>, folder: Folder) -> anyhow::Result<Self> {
        let networks = folder.path().join(CHECKPOINTS);
        fs::create_dir_all(&networks).map_err(StoreError::io("make", &networks))?;
        let state = State::restore(&plan, &folder)?;
        Ok(Self {
            events: Events::open(folder.path(), &state.metrics)?,
            plan,
            folder,
            state,
            rows: None,
        })
    }

    /// Runs the remaining rounds and publishes a network, or stops soon after `stop` is set.
    pub(super) fn finish(mut self) -> anyhow::Result<Outcome> {
        let result = match self.rounds_and_choice() {
            Err(error) if matches!(error.downcast_ref(), Some(GenerateError::Stopped)) => {
                let mut done = counted(self.state.rounds(), "whole round");
                if let Some(begun) = self.state.begun {
                    let windows = counted(begun.windows as u64, "window");
                    done += &format!(" and {windows} of the next");
                }
                return Ok(self.plan.learning.context.interrupted(&done));
            }
            result => result?,
        };
        Ok(Outcome::Done(Box::new(Rows(vec![result]))))
    }

    fn rounds_and_choice(&mut self) -> anyhow::Result<TrainingResult> {
        while self.state.rounds() < self.plan.rounds() {
            self.round()?;
        }
        self.publish()
    }

    /// Returns the name of the round in progress: `episode 3 of 50`.
    fn place(&self) -> String {
        let round = self.plan.learning.mode.round().name();
        format!(
            "{round} {} of {}",
            self.state.rounds() + 1,
            self.plan.rounds()
        )
    }

    /// Reports what the training run does after its whole rounds.
    fn say(&self, text: &str) {
        let context = self.plan.learning.context;
        context.say(self.state.rounds(), self.plan.rounds(), text);
    }

    /// Runs one round up to its checkpoint. Returns [`GenerateError::Stopped`] if the training run
    /// is interrupted before that.
    fn round(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        let number = self.state.rounds() + 1;
        let place = self.place();
        let learnt = self.learn(&place)?;
        let trainer = self
            .state
            .trainer
            .as_ref()
            .ok_or(RowsError::NoRows("training"))?;
        let (network, figures) = self.keep(trainer, CandidateSource::Round(number), &place)?;
        let windows = self.rows.as_ref().expect(AT_HAND).train.windows() as u64;
        let metrics = Metrics {
            round: self.plan.learning.mode.round(),
            number,
            steps: trainer.steps(),
            rows: learnt.rows,
            learning_rate: self.plan.trainer.schedule.at((number - 1) * windows),
            loss: round(learnt.loss, 6),
            figures,
        };
        if let Some(trainer) = self.averaged(number, &network)? {
            let (_, average) = self.keep(&trainer, CandidateSource::Average, &place)?;
            self.state.average = Some(average);
        }
        let cost = RoundCost {
            number,
            rows_per_second: round(learnt.rows as f64 / learnt.seconds.max(1e-9), 0),
            seconds: round(began.elapsed().as_secs_f64(), 3),
        };
        self.state
            .add(metrics, cost, &self.folder, &mut self.events)?;
        self.state.network = Some(network);
        let costs = &self.state.costs;
        let pace = costs.iter().map(|round| round.seconds).sum::<f64>() / costs.len() as f64;
        let seconds_left = pace * (self.plan.rounds() - number) as f64;
        let line = round_line(&metrics, cost, seconds_left);
        let context = self.plan.learning.context;
        context.observer.line(&format!("{place}: {line}"));
        Ok(())
    }

    /// Trains on the rows of a round, or on the remaining windows of a round in progress. Returns
    /// the totals of the round.
    fn learn(&mut self, place: &str) -> anyhow::Result<Begun> {
        let index = self.state.rounds();
        let rounds = self.plan.rounds();
        let context = self.plan.learning.context;
        let getting_rows = format!("{place}: getting rows");
        self.say(&getting_rows);
        if self.plan.has_new_rows() {
            self.rows = None;
        }
        let rows = match self.rows.take() {
            Some(rows) => rows,
            None => self.plan.rows(index, self.state.network.as_ref())?,
        };
        let train = &self.rows.insert(rows).train;
        let mut begun = self.state.begun.unwrap_or_default();
        let windows = train.windows();
        let first = index as usize * windows;
        while let Some((window, table)) =
            train.first_of(first + begun.windows..first + windows, context.stop)?
        {
            let trainer = match &mut self.state.trainer {
                Some(trainer) => trainer,
                empty => empty.insert(self.plan.fresh_trainer(&table)?),
            };
            let began = Instant::now();
            let learnt = trainer.epoch(&table, window as u64, context.stop, &mut |done| {
                let seconds = began.elapsed().as_secs_f64().max(1e-9);
                let text = format!(
                    "{place}: {} of {} rows, loss {:.5}, {} rows/s",
                    grouped(done.rows as u64),
                    grouped(done.of_rows as u64),
                    done.loss,
                    grouped((done.rows as f64 / seconds) as u64)
                );
                context.say(index, rounds, &text);
            });
            let settings = &self.plan.trainer;
            let loss = learnt
                .map_err(|error| note_batch(&self.folder, settings, &table, error))?
                .ok_or(GenerateError::Stopped)?;
            begun.add(window - first, table.rows(), loss, began);
            if begun.windows < windows {
                self.state.begun = Some(begun);
                self.state.write_checkpoint(&self.folder)?;
                context.say(index, rounds, &getting_rows);
            }
        }
        Ok(begun)
    }

    /// Saves the trainer's network, reads the file back and evaluates the network.
    fn keep(
        &self,
        trainer: &Trainer,
        kept: CandidateSource,
        place: &str,
    ) -> anyhow::Result<(Arc<Mlp>, Figures)> {
        let plan = &self.plan;
        let held_out = &self.rows.as_ref().expect(AT_HAND).validation;
        let bytes = trainer.mlp(plan.metadata.clone())?.to_bytes();
        self.folder.write(&kept.file(), &bytes)?;
        let network = Arc::new(read(&self.folder, kept)?);
        let mut figures = Figures {
            largest_difference: round(trainer.compare(&network, held_out)?.into(), 9),
            validation_loss: round(trainer.validate(held_out)?, 6),
            won: None,
        };
        if plan.learning.settings.eval_games > 0 {
            let won = plan.validate(&network, Validation::EveryRound, &mut |progress| {
                self.say(&format!("{place}: {}", of_games(progress)));
            });
            figures.won = Some(won?);
        }
        Ok((network, figures))
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

    /// Selects a network, and writes the artifact and the result of the training run.
    fn publish(&mut self) -> anyhow::Result<TrainingResult> {
        const NO_ROUND: &str = "there is no round to train";
        let candidates = self.candidates()?;
        let published = best(&candidates, &finalists(&candidates)).context(NO_ROUND)?;
        let metrics = &self.state.metrics;
        let last = metrics.last().context(NO_ROUND)?;
        let chosen = candidates[published];
        self.folder.write(CHOICE, &table(&candidates, published)?)?;
        let bytes = read(&self.folder, chosen.kept)?.to_bytes();
        self.folder.write(ARTIFACT, &bytes)?;
        let result = TrainingResult {
            sha256: sha256(&bytes),
            published: chosen.kept.to_string(),
            steps: last.steps,
            rows: metrics.iter().map(|round| round.rows as u64).sum(),
            loss: last.loss,
            figures: Figures {
                won: chosen.second.or(chosen.figures.won),
                ..chosen.figures
            },
        };
        self.folder
            .finish(&result, self.plan.learning.context.stop)?;
        Ok(result)
    }

    /// Returns the candidates for publication, after the final validation of the best candidates.
    fn candidates(&self) -> anyhow::Result<Vec<Candidate>> {
        let rounds = self.state.metrics.iter();
        let rounds = rounds.map(|round| (CandidateSource::Round(round.number), round.figures));
        let average = self.state.average;
        let average = average.map(|figures| (CandidateSource::Average, figures));
        let candidate = |(kept, figures)| Candidate {
            kept,
            figures,
            second: None,
        };
        let mut candidates: Vec<_> = rounds.chain(average).map(candidate).collect();
        let finalists = finalists(&candidates);
        if finalists.len() < 2 {
            return Ok(candidates);
        }
        for (place, &index) in finalists.iter().enumerate() {
            let network = Arc::new(read(&self.folder, candidates[index].kept)?);
            let won = self
                .plan
                .validate(&network, Validation::Finalists, &mut |progress| {
                    self.say(&format!(
                        "final validation, network {} of {}: {}",
                        place + 1,
                        finalists.len(),
                        of_games(progress)
                    ));
                });
            candidates[index].second = Some(won?);
        }
        Ok(candidates)
    }
}

fn of_games(progress: GamesProgress) -> String {
    let played = grouped(progress.played);
    format!("{played} of {} games", grouped(progress.planned))
}
