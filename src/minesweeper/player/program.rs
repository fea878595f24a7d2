//! Programs as players: any program that speaks the text protocol of `docs/src/benchmark.md`.

use std::fmt::Write as _;
use std::mem::take;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::child::Child;
use super::decision::{Decision, GameStart, NoMove, Player, Reason};
use super::weights::Weights;
use crate::solver::Budget;
use crate::{Board, Cell, FirstClick, View};

/// The text before the command of a program where a player is named.
pub const EXEC: &str = "exec:";
/// The first line that a program receives.
pub const GREETING: &str = "mineflow 1";
/// The CPU time for the name; a virtual machine on a busy machine starts in seconds.
const START: Duration = Duration::from_secs(20);
/// After this many games in a row that were lost by a fault, the program is broken.
const MOST_FAULTS: u32 = 10;
/// The maximum number of games that a program may play at once.
const MOST_AT_ONCE: usize = 64;

/// A program that plays. The settings of `exec:FILE.toml` are read into it.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The command, which `sh` reads.
    pub command: String,
    /// The name of the player, if it differs from the name that the program gives.
    pub name: String,
    /// The working folder.
    pub folder: PathBuf,
    /// The maximum number of processes.
    pub processes: usize,
    /// The CPU time of a move, in seconds.
    pub time: f64,
    /// The player as it is typed, without [`EXEC`].
    #[serde(skip)]
    pub text: String,
    /// The SHA-256 hash of the program's files.
    #[serde(skip)]
    pub sha256: String,
    /// The file to which stderr is appended, once it is set.
    #[serde(skip)]
    pub log: OnceLock<PathBuf>,
    /// Whether the program announced that it gives mine probabilities.
    #[serde(skip)]
    pub gives_probabilities: bool,
    /// The number of games that the program plays at once; above 1, lines have numbers.
    #[serde(skip)]
    at_once: usize,
    /// The number of games lost by faults, and the first reason.
    #[serde(skip)]
    faults: Mutex<(u64, String)>,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            command: String::new(),
            name: String::new(),
            folder: ".".into(),
            processes: usize::MAX,
            time: 10.0,
            text: String::new(),
            sha256: String::new(),
            log: OnceLock::new(),
            gives_probabilities: false,
            at_once: 1,
            faults: Mutex::default(),
        }
    }
}

/// Programs are equal if they are typed equally and have equal files.
impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.sha256) == (&other.text, &other.sha256)
    }
}

impl Program {
    /// Starts the program once and reads what it announces.
    ///
    /// # Errors
    /// Returns the reason if the program can't be started or doesn't give its name.
    pub fn meet(&mut self) -> Result<(), String> {
        let (_child, name, at_once, gives_probabilities) = self.start()?;
        if self.name.is_empty() {
            self.name = name;
        }
        self.at_once = at_once;
        self.gives_probabilities = gives_probabilities;
        Ok(())
    }

    /// Starts a process. Returns it with its name, the number of games that it plays at once, and
    /// whether it gives probabilities.
    fn start(&self) -> Result<(Child, String, usize, bool), String> {
        let mut child = Child::start(self)?;
        child.send(&format!("{GREETING}\n"))?;
        let (mut at_once, mut gives_probabilities) = (1, false);
        loop {
            let line = child.line(START);
            let line = line.map_err(|why| format!("{why} before it wrote `name NAME`"))?;
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let games = rest
                .parse()
                .ok()
                .filter(|games| (1..=MOST_AT_ONCE).contains(games));
            match (word, games) {
                ("name", _) if !rest.is_empty() => {
                    return Ok((child, rest.to_owned(), at_once, gives_probabilities));
                }
                ("batch", Some(games)) => at_once = games,
                ("p", _) => gives_probabilities = true,
                ("flags", _) => {}
                _ => {
                    return Err(format!(
                        "it wrote {line:?}, and not `batch N` (N up to {MOST_AT_ONCE}), `p`, `flags` or `name NAME`"
                    ));
                }
            }
        }
    }

    /// Returns the number of games lost by faults of the program, and the first reason.
    pub fn faults(&self) -> (u64, String) {
        locked(&self.faults).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The connection to a process, which plays the games of one player or of several at once.
struct Pipe {
    program: Arc<Program>,
    /// The process, or why there is none.
    child: Result<Child, String>,
    /// The number of faults since the last game without one.
    faults: u32,
    board: Option<(Board, FirstClick)>,
    games: u64,
    /// CPU seconds of ended processes.
    cpu_seconds: f64,
    /// Lines that are not sent yet, and the number of views without an answer.
    unsent: String,
    waiting: u32,
    /// The lines `p` and `open` of each game, without the first word.
    answers: Vec<(String, Option<String>)>,
}

impl Pipe {
    /// Begins a line of a game.
    fn number(&mut self, place: usize) -> &mut String {
        if self.program.at_once > 1 {
            let _ = write!(self.unsent, "{place} ");
        }
        &mut self.unsent
    }

    /// Announces a game, and starts a process if there is none.
    fn begin(&mut self, place: usize, game: &GameStart) {
        if self.child.is_err() {
            self.board = None;
            self.unsent.clear();
            self.waiting = 0;
            self.answers = vec![Default::default(); self.program.at_once];
            self.child = self.program.start().map(|(child, ..)| child);
            self.faults += u32::from(self.child.is_err());
        }
        let kind = (game.board, game.first_click);
        if self.board.replace(kind) != Some(kind) {
            let (board, rule) = (game.board, game.first_click.name());
            let (width, height, mines) = (board.width(), board.height(), board.mines());
            let _ = writeln!(self.unsent, "board {width} {height} {mines} {rule}");
        }
        self.games += 1;
        let (games, seed) = (self.games, game.seed.value());
        let _ = writeln!(self.number(place), "game {games} {seed}");
    }

    /// Asks for a move.
    fn ask(&mut self, place: usize, view: &View) {
        self.waiting += 1;
        let line = self.number(place);
        line.push_str("view ");
        let width = view.board().width();
        for cell in view.board().all_cells() {
            if cell.index() > 0 && cell.index() % width == 0 {
                line.push('/');
            }
            line.push(match view.number(cell) {
                None => '#',
                Some(0) => '.',
                Some(number) => char::from(b'0' + number),
            });
        }
        line.push('\n');
    }

    /// Waits for the answer of a game: its lines `p` and `open`. If there is none, the process ends,
    /// and with it its other games.
    fn answer(&mut self, place: usize) -> Result<(String, String), String> {
        let answer = self.try_answer(place);
        self.waiting = self.waiting.saturating_sub(1);
        if let (Err(_), Ok(child)) = (&answer, &self.child) {
            self.faults += 1;
            self.cpu_seconds += child.cpu_seconds();
            self.child = Err("it ended in another game".to_owned());
        }
        answer
    }

    fn try_answer(&mut self, place: usize) -> Result<(String, String), String> {
        let child = self.child.as_mut().map_err(|why| why.clone())?;
        let is_numbered = self.program.at_once > 1;
        if !self.unsent.is_empty() {
            if is_numbered {
                self.unsent.push_str("go\n");
            }
            child.send(&take(&mut self.unsent))?;
        }
        let limit = Duration::from_secs_f64(self.program.time) * self.waiting;
        loop {
            if let Some(open) = self.answers[place].1.take() {
                return Ok((take(&mut self.answers[place].0), open));
            }
            let line = child.line(limit)?;
            let nonsense = || format!("it wrote {line:?}");
            let (number, text) = match is_numbered {
                true => line.split_once(' ').ok_or_else(nonsense)?,
                false => ("0", &*line),
            };
            let number = number.parse::<usize>().ok();
            let answer = number.and_then(|number| self.answers.get_mut(number));
            let (mine, open) = answer.ok_or_else(nonsense)?;
            match text.split_once(' ').unwrap_or((text, "")) {
                ("open", cells) => *open = Some(cells.to_owned()),
                ("p", chances) => chances.clone_into(mine),
                ("flags", _) => {}
                _ => return Err(nonsense()),
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        if let Ok(child) = &mut self.child {
            let _ = child.send(&self.unsent);
        }
    }
}

/// A player that asks a program for its moves.
pub(super) struct ProgramPlayer {
    pipe: Arc<Mutex<Pipe>>,
    program: Arc<Program>,
    /// The index of its game among those that the process plays at once.
    place: usize,
    /// Whether the program has the view of the next decision.
    is_asked: bool,
    has_faults: bool,
    cells: Vec<Cell>,
    weights: Weights,
}

impl ProgramPlayer {
    /// Creates as many players as the program plays games at once. They share a process.
    pub(super) fn together(program: &Arc<Program>) -> Vec<Self> {
        let pipe = Arc::new(Mutex::new(Pipe {
            program: program.clone(),
            child: Err(String::new()),
            faults: 0,
            board: None,
            games: 0,
            cpu_seconds: 0.0,
            unsent: String::new(),
            waiting: 0,
            answers: Vec::new(),
        }));
        let player = |place| Self {
            pipe: pipe.clone(),
            program: program.clone(),
            place,
            is_asked: false,
            has_faults: false,
            cells: Vec::new(),
            weights: Weights::default(),
        };
        (0..program.at_once).map(player).collect()
    }

    /// Reads the cells to open.
    fn read_cells(&mut self, open: &str, view: &View) -> Result<(), String> {
        // Text after `why` is for people.
        let open = open.split("why").next().unwrap_or_default();
        let wrong = |why| format!("it wrote `open {open}`: {why}");
        let numbers = open.split_ascii_whitespace().map(str::parse);
        let numbers: Result<Vec<usize>, _> = numbers.collect();
        let numbers = numbers.map_err(|_| wrong("rows and columns are whole numbers"))?;
        self.cells.clear();
        for place in numbers.chunks(2) {
            let &[row, column] = place else {
                return Err(wrong("a row has no column"));
            };
            let cell = view.board().cell(row, column);
            let cell = cell.ok_or_else(|| wrong("a cell is off the board"))?;
            if view.is_open(cell) {
                return Err(wrong("a cell is open already"));
            }
            self.cells.push(cell);
        }
        match self.cells[..] {
            [] => Err(wrong("there is no cell")),
            _ => Ok(()),
        }
    }

    /// Reads the mine probability of every cell. A known mine, which is no candidate, may be NaN.
    fn read_weights(&mut self, mine: &str, view: &View) -> Result<(), String> {
        let mine: Result<Vec<f64>, _> = mine.split_ascii_whitespace().map(str::parse).collect();
        let mine = mine.unwrap_or_default();
        let is_right = |cell: Cell| !(mine[cell.index()] < 0.0 || mine[cell.index()] > 1.0);
        if mine.len() != view.board().cells() || !view.covered().all(is_right) {
            return Err(
                "it wrote `p` without a number from 0 to 1 for each covered cell".to_owned(),
            );
        }
        self.weights
            .begin(view, 1.0, |cell| mine[cell.index()].is_nan());
        for cell in view.covered() {
            self.weights.put(cell, mine[cell.index()]);
        }
        for cell in view.boundary() {
            self.weights.put_on_boundary(cell, mine[cell.index()]);
        }
        Ok(())
    }

    /// Asks the program, unless it was asked before, and reads its answer. Returns whether it gave
    /// probabilities.
    fn answer(&mut self, view: &View) -> Result<bool, String> {
        if !take(&mut self.is_asked) {
            self.ask(view);
            self.is_asked = false;
        }
        let (mine, open) = locked(&self.pipe).answer(self.place)?;
        let mut read = self.read_cells(&open, view);
        if read.is_ok() && !mine.is_empty() {
            read = self.read_weights(&mine, view);
        }
        locked(&self.pipe).faults += u32::from(read.is_err());
        read.map(|()| !mine.is_empty())
    }
}

impl Player for ProgramPlayer {
    fn begin(&mut self, game: &GameStart) {
        locked(&self.pipe).begin(self.place, game);
        self.is_asked = false;
        self.has_faults = false;
    }

    fn ask(&mut self, view: &View) {
        locked(&self.pipe).ask(self.place, view);
        self.is_asked = true;
    }

    fn decide(&mut self, view: &View, _: &mut Budget) -> Result<Decision<'_>, NoMove> {
        let why = match self.answer(view) {
            Err(why) => why,
            Ok(has_weights) => {
                return Ok(Decision {
                    cells: &self.cells,
                    reason: match view.opened() {
                        [] => Reason::FirstClick,
                        _ => Reason::Guess,
                    },
                    weights: has_weights.then_some(&self.weights),
                });
            }
        };
        self.has_faults = true;
        let mut faults = locked(&self.program.faults);
        faults.0 += 1;
        if faults.0 == 1 {
            faults.1.clone_from(&why);
        }
        Err(if locked(&self.pipe).faults < MOST_FAULTS {
            NoMove::TooHard(why)
        } else {
            let games = format!("{MOST_FAULTS} games in a row are lost by faults");
            NoMove::Broken(format!("{games}, the last one as {why}"))
        })
    }

    fn end(&mut self, is_won: bool) {
        let mut pipe = locked(&self.pipe);
        let end = if is_won { "won" } else { "lost" };
        let _ = writeln!(pipe.number(self.place), "end {end}");
        if !self.has_faults {
            pipe.faults = 0;
        }
    }

    fn other_cpu_seconds(&self) -> f64 {
        let pipe = locked(&self.pipe);
        let seconds = pipe.child.as_ref().map_or(0.0, Child::cpu_seconds) + pipe.cpu_seconds;
        seconds / self.program.at_once as f64
    }
}
