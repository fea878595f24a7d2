//! `pipeline ggp check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::cli::failure::NO;
use crate::cli::output::to_stdout;
use crate::cli::progress::Meter;
use crate::cli::{Global, interrupt};
use crate::document::numbers::{counted, grouped};
use crate::document::{Align, columns};
use crate::gdl::GroundingLimits;
use crate::gdl::agreement::ComparedEngine;
use crate::stage::definition::json_lines;
use crate::stage::ggp::{Description, ScspRow, check, scsp_rows};
use crate::stage::ggp_agree::{AgreementRow, Comparison, agree};

#[derive(Args)]
pub(in crate::cli) struct CheckArgs {
    /// A rule sheet in KIF
    file: PathBuf,
    /// Random playouts must end within this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    horizon: usize,
    /// Refuse a sheet whose ground form has more atoms
    #[arg(long, value_name = "N", default_value_t = GroundingLimits::default().atoms)]
    most_atoms: usize,
    /// Refuse a sheet whose ground clauses have more literals; 1,000,000 take up to 85 MB, the
    /// network included
    #[arg(long, value_name = "N", default_value_t = GroundingLimits::default().literals)]
    most_literals: usize,
    /// Refuse a sheet whose grounding holds more atoms against the literals of rules; 1,000,000,000 take
    /// about a minute
    #[arg(long, value_name = "N", default_value_t = GroundingLimits::default().joins)]
    most_joins: usize,
    /// Show the game's constraint networks instead, as built and after preprocessing
    #[arg(long, conflicts_with = "playouts")]
    scsp: bool,
    /// Compare the propositional network with other engines along this many random playouts instead:
    /// terminal, goals, legal actions and the next state, in every state; exit code 1 if they differ
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// The engines that --playouts compares it with: constraints, interpreter
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "constraints,interpreter", value_parser = engine)]
    engines: Vec<ComparedEngine>,
}

fn engine(text: &str) -> Result<ComparedEngine, String> {
    let found = ComparedEngine::ALL.into_iter().find(|engine| engine.name() == text);
    found.ok_or_else(|| format!("`{text}` is none of constraints, interpreter"))
}

const NETWORKS: [(&str, Align); 6] = [
    ("network", Align::Left),
    ("variables", Align::Right),
    ("largest domain", Align::Right),
    ("constraints", Align::Right),
    ("tuples", Align::Right),
    ("CPU s", Align::Right),
];

pub(super) fn run(args: &CheckArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let limits = GroundingLimits { atoms: args.most_atoms, literals: args.most_literals, joins: args.most_joins };
    if let Some(playouts) = args.playouts {
        let (engines, horizon) = (args.engines.clone(), args.horizon);
        let comparison =
            Comparison { limits, playouts, engines, horizon, seed: global.seed, threads: global.threads() };
        return compare(&args.file, &comparison, global);
    }
    if args.scsp {
        let meter = Meter::new(global);
        let rows = scsp_rows(&args.file, &limits, &mut |made, planned| meter.count("networks", made, planned))?;
        meter.finish();
        to_stdout(&if global.json { json_lines(&rows)? } else { networks(&rows) })?;
        return Ok(ExitCode::SUCCESS);
    }
    let description = check(&args.file, &limits, args.horizon, global.seed)?;
    for undefined in &description.undefined {
        global.note(&format!("note: no rule gives {undefined}"));
    }
    to_stdout(&if global.json { json_lines(&[description])? } else { for_people(&description) })?;
    Ok(ExitCode::SUCCESS)
}

fn compare(file: &Path, comparison: &Comparison, global: &Global) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let planned = comparison.playouts;
    meter.count("playouts", 0, planned);
    let row = agree(file, comparison, stop, &mut |done| meter.count("playouts", done, planned));
    meter.finish();
    let row = row?;
    let agreed = row.difference.is_none();
    to_stdout(&if global.json { json_lines([&row])? } else { in_words(&row) })?;
    Ok(match (agreed, row.playouts == planned) {
        (false, _) => ExitCode::from(NO),
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(interrupt::INTERRUPTED),
    })
}

fn in_words(row: &AgreementRow) -> String {
    let AgreementRow { game, engines, playouts, states, cpu_seconds, difference } = row;
    let compared = format!(
        "{game}: {} with {}, by the network and {engines}, in {cpu_seconds:.1} CPU s",
        counted(*playouts, "playout"),
        counted(*states, "state"),
    );
    match difference {
        None => format!("{compared}: no difference\n"),
        Some(difference) => format!("{compared}: they differ\n{difference}\n"),
    }
}

fn networks(rows: &[ScspRow]) -> String {
    let line = |row: &ScspRow| {
        let number = |n: usize| grouped(n as u64);
        [
            format!("{}{}", row.network, if row.preprocessed { ", preprocessed" } else { "" }),
            number(row.variables),
            number(row.largest_domain),
            number(row.constraints),
            number(row.tuples),
            format!("{:.3}", row.cpu_seconds),
        ]
    };
    columns(NETWORKS, &rows.iter().map(line).collect::<Vec<_>>())
}

fn for_people(description: &Description) -> String {
    let number = |n: usize| grouped(n as u64);
    let each_role = |values: &mut dyn Iterator<Item = String>| {
        let pairs = description.roles.iter().zip(values).map(|(role, value)| format!("{role} {value}"));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let rows = [
        ("roles", description.roles.join(", ")),
        ("rules", number(description.rules)),
        ("fluents", number(description.fluents)),
        ("actions", each_role(&mut description.actions.iter().map(|&n| number(n)))),
        ("ground atoms", number(description.atoms)),
        ("ground clauses", format!("{} with {} literals", number(description.clauses), number(description.literals))),
        ("network", format!("{} gates, {} in loops", number(description.gates), number(description.loop_gates))),
        ("made in", format!("{:.3} CPU s", description.cpu_seconds)),
        ("random playouts", format!("{:.2} steps on average", description.mean_steps)),
        ("mean goals", each_role(&mut description.mean_goals.iter().map(|goal| format!("{goal:.2}")))),
    ];
    rows.iter().map(|(name, value)| format!("{name:<18}{value}\n")).collect()
}
