//! From the text of a stage to what it depends on: inputs, settings, players.

use std::path::{MAIN_SEPARATOR, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Map, Value, json};

use super::cost::CostClock;
use super::{Input, OutFolder, PipelineFile, Record, Source, StageText, Step, did_you_mean, wanted};
use crate::definition::{Context, Job, Outcome};
use crate::kind::{InputFlag, Kind, Kinds, Reads};
use crate::part;
use crate::texts::Text;
use mineflow_arena::{Part, Sprt};
use mineflow_minesweeper::player::{PlayerSpec, versions};
use mineflow_model::Registry;

/// The one setting besides its own that a stage's results depend on.
const SEED: &str = "seed";

/// A stage that is being read.
#[derive(Clone, Copy)]
struct StageReader<'a> {
    file: &'a PipelineFile,
    kinds: Kinds,
    stage: &'a StageText,
    kind: &'static Kind,
}

/// What the settings that may name stages give.
#[derive(Default)]
struct NamedInputs {
    inputs: Vec<Input>,
    /// What stands before the path of each input, such as `5.0=`, and the setting that it belongs to.
    before: Vec<(&'static str, String)>,
    /// Those that are numbers.
    numbers: Map<String, Value>,
}

/// A stage that can be run.
#[derive(Debug)]
pub struct ReadyStage {
    pub step: Step,
    pub seed: u64,
    /// The settings that name no inputs.
    texts: Vec<(String, Vec<String>)>,
    before: Vec<(&'static str, String)>,
}

impl ReadyStage {
    /// Runs the stage where it is worked on; finished, that takes the place of what was there. Of the context, folder and
    /// seed are the stage's own.
    ///
    /// # Errors
    /// An input that isn't there, a folder that can't be used, and whatever goes wrong on the way; what was done is kept.
    pub fn run(&self, out: &OutFolder, context: &Context<'_>) -> anyhow::Result<Outcome> {
        self.begin(out, context.stop)?.run(context)
    }

    /// Takes up the stage where it is worked on.
    ///
    /// # Errors
    /// An input that isn't there, and a folder that can't be used.
    pub fn begin<'a>(&'a self, out: &'a OutFolder, stop: &AtomicBool) -> anyhow::Result<BegunStage<'a>> {
        let made_from = wanted(out, &self.step, stop)?;
        let folder = out.stage(&self.step.name);
        let work = folder.begin(&self.step, &made_from)?;
        Ok(BegunStage { stage: self, out, made_from, finished: folder.finished(), work })
    }

    /// Whether several machines can share its work.
    pub fn has_parts(&self) -> bool {
        // A sequential test decides by all games.
        self.step.kind.parts.is_some() && !self.step.settings.contains_key(Sprt::SETTING)
    }

    /// Runs a part of the stage, in a folder of its own.
    ///
    /// # Errors
    /// As [`ReadyStage::run`], and a stage that has no parts.
    pub fn run_part(&self, part: Part, out: &OutFolder, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let Step { name, kind, at, .. } = &self.step;
        ensure!(self.has_parts(), "{at}: stage {name}: {} has no parts", kind.command);
        let made_from = wanted(out, &self.step, context.stop)?;
        let folder = out.stage(name).begin_part(part, &made_from)?;
        let own = Context { out: Some(folder), seed: self.seed, part, ..context.clone() };
        let job = self.job(|input| out.input(input))?;
        let outcome = job.run(&own).with_context(|| format!("{at}: part {part} of stage {name} failed"))?;
        if matches!(outcome, Outcome::Done(_)) {
            part::record(&own, kind.command, job.values())?;
        }
        Ok(outcome)
    }

    /// Joins the parts of the stage and finishes it.
    ///
    /// # Errors
    /// As [`ReadyStage::run`], and parts that can't be joined.
    pub fn join_parts(&self, parts: u64, out: &OutFolder, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let begun = self.begin(out, context.stop)?;
        if let Some(join) = self.step.kind.parts.filter(|_| parts > 1) {
            let folder = out.stage(&self.step.name);
            let folders: Vec<_> = (0..parts).map(|index| folder.part(Part { index, of: parts })).collect();
            for folder in &folders {
                let made_from = Record::read(folder)?.is_some_and(|record| record == begun.made_from);
                ensure!(
                    made_from && folder.join(part::FILE).exists(),
                    "{}: a part of stage {} is not finished, or of other settings: run it first",
                    folder.display(),
                    self.step.name
                );
            }
            join(&begun.work, &folders, context.stop)?;
        }
        begun.run(context)
    }

    /// The stage with its settings, inputs from where they are.
    ///
    /// # Errors
    /// A path that a setting doesn't take.
    pub fn job(&self, input: impl Fn(&Input) -> PathBuf) -> anyhow::Result<Box<dyn Job>> {
        let mut all = self.texts.clone();
        for (from, (name, before)) in self.step.inputs.iter().zip(&self.before) {
            let text = format!("{before}{}", input(from).display());
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, texts)) => texts.push(text),
                None => all.push(((*name).to_owned(), vec![text])),
            }
        }
        let texts: Vec<Text<'_>> = all.iter().map(|(name, texts)| (name.as_str(), &texts[..])).collect();
        let read = (self.step.kind.definition.read)(&texts);
        read.map_err(|wrong| anyhow::anyhow!("{}: stage {}: {}", self.step.at, self.step.name, wrong.why))
    }
}

/// Reads every stage of a pipeline, each of one of `kinds`.
///
/// # Errors
/// A command that is not a stage's, a setting that it doesn't have or doesn't take, an input that no stage makes.
pub fn read_stages(file: &PipelineFile, kinds: Kinds) -> anyhow::Result<Vec<ReadyStage>> {
    let read = |stage: &StageText| {
        let StageText { at, name, command, .. } = stage;
        let Some(kind) = kinds.of(command) else {
            let (meant, left_out) = (did_you_mean(command, kinds.all.iter().map(|kind| kind.command)), kinds.left_out);
            bail!("{at}: stage {name}: `{command}` is not a command of a stage{meant}{left_out}");
        };
        StageReader { file, kinds, stage, kind }.read()
    };
    file.stages.iter().map(read).collect()
}

/// A stage whose folder is taken up.
pub struct BegunStage<'a> {
    stage: &'a ReadyStage,
    out: &'a OutFolder,
    made_from: Record,
    /// Where it is worked on, and where that will lie once it is finished.
    pub work: PathBuf,
    pub finished: PathBuf,
}

impl BegunStage<'_> {
    /// As [`ReadyStage::run`].
    ///
    /// # Errors
    /// Whatever goes wrong on the way; what was done is kept.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let Self { stage, out, made_from, work, finished } = self;
        let Step { name, at, .. } = &stage.step;
        let job = stage.job(|input| out.input(input))?;
        let own = Context { out: Some(work.clone()), seed: stage.seed, ..context.clone() };
        let clock = CostClock::start();
        let outcome = job
            .run(&own)
            .with_context(|| format!("{at}: stage {name} failed; what it has done is kept in {}", work.display()))?;
        if matches!(outcome, Outcome::Done(_)) {
            out.stage(name).finish(made_from, context.stop)?;
        }
        clock.cost().add_to(if matches!(outcome, Outcome::Done(_)) { finished } else { work })?;
        Ok(outcome)
    }
}

impl StageReader<'_> {
    /// Reads a stage.
    ///
    /// # Errors
    /// A setting that it doesn't have or doesn't take, and an input that no stage makes.
    fn read(&self) -> anyhow::Result<ReadyStage> {
        let definition = self.kind.definition;
        let known = (definition.defaults)().values();
        let is_known = |name: &str| known.contains_key(name) && !self.kind.not_set.contains(&name);
        let StageText { name, at, command, settings } = self.stage;
        let mut seed = self.file.seed;
        let mut texts: Vec<Text<'_>> = Vec::new();
        for setting in settings {
            let at = &setting.at;
            if setting.name == SEED {
                let text = setting.values.join(",");
                seed = text.parse().ok().with_context(|| format!("{at}: stage {name}: `{text}` is not a seed"))?;
            } else if is_known(&setting.name) {
                texts.push((&setting.name, &setting.values));
            } else {
                let names = known.keys().map(String::as_str).filter(|name| is_known(name)).chain([SEED, "command"]);
                let meant = did_you_mean(&setting.name, names);
                bail!("{at}: stage {name}: {command} has no setting `{}`{meant}", setting.name);
            }
        }
        let raw = |wanted: &str| -> Vec<String> {
            let given = texts.iter().find(|(name, _)| *name == wanted);
            given
                .map(|(_, texts)| texts.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect())
                .or_else(|| known.get(wanted).map(in_texts))
                .unwrap_or_default()
        };
        let NamedInputs { inputs, before, numbers } = self.named(&raw)?;
        let is_input = |name: &str| self.kind.input(name).is_some() && !numbers.contains_key(name);
        let own: Vec<Text<'_>> = texts.iter().copied().filter(|(name, _)| !is_input(name)).collect();
        let job = (definition.read)(&own).map_err(|wrong| {
            let place = wrong.name.as_deref().map_or(at.as_str(), |name| self.at(name));
            let of = wrong.name.as_deref().map(|name| format!("`{name}`: ")).unwrap_or_default();
            anyhow::anyhow!("{place}: stage {name}: {of}{}", wrong.why)
        })?;
        let mut settings: Map<String, Value> = job.values();
        settings.retain(|name, value| self.kind.input(name).is_none() && !value.is_null() && *value != json!([]));
        settings.insert(SEED.to_owned(), json!(seed));
        if let Some(published) = self.kind.published.filter(|_| inputs.is_empty() && numbers.is_empty()) {
            let name = published(&settings);
            let row = Registry::open(None).ok().and_then(|registry| registry.row(name).cloned());
            settings.insert(format!("published {name}"), json!(row.map(|row| row.sha256)));
        }
        settings.extend(numbers);
        let texts = own.iter().map(|(name, texts)| ((*name).to_owned(), texts.to_vec())).collect();
        let step = Step { name: name.clone(), kind: self.kind, at: at.clone(), settings, inputs };
        let mut ready = ReadyStage { step, seed, texts, before };
        // Inputs that will be made count as there.
        let named = ready.job(|input| match &input.from {
            Source::Stage { name, .. } => name.into(),
            Source::Path(path) => path.clone(),
        })?;
        named.check().map_err(|why| anyhow::anyhow!("{at}: stage {name}: {why}"))?;
        let players = self.players(&named.players(), &ready.step.inputs)?;
        ready.step.settings.extend(players);
        Ok(ready)
    }

    /// Understands the settings that may name stages; `raw` gives the texts of a setting.
    ///
    /// # Errors
    /// A name that no stage has, or one of the wrong kind.
    fn named(&self, raw: &dyn Fn(&str) -> Vec<String>) -> anyhow::Result<NamedInputs> {
        let mut all = NamedInputs::default();
        for flag in self.kind.inputs {
            for value in raw(flag.name) {
                let name = flag.name;
                // A player may be a recipe, which holds signs of equality itself.
                let (before, role, named) = match value.rsplit_once('=') {
                    Some((player, named)) => (format!("{player}="), format!("{name} {player}"), named),
                    None if flag.reads == Reads::Folder => (String::new(), format!("{name} {value}"), value.as_str()),
                    None => (String::new(), name.to_owned(), value.as_str()),
                };
                match self.source(flag, named)? {
                    Some(from) => {
                        all.inputs.push(Input { role, from, reads: flag.reads });
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

    /// Where a setting that names a stage or a file leads; `None` if it names neither, but is a number.
    fn source(&self, flag: &InputFlag, named: &str) -> anyhow::Result<Option<Source>> {
        let stage = &self.stage.name;
        let at = self.at(flag.name);
        let found = self.file.stages.iter().find(|stage| stage.name == named && !flag.takes.is_empty());
        if let Some(found) = found {
            let kind = self.kinds.of(&found.command).filter(|kind| flag.takes.contains(&kind.command));
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

    /// The recipes of the players, so that a name which stands for another one is noticed.
    ///
    /// # Errors
    /// A player that can't be made, and a model for one who doesn't play.
    fn players(&self, playing: &[(&str, String)], inputs: &[Input]) -> anyhow::Result<Map<String, Value>> {
        for player in inputs.iter().filter_map(|input| input.role.strip_prefix("model ")) {
            let plays = playing.iter().any(|(_, text)| text == player);
            let (at, stage) = (self.at("model"), &self.stage.name);
            ensure!(plays, "{at}: stage {stage}: `model` names player {player}, who doesn't play");
        }
        let mut recipes = Map::new();
        for (setting, text) in playing {
            let swapped = inputs.iter().any(|input| input.role == format!("model {text}"));
            let recipe = if swapped {
                let version = versions().iter().find(|version| version.name == text);
                version.map_or_else(|| text.clone(), |version| version.recipe.to_owned())
            } else {
                let place = || format!("{}: stage {}: player {text}", self.at(setting), self.stage.name);
                text.parse::<PlayerSpec>().with_context(place)?.recipe.to_string()
            };
            recipes.insert(format!("player {text}"), json!(recipe));
        }
        Ok(recipes)
    }

    /// Where a setting stands, or the stage if it doesn't stand anywhere.
    fn at(&self, name: &str) -> &str {
        let setting = self.stage.settings.iter().find(|setting| setting.name == name);
        setting.map_or(&self.stage.at, |setting| &setting.at)
    }
}

/// The texts of a value.
fn in_texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(in_texts).collect(),
        other => vec![other.to_string()],
    }
}
