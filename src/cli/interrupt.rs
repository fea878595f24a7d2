//! Ctrl-C and termination: the first asks to stop, the second stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context;

use super::output::note;

/// The exit code of an interrupted command: 128 and the number of SIGINT.
pub(super) const INTERRUPTED: u8 = 130;

/// How long a command has to end by itself.
const GRACE: Duration = Duration::from_millis(200);

static STOP: AtomicBool = AtomicBool::new(false);

/// What is kept of work whose single steps may take long, while there is such work.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Until this is called with `None`, an interruption ends the process after [`GRACE`] and says what is kept.
pub(super) fn may_leave(kept: Option<&str>) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = kept.map(str::to_owned);
}

/// From now on the first interruption sets the flag that this gives, and a second one ends the process.
pub(super) fn listen() -> anyhow::Result<&'static AtomicBool> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let at_first = move || {
        if kept().is_none() {
            note("note: stopping after the current games; interrupt again to stop at once");
            return;
        }
        std::thread::sleep(GRACE);
        if let Some(kept) = kept() {
            note(&format!("interrupted: {kept}"));
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    set(at_first, || {})
}

/// The same without a word; `at_the_end` is called before a second interruption ends the process.
pub(super) fn listen_and(at_the_end: fn()) -> anyhow::Result<&'static AtomicBool> {
    set(|| {}, at_the_end)
}

/// From now on an interruption sets the flag and, unless the command ends by itself meanwhile, calls `farewell` after
/// [`GRACE`] and ends the process. For commands that keep what they did as they go, and whose single steps may take long.
pub(super) fn leave_soon(farewell: impl Fn() + Send + 'static) -> anyhow::Result<&'static AtomicBool> {
    set(
        move || {
            std::thread::sleep(GRACE);
            farewell();
            std::process::exit(i32::from(INTERRUPTED));
        },
        || {},
    )
}

fn set(at_first: impl Fn() + Send + 'static, at_the_end: fn()) -> anyhow::Result<&'static AtomicBool> {
    static LISTENING: OnceLock<()> = OnceLock::new();
    if LISTENING.set(()).is_err() {
        return Ok(&STOP);
    }
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            at_the_end();
            std::process::exit(i32::from(INTERRUPTED));
        }
        at_first();
    })
    .context("can't listen for interruptions")?;
    Ok(&STOP)
}

/// Makes a write beyond the largest size that a file may have (`ulimit -f`) an error, where the signal of it would end the process.
#[cfg(unix)]
pub(super) fn outlive_full_files() {
    // Without the flag being read: that there is a handler is enough.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::new(AtomicBool::new(false)));
}
