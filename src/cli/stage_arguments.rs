//! Stages of a pipeline as command lines: a setting is an argument of the stage's command, under its name and with its rules.

use std::collections::HashMap;
use std::ffi::OsString;
use std::iter;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use serde_json::{Map, Value, json};

use super::Cli;
use crate::learn::model::{ALPHA, Registry};
use crate::minesweeper::player::{PlayerSpec, versions};
use crate::stage::pipeline::{
    Input, InputFlag, KINDS, Kind, PipelineFile, Reads, Source, StageText, Step, did_you_mean,
};

/// The argument that says where a command works.
const OUT: &str = "out";
/// The one global argument that results depend on.
const SEED: &str = "seed";

/// A stage with the command line that runs it.
pub(super) struct StageCommand {
    pub(super) step: Step,
    /// All but inputs and folder.
    arguments: Vec<String>,
    /// What stands before the path of each input: `--model=5.0=`.
    before_inputs: Vec<String>,
    positional: Vec<String>,
}

impl StageCommand {
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
    file.stages.iter().map(|stage| Reader::new(file, stage)?.read()).collect()
}

/// What the settings that may name stages give.
#[derive(Default)]
struct Named {
    inputs: Vec<Input>,
    /// What stands before the path of each input.
    before: Vec<String>,
    /// Those that are numbers.
    numbers: Map<String, Value>,
}

/// A stage under the reader's eyes.
struct Reader<'a> {
    file: &'a PipelineFile,
    stage: &'a StageText,
    kind: &'static Kind,
    command: Command,
}

impl<'a> Reader<'a> {
    fn new(file: &'a PipelineFile, stage: &'a StageText) -> anyhow::Result<Self> {
        let StageText { at, name, command, .. } = stage;
        let Some(kind) = Kind::of(command) else {
            let meant = did_you_mean(command, KINDS.iter().map(|kind| kind.command));
            bail!("{at}: stage {name}: `{command}` is no command of a stage{meant}");
        };
        let cli = Cli::command();
        match kind.words().try_fold(&cli, |command, word| command.find_subcommand(word)) {
            Some(found) => Ok(Self { file, stage, kind, command: found.clone() }),
            None => bail!("{at}: stage {name}: this build has no `{command}`; build without --no-default-features"),
        }
    }

    fn read(&self) -> anyhow::Result<StageCommand> {
        let (arguments, positional) = self.arguments()?;
        let parsed = [&arguments[..], &["--out=unset".to_owned(), "--".to_owned()], &positional[..]].concat();
        let matches = Cli::command().try_get_matches_from(parsed).map_err(|error| self.placed(&error))?;
        let mut matches = &matches;
        for word in self.kind.words() {
            matches = matches.subcommand_matches(word).expect("the command is among the arguments");
        }
        let named = self.named(matches)?;
        let mut settings = self.settings(matches);
        settings.extend(self.players(matches, &named.inputs)?);
        if self.kind.published && named.inputs.is_empty() && named.numbers.is_empty() {
            let published = Registry::open(None).ok().and_then(|registry| registry.row(ALPHA).cloned());
            settings.insert("published alpha".to_owned(), json!(published.map(|row| row.sha256)));
        }
        let stays = |argument: &&String| {
            let name = argument.trim_start_matches("--").split('=').next().unwrap_or_default();
            self.kind.input(name).is_none() || named.numbers.contains_key(name)
        };
        let arguments = arguments.iter().filter(stays).cloned().collect();
        settings.extend(named.numbers);
        let StageText { name, at, .. } = self.stage.clone();
        let step = Step { name, kind: self.kind, at, settings, inputs: named.inputs };
        Ok(StageCommand { step, arguments, before_inputs: named.before, positional })
    }

    /// Understands the settings that may name stages.
    fn named(&self, matches: &ArgMatches) -> anyhow::Result<Named> {
        let mut all = Named::default();
        for flag in self.kind.inputs {
            for value in self.raw(matches, flag.name) {
                let name = flag.name;
                // A player may be a recipe, which holds signs of equality itself.
                let (before, role, named) = match value.rsplit_once('=') {
                    Some((player, named)) => (format!("--{name}={player}="), format!("{name} {player}"), named),
                    None if flag.reads == Reads::Folder => {
                        (format!("--{name}="), format!("{name} {value}"), value.as_str())
                    }
                    None => (format!("--{name}="), name.to_owned(), value.as_str()),
                };
                match self.source(flag, named)? {
                    Some(from) => {
                        all.inputs.push(Input { role, from, reads: flag.reads });
                        all.before.push(before);
                    }
                    None => {
                        all.numbers.insert(role, json!(named));
                    }
                }
            }
        }
        Ok(all)
    }

    /// The arguments that a stage may set.
    fn known(&self) -> impl Iterator<Item = &Arg> {
        let can_be_set = |name: &str| name != OUT && !self.kind.not_set.contains(&name);
        self.command.get_arguments().filter(move |argument| can_be_set(name(argument)))
    }

    /// The settings as arguments, those with a name first.
    fn arguments(&self) -> anyhow::Result<(Vec<String>, Vec<String>)> {
        let mut arguments: Vec<_> = iter::once("pipeline").chain(self.kind.words()).map(str::to_owned).collect();
        let mut positional = HashMap::new();
        let mut seed = self.file.seed.to_string();
        for setting in &self.stage.settings {
            let (at, stage) = (&setting.at, &self.stage.name);
            if setting.name == SEED {
                seed = setting.values.join(",");
                continue;
            }
            let Some(argument) = self.known().find(|argument| name(argument) == setting.name) else {
                let meant = did_you_mean(&setting.name, self.known().map(name).chain([SEED, "command"]));
                bail!("{at}: stage {stage}: {} has no setting `{}`{meant}", self.kind.command, setting.name);
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
            let StageText { at, name: stage, command, .. } = self.stage;
            let value = positional.remove(name(argument));
            value.with_context(|| format!("{at}: stage {stage}: {command} needs the setting `{}`", name(argument)))
        });
        let positional = given.collect::<anyhow::Result<_>>()?;
        Ok((arguments, positional))
    }

    /// What results depend on besides inputs: every setting with its value, given or not.
    fn settings(&self, matches: &ArgMatches) -> Map<String, Value> {
        let mut settings = Map::new();
        for argument in self.known().filter(|argument| self.kind.input(name(argument)).is_none()) {
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

    /// Where a setting that names a stage or a file leads; `None` if it names neither, but is a number.
    fn source(&self, flag: &InputFlag, named: &str) -> anyhow::Result<Option<Source>> {
        let stage = &self.stage.name;
        let at = self.at(flag.name);
        let found = self.file.stages.iter().find(|stage| stage.name == named && !flag.takes.is_empty());
        if let Some(found) = found {
            let kind = Kind::of(&found.command).filter(|kind| flag.takes.contains(&kind.command));
            let Some(kind) = kind else {
                let (makes, takes) = (&found.command, flag.takes.join(" or "));
                bail!("{at}: stage {stage}: `{}` takes what {takes} makes, and stage {named} is {makes}", flag.name);
            };
            return Ok(Some(Source::Stage { name: named.to_owned(), kind }));
        }
        if named.parse::<f64>().is_ok() {
            return Ok(None);
        }
        if named.contains(['/', MAIN_SEPARATOR]) {
            return Ok(Some(Source::Path(named.into())));
        }
        if flag.takes.is_empty() {
            bail!("{at}: stage {stage}: `{}` takes a file, and a path is written with a `/`: ./{named}", flag.name);
        }
        let meant = did_you_mean(named, self.file.stages.iter().map(|stage| stage.name.as_str()));
        bail!("{at}: stage {stage}: there is no stage `{named}`{meant} (a path is written with a `/`: ./{named})");
    }

    /// The recipes of the players that settings name, so that a name which stands for another one is noticed.
    fn players(&self, matches: &ArgMatches, inputs: &[Input]) -> anyhow::Result<Map<String, Value>> {
        let playing: Vec<_> = self.kind.players.iter().map(|flag| (*flag, self.raw(matches, flag))).collect();
        for player in inputs.iter().filter_map(|input| input.role.strip_prefix("model ")) {
            let plays = playing.iter().any(|(_, texts)| texts.iter().any(|text| text == player));
            let (at, stage) = (self.at("model"), &self.stage.name);
            ensure!(plays, "{at}: stage {stage}: `model` names player {player}, who doesn't play");
        }
        let mut recipes = Map::new();
        for (flag, texts) in playing {
            for text in texts {
                let swapped = inputs.iter().any(|input| input.role == format!("model {text}"));
                let recipe = if swapped {
                    let version = versions().iter().find(|version| version.name == text);
                    version.map_or_else(|| text.clone(), |version| version.recipe.to_owned())
                } else {
                    let place = || format!("{}: stage {}: player {text}", self.at(flag), self.stage.name);
                    text.parse::<PlayerSpec>().with_context(place)?.recipe.to_string()
                };
                recipes.insert(format!("player {text}"), json!(recipe));
            }
        }
        Ok(recipes)
    }

    /// Where a setting stands, or the stage if it doesn't stand anywhere.
    fn at(&self, name: &str) -> &str {
        let setting = self.stage.settings.iter().find(|setting| setting.name == name);
        setting.map_or(&self.stage.at, |setting| &setting.at)
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
        anyhow::anyhow!("{}: stage {}: {text}", self.at(named), self.stage.name)
    }
}

/// The name of an argument as a setting.
fn name(argument: &Arg) -> &str {
    argument.get_long().unwrap_or(argument.get_id().as_str())
}
