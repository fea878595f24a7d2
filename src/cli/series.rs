//! What `eval` and `compare` share: limits, folder, and playing with progress and interruptions.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::output::{counted, grouped};
use super::progress::Meter;
use super::{Global, arguments, interrupt};
use crate::arena::{Arena, Ending, Progress};
use crate::minesweeper::player::Limits;
use crate::stage::{Engine, Series};

impl ValueEnum for Engine {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Components, Self::Paper]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Components => "Component by component: the same probabilities, exponentially faster",
            Self::Paper => "As the main paper counts: over the whole system",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// Arguments of every series of games but for who plays where.
#[derive(Args)]
pub(super) struct SeriesArgs {
    /// Processor time a game, such as 500ms, 5s or 2m; a game out of time is lost. Results then depend on the machine
    #[arg(long, value_name = "TIME", value_parser = arguments::duration)]
    time_limit: Option<Duration>,
    /// Search nodes a game; a game that needs more is lost. The repeatable form of --time-limit
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// How players of the main paper count solutions
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Folder for results and journal; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl SeriesArgs {
    /// Completes a series with these arguments.
    pub(super) fn series(&self, global: &Global, who_and_where: Field, games: u32) -> Series {
        let Field { players, boards, first_clicks } = who_and_where;
        Series {
            players,
            boards,
            first_clicks,
            games,
            seed: global.seed,
            limits: Limits { nodes: self.node_limit, time: self.time_limit },
            engine: self.engine,
            threads: global.threads(),
            out: self.out.clone(),
        }
    }
}

/// Who plays where.
pub(super) struct Field {
    pub(super) players: Vec<crate::minesweeper::player::PlayerSpec>,
    pub(super) boards: Vec<crate::minesweeper::Board>,
    pub(super) first_clicks: Vec<crate::minesweeper::FirstClick>,
}

/// Plays what is missing of a series with notes and progress; `Some` is the exit code of one that was interrupted.
pub(super) fn play(global: &Global, series: &Series, arena: &mut Arena) -> anyhow::Result<Option<ExitCode>> {
    let before = arena.progress();
    announce(global, series, before);
    if before.played == before.planned {
        return Ok(None);
    }
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    meter.games(before);
    let mut last = before;
    let played = arena.play(stop, &mut |progress| {
        last = progress;
        meter.games(progress);
    });
    meter.finish();
    if played? == Ending::Finished {
        return Ok(None);
    }
    let (played, planned) = (grouped(last.played), grouped(last.planned));
    match &series.out {
        Some(out) => global.note(&format!(
            "interrupted: {played} of {planned} games are kept in {}; the same command goes on from there",
            out.display()
        )),
        None => global.note(&format!(
            "interrupted: {played} of {planned} games were played and are lost; --out DIR would have kept them"
        )),
    }
    Ok(Some(ExitCode::from(interrupt::INTERRUPTED)))
}

fn announce(global: &Global, series: &Series, before: Progress) {
    if global.verbose {
        for player in series.resolved_players() {
            global.note(&format!("note: player {} is {}", player.name, player.recipe));
        }
        let kinds = series.boards.len() * series.first_clicks.len();
        global.note(&format!(
            "note: {} of each player on {}, {}, seed {}",
            counted(u64::from(series.games), "game"),
            if kinds == 1 { "one kind of board".to_owned() } else { format!("each of {kinds} kinds of board") },
            counted(series.threads as u64, "thread"),
            series.seed
        ));
    }
    if let Some(out) = series.out.as_ref().filter(|_| before.played > 0) {
        let (played, planned, out) = (grouped(before.played), grouped(before.planned), out.display());
        global.note(&if before.played == before.planned {
            format!("note: all {planned} games were played before and are in {out}; nothing is left to play")
        } else {
            format!("note: going on in {out} after {played} of {planned} games")
        });
    }
}
