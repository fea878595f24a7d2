//! The commands of [`TASKS`], which can be stages of pipelines.

use std::{ffi::OsString, path::PathBuf};

use clap::{Arg, ArgMatches, Args, Command as ClapCommand, ValueHint};

use crate::spelling::parse;
use mineflow_arena::Part;
use mineflow_report::Report;
use mineflow_tasks::{
    Stage,
    calibrate::Calibrate,
    compare::Compare,
    eval::Eval,
    ggp_match::GgpMatch,
    samegame::{eval::SamegameEval, tune::SamegameTune},
    table::{TASKS, TaskInfo},
};

/// The name of the argument for the folder of a stage.
pub(crate) const OUT: &str = "out";
/// The name of the argument for the shard of the run.
pub(crate) const SHARD: &str = "shard";

/// A command of this build.
struct StageCommand {
    name: &'static str,
    add_arguments: fn(ClapCommand) -> ClapCommand,
    parse: fn(&ArgMatches) -> Result<Box<dyn Stage>, clap::Error>,
}

const fn command<S: Stage + Args + 'static>(name: &'static str) -> StageCommand {
    StageCommand {
        name,
        add_arguments: S::augment_args,
        parse: |matches| Ok(Box::new(S::from_arg_matches(matches)?)),
    }
}

/// The commands, then those of training.
const COMMANDS: &[&[StageCommand]] = &[
    &[
        command::<Eval>("eval"),
        command::<Compare>("compare"),
        command::<Calibrate>("calibrate"),
        command::<SamegameEval>("samegame eval"),
        command::<SamegameTune>("samegame tune"),
        command::<GgpMatch>("ggp match"),
        command::<Report>("report"),
    ],
    #[cfg(feature = "train")]
    &[
        command::<mineflow_tasks::generate::Generate>("generate"),
        command::<mineflow_tasks::generate::Relabel>("data relabel"),
        command::<mineflow_tasks::guess_set::GuessSet>("guess-set"),
        command::<mineflow_tasks::score::Score>("score"),
        command::<mineflow_tasks::choose::Choose>("choose"),
        command::<mineflow_tasks::explain::Explain>("models explain"),
        command::<mineflow_tasks::tune::Tune>("tune"),
        command::<mineflow_tasks::train_trees::TrainTrees>("train-trees"),
        command::<mineflow_tasks::train_network::TrainNetwork>("train-network"),
        command::<mineflow_tasks::train_classifier::TrainClassifier>("train-classifier"),
        command::<mineflow_tasks::train_q::TrainQ>("train-q"),
        command::<mineflow_tasks::fit_alpha::FitAlpha>("fit-alpha"),
    ],
];

impl StageCommand {
    fn find(task: &TaskInfo) -> Option<&'static Self> {
        COMMANDS
            .iter()
            .copied()
            .flatten()
            .find(|command| command.name == task.name)
    }
}

/// Returns the definition of a task's command, or `None` if this build lacks it.
pub(crate) fn definition(task: &TaskInfo) -> Option<ClapCommand> {
    let command = StageCommand::find(task)?;
    let name = task.name.rsplit(' ').next().unwrap_or_default();
    let arguments = (command.add_arguments)(ClapCommand::new(name));
    Some(with_folder(arguments, task).mut_args(negative_numbers_are_values))
}

/// Returns the stage that the matches of a task's command describe, or `None` if this build lacks
/// the command.
pub(crate) fn stage(
    task: &TaskInfo,
    matches: &ArgMatches,
) -> Option<Result<Box<dyn Stage>, clap::Error>> {
    StageCommand::find(task).map(|command| (command.parse)(matches))
}

/// Parses the arguments of a task of this build. The folder is that of the context in which the
/// stage runs.
///
/// # Errors
/// Returns the parse errors of clap.
pub(crate) fn read(task: &TaskInfo, arguments: &[String]) -> Result<Box<dyn Stage>, clap::Error> {
    let missing = "the caller has found the definition";
    // The first word of the name stands for the program, and says which game is played.
    let game = task.name.split(' ').next().unwrap_or_default();
    let folder = format!("--{OUT}=DIR");
    let words = [game, &folder].into_iter().map(OsString::from);
    let words = words.chain(arguments.iter().map(OsString::from)).collect();
    let matches = parse(definition(task).expect(missing), words)?;
    stage(task, &matches).expect(missing)
}

/// Returns the arguments of a task that a pipeline may set: their names and clap definitions.
pub(crate) fn settings_of<'c>(
    task: &'c TaskInfo,
    definition: &'c ClapCommand,
) -> impl Iterator<Item = (&'c str, &'c Arg)> {
    let named = definition
        .get_arguments()
        .map(|arg| (arg.get_long().unwrap_or(arg.get_id().as_str()), arg));
    named.filter(|(name, _)| {
        ![OUT, SHARD, "help"].contains(name) && !task.command_line_only.contains(name)
    })
}

/// Adds the commands of all tasks of this build to a command line, which has their groups.
pub(crate) fn prepared(cli: ClapCommand) -> ClapCommand {
    let cli = TASKS.iter().fold(cli, |cli, task| {
        let Some(definition) = definition(task) else {
            return cli;
        };
        match task.name.split_once(' ') {
            Some((group, _)) => cli.mut_subcommand(group, |group| group.subcommand(definition)),
            None => cli.subcommand(definition),
        }
    });
    change_arguments(cli, &negative_numbers_are_values)
}

/// Adds `--out` to a command, and `--shard` if its work can be divided into shards.
fn with_folder(command: ClapCommand, task: &TaskInfo) -> ClapCommand {
    let help = match task.name {
        "report" => "Write the report to this folder [default: that of --from]",
        _ => "Write results to this folder; after an interruption, the same command resumes there",
    };
    let out = Arg::new(OUT)
        .long(OUT)
        .value_name("DIR")
        .help(help)
        .value_hint(ValueHint::AnyPath)
        .value_parser(clap::value_parser!(PathBuf));
    let command = command.arg(match task.home {
        "" => out,
        home => out.default_value(home),
    });
    if task.parts.is_none() {
        return command;
    }
    let help = "Play only shard I of N, one per machine, each with its own --out; `pipeline merge` joins them";
    let shard = Arg::new(SHARD)
        .long(SHARD)
        .value_name("I/N")
        .requires(OUT)
        .help(help);
    command.arg(shard.value_parser(|text: &str| text.parse::<Part>()))
}

/// Makes `--learning-rate -1` a wrong value instead of an unknown option `-1`.
fn negative_numbers_are_values(arg: Arg) -> Arg {
    if arg.get_action().takes_values() {
        arg.allow_negative_numbers(true)
    } else {
        arg
    }
}

/// Applies `to` to every argument of the command and its subcommands.
pub(crate) fn change_arguments(command: ClapCommand, to: &dyn Fn(Arg) -> Arg) -> ClapCommand {
    command
        .mut_args(to)
        .mut_subcommands(|command| change_arguments(command, to))
}
