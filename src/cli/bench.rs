//! `pipeline bench`.

use std::process::ExitCode;

use clap::Args;

use super::{
    Global, interrupt,
    output::{note, to_stdout},
    terminal::Columns,
};
use mineflow_arena::{Align, numbers::grouped};
use mineflow_minesweeper::player::{PlayerSpec, versions};
use mineflow_tasks::{
    ModelArgs,
    bench::{BenchRow, bench},
    help::examples,
    values,
};

#[derive(Args)]
#[command(after_help = examples(&["bench", "bench --players 7.0,11.0-fast,11.0 --games 200"], ""))]
pub(super) struct BenchArgs {
    /// Benchmark these players (names or recipes, separated by commas) [default: all of `pipeline
    /// players` except those that search guesses]
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',')]
    players: Vec<String>,
    /// Play N games on each board [default: 20,000 beginner, 3,000 intermediate and 1,000 expert
    /// games]. Compare signatures only for equal numbers of games
    #[arg(long, value_name = "N", value_parser = values::games())]
    games: Option<u32>,
    #[command(flatten)]
    models: ModelArgs,
}

pub(super) fn run(args: &BenchArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let players = if args.players.is_empty() {
        let names: Vec<_> = versions()
            .iter()
            .map(|version| version.name.to_owned())
            .collect();
        let (searching, quick): (Vec<_>, Vec<_>) = args
            .models
            .players(&names, &global.published)?
            .into_iter()
            .partition(PlayerSpec::searches_guesses);
        global.note(&format!(
            "note: not played, as each takes minutes; --players names them: {}",
            searching
                .iter()
                .map(|player| player.name.as_str())
                .collect::<Vec<_>>()
                .join(",")
        ));
        quick
    } else {
        args.models.players(&args.players, &global.published)?
    };
    values::check_different(&players)?;
    let longest_name = players
        .iter()
        .map(|player| player.name.chars().count())
        .max()
        .unwrap_or(0);
    let columns = Columns::new([
        ("player", Align::Left, longest_name),
        ("board", Align::Left, 8),
        ("games", Align::Right, 6),
        ("won", Align::Right, 6),
        ("timeouts", Align::Right, 6),
        ("CPU s", Align::Right, 9),
        ("games/CPU s", Align::Right, 11),
        ("signature", Align::Left, 16),
    ]);
    if !global.json {
        to_stdout(&columns.header())?;
    }
    interrupt::leave_soon(|| note("interrupted: the rows above are complete"))?;
    for player in &players {
        for row in bench(player, args.games, global.seed()) {
            let row = row?;
            // Rows are printed one by one, so that an interruption loses none.
            global.print([&row], || columns.line(&for_people(&row)))?;
        }
        global.note(&format!("note: player {} is done", player.name));
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(row: &BenchRow) -> [String; 8] {
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
}
