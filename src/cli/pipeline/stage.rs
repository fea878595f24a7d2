//! Builds the runnable stages of a pipeline: converts their text to command lines and to the
//! settings that results depend on.

use std::path::{MAIN_SEPARATOR, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Command as ClapCommand;
use serde_json::{Map, Value, json};

use super::record::PLAYER;
use super::words::{self, Texts, WrongSetting};
use super::{
    Input, InputSource, OutFolder, PipelineFile, StageRecord, StageText, Step, did_you_mean, wanted,
};
use crate::stages::StageLine;
use mineflow_arena::{Part, Sprt};
use mineflow_minesweeper::player::{PlayerSpec, versions};
use mineflow_model::Models;
use mineflow_search::options::{quote, split, unquote};
use mineflow_tasks::cost::CostClock;
use mineflow_tasks::part;
use mineflow_tasks::table::{InputFlag, Reads, TASKS, TaskInfo, task};
use mineflow_tasks::values::ModelFor;
use mineflow_tasks::{Context, Outcome};

/// The setting of players' models, which names a player before each stage or file.
const MODEL: &str = "model";
/// The only global setting that a stage's results depend on.
const SEED: &str = "seed";
/// The error for a command that this build lacks.
const LEFT_OUT: &str =
    "this build leaves out commands that make rows or train: build without --no-default-features";

/// A reader of one stage.
struct StageReader<'a> {
    file: &'a PipelineFile,
    models: &'a Models,
    stage: &'a StageText,
    task: &'static TaskInfo,
    command: ClapCommand,
}

/// The inputs in settings that may name stages.
#[derive(Default)]
struct NamedInputs {
    inputs: Vec<Input>,
    /// The setting of each input, and the prefix of its path, such as `5.0=`.
    before: Vec<(&'static str, String)>,
    /// Settings with a number instead of an input.
    numbers: Map<String, Value>,
}

/// A stage that is ready to run.
#[derive(Debug)]
pub struct ReadyStage {
    pub step: Step,
    pub seed: u64,
    /// The settings that name no inputs, as text.
    texts: Vec<Texts>,
    before: Vec<(&'static str, String)>,
}

impl ReadyStage {
    /// Opens the work folder of the stage, which is made from `made_from`. [`BegunStage::run`]
    /// renames it over the old output once it is finished.
    ///
    /// # Errors
    /// Returns an error if a folder can't be used.
    pub fn begin<'a>(
        &'a self,
        out: &'a OutFolder,
        made_from: StageRecord,
    ) -> anyhow::Result<BegunStage<'a>> {
        let folder = out.stage(&self.step.name);
        let work = folder.begin(&self.step, &made_from)?;
        Ok(BegunStage {
            stage: self,
            out,
            made_from,
            finished: folder.finished(),
            work,
        })
    }

    /// Returns whether several machines can share the work of the stage.
    pub fn has_parts(&self) -> bool {
        // A sequential test needs all games to decide.
        self.step.task.parts.is_some() && !self.step.settings.contains_key(Sprt::SETTING)
    }

    /// Returns an error if the work of the stage can't be divided into shards.
    pub fn ensure_has_parts(&self) -> anyhow::Result<()> {
        let Step { name, task, at, .. } = &self.step;
        ensure!(
            self.has_parts(),
            "{at}: stage {name}: {} has no shards",
            task.name
        );
        Ok(())
    }

    /// Runs one shard of the stage in a folder of its own.
    ///
    /// # Errors
    /// Returns the errors of [`BegunStage::run`], and an error if the work of the stage can't be
    /// divided into shards.
    pub fn run_part(
        &self,
        part: Part,
        out: &OutFolder,
        context: &Context<'_>,
    ) -> anyhow::Result<Outcome> {
        self.ensure_has_parts()?;
        let Step { name, at, .. } = &self.step;
        let made_from = wanted(out, &self.step, context.stop)?;
        let folder = out.stage(name).begin_part(part, &made_from)?;
        let own = Context {
            out: Some(folder),
            seed: self.seed,
            part,
            ..context.clone()
        };
        let command = self.command(out)?;
        let running = command.task();
        let outcome = running
            .stage
            .run(&own)
            .with_context(|| format!("{at}: shard {part} of stage {name} failed"))?;
        if matches!(outcome, Outcome::Done(_)) {
            part::record(&own, self.step.task.name, running.settings)?;
            context.note(&format!(
                "note: when all shards are finished, `pipeline run FILE {name} --join {}` joins them",
                part.of
            ));
        }
        Ok(outcome)
    }

    /// Joins the shards of the stage and finishes the stage.
    ///
    /// # Errors
    /// Returns the errors of [`BegunStage::run`], and an error if the shards can't be joined.
    pub fn join_parts(
        &self,
        parts: u64,
        out: &OutFolder,
        context: &Context<'_>,
    ) -> anyhow::Result<Outcome> {
        let begun = self.begin(out, wanted(out, &self.step, context.stop)?)?;
        if let Some(join) = self.step.task.parts.filter(|_| parts > 1) {
            let folder = out.stage(&self.step.name);
            let folders: Vec<_> = (0..parts)
                .map(|index| folder.part(Part { index, of: parts }, &begun.made_from))
                .collect::<Result<_, _>>()?;
            for folder in &folders {
                let made_from =
                    StageRecord::read(folder)?.is_some_and(|record| record == begun.made_from);
                ensure!(
                    made_from && folder.join(part::FILE).exists(),
                    "{}: a shard of stage {} is not finished, or of other settings: run it first",
                    folder.display(),
                    self.step.name
                );
            }
            join(&begun.work, &folders, context.stop)?;
        }
        begun.run(context)
    }

    /// Returns the command line with the paths of the inputs.
    fn command(&self, out: &OutFolder) -> anyhow::Result<StageLine> {
        self.read(&|input| out.input(input)).map_err(|wrong| {
            anyhow::anyhow!("{}: stage {}: {}", self.step.at, self.step.name, wrong.why)
        })
    }

    fn read(&self, input: &dyn Fn(&Input) -> PathBuf) -> Result<StageLine, WrongSetting> {
        let mut all = self.texts.clone();
        for (from, (name, before)) in self.step.inputs.iter().zip(&self.before) {
            let path = input(from).display().to_string();
            let text = format!("{before}{}", quote(&path));
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, texts)) => texts.push(text),
                None => all.push(((*name).to_owned(), vec![text])),
            }
        }
        words::read(self.step.task, &all, "DIR")
    }
}

/// Reads every stage of a pipeline whose players have these published models.
///
/// # Errors
/// Returns an error if a command can't be a stage, a setting doesn't exist or has a wrong value, or
/// an input is neither a suitable stage nor a path.
pub fn read_stages(file: &PipelineFile, models: &Models) -> anyhow::Result<Vec<ReadyStage>> {
    let read = |stage: &StageText| {
        let StageText {
            at, name, command, ..
        } = stage;
        let Some(task) = task(command) else {
            let meant = match command.as_str() {
                "train-ranker" => "; train-trees takes rows of any kind".to_owned(),
                _ => did_you_mean(command, TASKS.iter().map(|task| task.name)),
            };
            bail!("{at}: stage {name}: `{command}` is not a command of a stage{meant}");
        };
        let command = StageLine::command_of(task)
            .with_context(|| format!("{at}: stage {name}: {LEFT_OUT}"))?;
        StageReader {
            file,
            models,
            stage,
            task,
            command,
        }
        .read()
    };
    file.stages.iter().map(read).collect()
}

/// A stage whose work folder is open.
pub struct BegunStage<'a> {
    stage: &'a ReadyStage,
    out: &'a OutFolder,
    made_from: StageRecord,
    /// The work folder, which is renamed to `finished` once the stage is finished.
    pub work: PathBuf,
    pub finished: PathBuf,
}

impl BegunStage<'_> {
    /// Runs the stage in its work folder, then renames this folder over the old output. The folder
    /// and the seed of the context are replaced by the stage's own.
    ///
    /// # Errors
    /// Returns an error if the work fails. The work done so far is saved.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let Self {
            stage,
            out,
            made_from,
            work,
            finished,
        } = self;
        let Step { name, at, .. } = &stage.step;
        let command = stage.command(out)?;
        let running = command.task();
        let own = Context {
            out: Some(work.clone()),
            seed: stage.seed,
            ..context.clone()
        };
        let clock = CostClock::start();
        let outcome = running.stage.run(&own).with_context(|| {
            format!(
                "{at}: stage {name} failed; what it has done is kept in {}",
                work.display()
            )
        })?;
        if matches!(outcome, Outcome::Done(_)) {
            out.stage(name)
                .finish(work, &stage.step, made_from, context.stop)?;
        }
        clock
            .cost()
            .add_to(if matches!(outcome, Outcome::Done(_)) {
                finished
            } else {
                work
            })?;
        Ok(outcome)
    }
}

impl StageReader<'_> {
    /// Reads a stage.
    ///
    /// # Errors
    /// Returns an error if a setting doesn't exist or has a wrong value, or an input is neither a
    /// suitable stage nor a path.
    fn read(&self) -> anyhow::Result<ReadyStage> {
        let StageText {
            name,
            at,
            command,
            settings,
            ..
        } = self.stage;
        let known = || words::settings_of(self.task, &self.command).map(|(name, _)| name);
        let mut seed = self.file.seed;
        let mut texts: Vec<Texts> = Vec::new();
        for setting in settings {
            let at = &setting.at;
            if setting.name == SEED {
                let text = setting.values.join(",");
                seed = text
                    .parse()
                    .ok()
                    .with_context(|| format!("{at}: stage {name}: `{text}` is not a seed"))?;
            } else if known().any(|known| known == setting.name) {
                texts.push((setting.name.clone(), setting.values.clone()));
            } else {
                let meant = did_you_mean(&setting.name, known().chain([SEED, "command"]));
                bail!(
                    "{at}: stage {name}: {command} has no setting `{}`{meant}",
                    setting.name
                );
            }
        }
        let NamedInputs {
            inputs,
            before,
            numbers,
        } = self.named(&texts)?;
        texts.retain(|(name, _)| self.task.input(name).is_none() || numbers.contains_key(name));
        let step = Step {
            name: name.clone(),
            task: self.task,
            at: at.clone(),
            settings: Map::new(),
            inputs,
        };
        let mut ready = ReadyStage {
            step,
            seed,
            texts,
            before,
        };
        // Inputs that stages will make count as present.
        let placeholder = |input: &Input| match &input.from {
            InputSource::Stage { name, .. } => PathBuf::from(name),
            InputSource::Path(path) => path.clone(),
        };
        let command = ready.read(&placeholder).map_err(|wrong| {
            let place = wrong
                .name
                .as_deref()
                .map_or(at.as_str(), |name| self.at(name));
            anyhow::anyhow!("{place}: stage {name}: {}", wrong.why)
        })?;
        let task = command.task();
        task.stage
            .check()
            .map_err(|why| anyhow::anyhow!("{at}: stage {name}: {why}"))?;
        let mut settings = task.settings;
        settings.retain(|name, value| {
            self.task.input(name).is_none() && !value.is_null() && *value != json!([])
        });
        settings.insert(SEED.to_owned(), json!(seed));
        let published = task.stage.published();
        if !published.is_empty() {
            let registry = self.models.registry().ok();
            for name in published {
                let row = registry.and_then(|registry| registry.row(&name));
                let sha256 = row.map(|row| &row.sha256);
                settings.insert(format!("published {name}"), json!(sha256));
            }
        }
        settings.extend(numbers);
        settings.extend(self.players(&task.stage.players(), &ready.step.inputs)?);
        ready.step.settings = settings;
        Ok(ready)
    }

    /// Resolves the settings that may name stages.
    ///
    /// # Errors
    /// Returns an error if no stage has a given name, or the named stage is of the wrong kind.
    fn named(&self, texts: &[Texts]) -> anyhow::Result<NamedInputs> {
        let mut all = NamedInputs::default();
        for flag in self.task.inputs {
            let Some((_, given)) = texts.iter().find(|(name, _)| name == flag.name) else {
                continue;
            };
            let is_path = |text: &str| text.contains(['/', MAIN_SEPARATOR]);
            let named: Vec<_> = match &given[..] {
                // A single text with a path and no quotes is one path, whose name may contain
                // commas.
                [path] if flag.name != MODEL && is_path(path) && !path.contains('"') => {
                    vec![path.as_str()]
                }
                _ => given.iter().flat_map(|text| split(text, ',')).collect(),
            };
            // A list may name all stages of a matrix at once.
            for value in named.into_iter().flat_map(|value| self.family(value)) {
                let name = flag.name;
                let value = unquote(value);
                let (before, role, named) = match value.parse() {
                    Ok(ModelFor { player, file }) if name == MODEL => (
                        format!("{player}="),
                        format!("{name} {player}"),
                        file.display().to_string(),
                    ),
                    _ if flag.reads == Reads::Folder => {
                        (String::new(), format!("{name} {value}"), value.into())
                    }
                    _ => {
                        let earlier = all.before.iter().filter(|(of, _)| *of == name).count();
                        let role = match earlier {
                            0 => name.to_owned(),
                            earlier => format!("{name} {}", earlier + 1),
                        };
                        (String::new(), role, value.into())
                    }
                };
                match self.source(flag, &named)? {
                    Some(from) => {
                        all.inputs.push(Input {
                            role,
                            from,
                            reads: flag.reads,
                        });
                        all.before.push((name, before));
                    }
                    None => {
                        all.numbers.insert(role, json!(named));
                    }
                }
            }
        }
        Ok(all)
    }

    /// Returns the stages of the matrix of this name, or `value` itself if there is no such matrix.
    fn family<'v>(&'v self, value: &'v str) -> Vec<&'v str> {
        let stages = self
            .file
            .stages
            .iter()
            .filter(|stage| stage.family == value && stage.name != value);
        let names: Vec<_> = stages.map(|stage| stage.name.as_str()).collect();
        if names.is_empty() { vec![value] } else { names }
    }

    /// Returns the stage or file that a setting names, or `None` if the setting is a number.
    fn source(&self, flag: &InputFlag, named: &str) -> anyhow::Result<Option<InputSource>> {
        let stage = &self.stage.name;
        let at = self.at(flag.name);
        let found = self
            .file
            .stages
            .iter()
            .find(|stage| is_named(stage, named) && !flag.takes.is_empty());
        if let Some(found) = found {
            let Some(task) = task(&found.command).filter(|task| flag.takes.contains(&task.name))
            else {
                let makes = &found.command;
                let takes = flag.takes.join(" or ");
                bail!(
                    "{at}: stage {stage}: `{}` takes what {takes} makes, and stage {named} is {makes}",
                    flag.name
                );
            };
            return Ok(Some(InputSource::Stage {
                name: found.name.clone(),
                task,
            }));
        }
        if flag.may_be_number && named.parse::<f64>().is_ok() {
            return Ok(None);
        }
        if named.contains(['/', MAIN_SEPARATOR]) {
            return Ok(Some(InputSource::Path(named.into())));
        }
        if flag.takes.is_empty() {
            bail!(
                "{at}: stage {stage}: `{}` takes a file, and a path is written with a `/`: ./{named}",
                flag.name
            );
        }
        let meant = did_you_mean(
            named,
            self.file.stages.iter().map(|stage| stage.name.as_str()),
        );
        bail!(
            "{at}: stage {stage}: there is no stage `{named}`{meant} (a path is written with a `/`: ./{named})"
        );
    }

    /// Returns the recipes of the players. If the recipe of a player's name changes, the stage is
    /// thus outdated.
    ///
    /// # Errors
    /// Returns an error if a player can't be made, or a model is for a player that doesn't play.
    fn players(
        &self,
        playing: &[(&str, String)],
        inputs: &[Input],
    ) -> anyhow::Result<Map<String, Value>> {
        for player in inputs
            .iter()
            .filter_map(|input| input.role.strip_prefix("model "))
        {
            let plays = playing.iter().any(|(_, text)| text == player);
            let at = self.at(MODEL);
            let stage = &self.stage.name;
            ensure!(
                plays,
                "{at}: stage {stage}: `model` names player {player}, who doesn't play"
            );
        }
        let mut recipes = Map::new();
        for (setting, text) in playing {
            let swapped = inputs
                .iter()
                .any(|input| input.role == format!("model {text}"));
            let recipe = if swapped {
                let version = versions().iter().find(|version| version.name == text);
                version.map_or_else(|| text.clone(), |version| version.recipe.to_owned())
            } else {
                let place = || {
                    format!(
                        "{}: stage {}: player {text}",
                        self.at(setting),
                        self.stage.name
                    )
                };
                PlayerSpec::with_models(text, self.models)
                    .with_context(place)?
                    .recipe
                    .without_folders()
            };
            recipes.insert(format!("{PLAYER}{text}"), json!(recipe));
        }
        Ok(recipes)
    }

    /// Returns the source location of a setting, or of the stage if the setting has none.
    fn at(&self, name: &str) -> &str {
        let setting = self
            .stage
            .settings
            .iter()
            .find(|setting| setting.name == name);
        setting.map_or(&self.stage.at, |setting| &setting.at)
    }
}

/// Returns whether `named` is this stage. The name of a matrix's stage may be written with the dots
/// of its values.
fn is_named(stage: &StageText, named: &str) -> bool {
    stage.name == named || !stage.matrix.is_empty() && stage.name == named.replace('.', "_")
}
