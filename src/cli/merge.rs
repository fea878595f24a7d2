//! `pipeline merge`: the parts of a series become the whole.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};

use super::Global;
use super::stage::show;
use mineflow_pipeline::merge::merge;

/// Join the parts that several machines made with --shard: the folder that one machine would have made
#[derive(Args)]
pub(super) struct MergeArgs {
    /// Folder for the whole; interrupted, the same command resumes there
    #[arg(value_name = "OUT", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// Folders of all parts, in any order
    #[arg(value_name = "PART", required = true, value_hint = ValueHint::DirPath)]
    parts: Vec<PathBuf>,
}

pub(super) fn run(args: &MergeArgs, global: &Global) -> anyhow::Result<ExitCode> {
    show(global, Some(args.out.clone()), |context| merge(&args.parts, context))
}
