//! `pipeline report`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Global;
use super::output::{json_lines, to_stdout};
use crate::stage::report::{inputs_in, write};

#[derive(Args)]
pub(super) struct ReportArgs {
    /// The folder with the tables and training records
    #[arg(long = "from", value_name = "DIR", default_value = "notebooks-free-reports")]
    from: PathBuf,
    /// The folder for the report [default: the same]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let out = args.out.as_ref().unwrap_or(&args.from);
    let written = write(&inputs_in(&args.from), out)?;
    let written: Vec<_> = written.iter().map(|path| path.display().to_string()).collect();
    to_stdout(&if global.json { json_lines(&written)? } else { written.join("\n") + "\n" })?;
    Ok(ExitCode::SUCCESS)
}
