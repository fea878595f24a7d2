//! `pipeline merge`: joins the shards of a run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};

use super::Global;
use super::pipeline::merge::merge;
use super::stage::show;
use mineflow_tasks::help::{EXIT_CODES, examples};

/// Merge the outputs of --shard runs into the folder that an unsharded run writes
#[derive(Args)]
#[command(after_help = examples(
    &[
        "merge whole shard.1 shard.2",
        "merge strength strength.1 strength.2 strength.3 strength.4",
    ],
    EXIT_CODES,
))]
pub(super) struct MergeArgs {
    /// Write the result to this folder; after an interruption, the same command resumes there
    #[arg(value_name = "OUT", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// Join these folders, all shards in any order
    #[arg(value_name = "SHARD", required = true, value_hint = ValueHint::DirPath)]
    parts: Vec<PathBuf>,
}

pub(super) fn run(args: &MergeArgs, global: &Global) -> anyhow::Result<ExitCode> {
    show(global, Some(args.out.clone()), |context| {
        merge(&args.parts, context)
    })
}
