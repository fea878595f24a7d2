//! `pipeline bench`.

use std::process::ExitCode;

use clap::Args;

use super::Global;
use super::output::{Align, grouped, json_lines, table, to_stdout};
use crate::player::{PlayerSpec, versions};
use crate::stage::bench::{BenchRow, bench};

#[derive(Args)]
pub(super) struct BenchArgs {
    /// Players by name or recipe, separated by commas [default: all of `pipeline players`]
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',')]
    players: Vec<PlayerSpec>,
}

pub(super) fn run(args: &BenchArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let players = if args.players.is_empty() {
        versions().iter().map(|version| version.name.parse()).collect::<Result<Vec<PlayerSpec>, _>>()?
    } else {
        args.players.clone()
    };
    let mut rows = Vec::new();
    for player in &players {
        for row in bench(player, global.seed) {
            let row = row?;
            if global.json {
                to_stdout(&json_lines(std::slice::from_ref(&row))?)?;
            }
            rows.push(row);
        }
        global.note(&format!("note: player {} is done", player.name));
    }
    if !global.json {
        to_stdout(&for_people(&rows))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(rows: &[BenchRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("board", Align::Left),
        ("games", Align::Right),
        ("won", Align::Right),
        ("timeouts", Align::Right),
        ("CPU s", Align::Right),
        ("games/CPU s", Align::Right),
        ("signature", Align::Left),
    ];
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            [
                row.player.clone(),
                row.board.clone(),
                grouped(row.games.into()),
                grouped(row.wins.into()),
                grouped(row.timeouts.into()),
                format!("{:.3}", row.cpu_seconds),
                format!("{:.1}", row.games_per_cpu_second),
                row.signature.clone(),
            ]
        })
        .collect();
    table(header, &rows)
}
