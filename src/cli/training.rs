//! What `train-classifier` and `train-q` share: arguments, progress, the answer.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::output::{Align, grouped, percent, table, to_stdout};
use super::progress::Meter;
use super::{Global, interrupt};
use crate::stage::training::{Doing, Learning, TrainingEnd, TrainingProgress, TrainingResult, Watch};
use crate::train::{Device, Overfit};

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
    /// Games on the beginner's board, the same after every round; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) eval_games: u32,
    /// What computes
    #[arg(long, value_enum, default_value_t)]
    device: DeviceName,
    /// First check of a network: learn 16 rows by heart and keep nothing; exit code 1 if it can't
    #[arg(long)]
    pub(super) overfit: bool,
}

impl LearningArgs {
    /// The arguments, with this number of rows a step where none is given.
    pub(super) fn learning(&self, global: &Global, batch: u32) -> Learning {
        Learning {
            batch: self.batch.unwrap_or(batch) as usize,
            learning_rate: self.learning_rate,
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

/// Trains with progress and tells what came of it.
pub(super) fn train(
    global: &Global,
    learning: &Learning,
    run: impl FnOnce(&AtomicBool, &mut Watch<'_>) -> anyhow::Result<TrainingEnd>,
) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let end = run(stop, &mut |progress| meter.say(progress.number - 1, progress.rounds, in_words(progress)));
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
    let TrainingProgress { round, number, rounds, doing } = progress;
    let doing = match doing {
        Doing::GettingRows => "getting rows".to_owned(),
        Doing::Learning { progress, rows_per_second } => format!(
            "{} of {} rows, loss {:.5}, {} rows/s",
            grouped(progress.rows as u64),
            grouped(progress.of_rows as u64),
            progress.loss,
            grouped(rows_per_second as u64)
        ),
        Doing::Playing { played, games } => format!("{} of {} games", grouped(played), grouped(games)),
    };
    format!("{} {number} of {rounds}: {doing}", round.name())
}

fn for_people(result: &TrainingResult) -> String {
    let header = [
        ("rows", Align::Right),
        ("steps", Align::Right),
        ("loss", Align::Right),
        ("held-out loss", Align::Right),
        ("won %", Align::Right),
        ("read back within", Align::Right),
        ("sha256", Align::Left),
    ];
    let row = [
        grouped(result.last.rows),
        grouped(result.steps as u64),
        format!("{:.5}", result.last.loss),
        format!("{:.5}", result.last.validation_loss),
        result.last.win_ratio.map_or("-".to_owned(), percent),
        format!("{:.1e}", result.last.largest_difference),
        result.sha256[..12].to_owned(),
    ];
    table(header, &[row])
}
