//! `pipeline report`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::Global;
use super::output::{answer, json_lines};
use crate::stage::report::{inputs_in, inputs_of, is_stage, write};

#[derive(Args)]
pub(super) struct ReportArgs {
    /// The folder with tables (play) and training records (training)
    #[arg(long, value_name = "DIR", default_value = "notebooks-free-reports")]
    from: PathBuf,
    /// Folders of a pipeline's stages instead, or the one that they lie in; separated by commas
    #[arg(long, value_name = "DIRS", value_delimiter = ',', conflicts_with = "from", requires = "out")]
    runs: Vec<PathBuf>,
    /// The folder for the report [default: that of --from]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let inputs = match &args.runs[..] {
        [] => inputs_in(&args.from, global.models.as_deref())?,
        runs => inputs_of(&stages(runs)?)?,
    };
    let written = write(&inputs, args.out.as_ref().unwrap_or(&args.from))?;
    let written: Vec<_> = written.iter().map(|path| path.display().to_string()).collect();
    answer(&if global.json { json_lines(&written)? } else { written.join("\n") + "\n" })?;
    Ok(ExitCode::SUCCESS)
}

/// The folders of stages that `runs` are, or that lie in them.
fn stages(runs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut stages = Vec::new();
    for run in runs {
        if is_stage(run) {
            stages.push(run.clone());
            continue;
        }
        let read =
            || std::fs::read_dir(run)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
        let mut inside = read().with_context(|| format!("can't read the folder {}", run.display()))?;
        inside.sort();
        stages.extend(inside);
    }
    Ok(stages)
}
