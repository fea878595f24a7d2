//! `pipeline run` and `pipeline status`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use super::examples::examples;
use super::failure::NO;
use super::output::{Brief, to_stdout};
use super::side_by_side::{Run, Told};
use super::stage::show;
use super::{EXIT_CODES, Global, KINDS, interrupt};
use mineflow_arena::Part;
use mineflow_document::TableOf;
use mineflow_document::numbers::counted;
use mineflow_pipeline::{
    Action, OutFolder, PipelineFile, ReadyStage, Selection, StageState, Step, did_you_mean, order, predict_states,
    read_stages, state,
};

/// Most lines of a stage's answer that are printed; the stage's folder has all of it.
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
#[command(after_help = examples(
    &[
        "run pipelines/quickstart.toml",
        "run pipelines/paper.toml --until trees --dry-run",
        "run pipelines/smoke.toml --set seed=2 --out runs/second",
    ],
    EXIT_CODES,
))]
pub(super) struct RunArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// Stages to bring up to date, with the stages that they need [default: all]
    stages: Vec<String>,
    /// Start with this stage; earlier stages are used as they are
    #[arg(long, value_name = "STAGE")]
    from: Option<String>,
    /// End with this stage
    #[arg(long, value_name = "STAGE")]
    until: Option<String>,
    /// Run the named stages, or all of them, even if they are up to date
    #[arg(long)]
    force: bool,
    /// Only print what would run and why
    #[arg(long)]
    dry_run: bool,
    /// For schedulers: run part I of N of the one named stage; the stages that it needs are used as they are
    #[arg(long, value_name = "I/N", conflicts_with_all = ["from", "until", "force", "dry_run", "join"])]
    shard: Option<Part>,
    /// For schedulers: finish the one named stage from its N parts (1 runs it whole); the stages that it needs are used as they are
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "until", "force", "dry_run"], value_parser = clap::value_parser!(u64).range(1..))]
    join: Option<u64>,
}

#[derive(Args)]
#[command(after_help = examples(
    &[
        "status pipelines/quickstart.toml",
        "status pipelines/paper.toml --out runs/paper --json",
    ],
    "",
))]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pipeline: PipelineArgs,
}

/// A parsed pipeline.
pub(super) struct Pipeline {
    /// In order.
    pub(super) commands: Vec<ReadyStage>,
    pub(super) steps: Vec<Step>,
    pub(super) out: OutFolder,
}

impl PipelineArgs {
    /// The command that runs one stage of this pipeline alone, in the folder `out`.
    pub(super) fn again(&self, global: &Global, stage: &str, out: &Path, threads: usize) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe().context("can't find this program")?);
        command.arg("run").arg(&self.file).args([stage, "--join", "1", "--quiet", "--threads", &threads.to_string()]);
        command.arg("--out").arg(out);
        for set in &self.set {
            command.args(["--set", set]);
        }
        if let Some(seed) = global.chosen_seed {
            command.args(["--seed", &seed.to_string()]);
        }
        if let Some(memory) = global.memory {
            command.args(["--memory", &format!("{}KiB", memory.0 >> 10)]);
        }
        if let Some(models) = &global.models {
            command.arg("--models").arg(models);
        }
        Ok(command)
    }

    pub(super) fn open(&self, global: &Global) -> anyhow::Result<Pipeline> {
        let mut file = PipelineFile::read(&self.file, &self.set)?;
        file.seed = global.chosen_seed.unwrap_or(file.seed);
        let mut commands = read_stages(&file, KINDS)?;
        let steps = order(commands.iter().map(|command| command.step.clone()).collect())?;
        commands.sort_by_key(|command| steps.iter().position(|step| step.name == command.step.name));
        let name = self.file.file_stem().context("a pipeline has a file name")?;
        let out = OutFolder::new(self.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(name)));
        Ok(Pipeline { commands, steps, out })
    }
}

/// Prints the state of each stage.
pub(super) fn status(args: &StatusArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { steps, out, .. } = args.pipeline.open(global)?;
    let states = predict_states(&out, &steps, &vec![Action::Refresh; steps.len()], &AtomicBool::new(false))?;
    let text = if global.json {
        steps.iter().zip(&states).map(|(step, state)| as_json(step, state)).collect()
    } else {
        TableOf::new(&steps.iter().zip(&states).collect::<Vec<_>>())
            .left("stage", |(step, _)| &step.name)
            .left("command", |(step, _)| step.kind.command)
            .left("state", |(_, state)| state.name())
            .left("why", |(_, state)| state.why())
            .text()
    };
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Brings stages up to date, each after the stages that it needs.
pub(super) fn run(args: &RunArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline { commands, steps, out } = args.pipeline.open(global)?;
    if args.shard.is_some() || args.join.is_some() {
        return run_alone(args, &commands, &out, global);
    }
    let RunArgs { stages, from, until, force, .. } = args;
    let selection = Selection { stages: stages.clone(), from: from.clone(), until: until.clone(), force: *force };
    let actions = selection.of(&steps)?;
    // Checked before anything is written, so that nothing starts that can't finish. An interruption ends the process.
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
    let chosen = commands.iter().zip(actions).filter(|(_, action)| *action != Action::Leave);
    let run = Run { stages: chosen.collect(), steps: &steps, out: &out, global, stop };
    let ended = run.run(&mut |told| match told {
        Told::State(step, state) => tell(global, step, &state),
        Told::Answer { text, moved } => {
            to_stdout(&Brief { lines: if global.json { usize::MAX } else { LINES }, moved }.of(&text))
        }
        Told::Interrupted(kept) => {
            global.note(&format!("interrupted: {kept}"));
            Ok(())
        }
    })?;
    if ended.is_interrupted {
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    let (ran, up_to_date) = (counted(ended.ran, "stage"), ended.up_to_date);
    global.note(&format!("note: {ran} ran, {up_to_date} up to date; everything is in {}", out.path().display()));
    Ok(ExitCode::SUCCESS)
}

/// Runs one stage or a part of it; other processes may work in the same folder.
fn run_alone(args: &RunArgs, commands: &[ReadyStage], out: &OutFolder, global: &Global) -> anyhow::Result<ExitCode> {
    let [name] = &args.stages[..] else { bail!("--shard and --join take one stage, not {}", args.stages.len()) };
    let names = commands.iter().map(|command| command.step.name.as_str());
    let found = commands.iter().find(|command| command.step.name == *name);
    let stage = found.with_context(|| format!("there is no stage `{name}`{}", did_you_mean(name, names)))?;
    mineflow_store::refuse_other_owner(out.path(), "run")?;
    let up_to_date =
        state(out, &stage.step, Action::Refresh, &BTreeSet::new(), interrupt::listen()?)? == StageState::UpToDate;
    if up_to_date {
        tell(global, &stage.step, &StageState::UpToDate)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ended = show(global, None, |context| match args.shard {
        Some(part) => stage.run_part(part, out, context),
        None => stage.join_parts(args.join.unwrap_or(1), out, context),
    })?;
    // A scheduler reads exit code 1 as a failure.
    Ok(if ended == ExitCode::from(NO) { ExitCode::SUCCESS } else { ended })
}

/// Notes the stages that are outdated but used as they are, because other stages read them.
fn note_what_is_left(global: &Global, steps: &[Step], states: &[StageState], actions: &[Action]) {
    let run = || steps.iter().zip(actions).filter(|(_, action)| **action != Action::Leave).map(|(step, _)| step);
    for ((step, state), action) in steps.iter().zip(states).zip(actions) {
        let is_read = run().any(|reader| reader.needs().any(|name| name == step.name));
        if *action == Action::Leave && *state != StageState::UpToDate && is_read {
            let (name, why) = (&step.name, state.why());
            global.note(&format!("note: {name} is used as it is, though it is {}: {why}", state.name()));
        }
    }
}

/// Prints whether a stage runs, and why.
fn tell(global: &Global, step: &Step, state: &StageState) -> anyhow::Result<()> {
    to_stdout(&if global.json {
        as_json(step, state)
    } else {
        match state {
            StageState::UpToDate => format!("{}: up to date\n", step.name),
            StageState::Stale(_) => format!("{}: runs ({})\n", step.name, state.why()),
            StageState::Waits(_) => format!("{}: {}\n", step.name, state.why()),
        }
    })
}

fn as_json(step: &Step, state: &StageState) -> String {
    let (name, command) = (&step.name, step.kind.command);
    format!("{}\n", json!({"stage": name, "command": command, "state": state.name(), "why": state.why()}))
}
