//! What `train-classifier` and `train-q` share: arguments, progress, the answer.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::output::to_stdout;
use super::progress::{Meter, humane};
use super::{Global, interrupt};
use crate::document::numbers::{grouped, percent};
use crate::document::{Align, columns};
use crate::learn::train::{Device, Overfit};
use crate::stage::training::{Doing, Learning, Metrics, TrainingEnd, TrainingProgress, TrainingResult, Watch, Won};

/// The exit code of a network that can't learn a few rows by heart.
const NO: u8 = 1;

#[derive(Clone, Copy, Default, ValueEnum)]
enum DeviceName {
    /// The processor
    #[default]
    Ndarray,
    /// The processor, by the successor of ndarray
    #[cfg(feature = "flex")]
    Flex,
    /// The first Nvidia card
    #[cfg(feature = "cuda")]
    Cuda,
}

/// Arguments of every network's training.
#[derive(Args)]
pub(super) struct LearningArgs {
    /// Folder for the artifact, metrics and a checkpoint; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR", required_unless_present = "overfit")]
    out: Option<PathBuf>,
    /// Rows a step [default: 1024 for the classifier; 32 for Q, of which there are fewer rows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,
    /// Factor of the optimiser's steps
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = learning_rate)]
    learning_rate: f64,
    /// Share of the rounds, the last ones, over which the learning rate falls to 0 [default: 1; with --iterative 0.5]
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    decay: Option<f64>,
    /// Length to which the gradient of each tensor is cut back where it is longer [default: it is left as it is]
    #[arg(long, value_name = "NORM", value_parser = norm)]
    clip: Option<f32>,
    /// Rounds at the end, the mean of whose weights may be published too; 0 for none [default: 0; with --iterative a fifth
    /// of the episodes]
    #[arg(long, value_name = "N")]
    average: Option<u32>,
    /// Validation games after every round, the same after each, to choose the network that is published; the best play four
    /// times as many others. 0 for none: the last is published
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(super) eval_games: u32,
    /// What computes
    #[arg(long, value_enum, default_value_t)]
    device: DeviceName,
    /// First check of a network: learn 16 rows by heart and keep nothing; exit code 1 if it can't
    #[arg(long)]
    pub(super) overfit: bool,
}

impl LearningArgs {
    /// The arguments, with this number of rows a step where none is given; `episodes` are those of an iterative training.
    pub(super) fn learning(&self, global: &Global, batch: u32, episodes: Option<u32>) -> Learning {
        Learning {
            batch: self.batch.unwrap_or(batch) as usize,
            learning_rate: self.learning_rate,
            decay: self.decay.unwrap_or(if episodes.is_some() { 0.5 } else { 1.0 }),
            clip: self.clip,
            average: self.average.unwrap_or(episodes.map_or(0, |episodes| episodes / 5)),
            device: match self.device {
                DeviceName::Ndarray => Device::Ndarray,
                #[cfg(feature = "flex")]
                DeviceName::Flex => Device::Flex,
                #[cfg(feature = "cuda")]
                DeviceName::Cuda => Device::Cuda,
            },
            seed: global.seed,
            threads: global.threads(),
            out: self.out.clone().unwrap_or_default(),
        }
    }
}

fn learning_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| format!("`{text}` is no number above 0"))
}

/// Of a text, a number from 0 to 1.
pub(super) fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| format!("`{text}` is no number from 0 to 1"))
}

fn norm(text: &str) -> Result<f32, String> {
    let norm = text.parse().ok().filter(|norm: &f32| *norm > 0.0 && norm.is_finite());
    norm.ok_or_else(|| format!("`{text}` is no number above 0"))
}

/// Trains with progress and tells what came of it.
pub(super) fn train(
    global: &Global,
    learning: &Learning,
    run: impl FnOnce(&AtomicBool, &mut Watch<'_>) -> anyhow::Result<TrainingEnd>,
) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let end = run(stop, &mut |progress| {
        if let Doing::Done { metrics, seconds_left } = progress.doing {
            meter.line(&line(progress, &metrics, seconds_left));
        } else {
            meter.say(progress.number - 1, progress.rounds, in_words(progress));
        }
    });
    meter.finish();
    let out = learning.out.display();
    let result = match end? {
        TrainingEnd::Finished(result) => result,
        TrainingEnd::AlreadyFinished(result) => {
            global.note(&format!("note: this training was finished before and is in {out}; nothing is left to do"));
            result
        }
        TrainingEnd::Stopped { rounds } => {
            global
                .note(&format!("interrupted: {rounds} whole rounds are kept in {out}; the same command goes on there"));
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
    };
    to_stdout(&if global.json { format!("{}\n", json!(result)) } else { for_people(&result) })?;
    Ok(ExitCode::SUCCESS)
}

/// Tells whether a few rows were learnt by heart.
pub(super) fn tell_overfit(global: &Global, overfit: &Overfit) -> anyhow::Result<ExitCode> {
    let Overfit { rows, steps, loss, wanted } = *overfit;
    let learnt = loss < wanted;
    to_stdout(&if global.json {
        format!("{}\n", json!({"rows": rows, "steps": steps, "loss": loss, "wanted": wanted, "learnt": learnt}))
    } else {
        let verdict = if learnt { "learnt by heart" } else { "not learnt by heart" };
        format!("{rows} rows {verdict} in {} steps: loss {loss:.6}, wanted below {wanted}\n", grouped(steps as u64))
    })?;
    Ok(if learnt { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}

fn in_words(progress: TrainingProgress) -> String {
    let of_games = |played, games| format!("{} of {} games", grouped(played), grouped(games));
    let doing = match progress.doing {
        Doing::GettingRows => "getting rows".to_owned(),
        Doing::Learning { progress, rows_per_second } => format!(
            "{} of {} rows, loss {:.5}, {} rows/s",
            grouped(progress.rows as u64),
            grouped(progress.of_rows as u64),
            progress.loss,
            grouped(rows_per_second as u64)
        ),
        Doing::Playing { played, games } => of_games(played, games),
        Doing::Done { .. } => "done".to_owned(),
        Doing::Choosing { candidate, candidates, played, games } => {
            return format!("second look, network {candidate} of {candidates}: {}", of_games(played, games));
        }
    };
    format!("{}: {doing}", place(progress))
}

/// What a whole round is worth: `episode 3 of 50: loss 0.31984, held out 0.32808, won 61.20 % (59.04 - 63.31), 2 min 5 s left`.
fn line(progress: TrainingProgress, metrics: &Metrics, seconds_left: f64) -> String {
    let Metrics { loss, figures, .. } = metrics;
    let won = figures.won.map_or(String::new(), |won| format!(", won {}", with_interval(&won)));
    let left = humane(Duration::from_secs_f64(seconds_left));
    format!("{}: loss {loss:.5}, held out {:.5}{won}, {left} left", place(progress), figures.validation_loss)
}

fn place(TrainingProgress { round, number, rounds, .. }: TrainingProgress) -> String {
    format!("{} {number} of {rounds}", round.name())
}

fn with_interval(won: &Won) -> String {
    format!("{} % ({} - {})", percent(won.win_ratio), percent(won.win_low), percent(won.win_high))
}

fn for_people(result: &TrainingResult) -> String {
    let header = [
        ("rows", Align::Right),
        ("steps", Align::Right),
        ("published", Align::Right),
        ("held-out loss", Align::Right),
        ("won", Align::Right),
        ("read back within", Align::Right),
        ("sha256", Align::Left),
    ];
    let row = [
        grouped(result.rows),
        grouped(result.steps as u64),
        result.published.clone(),
        format!("{:.5}", result.figures.validation_loss),
        result.figures.won.as_ref().map_or("-".to_owned(), with_interval),
        format!("{:.1e}", result.figures.largest_difference),
        result.sha256[..12].to_owned(),
    ];
    columns(header, &[row])
}
