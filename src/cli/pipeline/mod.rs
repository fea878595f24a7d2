//! Pipelines: files of stages, which are brought up to date in order.
//!
//! ```text
//! OUT/lock                            locked while a process works here; otherwise without meaning
//!     NAME/                           a finished stage: the output of its command, and
//!         stage.json                  what it was made from (`StageRecord`)
//!         cost.json                   its cost (`StageCost`)
//!     NAME.unfinished-HASH/           its work folder; renamed to NAME when it is finished
//!     NAME.parts-HASH/I-of-N/         a shard of its run, if several machines share the work
//!     NAME.old-HASH/                  an earlier NAME of other settings, or with changed files
//! ```
//!
//! A stage is up to date if nothing that it was made from has changed: the revision of its command,
//! its settings and the contents of its inputs. Time stamps are ignored. `HASH` covers the same
//! things, so that only a command for the same result resumes interrupted work. Only `pipeline run
//! --clean` deletes work of other settings. `rounds.csv`, `results.csv` and `FAMILY.svg` in OUT
//! compare the rounds of a repeat and the stages of a matrix.

mod file;
mod folder;
mod graph;
mod matrix;
mod read;
mod record;
mod repeat;
mod results;
mod stage;
mod state;

pub use file::PipelineFile;
pub use folder::lock_output;
pub use graph::{Action, Selection, order};
pub use read::read_stages;
pub use record::StageRecord;
pub use results::compare;
pub use stage::Stage;
pub use state::{StageState, predict_states};

use std::{fmt::Display, path::PathBuf};

pub use mineflow_search::did_you_mean;
use mineflow_tasks::table::TaskInfo;

/// A stage as written in the file.
#[derive(Clone, Debug)]
pub struct StageText {
    pub name: String,
    /// The name in the file, which all stages of a matrix share.
    pub family: String,
    /// The keys of the matrix that made the stage.
    pub matrix: Vec<MatrixKey>,
    /// The round of the repeat that made the stage.
    pub round: Option<Round>,
    pub command: String,
    /// The source location of the stage: `FILE:LINE:COLUMN`.
    pub at: String,
    pub settings: Vec<Setting>,
    /// The settings that replace those of round 1 of a repeat; empty once it is expanded.
    first: Vec<Setting>,
}

impl StageText {
    /// Returns an error about a setting. Its place is that of the setting, or of the stage if the
    /// stage has no such setting.
    fn error(&self, setting: &str, why: impl Display) -> anyhow::Error {
        let setting = self.settings.iter().find(|other| other.name == setting);
        let at = setting.map_or(&self.at, |setting| &setting.at);
        anyhow::anyhow!("{at}: stage {}: {why}", self.name)
    }

    /// Returns whether `named` is this stage. The name of a matrix's stage may be written with its
    /// values.
    fn is_named(&self, named: &str) -> bool {
        let values = self.matrix.iter().map(|key| format!("-{}", key.value));
        self.name == named || self.family.clone() + &values.collect::<String>() == named
    }
}

/// A key of a matrix with the value of one stage.
#[derive(Clone, Debug)]
pub struct MatrixKey {
    pub name: String,
    pub value: String,
    /// Whether the key is the seed of the stage, so that results are averaged over its values.
    pub seeds: bool,
}

/// The place of a stage in a repeat.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// The name of the repeat.
    pub repeat: String,
    /// The number of the round, from 1.
    pub number: u64,
    /// The number of rounds.
    pub times: u64,
}

/// A setting as written in the file.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    /// Values as on the command line; the entries of a table are `KEY=VALUE`.
    pub values: Vec<String>,
    /// The source location of the setting, `FILE:LINE:COLUMN`, or the argument that set it.
    pub at: String,
}

/// An input of a stage.
pub struct Input {
    /// The setting that names the input, such as `data`. If the setting has several values, a
    /// number, the value or its player follows, as in `model 5.0`.
    pub role: String,
    pub from: InputSource,
}

/// The source of an input.
pub enum InputSource {
    /// A stage of the same pipeline.
    Stage {
        name: String,
        task: &'static TaskInfo,
        /// The folder of the finished stage.
        folder: PathBuf,
    },
    /// A file, or a folder of `pipeline generate`.
    Path(PathBuf),
}
