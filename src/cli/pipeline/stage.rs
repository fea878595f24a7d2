//! A stage of a pipeline that is ready to run.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value};

use super::{Input, InputSource, StageRecord, StageText};
use mineflow_arena::{Part, Sprt};
use mineflow_store::Folder;
use mineflow_tasks::{Context, Outcome, cost::CostClock, table::TaskInfo};

/// A stage with its parsed command and its inputs.
pub struct Stage {
    /// The text of the stage with its place in a matrix or a repeat.
    pub text: StageText,
    pub name: String,
    pub task: &'static TaskInfo,
    /// The source location of the stage, for messages.
    pub at: String,
    /// The output folder of the pipeline, with a folder for each stage.
    pub out: PathBuf,
    pub seed: u64,
    /// All settings that the results depend on besides inputs, by name.
    pub settings: Map<String, Value>,
    pub inputs: Vec<Input>,
    pub(super) command: Box<dyn mineflow_tasks::Stage>,
}

impl Stage {
    /// Returns the names of the stages that this stage reads.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().filter_map(|input| match &input.from {
            InputSource::Stage { name, .. } => Some(name.as_str()),
            InputSource::Path(_) => None,
        })
    }

    /// Returns whether `name` is that of the stage, its matrix or its repeat.
    pub fn is_meant(&self, name: &str) -> bool {
        let StageText { family, round, .. } = &self.text;
        self.name == name
            || family == name
            || round.as_ref().is_some_and(|round| round.repeat == name)
    }

    /// Returns whether several machines can share the work of the stage.
    pub fn has_parts(&self) -> bool {
        // A sequential test needs all games to decide.
        self.task.parts.is_some() && !self.settings.contains_key(Sprt::SETTING)
    }

    /// Returns an error if the work of the stage can't be divided into shards.
    pub fn ensure_has_parts(&self) -> Result<()> {
        ensure!(
            self.has_parts(),
            "{}: stage {}: {} has no shards",
            self.at,
            self.name,
            self.task.name
        );
        Ok(())
    }

    /// Runs the stage in its work folder, which [`Stage::begin`] has opened, then renames
    /// this folder over the old output. The folder and the seed of the context are replaced by the
    /// stage's own.
    ///
    /// # Errors
    /// Returns an error if the work fails. The work done so far is saved.
    pub fn run(
        &self,
        work: &Path,
        made_from: &StageRecord,
        context: &Context<'_>,
    ) -> Result<Outcome> {
        let clock = CostClock::start();
        let outcome = self.run_in(work, Part::WHOLE, context).with_context(|| {
            format!(
                "{}: stage {} failed; what it has done is kept in {}",
                self.at,
                self.name,
                work.display()
            )
        })?;
        let is_done = matches!(outcome, Outcome::Done(_));
        if is_done {
            self.finish(work, made_from, context.stop)?;
        }
        let place = is_done.then(|| self.finished());
        clock.cost().add_to(place.as_deref().unwrap_or(work))?;
        Ok(outcome)
    }

    fn run_in(&self, out: &Path, part: Part, context: &Context<'_>) -> Result<Outcome> {
        self.command.run(&Context {
            out: Some(out.to_owned()),
            seed: self.seed,
            part,
            ..context.clone()
        })
    }

    /// Runs one shard of the stage, which has shards, in a folder of its own.
    ///
    /// # Errors
    /// Returns the errors of [`Stage::run`].
    pub fn run_part(&self, part: Part, context: &Context<'_>) -> Result<Outcome> {
        let made_from = self.wanted(context.stop)?;
        let folder = self.part(part, &made_from)?;
        made_from.begin(&folder)?;
        let outcome = self
            .run_in(&folder, part, context)
            .with_context(|| format!("{}: shard {part} of stage {} failed", self.at, self.name))?;
        if matches!(outcome, Outcome::Done(_)) {
            context.note(&format!(
                "note: when all shards are finished, `pipeline run FILE {} --join {}` joins them",
                self.name, part.of
            ));
        }
        Ok(outcome)
    }

    /// Joins the shards of the stage and finishes the stage.
    ///
    /// # Errors
    /// Returns the errors of [`Stage::run`], and an error if the shards can't be joined.
    pub fn join_parts(&self, parts: u64, context: &Context<'_>) -> Result<Outcome> {
        let made_from = self.wanted(context.stop)?;
        if let Some(join) = self.task.parts.filter(|_| parts > 1) {
            let shards: Vec<PathBuf> = (0..parts)
                .map(|index| self.part(Part { index, of: parts }, &made_from))
                .collect::<Result<_, _>>()?;
            for shard in &shards {
                let is_finished = StageRecord::read(shard)?.as_ref() == Some(&made_from)
                    && Folder::finished_result(shard)?.is_some();
                ensure!(
                    is_finished,
                    "{}: a shard of stage {} is not finished, or of other settings: run it first",
                    shard.display(),
                    self.name
                );
            }
            // The shards have all games. Those of a finished stage with fewer games aren't copied.
            let work = self.unfinished(&made_from);
            made_from.begin(&work)?;
            join(&work, &shards, context.stop)?;
        }
        self.run(&self.begin(&made_from)?, &made_from, context)
    }
}
