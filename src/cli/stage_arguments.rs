//! Stages of a pipeline as command lines: a setting is an argument of the stage's command, under its name and with its rules.

use std::collections::HashMap;
use std::ffi::OsString;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use serde_json::{Map, Value, json};

use super::Cli;
use crate::learn::model::{ALPHA, Registry};
use crate::stage::pipeline::{
    Input, KINDS, Kind, PipelineFile, ReadyStage, SEED, StageReader, StageText, Step, did_you_mean,
};

/// The argument that says where a command works.
const OUT: &str = "out";

/// A stage with what runs it.
pub(super) enum StageCommand {
    Stage(Box<ReadyStage>),
    Arguments(ArgumentList),
}

impl StageCommand {
    pub(super) fn step(&self) -> &Step {
        match self {
            Self::Stage(stage) => &stage.step,
            Self::Arguments(list) => &list.step,
        }
    }
}

/// A stage with the command line that runs it.
pub(super) struct ArgumentList {
    step: Step,
    /// All but inputs and folder.
    arguments: Vec<String>,
    /// What stands before the path of each input: `--model=5.0=`.
    before_inputs: Vec<String>,
    positional: Vec<String>,
}

impl ArgumentList {
    /// The command line of the stage: inputs from where they are, results into `folder`.
    pub(super) fn line(&self, input: impl Fn(&Input) -> PathBuf, folder: &Path) -> Vec<OsString> {
        let joined = |before: &str, path: &Path| {
            let mut argument = OsString::from(before);
            argument.push(path);
            argument
        };
        let inputs = self.step.inputs.iter().zip(&self.before_inputs);
        let mut line: Vec<_> = self.arguments.iter().map(OsString::from).collect();
        line.extend(inputs.map(|(from, before)| joined(before, &input(from))));
        line.push(joined("--out=", &self.step.kind.place(folder)));
        line.push("--".into());
        line.extend(self.positional.iter().map(OsString::from));
        line
    }
}

/// Understands every stage of a pipeline.
///
/// # Errors
/// A command that is none, a setting that its command doesn't have or doesn't take, an input that no stage makes.
pub(super) fn understand(file: &PipelineFile) -> anyhow::Result<Vec<StageCommand>> {
    file.stages.iter().map(|stage| read(file, stage)).collect()
}

fn read(file: &PipelineFile, stage: &StageText) -> anyhow::Result<StageCommand> {
    let StageText { at, name, command, .. } = stage;
    let Some(kind) = Kind::of(command) else {
        let meant = did_you_mean(command, KINDS.iter().map(|kind| kind.command));
        bail!("{at}: stage {name}: `{command}` is no command of a stage{meant}");
    };
    let reader = StageReader { file, stage, kind };
    match kind.stage {
        Some(of) => Ok(StageCommand::Stage(Box::new(reader.read(of)?))),
        None => Ok(StageCommand::Arguments(Reader::new(reader)?.read()?)),
    }
}

/// A stage whose command line reads its settings.
struct Reader<'a> {
    reader: StageReader<'a>,
    command: Command,
}

impl<'a> Reader<'a> {
    fn new(reader: StageReader<'a>) -> anyhow::Result<Self> {
        let StageText { at, name, command, .. } = reader.stage;
        let cli = Cli::command();
        match reader.kind.words().try_fold(&cli, |command, word| command.find_subcommand(word)) {
            Some(found) => Ok(Self { reader, command: found.clone() }),
            None => bail!("{at}: stage {name}: this build has no `{command}`; build without --no-default-features"),
        }
    }

    fn read(&self) -> anyhow::Result<ArgumentList> {
        let (arguments, positional) = self.arguments()?;
        let parsed = [&arguments[..], &["--out=unset".to_owned(), "--".to_owned()], &positional[..]].concat();
        let matches = Cli::command().try_get_matches_from(parsed).map_err(|error| self.placed(&error))?;
        let mut matches = &matches;
        for word in self.reader.kind.words() {
            matches = matches.subcommand_matches(word).expect("the command is among the arguments");
        }
        let raw = |name: &str| self.raw(matches, name);
        let named = self.reader.named(&raw)?;
        let mut settings = self.settings(matches);
        settings.extend(self.reader.players(&raw, &named.inputs)?);
        if self.reader.kind.published && named.inputs.is_empty() && named.numbers.is_empty() {
            let published = Registry::open(None).ok().and_then(|registry| registry.row(ALPHA).cloned());
            settings.insert("published alpha".to_owned(), json!(published.map(|row| row.sha256)));
        }
        let stays = |argument: &&String| {
            let name = argument.trim_start_matches("--").split('=').next().unwrap_or_default();
            self.reader.kind.input(name).is_none() || named.numbers.contains_key(name)
        };
        let arguments = arguments.iter().filter(stays).cloned().collect();
        settings.extend(named.numbers);
        let StageText { name, at, .. } = self.reader.stage.clone();
        let step = Step { name, kind: self.reader.kind, at, settings, inputs: named.inputs };
        let before_inputs = named.before.iter().map(|(name, before)| format!("--{name}={before}")).collect();
        Ok(ArgumentList { step, arguments, before_inputs, positional })
    }

    /// The arguments that a stage may set.
    fn known(&self) -> impl Iterator<Item = &Arg> {
        let can_be_set = |name: &str| name != OUT && !self.reader.kind.not_set.contains(&name);
        self.command.get_arguments().filter(move |argument| can_be_set(name(argument)))
    }

    /// The settings as arguments, those with a name first.
    fn arguments(&self) -> anyhow::Result<(Vec<String>, Vec<String>)> {
        let mut arguments: Vec<_> = iter::once("pipeline").chain(self.reader.kind.words()).map(str::to_owned).collect();
        let mut positional = HashMap::new();
        let mut seed = self.reader.file.seed.to_string();
        for setting in &self.reader.stage.settings {
            let (at, stage) = (&setting.at, &self.reader.stage.name);
            if setting.name == SEED {
                seed = setting.values.join(",");
                continue;
            }
            let Some(argument) = self.known().find(|argument| name(argument) == setting.name) else {
                let meant = did_you_mean(&setting.name, self.known().map(name).chain([SEED, "command"]));
                bail!("{at}: stage {stage}: {} has no setting `{}`{meant}", self.reader.kind.command, setting.name);
            };
            let values = &setting.values;
            match argument.get_action() {
                ArgAction::SetTrue => match values.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["true"] => arguments.push(format!("--{}", setting.name)),
                    ["false"] => {}
                    _ => bail!("{at}: stage {stage}: `{}` is true or false", setting.name),
                },
                _ if argument.is_positional() => {
                    ensure!(values.len() == 1, "{at}: stage {stage}: `{}` takes one value", setting.name);
                    positional.insert(setting.name.as_str(), values[0].clone());
                }
                _ => arguments.extend(values.iter().map(|value| format!("--{}={value}", setting.name))),
            }
        }
        arguments.push(format!("--{SEED}={seed}"));
        let given = self.known().filter(|argument| argument.is_positional()).map(|argument| {
            let StageText { at, name: stage, command, .. } = self.reader.stage;
            let value = positional.remove(name(argument));
            value.with_context(|| format!("{at}: stage {stage}: {command} needs the setting `{}`", name(argument)))
        });
        let positional = given.collect::<anyhow::Result<_>>()?;
        Ok((arguments, positional))
    }

    /// What results depend on besides inputs: every setting with its value, given or not.
    fn settings(&self, matches: &ArgMatches) -> Map<String, Value> {
        let mut settings = Map::new();
        for argument in self.known().filter(|argument| self.reader.kind.input(name(argument)).is_none()) {
            let values = self.raw(matches, name(argument));
            let several = matches!(argument.get_action(), ArgAction::Append);
            match values.first() {
                _ if several && !values.is_empty() => settings.insert(name(argument).to_owned(), json!(values)),
                Some(value) => settings.insert(name(argument).to_owned(), json!(value)),
                None => None,
            };
        }
        let seed = matches.get_one::<u64>(SEED).expect("it is among the arguments");
        settings.insert(SEED.to_owned(), json!(seed));
        settings
    }

    /// The texts of an argument, defaults among them.
    fn raw(&self, matches: &ArgMatches, wanted: &str) -> Vec<String> {
        let argument = self.known().find(|argument| name(argument) == wanted);
        let values = argument.and_then(|argument| matches.get_raw(argument.get_id().as_str()));
        values.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect()
    }

    /// An error of the command line with its place in the file.
    fn placed(&self, error: &clap::Error) -> anyhow::Error {
        let named = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(named)) => named.as_str(),
            _ => "",
        };
        let named = named.trim_start_matches("--").split([' ', '=']).next().unwrap_or_default();
        let text = error.render().to_string();
        let lines = text.trim_start_matches("error: ").lines().take_while(|line| !line.is_empty());
        let text = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        anyhow::anyhow!("{}: stage {}: {text}", self.reader.at(named), self.reader.stage.name)
    }
}

/// The name of an argument as a setting.
fn name(argument: &Arg) -> &str {
    argument.get_long().unwrap_or(argument.get_id().as_str())
}
