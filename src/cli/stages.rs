//! The commands of [`TASKS`], which can be stages of pipelines.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{
    Arg, Command as ClapCommand, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint,
};

use crate::spelling::parse;
use mineflow_arena::Part;
use mineflow_report::Report;
use mineflow_tasks::Stage;
use mineflow_tasks::calibrate::Calibrate;
use mineflow_tasks::compare::Compare;
use mineflow_tasks::eval::Eval;
use mineflow_tasks::ggp_match::GgpMatch;
use mineflow_tasks::samegame::eval::SamegameEval;
use mineflow_tasks::samegame::tune::SamegameTune;
use mineflow_tasks::table::{TASKS, TaskInfo};

/// The name of the argument for the folder of a stage.
pub(crate) const OUT: &str = "out";
/// The name of the argument for the shard of the run.
pub(crate) const SHARD: &str = "shard";

/// The command line of a stage, as in a pipeline file.
#[derive(Parser)]
#[command(no_binary_name = true)]
pub(crate) enum StageLine {
    #[command(flatten)]
    Stage(StageCommand),
    #[command(subcommand)]
    Samegame(SamegameStage),
    #[command(subcommand)]
    Ggp(GgpStage),
}

/// Stages whose command is one word.
#[derive(Subcommand)]
pub(crate) enum StageCommand {
    Eval(Eval),
    Compare(Compare),
    Calibrate(Calibrate),
    #[cfg(feature = "train")]
    Generate(mineflow_tasks::generate::Generate),
    #[cfg(feature = "train")]
    GuessSet(mineflow_tasks::guess_set::GuessSet),
    #[cfg(feature = "train")]
    Score(mineflow_tasks::score::Score),
    #[cfg(feature = "train")]
    TrainTrees(mineflow_tasks::train_trees::TrainTrees),
    #[cfg(feature = "train")]
    TrainClassifier(mineflow_tasks::train_classifier::TrainClassifier),
    #[cfg(feature = "train")]
    TrainQ(mineflow_tasks::train_q::TrainQ),
    #[cfg(feature = "train")]
    FitAlpha(mineflow_tasks::fit_alpha::FitAlpha),
    Report(Report),
}

/// Stages of `samegame`.
#[derive(Subcommand)]
pub(crate) enum SamegameStage {
    Eval(SamegameEval),
    Tune(SamegameTune),
}

/// Stages of `ggp`.
#[derive(Subcommand)]
pub(crate) enum GgpStage {
    Match(GgpMatch),
}

impl StageLine {
    /// Parses the arguments of a task. The folder is that of the context in which the stage runs.
    ///
    /// # Errors
    /// Returns the parse errors of clap.
    pub(crate) fn read(task: &TaskInfo, arguments: &[String]) -> Result<Self, clap::Error> {
        let folder = format!("--{OUT}=DIR");
        let words = task.name.split(' ').chain([folder.as_str()]);
        let words = words.chain(arguments.iter().map(String::as_str));
        let words = words.map(OsString::from).collect();
        Self::from_arg_matches(&parse(prepared(Self::command()), words)?)
    }

    /// Returns the command of a task, or `None` if this build lacks it.
    pub(crate) fn command_of(task: &TaskInfo) -> Option<ClapCommand> {
        task.name
            .split(' ')
            .try_fold(prepared(Self::command()), |command, name| {
                command.find_subcommand(name).cloned()
            })
    }

    pub(crate) fn stage(&self) -> &dyn Stage {
        match self {
            Self::Stage(stage) => stage.stage(),
            Self::Samegame(stage) => stage.stage(),
            Self::Ggp(stage) => stage.stage(),
        }
    }
}

impl StageCommand {
    pub(crate) fn stage(&self) -> &dyn Stage {
        match self {
            Self::Eval(eval) => eval,
            Self::Compare(compare) => compare,
            Self::Calibrate(calibrate) => calibrate,
            #[cfg(feature = "train")]
            Self::Generate(generate) => generate,
            #[cfg(feature = "train")]
            Self::GuessSet(set) => set,
            #[cfg(feature = "train")]
            Self::Score(score) => score,
            #[cfg(feature = "train")]
            Self::TrainTrees(train) => train,
            #[cfg(feature = "train")]
            Self::TrainClassifier(train) => train,
            #[cfg(feature = "train")]
            Self::TrainQ(train) => train,
            #[cfg(feature = "train")]
            Self::FitAlpha(fit) => fit,
            Self::Report(report) => report,
        }
    }
}

impl SamegameStage {
    pub(crate) fn stage(&self) -> &dyn Stage {
        match self {
            Self::Eval(eval) => eval,
            Self::Tune(tune) => tune,
        }
    }
}

impl GgpStage {
    pub(crate) fn stage(&self) -> &dyn Stage {
        let Self::Match(matches) = self;
        matches
    }
}

/// Returns the arguments of a task that a pipeline may set: their names and clap definitions.
pub(crate) fn settings_of<'c>(
    task: &'c TaskInfo,
    command: &'c ClapCommand,
) -> impl Iterator<Item = (&'c str, &'c Arg)> {
    let named = command
        .get_arguments()
        .map(|arg| (arg.get_long().unwrap_or(arg.get_id().as_str()), arg));
    named.filter(|(name, _)| {
        ![OUT, SHARD, "help"].contains(name) && !task.command_line_only.contains(name)
    })
}

/// Adds `--out` to every stage, and `--shard` to every stage whose work can be divided into shards.
pub(crate) fn prepared(cli: ClapCommand) -> ClapCommand {
    let cli = TASKS.iter().fold(cli, |cli, task| {
        change(cli, task.name, &|command| with_folder(command, task))
    });
    change_arguments(cli, &negative_numbers_are_values)
}

/// Applies `to` to the command of this name, which has one word or two. Does nothing in a build
/// without this command.
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
    match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    }
}

/// Applies `to` to every argument of the command and its subcommands.
pub(crate) fn change_arguments(command: ClapCommand, to: &dyn Fn(Arg) -> Arg) -> ClapCommand {
    command
        .mut_args(to)
        .mut_subcommands(|command| change_arguments(command, to))
}
