//! Pipelines: files of stages that are brought up to date in order.
//!
//! ```text
//! OUT/lock                            locked while a process works here; says nothing else
//!     NAME/                           a finished stage: what its command writes, and
//!         stage.json                  what it was made from (`StageRecord`)
//!         cost.json                   what it took (`StageCost`)
//!     NAME.unfinished-HASH/           the same under work; moved to NAME once it is finished
//!     NAME.parts/I-of-N/              a part of it, where several machines share the work
//!     NAME.replaced/                  what NAME was before, for the moment between two renames
//! ```
//!
//! A stage is up to date if it was made from what it would be made from now: the revision of its command, its settings and the contents
//! of its inputs. Time stamps do not count. `HASH` is of the same things, so that only a command for the same result resumes work that was
//! interrupted.

mod file;
mod folder;
mod graph;
mod matrix;
pub mod merge;
mod record;
mod stage;
mod state;
mod words;

pub use file::PipelineFile;
pub use folder::{OutFolder, StageFolder};
pub use graph::{Action, Selection, order};
pub use record::StageRecord;
pub use stage::{BegunStage, ReadyStage, read_stages};
pub use state::{StageState, predict_states, state, wanted};

use std::path::PathBuf;

pub use mineflow_search::did_you_mean;
use mineflow_tasks::table::{Reads, TaskInfo};

/// A stage as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageText {
    pub name: String,
    /// The name in the file, of which a matrix makes several; else that of the stage.
    pub family: String,
    /// The keys of the matrix that made it.
    pub matrix: Vec<String>,
    pub command: String,
    /// Where it stands: `FILE:LINE:COLUMN`.
    pub at: String,
    pub settings: Vec<Setting>,
}

/// A setting as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    pub name: String,
    /// Texts as on the command line; of a table, `KEY=VALUE` each.
    pub values: Vec<String>,
    /// Where it stands: `FILE:LINE:COLUMN`, or the argument that set it.
    pub at: String,
}

/// A stage that is understood, its inputs known.
#[derive(Clone, Debug)]
pub struct Step {
    pub name: String,
    pub task: &'static TaskInfo,
    /// Where it stands, for messages.
    pub at: String,
    /// Everything that its results depend on besides inputs, by name.
    pub settings: serde_json::Map<String, serde_json::Value>,
    pub inputs: Vec<Input>,
}

impl Step {
    /// The stages that it reads.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().filter_map(|input| match &input.from {
            InputSource::Stage { name, .. } => Some(name.as_str()),
            InputSource::Path(_) => None,
        })
    }
}

/// Something that a stage reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The setting that names it, `data`, or one of several, `model 5.0`.
    pub role: String,
    pub from: InputSource,
    pub reads: Reads,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// A stage of the same pipeline.
    Stage {
        name: String,
        task: &'static TaskInfo,
    },
    /// A file, or a folder of `pipeline generate`.
    Path(PathBuf),
}
