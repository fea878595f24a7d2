//! `pipeline run`: runs stages one after the other, each on all threads.

use std::collections::BTreeSet;
use std::io::stdin;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};

use super::failure::NO;
use super::output::{to_stderr, to_stdout};
use super::pipeline::{
    Action, Input, InputSource, OutFolder, PipelineFile, ReadyStage, Selection, StageRecord,
    StageState, Step, did_you_mean, order, predict_states, read_stages, state,
};
use super::progress::Meter;
use super::stage::show;
use super::terminal::draw;
use super::{Global, interrupt};
use mineflow_arena::Part;
use mineflow_arena::numbers::{counted, humane};
use mineflow_tasks::Outcome;
use mineflow_tasks::help::{EXIT_CODES, examples};

/// The maximum number of lines of a stage's table to print. The tables are in the stage's folder.
const LINES: usize = 24;

/// A pipeline file and its output folder.
#[derive(Args)]
pub(super) struct PipelineArgs {
    /// Read this pipeline: a TOML file of stages
    file: PathBuf,
    /// Write to this folder, with a subfolder for each stage [default: runs/ and the file's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Override a setting: STAGE.KEY=VALUE, or seed=N; may be given several times
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
    /// Bring these stages and their dependencies up to date [default: all]
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
    /// Print what would run and why, without running it; with --json, as jobs for a scheduler
    #[arg(long)]
    dry_run: bool,
    /// For schedulers: run shard I of N of the one named stage; its dependencies are used as they
    /// are
    #[arg(long, value_name = "I/N", conflicts_with_all = ["from", "until", "force", "dry_run", "join"])]
    shard: Option<Part>,
    /// For schedulers: finish the one named stage from its N shards (1 runs the whole stage); its
    /// dependencies are used as they are
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "until", "force", "dry_run"], value_parser = clap::value_parser!(u64).range(1..))]
    join: Option<u64>,
    /// List the unfinished work, shards and outputs of other settings, and ask whether to delete
    /// them
    #[arg(long, conflicts_with_all = ["stages", "from", "until", "force", "dry_run", "shard", "join"])]
    clean: bool,
}

/// A parsed pipeline.
pub(super) struct Pipeline {
    /// The stages, each after the stages that it reads.
    pub(super) commands: Vec<ReadyStage>,
    pub(super) steps: Vec<Step>,
    pub(super) out: OutFolder,
}

impl PipelineArgs {
    pub(super) fn open(&self, global: &Global) -> anyhow::Result<Pipeline> {
        let mut file = PipelineFile::read(&self.file, &self.set)?;
        file.seed = global.chosen_seed.unwrap_or(file.seed);
        let mut commands = read_stages(&file, &global.published)?;
        let steps = order(
            commands
                .iter()
                .map(|command| command.step.clone())
                .collect(),
        )?;
        commands
            .sort_by_key(|command| steps.iter().position(|step| step.name == command.step.name));
        let name = self
            .file
            .file_stem()
            .context("a pipeline has a file name")?;
        let out = OutFolder::new(
            self.out
                .clone()
                .unwrap_or_else(|| PathBuf::from("runs").join(name)),
        );
        Ok(Pipeline {
            commands,
            steps,
            out,
        })
    }
}

/// Brings stages up to date, each after its dependencies.
pub(super) fn run(args: &RunArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let Pipeline {
        commands,
        steps,
        out,
    } = args.pipeline.open(global)?;
    if args.clean {
        return clean(&steps, &out);
    }
    if args.shard.is_some() || args.join.is_some() {
        return run_alone(args, &commands, &out, global);
    }
    let selection = Selection {
        stages: args.stages.clone(),
        from: args.from.clone(),
        until: args.until.clone(),
        force: args.force,
    };
    let actions = selection.of(&steps)?;
    // Check that all inputs exist before anything is written, because a run without them can't
    // finish. An interruption ends the process.
    let states = predict_states(&out, &steps, &actions, &AtomicBool::new(false))?;
    note_what_is_left(global, &steps, &states, &actions);
    // The stages are in the order of the steps.
    let planned = commands.iter().zip(states).zip(actions);
    let planned = planned.filter(|(_, action)| *action != Action::Leave);
    if args.dry_run {
        for ((stage, state), _) in planned {
            to_stdout(&if global.json {
                as_job(stage, &state, &out)
            } else {
                in_words(&stage.step, &state)
            })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<_> = planned
        .map(|((stage, _), action)| (stage, action))
        .collect();
    run_stages(&chosen, &out, global)
}

/// Runs these stages where they are not up to date, and says at the end what there is now.
fn run_stages(
    stages: &[(&ReadyStage, Action)],
    out: &OutFolder,
    global: &Global,
) -> anyhow::Result<ExitCode> {
    let _lock = out.lock()?;
    let stop = interrupt::listen()?;
    let mut ran = 0;
    for (index, &(stage, action)) in stages.iter().enumerate() {
        let (state, wanted) = state(out, &stage.step, action, &BTreeSet::new(), stop)?;
        let wanted = wanted.expect("no stage is left to run before this one");
        if global.json || state == StageState::UpToDate {
            tell(global, &stage.step, &state)?;
        }
        if state == StageState::UpToDate {
            continue;
        }
        let name = &stage.step.name;
        let why = state.why();
        let folder = out.stage(name);
        if action == Action::Refresh && folder.restore(&stage.step, &wanted, stop)? {
            global.note(&format!("{name}: {why}; its earlier output is used again"));
            continue;
        }
        let began = Instant::now();
        let label = format!("{name} ({} of {}; {why})", index + 1, stages.len());
        match run_stage(stage, wanted, &label, out, global, stop)? {
            Ok(answer) if global.json => to_stdout(&answer)?,
            Ok(answer) => {
                let head = format!("{name}: {why}, {}", humane(began.elapsed()));
                to_stdout(&on_a_screen(&head, &answer, &folder.finished()))?;
            }
            Err(kept) => {
                global.note(&format!("interrupted: {kept}"));
                return Ok(ExitCode::from(interrupt::INTERRUPTED));
            }
        }
        ran += 1;
    }
    global.note(&format!(
        "note: {} ran, {} up to date; everything is in {}",
        counted(ran, "stage"),
        stages.len() as u64 - ran,
        out.path().display()
    ));
    for (stage, _) in stages {
        if stage.step.task.name == "report" {
            let report = out.stage(&stage.step.name).finished().join("index.html");
            global.note(&format!("note: the report is {}", report.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the folders that the stages don't need, and deletes them if the user agrees.
fn clean(steps: &[Step], out: &OutFolder) -> anyhow::Result<ExitCode> {
    let _lock = out.lock()?;
    let left = |step| out.left_over(step, &AtomicBool::new(false));
    let left: Vec<_> = steps.iter().flat_map(left).collect();
    for path in &left {
        to_stderr(&path.display().to_string());
    }
    if left.is_empty() {
        to_stderr("note: there is nothing to delete");
        return Ok(ExitCode::SUCCESS);
    }
    to_stderr("Delete these folders? Type y for yes.");
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    if answer.trim() != "y" {
        return Ok(ExitCode::from(NO));
    }
    left.iter()
        .try_for_each(|path| mineflow_store::remove_folder(path))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a stage to its end. Returns the part of its answer to print, or a description of what is
/// saved if the stage was interrupted.
fn run_stage(
    stage: &ReadyStage,
    made_from: StageRecord,
    label: &str,
    out: &OutFolder,
    global: &Global,
    stop: &'static AtomicBool,
) -> anyhow::Result<Result<String, String>> {
    let begun = stage.begin(out, made_from)?;
    // The files will be moved to another folder.
    let moved = [&begun.work, &begun.finished].map(|folder| folder.display().to_string());
    let shown = |text: String| text.replace(&moved[0], &moved[1]);
    interrupt::allow_exit(None);
    let meter = Meter::labelled(global, &format!("{label}: "));
    Ok(match begun.run(&global.context(None, stop, &meter))? {
        Outcome::Done(answer) if global.json => Ok(shown(answer.json()?)),
        Outcome::Done(answer) => Ok(shown(draw(&answer.text()))),
        Outcome::Interrupted(kept) => Err(kept),
    })
}

/// Joins what is said of a finished stage: `head`, and the first table of its answer if it fits on
/// a screen.
fn on_a_screen(head: &str, answer: &str, folder: &Path) -> String {
    let first = answer.split("\n\n").next().unwrap_or_default().trim_end();
    let is_all = first.len() == answer.trim_end().len();
    match first.lines().count() {
        0 => format!("{head}\n"),
        1 if is_all => format!("{head}: {first}\n"),
        lines if lines <= LINES && is_all => format!("{head}:\n{first}\n"),
        lines if lines <= LINES => {
            format!("{head}:\n{first}\nmore is in {}\n", folder.display())
        }
        _ => format!("{head}; its tables are in {}\n", folder.display()),
    }
}

/// Runs one shard of a stage (`--shard`), or joins its shards (`--join`). Other processes may work
/// in the same folder at the same time.
fn run_alone(
    args: &RunArgs,
    commands: &[ReadyStage],
    out: &OutFolder,
    global: &Global,
) -> anyhow::Result<ExitCode> {
    let [name] = &args.stages[..] else {
        bail!(
            "--shard and --join take one stage, not {}",
            args.stages.len()
        )
    };
    let names = commands.iter().map(|command| command.step.name.as_str());
    let found = commands.iter().find(|command| command.step.name == *name);
    let stage = found
        .with_context(|| format!("there is no stage `{name}`{}", did_you_mean(name, names)))?;
    if args.shard.is_some() {
        stage.ensure_has_parts()?;
    }
    mineflow_store::refuse_other_owner(out.path(), "run")?;
    let up_to_date = state(
        out,
        &stage.step,
        Action::Refresh,
        &BTreeSet::new(),
        interrupt::listen()?,
    )?
    .0 == StageState::UpToDate;
    if up_to_date {
        tell(global, &stage.step, &StageState::UpToDate)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ended = show(global, None, |context| match args.shard {
        Some(part) => stage.run_part(part, out, context),
        None => stage.join_parts(args.join.unwrap_or(1), out, context),
    })?;
    // Replace exit code 1, which a scheduler would read as a failure.
    Ok(if ended == ExitCode::from(NO) {
        ExitCode::SUCCESS
    } else {
        ended
    })
}

/// Prints a note about outdated stages that are used as they are because selected stages read them.
fn note_what_is_left(global: &Global, steps: &[Step], states: &[StageState], actions: &[Action]) {
    let run = || {
        steps
            .iter()
            .zip(actions)
            .filter(|(_, action)| **action != Action::Leave)
            .map(|(step, _)| step)
    };
    for ((step, state), action) in steps.iter().zip(states).zip(actions) {
        let is_read = run().any(|reader| reader.needs().any(|name| name == step.name));
        if *action == Action::Leave && *state != StageState::UpToDate && is_read {
            let name = &step.name;
            let why = state.why();
            global.note(&format!(
                "note: {name} is used as it is, though it is {}: {why}",
                state.name()
            ));
        }
    }
}

/// Prints whether a stage runs, and why.
fn tell(global: &Global, step: &Step, state: &StageState) -> anyhow::Result<()> {
    to_stdout(&if global.json {
        as_json(step, state).to_string() + "\n"
    } else {
        in_words(step, state)
    })
}

fn in_words(step: &Step, state: &StageState) -> String {
    match state {
        StageState::UpToDate => format!("{}: up to date\n", step.name),
        StageState::Stale(_) => format!("{}: runs ({})\n", step.name, state.why()),
        StageState::Waits(_) => format!("{}: {}\n", step.name, state.why()),
    }
}

fn as_json(step: &Step, state: &StageState) -> Value {
    json!({"stage": step.name, "command": step.task.name, "state": state.name(), "why": state.why()})
}

/// Describes a stage as a scheduler's job, in a line of JSON: its state, the stages and files that
/// it reads, its output folder, whether several machines can share it (`--shard`), and all other
/// settings that its results depend on.
fn as_job(stage: &ReadyStage, state: &StageState, out: &OutFolder) -> String {
    let step = &stage.step;
    let path = |input: &Input| match &input.from {
        InputSource::Path(path) => Some(path.display().to_string()),
        InputSource::Stage { .. } => None,
    };
    let mut job = as_json(step, state);
    job["needs"] = json!(step.needs().collect::<Vec<_>>());
    job["inputs"] = json!(step.inputs.iter().filter_map(path).collect::<Vec<_>>());
    job["output"] = json!(out.stage(&step.name).finished().display().to_string());
    job["shardable"] = json!(stage.has_parts());
    job["settings"] = Value::Object(step.settings.clone());
    job.to_string() + "\n"
}
