//! `pipeline run` and `pipeline status`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use super::output::{Brief, be_brief, to_stdout};
use super::stage::show;
use super::{Global, interrupt};
use crate::arena::Part;
use crate::document::numbers::counted;
use crate::document::{Align, columns};
use crate::stage::pipeline::{
    Action, OutFolder, PipelineFile, ReadyStage, Selection, State, Step, did_you_mean, order, predict_states,
    read_stages, state,
};
use crate::store;

/// Lines of a stage's answer that are shown; all of it lies in the stage's folder.
const LINES: usize = 16;

/// A pipeline and where it works.
#[derive(Args)]
pub(super) struct PipelineArgs {
    /// The pipeline: a TOML file of stages
    file: PathBuf,
    /// Folder of the run, with a folder for each stage [default: runs/ and the file's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a setting: STAGE.KEY=VALUE, or seed=N; may be given several times
    #[arg(long, value_name = "SETTING")]
    set: Vec<String>,
}

#[derive(Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// Stages to bring up to date, with those that they need [default: all]
    stages: Vec<String>,
    /// Begin with this stage; what comes before it is taken as it is
    #[arg(long, value_name = "STAGE")]
    from: Option<String>,
    /// End with this stage
    #[arg(long, value_name = "STAGE")]
    until: Option<String>,
    /// Run the named stages, or all, even if they are up to date
    #[arg(long)]
    force: bool,
    /// Only say what would run and why
    #[arg(long)]
    dry_run: bool,
    /// Run part I of N of the one stage named, for schedulers: what it needs is taken as it is
    #[arg(long, value_name = "I/N", conflicts_with_all = ["from", "until", "force", "dry_run", "join"])]
    shard: Option<Part>,
    /// Finish the one stage named from its N parts, 1 to run it whole, for schedulers: what it needs is taken as it is
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "until", "force", "dry_run"], value_parser = clap::value_parser!(u64).range(1..))]
    join: Option<u64>,
}

#[derive(Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
}

/// A pipeline that is understood.
pub(super) struct Pipeline {
    /// In order.
    pub(super) commands: Vec<ReadyStage>,
    steps: Vec<Step>,
    pub(super) out: OutFolder,
}

impl PipelineArgs {
    pub(super) fn open(&self, global: &Global) -> anyhow::Result<Pipeline> {
        let mut file = PipelineFile::read(&self.file, &self.set)?;
        file.seed = global.chosen_seed.unwrap_or(file.seed);
        let mut commands = read_stages(&file)?;
        let steps = order(commands.iter().map(|command| command.step.clone()).collect())?;
        commands.sort_by_key(|command| steps.iter().position(|step| step.name == command.step.name));
        let name = self.file.file_stem().context("a pipeline has a file name")?;
        let out = OutFolder::new(self.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(name)));
        Ok(Pipeline { commands, steps, out })
    }
}

/// Says how the stages are.
pub(super) fn status(args: &StatusArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { steps, out, .. } = args.pipeline.open(global)?;
    let states = predict_states(&out, &steps, &vec![Action::Refresh; steps.len()], &AtomicBool::new(false))?;
    let text = if global.json {
        steps.iter().zip(&states).map(|(step, state)| as_json(step, state)).collect()
    } else {
        let header = [("stage", Align::Left), ("command", Align::Left), ("state", Align::Left), ("why", Align::Left)];
        let row = |(step, state): (&Step, &State)| {
            [step.name.clone(), step.kind.command.to_owned(), state.name().to_owned(), state.why()]
        };
        columns(header, &steps.iter().zip(&states).map(row).collect::<Vec<_>>())
    };
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Brings stages up to date, in order.
pub(super) fn run(args: &RunArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { commands, steps, out } = args.pipeline.open(global)?;
    if args.shard.is_some() || args.join.is_some() {
        return run_alone(args, &commands, &out, global);
    }
    let RunArgs { stages, from, until, force, .. } = args;
    let selection = Selection { stages: stages.clone(), from: from.clone(), until: until.clone(), force: *force };
    let actions = selection.of(&steps)?;
    // Looked at before anything is written, so that what can't be done is not begun. An interruption ends the process.
    let states = predict_states(&out, &steps, &actions, &AtomicBool::new(false))?;
    note_what_is_left(global, &steps, &states, &actions);
    if args.dry_run {
        for ((step, state), _) in
            steps.iter().zip(&states).zip(&actions).filter(|(_, action)| **action != Action::Leave)
        {
            tell(global, step, state)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let _lock = out.lock()?;
    let stop = interrupt::listen()?;
    let (mut ran, mut up_to_date) = (0, 0);
    for (command, &action) in commands.iter().zip(&actions).filter(|(_, action)| **action != Action::Leave) {
        if stop.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
        let state = state(&out, &command.step, action, &BTreeSet::new(), stop)?;
        tell(global, &command.step, &state)?;
        if state == State::UpToDate {
            up_to_date += 1;
        } else if run_in(command, &out, global, stop)? == ExitCode::from(interrupt::INTERRUPTED) {
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        } else {
            ran += 1;
        }
    }
    let ran = counted(ran, "stage");
    global.note(&format!("note: {ran} ran, {up_to_date} up to date; everything is in {}", out.path().display()));
    Ok(ExitCode::SUCCESS)
}

/// Runs one stage, or a part of it, beside whatever else runs in the folder.
fn run_alone(args: &RunArgs, commands: &[ReadyStage], out: &OutFolder, global: &Global) -> anyhow::Result<ExitCode> {
    let [name] = &args.stages[..] else { bail!("--shard and --join take one stage, not {}", args.stages.len()) };
    let names = commands.iter().map(|command| command.step.name.as_str());
    let found = commands.iter().find(|command| command.step.name == *name);
    let stage = found.with_context(|| format!("there is no stage `{name}`{}", did_you_mean(name, names)))?;
    store::refuse_other_owner(out.path(), "run")?;
    let up_to_date =
        state(out, &stage.step, Action::Refresh, &BTreeSet::new(), interrupt::listen()?)? == State::UpToDate;
    if up_to_date {
        tell(global, &stage.step, &State::UpToDate)?;
        return Ok(ExitCode::SUCCESS);
    }
    show(global, None, |context| match args.shard {
        Some(part) => stage.run_part(part, out, context),
        None => stage.join_parts(args.join.unwrap_or(1), out, context),
    })
}

/// Says which stages are taken as they are though they are not up to date: those left alone that others read.
fn note_what_is_left(global: &Global, steps: &[Step], states: &[State], actions: &[Action]) {
    let run = || steps.iter().zip(actions).filter(|(_, action)| **action != Action::Leave).map(|(step, _)| step);
    for ((step, state), action) in steps.iter().zip(states).zip(actions) {
        let is_read = run().any(|reader| reader.needs().any(|name| name == step.name));
        if *action == Action::Leave && *state != State::UpToDate && is_read {
            let (name, why) = (&step.name, state.why());
            global.note(&format!("note: {name} is taken as it is, though it is {}: {why}", state.name()));
        }
    }
}

/// Runs a stage and prints the first lines of its answer. Gives the exit code.
fn run_in(stage: &ReadyStage, out: &OutFolder, global: &Global, stop: &AtomicBool) -> anyhow::Result<ExitCode> {
    let begun = stage.begin(out, stop)?;
    let moved = (begun.work.display().to_string(), begun.finished.display().to_string());
    be_brief(Brief { lines: if global.json { usize::MAX } else { LINES }, moved });
    show(global, None, |context| begun.run(context))
}

/// Says of a stage whether it runs, and why.
fn tell(global: &Global, step: &Step, state: &State) -> anyhow::Result<()> {
    to_stdout(&if global.json {
        as_json(step, state)
    } else {
        match state {
            State::UpToDate => format!("{}: up to date\n", step.name),
            State::Stale(_) => format!("{}: runs ({})\n", step.name, state.why()),
            State::Waits(_) => format!("{}: {}\n", step.name, state.why()),
        }
    })
}

fn as_json(step: &Step, state: &State) -> String {
    let (name, command) = (&step.name, step.kind.command);
    format!("{}\n", json!({"stage": name, "command": command, "state": state.name(), "why": state.why()}))
}
