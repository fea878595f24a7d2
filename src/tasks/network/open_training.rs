//! A training run in progress in its folder: its rounds, and the selection of the published network
//! at its end.

use std::{fs, sync::Arc, time::Instant};

use anyhow::{Context, Result};

use super::{
    TrainingPlan, TrainingResult,
    answer::round_line,
    choice::{BEST, Candidate, CandidateSource, best, finalists, ranked, table},
    state::{Begun, State, note_batch, read},
    tensorboard::{Event, Events},
    validation::Validation,
};
use crate::{
    Outcome, Rows,
    curve::{CURVE, draw_curve},
    generate::GenerateError,
    training_records::{Figures, Metrics, RoundCost},
};
use mineflow_arena::{
    GamesProgress,
    numbers::{counted, grouped, round},
};
use mineflow_learn::{
    data::TrainingRows,
    train::{RowsError, Trainer},
};
use mineflow_model::Mlp;
use mineflow_store::{Folder, StoreError, remove_file, sha256};

const ARTIFACT: &str = "artifact.safetensors";
/// The folder of the networks; [`CandidateSource`] names its files.
const CHECKPOINTS: &str = "checkpoints";
const CHOICE: &str = "checkpoints.csv";
/// The result files, which are derived from the other files.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, CHOICE, CURVE];
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
    pub fn open(plan: TrainingPlan<'a>, folder: Folder) -> Result<Self> {
        let networks = folder.path().join(CHECKPOINTS);
        fs::create_dir_all(&networks).map_err(StoreError::io("make", &networks))?;
        let state = State::restore(&plan, &folder)?;
        Ok(Self {
            events: Events::open(folder.path(), state.metrics.iter().map(event))?,
            plan,
            folder,
            state,
            rows: None,
        })
    }

    /// Runs the remaining rounds and publishes a network, or stops soon after `stop` is set.
    pub fn finish(mut self) -> Result<Outcome> {
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

    fn rounds_and_choice(&mut self) -> Result<TrainingResult> {
        self.delete_old_checkpoints()?;
        while !self.is_over(None) {
            self.round()?;
            self.delete_old_checkpoints()?;
        }
        self.publish()
    }

    /// Returns whether no round follows the whole rounds and `next`: all are done, or the validation
    /// loss has not fallen for as many rounds as the patience allows.
    fn is_over(&self, next: Option<&Metrics>) -> bool {
        let rounds = || self.state.metrics.iter().chain(next);
        let done = rounds().count();
        let losses = rounds().map(|round| round.figures.validation_loss);
        let best = losses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let since = best.map_or(0, |(index, _)| done - 1 - index);
        let patience = self.plan.learning.settings.patience;
        done as u64 >= self.plan.rounds()
            || patience.is_some_and(|patience| since >= patience.get() as usize)
    }

    /// Deletes the checkpoints that are neither among the best ones nor needed to continue.
    fn delete_old_checkpoints(&self) -> Result<(), StoreError> {
        if !self.plan.keeps_the_best() {
            return Ok(());
        }
        let rounds = self.rounds();
        let best = ranked(&rounds);
        let needed = self.plan.learning.average.max(1) as usize;
        let old = rounds.len().saturating_sub(needed);
        for &index in best.iter().skip(BEST).filter(|&&index| index < old) {
            remove_file(&self.folder.path().join(rounds[index].kept.file()))?;
        }
        Ok(())
    }

    /// Returns the name of the round in progress: `episode 3 of 50`.
    fn place(&self) -> String {
        let round = self.plan.learning.mode.round.name();
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
    fn round(&mut self) -> Result<()> {
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
        let before = self.state.metrics.last().map_or(0, |round| round.steps);
        let metrics = Metrics {
            round: self.plan.learning.mode.round,
            number,
            steps: trainer.steps(),
            rows: learnt.rows,
            learning_rate: trainer.rate_at((number - 1) * windows, before),
            loss: self.shown(learnt.loss),
            figures,
        };
        if let Some(average) = self.averaged(&metrics, &network)? {
            let (_, average) = self.keep(&average, CandidateSource::Average, &place)?;
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
    fn learn(&mut self, place: &str) -> Result<Begun> {
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
        let network = &self.plan.trainer.network;
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
                    network.shown_loss(done.loss),
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

    /// Returns a loss as metrics show it.
    fn shown(&self, loss: f64) -> f64 {
        round(self.plan.trainer.network.shown_loss(loss), 6)
    }

    /// Saves the trainer's network, reads the file back and evaluates the network.
    fn keep(
        &self,
        trainer: &Trainer,
        kept: CandidateSource,
        place: &str,
    ) -> Result<(Arc<Mlp>, Figures)> {
        let plan = &self.plan;
        let held_out = &self.rows.as_ref().expect(AT_HAND).validation;
        let mut metadata = plan.metadata.clone();
        if plan.keeps_the_best() {
            let steps = self.state.trainer.as_ref().map_or(0, Trainer::steps);
            metadata = metadata.note("steps", steps);
        }
        let bytes = trainer.mlp(metadata)?.to_bytes();
        self.folder.write(&kept.file(), &bytes)?;
        let network = Arc::new(read(&self.folder, kept)?);
        let mut figures = Figures {
            largest_difference: round(trainer.compare(&network, held_out)?.into(), 9),
            validation_loss: self.shown(trainer.validate(held_out)?),
            won: None,
        };
        if plan.learning.eval_games > 0 {
            let won = plan.validate(&network, Validation::EveryRound, &mut |progress| {
                self.say(&format!("{place}: {}", of_games(progress)));
            });
            figures.won = Some(won?);
        }
        Ok((network, figures))
    }

    /// Returns a trainer with the mean weights of the last rounds, including `last`, if the round of
    /// these metrics is the last one and averaging is on. Otherwise returns `None`.
    fn averaged(&self, metrics: &Metrics, last: &Mlp) -> Result<Option<Trainer>> {
        let number = metrics.number;
        let averaged = u64::from(self.plan.learning.average).min(number);
        if averaged < 2 || !self.is_over(Some(metrics)) {
            return Ok(None);
        }
        let before = (number + 1 - averaged..number)
            .map(|number| read(&self.folder, CandidateSource::Round(number)));
        let before = before.collect::<Result<Vec<_>>>()?;
        let settings = self.plan.trainer.clone();
        Ok(Some(Trainer::at_mean(settings, last, &before)?))
    }

    /// Selects a network, and writes the artifact and the result of the training run.
    fn publish(&mut self) -> Result<TrainingResult> {
        const NO_ROUND: &str = "there is no round to train";
        let candidates = self.candidates()?;
        let finalists = finalists(&candidates, self.plan.keeps_the_best());
        let published = best(&candidates, &finalists).context(NO_ROUND)?;
        let metrics = &self.state.metrics;
        let last = metrics.last().context(NO_ROUND)?;
        let chosen = candidates[published];
        self.folder.write(CHOICE, &table(&candidates, published)?)?;
        let rounds: Vec<_> = metrics.iter().map(event).collect();
        draw_curve(&self.folder, &rounds)?;
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

    /// Returns the networks of the whole rounds as candidates.
    fn rounds(&self) -> Vec<Candidate> {
        let rounds = self.state.metrics.iter();
        let candidate = |round: &Metrics| {
            let kept = CandidateSource::Round(round.number);
            Candidate::new(kept, round.figures)
        };
        rounds.map(candidate).collect()
    }

    /// Returns the candidates for publication, after the final validation of the best candidates.
    fn candidates(&self) -> Result<Vec<Candidate>> {
        let mut candidates = self.rounds();
        let average = self.state.average;
        candidates.extend(average.map(|of| Candidate::new(CandidateSource::Average, of)));
        let finalists = finalists(&candidates, self.plan.keeps_the_best());
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

/// Returns the event of a round for TensorBoard.
pub(super) fn event(metrics: &Metrics) -> Event {
    let won = metrics.figures.won.map(|won| ("win_ratio", won.win_ratio));
    let always = [
        ("loss", metrics.loss),
        ("validation_loss", metrics.figures.validation_loss),
        ("learning_rate", metrics.learning_rate),
    ];
    (metrics.number, always.into_iter().chain(won).collect())
}
