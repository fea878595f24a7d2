//! Runs a stage from the command line: its progress, its answer, and the record of a shard of the
//! run.

use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use clap::{ArgMatches, parser::ValueSource};

use super::{
    Global,
    failure::NO,
    interrupt,
    output::{brief, to_stdout},
    progress::Meter,
    stages::{OUT, SHARD, definition, settings_of},
    terminal::draw,
};
use mineflow_arena::Part;
use mineflow_minesweeper::player::{PlayerSpec, ValueModel};
use mineflow_model::{AnyModel, Artifact};
use mineflow_search::options::quote;
use mineflow_store::Folder;
use mineflow_tasks::{
    Context, Outcome, Stage,
    table::{MODEL, TaskInfo},
};

/// The maximum number of lines of an answer that are printed if the output folder has them all.
const LINES: usize = 40;

/// Runs a single stage, whose command has the arguments `own` among the `matches` of the whole
/// command line.
pub(super) fn run(
    stage: &dyn Stage,
    task: &TaskInfo,
    matches: &ArgMatches,
    own: &ArgMatches,
    global: &Global,
) -> Result<ExitCode> {
    let part = own.try_get_one::<Part>(SHARD).ok().flatten().copied();
    let is_given = |id: &str| own.value_source(id) == Some(ValueSource::CommandLine);
    let is_global = |id: &clap::Id| matches.ids().any(|global| global == id);
    let is_bare = own.ids().all(|id| is_global(id) || !is_given(id.as_str()));
    let out = match own.get_one::<PathBuf>(OUT) {
        None if is_bare && !task.bare_home.is_empty() => Some(task.bare_home.into()),
        out => out.cloned(),
    };
    if let Some(out) = out.as_deref().filter(|_| !is_given(OUT)) {
        let out = out.display();
        global.note(&format!(
            "note: results go to {out}; --out DIR chooses another folder"
        ));
    }
    show(global, out, |context| {
        let context = Context {
            part: part.unwrap_or_default(),
            ..context.clone()
        };
        stage.check()?;
        let outcome = stage.run(&context)?;
        if !matches!(outcome, Outcome::Done(_)) {
            return Ok(outcome);
        }
        if part.is_some() {
            Folder::record_argv(context.folder()?, argv(task, own))?;
            context.note("note: `pipeline merge OUT SHARD...` joins all shards");
        } else if let Some(out) = &context.out
            && MODEL.takes.contains(&task.name)
            && let Some(next) = how_to_play(&out.join(task.output))
        {
            context.note(&format!("note: {next}"));
        }
        Ok(outcome)
    })
}

/// Returns the command line of a task as it was given, without the folder, the shard and the global
/// options: the words of its name, flags, then positional arguments.
fn argv(task: &TaskInfo, given: &ArgMatches) -> Vec<String> {
    let definition = definition(task).expect("it was parsed");
    let mut argv: Vec<_> = task.name.split(' ').map(str::to_owned).collect();
    let mut positional = vec!["--".to_owned()];
    for (name, arg) in settings_of(task, &definition) {
        let id = arg.get_id().as_str();
        let is_given = given.value_source(id) == Some(ValueSource::CommandLine);
        let values = given.get_raw(id).filter(|_| is_given);
        for value in values.into_iter().flatten() {
            let value = value.to_string_lossy();
            if arg.is_positional() {
                positional.push(value.into_owned());
            } else if !arg.get_action().takes_values() {
                argv.push(format!("--{name}"));
            } else if arg.get_value_delimiter().is_some() {
                argv.push(format!("--{name}={}", quote(&value)));
            } else {
                argv.push(format!("--{name}={value}"));
            }
        }
    }
    argv.extend(positional);
    argv
}

/// Describes how to play or to measure with the model that a training run wrote. Returns `None` if
/// nothing loads it. The first player that loads it has trees, and the last one a network.
fn how_to_play(file: &Path) -> Option<String> {
    let model = Arc::new(Artifact::read(file).ok()?);
    let file = file.display().to_string();
    let file = quote(&file);
    if model.check(&ValueModel::expected()).is_ok() {
        return Some(format!(
            "measure with it: pipeline compare 11.0-fast 7.0 --luck-corrected --value-model {file}"
        ));
    }
    let mut players =
        PlayerSpec::asking().filter(|player| PlayerSpec::with_model(player, model.clone()).is_ok());
    let player = match model.model {
        AnyModel::Forest(_) => players.next(),
        _ => players.last(),
    }?;
    Some(format!(
        "play with it: pipeline compare {player} 7.0 --model {player}={file} --luck-corrected"
    ))
}

/// Runs a stage with progress and prints its answer.
pub(super) fn show(
    global: &Global,
    out: Option<PathBuf>,
    work: impl FnOnce(&Context<'_>) -> Result<Outcome>,
) -> Result<ExitCode> {
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let context = global.context(out, stop, &meter);
    let outcome = work(&context);
    // The complete answer is in the output folder, if there is one.
    let lines = context.out.as_ref().map_or(usize::MAX, |_| LINES);
    meter.finish();
    match outcome? {
        Outcome::Done(of) => {
            to_stdout(&if global.json {
                of.json()?
            } else {
                brief(&draw(&of.text()), lines)
            })?;
            Ok(if of.is_no() {
                ExitCode::from(NO)
            } else {
                ExitCode::SUCCESS
            })
        }
        Outcome::Interrupted(kept) => {
            global.note(&format!("interrupted: {kept}"));
            Ok(ExitCode::from(interrupt::INTERRUPTED))
        }
    }
}
