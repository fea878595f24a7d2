//! `pipeline completions`.

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use super::command_line;
use super::output::to_stdout;
use mineflow_tasks::help::examples;

#[derive(Args)]
#[command(after_help = examples(&["completions bash", "completions zsh"], ""))]
pub(super) struct CompletionsArgs {
    /// Choose the shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(), "pipeline", &mut script);
    to_stdout(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
