//! Runs a stage from the command line: progress, answer and record of a part.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgMatches;

use super::failure::NO;
use super::output::to_stdout;
use super::progress::Meter;
use super::stages::{OUT, SHARD, Task};
use super::{Global, interrupt};
use mineflow_arena::Part;
use mineflow_tasks::part::record;
use mineflow_tasks::{Context, Outcome};

/// Runs a single stage.
pub(super) fn run(
    task: Task<'_>,
    matches: &ArgMatches,
    global: &Global,
) -> anyhow::Result<ExitCode> {
    let (name, own) = innermost(matches);
    let part = own.try_get_one::<Part>(SHARD).ok().flatten().copied();
    show(global, own.get_one::<PathBuf>(OUT).cloned(), |context| {
        let context = Context {
            part: part.unwrap_or_default(),
            ..context.clone()
        };
        task.stage.check()?;
        let outcome = task.stage.run(&context)?;
        if part.is_some() && matches!(outcome, Outcome::Done(_)) {
            record(&context, &name, task.settings)?;
        }
        Ok(outcome)
    })
}

/// The name and arguments of the innermost subcommand.
fn innermost(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (mut names, mut matches) = (Vec::new(), matches);
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
    meter.finish();
    match outcome? {
        Outcome::Done(of) => {
            to_stdout(&if global.json { of.json()? } else { of.text() })?;
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
