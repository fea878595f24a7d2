//! `pipeline fit-alpha`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output::{Align, grouped, table, to_stdout};
use super::progress::Meter;
use super::{Global, interrupt};
use crate::arena::Ending;
use crate::minesweeper::features::LocationScore;
use crate::stage::fit_alpha::{AlphaResult, FitAlpha};
use crate::stage::values;

#[derive(Args)]
pub(super) struct FitAlphaArgs {
    /// Folder for games, tables and artifact; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Widths, as LOW..HIGH or one number; several are separated by commas
    #[arg(long, value_name = "RANGES", value_delimiter = ',', default_value = "5..10,20")]
    widths: Vec<values::Range<u16>>,
    /// Heights as a share of the width, LOW..HIGH
    #[arg(long, value_name = "RANGE", default_value = "0.5..1")]
    height_ratio: values::Range<f64>,
    /// Mines as a share of the cells, LOW..HIGH:STEP
    #[arg(long, value_name = "RANGE", default_value = "0.05..0.25:0.05")]
    mine_ratios: values::Steps,
    /// Values of alpha from 0 to 1
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(2..=1001))]
    alphas: u32,
    /// Games of each alpha on each board, the same games for all
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Location score: opening (the chance of an opening) or printed (equation 4 as printed)
    #[arg(long, value_name = "SCORE", default_value = "opening")]
    score: LocationScore,
}

pub(super) fn run(args: &FitAlphaArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let mut boards = Vec::new();
    for &widths in &args.widths {
        let grid = values::grid(widths, args.height_ratio, args.mine_ratios).map_err(anyhow::Error::msg)?;
        boards.extend(grid);
    }
    let settings = FitAlpha {
        boards: values::unique(boards),
        steps: args.alphas,
        games: args.games,
        score: args.score,
        seed: global.seed,
        threads: global.threads(),
        out: args.out.clone(),
    };
    let mut search = settings.open()?;
    let before = search.progress();
    if before.played > 0 && before.played < before.planned {
        let (played, planned) = (grouped(before.played), grouped(before.planned));
        global.note(&format!("note: going on in {} after {played} of {planned} games", args.out.display()));
    } else if before.played == before.planned {
        global.note(&format!("note: all games were played before and are in {}", args.out.display()));
    }
    if before.played < before.planned {
        let stop = interrupt::listen()?;
        let meter = Meter::new(global);
        meter.games(before);
        let played = search.play(stop, &mut |progress| meter.games(progress));
        meter.finish();
        if played? == Ending::Stopped {
            let kept = grouped(search.progress().played);
            let out = args.out.display();
            global.note(&format!("interrupted: {kept} games are kept in {out}; the same command goes on from there"));
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
    }
    let (result, _) = search.fit()?;
    to_stdout(&if global.json { format!("{}\n", serde_json::to_string(&result)?) } else { for_people(&result) })?;
    Ok(ExitCode::SUCCESS)
}

fn for_people(result: &AlphaResult) -> String {
    let header = [
        ("longer side", Align::Right),
        ("shorter side", Align::Right),
        ("mine ratio", Align::Right),
        ("constant", Align::Right),
        ("R squared", Align::Right),
        ("boards", Align::Right),
        ("games", Align::Right),
        ("sha256", Align::Left),
    ];
    let [longer, shorter, ratio, constant] = result.theta.map(|theta| format!("{theta:.5}"));
    let row = [
        longer,
        shorter,
        ratio,
        constant,
        result.r_squared.map_or_else(|| "-".to_owned(), |r| format!("{r:.4}")),
        result.boards.to_string(),
        grouped(result.games),
        result.sha256[..12].to_owned(),
    ];
    table(header, &[row])
}
