//! Reads tables of results.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use mineflow_arena::{Estimate, numbers::list};
use mineflow_tasks::eval::{CostRow, EvalRow};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// The published tables of games.
const GAMES: [&str; 8] = [
    "strength.csv",
    "beginner.csv",
    "table4.csv",
    "boards.csv",
    "section53.csv",
    "section53-any.csv",
    "section53-exponential.csv",
    "section53-copies.csv",
];
/// Recipes and budgets by name.
pub(crate) type Names = HashMap<String, Vec<String>>;

/// The tables of the papers, and the names in `claims.csv`.
const EMBEDDED: [(&str, &str); 6] = [
    ("names.csv", include_str!("names.csv")),
    ("papers/ggp.csv", include_str!("papers/ggp.csv")),
    ("papers/samegame.csv", include_str!("papers/samegame.csv")),
    (
        "papers/samegame-table-5.csv",
        include_str!("papers/samegame-table-5.csv"),
    ),
    (
        "papers/samegame-positions.csv",
        include_str!("papers/samegame-positions.csv"),
    ),
    (
        "papers/sinha-table-4.csv",
        include_str!("papers/sinha-table-4.csv"),
    ),
];
/// A table with at least this many board sizes belongs to section 5.3 of Sinha et al.
const GRID_SIZES: usize = 5;

/// The tables of results from which a report is made.
#[derive(Default)]
pub(crate) struct Data {
    /// The folder of the published tables; `None` for the stages of a pipeline.
    root: Option<PathBuf>,
    /// All rows of `pipeline eval` except those of `grid`.
    pub games: Vec<EvalRow>,
    /// The rows of `pipeline eval` on grids of many board sizes.
    pub grid: Vec<EvalRow>,
    /// Folders by what they have: the training records of `trees`, `classifier`, `q-iterative`,
    /// `q-single`, `network` and `alpha`, `calibration` and `compare`.
    folders: Vec<(&'static str, PathBuf)>,
}

impl Data {
    /// Reads the published tables below `root`: `play`, `samegame`, `ggp`, `suites` and `training`.
    pub fn published(root: &Path) -> Result<Self> {
        let mut data = Self {
            root: Some(root.to_owned()),
            ..Self::default()
        };
        for name in ["trees", "classifier", "q-iterative", "q-single", "alpha"] {
            data.folders.push((name, root.join("training").join(name)));
        }
        data.folders.push(("calibration", root.join("play")));
        for name in GAMES {
            data.add_games(&root.join("play").join(name))?;
        }
        Ok(data)
    }

    /// Reads the results of stages from their folders. `note` receives a line about each folder
    /// that has no results yet.
    pub fn of_stages(folders: &[PathBuf], note: &dyn Fn(&str)) -> Result<Self> {
        let mut data = Self::default();
        for folder in folders {
            let Some((what, file)) = results(folder)? else {
                continue;
            };
            let file = folder.join(file);
            if !file.exists() {
                let file = file.display();
                note(&format!("note: {file} is missing, its run is left out"));
            } else if what == "games" {
                data.add_games(&file)?;
            } else {
                data.folders.push((what, folder.clone()));
            }
        }
        name_by_run(&mut data.games, |row| row.run.clone());
        // Stages of a pipeline may play a part of another stage's grid for its times; equal results
        // are one series.
        name_by_run(&mut data.grid, |row| (row.wins, row.games));
        let none = data.games.is_empty() && data.grid.is_empty() && data.folders.is_empty();
        let names: Vec<_> = folders
            .iter()
            .map(|folder| folder.to_string_lossy())
            .collect();
        ensure!(
            !none,
            "there are no games, training runs or calibrations to report in {}",
            list(&names)
        );
        Ok(data)
    }

    fn add_games(&mut self, path: &Path) -> Result<()> {
        let mut rows: Vec<EvalRow> = csv_rows(path)?;
        let costs = match path.file_name().unwrap_or_default().to_string_lossy() {
            name if name == "eval.csv" => path.with_file_name("cost.csv"),
            name => path.with_file_name(name.replace(".csv", "-cost.csv")),
        };
        let mut seconds = HashMap::new();
        if costs.exists() {
            for cost in csv_rows::<CostRow>(&costs)? {
                let board = (cost.width, cost.height, cost.mines);
                seconds.insert((cost.player, board, cost.first_click), cost.cpu_seconds);
            }
        }
        let mut sizes = BTreeSet::new();
        for row in &mut rows {
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
            sizes.insert((row.width, row.height));
            row.run = path.with_file_name("");
            let board = (row.width, row.height, row.mines);
            let key = (row.player.clone(), board, row.first_click.clone());
            row.cpu_seconds = seconds.get(&key).copied();
        }
        if sizes.len() < GRID_SIZES {
            self.games.extend(rows);
        } else {
            self.grid.extend(rows);
        }
        Ok(())
    }

    /// Returns the path of a file of the published tables.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        Ok(self
            .root
            .as_ref()
            .context("a report of stages has no published tables")?
            .join(name))
    }

    /// Returns the recipes and budgets of `names.csv` by name. A recipe that plays a named setting by
    /// another reading of a paper has the same name.
    pub fn names(&self) -> Result<Names> {
        let mut names = Names::new();
        for (name, value) in self.table::<(String, String)>("names.csv")? {
            names.entry(name).or_default().push(value);
        }
        Ok(names)
    }

    /// Reads the rows of a published table or of one that is embedded in the program.
    ///
    /// # Errors
    /// Returns an error if the table is missing or malformed.
    pub fn table<R: DeserializeOwned>(&self, name: &str) -> Result<Vec<R>> {
        match EMBEDDED.iter().find(|(embedded, _)| *embedded == name) {
            Some((_, text)) => parsed(text.as_bytes(), name),
            None => csv_rows(&self.file(name)?),
        }
    }

    /// Returns the folders with the training records of a model or with `calibration`, each with
    /// its [`run_name`].
    pub fn runs(&self, what: &str) -> Vec<(String, &Path)> {
        let folders: Vec<&Path> = self
            .folders
            .iter()
            .filter(|(name, _)| *name == what)
            .map(|(_, folder)| &**folder)
            .collect();
        let runs = folders.iter().copied().collect();
        folders
            .iter()
            .map(|folder| (run_name(folder, &runs), *folder))
            .collect()
    }

    /// Returns the row of a player on a board with the most games.
    pub fn best(&self, player: &str, board: &str, first_click: &str) -> Option<&EvalRow> {
        self.games
            .iter()
            .filter(|row| {
                row.player == player && row.first_click == first_click && row.board() == board
            })
            .max_by_key(|row| row.games)
    }

    /// Returns the win rate of [`Self::best`].
    pub fn won(&self, player: &str, board: &str, first_click: &str) -> Option<Estimate> {
        self.best(player, board, first_click).map(EvalRow::won)
    }
}

/// A row of a table by column.
#[derive(Deserialize)]
pub(crate) struct Row(pub(crate) HashMap<String, String>);

impl Row {
    /// Returns a cell that is not empty.
    pub fn cell(&self, column: &str) -> Result<&str> {
        match self.0.get(column) {
            Some(cell) if !cell.is_empty() => Ok(cell),
            Some(_) => bail!("there is no value of {column}"),
            None => bail!("there is no column {column}"),
        }
    }

    pub fn number(&self, column: &str) -> Result<f64> {
        let cell = self.cell(column)?;
        cell.parse()
            .with_context(|| format!("{column} is `{cell}`"))
    }

    /// Returns an estimate from the columns of its value and of the ends of its interval.
    pub fn interval(&self, [value, low, high]: [&str; 3]) -> Result<Estimate> {
        Ok(Estimate {
            value: self.number(value)?,
            low: self.number(low)?,
            high: self.number(high)?,
        })
    }
}

/// Returns what a stage folder has and the file with it, as the command in its manifest says.
fn results(folder: &Path) -> Result<Option<(&'static str, &'static str)>> {
    let manifest = folder.join("manifest.json");
    if folder.join("calibration.csv").exists() {
        return Ok(Some(("calibration", "calibration.csv")));
    } else if !manifest.exists() {
        return Ok(None);
    }
    let settings = json::<Value>(&manifest)?["settings"].take();
    Ok(Some(match settings["command"].as_str() {
        Some("eval") => ("games", "eval.csv"),
        Some("compare") => ("compare", "compare.csv"),
        Some("train-trees") => ("trees", "metrics.jsonl"),
        Some("train-network") => ("network", "metrics.jsonl"),
        Some("train-classifier") => ("classifier", "metrics.jsonl"),
        Some("train-q") if settings.get("episodes").is_some() => ("q-iterative", "metrics.jsonl"),
        Some("train-q") => ("q-single", "metrics.jsonl"),
        Some("fit-alpha") => ("alpha", "alpha.json"),
        _ => return Ok(None),
    }))
}

/// Returns ` (NAME)` with the name of a run's folder, or with its path if several folders have the
/// name. The text is empty if there is only one run.
fn run_name(folder: &Path, runs: &BTreeSet<&Path>) -> String {
    let name = folder.file_name().unwrap_or_default();
    let named = runs.iter().filter(|run| run.file_name() == Some(name));
    match (runs.len(), named.count()) {
        (..2, _) => String::new(),
        (_, ..2) => format!(" ({})", name.display()),
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
    let folders: Vec<PathBuf> = rows.iter().map(|row| row.run.clone()).collect();
    let runs = folders.iter().map(|run| &**run).collect();
    for row in rows.iter_mut().filter(|row| several.contains(&row.player)) {
        // The suffix denotes the traversal of Sinha et al.
        let name = row.player.trim_end_matches("-paper");
        let run = run_name(&row.run, &runs);
        row.player = format!("{name}{run}{}", &row.player[name.len()..]);
    }
}

/// Returns the name of a player without the name of a run.
pub(crate) fn base(player: &str) -> &str {
    player.split(" (").next().unwrap_or(player)
}

/// Returns the paths of the files and folders in a folder, sorted.
pub(crate) fn inside(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

/// Reads the rows of a CSV file.
pub(crate) fn csv_rows<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>> {
    let name = path.display().to_string();
    parsed(
        &fs::read(path).with_context(|| {
            format!("can't read {name}; the README.md of its folder has the command that makes it")
        })?,
        &name,
    )
}

/// Parses the rows of the CSV table of this name.
fn parsed<R: DeserializeOwned>(bytes: &[u8], name: &str) -> Result<Vec<R>> {
    let kind = || format!("{name} is not a table of this kind");
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().with_context(kind)?.clone();
    ensure!(!header.is_empty(), "{name} is empty");
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.with_context(kind)?;
        for (column, field) in header.iter().zip(&record) {
            let is_broken = ["nan", "inf", "-inf"].contains(&&*field.to_lowercase());
            ensure!(
                !is_broken,
                "{name}: {column} is {field} in row {}",
                rows.len() + 1
            );
        }
        rows.push(record.deserialize(Some(&header)).with_context(kind)?);
    }
    Ok(rows)
}

/// Reads the object of a JSON file.
pub(crate) fn json<R: DeserializeOwned>(path: &Path) -> Result<R> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not JSON of this kind", path.display()))
}

/// Reads the objects of a file of JSON Lines.
pub(crate) fn json_lines<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    ensure!(!text.is_empty(), "{} has no rows", path.display());
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{}, line {}", path.display(), index + 1))
        })
        .collect()
}
