//! `pipeline ggp check`.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use crate::{Global, progress::Meter};
use mineflow_arena::{TableOf, Text, numbers::grouped};
use mineflow_tasks::{
    ggp::{Description, ScspRow, check, scsp_rows},
    help::examples,
};

#[derive(Args)]
#[command(after_help = examples(
    &[
        "ggp check pipelines/ggp/tic-tac-toe.kif",
        "ggp check pipelines/ggp/kaseklau.kif --scsp",
    ],
    "",
))]
pub(crate) struct CheckArgs {
    /// Read this rule sheet in KIF
    file: PathBuf,
    /// Require random playouts to end within N steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    horizon: usize,
    /// Print the game's constraint networks, as built and after preprocessing
    #[arg(long)]
    scsp: bool,
}

pub(super) fn run(args: &CheckArgs, global: &Global) -> anyhow::Result<ExitCode> {
    if args.scsp {
        let meter = Meter::new(global);
        let rows = scsp_rows(&args.file, &mut |made, planned| {
            meter.count("networks", made, planned)
        })?;
        meter.finish();
        return global.print(&rows, || networks(&rows));
    }
    let description = check(&args.file, args.horizon, global.seed())?;
    for note in &description.notes {
        global.note(&format!("note: {note}"));
    }
    for undefined in &description.undefined {
        global.note(&format!("note: no rule gives {undefined}"));
    }
    global.print([&description], || for_people(&description))
}

fn networks(rows: &[ScspRow]) -> Text {
    let number = |n: usize| grouped(n as u64);
    TableOf::new(rows)
        .left("network", |row| {
            let how = if row.preprocessed {
                ", preprocessed"
            } else {
                ""
            };
            format!("{}{how}", row.network)
        })
        .right("variables", |row| number(row.variables))
        .right("largest domain", |row| number(row.largest_domain))
        .right("constraints", |row| number(row.constraints))
        .right("tuples", |row| number(row.tuples))
        .right("CPU s", |row| format!("{:.3}", row.cpu_seconds))
        .text()
}

fn for_people(description: &Description) -> String {
    let number = |n: usize| grouped(n as u64);
    let each_role = |values: Vec<String>| {
        description
            .roles
            .iter()
            .zip(values)
            .map(|(role, value)| format!("{role} {value}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut rows = vec![
        ("roles", description.roles.join(", ")),
        ("rules", number(description.rules)),
    ];
    if let Some(ground) = &description.ground {
        let actions = ground.actions.iter().map(|&n| number(n)).collect();
        let clauses = number(ground.clauses);
        let literals = number(ground.literals);
        let gates = number(ground.gates);
        let loop_gates = number(ground.loop_gates);
        rows.extend([
            ("fluents", number(ground.fluents)),
            ("actions", each_role(actions)),
            ("ground atoms", number(ground.atoms)),
            (
                "ground clauses",
                format!("{clauses} with {literals} literals"),
            ),
            ("network", format!("{gates} gates, {loop_gates} in loops")),
        ]);
    }
    let goals = description
        .mean_goals
        .iter()
        .map(|goal| format!("{goal:.2}"));
    let playouts = format!("{:.2} steps on average", description.mean_steps);
    rows.extend([
        ("made in", format!("{:.3} CPU s", description.cpu_seconds)),
        ("random playouts", playouts),
        ("mean goals", each_role(goals.collect())),
    ]);
    let simplified = description.simplified.iter();
    rows.extend(simplified.map(|what| ("simplified", what.clone())));
    rows.iter()
        .map(|(name, value)| format!("{name:<18}{value}\n"))
        .collect()
}
