//! Ctrl-C and termination: the first signal asks the command to stop, the second ends the process.

use std::{
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result};

use super::output::note;
use mineflow_minesweeper::player::end_programs;
use mineflow_store::lock;

/// Exit code of an interrupted command: 128 plus the number of SIGINT.
pub(super) const INTERRUPTED: u8 = 130;

/// Time for a command to end by itself.
const GRACE: Duration = Duration::from_millis(200);

static STOP: AtomicBool = AtomicBool::new(false);

/// A description of what is saved if the current work is interrupted; `None` if that work has no
/// long steps.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Lets an interruption end the process after [`GRACE`] with `kept` as a note of what is saved. A
/// call with `None` revokes this.
pub(super) fn allow_exit(kept: Option<&str>) {
    *lock(&KEPT) = kept.map(str::to_owned);
}

/// Listens for interruptions: the first sets the returned flag, the second ends the process.
pub(super) fn listen() -> Result<&'static AtomicBool> {
    let kept = || lock(&KEPT).clone();
    set(move || {
        if kept().is_none() {
            note("note: stopping after the current games; interrupt again to stop at once");
            return;
        }
        std::thread::sleep(GRACE);
        if let Some(kept) = kept() {
            note(&format!("interrupted: {kept}"));
            leave();
        }
    })
}

/// Listens for interruptions as [`listen`] does, but prints no note.
pub(super) fn listen_quietly() -> Result<&'static AtomicBool> {
    set(|| {})
}

/// Listens for interruptions: the first sets the flag and, unless the command ends by itself within
/// [`GRACE`], calls `farewell` and ends the process. This suits commands that save as they go and
/// have long steps.
pub(super) fn leave_soon(farewell: impl Fn() + Send + 'static) -> Result<&'static AtomicBool> {
    set(move || {
        std::thread::sleep(GRACE);
        farewell();
        leave();
    })
}

/// Ends the process, and with it the programs that play.
fn leave() -> ! {
    end_programs();
    std::process::exit(i32::from(INTERRUPTED));
}

fn set(at_first: impl Fn() + Send + 'static) -> Result<&'static AtomicBool> {
    static LISTENING: OnceLock<()> = OnceLock::new();
    if LISTENING.set(()).is_err() {
        return Ok(&STOP);
    }
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            leave();
        }
        at_first();
    })
    .map_err(|error| match error {
        ctrlc::Error::System(error) => anyhow::Error::new(error),
        other => other.into(),
    })
    .context("can't start the thread that listens for interruptions")?;
    Ok(&STOP)
}

/// Makes a write above the file size limit (`ulimit -f`) an error; by default its signal ends the
/// process.
#[cfg(unix)]
pub(super) fn report_full_files() {
    // SAFETY: no handler is installed, the signal is ignored; nothing else in this program listens
    // for it.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
