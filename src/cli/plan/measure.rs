//! `pipeline plan --measure`: runs each stage with little work, in a process of its own.
//!
//! The work of a stage grows from try to try until one takes [`LONG_ENOUGH`] CPU seconds. A stage reads the tries of other stages.

use std::process::Stdio;

use anyhow::{Context, ensure};

use super::super::run::{Pipeline, PipelineArgs};
use super::super::{Global, output};
use mineflow_pipeline::{Forecast, Forecasts, OutFolder, ReadyStage, StageCost, Step, Try, Work, folder_bytes};

/// CPU seconds of the last try.
const LONG_ENOUGH: f64 = 3.0;
/// From this many CPU seconds in a try, a stage has few long games, and one game may take most of the time.
const LONG: f64 = 5.0;
/// The share of such a stage that is tried: one in twenty.
const SOME: u64 = 20;
/// The factor from one try to the next; a smaller one would not fix the slope of the line.
const LEAST: f64 = 3.0;
const MOST: f64 = 16.0;
/// The folder of the tries within the run's folder; removed at the end.
const FOLDER: &str = "cost.measure";

/// Measures the stages that were not measured before.
///
/// # Errors
/// If a folder or the program can't be used. A stage that can't be tried gets a note and is left out.
pub(super) fn measure(
    args: &PipelineArgs,
    Pipeline { commands, steps, out }: &Pipeline,
    global: &Global,
) -> anyhow::Result<Forecasts> {
    let mut forecasts = Forecasts::read(out.path())?;
    let scratch = OutFolder::new(out.path().join(FOLDER));
    let mut tries = Tries { args, global, steps, scratch };
    let _lock = out.lock()?;
    mineflow_store::remove_folder(tries.scratch.path())?;
    for stage in commands {
        let step = &stage.step;
        if forecasts.of(step, steps).is_some() {
            continue;
        }
        output::note(&format!("note: trying {}", step.name));
        match tries.forecast(stage, &forecasts) {
            Ok(forecast) => forecasts.put(step, steps, forecast),
            Err(why) => output::note(&format!("note: {} can't be tried: {why:#}", step.name)),
        }
        forecasts.write(out.path())?;
    }
    mineflow_store::remove_folder(tries.scratch.path())?;
    Ok(forecasts)
}

struct Tries<'a> {
    args: &'a PipelineArgs,
    global: &'a Global,
    steps: &'a [Step],
    scratch: OutFolder,
}

impl Tries<'_> {
    fn forecast(&mut self, stage: &ReadyStage, known: &Forecasts) -> anyhow::Result<Forecast> {
        let step = &stage.step;
        for name in step.needs() {
            self.provide(name)?;
        }
        let work = Work::of(step);
        let holds_rows = matches!(work, Work::RowsOf(_) | Work::Setting { name: "rows", .. }) && step.kind.trains();
        let (full, tries) = match work {
            Work::Fixed => (1.0, vec![self.run(step, None, 1.0)?]),
            Work::Setting { name, full, least } => (full as f64, self.grow(step, name, least.min(full), full)?),
            Work::RowsOf(data) => self.on_rows(step, &data, known)?,
        };
        // The time to start is small beside long games, and a few games more or less would tilt the line: use a proportion instead.
        let is_of_long_games = !step.kind.trains() && tries.last().is_some_and(|last| last.cpu_seconds >= LONG);
        let on_line = if is_of_long_games { &tries[tries.len() - 1..] } else { &tries[..] };
        let mut expected = Try::expect(on_line, full).context("it was not tried")?;
        if !holds_rows {
            // Games take no memory once they are counted.
            expected.memory = tries.iter().map(|tried| tried.memory).fold(0.0, f64::max);
        }
        Ok(Forecast { stage: step.name.clone(), expected, tries })
    }

    fn step(&self, name: &str) -> anyhow::Result<&Step> {
        self.steps.iter().find(|step| step.name == name).with_context(|| format!("there is no stage {name}"))
    }

    /// Runs a stage that was not tried with the least work, after the stages that it needs.
    fn provide(&self, name: &str) -> anyhow::Result<()> {
        if self.scratch.stage(name).finished().exists() {
            return Ok(());
        }
        let step = self.step(name)?;
        step.needs().try_for_each(|name| self.provide(name))?;
        let setting = match Work::of(step) {
            Work::Setting { name, full, least } => Some((name, least.min(full))),
            _ => None,
        };
        self.run(step, setting, 1.0).map(drop)
    }

    /// Tries a stage with growing work.
    fn grow(&self, step: &Step, setting: &'static str, least: u64, full: u64) -> anyhow::Result<Vec<Try>> {
        let mut tries = Vec::new();
        let mut work = least;
        loop {
            let tried = self.run(step, Some((setting, work)), work as f64)?;
            tries.push(tried);
            let took = tried.cpu_seconds;
            let some = full.div_ceil(SOME);
            let is_enough = tries.len() > 1 && took >= LONG_ENOUGH && (took < LONG || work >= some);
            if work == full || is_enough {
                return Ok(tries);
            }
            if took >= LONG {
                work = (2 * work).max(some).min(full);
                continue;
            }
            let times = (1.5 * LONG_ENOUGH / took.max(1e-3)).clamp(LEAST, MOST);
            work = ((work as f64 * times) as u64).clamp(work + 1, full);
        }
    }

    /// Tries a stage on the rows of two tries of another stage.
    fn on_rows(&self, step: &Step, data: &str, known: &Forecasts) -> anyhow::Result<(f64, Vec<Try>)> {
        let rows = self.step(data)?;
        let Work::Setting { name, full, .. } = Work::of(rows) else {
            return Ok((1.0, vec![self.run(step, None, 1.0)?]));
        };
        let of_rows = known.of(rows, self.steps).with_context(|| format!("stage {data} was not tried"))?;
        let amounts = &of_rows.tries[of_rows.tries.len().saturating_sub(2)..];
        let mut tries = Vec::new();
        for amount in amounts {
            self.run(rows, Some((name, amount.work as u64)), amount.work)?;
            tries.push(self.run(step, None, amount.work)?);
        }
        Ok((full as f64, tries))
    }

    /// Runs a stage with a setting changed.
    fn run(&self, step: &Step, setting: Option<(&str, u64)>, work: f64) -> anyhow::Result<Try> {
        let folder = self.scratch.stage(&step.name).finished();
        mineflow_store::remove_folder(&folder)?;
        let set = setting.map(|(name, value)| format!("{}.{name}={value}", step.name));
        let mut command = self.args.again(self.global, &step.name, self.scratch.path(), self.global.threads())?;
        if let Some(set) = set {
            command.args(["--set", &set]);
        }
        let output = command.stdin(Stdio::null()).output().context("can't start the program again")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}", said.lines().next().unwrap_or("it failed"));
        let cost = StageCost::read(&folder)?.context("it left no note of its cost")?;
        let cpu_seconds = cost.cpu_seconds.context("its CPU time is not known")?;
        let disk = folder_bytes(&folder) as f64;
        Ok(Try { work, cpu_seconds, memory: cost.memory.unwrap_or(0) as f64, disk })
    }
}
