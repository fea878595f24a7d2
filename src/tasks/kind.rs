//! What a stage is: settings that are read from anywhere, what they do in a context, and what the program and pipelines know of it
//! besides: its help, what it reads and writes, what its time grows with.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::context::{Context, Outcome};
use super::part::JoinParts;
use super::texts::{Settings, Text, WrongSetting};

/// The settings of a stage, and so the stage itself. Clap and serde derive from the same struct; every default stands in its
/// [`Default`]. A new stage is a file with such a struct and a line in the list of the program, `cli::KINDS`.
pub trait Stage: Settings + Serialize + DeserializeOwned + Default + Arguments + Send + Sync + 'static {
    /// What the program and pipelines know of it.
    const KIND: Kind;

    /// Checks that the settings go together; called before anything is done.
    ///
    /// # Errors
    /// Those that don't.
    fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Who plays, each with the setting that says so: what a player's name stands for may change.
    fn players(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Does the work, from where the folder of the context has it to the end or until soon after it is asked to stop.
    ///
    /// # Errors
    /// Inputs that can't be read, and whatever goes wrong on the way.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome>;
}

/// What a command line reads.
pub use clap::Args as Arguments;

/// The name in the registry of the model that a stage reads, given its settings.
pub type PublishedModel = fn(&Map<String, Value>) -> &'static str;

/// A kind of stage, in the file of the stage as [`Stage::KIND`].
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// As on the command line, of several words where it has several.
    pub command: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where the list of commands has it; one of two words stands under the first.
    pub group: Group,
    /// Two or three command lines, without the name of the program.
    pub examples: &'static [&'static str],
    /// What its help ends with in place of the exit codes; empty for these.
    pub notes: &'static str,
    /// What `--out` is for.
    pub out: &'static str,
    /// To be raised when the same settings and inputs give other results than before.
    pub revision: u32,
    /// What other stages read of its folder; empty for the folder itself.
    pub output: &'static str,
    /// Arguments besides `out` that a stage can't set: what they name would not be known as an input, or nothing is kept.
    pub not_set: &'static [&'static str],
    /// Settings that name stages.
    pub inputs: &'static [InputFlag],
    /// Given no input, the name in the registry of the published model that it reads with these settings.
    pub published: Option<PublishedModel>,
    /// Whether a folder can go on to more `games` with those that it has.
    pub grows: bool,
    /// How its parts, made by several machines, are joined; none if it has none.
    pub parts: Option<JoinParts>,
    pub definition: Definition,
}

/// Where the list of commands has a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Measure,
    Learn,
    Experiments,
    Games,
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

/// The kinds of stage that a program has, in the order of its help.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    pub all: &'static [&'static Kind],
    /// The message on those that this build leaves out, after `; `; empty if it leaves out none.
    pub left_out: &'static str,
}

impl Kind {
    /// A stage of revision 1 that says nothing of itself: it makes a folder for others to read, takes nothing from them, and has no
    /// parts.
    pub const fn of<S: Stage>(command: &'static str) -> Self {
        Self {
            command,
            summary: "",
            group: Group::Games,
            examples: &[],
            notes: "",
            out: "",
            revision: 1,
            output: "",
            not_set: &[],
            inputs: &[],
            published: None,
            grows: false,
            parts: None,
            definition: Definition::of::<S>(),
        }
    }

    /// The file whose content says whether the output changed.
    pub fn key_file(&self) -> &'static str {
        if self.output.is_empty() { "manifest.json" } else { self.output }
    }

    /// The setting of this name, if it names stages.
    pub fn input(&self, name: &str) -> Option<&'static InputFlag> {
        self.inputs.iter().find(|input| input.name == name)
    }
}

/// Kinds differ by their commands.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.command == other.command
    }
}

impl Eq for Kind {}

impl InputFlag {
    /// Other models for players.
    pub const MODEL: Self = Self::output_of("model", &["train-trees", "train-classifier", "train-q", "train-ranker"]);

    /// A setting that takes what these commands make.
    pub const fn output_of(name: &'static str, takes: &'static [&'static str]) -> Self {
        Self { name, takes, reads: Reads::Output }
    }

    /// A setting that takes the folders of these commands.
    pub const fn folder_of(name: &'static str, takes: &'static [&'static str]) -> Self {
        Self { name, takes, reads: Reads::Folder }
    }
}

impl Kinds {
    /// The kind with this command.
    pub fn of(self, command: &str) -> Option<&'static Kind> {
        self.all.iter().copied().find(|kind| kind.command == command)
    }
}

/// A stage whose settings were read.
pub trait Job: Send + Sync {
    /// As [`Stage::check`].
    fn check(&self) -> anyhow::Result<()>;

    /// As [`Stage::players`].
    fn players(&self) -> Vec<(&'static str, String)>;

    /// As [`Stage::run`], checked first.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome>;

    /// Every setting with its value, given or not; null for those without one.
    fn values(&self) -> Map<String, Value>;
}

impl<S: Stage> Job for S {
    fn check(&self) -> anyhow::Result<()> {
        Stage::check(self)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        Stage::players(self)
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        Stage::check(self)?;
        Stage::run(self, context)
    }

    fn values(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(values)) => values,
            other => unreachable!("settings are an object, not {other:?}"),
        }
    }
}

/// Makes a stage of texts by name.
pub type ReadTexts = fn(&[Text<'_>]) -> Result<Box<dyn Job>, WrongSetting>;

/// How the settings of a kind of stage are read.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// From texts by name.
    pub read: ReadTexts,
    /// From [`Job::values`].
    pub from_json: fn(Value) -> Result<Box<dyn Job>, String>,
    /// All of them with their defaults.
    pub defaults: fn() -> Box<dyn Job>,
    /// Adds them to a command.
    pub arguments: fn(clap::Command) -> clap::Command,
    /// From a command line.
    pub parsed: fn(&clap::ArgMatches) -> Result<Box<dyn Job>, clap::Error>,
}

impl Definition {
    /// That of a stage.
    pub const fn of<S: Stage>() -> Self {
        Self {
            read: |texts| Ok(Box::new(S::read(texts)?)),
            from_json: |values| Ok(Box::new(serde_json::from_value::<S>(values).map_err(|error| error.to_string())?)),
            defaults: || Box::new(S::default()),
            arguments: |command| S::augment_args(command),
            parsed: |matches| Ok(Box::new(S::from_arg_matches(matches)?)),
        }
    }
}
