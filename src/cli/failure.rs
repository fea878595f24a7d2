//! Turns errors, panics and closed pipes into messages and exit codes.

use std::{
    io,
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind},
    process::{ExitCode, exit},
};

use anstyle::{AnsiColor, Style};
use clap::error::ErrorKind;

use super::{
    interrupt::INTERRUPTED,
    output::{note, to_stderr},
};
use mineflow_arena::{ArenaError, message, plain_message};
use mineflow_minesweeper::player::Fault;
use mineflow_model::{ArtifactError, RegistryError};
use mineflow_store::{FEWER_THREADS, StoreError};
use mineflow_tasks::ggp_fault::SheetFault;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// The exit code of a command whose answer is no.
pub(super) const NO: u8 = 1;
/// The exit code of an error.
pub(super) const FAILED: u8 = 2;

const BUG: &str = "this is a bug; please report it with the lines above and the command";

/// Runs a command and turns an error or a panic into a message and exit code 2. A closed stdout is
/// not an error: a reader such as `head` has read all it needs.
pub(super) fn guard(command: impl FnOnce() -> anyhow::Result<ExitCode>) -> ExitCode {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Ok(Err(error)) if is_stopped(&error) => {
            note("interrupted: give the same command again");
            ExitCode::from(INTERRUPTED)
        }
        Ok(Err(error)) => {
            print(&error);
            ExitCode::from(FAILED)
        }
        Err(_) => {
            to_stderr(&format!(
                "{ERROR}error:{ERROR:#} the program stopped because of an internal error"
            ));
            print_help(BUG);
            ExitCode::from(FAILED)
        }
    }
}

/// Prints why a request has no answer, and returns the exit code.
pub(super) fn no_answer(why: &anyhow::Error) -> ExitCode {
    print(why);
    ExitCode::from(NO)
}

/// Prints the place and message of a panic on one line; [`guard`] then prints what it means for the
/// command.
pub(super) fn describe(panic: &PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map(|at| format!(" at {}:{}", at.file(), at.line()))
        .unwrap_or_default();
    to_stderr(&format!(
        "note: internal error{place}: {}",
        plain_message(&message(panic.payload()))
    ));
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns whether the command was interrupted in work that it does again, such as reading files.
fn is_stopped(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        #[cfg(feature = "train")]
        {
            use mineflow_learn::data::DataError;
            use mineflow_tasks::generate::GenerateError;
            let data = cause.downcast_ref();
            let rows = cause.downcast_ref();
            if matches!(data, Some(DataError::Store(StoreError::Stopped)))
                || matches!(rows, Some(GenerateError::Stopped))
            {
                return true;
            }
        }
        matches!(cause.downcast_ref(), Some(StoreError::Stopped))
    })
}

fn print(error: &anyhow::Error) {
    print_message(&error.to_string());
    let mut causes: Vec<_> = error.chain().skip(1).map(ToString::to_string).collect();
    causes.dedup();
    for cause in causes {
        to_stderr(&format!("  because: {}", plain_message(&cause)));
    }
    if let Some(help) = error.chain().find_map(help) {
        print_help(help);
    }
}

fn print_help(help: &str) {
    to_stderr(&format!("{HELP}help:{HELP:#} {help}"));
}

fn print_message(message: &str) {
    to_stderr(&format!(
        "{ERROR}error:{ERROR:#} {}",
        plain_message(message)
    ));
}

/// Prints a usage error and ends the process, as clap does, with control characters escaped.
pub(super) fn exit_as(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let message = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        to_stderr(message.trim_end());
        exit(error.exit_code());
    }
    print_message(message.trim_end().trim_start_matches("error: "));
    exit(error.exit_code());
}

fn help(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return error.help();
    }
    if let Some(fault) = error.downcast_ref::<SheetFault>() {
        return fault.help();
    }
    // Only starting a thread fails with this kind of error: files are read and written in blocking
    // mode.
    if error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    {
        return Some(FEWER_THREADS);
    }
    #[cfg(feature = "train")]
    if let Some(help) = help_with_data(error) {
        return Some(help);
    }
    if let Some(error) = error.downcast_ref::<RegistryError>() {
        return Some(error.help());
    }
    if let Some(error) = error.downcast_ref::<ArtifactError>() {
        return Some(error.help());
    }
    match error.downcast_ref::<ArenaError>()? {
        ArenaError::Player {
            fault: Fault::Program(_),
            ..
        } => Some("with --out, the folder has what the program wrote to stderr, in `programs.log`"),
        ArenaError::Player { .. } => Some(BUG),
        ArenaError::Store(error) => error.help(),
        ArenaError::Threads(_) => None,
    }
}

#[cfg(feature = "train")]
fn help_with_data(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    use mineflow_learn::{
        data::DataError,
        train::{RowsError, TrainError},
    };
    use mineflow_tasks::generate::{GenerateError, PlayFault};

    if let Some(error) = error.downcast_ref::<DataError>() {
        return error.help();
    }
    if let Some(error) = error.downcast_ref::<TrainError>() {
        return error.help();
    }
    if let Some(error) = error.downcast_ref::<RowsError>() {
        return error.help();
    }
    match error.downcast_ref::<GenerateError>()? {
        GenerateError::Data(error) => error.help(),
        GenerateError::NoWeights(_)
        | GenerateError::Player {
            fault: PlayFault::NoPosition,
            ..
        } => Some("name a player with a source of probabilities; `pipeline players` lists them"),
        GenerateError::Player { .. } => Some(BUG),
        GenerateError::NoGuess(_) => Some(
            "name larger --boards or another --player or --kind, or give --games instead of --rows",
        ),
        GenerateError::TooFewRows { .. } => Some(
            "name larger --boards or another --player or --kind, or give --games instead of --rows; the rows so far stay, so give another --out too",
        ),
        GenerateError::Threads(_) | GenerateError::Stopped => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_give_two_and_closed_pipes_nothing() {
        assert_eq!(guard(|| Ok(ExitCode::from(1))), ExitCode::from(1));
        assert_eq!(guard(|| anyhow::bail!("no")), ExitCode::from(2));
        assert_eq!(guard(|| panic!("a panic of this test")), ExitCode::from(2));
        assert_eq!(
            guard(|| Err(io::Error::from(io::ErrorKind::BrokenPipe).into())),
            ExitCode::SUCCESS
        );
    }
}
