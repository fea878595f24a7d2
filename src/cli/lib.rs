#![doc = include_str!("README.md")]
// Internal to the program.
#![doc(hidden)]

pub mod allocator;
mod bench;
mod boards;
mod commands;
mod completions;
#[cfg(feature = "train")]
mod data;
mod engine;
mod failure;
mod ggp;
mod groups;
mod interrupt;
pub mod memory;
mod merge;
mod models;
mod optimum;
mod output;
mod pace;
pub mod pipeline;
mod players;
mod progress;
mod replay;
mod run;
mod samegame;
mod server;
pub mod solve;
mod spelling;
mod stage;
mod stages;
mod terminal;

use std::{path::PathBuf, process::ExitCode, sync::atomic::AtomicBool};

use anyhow::{Context as _, Result};
use clap::{ArgAction, ArgMatches, Args, ColorChoice, CommandFactory, FromArgMatches, Parser};

use commands::Command;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use memory::Bytes;
use mineflow_arena::{Part, Text};
use mineflow_model::Models;
use mineflow_tasks::{Context, Observer, help::EXIT_CODES, json_lines, table::task};
use progress::ProgressMode;

/// Play Minesweeper, train players and measure them.
#[derive(Parser)]
#[command(name = "pipeline", version, max_term_width = 120, propagate_version = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command knows.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Set the seed of everything random; the same seed gives the same results [default: 1]
    #[arg(long, global = true, value_name = "N")]
    seed: Option<u64>,
    /// Set the number of worker threads [default: one per processor]; results don't depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Limit the memory for training rows, optimal play and layout counts, such as 800MiB or 4GiB
    /// [default: free memory; 224MiB for layout counts]. Rows of data folders beyond the limit are
    /// read in windows; rows made in memory and other work that need more are refused
    #[arg(long, global = true, value_name = "SIZE")]
    memory: Option<Bytes>,
    /// Choose the folder of registry.json, which lists the models of players [default:
    /// MINEFLOW_MODELS, else `models` here, beside the program or up to two folders above it, else
    /// the models in the program]
    #[arg(long, global = true, value_name = "DIR")]
    models: Option<PathBuf>,
    /// The models in this folder.
    #[arg(skip)]
    published: Models,
    /// Print JSON lines on stdout instead of a table
    #[arg(long, global = true)]
    json: bool,
    /// Choose how to show progress on stderr: a bar on a terminal, else a line every ten seconds
    #[arg(long, global = true, value_name = "HOW", value_enum, default_value_t)]
    progress: ProgressMode,
    /// Choose when to use colours; auto respects NO_COLOR and checks for a terminal
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: ColorChoice,
    /// Print only errors on stderr, no progress and no notes
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more notes on stderr
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    verbose: bool,
}

impl Global {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, |n| n.get()),
            usize::from,
        )
    }

    fn memory(&self) -> u64 {
        self.memory.map_or_else(memory::free, |bytes| bytes.0)
    }

    /// Creates the context of an unsharded stage, in the folder `out` if it is given.
    fn context<'a>(
        &'a self,
        out: Option<PathBuf>,
        stop: &'a AtomicBool,
        observer: &'a dyn Observer,
    ) -> Context<'a> {
        Context {
            out,
            seed: self.seed(),
            part: Part::WHOLE,
            threads: self.threads(),
            memory: self.memory(),
            models: &self.published,
            stop,
            observer,
        }
    }

    fn color_choice(&self) -> anstream::ColorChoice {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
    }

    /// Prints rows on stdout: as JSON lines with `--json`, else as `text` writes them.
    fn print<R: Serialize, T: Into<Text>>(
        &self,
        rows: impl IntoIterator<Item = R>,
        text: impl FnOnce() -> T,
    ) -> Result<ExitCode> {
        output::to_stdout(&match self.json {
            true => json_lines(rows)?,
            false => terminal::draw(&text().into()),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a note on stderr, unless `--quiet` is given.
    fn note(&self, text: &str) {
        output::note(text);
    }
}

/// The commands to type first, which are printed if there are no arguments.
const FIRST_STEPS: &str = "\
pipeline plays, analyses and measures Minesweeper, and trains its players. To begin with:

  pipeline serve                                         a page in the browser: play, analyse, judge replays
  printf '1#\\n##\\n' | pipeline solve --mines 1          the probability of a mine in every covered cell
  pipeline players                                       the players, and the parts that they are made of
  pipeline eval                                          how many games each player wins
  pipeline compare 7.0 4.0 --boards expert               which of two players is stronger
  pipeline run pipelines/quickstart.toml                 play, train, measure and report in one go (in the repository)

`pipeline --help` lists all commands. `--help` after a command shows its examples.
";

/// Runs the command in the process's arguments. The exit code is 0 (done), 1 (the answer is no), 2
/// (error) or 130 (interrupted).
pub fn run() -> ExitCode {
    if std::env::args_os().len() == 1 {
        return output::to_stdout(FIRST_STEPS).map_or(ExitCode::from(2), |()| ExitCode::SUCCESS);
    }
    let matches = spelling::parse(command_line(), std::env::args_os().collect())
        .unwrap_or_else(|error| failure::exit_as(&error));
    let mut global =
        Global::from_arg_matches(&matches).unwrap_or_else(|error| failure::exit_as(&error));
    global.published = Models::new(global.models.clone());
    global.color_choice().write_global();
    if global.quiet {
        output::be_quiet();
    }
    #[cfg(unix)]
    interrupt::report_full_files();
    std::panic::set_hook(Box::new(failure::describe));
    let (name, own) = innermost(&matches);
    if let Some(task) = task(&name)
        && let Some(stage) = stages::stage(task, own)
    {
        let stage = stage.unwrap_or_else(|error| failure::exit_as(&error));
        return failure::guard(|| {
            start_threads(global.threads())?;
            stage::run(&*stage, task, &matches, own, &global)
        });
    }
    let Cli { command, .. } =
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| failure::exit_as(&error));
    failure::guard(|| {
        start_threads(global.threads())?;
        execute(&command, &global)
    })
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

/// Starts the global thread pool of rayon. Polars starts its own when it is first used, and reads
/// the number of threads from a variable.
fn start_threads(threads: usize) -> Result<()> {
    // SAFETY: this is the only thread; all further ones are started later.
    unsafe { std::env::set_var("POLARS_MAX_THREADS", threads.to_string()) };
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .with_context(|| format!("can't start {threads} threads"))
}

/// Returns the definition of the whole command line.
pub fn command_line() -> clap::Command {
    groups::add_to(stages::prepared(Cli::command()))
}

/// Runs a command that can't be a stage.
fn execute(command: &Command, global: &Global) -> Result<ExitCode> {
    match command {
        Command::Bench(args) => bench::run(args, global),
        Command::Engine(args) => engine::run(args, global),
        Command::Solve(args) => solve::run(args, global),
        #[cfg(feature = "train")]
        Command::Data(command) => data::run(command, global),
        Command::Run(args) => run::run(args, global),
        Command::Merge(args) => merge::run(args, global),
        Command::Ggp(command) => ggp::run(command, global),
        Command::Samegame(command) => samegame::run(command, global),
        Command::Optimum(args) => optimum::run(args, global),
        Command::Boards(args) => boards::run(args, global),
        Command::Replay(args) => replay::run(args, global),
        Command::Serve(args) => server::run(args, global),
        Command::Players(args) => players::run(args, global),
        Command::Models(args) => models::run(args, global),
        Command::Completions { shell } => completions::run(*shell),
    }
}
