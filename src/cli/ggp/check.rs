//! `pipeline ggp check`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::cli::Global;
use crate::cli::output::{Align, grouped, json_lines, table, to_stdout};
use crate::ggp::Limits;
use crate::stage::ggp::{Description, ScspRow, check, scsp_rows};

#[derive(Args)]
pub(in crate::cli) struct CheckArgs {
    /// A rule sheet in KIF
    file: PathBuf,
    /// Random play-outs must end within so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    horizon: usize,
    /// Refuse a sheet whose ground form has more atoms
    #[arg(long, value_name = "N", default_value_t = Limits::default().atoms)]
    most_atoms: usize,
    /// Refuse a sheet whose ground clauses have more literals; 1,000,000 take up to 85 MB, the
    /// network included
    #[arg(long, value_name = "N", default_value_t = Limits::default().literals)]
    most_literals: usize,
    /// Show the game's constraint networks instead, as built and after preprocessing
    #[arg(long)]
    scsp: bool,
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
    let limits = Limits { atoms: args.most_atoms, literals: args.most_literals };
    if args.scsp {
        let rows = scsp_rows(&args.file, &limits)?;
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
    table(NETWORKS, &rows.iter().map(line).collect::<Vec<_>>())
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
        ("random play-outs", format!("{:.2} steps on average", description.mean_steps)),
        ("mean goals", each_role(&mut description.mean_goals.iter().map(|goal| format!("{goal:.2}")))),
    ];
    rows.iter().map(|(name, value)| format!("{name:<18}{value}\n")).collect()
}
