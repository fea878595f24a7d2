//! The commands that a stage may be, and what the pipeline has to know of each.

/// A command that a stage may be.
#[derive(PartialEq, Eq, Debug)]
pub struct Kind {
    /// As on the command line.
    pub command: &'static str,
    /// To be raised when the same settings and inputs give other results than before.
    pub revision: u32,
    /// What other stages read of its folder; empty for the folder itself.
    pub output: &'static str,
    /// The file whose content tells whether the output is another one.
    pub told_by: &'static str,
    /// Settings that name stages.
    pub inputs: &'static [InputFlag],
    /// Settings that name players: what a name stands for may change.
    pub players: &'static [&'static str],
    /// Whether it takes the published alpha if it is given no input and none itself.
    pub published: bool,
    /// Whether a folder can go on to more `games` with those that it has.
    pub grows: bool,
}

/// A setting that names a stage, or a file.
#[derive(PartialEq, Eq, Debug)]
pub struct InputFlag {
    pub name: &'static str,
    /// The commands whose output it takes.
    pub takes: &'static [&'static str],
}

/// Every command that a stage may be.
pub const KINDS: &[Kind] = &[
    Kind {
        command: "generate",
        revision: 1,
        output: "",
        told_by: "manifest.json",
        inputs: &[InputFlag { name: "alpha", takes: &["fit-alpha"] }],
        players: &["player"],
        published: false,
        grows: false,
    },
    Kind {
        command: "fit-alpha",
        revision: 1,
        output: "alpha.safetensors",
        told_by: "alpha.safetensors",
        inputs: &[],
        players: &[],
        published: false,
        grows: true,
    },
    Kind {
        command: "train-trees",
        revision: 1,
        output: "artifact.json",
        told_by: "artifact.json",
        inputs: &[InputFlag { name: "data", takes: &["generate"] }],
        players: &["player"],
        published: false,
        grows: false,
    },
    Kind {
        command: "train-classifier",
        revision: 1,
        output: "artifact.safetensors",
        told_by: "artifact.safetensors",
        inputs: &[
            InputFlag { name: "data", takes: &["generate"] },
            InputFlag { name: "from", takes: &["train-classifier"] },
        ],
        players: &["player"],
        published: false,
        grows: false,
    },
    Kind {
        command: "train-q",
        revision: 1,
        output: "artifact.safetensors",
        told_by: "artifact.safetensors",
        inputs: &[
            InputFlag { name: "data", takes: &["generate"] },
            InputFlag { name: "alpha", takes: &["fit-alpha"] },
            InputFlag { name: "from", takes: &["train-q"] },
        ],
        players: &["player"],
        published: true,
        grows: false,
    },
    Kind {
        command: "eval",
        revision: 1,
        output: "eval.csv",
        told_by: "eval.csv",
        inputs: &[MODEL],
        players: &["players"],
        published: false,
        grows: true,
    },
    Kind {
        command: "compare",
        revision: 1,
        output: "compare.csv",
        told_by: "compare.csv",
        inputs: &[MODEL],
        players: &["a", "b"],
        published: false,
        grows: true,
    },
];

const MODEL: InputFlag = InputFlag { name: "model", takes: &["train-trees", "train-classifier", "train-q"] };

impl Kind {
    /// The kind with this command.
    pub fn of(command: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.command == command)
    }

    /// The setting of this name, if it names stages.
    pub fn input(&self, name: &str) -> Option<&'static InputFlag> {
        self.inputs.iter().find(|input| input.name == name)
    }
}
