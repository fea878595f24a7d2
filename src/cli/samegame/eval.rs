//! `pipeline samegame eval`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{ALGORITHMS, Global, RandomArgs};
use crate::arena::Ending;
use crate::cli::interrupt;
use crate::cli::output::to_stdout;
use crate::cli::progress::Meter;
use crate::document::numbers::grouped;
use crate::document::{Align, columns};
use crate::samegame::Algorithm;
use crate::stage::definition::json_lines;
use crate::stage::samegame::eval::{CostRow, Eval, EvalRow};
use crate::stage::samegame::tune::tuned_algorithm;
use crate::stage::samegame::{BoardSet, BudgetText};

#[derive(Args)]
#[command(after_help = ALGORITHMS)]
pub(in crate::cli) struct EvalArgs {
    /// File of boards [default: random boards of --seed]
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// The first N boards [default: all of the file, or 250 random ones]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    #[command(flatten)]
    random: RandomArgs,
    /// Algorithms with options, separated by commas
    #[arg(long, value_name = "ALGORITHMS", value_delimiter = ',', default_value = "sp-mcts")]
    algorithms: Vec<Algorithm>,
    /// Folders of `samegame tune`: what was found there plays too; separated by commas
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    tuned: Vec<PathBuf>,
    /// Budgets of a board, separated by commas
    #[arg(long, value_name = "BUDGETS", value_delimiter = ',', default_value = "nodes=10000")]
    budgets: Vec<BudgetText>,
    /// Folder for tables and journal; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const HEADER: [(&str, Align); 10] = [
    ("algorithm", Align::Left),
    ("budget", Align::Left),
    ("boards", Align::Right),
    ("mean", Align::Right),
    ("95 % interval", Align::Left),
    ("deviation", Align::Right),
    ("cleared", Align::Right),
    ("depth", Align::Right),
    ("deepest", Align::Right),
    ("CPU s/board", Align::Right),
];

pub(super) fn run(args: &EvalArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let count = args.count.map(|count| count as usize);
    let (boards, count) = match &args.boards {
        Some(file) => (BoardSet::File(file.clone()), count),
        None => {
            let (size, colours) = (args.random.size, usize::from(args.random.colours));
            (BoardSet::Random { width: size.width, height: size.height, colours }, Some(count.unwrap_or(250)))
        }
    };
    let (mut algorithms, budgets) = (args.algorithms.clone(), args.budgets.clone());
    for folder in &args.tuned {
        algorithms.push(tuned_algorithm(folder)?);
    }
    let settings = Eval {
        boards,
        count,
        algorithms,
        budgets,
        seed: global.seed,
        threads: global.threads(),
        out: args.out.clone(),
    };
    let mut series = settings.open()?;
    let (before, planned) = series.progress();
    if before > 0 {
        global.note(&format!("note: going on after {} of {} games", grouped(before), grouped(planned)));
    }
    if before < planned {
        let stop = interrupt::listen()?;
        let meter = Meter::new(global);
        meter.count("games", before, planned);
        let played = series.play(stop, &mut |played| meter.count("games", played, planned));
        meter.finish();
        if played? == Ending::Stopped {
            let kept = if args.out.is_some() {
                "are kept; the same command goes on from there"
            } else {
                "are lost; --out DIR would have kept them"
            };
            global.note(&format!("interrupted: {} of {} games {kept}", grouped(series.progress().0), grouped(planned)));
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
    }
    let (rows, costs) = series.finish()?;
    let text = if global.json {
        json_lines(&rows)?
    } else {
        columns(HEADER, &rows.iter().zip(&costs).map(for_people).collect::<Vec<_>>())
    };
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn for_people((row, cost): (&EvalRow, &CostRow)) -> [String; 10] {
    let depth = |depth: Option<f64>| depth.map_or("-".to_owned(), |depth| format!("{depth:.1}"));
    [
        row.algorithm.clone(),
        row.budget.clone(),
        grouped(row.boards as u64),
        format!("{:.1}", row.mean),
        format!("{:.1} to {:.1}", row.low, row.high),
        format!("{:.1}", row.deviation),
        grouped(row.cleared as u64),
        depth(row.mean_depth),
        depth(row.mean_deepest),
        format!("{:.3}", cost.cpu_seconds_a_board),
    ]
}
