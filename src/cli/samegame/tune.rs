//! `pipeline samegame tune`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;

use super::{ALGORITHMS, Global, RandomArgs};
use crate::arena::Ending;
use crate::cli::interrupt;
use crate::cli::output::to_stdout;
use crate::cli::progress::Meter;
use crate::document::numbers::grouped;
use crate::document::{Align, columns};
use crate::samegame::Algorithm;
use crate::search::cross_entropy::Parameter;
use crate::stage::samegame::BudgetText;
use crate::stage::samegame::tune::{DistributionRow, Tune};

#[derive(Args)]
#[command(after_help = ALGORITHMS)]
pub(in crate::cli) struct TuneArgs {
    /// Folder for progress and tables; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Algorithm, with the options that are not tuned
    #[arg(long, value_name = "ALGORITHM", default_value = "sp-mcts")]
    algorithm: Algorithm,
    /// Options to tune, each with its bounds: KEY=LOW..HIGH, separated by commas
    #[arg(
        long,
        value_name = "BOUNDS",
        value_delimiter = ',',
        default_value = "c=0..10,d=0..200,t=0..30,w=0..1,epsilon=0..0.01"
    )]
    bounds: Vec<Bounds>,
    /// Samples of an iteration
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    samples: u32,
    /// Samples of which the next iteration is made
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    elite: u32,
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: u32,
    /// Random boards of an iteration, the same ones for all its samples
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    boards: u32,
    #[command(flatten)]
    random: RandomArgs,
    /// Budget of a board
    #[arg(long, value_name = "BUDGET", default_value = "playouts=2000")]
    budget: BudgetText,
}

/// An option between two bounds.
#[derive(Clone)]
struct Bounds(Parameter);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(key, range)| Some((key, range.split_once("..")?)));
        let numbers = parts.and_then(|(key, (low, high))| Some((key, low.parse().ok()?, high.parse().ok()?)));
        let (key, low, high) = numbers.ok_or_else(|| format!("`{text}` has no bounds; write KEY=LOW..HIGH"))?;
        Ok(Self(Parameter::new(key, low, high)))
    }
}

pub(super) fn run(args: &TuneArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let settings = Tune {
        algorithm: args.algorithm,
        parameters: args.bounds.iter().map(|bounds| bounds.0.clone()).collect(),
        samples: args.samples as usize,
        elite: args.elite as usize,
        iterations: args.iterations.into(),
        boards: args.boards as usize,
        width: args.random.size.width,
        height: args.random.size.height,
        colours: args.random.colours.into(),
        budget: args.budget,
        seed: global.seed,
        threads: global.threads(),
        out: args.out.clone(),
    };
    let mut tuning = settings.open()?;
    let (before, planned) = tuning.progress();
    if before > 0 {
        global.note(&format!("note: going on after {} of {} samples", grouped(before), grouped(planned)));
    }
    if before < planned {
        let stop = interrupt::listen()?;
        let meter = Meter::new(global);
        meter.count("samples", before, planned);
        let ended = tuning.run(stop, &mut |judged| meter.count("samples", judged, planned));
        meter.finish();
        if ended? == Ending::Stopped {
            let judged = grouped(tuning.progress().0);
            global.note(&format!(
                "interrupted: {judged} of {} samples are kept; the same command goes on from there",
                grouped(planned)
            ));
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
    }
    let tuned = tuning.finish()?;
    if global.json {
        to_stdout(&format!("{}\n", serde_json::to_string(&tuned)?))?;
    } else {
        let header = [
            ("iteration", Align::Right),
            ("parameter", Align::Left),
            ("mean", Align::Right),
            ("deviation", Align::Right),
            ("mean score", Align::Right),
            ("best score", Align::Right),
        ];
        let rows: Vec<_> = tuned.rows.iter().map(for_people).collect();
        to_stdout(&format!("{}{}\n", columns(header, &rows), tuned.algorithm))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(row: &DistributionRow) -> [String; 6] {
    let fitness = |fitness: Option<f64>| fitness.map_or("-".to_owned(), |fitness| format!("{fitness:.1}"));
    [
        row.iteration.to_string(),
        row.parameter.clone(),
        format!("{:.5}", row.mean),
        format!("{:.5}", row.deviation),
        fitness(row.mean_fitness),
        fitness(row.best_fitness),
    ]
}
