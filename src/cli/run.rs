//! `pipeline run` and `pipeline status`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Parser};
use serde_json::json;

use super::output::{Align, be_brief, counted, table, to_stdout};
use super::stage_arguments::{StageCommand, understand};
use super::{Cli, Global, execute, interrupt};
use crate::stage::pipeline::{OutFolder, PipelineFile, Selection, State, Step, foresee, order, state, wanted};

/// Lines of a stage's answer that are shown; all of it lies in the stage's folder.
const LINES: usize = 30;

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
}

#[derive(Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
}

/// A pipeline that is understood.
struct Pipeline {
    /// In order.
    commands: Vec<StageCommand>,
    steps: Vec<Step>,
    out: OutFolder,
}

impl PipelineArgs {
    fn open(&self, global: &Global) -> anyhow::Result<Pipeline> {
        let mut file = PipelineFile::read(&self.file, &self.set)?;
        file.seed = global.chosen_seed.unwrap_or(file.seed);
        let mut commands = understand(&file)?;
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
    let all = vec![true; steps.len()];
    let states = foresee(&out, &steps, &all)?;
    let text = if global.json {
        steps.iter().zip(&states).map(|(step, state)| as_json(step, state)).collect()
    } else {
        let header = [("stage", Align::Left), ("command", Align::Left), ("state", Align::Left), ("why", Align::Left)];
        let row = |(step, state): (&Step, &State)| {
            [step.name.clone(), step.kind.command.to_owned(), state.name().to_owned(), state.why()]
        };
        table(header, &steps.iter().zip(&states).map(row).collect::<Vec<_>>())
    };
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Brings stages up to date, in order.
pub(super) fn run(args: &RunArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { commands, steps, out } = args.pipeline.open(global)?;
    let RunArgs { stages, from, until, .. } = args;
    let selection = Selection { stages: stages.clone(), from: from.clone(), until: until.clone() };
    let selected = selection.of(&steps)?;
    let forced = |step: &Step| args.force && (stages.is_empty() || stages.contains(&step.name));
    if args.dry_run {
        let states = foresee(&out, &steps, &selected)?;
        for ((step, state), _) in steps.iter().zip(states).zip(&selected).filter(|(_, selected)| **selected) {
            tell(global, step, &if forced(step) { force(state) } else { state })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    // Looked at before anything is written, so that what can't be done is not begun.
    foresee(&out, &steps, &selected)?;
    let _lock = out.lock()?;
    let stop = interrupt::listen()?;
    let mut ran = 0;
    be_brief(LINES);
    for (command, _) in commands.iter().zip(&selected).filter(|(_, selected)| **selected) {
        let step = &command.step;
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
        let mut state = state(&out, step, &BTreeSet::new())?;
        if forced(step) {
            state = force(state);
        }
        tell(global, step, &state)?;
        if state == State::UpToDate {
            continue;
        }
        ran += 1;
        let (folder, made_from) = (out.stage(&step.name), wanted(&out, step)?);
        let work = folder.begin(step, &made_from)?;
        let Cli { global: own, command } = Cli::try_parse_from(command.line(|input| out.input(input), &work))?;
        let code = execute(&command, &Global { seed: own.seed, ..global.clone() }).with_context(|| {
            format!("{}: stage {} failed; what it has done is kept in {}", step.at, step.name, work.display())
        })?;
        if code == ExitCode::from(interrupt::INTERRUPTED) {
            return Ok(code);
        }
        folder.finish(&made_from)?;
    }
    let (ran, rest) = (counted(ran, "stage"), selected.iter().filter(|selected| **selected).count() as u64 - ran);
    global.note(&format!("note: {ran} ran, {rest} up to date; everything is in {}", out.path().display()));
    Ok(ExitCode::SUCCESS)
}

/// The state of a stage that is to run whatever its state is.
fn force(state: State) -> State {
    match state {
        State::Stale(reasons) => State::Stale(reasons),
        State::UpToDate | State::Waits(_) => State::Stale(vec!["forced".to_owned()]),
    }
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
