//! Runs a stage from the command line: its progress, its answer, and the record of a shard of the
//! run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::failure::NO;
use super::output::{brief, to_stdout};
use super::progress::Meter;
use super::stages::{OUT, SHARD, Task};
use super::terminal::draw;
use super::{Global, interrupt};
use mineflow_arena::Part;
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_model::Artifact;
use mineflow_search::options::quote;
use mineflow_tasks::part::record;
use mineflow_tasks::{Context, Outcome, table};

/// The folder of `eval` without any setting.
const BARE_EVAL: &str = "runs/eval";
/// The maximum number of lines of an answer that are printed if the output folder has them all.
const LINES: usize = 40;

/// Runs a single stage.
pub(super) fn run(
    task: Task<'_>,
    matches: &ArgMatches,
    global: &Global,
) -> anyhow::Result<ExitCode> {
    let (name, own) = innermost(matches);
    let part = own.try_get_one::<Part>(SHARD).ok().flatten().copied();
    let is_given = |id: &str| own.value_source(id) == Some(ValueSource::CommandLine);
    let is_global = |id: &clap::Id| matches.ids().any(|global| global == id);
    let is_bare = own.ids().all(|id| is_global(id) || !is_given(id.as_str()));
    // The overfitting check saves nothing.
    let saves_nothing = own.try_get_one("overfit").ok().flatten() == Some(&true);
    let out = match own.get_one::<PathBuf>(OUT) {
        _ if saves_nothing => None,
        None if is_bare && name == "eval" => Some(PathBuf::from(BARE_EVAL)),
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
        task.stage.check()?;
        let outcome = task.stage.run(&context)?;
        if !matches!(outcome, Outcome::Done(_)) {
            return Ok(outcome);
        }
        if part.is_some() {
            record(&context, &name, task.settings)?;
            context.note("note: `pipeline merge OUT SHARD...` joins all shards");
        } else if let Some(next) = context
            .out
            .as_deref()
            .and_then(|out| how_to_play(&name, out))
        {
            context.note(&format!("note: {next}"));
        }
        Ok(outcome)
    })
}

/// Describes how to play with the model that a training run wrote to `out`. Returns `None` for
/// other commands and for models that no player loads.
fn how_to_play(command: &str, out: &Path) -> Option<String> {
    let trained = table::task(command).filter(|_| command.starts_with("train-"))?;
    let file = out.join(trained.output);
    let model = Arc::new(Artifact::read(&file).ok()?);
    let player = PlayerSpec::asking()
        .find(|player| PlayerSpec::with_model(player, model.clone()).is_ok())?;
    let file = file.display().to_string();
    let file = quote(&file);
    Some(format!(
        "play with it: pipeline compare {player} 7.0 --model {player}={file} --luck-corrected"
    ))
}

/// Returns the name of the innermost subcommand, including those of the commands around it, and its
/// arguments.
fn innermost(matches: &ArgMatches) -> (String, &ArgMatches) {
    let mut names = Vec::new();
    let mut matches = matches;
    while let Some((name, inner)) = matches.subcommand() {
        names.push(name);
        matches = inner;
    }
    (names.join(" "), matches)
}

/// Runs a stage with progress and prints its answer.
pub(super) fn show(
    global: &Global,
    out: Option<PathBuf>,
    work: impl FnOnce(&Context<'_>) -> anyhow::Result<Outcome>,
) -> anyhow::Result<ExitCode> {
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
