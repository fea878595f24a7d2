//! The table of the commands that can be stages of pipelines. The settings of the commands are
//! defined elsewhere.

use crate::part::{JoinParts, join};

/// A command that can be a stage of a pipeline.
#[derive(Clone, Copy)]
pub struct TaskInfo {
    /// The name on the command line, which may have two words.
    pub name: &'static str,
    /// Revision of the command. The revision is raised when the same settings and inputs give other
    /// results than before.
    pub revision: u32,
    /// The file of the command's folder that other stages read; empty for the folder itself.
    pub output: &'static str,
    /// The folder of the results if the command line gives none; empty if the results are then only
    /// printed.
    pub home: &'static str,
    /// The folder of the results if the command line gives no setting at all.
    pub bare_home: &'static str,
    /// The settings that name stages or files.
    pub inputs: &'static [InputFlag],
    /// Whether a finished folder can be extended to more `--games`.
    pub grows: bool,
    /// The function that joins the shards of a run (`--shard`); `None` if the work of the command
    /// can't be divided into shards.
    pub parts: Option<JoinParts>,
    /// Command-line-only flags, which pipelines reject: the stage would not record the inputs that
    /// they name, or would save nothing.
    pub command_line_only: &'static [&'static str],
}

/// A setting that names a stage or a file.
#[derive(Clone, Copy)]
pub struct InputFlag {
    pub name: &'static str,
    /// The commands whose output the setting accepts; empty if the setting accepts files only.
    pub takes: &'static [&'static str],
    pub reads: Reads,
    /// Whether the setting may also be a number.
    pub may_be_number: bool,
}

/// The part of a stage's folder that another stage reads.
#[derive(Clone, Copy, PartialEq)]
pub enum Reads {
    /// The file [`TaskInfo::output`].
    Output,
    /// The whole folder.
    Folder,
}

const fn file(name: &'static str, takes: &'static [&'static str]) -> InputFlag {
    InputFlag {
        name,
        takes,
        reads: Reads::Output,
        may_be_number: false,
    }
}

const fn folder(name: &'static str, takes: &'static [&'static str]) -> InputFlag {
    InputFlag {
        reads: Reads::Folder,
        ..file(name, takes)
    }
}

const DATA: InputFlag = file("data", &["generate", "data relabel"]);
/// The models of players, made by trainings.
pub const MODEL: InputFlag = file("model", MODELS);
const MODELS: &[&str] = &[
    "train-trees",
    "train-network",
    "train-classifier",
    "train-q",
    "choose",
];
const VALUE_MODEL: InputFlag = file("value-model", &["train-trees", "train-network"]);
const ALPHA: InputFlag = InputFlag {
    may_be_number: true,
    ..file("alpha", &["fit-alpha"])
};
const REPORTED: InputFlag = folder(
    "runs",
    &[
        "fit-alpha",
        "train-trees",
        "train-network",
        "train-classifier",
        "train-q",
        "eval",
        "compare",
        "calibrate",
    ],
);

#[cfg(feature = "train")]
const JOIN_SHARDS: Option<JoinParts> = Some(crate::generate::join_shards);
#[cfg(not(feature = "train"))]
const JOIN_SHARDS: Option<JoinParts> = None;

/// A command without inputs, without shards and without an output file that other stages read.
const PLAIN: TaskInfo = TaskInfo {
    name: "",
    revision: 1,
    output: "",
    home: "",
    bare_home: "",
    inputs: &[],
    grows: false,
    parts: None,
    command_line_only: &[],
};

/// All commands that can be stages, including those that this build lacks.
pub const TASKS: &[TaskInfo] = &[
    TaskInfo {
        name: "generate",
        home: "runs/generate",
        revision: 3,
        inputs: &[ALPHA, MODEL],
        parts: JOIN_SHARDS,
        ..PLAIN
    },
    TaskInfo {
        name: "data relabel",
        home: "runs/relabel",
        inputs: &[DATA],
        ..PLAIN
    },
    TaskInfo {
        name: "train-trees",
        home: "runs/train-trees",
        revision: 2,
        output: "artifact.json",
        inputs: &[DATA, file("from", &["train-trees"])],
        ..PLAIN
    },
    TaskInfo {
        name: "train-network",
        home: "runs/train-network",
        output: "artifact.safetensors",
        inputs: &[
            DATA,
            file("from", &["train-network", "train-classifier", "train-q"]),
        ],
        ..PLAIN
    },
    TaskInfo {
        name: "train-classifier",
        home: "runs/train-classifier",
        revision: 3,
        output: "artifact.safetensors",
        inputs: &[DATA, file("from", &["train-classifier", "train-network"])],
        ..PLAIN
    },
    TaskInfo {
        name: "train-q",
        home: "runs/train-q",
        revision: 3,
        output: "artifact.safetensors",
        inputs: &[DATA, ALPHA, file("from", &["train-q", "train-network"])],
        ..PLAIN
    },
    TaskInfo {
        name: "fit-alpha",
        home: "runs/fit-alpha",
        revision: 2,
        output: "alpha.safetensors",
        grows: true,
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "eval",
        bare_home: "runs/eval",
        revision: 2,
        output: "eval.csv",
        inputs: &[MODEL, VALUE_MODEL],
        grows: true,
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "compare",
        revision: 2,
        output: "compare.csv",
        inputs: &[MODEL, VALUE_MODEL],
        grows: true,
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "calibrate",
        revision: 4,
        output: "calibration.csv",
        inputs: &[MODEL],
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "guess-set",
        home: "runs/guess-set",
        output: "report.parquet",
        inputs: &[MODEL],
        ..PLAIN
    },
    TaskInfo {
        name: "score",
        revision: 2,
        output: "score.csv",
        inputs: &[MODEL, file("set", &["guess-set"])],
        ..PLAIN
    },
    TaskInfo {
        name: "choose",
        home: "runs/choose",
        inputs: &[file("candidates", MODELS), folder("set", &["guess-set"])],
        ..PLAIN
    },
    TaskInfo {
        name: "models explain",
        inputs: &[
            DATA,
            file("file", MODEL.takes),
            file("against", MODEL.takes),
        ],
        ..PLAIN
    },
    TaskInfo {
        name: "tune",
        home: "runs/tune",
        inputs: &[MODEL, folder("set", &["guess-set"])],
        ..PLAIN
    },
    TaskInfo {
        name: "samegame eval",
        output: "eval.csv",
        inputs: &[file("boards", &[]), folder("tuned", &["samegame tune"])],
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "samegame tune",
        home: "runs/samegame-tune",
        ..PLAIN
    },
    TaskInfo {
        name: "ggp match",
        revision: 2,
        output: "matches.csv",
        inputs: &[file("game", &[])],
        parts: Some(join),
        ..PLAIN
    },
    TaskInfo {
        name: "report",
        revision: 3,
        output: "index.html",
        inputs: &[REPORTED],
        command_line_only: &["from"],
        ..PLAIN
    },
];

/// Returns the command of this name, if it can be a stage.
pub fn task(name: &str) -> Option<&'static TaskInfo> {
    TASKS.iter().find(|task| task.name == name)
}

impl TaskInfo {
    /// Returns the file whose content decides whether the output has changed.
    pub fn key_file(&self) -> &'static str {
        if self.output.is_empty() {
            "manifest.json"
        } else {
            self.output
        }
    }

    /// Returns the setting of this name, if it names stages or files.
    pub fn input(&self, name: &str) -> Option<&'static InputFlag> {
        self.inputs.iter().find(|input| input.name == name)
    }
}

/// Commands are equal if their names are equal.
impl PartialEq for TaskInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TaskInfo {}
