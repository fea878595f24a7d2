//! Progress of long work on stderr.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::{note, shown_bar, to_stderr};
use super::pace::MeterState;
use super::{Global, interrupt};
use mineflow_arena::numbers::grouped;
use mineflow_arena::plain_message;
use mineflow_tasks::{Observer, Progress};

/// Delay before the bar or the first plain line.
const FIRST: Duration = Duration::from_millis(500);
/// Interval of plain lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
const BETWEEN_REDRAWS: Duration = Duration::from_millis(100);

impl Observer for Meter {
    fn progress(&self, progress: Progress<'_>) {
        self.tell(progress);
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
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
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
    pub(super) fn new(global: &Global) -> Self {
        Self::labelled(global, "")
    }

    /// Creates a meter with a label before every text.
    pub(super) fn labelled(global: &Global, label: &str) -> Self {
        let bar = match global.progress {
            _ if global.quiet => None,
            ProgressMode::None => None,
            ProgressMode::Auto => Some(std::io::stderr().is_terminal()),
            ProgressMode::Bar => Some(true),
            ProgressMode::Plain => Some(false),
        };
        let shown = bar.map(|bar| {
            if bar {
                Shown::Bar(ProgressBar::new(0).with_style(style()))
            } else {
                Shown::Lines
            }
        });
        if let Some(Shown::Bar(bar)) = &shown {
            *shown_bar() = Some(bar.clone());
        }
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
    pub(super) fn say(&self, done: u64, planned: u64, text: &str) {
        self.tell(Progress {
            done,
            planned,
            things: None,
            text,
        });
    }

    /// Sets the count, `done` of `planned` things. Rate and remaining time are measured from the first call.
    pub(super) fn count(&self, things: &'static str, done: u64, planned: u64) {
        self.tell(Progress {
            done,
            planned,
            things: Some(things),
            text: "",
        });
    }

    fn tell(
        &self,
        Progress {
            done,
            planned,
            things,
            text,
        }: Progress<'_>,
    ) {
        let mut state = lock(&self.state);
        (state.done, state.planned) = (done, planned);
        match things {
            Some(things) => {
                state.text = format!("{} of {} {things}{text}", grouped(done), grouped(planned));
                state.counted = Some((things, state.counted.map_or(done, |(_, before)| before)));
            }
            None => (state.text, state.counted) = (text.to_owned(), None),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(self) {}
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
            let (text, done, planned) = {
                let state = lock(state);
                (
                    state.in_words(state.began.elapsed()),
                    state.done,
                    state.planned,
                )
            };
            wait = match self {
                Self::Bar(bar) => {
                    bar.set_length(planned);
                    bar.set_position(done);
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::AtomicBool;

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;
    use crate::output::above_bar;
    use mineflow_arena::Part;
    use mineflow_tasks::Context;

    /// A terminal of 30 columns that records what is written to it.
    #[derive(Clone, Debug, Default)]
    struct Narrow(Arc<Mutex<Vec<String>>>);

    impl Narrow {
        fn keep(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push(text.to_owned());
            Ok(())
        }
    }

    impl TermLike for Narrow {
        fn width(&self) -> u16 {
            30
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.keep(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.keep(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            self.keep("cleared")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_fits_its_terminal_and_is_taken_away_for_a_note() {
        let terminal = Narrow::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = ProgressBar::with_draw_target(Some(9), target).with_style(style());
        bar.set_message("1,000 of 90,000 games, 12.34 % won, 99 games/s, 10 s left");
        bar.tick();
        let drawn = terminal.0.lock().unwrap().clone();
        assert!(drawn.iter().any(|text| text.contains("1,000")), "{drawn:?}");
        assert!(
            drawn.iter().all(|text| text.chars().count() <= 30),
            "{drawn:?}"
        );

        *shown_bar() = Some(bar);
        terminal.0.lock().unwrap().clear();
        above_bar(|| terminal.keep("a note").unwrap());
        *shown_bar() = None;
        let shown = terminal.0.lock().unwrap().clone();
        let place = |what: &str| {
            shown
                .iter()
                .position(|text| text.contains(what))
                .unwrap_or_else(|| panic!("{shown:?}"))
        };
        assert!(
            place("cleared") < place("a note") && place("a note") < place("1,000"),
            "{shown:?}"
        );
    }

    #[test]
    fn progress_tells_games_rate_win_ratio_and_time_left() {
        let in_words = |meter: &Meter| lock(&meter.state).in_words(Duration::from_secs(20));
        let state = || Arc::new(Mutex::new(MeterState::new("stage 2 of 3, play: ")));
        let silent = || Meter {
            state: state(),
            ticker: None,
            shown: None,
            verbose: false,
        };
        let stop = AtomicBool::new(false);
        let (part, memory) = (Part::WHOLE, u64::MAX);
        let games = |observer: &Meter, [before, played, planned, won]: [u64; 4], who: &str| {
            let progress = mineflow_arena::GamesProgress {
                before,
                played,
                planned,
                won,
                latest: None,
                finished: None,
            };
            Context {
                out: None,
                seed: 1,
                part,
                threads: 1,
                memory,
                stop: &stop,
                observer,
            }
            .games(progress, who);
        };
        let meter = silent();
        games(&meter, [1000, 1000, 9000, 900], "");
        assert_eq!(
            in_words(&meter),
            "stage 2 of 3, play: 1,000 of 9,000 games, 90.00 % won"
        );
        games(&meter, [1000, 3000, 9000, 2700], "11.0 on 9x9/10");
        assert_eq!(
            in_words(&meter),
            "stage 2 of 3, play: 3,000 of 9,000 games, 11.0 on 9x9/10, 90.00 % won, 100 games/s, 1 min 0 s left"
        );
        let meter = silent();
        games(&meter, [0, 0, 5, 0], "");
        assert_eq!(in_words(&meter), "stage 2 of 3, play: 0 of 5 games");
    }

    #[test]
    fn how_far_it_is_goes_on_being_shown_while_nothing_is_told() {
        let terminal = Narrow::default();
        let bar = ProgressBar::with_draw_target(
            None,
            ProgressDrawTarget::term_like(Box::new(terminal.clone())),
        );
        let state = MeterState {
            text: "7 of 9 games".to_owned(),
            done: 7,
            planned: 9,
            ..MeterState::new("")
        };
        let state = Mutex::new(state);
        let (sender, ended) = mpsc::channel();
        std::thread::scope(|scope| {
            let state = &state;
            scope.spawn(move || Shown::Bar(bar.with_style(style())).keep_showing(state, &ended));
            while !terminal
                .0
                .lock()
                .unwrap()
                .iter()
                .any(|text| text.contains("7 of 9"))
            {
                std::thread::yield_now();
            }
            drop(sender);
        });
    }
}
