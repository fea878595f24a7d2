//! `pipeline ggp table`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;

use super::matches::{LimitArgs, budget, share};
use crate::arena::Ending;
use crate::cli::output::{note, to_stdout};
use crate::cli::progress::Meter;
use crate::cli::{Global, interrupt};
use crate::gdl::player::MoveBudget;
use crate::stage::ggp_table::{Entry, Experiment, Kind, Tables, run as play};
use crate::stage::values;

#[derive(Args)]
pub(in crate::cli) struct TableArgs {
    /// Which experiments: table3 (pairs of algorithms), table4 (budgets), figure6 (shares of solving)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "table3,table4,figure6")]
    experiments: Vec<Experiment>,
    /// Games in which algorithms play against each other, with a budget a move: CPU time as 10ms, or
    /// playouts as 100it
    #[arg(
        long,
        value_name = "GAME=BUDGET",
        value_delimiter = ',',
        default_value = "tic-tac-toe=50ms,othello=10ms,hex=10ms,kaseklau=50ms,cant-stop=10ms"
    )]
    games: Vec<GameText>,
    /// Games that all roles win or lose together
    #[arg(
        long,
        value_name = "GAME=BUDGET",
        value_delimiter = ',',
        default_value = "orchard=10ms,matching-pennies=10ms"
    )]
    cooperative: Vec<GameText>,
    /// Where the rule sheets are, GAME.kif
    #[arg(long, value_name = "DIR", default_value = "pipelines/ggp")]
    sheets: PathBuf,
    /// Matches of each series
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = values::games())]
    matches: u32,
    /// The budgets of table4, as multiples of a game's own
    #[arg(long, value_name = "FACTORS", value_delimiter = ',', default_value = "0.25,1,4", value_parser = factor)]
    factors: Vec<f64>,
    /// The shares of solving of figure6
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "0,0.25,0.5,0.75,0.9,1", value_parser = share)]
    shares: Vec<f64>,
    /// The share of solving of the other two
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = share)]
    solving_share: f64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Folder for the tables and every match; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A game and its budget a move.
#[derive(Clone)]
struct GameText {
    name: String,
    budget: MoveBudget,
}

impl FromStr for GameText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, amount) =
            text.split_once('=').ok_or_else(|| format!("`{text}` names no budget; write GAME=10ms or GAME=100it"))?;
        Ok(Self { name: name.to_owned(), budget: budget(amount)? })
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && factor <= 1e6 => Ok(factor),
        _ => Err(format!("`{text}` is not a factor above 0")),
    }
}

const INTERRUPTED: &str = "note: interrupted; the same command goes on from there";

pub(super) fn run(args: &TableArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let entry = |game: &GameText, kind| Entry {
        name: game.name.clone(),
        sheet: args.sheets.join(&game.name).with_extension("kif"),
        kind,
        budget: game.budget,
    };
    let opposed = args.games.iter().map(|game| entry(game, Kind::Opposed));
    let tables = Tables {
        experiments: args.experiments.clone(),
        games: opposed.chain(args.cooperative.iter().map(|game| entry(game, Kind::Cooperative))).collect(),
        matches: args.matches,
        factors: args.factors.clone(),
        shares: args.shares.clone(),
        solving_share: args.solving_share,
        arms: args.limits.arms,
        samples_a_stage: args.limits.samples_a_stage,
        horizon: args.limits.horizon,
        most_explored: args.limits.cache,
        seed: global.seed,
        threads: global.threads(),
        out: args.out.clone(),
    };
    let stop = interrupt::leave_soon(|| note(INTERRUPTED))?;
    let meter = Meter::new(global);
    let ending = play(&tables, stop, &mut |progress| {
        meter.count_with("matches", progress.played, progress.planned, &format!(", {}", progress.series));
    });
    meter.finish();
    if ending? == Ending::Stopped {
        global.note(INTERRUPTED);
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    for experiment in &args.experiments {
        to_stdout(&format!("{}\n", args.out.join(experiment.name()).with_extension("csv").display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
