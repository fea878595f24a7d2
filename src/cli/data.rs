//! `pipeline data`.

use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
};

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde_json::json;

use super::{
    Global,
    output::to_stdout,
    stage::show as show_outcome,
    terminal::{draw, named_lines},
};
use mineflow_arena::{
    TableOf,
    numbers::{counted, grouped},
};
use mineflow_learn::data::{FileKind, Manifest, ReadLimits, head, split, verify};
use mineflow_minesweeper::{
    features::{FEATURE_SETS, PositionFeatures, feature_set},
    player::PlayerSpec,
};
use mineflow_model::Column;
use mineflow_tasks::{
    generate::{Featurise, RowArgs, in_short},
    help::examples,
    json_lines,
};

#[derive(Subcommand)]
pub(super) enum DataCommand {
    /// Print the contents of a data folder, or the first rows of a Parquet file
    #[command(after_help = examples(&["data show rows", "data show rows/rows/00000.parquet --head 20"], ""))]
    Show {
        /// Show these data folders and Parquet files
        #[arg(value_name = "DIR|FILE", required = true)]
        paths: Vec<PathBuf>,
        /// Print the first N rows of a file
        #[arg(long, value_name = "N", default_value_t = 5)]
        head: usize,
    },
    /// Check a data folder: hashes, columns, ranges, counts; exit code 1 on failure
    #[command(after_help = examples(&["data verify rows", "data verify rows --json"], ""))]
    Verify {
        /// Read this data folder
        folder: PathBuf,
    },
    /// Count train, validation and test games and rows; with --out, write each split
    #[command(after_help = examples(&["data split rows", "data split rows --out split"], ""))]
    Split {
        /// Read this data folder
        folder: PathBuf,
        /// Write the folders train, validation and test into this folder
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Compute rows of a feature set from the positions in a data folder
    #[command(after_help = examples(
        &[
            "data featurise rows --features q-v2 --out q-rows",
            "data featurise rows --features classifier-v2 --player 4.0 --out more-rows",
        ],
        "",
    ))]
    Featurise(Box<FeaturiseArgs>),
}

#[derive(Args)]
pub(super) struct FeaturiseArgs {
    /// Read this data folder
    folder: PathBuf,
    /// Choose the feature set, such as classifier-v2 or q-v2
    #[arg(long, value_name = "NAME", value_parser = feature_set_named())]
    features: &'static dyn PositionFeatures,
    /// Use the probabilities of this player, by name or recipe [default: the player of the games]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    #[command(flatten)]
    row_args: RowArgs,
    /// Write the rows to this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Returns a parser of the names of feature sets.
fn feature_set_named() -> impl TypedValueParser<Value = &'static dyn PositionFeatures> {
    let names = FEATURE_SETS.iter().map(|features| features.set().name);
    PossibleValuesParser::new(names).map(|name| feature_set(&name).expect("one of those offered"))
}

pub(super) fn run(command: &DataCommand, global: &Global) -> Result<ExitCode> {
    match command {
        DataCommand::Show { paths, head } => show(paths, *head, global),
        DataCommand::Verify { folder } => check(folder, global),
        DataCommand::Split { folder, out } => parts(folder, out.as_deref(), global),
        DataCommand::Featurise(args) => featurise(args, global),
    }
}

fn show(paths: &[PathBuf], rows: usize, global: &Global) -> Result<ExitCode> {
    for path in paths {
        to_stdout(&match (path.is_dir(), global.json) {
            (true, false) => show_folder(path)?,
            (true, true) => json_lines([Manifest::read(path)?])?,
            (false, false) => show_file(path, rows)?,
            (false, true) => {
                let found = head(path, rows)?;
                let columns: Vec<_> = found
                    .columns
                    .iter()
                    .map(|(name, kind)| json!({"name": name, "type": kind}))
                    .collect();
                json_lines([json!({"rows": found.height, "columns": columns, "head": found.rows})])?
            }
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_folder(folder: &Path) -> Result<String> {
    let manifest = Manifest::read(folder)?;
    let mut text = in_short(&folder.display().to_string(), manifest.totals);
    if !manifest.complete {
        text += "not finished: the command that made it goes on where it stopped\n";
    }
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.rows.bytes).sum();
    let positions: u64 = manifest
        .shards
        .iter()
        .map(|shard| shard.decisions.bytes)
        .sum();
    text += &format!(
        "{}; rows {} bytes, {:.2} a row; decisions {} bytes, {:.2} each\n",
        counted(manifest.shards.len() as u64, "shard"),
        grouped(bytes),
        bytes as f64 / manifest.totals.rows.max(1) as f64,
        grouped(positions),
        positions as f64 / manifest.totals.decisions.max(1) as f64,
    );
    text += &named_lines(manifest.settings.iter().map(|(name, value)| {
        let in_words = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        (name.as_str(), in_words)
    }));
    let rows = feature_set(&manifest.features).map(|features| FileKind::Rows(features.set()));
    for kind in rows.into_iter().chain([FileKind::Decisions]) {
        let files = match kind {
            FileKind::Rows(set) => format!("rows/*.parquet, features {}; ", set.name),
            FileKind::Decisions => "decisions/*.parquet; ".to_owned(),
            FileKind::GuessSet => String::new(),
        };
        text += &format!("\n{files}no column has nulls or NaN\n");
        text += &columns_table(&kind.columns());
    }
    Ok(text)
}

fn columns_table(columns: &[Column]) -> String {
    let range = |column: &Column| {
        column
            .range
            .map_or(String::new(), |(low, high)| format!("{low}..{high}"))
    };
    let table = TableOf::new(columns)
        .left("column", |column| column.name)
        .left("type", |column| column.column_type.name())
        .left("unit", |column| column.unit)
        .left("range", range)
        .left("meaning", |column| column.meaning);
    draw(&table.text())
}

fn show_file(path: &Path, rows: usize) -> Result<String> {
    let found = head(path, rows)?;
    let meaning = |name: &str| {
        let kinds = FEATURE_SETS
            .iter()
            .map(|features| FileKind::Rows(features.set()))
            .chain([FileKind::Decisions, FileKind::GuessSet]);
        // A feature set may contain all columns of another one. Choose the kind with the most
        // columns.
        kinds
            .filter(|kind| {
                kind.columns()
                    .iter()
                    .all(|c| found.columns.iter().any(|f| f.0 == c.name))
            })
            .max_by_key(|kind| kind.columns().len())
            .map(FileKind::columns)
            .unwrap_or_default()
            .iter()
            .find(|column| column.name == name)
            .map_or("", |column| column.meaning)
    };
    let values = |column: usize| {
        found
            .rows
            .iter()
            .map(|row| short(&row[column]))
            .collect::<Vec<_>>()
            .join("  ")
    };
    let table = TableOf::new(&found.columns.iter().enumerate().collect::<Vec<_>>())
        .left("column", |(_, (name, _))| name)
        .left("type", |(_, (_, kind))| kind)
        .left("first rows", |(at, _)| values(*at))
        .left("meaning", |(_, (name, _))| meaning(name))
        .text();
    let height = grouped(found.height as u64);
    Ok(format!(
        "{}: {height} rows\n{}",
        path.display(),
        draw(&table)
    ))
}

/// Truncates a value to fit a table.
fn short(value: &str) -> String {
    let mut start: String = value.chars().take(16).collect();
    if start.len() < value.len() {
        start += "..";
    }
    start
}

fn check(folder: &Path, global: &Global) -> Result<ExitCode> {
    let limits = ReadLimits {
        stop: &AtomicBool::new(false),
        memory: global.memory(),
    };
    let faults = verify(
        folder,
        |name| feature_set(name).map(PositionFeatures::set),
        limits,
    )?;
    let rows = faults
        .iter()
        .map(|fault| json!({"fault": fault.to_string()}));
    let text = match faults.is_empty() {
        true => {
            let totals = Manifest::of_finished(folder)?.totals;
            in_short(&folder.display().to_string(), totals)
                + "hashes, columns, values and row counts are as they should be\n"
        }
        false => faults.iter().map(|fault| format!("{fault}\n")).collect(),
    };
    global.print(rows, || text)?;
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn parts(folder: &Path, out: Option<&Path>, global: &Global) -> Result<ExitCode> {
    let parts = split(folder, out, &AtomicBool::new(false))?;
    let rows = parts
        .iter()
        .map(|(part, counts)| json!({"part": part.name(), "counts": counts}));
    global.print(rows, || {
        TableOf::new(&parts)
            .left("part", |(part, _)| part.name())
            .right("games", |(_, counts)| grouped(counts.games))
            .right("guesses", |(_, counts)| grouped(counts.decisions))
            .right("rows", |(_, counts)| grouped(counts.rows))
    })
}

fn featurise(args: &FeaturiseArgs, global: &Global) -> Result<ExitCode> {
    let player = match &args.player {
        Some(player) => player.clone(),
        None => Featurise::player_of_games(&Manifest::read(&args.folder)?)?,
    };
    let featurise = Featurise {
        from: args.folder.clone(),
        kind: args.row_args.rows(args.features)?,
        player,
    };
    show_outcome(global, Some(args.out.clone()), |context| {
        featurise.run(context)
    })
}
