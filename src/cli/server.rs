//! `pipeline serve`: runs the server of `mineflow-serve` until it is interrupted.

use std::process::ExitCode;

use mineflow_serve::{ServeArgs, ServeContext, serve};

use super::{
    Global, interrupt,
    output::{note, to_stdout},
};

pub(super) fn run(args: &ServeArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen_quietly()?;
    let models = global.models.clone();
    serve(
        args,
        &ServeContext {
            threads: global.threads(),
            models,
            stop,
            print: to_stdout,
            note,
        },
    )?;
    Ok(ExitCode::SUCCESS)
}
