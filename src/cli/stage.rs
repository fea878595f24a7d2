//! The one path of every stage: its settings from the command line, its run with progress, its answer.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, ValueHint};

use super::failure::NO;
use super::output::answer;
use super::progress::Meter;
use super::{EXIT_CODES, Global, interrupt};
use crate::stage::definition::{Context, Job, Outcome};
use crate::stage::pipeline::{KINDS, Kind};

/// The argument that says where a stage works.
const OUT: &str = "out";

/// The commands of all stages whose settings are a struct, in their order.
pub(super) fn commands() -> impl Iterator<Item = Command> {
    KINDS.iter().enumerate().filter_map(|(place, kind)| {
        let stage = kind.stage?;
        let (value, help) = stage.out;
        let out = Arg::new(OUT).long(OUT).value_name(value).help(help).value_hint(ValueHint::AnyPath);
        let out = out.value_parser(clap::value_parser!(PathBuf));
        let command = Command::new(kind.command).about(stage.summary).after_help(EXIT_CODES).display_order(place);
        Some((stage.definition.arguments)(command).arg(out))
    })
}

/// Runs the stage that a command line asks for; `None` if it asks for another command.
pub(super) fn run(matches: &ArgMatches, global: &Global) -> Option<anyhow::Result<ExitCode>> {
    let (name, own) = matches.subcommand()?;
    let stage = Kind::of(name)?.stage?;
    let job = (stage.definition.parsed)(own).unwrap_or_else(|error| error.exit());
    Some(run_stage(&*job, own.get_one::<PathBuf>(OUT).cloned(), global))
}

/// Runs a stage with progress and prints its answer.
pub(super) fn run_stage(job: &dyn Job, out: Option<PathBuf>, global: &Global) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let context = Context { out, seed: global.seed, threads: global.threads(), stop, observer: &meter };
    let outcome = job.run(&context);
    meter.finish();
    match outcome? {
        Outcome::Done(of) => {
            answer(&if global.json { of.json()? } else { of.text() })?;
            Ok(if of.is_no() { ExitCode::from(NO) } else { ExitCode::SUCCESS })
        }
        Outcome::Interrupted(kept) => {
            global.note(&format!("interrupted: {kept}"));
            Ok(ExitCode::from(interrupt::INTERRUPTED))
        }
    }
}
