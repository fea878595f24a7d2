//! `pipeline run`: runs stages one after the other, each on all threads.

use std::{
    collections::BTreeSet,
    io::stdin,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::{
    Global,
    failure::NO,
    interrupt,
    output::{to_stderr, to_stdout},
    pipeline::{
        Action, Input, InputSource, PipelineFile, Selection, Stage, StageRecord, StageState,
        compare, did_you_mean, lock_output, order, predict_states, read_stages,
    },
    progress::Meter,
    stage::show,
    terminal::draw,
};
use mineflow_arena::{
    Part,
    numbers::{counted, humane},
};
use mineflow_tasks::{
    Outcome,
    help::{EXIT_CODES, examples},
};

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
    #[command(flatten)]
    selection: Selection,
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

impl PipelineArgs {
    /// Reads the stages of the pipeline, each after the stages that it reads.
    fn open(&self, global: &Global) -> Result<Vec<Stage>> {
        let mut file = PipelineFile::read(&self.file, &self.set)?;
        file.seed = global.seed.unwrap_or(file.seed);
        let name = self
            .file
            .file_stem()
            .context("a pipeline has a file name")?;
        let default = || PathBuf::from("runs").join(name);
        let out = self.out.clone().unwrap_or_else(default);
        order(read_stages(&file, &out, &global.published)?)
    }
}

/// Brings stages up to date, each after its dependencies.
pub(super) fn run(args: &RunArgs, global: &Global) -> Result<ExitCode> {
    let stages = args.pipeline.open(global)?;
    let out = &stages.first().expect("a pipeline has stages").out;
    if args.clean {
        return clean(&stages, out);
    }
    if args.shard.is_some() || args.join.is_some() {
        return run_alone(args, &stages, out, global);
    }
    let actions = args.selection.of(&stages)?;
    // Check that all inputs exist before anything is written, because a run without them can't
    // finish. An interruption ends the process.
    let states = predict_states(&stages, &actions, &AtomicBool::new(false))?;
    note_what_is_left(global, &stages, &states, &actions);
    let planned = stages.iter().zip(states).zip(actions);
    let planned = planned.filter(|(_, action)| *action != Action::Leave);
    if args.dry_run {
        for ((stage, state), _) in planned {
            to_stdout(&if global.json {
                as_job(stage, &state)
            } else {
                in_words(stage, &state)
            })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<_> = planned
        .map(|((stage, _), action)| (stage, action))
        .collect();
    run_stages(&chosen, out, global)
}

/// Runs these stages where they are not up to date, and says at the end what there is now.
fn run_stages(stages: &[(&Stage, Action)], out: &Path, global: &Global) -> Result<ExitCode> {
    let _lock = lock_output(out)?;
    let stop = interrupt::listen()?;
    let mut ran = 0;
    for (index, &(stage, action)) in stages.iter().enumerate() {
        let (state, wanted) = stage.state(action, &BTreeSet::new(), stop)?;
        let wanted = wanted.expect("no stage is left to run before this one");
        if global.json || state == StageState::UpToDate {
            tell(global, stage, &state)?;
        }
        if state == StageState::UpToDate {
            continue;
        }
        let name = &stage.name;
        let why = state.why();
        if action == Action::Refresh && stage.restore(&wanted, stop)? {
            global.note(&format!("{name}: {why}; its earlier output is used again"));
            continue;
        }
        let began = Instant::now();
        let label = format!("{name} ({} of {}; {why})", index + 1, stages.len());
        match run_stage(stage, &wanted, &label, global, stop)? {
            Ok(answer) if global.json => to_stdout(&answer)?,
            Ok(answer) => {
                let head = format!("{name}: {why}, {}", humane(began.elapsed()));
                to_stdout(&on_a_screen(&head, &answer, &stage.finished()))?;
            }
            Err(kept) => {
                global.note(&format!("interrupted: {kept}"));
                return Ok(ExitCode::from(interrupt::INTERRUPTED));
            }
        }
        ran += 1;
    }
    let finished: Vec<&Stage> = stages.iter().map(|(stage, _)| *stage).collect();
    let compared = compare(&finished, out)?;
    if !global.json {
        to_stdout(&draw(&compared))?;
    }
    global.note(&format!(
        "note: {} ran, {} up to date; everything is in {}",
        counted(ran, "stage"),
        stages.len() as u64 - ran,
        out.display()
    ));
    for (stage, _) in stages {
        if stage.task.name == "report" {
            let report = stage.finished().join("index.html");
            global.note(&format!("note: the report is {}", report.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the folders that the stages don't need, and deletes them if the user agrees.
fn clean(stages: &[Stage], out: &Path) -> Result<ExitCode> {
    let _lock = lock_output(out)?;
    let left = |stage: &Stage| stage.left_over(&AtomicBool::new(false));
    let left: Vec<_> = stages.iter().flat_map(left).collect();
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
    stage: &Stage,
    made_from: &StageRecord,
    label: &str,
    global: &Global,
    stop: &'static AtomicBool,
) -> Result<Result<String, String>> {
    let work = stage.begin(made_from)?;
    // The files will be moved to another folder.
    let moved = [&work, &stage.finished()].map(|folder| folder.display().to_string());
    let shown = |text: String| text.replace(&moved[0], &moved[1]);
    interrupt::allow_exit(None);
    let meter = Meter::labelled(global, &format!("{label}: "));
    let context = global.context(None, stop, &meter);
    Ok(match stage.run(&work, made_from, &context)? {
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
fn run_alone(args: &RunArgs, stages: &[Stage], out: &Path, global: &Global) -> Result<ExitCode> {
    let [name] = &args.selection.stages[..] else {
        bail!(
            "--shard and --join take one stage, not {}",
            args.selection.stages.len()
        )
    };
    let names = stages.iter().map(|stage| stage.name.as_str());
    let found = stages.iter().find(|stage| stage.name == *name);
    let stage = found
        .with_context(|| format!("there is no stage `{name}`{}", did_you_mean(name, names)))?;
    if args.shard.is_some() {
        stage.ensure_has_parts()?;
    }
    mineflow_store::refuse_other_owner(out, "run")?;
    let (state, _) = stage.state(Action::Refresh, &BTreeSet::new(), interrupt::listen()?)?;
    if state == StageState::UpToDate {
        tell(global, stage, &state)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ended = show(global, None, |context| match args.shard {
        Some(part) => stage.run_part(part, context),
        None => stage.join_parts(args.join.unwrap_or(1), context),
    })?;
    // Replace exit code 1, which a scheduler would read as a failure.
    Ok(if ended == ExitCode::from(NO) {
        ExitCode::SUCCESS
    } else {
        ended
    })
}

/// Prints a note about outdated stages that are used as they are because selected stages read them.
fn note_what_is_left(global: &Global, stages: &[Stage], states: &[StageState], actions: &[Action]) {
    let run = || {
        stages
            .iter()
            .zip(actions)
            .filter(|(_, action)| **action != Action::Leave)
            .map(|(stage, _)| stage)
    };
    for ((stage, state), action) in stages.iter().zip(states).zip(actions) {
        let is_read = run().any(|reader| reader.needs().any(|name| name == stage.name));
        if *action == Action::Leave && *state != StageState::UpToDate && is_read {
            let name = &stage.name;
            let why = state.why();
            global.note(&format!(
                "note: {name} is used as it is, though it is {}: {why}",
                state.name()
            ));
        }
    }
}

/// Prints whether a stage runs, and why.
fn tell(global: &Global, stage: &Stage, state: &StageState) -> Result<()> {
    to_stdout(&if global.json {
        as_json(stage, state).to_string() + "\n"
    } else {
        in_words(stage, state)
    })
}

fn in_words(stage: &Stage, state: &StageState) -> String {
    match state {
        StageState::UpToDate => format!("{}: up to date\n", stage.name),
        StageState::Stale(_) => format!("{}: runs ({})\n", stage.name, state.why()),
        StageState::Waits(_) => format!("{}: {}\n", stage.name, state.why()),
    }
}

fn as_json(stage: &Stage, state: &StageState) -> Value {
    json!({"stage": stage.name, "command": stage.task.name, "state": state.name(), "why": state.why()})
}

/// Describes a stage as a scheduler's job, in a line of JSON: its state, the stages and files that
/// it reads, its output folder, whether several machines can share it (`--shard`), and all other
/// settings that its results depend on.
fn as_job(stage: &Stage, state: &StageState) -> String {
    let path = |input: &Input| match &input.from {
        InputSource::Path(path) => Some(path.display().to_string()),
        InputSource::Stage { .. } => None,
    };
    let mut job = as_json(stage, state);
    job["needs"] = json!(stage.needs().collect::<Vec<_>>());
    job["inputs"] = json!(stage.inputs.iter().filter_map(path).collect::<Vec<_>>());
    job["output"] = json!(stage.finished().display().to_string());
    job["shardable"] = json!(stage.has_parts());
    job["settings"] = Value::Object(stage.settings.clone());
    job.to_string() + "\n"
}
