//! Reads tables of results.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use mineflow_arena::Estimate;
use mineflow_arena::numbers::list;
use mineflow_tasks::eval::{CostRow, EvalRow};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The published tables of games.
const GAMES: [&str; 7] = [
    "strength.csv",
    "beginner.csv",
    "table4.csv",
    "boards.csv",
    "section53.csv",
    "section53-any.csv",
    "section53-exponential.csv",
];
/// A table with at least this many board sizes belongs to section 5.3 of Sinha et al.
const GRID_SIZES: usize = 5;

/// The tables of results from which a report is made.
pub(crate) struct Data {
    /// The folder of the published tables; `None` for the stages of a pipeline.
    root: Option<PathBuf>,
    /// All rows of `pipeline eval` except those of `grid`.
    pub(crate) games: Vec<EvalRow>,
    /// The rows of `pipeline eval` on grids of many board sizes.
    pub(crate) grid: Vec<EvalRow>,
    /// Folders by what they have: the training records of `trees`, `classifier`, `q-iterative`, `q-single` and `alpha`, and `calibration`.
    folders: Vec<(&'static str, PathBuf)>,
}

impl Data {
    /// Reads the published tables below `root`: `play`, `samegame`, `ggp`, `suites` and `training`.
    pub(crate) fn published(root: &Path) -> anyhow::Result<Self> {
        let training = ["trees", "classifier", "q-iterative", "q-single", "alpha"]
            .map(|name| (name, root.join("training").join(name)));
        let mut data = Self {
            root: Some(root.to_owned()),
            games: Vec::new(),
            grid: Vec::new(),
            folders: training.into(),
        };
        data.folders.push(("calibration", root.join("play")));
        for name in GAMES {
            data.add_games(&root.join("play").join(name))?;
        }
        Ok(data)
    }

    /// Reads the results of stages from their folders. The command in a folder's manifest identifies its results. `note` receives a line
    /// about each folder that has no results yet.
    pub(crate) fn of_stages(folders: &[PathBuf], note: &dyn Fn(&str)) -> anyhow::Result<Self> {
        let mut data = Self {
            root: None,
            games: Vec::new(),
            grid: Vec::new(),
            folders: Vec::new(),
        };
        for folder in folders {
            let manifest = folder.join("manifest.json");
            let settings = match manifest.exists() {
                true => json::<Value>(&manifest)?["settings"].take(),
                false => Value::Null,
            };
            let (what, file) = match settings["command"].as_str() {
                _ if folder.join("calibration.csv").exists() => ("calibration", "calibration.csv"),
                Some("eval") => ("games", "eval.csv"),
                Some("train-trees") => ("trees", "metrics.jsonl"),
                Some("train-classifier") => ("classifier", "metrics.jsonl"),
                Some("train-q") if settings.get("episodes").is_some() => {
                    ("q-iterative", "metrics.jsonl")
                }
                Some("train-q") => ("q-single", "metrics.jsonl"),
                Some("fit-alpha") => ("alpha", "alpha.json"),
                _ => continue,
            };
            match folder.join(file) {
                file if !file.exists() => note(&format!(
                    "note: {} is missing, its run is left out",
                    file.display()
                )),
                file if what == "games" => data.add_games(&file)?,
                _ => data.folders.push((what, folder.clone())),
            }
        }
        name_by_run(&mut data.games, |row| row.run.clone());
        // Stages of a pipeline may play a part of another stage's grid for its times; equal results are one series.
        name_by_run(&mut data.grid, |row| (row.wins, row.games));
        let none = data.games.is_empty() && data.grid.is_empty() && data.folders.is_empty();
        ensure!(
            !none,
            "there are no games, training runs or calibrations to report in {}",
            list(
                &folders
                    .iter()
                    .map(|folder| folder.to_string_lossy())
                    .collect::<Vec<_>>()
            )
        );
        Ok(data)
    }

    fn add_games(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut rows: Vec<EvalRow> = csv_rows(path)?;
        for row in &mut rows {
            row.run = path.with_file_name("");
            let ratio = row.wins as f64 / row.games as f64;
            ensure!(
                row.games > 0 && row.wins <= row.games && (ratio - row.win_ratio).abs() < 1e-5,
                "{}: {} of {} games won by {} are no win rate of {}",
                path.display(),
                row.wins,
                row.games,
                row.player,
                row.win_ratio
            );
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let costs = path.with_file_name(if name == "eval.csv" {
            "cost.csv".to_owned()
        } else {
            name.replace(".csv", "-cost.csv")
        });
        if costs.exists() {
            let costs: Vec<CostRow> = csv_rows(&costs)?;
            let seconds: HashMap<_, _> = costs
                .iter()
                .map(|cost| {
                    let board = (cost.width, cost.height, cost.mines);
                    ((&*cost.player, board, &*cost.first_click), cost.cpu_seconds)
                })
                .collect();
            for row in &mut rows {
                let board = (row.width, row.height, row.mines);
                row.cpu_seconds = seconds
                    .get(&(&*row.player, board, &*row.first_click))
                    .copied();
            }
        }
        let mut sizes: Vec<_> = rows.iter().map(|row| (row.width, row.height)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.len() < GRID_SIZES {
            self.games.extend(rows)
        } else {
            self.grid.extend(rows)
        }
        Ok(())
    }

    /// Returns the path of a file of the published tables.
    pub(crate) fn file(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(self
            .root
            .as_ref()
            .context("a report of stages has no published tables")?
            .join(name))
    }

    /// Reads the rows of a published table.
    ///
    /// # Errors
    /// Returns an error if the table is missing or malformed.
    pub(crate) fn table<R: DeserializeOwned>(&self, name: &str) -> anyhow::Result<Vec<R>> {
        csv_rows(&self.file(name)?)
    }

    /// Returns the folders with the training records of a model or with `calibration`, each with its [`run_name`].
    pub(crate) fn runs(&self, what: &str) -> Vec<(String, &Path)> {
        let of = self.folders.iter().filter(|(name, _)| *name == what);
        let folders: Vec<&Path> = of.map(|(_, folder)| &**folder).collect();
        let name = |folder: &&Path| run_name(folder, folders.iter().copied());
        folders
            .iter()
            .map(|folder| (name(folder), *folder))
            .collect()
    }

    /// Returns the row of a player on a board with the most games.
    pub(crate) fn best(&self, player: &str, board: &str, first_click: &str) -> Option<&EvalRow> {
        let is = |row: &&EvalRow| {
            row.player == player && row.first_click == first_click && row.board() == board
        };
        self.games.iter().filter(is).max_by_key(|row| row.games)
    }

    /// Returns the win rate of [`Self::best`].
    pub(crate) fn won(&self, player: &str, board: &str, first_click: &str) -> Option<Estimate> {
        self.best(player, board, first_click).map(EvalRow::won)
    }
}

/// Returns ` (NAME)` with the name of a run's folder, or with its path if several folders have the name. The text is empty if there is only
/// one run.
fn run_name<'a>(folder: &Path, runs: impl Iterator<Item = &'a Path>) -> String {
    let runs: BTreeSet<_> = runs.collect();
    let name = folder.file_name().unwrap_or_default();
    let is_own = runs
        .iter()
        .filter(|run| run.file_name() == Some(name))
        .count()
        < 2;
    match runs.len() {
        ..2 => String::new(),
        _ if is_own => format!(" ({})", name.display()),
        _ => format!(" ({})", folder.display()),
    }
}

/// Adds the run to the name of each player whose rows of the same place differ: `5.0 (RUN)`.
fn name_by_run<T: PartialEq>(rows: &mut [EvalRow], differ: fn(&EvalRow) -> T) {
    let mut first = HashMap::new();
    let mut several = BTreeSet::new();
    for row in &*rows {
        let place = (row.player.clone(), row.board(), row.first_click.clone());
        if *first.entry(place).or_insert_with(|| differ(row)) != differ(row) {
            several.insert(row.player.clone());
        }
    }
    let mut runs: Vec<_> = rows.iter().map(|row| row.run.clone()).collect();
    runs.dedup();
    for row in rows.iter_mut().filter(|row| several.contains(&row.player)) {
        let run = run_name(&row.run, runs.iter().map(|run| &**run));
        // The suffix denotes the traversal of Sinha et al.
        let name = row.player.trim_end_matches("-paper");
        row.player = format!("{name}{run}{}", &row.player[name.len()..]);
    }
}

/// Returns these players in the order of `players`, each under all its names among `names`, which may have the name of a run.
pub(crate) fn players_of<'a>(
    names: impl Iterator<Item = &'a str>,
    players: &[&str],
) -> Vec<&'a str> {
    let names: BTreeSet<_> = names.collect();
    let of = |player: &&str| {
        names
            .iter()
            .filter(|name| base(name) == *player)
            .collect::<Vec<_>>()
    };
    players.iter().flat_map(of).copied().collect()
}

/// Returns the name of a player without the name of a run.
pub(crate) fn base(player: &str) -> &str {
    player.split(" (").next().unwrap_or(player)
}

/// Reads the rows of a CSV file.
pub(crate) fn csv_rows<R: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<R>> {
    let missing = || {
        format!(
            "can't read {}; the README.md of its folder has the command that makes it",
            path.display()
        )
    };
    let bytes = fs::read(path).with_context(missing)?;
    let kind = || format!("{} is not a table of this kind", path.display());
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let header = reader.headers().with_context(kind)?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.with_context(kind)?;
        let broken = record
            .iter()
            .position(|field| ["nan", "inf", "-inf"].contains(&&*field.to_lowercase()));
        if let Some(column) = broken {
            bail!(
                "{}: {} is {} in row {}",
                path.display(),
                &header[column],
                &record[column],
                rows.len() + 1
            );
        }
        rows.push(record.deserialize(Some(&header)).with_context(kind)?);
    }
    ensure!(!rows.is_empty(), "{} has no rows", path.display());
    Ok(rows)
}

/// Reads the rows of a CSV table that is embedded in the program.
pub(crate) fn embedded<R: DeserializeOwned>(text: &str) -> anyhow::Result<Vec<R>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    Ok(reader.deserialize().collect::<Result<_, _>>()?)
}

/// Reads the object of a JSON file.
pub(crate) fn json<R: DeserializeOwned>(path: &Path) -> anyhow::Result<R> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not JSON of this kind", path.display()))
}

/// Reads the objects of a file of JSON Lines.
pub(crate) fn json_lines<R: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<R>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let object = |(index, line): (usize, &str)| {
        serde_json::from_str(line)
            .with_context(|| format!("{}, line {}", path.display(), index + 1))
    };
    ensure!(!text.is_empty(), "{} has no rows", path.display());
    text.lines().enumerate().map(object).collect()
}
