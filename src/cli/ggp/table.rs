//! `pipeline ggp table`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;

use super::matches::{LimitArgs, budget};
use crate::arena::Ending;
use crate::cli::output::{note, to_stdout};
use crate::cli::progress::Meter;
use crate::cli::{Global, interrupt};
use crate::gdl::player::{Algorithm, MacUcbSettings, MoveBudget, PlayerRecipe, RecipeError, UctSettings};
use crate::stage::ggp_table::{Entry, Experiment, Kind, Tables, run as play};
use crate::stage::values;

#[derive(Args)]
pub(in crate::cli) struct TableArgs {
    /// Which experiments: table3 (pairs of algorithms), table4 (budgets), figure5 (matches in a row), figure6
    /// (shares of solving)
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
    /// Figure5's matches in a row, in which players keep what they know
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::games())]
    in_a_row: u32,
    /// The shares of solving of figure6
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "0,0.25,0.5,0.75,0.9,1", value_parser = share)]
    shares: Vec<f64>,
    /// Who plays as MAC-UCB, as FC-UCB and as UCT; options as in `ggp match`
    #[arg(long, value_name = "PLAYER", default_value = "mac-ucb", value_parser = solving_player)]
    mac_ucb: MacUcbSettings,
    #[arg(long, value_name = "PLAYER", default_value = "fc-ucb", value_parser = solving_player)]
    fc_ucb: MacUcbSettings,
    #[arg(long, value_name = "PLAYER", default_value = "uct", value_parser = uct_player)]
    uct: UctSettings,
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

/// A share of solving, or of anything.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("`{text}` is not a share from 0 to 1")),
    }
}

/// The algorithm of a player without a budget of its own.
fn algorithm(text: &str) -> Result<Algorithm, String> {
    let player: PlayerRecipe = text.parse().map_err(|error: RecipeError| error.to_string())?;
    match player.budget {
        None => Ok(player.algorithm),
        Some(_) => Err(format!("`{text}` has a budget of its own, and the games give the budgets; leave it out")),
    }
}

fn solving_player(text: &str) -> Result<MacUcbSettings, String> {
    match algorithm(text)? {
        Algorithm::MacUcb(settings) => Ok(settings),
        Algorithm::Uct(_) | Algorithm::Random => Err(format!("`{text}` is neither mac-ucb nor fc-ucb")),
    }
}

fn uct_player(text: &str) -> Result<UctSettings, String> {
    match algorithm(text)? {
        Algorithm::Uct(settings) => Ok(settings),
        Algorithm::MacUcb(_) | Algorithm::Random => Err(format!("`{text}` is not uct")),
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
        in_a_row: args.in_a_row,
        shares: args.shares.clone(),
        mac_ucb: args.mac_ucb,
        fc_ucb: args.fc_ucb,
        uct: args.uct.clone(),
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
