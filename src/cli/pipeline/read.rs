//! Reads the stages of a pipeline: from the text of the file to a parsed command with its inputs.

use std::path::{MAIN_SEPARATOR, Path};

use anyhow::{Context as _, Result};
use clap::{
    Command as ClapCommand,
    error::{ContextKind, ContextValue},
};
use serde_json::{Map, Value, json};

use super::{
    Input, InputSource, PipelineFile, Setting, Stage, StageText, did_you_mean, record::PLAYER,
};
use crate::stages::{definition, read, settings_of};
use mineflow_minesweeper::player::versions;
use mineflow_model::Models;
use mineflow_search::options::{quote, split, unquote};
use mineflow_tasks::{
    ModelArgs,
    table::{InputFlag, Reads, TASKS, TaskInfo, task},
    values::ModelFor,
};

/// The setting of players' models, which names a player before each stage or file.
const MODEL: &str = "model";
/// The only global setting that a stage's results depend on.
const SEED: &str = "seed";
/// The difference between the seeds of a stage in successive rounds of a repeat.
const ROUND_SEED: u64 = 1_000_000;
/// The error for a command that this build lacks.
const LEFT_OUT: &str =
    "this build leaves out commands that make rows or train: build without --no-default-features";

/// Reads every stage of a pipeline whose output folder is `out` and whose players have these
/// published models.
///
/// # Errors
/// Returns an error if a command can't be a stage, a setting doesn't exist or has a wrong value, or
/// an input is neither a suitable stage nor a path. The error names the file's line and the stage.
pub fn read_stages(file: &PipelineFile, out: &Path, models: &Models) -> Result<Vec<Stage>> {
    let read_stage = |text: &StageText| {
        let command = text.command.as_str();
        let task = task(command).ok_or_else(|| {
            let meant = match command {
                "train-ranker" => "; train-trees takes rows of any kind".to_owned(),
                _ => did_you_mean(command, TASKS.iter().map(|task| task.name)),
            };
            text.error(
                "",
                format!("`{command}` is not a command of a stage{meant}"),
            )
        })?;
        let reader = StageReader {
            file,
            out,
            models,
            text,
            task,
            definition: definition(task).ok_or_else(|| text.error("", LEFT_OUT))?,
            inputs: Vec::new(),
            settings: Map::new(),
        };
        reader.read()
    };
    file.stages.iter().map(read_stage).collect()
}

/// A reader of one stage.
struct StageReader<'a> {
    file: &'a PipelineFile,
    out: &'a Path,
    models: &'a Models,
    text: &'a StageText,
    task: &'static TaskInfo,
    definition: ClapCommand,
    /// The inputs read so far.
    inputs: Vec<Input>,
    /// Settings with a number instead of an input, then all settings.
    settings: Map<String, Value>,
}

impl StageReader<'_> {
    fn read(mut self) -> Result<Stage> {
        let mut seed = self.file.seed;
        // Inputs come last, in the order of the task.
        let position = |name: &str| self.task.inputs.iter().position(|flag| flag.name == name);
        let mut settings: Vec<&Setting> = self.text.settings.iter().collect();
        settings.sort_by_key(|setting| position(&setting.name));
        let mut given = Vec::new();
        for setting in settings {
            let name = setting.name.as_str();
            let values = match self.task.input(name) {
                Some(flag) => self.resolve(flag, &setting.values)?,
                None => setting.values.clone(),
            };
            if name == SEED {
                let text = values.join(",");
                let why = || self.text.error(SEED, format!("`{text}` is not a seed"));
                seed = text.parse().map_err(|_| why())?;
            } else {
                given.push((name, values));
            }
        }
        let rounds = self.text.round.as_ref().map_or(0, |of| of.number - 1);
        seed = seed.wrapping_add(rounds * ROUND_SEED);
        let stage = read(self.task, &self.arguments(&given)?);
        let stage = stage.map_err(|error| self.refused(&error))?;
        stage.check().map_err(|why| self.text.error("", why))?;
        let numbers = std::mem::replace(&mut self.settings, stage.settings());
        self.settings.retain(|name, value| {
            self.task.input(name).is_none() && !value.is_null() && *value != json!([])
        });
        self.settings.insert(SEED.to_owned(), json!(seed));
        self.add_published(&stage.published())?;
        self.settings.extend(numbers);
        self.add_players(&stage.players())?;
        Ok(Stage {
            text: self.text.clone(),
            name: self.text.name.clone(),
            task: self.task,
            at: self.text.at.clone(),
            out: self.out.to_owned(),
            seed,
            settings: self.settings,
            inputs: self.inputs,
            command: stage,
        })
    }

    /// Returns the arguments of the command: flags, then the positional ones in their own order.
    fn arguments(&self, given: &[(&str, Vec<String>)]) -> Result<Vec<String>> {
        let known = || settings_of(self.task, &self.definition).map(|(name, _)| name);
        let is_unknown = |(name, _): &&(&str, _)| !known().any(|known| known == *name);
        let command = self.task.name;
        if let Some((name, _)) = given.iter().find(is_unknown) {
            let meant = did_you_mean(name, known().chain([SEED, "command"]));
            let why = format!("{command} has no setting `{name}`{meant}");
            return Err(self.text.error(name, why));
        }
        let mut arguments = Vec::new();
        let mut positional = Vec::new();
        for (name, arg) in settings_of(self.task, &self.definition) {
            let values = given.iter().find(|(other, _)| *other == name);
            let Some((_, values)) = values.filter(|(_, values)| !values.is_empty()) else {
                // Without `runs`, `report` writes the published pages, which are not in a folder.
                let is_required = arg.is_positional() && arg.is_required_set();
                if is_required || (command, name) == ("report", "runs") {
                    let why = format!("{command}: the setting `{name}` is missing");
                    return Err(self.text.error("", why));
                }
                continue;
            };
            let mut text = values.join(",");
            // Only lists keep the quotes around their items.
            if arg.get_value_delimiter().is_none() {
                text = unquote(&text).into_owned();
            }
            match (arg.get_action().takes_values(), text.as_str()) {
                _ if arg.is_positional() => positional.push(text),
                (true, _) => arguments.push(format!("--{name}={text}")),
                (false, "true" | "on") => arguments.push(format!("--{name}")),
                (false, "false" | "off") => {}
                (false, _) => {
                    let why = format!("`{name}`: `{text}` is neither true (on) nor false (off)");
                    return Err(self.text.error(name, why));
                }
            }
        }
        arguments.extend((!positional.is_empty()).then(|| "--".to_owned()));
        arguments.extend(positional);
        Ok(arguments)
    }

    /// Shortens an error of clap to one line, with the place of the setting that it is about.
    fn refused(&self, error: &clap::Error) -> anyhow::Error {
        let argument = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(argument)) => argument.as_str(),
            Some(ContextValue::Strings(arguments)) => arguments.first().map_or("", String::as_str),
            _ => "",
        };
        let name = argument.split([' ', '=']).next().unwrap_or_default();
        let name = name.trim_matches(['-', '<', '>', '.']).to_lowercase();
        let text = error.render().to_string();
        let text = text.trim_start_matches("error: ");
        let text = text.split("\n\nUsage:").next().unwrap_or_default();
        let text = text.split("\n\nFor more").next().unwrap_or_default();
        let why: Vec<_> = text.split_whitespace().collect();
        self.text
            .error(&name, format!("{}: {}", self.task.name, why.join(" ")))
    }

    /// Resolves the values of a setting that may name stages to the values on the command line, and
    /// records its inputs.
    ///
    /// # Errors
    /// Returns an error if no stage has a given name, or the named stage is of the wrong kind.
    fn resolve(&mut self, flag: &InputFlag, given: &[String]) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        for (player, named) in self.meant(flag, given)? {
            let role = match &player {
                Some(player) => format!("{} {player}", flag.name),
                None if flag.reads == Reads::Folder => format!("{} {named}", flag.name),
                None if texts.is_empty() => flag.name.to_owned(),
                None => format!("{} {}", flag.name, texts.len() + 1),
            };
            let path = match self.source(flag, &named)? {
                Some(from) => {
                    let path = match &from {
                        // Joining an empty path would append a `/`.
                        InputSource::Stage { folder, task, .. }
                            if flag.reads == Reads::Output && !task.output.is_empty() =>
                        {
                            folder.join(task.output)
                        }
                        InputSource::Stage { folder: path, .. } | InputSource::Path(path) => {
                            path.clone()
                        }
                    };
                    self.inputs.push(Input { role, from });
                    path.display().to_string()
                }
                None => {
                    self.settings.insert(role, json!(named));
                    named
                }
            };
            let before = player.map_or_else(String::new, |player| player + "=");
            texts.push(before + &quote(&path));
        }
        Ok(texts)
    }

    /// Returns the stages, files or numbers that the values of a setting name, each with the player
    /// whose model it is.
    fn meant(&self, flag: &InputFlag, given: &[String]) -> Result<Vec<(Option<String>, String)>> {
        let named: Vec<_> = match given {
            // A single text with a path and no quotes is one path, whose name may contain commas.
            [path] if flag.name != MODEL && is_path(path) && !path.contains('"') => {
                vec![path.as_str()]
            }
            _ => given.iter().flat_map(|text| split(text, ',')).collect(),
        };
        let mut meant = Vec::new();
        for value in named {
            let value = unquote(value).into_owned();
            let (player, named) = match value.parse() {
                _ if flag.name != MODEL => (None, value),
                Ok(ModelFor { player, file }) => (Some(player), file.display().to_string()),
                Err(_) => (Some(self.only_player()?), value),
            };
            let names = self.family(flag.name, &named)?.into_iter();
            meant.extend(names.map(|name| (player.clone(), name)));
        }
        Ok(meant)
    }

    /// Returns the player whose model a value without a player is.
    fn only_player(&self) -> Result<String> {
        let mut settings = self.text.settings.iter();
        let players = settings.find(|of| ["player", "players"].contains(&&*of.name));
        let given = players.map_or_else(String::new, |of| of.values.join(","));
        match split(&given, ',').collect::<Vec<_>>()[..] {
            [player] if !player.is_empty() => Ok(unquote(player).into_owned()),
            _ => Err(self.text.error(
                MODEL,
                "several players, or none, are given; write `model` as { \"5.0\" = \"trees\" }",
            )),
        }
    }

    /// Returns the names of the stages that `value` means: those of a matrix, of rounds of a
    /// repeat, or `value` itself. The list is empty for the round before the first one.
    ///
    /// # Errors
    /// Returns an error if rounds are asked of a stage that has none, or that this stage can't have.
    fn family(&self, setting: &str, value: &str) -> Result<Vec<String>> {
        let parts = value.split_once('@').filter(|_| !is_path(value));
        let (name, rounds) = parts.unwrap_or((value, ""));
        let stages = self.file.stages.iter();
        let family: Vec<_> = stages
            .filter(|stage| stage.family == name && stage.name != name)
            .collect();
        let wrong = |why| Err(self.text.error(setting, format!("`{value}`: {why}")));
        let Some(round) = family.first().and_then(|stage| stage.round.as_ref()) else {
            return match (parts, family.is_empty()) {
                (Some(_), _) => wrong(format!("no repeat has a stage `{name}`")),
                (None, true) => Ok(vec![value.to_owned()]),
                (None, false) => Ok(family.iter().map(|stage| stage.name.clone()).collect()),
            };
        };
        let own = self.text.round.as_ref();
        let own = own.filter(|own| own.repeat == round.repeat);
        let last = own.map_or(round.times, |own| own.number);
        let count = rounds.strip_prefix("last ").and_then(|n| n.parse().ok());
        let (first, last) = match (rounds, count) {
            (_, Some(count @ 1..)) => (last.saturating_sub(count - 1), last),
            _ if parts.is_none() => (last, last),
            ("previous", _) if own.is_some() => (last - 1, last - 1),
            ("previous", _) => {
                return wrong(format!(
                    "only stages of repeat {} have a previous round",
                    round.repeat
                ));
            }
            _ => {
                return wrong(format!(
                    "write {name}@previous, or {name}@last N with N from 1 on"
                ));
            }
        };
        let numbers = (first..=last).filter(|&number| number > 0);
        Ok(numbers.map(|number| format!("{name}-{number}")).collect())
    }

    /// Returns the stage or file that a setting names, or `None` if the setting is a number.
    fn source(&self, flag: &InputFlag, named: &str) -> Result<Option<InputSource>> {
        let mut stages = self.file.stages.iter();
        let found = stages.find(|stage| stage.is_named(named) && !flag.takes.is_empty());
        let name = flag.name;
        if let Some(found) = found {
            let task = task(&found.command).filter(|task| flag.takes.contains(&task.name));
            let why = || {
                format!(
                    "`{name}` takes what {} makes, and stage {named} is {}",
                    flag.takes.join(" or "),
                    found.command
                )
            };
            return Ok(Some(InputSource::Stage {
                name: found.name.clone(),
                folder: self.out.join(&found.name),
                task: task.ok_or_else(|| self.text.error(name, why()))?,
            }));
        }
        if flag.may_be_number && named.parse::<f64>().is_ok() {
            return Ok(None);
        }
        if is_path(named) {
            return Ok(Some(InputSource::Path(named.into())));
        }
        let path = "a path is written with a `/`";
        Err(self.text.error(
            name,
            if flag.takes.is_empty() {
                format!("`{name}` takes a file, and {path}: ./{named}")
            } else {
                let names = self.file.stages.iter().map(|stage| stage.name.as_str());
                let meant = did_you_mean(named, names);
                format!("there is no stage `{named}`{meant} ({path}: ./{named})")
            },
        ))
    }

    /// Adds the hashes of the registry's models that the stage reads.
    ///
    /// # Errors
    /// Returns an error if the registry can't be read.
    fn add_published(&mut self, names: &[String]) -> Result<()> {
        for name in names {
            let registry = self.models.registry();
            let registry = registry.with_context(|| self.text.error("", "it needs models"))?;
            let sha256 = registry.row(name).map(|row| &row.sha256);
            self.settings
                .insert(format!("published {name}"), json!(sha256));
        }
        Ok(())
    }

    /// Adds the recipes of the players. If the recipe of a player's name changes, the stage is thus
    /// outdated.
    ///
    /// # Errors
    /// Returns an error if a player can't be made, or a model is for a player that doesn't play.
    fn add_players(&mut self, playing: &[(&str, String)]) -> Result<()> {
        let roles = || self.inputs.iter().map(|input| input.role.as_str());
        let given: Vec<_> = roles()
            .filter_map(|role| role.strip_prefix("model "))
            .collect();
        for player in &given {
            if playing.iter().all(|(_, text)| text != player) {
                let why = format!("`model` names player {player}, who doesn't play");
                return Err(self.text.error(MODEL, why));
            }
        }
        for (setting, text) in playing {
            let recipe = if given.contains(&text.as_str()) {
                let version = versions().iter().find(|version| version.name == text);
                version.map_or_else(|| text.clone(), |version| version.recipe.to_owned())
            } else {
                let player = ModelArgs::default().player(text, self.models);
                let place = || self.text.error(setting, format!("player {text}"));
                player.with_context(place)?.recipe.without_folders()
            };
            self.settings
                .insert(format!("{PLAYER}{text}"), json!(recipe));
        }
        Ok(())
    }
}

fn is_path(text: &str) -> bool {
    text.contains(['/', MAIN_SEPARATOR])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serde names settings as clap does: a pipeline finds its inputs among them by these names.
    #[test]
    fn serde_names_the_settings_of_every_command_as_clap_does() {
        for task in TASKS {
            let Some(definition) = definition(task) else {
                continue;
            };
            let required = match task.name {
                "train-trees" => "--rows=1000",
                "train-network" => "--data=./rows",
                "train-classifier" => "--iterative",
                "eval" => "--players=4.0,5.0 --keep-games=3",
                "score" => "--players=4.0,5.0 --set=set.parquet",
                "choose" => "--candidates=a.json --set=set.parquet --player=11.0",
                "compare" => "-- 4.0 5.0",
                "tune" => "--range=margin=0..1 --set=set -- posterior+edge",
                "models explain" => "--data=rows -- trees.json",
                "data relabel" => "--teacher=roll-outs:layouts=64 -- guesses",
                "ggp match" => "--game=hex.kif --players=uct,random --luck-corrected",
                _ => "",
            };
            let words: Vec<_> = required.split_whitespace().map(str::to_owned).collect();
            let stage = read(task, &words).unwrap();
            let mut names: Vec<_> = settings_of(task, &definition)
                .map(|(name, _)| name)
                .collect();
            names.extend(task.command_line_only);
            names.sort_unstable();
            let settings = stage.settings();
            assert_eq!(settings.keys().collect::<Vec<_>>(), names, "{}", task.name);
        }
    }
}
