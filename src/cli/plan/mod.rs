//! `pipeline plan`: the stages of a pipeline as jobs, for people and for schedulers.

mod measure;

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use super::examples::examples;
use super::run::{Pipeline, PipelineArgs};
use super::{EXIT_CODES, Global};
use mineflow_document::TableOf;
use mineflow_document::numbers::{counted, humane};
use mineflow_pipeline::{Forecasts, ReadyStage, Source, StageCost};

/// Show the stages of a pipeline as jobs: what each needs, its expected cost, and how many parts it can run in
#[derive(Args)]
#[command(after_help = examples(
    &[
        "plan pipelines/paper.toml --shards 8",
        "plan pipelines/quickstart.toml --measure",
    ],
    EXIT_CODES,
))]
pub(super) struct PlanArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// Number of parts for each stage that several machines can share
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    shards: u64,
    /// Run each stage with little work first, to forecast its cost; the forecast is kept in the folder of the run
    #[arg(long)]
    measure: bool,
}

/// A stage as jobs.
#[derive(Serialize)]
struct PlanRow {
    stage: String,
    command: &'static str,
    /// The stages that it reads.
    needs: Vec<String>,
    /// The files and folders of others that it reads.
    inputs: Vec<String>,
    /// Its folder, once it is finished.
    output: String,
    parts: u64,
    /// The expected cost on this machine, all parts together; `None` if it was not measured.
    cpu_seconds: Option<f64>,
    memory_bytes: Option<u64>,
    disk_bytes: Option<u64>,
    /// The cost of the last run, if there was one.
    took: Option<StageCost>,
    /// Everything else that its results depend on.
    settings: Map<String, Value>,
}

pub(super) fn run(args: &PlanArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let pipeline = args.pipeline.open(global)?;
    let forecasts = match args.measure {
        true => measure::measure(&args.pipeline, &pipeline, global)?,
        false => Forecasts::read(pipeline.out.path())?,
    };
    let Pipeline { commands, steps, out } = &pipeline;
    let row = |stage: &ReadyStage| {
        let step = &stage.step;
        let inputs = step.inputs.iter().filter_map(|input| match &input.from {
            Source::Path(path) => Some(path.display().to_string()),
            Source::Stage { .. } => None,
        });
        let expected = forecasts.of(step, steps).map(|forecast| forecast.expected);
        let finished = out.stage(&step.name).finished();
        Ok(PlanRow {
            stage: step.name.clone(),
            command: step.kind.command,
            needs: step.needs().map(str::to_owned).collect(),
            inputs: inputs.collect(),
            output: finished.display().to_string(),
            parts: if stage.has_parts() { args.shards } else { 1 },
            cpu_seconds: expected.map(|expected| expected.cpu_seconds),
            memory_bytes: expected.map(|expected| expected.memory as u64),
            disk_bytes: expected.map(|expected| expected.disk as u64),
            took: StageCost::read(&finished)?,
            settings: step.settings.clone(),
        })
    };
    let rows: Vec<_> = commands.iter().map(row).collect::<anyhow::Result<_>>()?;
    global.print(&rows, || for_people(&rows, global.threads()))?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[PlanRow], threads: usize) -> String {
    let time = |seconds: Option<f64>| seconds.map_or("-".to_owned(), time);
    let size = |bytes: Option<u64>| bytes.map_or("-".to_owned(), size);
    TableOf::new(rows)
        .left("stage", |row| &row.stage)
        .left("command", |row| row.command)
        .left("needs", |row| row.needs.join(", "))
        .right("parts", |row| row.parts)
        .right("CPU time", |row| time(row.cpu_seconds))
        .right("memory", |row| size(row.memory_bytes))
        .right("files", |row| size(row.disk_bytes))
        .right("took", |row| time(row.took.and_then(|took| took.cpu_seconds)))
        .text()
        + &total(rows, threads)
}

/// The cost of all stages together.
fn total(rows: &[PlanRow], threads: usize) -> String {
    let unknown = rows.iter().filter(|row| row.cpu_seconds.is_none()).count();
    if unknown > 0 {
        let stages = counted(unknown as u64, "stage");
        return format!("\nthe cost of {stages} is not known; --measure finds out\n");
    }
    let cpu_seconds: f64 = rows.iter().filter_map(|row| row.cpu_seconds).sum();
    let memory = rows.iter().filter_map(|row| row.memory_bytes).max().unwrap_or(0);
    let disk = rows.iter().filter_map(|row| row.disk_bytes).sum();
    format!(
        "\n{} of CPU time, {} of memory at most, {} of files; {} with {} and nothing else running\n",
        time(cpu_seconds),
        size(memory),
        size(disk),
        time(cpu_seconds / threads as f64),
        counted(threads as u64, "thread")
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        ..0.1 => format!("{:.0} ms", 1000.0 * seconds),
        ..10.0 => format!("{seconds:.1} s"),
        _ => humane(Duration::from_secs_f64(seconds)),
    }
}

/// A number of bytes in three digits.
fn size(bytes: u64) -> String {
    let (mut number, mut units) = (bytes as f64, ["B", "KiB", "MiB", "GiB", "TiB"].iter());
    let mut unit = units.next().expect("there are units");
    while number >= 1000.0
        && let Some(next) = units.next()
    {
        (number, unit) = (number / 1024.0, next);
    }
    format!("{number:.*} {unit}", if number < 10.0 && *unit != "B" { 1 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        let sizes = [0, 999, 1000, 10 << 20, 2_400_000_000, u64::MAX];
        assert_eq!(sizes.map(size), ["0 B", "999 B", "1.0 KiB", "10 MiB", "2.2 GiB", "16777216 TiB"]);
    }
}
