//! The commands that a stage may be, and what the pipeline has to know of each.

use mineflow_report::Report;
use mineflow_stage::definition::Definition;
use mineflow_stage::part::{JoinParts, join};
use mineflow_stage_games::ggp_ladder::GgpLadder;
use mineflow_stage_games::ggp_match::GgpMatch;
use mineflow_stage_games::ggp_table::GgpTable;
use mineflow_stage_games::samegame::eval::SamegameEval;
use mineflow_stage_games::samegame::tune::SamegameTune;
use mineflow_stage_measure::calibrate::Calibrate;
use mineflow_stage_measure::compare::Compare;
use mineflow_stage_measure::eval::Eval;

/// A command that a stage may be.
#[derive(Debug)]
pub struct Kind {
    /// As on the command line, of several words where it has several.
    pub command: &'static str,
    /// To be raised when the same settings and inputs give other results than before.
    pub revision: u32,
    /// What other stages read of its folder; empty for the folder itself.
    pub output: &'static str,
    /// The file whose content tells whether the output is another one.
    pub key_file: &'static str,
    /// Arguments besides `out` that a stage can't set: what they name would not be known as an input, or nothing is kept.
    pub not_set: &'static [&'static str],
    /// Settings that name stages.
    pub inputs: &'static [InputFlag],
    /// Whether it takes the published alpha if it is given no input and none itself.
    pub published: bool,
    /// Whether a folder can go on to more `games` with those that it has.
    pub grows: bool,
    /// The stage itself; none where this build leaves it out.
    pub stage: Option<CommandOf>,
}

/// A stage as a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandOf {
    pub definition: Definition,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What `--out` is: `DIR` or `FILE`, and what for.
    pub out: (&'static str, &'static str),
    /// How its parts, made by several machines, are joined; none if it has none.
    pub parts: Option<JoinParts>,
}

/// A setting that names a stage or a file, or a file alone.
#[derive(PartialEq, Eq, Debug)]
pub struct InputFlag {
    pub name: &'static str,
    /// The commands whose output it takes; none if it takes files alone.
    pub takes: &'static [&'static str],
    pub reads: Reads,
}

/// What of a stage's folder another one reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// What the command is there to make.
    Output,
    /// Whatever it finds.
    Folder,
}

/// Every command that a stage may be.
pub const KINDS: &[Kind] = &[
    Kind {
        command: "generate",
        revision: 2,
        output: "",
        key_file: "manifest.json",
        not_set: &[],
        inputs: &[InputFlag { name: "alpha", takes: &["fit-alpha"], reads: Reads::Output }],
        published: false,
        grows: false,
        stage: GENERATE,
    },
    Kind {
        command: "fit-alpha",
        revision: 2,
        output: "alpha.safetensors",
        key_file: "alpha.safetensors",
        not_set: &[],
        inputs: &[],
        published: false,
        grows: true,
        stage: FIT_ALPHA,
    },
    Kind {
        command: "train-trees",
        revision: 2,
        output: "artifact.json",
        key_file: "artifact.json",
        not_set: &[],
        inputs: &[InputFlag { name: "data", takes: &["generate"], reads: Reads::Output }],
        published: false,
        grows: false,
        stage: TRAIN_TREES,
    },
    Kind {
        command: "train-ranker",
        revision: 1,
        output: "artifact.json",
        key_file: "artifact.json",
        not_set: &[],
        inputs: &[InputFlag { name: "data", takes: &["generate"], reads: Reads::Output }],
        published: false,
        grows: false,
        stage: TRAIN_RANKER,
    },
    Kind {
        command: "train-ranker-network",
        revision: 1,
        output: "artifact.safetensors",
        key_file: "artifact.safetensors",
        not_set: &[],
        inputs: &[InputFlag { name: "data", takes: &["generate"], reads: Reads::Output }],
        published: false,
        grows: false,
        stage: TRAIN_RANKER_NETWORK,
    },
    Kind {
        command: "train-classifier",
        revision: 3,
        output: "artifact.safetensors",
        key_file: "artifact.safetensors",
        not_set: &["overfit"],
        inputs: &[
            InputFlag { name: "data", takes: &["generate"], reads: Reads::Output },
            InputFlag { name: "from", takes: &["train-classifier"], reads: Reads::Output },
        ],
        published: false,
        grows: false,
        stage: TRAIN_CLASSIFIER,
    },
    Kind {
        command: "train-q",
        revision: 3,
        output: "artifact.safetensors",
        key_file: "artifact.safetensors",
        not_set: &["overfit"],
        inputs: &[
            InputFlag { name: "data", takes: &["generate"], reads: Reads::Output },
            InputFlag { name: "alpha", takes: &["fit-alpha"], reads: Reads::Output },
            InputFlag { name: "from", takes: &["train-q"], reads: Reads::Output },
        ],
        published: true,
        grows: false,
        stage: TRAIN_Q,
    },
    Kind {
        command: "eval",
        revision: 2,
        output: "eval.csv",
        key_file: "eval.csv",
        not_set: &[],
        inputs: &[MODEL, VALUE_MODEL],
        published: false,
        grows: true,
        stage: Some(CommandOf {
            definition: Definition::of::<Eval>(),
            summary: "Play many games with each player on each board and print how well and how fast",
            out: ("DIR", "Folder for results and journal; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "compare",
        revision: 2,
        output: "compare.csv",
        key_file: "compare.csv",
        not_set: &[],
        inputs: &[MODEL, VALUE_MODEL],
        published: false,
        grows: true,
        stage: Some(CommandOf {
            definition: Definition::of::<Compare>(),
            summary: "Play the same games with two players and say which one is stronger",
            out: ("DIR", "Folder for results and journal; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "calibrate",
        revision: 4,
        output: "calibration.csv",
        key_file: "calibration.csv",
        not_set: &[],
        inputs: &[MODEL],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<Calibrate>(),
            summary: "Play games and hold every predicted probability of a mine against the mines",
            out: ("DIR", "Folder for the tables and a journal; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "samegame eval",
        revision: 1,
        output: "eval.csv",
        key_file: "eval.csv",
        not_set: &[],
        inputs: &[
            InputFlag { name: "boards", takes: &[], reads: Reads::Output },
            InputFlag { name: "tuned", takes: &["samegame tune"], reads: Reads::Folder },
        ],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<SamegameEval>(),
            summary: "Play many boards with each algorithm and budget and print means and deviations",
            out: ("DIR", "Folder for tables and journal; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "samegame tune",
        revision: 1,
        output: "",
        key_file: "manifest.json",
        not_set: &[],
        inputs: &[],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<SamegameTune>(),
            summary: "Find settings of an algorithm by the Cross-Entropy Method",
            out: ("DIR", "Folder for progress and tables; interrupted, the same command resumes there"),
            parts: None,
        }),
    },
    Kind {
        command: "ggp match",
        revision: 1,
        output: "matches.csv",
        key_file: "matches.csv",
        not_set: &[],
        inputs: &[InputFlag { name: "game", takes: &[], reads: Reads::Output }],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<GgpMatch>(),
            summary: "Let uct, mac-ucb and fc-ucb play each other",
            out: ("DIR", "Folder with a row a match; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "ggp table",
        revision: 1,
        output: "",
        key_file: "manifest.json",
        not_set: &[],
        inputs: &[InputFlag { name: "sheets", takes: &[], reads: Reads::Folder }],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<GgpTable>(),
            summary: "Play the series of the paper's tables 3 and 4 and of its figure 6, and write them as CSV",
            out: ("DIR", "Folder for the tables and every match; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "ggp ladder",
        revision: 1,
        output: "ladder.csv",
        key_file: "ladder.csv",
        not_set: &[],
        inputs: &[InputFlag { name: "games", takes: &[], reads: Reads::Folder }],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<GgpLadder>(),
            summary: "Play one player against others with ever fewer playouts a move",
            out: ("DIR", "Folder for the table and every match; interrupted, the same command resumes there"),
            parts: Some(join),
        }),
    },
    Kind {
        command: "report",
        revision: 2,
        output: "index.html",
        key_file: "index.html",
        not_set: &["from"],
        inputs: &[InputFlag {
            name: "runs",
            takes: &["fit-alpha", "train-trees", "train-classifier", "train-q", "eval", "calibrate"],
            reads: Reads::Folder,
        }],
        published: false,
        grows: false,
        stage: Some(CommandOf {
            definition: Definition::of::<Report>(),
            summary: "Write the report: the paper's figures beside ours, as one HTML page and as Markdown",
            out: ("DIR", "The folder for the report [default: that of --from]"),
            parts: None,
        }),
    },
];

/// Stages that make rows are there where the feature `data` is, those that learn where `train` is.
#[cfg(feature = "data")]
const GENERATE: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_generate::Generate>(),
    summary: "Play games for the record: rows to train on, in a folder of Parquet files",
    out: ("DIR", "Folder for the rows; interrupted, the same command resumes there"),
    parts: Some(mineflow_stage_generate::join_shards),
});
#[cfg(not(feature = "data"))]
const GENERATE: Option<CommandOf> = None;

#[cfg(feature = "train")]
const FIT_ALPHA: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::fit_alpha::FitAlpha>(),
    summary: "Find alpha of equation 9 for players 6.0 and 6.5: a sweep over boards, then a regression",
    out: ("DIR", "Folder for games, tables and artifact; interrupted, the same command resumes there"),
    parts: Some(join),
});
#[cfg(feature = "train")]
const TRAIN_TREES: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::train_trees::TrainTrees>(),
    summary: "Grow the boosted trees of player 5.0 from data",
    out: TRAINING,
    parts: None,
});
#[cfg(feature = "train")]
const TRAIN_RANKER: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::train_ranker::TrainRanker>(),
    summary: "Grow boosted trees that rank the candidates of a guess",
    out: TRAINING,
    parts: None,
});
#[cfg(feature = "train")]
const TRAIN_RANKER_NETWORK: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::train_ranker_network::TrainRankerNetwork>(),
    summary: "Train a network that ranks the candidates of a guess",
    out: TRAINING,
    parts: None,
});
#[cfg(feature = "train")]
const TRAIN_CLASSIFIER: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::train_classifier::TrainClassifier>(),
    summary: "Train the network of player 5.5, from data or from its own games",
    out: TRAINING,
    parts: None,
});
#[cfg(feature = "train")]
const TRAIN_Q: Option<CommandOf> = Some(CommandOf {
    definition: Definition::of::<mineflow_stage_training::train_q::TrainQ>(),
    summary: "Train the network of players 6.0 and 6.5, from games or from its own",
    out: TRAINING,
    parts: None,
});
#[cfg(feature = "train")]
const TRAINING: (&str, &str) =
    ("DIR", "Folder for the artifact, metrics and a checkpoint; interrupted, the same command resumes there");
#[cfg(not(feature = "train"))]
const TRAIN_CLASSIFIER: Option<CommandOf> = None;
#[cfg(not(feature = "train"))]
const TRAIN_Q: Option<CommandOf> = None;
#[cfg(not(feature = "train"))]
const FIT_ALPHA: Option<CommandOf> = None;
#[cfg(not(feature = "train"))]
const TRAIN_RANKER: Option<CommandOf> = None;
#[cfg(not(feature = "train"))]
const TRAIN_RANKER_NETWORK: Option<CommandOf> = None;
#[cfg(not(feature = "train"))]
const TRAIN_TREES: Option<CommandOf> = None;

/// What luck is measured by.
const VALUE_MODEL: InputFlag = InputFlag { name: "value-model", takes: &["train-trees"], reads: Reads::Output };

const MODEL: InputFlag =
    InputFlag { name: "model", takes: &["train-trees", "train-classifier", "train-q"], reads: Reads::Output };

impl Kind {
    /// The kind with this command.
    pub fn of(command: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.command == command)
    }

    /// Whether it trains a model.
    pub fn trains(&self) -> bool {
        self.command.starts_with("train-")
    }

    /// The setting of this name, if it names stages.
    pub fn input(&self, name: &str) -> Option<&'static InputFlag> {
        self.inputs.iter().find(|input| input.name == name)
    }
}

/// Kinds are told apart by their commands.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.command == other.command
    }
}

impl Eq for Kind {}
