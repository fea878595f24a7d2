//! Progress of long work on stderr.

use std::{
    io::IsTerminal,
    sync::{
        Arc, Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread::JoinHandle,
    time::Duration,
};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Global, interrupt,
    output::{note, shown_bar, to_stderr},
    pace::MeterState,
};
use mineflow_arena::{numbers::grouped, plain_message};
use mineflow_store::lock;
use mineflow_tasks::{Observer, Progress};

/// Delay before the bar or the first plain line.
const FIRST: Duration = Duration::from_millis(500);
/// Interval of plain lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
const BETWEEN_REDRAWS: Duration = Duration::from_millis(100);

impl Observer for Meter {
    fn progress(&self, progress: Progress<'_>) {
        let mut state = lock(&self.state);
        state.done = progress.done;
        state.planned = progress.planned;
        state.text = progress.text.to_owned();
        state.counted = progress.things.map(|things| {
            let before = state.counted.map_or(progress.done, |(_, before)| before);
            (things, before)
        });
        if let Some(things) = progress.things {
            state.text = format!(
                "{} of {} {things}{}",
                grouped(progress.done),
                grouped(progress.planned),
                progress.text
            );
        }
    }

    fn line(&self, text: &str) {
        if self.shown.is_some() {
            to_stderr(&plain_message(text));
        }
    }

    fn note(&self, text: &str) {
        note(text);
    }

    fn detail(&self, text: &str) {
        if self.verbose {
            note(text);
        }
    }

    fn allow_exit(&self, kept: Option<&str>) {
        interrupt::allow_exit(kept);
    }
}

/// Returns the style of a short bar, followed by as much of the message as fits.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:20} {wide_msg}").expect("the template is well-formed")
}

/// How progress is shown.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum ProgressMode {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Auto,
    /// A bar, even if stderr is not a terminal
    Bar,
    /// A line within the first second, then every ten seconds
    Plain,
    /// No progress
    None,
}

#[derive(Clone)]
enum Shown {
    Bar(ProgressBar),
    Lines,
}

/// Shows progress until it is dropped. The elapsed time advances even without reports.
pub(super) struct Meter {
    state: Arc<Mutex<MeterState>>,
    /// The display thread, which ends when its sender is dropped.
    ticker: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
    shown: Option<Shown>,
    /// Whether details are shown.
    verbose: bool,
}

impl Meter {
    pub fn new(global: &Global) -> Self {
        Self::labelled(global, "")
    }

    /// Creates a meter with a label before every text.
    pub fn labelled(global: &Global, label: &str) -> Self {
        let shown = match global.progress {
            _ if global.quiet => None,
            ProgressMode::None => None,
            ProgressMode::Plain => Some(Shown::Lines),
            ProgressMode::Auto if !std::io::stderr().is_terminal() => Some(Shown::Lines),
            ProgressMode::Auto | ProgressMode::Bar => {
                let bar = ProgressBar::new(0).with_style(style());
                *shown_bar() = Some(bar.clone());
                Some(Shown::Bar(bar))
            }
        };
        let state = Arc::new(Mutex::new(MeterState::new(label)));
        let ticker = shown.clone().and_then(|shown| {
            let (sender, ended) = mpsc::channel();
            let state = Arc::clone(&state);
            // If no thread can be started, the work continues without a progress display.
            let thread =
                std::thread::Builder::new().spawn(move || shown.keep_showing(&state, &ended));
            Some((sender, thread.ok()?))
        });
        Self {
            state,
            ticker,
            shown,
            verbose: global.verbose,
        }
    }

    /// Sets the text and the length of the bar, `done` of `planned`.
    pub fn say(&self, done: u64, planned: u64, text: &str) {
        self.progress(Progress {
            done,
            planned,
            things: None,
            text,
        });
    }

    /// Sets the count, `done` of `planned` things. Rate and remaining time are measured from the
    /// first call.
    pub fn count(&self, things: &'static str, done: u64, planned: u64) {
        self.progress(Progress {
            done,
            planned,
            things: Some(things),
            text: "",
        });
    }

    /// Removes the bar.
    pub fn finish(self) {}
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.ticker.take() {
            drop(sender);
            // If the thread panicked, only the display is lost.
            let _ = thread.join();
        }
        if let Some(Shown::Bar(bar)) = &self.shown {
            *shown_bar() = None;
            bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn keep_showing(&self, state: &Mutex<MeterState>, ended: &mpsc::Receiver<()>) {
        let mut wait = FIRST;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            let now = lock(state).clone();
            let text = now.in_words(now.began.elapsed());
            wait = match self {
                Self::Bar(bar) => {
                    bar.set_length(now.planned);
                    bar.set_position(now.done);
                    bar.set_message(text);
                    BETWEEN_REDRAWS
                }
                Self::Lines if text.is_empty() => FIRST,
                Self::Lines => {
                    to_stderr(&text);
                    BETWEEN_LINES
                }
            };
        }
    }
}
