//! Runs a command that can be a stage: `--out` and `--shard`, progress, the answer.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command as ClapCommand, ValueHint};

use super::commands::Task;
use super::failure::NO;
use super::output::to_stdout;
use super::progress::Meter;
use super::{Global, interrupt};
use mineflow_arena::Part;
use mineflow_tasks::part::record;
use mineflow_tasks::table::{TASKS, TaskInfo};
use mineflow_tasks::{Context, Outcome};

/// The argument that names the folder of a stage.
pub(crate) const OUT: &str = "out";
/// The argument that says which part of the games is played.
pub(crate) const SHARD: &str = "shard";

/// Adds `--out`, and `--shard` where the work has parts, to every command that can be a stage.
pub(super) fn add_to(cli: ClapCommand) -> ClapCommand {
    TASKS.iter().fold(cli, |cli, task| change(cli, task.name, &|command| with_folder(command, task)))
}

/// Changes the command of this name, of one word or two; a build without it stays as it is.
fn change(cli: ClapCommand, name: &str, to: &dyn Fn(ClapCommand) -> ClapCommand) -> ClapCommand {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    match cli.find_subcommand(first).is_some() {
        true if rest.is_empty() => cli.mut_subcommand(first, to),
        true => cli.mut_subcommand(first, |group| change(group, rest, to)),
        false => cli,
    }
}

fn with_folder(command: ClapCommand, task: &TaskInfo) -> ClapCommand {
    let help = match task.name {
        "report" => "Folder for the report [default: that of --from]",
        _ => "Folder for the results; interrupted, the same command resumes there",
    };
    let out = Arg::new(OUT).long(OUT).value_name("DIR").help(help).value_hint(ValueHint::AnyPath);
    let command = command.arg(out.value_parser(clap::value_parser!(PathBuf)));
    if task.parts.is_none() {
        return command;
    }
    let help = "Play part I of N only, for N machines, each with its own --out; `pipeline merge` joins them";
    let shard = Arg::new(SHARD).long(SHARD).value_name("I/N").requires(OUT).help(help);
    command.arg(shard.value_parser(|text: &str| text.parse::<Part>()))
}

/// Runs a stage alone.
pub(super) fn run(task: Task<'_>, matches: &ArgMatches, global: &Global) -> anyhow::Result<ExitCode> {
    let (name, own) = innermost(matches);
    let part = own.try_get_one::<Part>(SHARD).ok().flatten().copied();
    show(global, own.get_one::<PathBuf>(OUT).cloned(), |context| {
        let context = Context { part: part.unwrap_or_default(), ..context.clone() };
        task.stage.check()?;
        let outcome = task.stage.run(&context)?;
        if part.is_some() && matches!(outcome, Outcome::Done(_)) {
            record(&context, &name, task.settings)?;
        }
        Ok(outcome)
    })
}

/// The name and arguments of the command that was given.
fn innermost(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (mut names, mut matches) = (Vec::new(), matches);
    while let Some((name, inner)) = matches.subcommand() {
        names.push(name);
        matches = inner;
    }
    (names.join(" "), matches)
}

/// Does the work of a stage with progress and prints its answer.
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
            Ok(if of.is_no() { ExitCode::from(NO) } else { ExitCode::SUCCESS })
        }
        Outcome::Interrupted(kept) => {
            global.note(&format!("interrupted: {kept}"));
            Ok(ExitCode::from(interrupt::INTERRUPTED))
        }
    }
}
