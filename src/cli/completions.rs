//! `pipeline completions`.

use std::process::ExitCode;

use clap_complete::Shell;

use super::{command_line, output::to_stdout};

pub(super) fn run(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command_line(), "pipeline", &mut script);
    to_stdout(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
