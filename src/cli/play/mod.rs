//! `pipeline play`: Minesweeper in the terminal, with players that give advice.

mod board;
mod help;
mod keys;
mod look;
mod screen;
mod terminal;

use std::fs;
use std::io::{self, IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, bail, ensure};
use clap::Args;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::style;

use super::examples::examples;
use super::interrupt::{self, INTERRUPTED};
use super::{EXIT_CODES, Global, failure};
use keys::Asked;
pub use look::Look;
use mineflow_minesweeper::play::{Effect, Existing, Settings, Table, Written};
use mineflow_minesweeper::player::{ValueModel, versions};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_model::Registry;
use mineflow_stage::ModelArgs;
pub use screen::Screen;
use terminal::Taken;

/// Default of `--node-limit`.
const NODE_LIMIT: u64 = 1_000_000;
/// Time to wait for a key before checking the clock and signals.
const TICK: Duration = Duration::from_millis(100);
/// The longest file that is read, several times the size of the largest board.
const LONGEST_FILE: u64 = 1 << 20;

/// Play Minesweeper in the terminal; h shows the mine probabilities and what a player would do
///
/// Keys and mouse; ? lists them. Needs a terminal of 80x24 for 30x16; larger boards scroll.
#[derive(Args)]
#[command(after_help = examples(
    &[
        "play",
        "play expert --first-click opening --player 10.0",
        "play --load game.mbf",
    ],
    EXIT_CODES,
))]
pub(super) struct PlayArgs {
    /// The board: beginner, intermediate, expert, or WIDTHxHEIGHT/MINES
    #[arg(default_value = "beginner", conflicts_with = "load")]
    board: Board,
    /// First click rule: safe, opening or any
    #[arg(long, value_name = "RULE", default_value_t)]
    first_click: FirstClick,
    /// Number of the first game; its mines are those of the same game of eval with the same seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    game: u64,
    /// Load a game: an .mbf board file, a saved game, or a .mine position
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// The player to ask, by name or recipe
    #[arg(long, value_name = "PLAYER", default_value = "7.0")]
    player: String,
    #[command(flatten)]
    models: ModelArgs,
    /// Stop an answer of a player or a count of layouts after this many nodes
    #[arg(long, value_name = "N", default_value_t = NODE_LIMIT)]
    node_limit: u64,
}

pub(super) fn run(args: &PlayArgs, global: &Global) -> anyhow::Result<ExitCode> {
    ensure!(
        stdin().is_terminal() && stdout().is_terminal(),
        "play needs a terminal for keys and screen, and standard {} is none; \
         for a position in a file there is `pipeline solve`",
        if stdin().is_terminal() { "output" } else { "input" }
    );
    let mut line_up: Vec<String> = versions().iter().map(|version| version.name.to_owned()).collect();
    if !line_up.contains(&args.player) {
        line_up.insert(0, args.player.clone());
    }
    args.models.check(&line_up)?;
    let mut table = Table::new(Settings {
        board: args.board,
        first_click: args.first_click,
        seed: global.seed,
        game: args.game,
        line_up,
        player: args.models.player(&args.player)?,
        node_limit: args.node_limit,
        value_model: |board, rule| ValueModel::registered(&Registry::open(None).ok()?, board, rule).ok(),
    });
    if let Some(path) = &args.load {
        let bytes = read(path)?;
        table.load(path, &bytes).with_context(|| format!("can't load {}", path.display()))?;
    }
    play(&mut table, &args.models, look())
}

/// Colours, unless the options, NO_COLOR or the terminal turn them off.
fn look() -> Look {
    if AutoStream::choice(&stdout()) == ColorChoice::Never {
        return Look::Plain;
    }
    style::force_color_output(true);
    Look::Colored
}

/// Plays until the user quits.
fn play(table: &mut Table, models: &ModelArgs, look: Look) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen_and(terminal::give_back)?;
    std::panic::set_hook(Box::new(|panic| {
        terminal::give_back();
        failure::describe(panic);
    }));
    let mut terminal = Taken::new()?;
    let signals = Signals { events: events(), stop };
    let mut screen = Screen::new(look);
    let began = Instant::now();
    loop {
        table.step(began.elapsed());
        terminal.0.draw(|frame| screen.draw(frame, table, began.elapsed())).context("can't write to the terminal")?;
        let Some(asked) = wait(table, &screen, began, &signals)? else { continue };
        match asked {
            Asked::Redraw => {}
            Asked::Scroll { down, right } => screen.scroll(down, right),
            Asked::Interrupt => return Ok(ExitCode::from(INTERRUPTED)),
            Asked::Command(command) => {
                let effect = table.handle(command, began.elapsed());
                if effect == Effect::Quit {
                    return Ok(ExitCode::SUCCESS);
                }
                carry_out(effect, table, models);
            }
        }
    }
}

/// The next request; `None` if the screen must be drawn for another reason.
fn wait(
    table: &Table,
    screen: &Screen,
    began: Instant,
    Signals { events, stop }: &Signals,
) -> anyhow::Result<Option<Asked>> {
    let cell_at = |at| screen.cell_at(table.view().board(), at);
    let second = table.time(began.elapsed()).as_secs();
    let tick = if table.goes_on() { Duration::ZERO } else { TICK };
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(Some(Asked::Interrupt));
        }
        match events.recv_timeout(tick) {
            Ok(event) => {
                let event = event.context("can't read from the terminal")?;
                if let Some(asked) = keys::asked(&event, table.mode(), cell_at) {
                    return Ok(Some(asked));
                }
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the terminal gives no more keys"),
            Err(RecvTimeoutError::Timeout) if !stdin().is_terminal() => bail!("the terminal is gone"),
            Err(RecvTimeoutError::Timeout) => {
                if table.goes_on() || table.time(began.elapsed()).as_secs() != second {
                    return Ok(None);
                }
            }
        }
    }
}

/// Events from outside.
struct Signals {
    events: Receiver<io::Result<Event>>,
    stop: &'static AtomicBool,
}

/// The terminal's events, read by a thread of their own: crossterm never returns if the terminal is gone.
fn events() -> Receiver<io::Result<Event>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        loop {
            let event = event::read();
            let is_last = event.is_err();
            if sender.send(event).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

/// Does what the table asks of its surroundings, and reports the result to it.
fn carry_out(effect: Effect, table: &mut Table, models: &ModelArgs) {
    match effect {
        Effect::Nothing | Effect::Quit => {}
        Effect::Find(name) => table.seat(models.player(&name).map_err(|why| format!("{why:#}"))),
        Effect::Read(path) => match read(&path) {
            Ok(bytes) => {
                if let Err(why) = table.load(&path, &bytes) {
                    table.not_loaded(&why.to_string());
                }
            }
            Err(why) => table.not_loaded(&format!("{why:#}")),
        },
        Effect::Write { path, bytes, existing } => {
            let written = if existing == Existing::Keep && path.exists() {
                Written::Exists
            } else {
                mineflow_store::write(&path, &bytes)
                    .map_or_else(|why| Written::Failed(why.to_string()), |()| Written::Done)
            };
            table.saved(path, bytes, written);
        }
    }
}

/// Reads a file that may hold a game.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let about = || format!("can't read {}", path.display());
    let metadata = fs::metadata(path).with_context(about)?;
    if !metadata.is_file() || metadata.len() > LONGEST_FILE {
        bail!("{} is not a file with a board: {} bytes at most", path.display(), LONGEST_FILE);
    }
    fs::read(path).with_context(about)
}
