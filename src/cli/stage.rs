//! Runs any stage from the command line: parses its settings, shows progress, prints its answer.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint};

use super::examples::examples;
use super::failure::{NO, exit_as};
use super::output::to_stdout;
use super::progress::Meter;
use super::{EXIT_CODES, Global, KINDS, interrupt};
use mineflow_arena::Part;
use mineflow_tasks::definition::{Context, Outcome};
use mineflow_tasks::part::record;

/// The argument that says where a stage works.
const OUT: &str = "out";
/// The argument that says which part of the games it plays.
const PART: &str = "shard";

/// Adds the commands of all stages, in their order; one of two words to the command of the first.
pub(super) fn add_to(cli: Command) -> Command {
    KINDS.all.iter().enumerate().fold(cli, |cli, (place, kind)| {
        let out = Arg::new(OUT).long(OUT).value_name("DIR").help(kind.out).value_hint(ValueHint::AnyPath);
        let out = out.value_parser(clap::value_parser!(PathBuf));
        let (group, name) =
            kind.command.split_once(' ').map_or((None, kind.command), |(group, name)| (Some(group), name));
        let notes = if kind.notes.is_empty() { EXIT_CODES } else { kind.notes };
        let command = Command::new(name).after_help(examples(kind.examples, notes)).display_order(place);
        // After the arguments, whose documentation would be the summary.
        let mut command = (kind.definition.arguments)(command).about(kind.summary).arg(out);
        if kind.parts.is_some() {
            let part = Arg::new(PART).long(PART).value_name("I/N").requires(OUT);
            let help = "Play part I of N only, for N machines, each with its own --out; `pipeline merge` joins them";
            command = command.arg(part.help(help).value_parser(|text: &str| text.parse::<Part>()));
        }
        match group {
            Some(group) => cli.mut_subcommand(group, |group| group.subcommand(command)),
            None => cli.subcommand(command),
        }
    })
}

/// Runs the stage that a command line asks for; `None` if it asks for another command.
pub(super) fn run(matches: &ArgMatches, global: &Global) -> Option<anyhow::Result<ExitCode>> {
    let (name, own) = matches.subcommand()?;
    let in_group = || own.subcommand().map(|(inner, own)| (format!("{name} {inner}"), own));
    let (name, own) = in_group().filter(|(name, _)| KINDS.of(name).is_some()).unwrap_or((name.to_owned(), own));
    let kind = KINDS.of(&name)?;
    let job = (kind.definition.parsed)(own).unwrap_or_else(|error| exit_as(&error));
    let part = kind.parts.and_then(|_| own.get_one::<Part>(PART)).copied();
    Some(show(global, own.get_one::<PathBuf>(OUT).cloned(), |context| {
        let context = Context { part: part.unwrap_or_default(), ..context.clone() };
        let outcome = job.run(&context)?;
        if part.is_some() && matches!(outcome, Outcome::Done(_)) {
            record(&context, &name, job.values())?;
        }
        Ok(outcome)
    }))
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
