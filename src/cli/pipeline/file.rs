//! Parses pipeline files: TOML with a table per stage, keeping the source location of every key.
//!
//! ```toml
//! format = 1
//! seed = 1                        # for every stage without a seed
//!
//! [stage.rows]
//! command = "generate"
//! rows = 1_000_000                # --rows 1000000
//!
//! [stage.trees]
//! command = "train-trees"
//! data = "rows"                   # the output of the stage `rows`
//!
//! [stage.play]
//! command = "eval"
//! players = ["4.0", "5.0"]
//! model = { "5.0" = "trees" }     # --model 5.0=FILE
//! ```
//!
//! A stage with a matrix expands to one stage for each combination of values. `{key}` in its
//! settings is replaced by the value:
//!
//! ```toml
//! [stage.net]                     # net-1, net-2, net-3
//! command = "train-classifier"
//! iterative = true
//! matrix = { seed = [1, 2, 3] }
//!
//! [stage.judge]                   # judge-1, judge-2, judge-3
//! command = "eval"
//! players = ["5.5"]
//! model = { "5.5" = "net-{net}" }
//! matrix = { net = [1, 2, 3] }
//! ```
//!
//! A key that no setting refers to is itself a setting. In a list of stages, `net` means all three
//! stages of its matrix. The stages of a repeat expand to one stage for each round (see `repeat`).
//!
//! This module does not know the settings of commands: names and values are those of the command
//! line.

use std::{ops::Range, path::Path};

use anyhow::{Context, Result, bail, ensure};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Setting, StageText, did_you_mean, matrix::expand};
use mineflow_search::options::{quote, unquote};
use mineflow_store::{LONGEST, read_input_text};

/// The format of pipeline files that this program reads.
const FORMAT: u64 = 1;
/// The key of a stage's matrix.
const MATRIX: &str = "matrix";
/// The key of a stage's settings in round 1 of a repeat.
const FIRST: &str = "first";
const EXAMPLE: &str = "{ player = \"7.0\" }";
/// The default seed.
const SEED: u64 = 1;

/// A parsed pipeline file.
#[derive(Debug)]
pub struct PipelineFile {
    /// The seed of every stage without its own.
    pub seed: u64,
    /// The stages in the file's order.
    pub stages: Vec<StageText>,
}

impl PipelineFile {
    /// Reads a file and applies `changes`, each `STAGE.KEY=VALUE` or `seed=N`.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is not TOML or is not a pipeline, or if a change
    /// names a stage that the file doesn't have. The error gives the place, the fault and a
    /// suggestion.
    pub fn read(path: &Path, changes: &[String]) -> Result<Self> {
        let text = read_input_text(path, LONGEST)?;
        let mut file = Text { path, text: &text }.parse()?;
        for change in changes {
            file.change(change)?;
        }
        Ok(file)
    }

    fn change(&mut self, change: &str) -> Result<()> {
        let at = format!("--set {change}");
        let Some((target, value)) = change.split_once('=') else {
            bail!("{at}: write STAGE.KEY=VALUE, such as trees.rounds=20");
        };
        let Some((stage, name)) = target.split_once('.') else {
            ensure!(target == "seed", "{at}: write STAGE.KEY=VALUE, or seed=N");
            self.seed = value
                .parse()
                .with_context(|| format!("{at}: a seed is a whole number"))?;
            return Ok(());
        };
        let names = || self.stages.iter().map(|stage| stage.name.as_str());
        let is_meant = |of: &StageText| of.name == stage || of.family == stage;
        ensure!(
            self.stages.iter().any(is_meant),
            "{at}: there is no stage `{stage}`{}",
            did_you_mean(stage, names())
        );
        ensure!(
            !["command", MATRIX, FIRST].contains(&name),
            "{at}: `{name}` stands in the file"
        );
        let fixed = |of: &StageText| is_meant(of) && of.matrix.iter().any(|key| key.name == name);
        ensure!(
            !self.stages.iter().any(fixed),
            "{at}: `{name}` is a key of the matrix of {stage}; change it in the file"
        );
        let setting = Setting {
            name: name.to_owned(),
            values: vec![value.to_owned()],
            at: at.clone(),
        };
        for stage in self.stages.iter_mut().filter(|of| is_meant(of)) {
            stage.settings.retain(|setting| setting.name != name);
            stage.settings.push(setting.clone());
        }
        Ok(())
    }
}

/// The text of a pipeline file that is being parsed.
pub(super) struct Text<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Text<'_> {
    fn parse(&self) -> Result<PipelineFile> {
        let document = DeTable::parse(self.text).map_err(|error| {
            let why = error.message().replace('\n', ", ");
            anyhow::anyhow!("{}: {why}", self.at(error.span().unwrap_or_default()))
        })?;
        let mut format = None;
        let mut seed = SEED;
        let mut stages = Vec::new();
        let mut repeats = None;
        for (key, value) in in_order(document.get_ref()) {
            match key.get_ref().as_ref() {
                "format" => format = Some(self.number("format", value)?),
                "seed" => seed = self.number("seed", value)?,
                "stage" => stages = self.stages(value)?,
                "repeat" => repeats = Some(value.clone()),
                other => {
                    let meant = did_you_mean(other, ["format", "seed", "stage", "repeat"]);
                    bail!(
                        "{}: a pipeline has format, seed, stages and repeats, no `{other}`{meant}",
                        self.at(key.span())
                    );
                }
            }
        }
        let path = self.path.display();
        match format {
            Some(FORMAT) => {}
            Some(other) => {
                bail!("{path}: its format is {other}; this program reads format {FORMAT}")
            }
            None => bail!("{path}: it has no format; its first line should be `format = {FORMAT}`"),
        }
        ensure!(
            !stages.is_empty(),
            "{path}: it has no stages; one begins with a line like `[stage.play]`"
        );
        if let Some(repeats) = repeats {
            stages = self.unroll(repeats, stages)?;
        }
        for (index, stage) in stages.iter().enumerate() {
            let taken = stages[..index].iter().any(|other| other.name == stage.name);
            ensure!(!taken, "{}: there are two stages {}", stage.at, stage.name);
            if let Some(Setting { at, .. }) = stage.first.first() {
                bail!("{at}: only a stage of a repeat has settings of a first round");
            }
        }
        Ok(PipelineFile { seed, stages })
    }

    fn stages(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<StageText>> {
        let Some(stages) = value.get_ref().as_table() else {
            bail!(
                "{}: stages are tables with a name each, such as [stage.play]",
                self.at(value.span())
            );
        };
        let stages = in_order(stages).into_iter();
        let stages = stages.map(|(name, stage)| self.stage(name, stage));
        Ok(stages.collect::<Result<Vec<_>>>()?.concat())
    }

    /// Reads a stage, or the stages of its matrix.
    fn stage(
        &self,
        name: &Spanned<impl AsRef<str>>,
        stage: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<StageText>> {
        let at = self.at(name.span());
        let name = name.get_ref().as_ref();
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        ensure!(
            !name.is_empty() && name.chars().all(allowed),
            "{at}: `{name}` is not a name of a stage; letters, digits, `-` and `_` are"
        );
        let Some(keys) = stage.get_ref().as_table() else {
            bail!("{at}: a stage is a table, such as [stage.{name}]");
        };
        let mut whole = StageText {
            name: name.to_owned(),
            family: name.to_owned(),
            matrix: Vec::new(),
            round: None,
            command: String::new(),
            at,
            settings: Vec::new(),
            first: Vec::new(),
        };
        let mut matrix = Vec::new();
        for (key, value) in in_order(keys) {
            let at = self.at(key.span());
            match key.get_ref().as_ref() {
                "command" => {
                    let text = value.get_ref().as_str();
                    let why = || format!("{at}: command is a text, such as \"eval\"");
                    text.with_context(why)?.clone_into(&mut whole.command);
                }
                MATRIX => matrix = self.matrix(value)?,
                FIRST => {
                    let replaced = value.get_ref().as_table();
                    let why = || format!("{at}: {FIRST} is a table of settings, such as {EXAMPLE}");
                    whole.first = self.settings(replaced.with_context(why)?)?;
                }
                _ => {}
            }
        }
        whole.settings = self.settings(keys)?;
        let at = &whole.at;
        ensure!(
            !whole.command.is_empty(),
            "{at}: stage {name} has no command, such as \"eval\""
        );
        expand(whole, &matrix)
    }

    /// Reads the settings of a stage, without the keys that say how it expands.
    fn settings(&self, keys: &DeTable<'_>) -> Result<Vec<Setting>> {
        let mut settings = Vec::new();
        for (key, value) in in_order(keys) {
            let name = key.get_ref().to_string();
            if !["command", MATRIX, FIRST].contains(&&*name) {
                let (values, at) = (self.values(&name, value)?, self.at(key.span()));
                ensure!(
                    !values.is_empty(),
                    "{at}: `{name}` is empty; leave it out for its default"
                );
                settings.push(Setting { values, name, at });
            }
        }
        Ok(settings)
    }

    /// Reads the values of a setting as text. The entries of a list or a table are quoted where the
    /// command line needs it.
    pub fn values(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.item(key, item)).collect(),
            DeValue::Table(pairs) => {
                let pair = |(name, value)| {
                    let name = Spanned::get_ref(name);
                    let value = self.item(key, value)?;
                    Ok(format!("{name}={value}"))
                };
                in_order(pairs).into_iter().map(pair).collect()
            }
            _ => Ok(vec![self.scalar(key, value)?]),
        }
    }

    /// Reads an entry of a list or a table, which may have double quotes around it.
    fn item(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String> {
        let text = self.scalar(key, value)?;
        Ok(quote(&unquote(&text)).into_owned())
    }

    fn scalar(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.clone().into_owned()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(switch) => Ok(switch.to_string()),
            _ => bail!(
                "{}: `{key}` takes texts, decimal numbers, true or false",
                self.at(value.span())
            ),
        }
    }

    pub fn number(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<u64> {
        let number = value.get_ref().as_integer();
        let number = number.filter(|number| number.radix() == 10);
        let number = number.and_then(|number| number.as_str().parse().ok());
        let at = || self.at(value.span());
        number.with_context(|| format!("{}: {key} is a whole number from 0 on", at()))
    }

    /// Formats a source location as `FILE:LINE:COLUMN`, counted from 1.
    pub fn at(&self, span: Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let begun = before.rsplit('\n').next().unwrap_or_default();
        let column = begun.chars().count() + 1;
        format!("{}:{line}:{column}", self.path.display())
    }
}

/// Returns the entries of a table in the order of the file.
pub(super) fn in_order<'t, 'a>(
    table: &'t DeTable<'a>,
) -> Vec<(
    &'t Spanned<std::borrow::Cow<'a, str>>,
    &'t Spanned<DeValue<'a>>,
)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
