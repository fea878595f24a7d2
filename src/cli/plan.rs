//! `pipeline plan`: the stages of a pipeline as jobs, for people and for schedulers.

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Global;
use super::output::to_stdout;
use super::run::{Pipeline, PipelineArgs};
use crate::document::{Align, columns};
use crate::stage::definition::json_lines;
use crate::stage::pipeline::{ReadyStage, Source};

/// Show the stages of a pipeline as jobs: what each needs, in how many parts it can run, which commands run it
#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// Parts of each stage that can be shared by several machines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    shards: u64,
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
    /// Everything else that its results depend on.
    settings: Map<String, Value>,
}

pub(super) fn run(args: &PlanArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { commands, out, .. } = args.pipeline.open(global)?;
    let row = |stage: &ReadyStage| {
        let step = &stage.step;
        let inputs = step.inputs.iter().filter_map(|input| match &input.from {
            Source::Path(path) => Some(path.display().to_string()),
            Source::Stage { .. } => None,
        });
        PlanRow {
            stage: step.name.clone(),
            command: step.kind.command,
            needs: step.needs().map(str::to_owned).collect(),
            inputs: inputs.collect(),
            output: out.stage(&step.name).finished().display().to_string(),
            parts: if stage.has_parts() { args.shards } else { 1 },
            settings: step.settings.clone(),
        }
    };
    let rows: Vec<_> = commands.iter().map(row).collect();
    to_stdout(&if global.json { json_lines(&rows)? } else { for_people(&rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[PlanRow]) -> String {
    let header = [("stage", Align::Left), ("command", Align::Left), ("needs", Align::Left), ("parts", Align::Right)];
    let row = |row: &PlanRow| [row.stage.clone(), row.command.to_owned(), row.needs.join(", "), row.parts.to_string()];
    columns(header, &rows.iter().map(row).collect::<Vec<_>>())
}
