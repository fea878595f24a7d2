//! The settings of `pipeline report`.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::{inputs_in, inputs_of, is_stage, write};
use mineflow_tasks::help::{EXIT_CODES, examples};
use mineflow_tasks::{Answer, Context, Outcome, Stage, json_lines};
use serde::Serialize;

/// The folder whose tables are reported where none is named.
const FROM: &str = "notebooks-free-reports";

/// Write the report: the paper's figures beside ours, as one HTML page and as Markdown
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&["report", "report --runs runs/quickstart --out page"], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// The folder with tables (play) and training records (training) [default: notebooks-free-reports]
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Folders of a pipeline's stages instead, or the one that they lie in; separated by commas
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    pub runs: Vec<PathBuf>,
}

impl Stage for Report {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.from.is_none() || self.runs.is_empty(),
            "--from and --runs exclude each other"
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let from = self.from.as_deref().unwrap_or(Path::new(FROM));
        let (mut inputs, out) = match &self.runs[..] {
            [] => (
                inputs_in(from, None)?,
                context.out.as_deref().unwrap_or(from),
            ),
            runs => (inputs_of(&stages(runs)?)?, context.folder()?),
        };
        inputs.page_folder = Some(out.to_owned());
        let written = write(&inputs, out)?;
        Ok(Outcome::Done(Box::new(Written(
            written
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
        ))))
    }
}

/// The files that were written.
struct Written(Vec<String>);

impl Answer for Written {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.0)
    }

    fn text(&self) -> String {
        self.0.join("\n") + "\n"
    }
}

/// The folders of stages that `runs` are, or that lie in them.
fn stages(runs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut stages = Vec::new();
    for run in runs {
        if is_stage(run) {
            stages.push(run.clone());
            continue;
        }
        let read = || {
            std::fs::read_dir(run)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<Vec<_>>>()
        };
        let mut inside =
            read().with_context(|| format!("can't read the folder {}", run.display()))?;
        inside.sort();
        stages.extend(inside);
    }
    Ok(stages)
}
