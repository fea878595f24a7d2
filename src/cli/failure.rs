//! Turns errors, panics and closed pipes into messages and exit codes.

use std::hint::black_box;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::process::{ExitCode, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::error::ErrorKind;

use super::interrupt::INTERRUPTED;
use super::output::{note, to_stderr};
use mineflow_arena::ArenaError;
use mineflow_arena::plain_message;
#[cfg(feature = "train")]
use mineflow_learn::data::being_read;
use mineflow_model::{ArtifactError, RegistryError};
use mineflow_store::StoreError;
use mineflow_tasks::ggp_fault::SheetFault;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// The exit code of a command whose answer is no.
pub(super) const NO: u8 = 1;
/// The exit code of an error.
const FAILED: u8 = 2;

/// Advice for the user if a thread can't be started.
const FEWER_THREADS: &str =
    "raise the limit of processes (ulimit -u) or of memory (ulimit -v), or ask for fewer --threads";

/// The memory that must be free after a panic, in bytes. Foreign code panics if it is refused less.
const FREE: usize = 64 << 20;
/// The time for which a thread without memory waits for another one that ends the program.
const GRACE: Duration = Duration::from_secs(2);

const BUG: &str = "this is a bug; please report it with the lines above and the command";

/// Runs a command and turns an error or a panic into a message and exit code 2. A closed stdout is not an error: a reader such as
/// `head` has read all it needs.
pub(super) fn guard(command: impl FnOnce() -> anyhow::Result<ExitCode>) -> ExitCode {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Ok(Err(error)) if is_stopped(&error) => {
            note("interrupted: the same command resumes");
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

/// Prints the place and message of a panic on one line; [`guard`] then prints what it means for the command. If the machine lacks memory
/// or can't start another `threads` threads, this function ends the program with that reason instead, because the panic is not a bug.
pub(super) fn describe(panic: &PanicHookInfo<'_>, threads: usize) {
    // Several threads may panic for the same reason; the first one reports it. The started threads end when all are there.
    static GATE: Mutex<()> = Mutex::new(());
    let _gate = GATE.lock();
    black_box(Vec::<u8>::with_capacity(FREE));
    let payload = panic.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref().map(String::as_str));
    let message = message.unwrap_or("no message");
    let started: io::Result<Vec<_>> = if message.contains("kind: WouldBlock") {
        // A library was refused a thread; by now there may be room for one.
        Err(io::Error::new(
            io::ErrorKind::WouldBlock,
            "the system refused it",
        ))
    } else {
        (0..threads)
            .map(|_| thread::Builder::new().spawn(|| drop(GATE.lock())))
            .collect()
    };
    if let Err(error) = started {
        print(&anyhow::Error::new(error).context("can't start another thread"));
        exit(FAILED.into());
    }
    let place = panic
        .location()
        .map(|at| format!(" at {}:{}", at.file(), at.line()))
        .unwrap_or_default();
    to_stderr(&format!(
        "note: internal error{place}: {}",
        plain_message(message)
    ));
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns whether the command was interrupted while it read files, in which case nothing is lost.
fn is_stopped(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(StoreError::Stopped)) || is_stopped_data(cause)
    })
}

#[cfg(feature = "train")]
fn is_stopped_data(cause: &(dyn std::error::Error + 'static)) -> bool {
    use mineflow_learn::data::DataError;
    matches!(
        cause.downcast_ref(),
        Some(DataError::Store(StoreError::Stopped))
    ) || matches!(
        cause.downcast_ref(),
        Some(mineflow_tasks::generate::GenerateError::Stopped)
    )
}

#[cfg(not(feature = "train"))]
fn is_stopped_data(_: &(dyn std::error::Error + 'static)) -> bool {
    false
}

fn print(error: &anyhow::Error) {
    print_message(&error.to_string());
    let mut causes: Vec<_> = error.chain().skip(1).map(ToString::to_string).collect();
    causes.dedup();
    causes
        .iter()
        .for_each(|cause| to_stderr(&format!("  because: {}", plain_message(cause))));
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

/// Ends the process because the system refused `bytes` of memory.
pub(super) fn exit_without_memory(bytes: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        // Another thread ends the process, or the message below needs memory that is refused too.
        thread::sleep(GRACE);
        let _ = io::stderr().write_all(b"error: not enough memory\n");
        exit(FAILED.into());
    }
    let (message, help) = match being_read().filter(|_| bytes != FREE) {
        Some(file) => (
            format!(
                "{}: not enough memory to read it: {bytes} bytes are needed at once",
                file.display()
            ),
            "the file is damaged or too large for this machine; make it again, or use fewer rows",
        ),
        None => (
            format!("not enough memory: {bytes} more bytes are needed at once"),
            "use fewer rows, threads or games at once; finished work is kept",
        ),
    };
    print_message(&message);
    print_help(help);
    exit(FAILED.into());
}

#[cfg(not(feature = "train"))]
fn being_read() -> Option<std::path::PathBuf> {
    None
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
    // Only starting a thread fails with this kind of error: files are read and written in blocking mode.
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
    #[cfg(feature = "train")]
    if let Some(error) = error.downcast_ref::<mineflow_learn::train::TrainError>() {
        return error.help();
    }
    if let Some(error) = error.downcast_ref::<RegistryError>() {
        return Some(error.help());
    }
    if let Some(error) = error.downcast_ref::<ArtifactError>() {
        return Some(error.help());
    }
    match error.downcast_ref::<ArenaError>()? {
        ArenaError::Player { .. } => Some(BUG),
        ArenaError::Store(error) => error.help(),
        _ => None,
    }
}

#[cfg(feature = "train")]
fn help_with_data(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    use mineflow_learn::data::DataError;
    use mineflow_tasks::generate::{GenerateError, PlayFault};

    if let Some(error) = error.downcast_ref::<DataError>() {
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
