//! `pipeline report`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::Global;
use super::output::{json_lines, to_stdout};
use crate::stage::report::{inputs_in, inputs_of, write};

#[derive(Args)]
pub(super) struct ReportArgs {
    /// The folder with tables (play) and training records (training)
    #[arg(long, value_name = "DIR", default_value = "notebooks-free-reports")]
    from: PathBuf,
    /// A folder of a pipeline's stages instead, each a folder in it
    #[arg(long, value_name = "DIR", conflicts_with = "from", requires = "out")]
    runs: Option<PathBuf>,
    /// The folder with registry.json [default: `models` here, then beside the program or up to two folders above it]
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// The folder for the report [default: that of --from]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let inputs = match &args.runs {
        Some(runs) => {
            let entries =
                std::fs::read_dir(runs).with_context(|| format!("can't read the folder {}", runs.display()))?;
            let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
            let mut stages = paths.with_context(|| format!("can't read the folder {}", runs.display()))?;
            stages.sort();
            inputs_of(&stages)?
        }
        None => inputs_in(&args.from, args.models.as_deref())?,
    };
    let written = write(&inputs, args.out.as_ref().unwrap_or(&args.from))?;
    let written: Vec<_> = written.iter().map(|path| path.display().to_string()).collect();
    to_stdout(&if global.json { json_lines(&written)? } else { written.join("\n") + "\n" })?;
    Ok(ExitCode::SUCCESS)
}
