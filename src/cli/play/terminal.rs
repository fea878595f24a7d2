//! Takes the terminal for the game and restores it afterwards, also after an error, a panic or a signal.

use std::io::{self, Stdout, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

/// Whether the game has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal; restored when dropped.
pub(super) struct Taken(pub(super) Terminal<CrosstermBackend<Stdout>>);

impl Taken {
    /// Takes the terminal: raw keys, mouse events, and the alternate screen.
    pub(super) fn new() -> anyhow::Result<Self> {
        TAKEN.store(true, Ordering::SeqCst);
        // From here on, a failure restores the terminal.
        let taken = enable_raw_mode()
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, EnableMouseCapture))
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        taken.map(Self).inspect_err(|_| give_back()).context("can't take the terminal")
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal if the game has it. May be called at any time from any thread.
pub(super) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // If the terminal is gone, an error can't be shown.
        let _: io::Result<()> = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
