//! The terminal game in a real terminal: tmux, which not every machine has. With it:
//! `cargo test --release -- --ignored play_terminal`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{PIPELINE, assert_golden, command, tempdir};

/// A tmux server of its own with one window of 80 x 24.
struct Tmux(String);

impl Tmux {
    /// Starts a shell command in the window.
    fn start(name: &str, shell: &str) -> Self {
        let tmux = Self(format!("mineflow-{name}-{}", std::process::id()));
        let started = Command::new("tmux")
            .args(["-L", &tmux.0, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", shell])
            .env_remove("NO_COLOR")
            .status();
        assert!(started.expect("tmux is installed").success(), "tmux starts");
        tmux
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.0]).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// The screen once `text` is on it.
    fn wait_for(&self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "no `{text}` within 20 seconds:\n{screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

/// The screen without what the clock shows.
fn timeless(screen: &str) -> String {
    let (before, after) = screen.split_once("time ").unwrap();
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    format!("{before}time -{after}")
}

/// The game in a folder, its process noted in the file `pid`; then its exit code and whether the terminal is as it was.
fn shell(folder: &Path, arguments: &str) -> String {
    format!(
        "cd {}; stty -g > before; sh -c 'echo $$ > pid; exec {PIPELINE} play {arguments}'; echo \"exit $?\"; \
         stty -g | cmp - before && echo restored; sleep 60",
        folder.display()
    )
}

#[test]
#[ignore = "needs tmux"]
fn the_game_is_played_by_keys_and_mouse_in_a_real_terminal() {
    let folder = tempdir();
    let tmux = Tmux::start("keys", &shell(folder.path(), "expert"));
    tmux.wait_for("seed 1 game 0");
    // Row 0, column 0 as the mouse tells it: columns and lines counted from 1.
    tmux.keys(&["-l", "\x1b[<0;12;4M"]);
    tmux.wait_for("(0, 0)");
    tmux.keys(&["h"]);
    tmux.wait_for("7.0 opens");
    tmux.keys(&["a"]);
    let screen = tmux.wait_for("7.0 opened");
    assert_golden("play-tmux-hints", &timeless(&screen));
    tmux.keys(&["-l", "\x1b[<2;70;19M"]);
    tmux.wait_for("mines 98");
    tmux.keys(&["A"]);
    let end = tmux.wait_for("r same again");
    assert_golden("play-tmux-end", &timeless(&end));
    tmux.keys(&["s"]);
    tmux.wait_for("save to");
    tmux.keys(&["Enter"]);
    tmux.wait_for("saved game.txt");
    tmux.keys(&["n", "l"]);
    tmux.wait_for("load:");
    tmux.keys(&["game.txt", "Enter"]);
    assert_eq!(
        timeless(&tmux.wait_for("loaded game.txt")).lines().skip(1).take(18).collect::<Vec<_>>(),
        timeless(&end).lines().skip(1).take(18).collect::<Vec<_>>()
    );
    tmux.keys(&["q"]);
    let after = tmux.wait_for("restored");
    assert!(after.contains("exit 0"), "{after}");
}

#[test]
#[ignore = "needs tmux"]
fn the_terminal_comes_back_after_ctrl_c_and_signals() {
    for (name, stop) in [("ctrl-c", ""), ("int", "-INT"), ("term", "-TERM"), ("hup", "-HUP")] {
        let folder = tempdir();
        let tmux = Tmux::start(name, &shell(folder.path(), "beginner"));
        tmux.wait_for("seed 1 game 0");
        if stop.is_empty() {
            tmux.keys(&["C-c"]);
        } else {
            let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
            Command::new("kill").args([stop, pid.trim()]).status().unwrap();
        }
        let after = tmux.wait_for("restored");
        assert!(after.contains("exit 130") && !after.contains("seed 1 game 0"), "{name}: {after}");
    }
}

#[test]
#[ignore = "needs tmux"]
fn the_game_ends_when_its_terminal_is_gone() {
    let folder = tempdir();
    let tmux = Tmux::start("gone", &format!("trap '' HUP; {}", shell(folder.path(), "beginner")));
    tmux.wait_for("seed 1 game 0");
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    drop(tmux);
    let began = Instant::now();
    while Command::new("kill").args(["-0", pid.trim()]).output().unwrap().status.success() {
        assert!(began.elapsed() < Duration::from_secs(10), "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs tmux"]
fn no_color_and_color_never_leave_no_colour() {
    for (name, shell, colored) in [
        ("auto", format!("{PIPELINE} play"), true),
        ("no-color", format!("NO_COLOR=1 {PIPELINE} play"), false),
        ("never", format!("{PIPELINE} play --color never"), false),
        ("always", format!("NO_COLOR=1 {PIPELINE} play --color always"), true),
    ] {
        let tmux = Tmux::start(name, &shell);
        tmux.wait_for("seed 1 game 0");
        tmux.keys(&["h"]);
        tmux.wait_for("7.0 opens");
        let styled = tmux.run(&["capture-pane", "-p", "-e"]);
        assert_eq!(styled.contains("\x1b["), colored, "{name}: {styled:?}");
    }
}

#[test]
fn without_a_terminal_there_is_an_error() {
    let output = command("play").stdin(std::process::Stdio::null()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("play needs a terminal") && message.contains("standard input is none"), "{message}");
    assert!(output.stdout.is_empty());
}
