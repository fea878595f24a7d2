//! How far a series of games is, for people, on stderr.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::{grouped, percent, to_stderr};
use crate::arena::Progress;

/// When the first plain line comes.
const FIRST_LINE: Duration = Duration::from_millis(500);
/// Time between two plain lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The bar that is shown, for those who write beside it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `write` with the bar out of the way, and draws it again below what was written.
pub(super) fn above_bar(write: impl FnOnce()) {
    let bar = shown_bar().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// A short bar, and as much of the message as fits on the line.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:20} {wide_msg}").expect("the template is well-formed")
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum ProgressMode {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Auto,
    /// A bar, where there is a terminal
    Bar,
    /// A line within the first second, then every ten seconds
    Plain,
    /// Nothing
    None,
}

enum Shown {
    Bar(ProgressBar),
    Lines { next: Duration },
    Nothing,
}

/// Shows the progress of one series.
pub(super) struct Meter {
    started: Instant,
    shown: Shown,
}

impl Meter {
    pub(super) fn new(mode: ProgressMode, quiet: bool) -> Self {
        let bar = match mode {
            _ if quiet => None,
            ProgressMode::None => None,
            ProgressMode::Auto => Some(std::io::stderr().is_terminal()),
            ProgressMode::Bar => Some(true),
            ProgressMode::Plain => Some(false),
        };
        let shown = match bar {
            Some(true) => {
                let bar = ProgressBar::new(0).with_style(style());
                *shown_bar() = Some(bar.clone());
                Shown::Bar(bar)
            }
            Some(false) => Shown::Lines { next: FIRST_LINE },
            None => Shown::Nothing,
        };
        Self { started: Instant::now(), shown }
    }

    /// Shows how far it is, if it is time to.
    pub(super) fn show(&mut self, progress: Progress) {
        self.show_as(progress.played, progress.planned, |elapsed| in_words(progress, elapsed));
    }

    /// The same for anything that is `done` of `planned`; `in_words` is told the time since the start.
    pub(super) fn show_as(&mut self, done: u64, planned: u64, in_words: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        match &mut self.shown {
            Shown::Bar(bar) => {
                bar.set_length(planned);
                bar.set_position(done);
                bar.set_message(in_words(elapsed));
            }
            Shown::Lines { next } if elapsed >= *next => {
                *next = elapsed + BETWEEN_LINES;
                to_stderr(&in_words(elapsed));
            }
            Shown::Lines { .. } | Shown::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            *shown_bar() = None;
            bar.finish_and_clear();
        }
    }
}

/// Games, rate, win ratio so far and time left. Rate and time left count what was played since the start alone.
fn in_words(progress: Progress, elapsed: Duration) -> String {
    let Progress { before, played, planned, won } = progress;
    let mut text = format!("{} of {} games", grouped(played), grouped(planned));
    if played > 0 {
        text += &format!(", {} % won", percent(won as f64 / played as f64));
    }
    text + &pace("games", played - before, planned - played, elapsed)
}

/// Rate and time left, where something was done since the start: `, 100 games/s, 1 min 0 s left`.
pub(super) fn pace(things: &str, done: u64, to_do: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    if rate <= 0.0 {
        return String::new();
    }
    let left = Duration::from_secs_f64((to_do as f64 / rate).min(1e9));
    let rate = if rate < 10.0 { format!("{rate:.2}") } else { grouped(rate as u64) };
    format!(", {rate} {things}/s, {} left", humane(left))
}

/// A duration in its two largest units.
fn humane(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal of 30 columns that keeps what it is told.
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
        assert!(drawn.iter().all(|text| text.chars().count() <= 30), "{drawn:?}");

        *shown_bar() = Some(bar);
        terminal.0.lock().unwrap().clear();
        above_bar(|| terminal.keep("a note").unwrap());
        *shown_bar() = None;
        let told = terminal.0.lock().unwrap().clone();
        let place = |what: &str| told.iter().position(|text| text.contains(what)).unwrap_or_else(|| panic!("{told:?}"));
        assert!(place("cleared") < place("a note") && place("a note") < place("1,000"), "{told:?}");
    }

    #[test]
    fn progress_tells_games_rate_win_ratio_and_time_left() {
        let progress = Progress { before: 1000, played: 3000, planned: 9000, won: 2700 };
        let words = in_words(progress, Duration::from_secs(20));
        assert_eq!(words, "3,000 of 9,000 games, 90.00 % won, 100 games/s, 1 min 0 s left");
        let nothing_yet = Progress { before: 0, played: 0, planned: 5, won: 0 };
        assert_eq!(in_words(nothing_yet, Duration::from_secs(1)), "0 of 5 games");
    }
}
