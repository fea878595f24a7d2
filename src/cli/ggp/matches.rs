//! `pipeline ggp match`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Args;

use crate::cli::output::{note, to_stdout};
use crate::cli::progress::Meter;
use crate::cli::{Global, interrupt};
use crate::document::numbers::grouped;
use crate::document::{Align, columns};
use crate::gdl::player::{MoveBudget, PlayerRecipe};
use crate::stage::definition::json_lines;
use crate::stage::ggp_match::{MatchEvent, Matches, Standing, Venue, play, standings};
use crate::stage::values;

#[derive(Args)]
pub(in crate::cli) struct MatchArgs {
    /// The game's rule sheet in KIF
    #[arg(long, value_name = "FILE")]
    game: PathBuf,
    /// Who plays, separated by commas: uct, mac-ucb, fc-ucb, random; with options as uct:playouts=500:solver=yes or
    /// mac-ucb:arms=goals; the sides alternate
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    players: Vec<PlayerRecipe>,
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::games())]
    matches: u32,
    /// Matches that follow one another: a player keeps its tree and cache from one to the next, and starts anew after them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::games())]
    series: u32,
    /// For each move of a player without playouts= or ms= of its own: CPU time as 500ms or 1s, or playouts as 10000it
    #[arg(long, value_name = "BUDGET", default_value = "1000it", value_parser = budget)]
    budget: MoveBudget,
    #[command(flatten)]
    limits: LimitArgs,
    /// Keep a row a match in this folder, and go on where an interrupted run stopped
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What bounds every match.
#[derive(Args)]
pub(super) struct LimitArgs {
    /// A match, and a playout, ends without points after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) horizon: usize,
    /// Joint moves that each player's cache of explored leaves may hold
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(super) cache: usize,
}

pub(super) fn budget(text: &str) -> Result<MoveBudget, String> {
    match text.strip_suffix("it") {
        Some(number) => match number.parse() {
            Ok(samples) if samples > 0 => Ok(MoveBudget::Samples(samples)),
            _ => Err(format!("`{text}` is not a number of playouts above 0; write 10000it")),
        },
        None => values::duration(text).map(MoveBudget::Time),
    }
}

pub(super) fn run(args: &MatchArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let matches = Matches {
        sheet: args.game.clone(),
        players: args.players.clone(),
        matches: args.matches,
        series: args.series,
        budget: args.budget,
        horizon: args.limits.horizon,
        most_explored: args.limits.cache,
        seed: global.seed,
        threads: global.threads(),
        out: args.out.clone(),
    };
    let kept = Arc::new(AtomicU32::new(0));
    let (kept_so_far, out) = (Arc::clone(&kept), args.out.clone());
    let stop = interrupt::leave_soon(move || note(&what_is_kept(kept_so_far.load(Ordering::Relaxed), out.as_deref())))?;
    let meter = Meter::new(global);
    let planned = u64::from(args.matches);
    meter.say(0, planned, "making the networks".to_owned());
    let played = play(&matches, &Venue::new(&args.game), stop, &mut |event| match event {
        MatchEvent::Note(text) => global.note(&format!("note: {text}")),
        MatchEvent::Played(done) => meter.count("matches", done.into(), planned),
        MatchEvent::Kept(matches) => kept.store(matches, Ordering::Relaxed),
    });
    meter.finish();
    let played = played?;
    if played.rows.len() as u64 != planned {
        global.note(&what_is_kept(kept.load(Ordering::Relaxed), args.out.as_deref()));
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    }
    let standings = standings(&matches, &played);
    to_stdout(&if global.json { json_lines(&standings)? } else { for_people(&standings) })?;
    Ok(ExitCode::SUCCESS)
}

/// What is said of an interrupted series.
fn what_is_kept(matches: u32, out: Option<&Path>) -> String {
    match out {
        Some(out) => format!(
            "note: interrupted; {} kept in {}, and the same command goes on from there",
            if matches == 1 { "1 match is".to_owned() } else { format!("{} matches are", grouped(matches.into())) },
            out.display()
        ),
        None => "note: interrupted; nothing is kept, since no --out names a folder".to_owned(),
    }
}

fn for_people(standings: &[Standing]) -> String {
    let header = [
        ("player", Align::Left),
        ("matches", Align::Right),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("score %", Align::Right),
        ("deviation", Align::Right),
        ("mean goal", Align::Right),
    ];
    let line = |row: &Standing| {
        [
            row.player.clone(),
            grouped(row.matches.into()),
            grouped(row.wins.into()),
            grouped(row.draws.into()),
            grouped(row.losses.into()),
            row.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.2}")),
            row.deviation.map_or_else(|| "-".to_owned(), |deviation| format!("{deviation:.2}")),
            format!("{:.2}", row.mean_goal),
        ]
    };
    columns(header, &standings.iter().map(line).collect::<Vec<_>>())
}
