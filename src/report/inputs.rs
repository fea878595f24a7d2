//! What a report is made from.

use std::path::PathBuf;

use mineflow_tasks::models::Description;

/// What a report is made from. A file or folder that doesn't exist is named in the report as missing; what is `None` or empty isn't
/// looked for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    /// Tables that `pipeline eval` wrote, most important first: one of many sizes belongs to the experiment of section 5.3, rows on 9x9
    /// with 10 mines to table 4.
    pub games: Vec<PathBuf>,
    /// The bins that `pipeline calibrate` wrote; beside them lie its other tables.
    pub calibration: Option<PathBuf>,
    pub training: Training,
    /// The folder with what the stages of `pipelines/sp-mcts.toml` wrote: `STAGE.csv`, and beside it `STAGE-boards.csv` and
    /// `STAGE-cost.csv`. The report names the stages that are missing there.
    pub samegame: Option<PathBuf>,
    /// The folder of the tables that `pipelines/strength.toml` makes: `strength.csv`, `versions.csv`, `speed.csv`, `worth.csv`.
    /// The report names those that are missing there.
    pub strength: Option<PathBuf>,
    /// The folder of tables of `pipeline ggp match`, `networks.csv` and `equality.csv`.
    pub rule_sheets: Option<PathBuf>,
    /// Where the page will lie: files below it are linked. `None` links nothing.
    pub page_folder: Option<PathBuf>,
    /// Every named player, in the order of the report.
    pub versions: Vec<NamedPlayer>,
}

/// The folders that the training commands wrote, or the parts of them that the report reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Training {
    /// Of 5.0: `metrics.jsonl`, `importance.csv`, `manifest.json`.
    pub trees: Option<PathBuf>,
    /// Of 5.5: `metrics.jsonl`, `manifest.json`.
    pub classifier: Option<PathBuf>,
    /// Of 6.5, likewise.
    pub q_single: Option<PathBuf>,
    /// Of 6.0, likewise.
    pub q_iterative: Option<PathBuf>,
    /// `alpha.json`, `sweep.csv`, `targets.csv`.
    pub alpha: Option<PathBuf>,
}

/// A named player, as its page describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NamedPlayer {
    pub name: String,
    pub recipe: String,
    pub summary: String,
    /// Where it is described.
    pub source: String,
    /// What it loads, if it loads something.
    pub model: Option<PlayerModel>,
}

/// The artifact that a player loads.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerModel {
    pub description: Description,
    /// The argument of `pipeline models show` for it: the player, or a file that is not published.
    pub shown_by: String,
    /// How it was made and how well it does, as names and texts.
    pub made: Vec<(String, String)>,
}
