//! The connection to a program that plays, and its players.

#[path = "child.rs"]
mod child;

use std::{
    fmt::Write as _,
    mem::{replace, take},
    sync::{Arc, Mutex},
};

use super::{
    Decision, GameEnd, GameStart, NoMove, Player, Program, Reason,
    protocol::{read_open, write_rows},
    weights::Weights,
};
use crate::{Cell, View, solver::Budget};
use child::Child;
pub use child::end_programs;
use mineflow_store::lock;

/// After this many games in a row that were lost by faults, the program is broken; a program that
/// plays N games at once may lose N times as many.
const MOST_FAULTS: usize = 10;

impl Program {
    /// Starts the program once and reads what it announces.
    ///
    /// # Errors
    /// Returns the reason if the program can't be started or doesn't give its name.
    pub fn meet(&mut self) -> Result<(), String> {
        let child = Child::start(self)?;
        if self.name.is_empty() {
            self.name = format!("{} ({})", child.name, self.text);
        }
        self.at_once = child.at_once as usize;
        Ok(())
    }

    /// Creates as many players as the program plays games at once. They share a process.
    pub(super) fn players(self: &Arc<Self>) -> Vec<Box<dyn Player>> {
        let pipe = Arc::new(Mutex::new(Pipe {
            program: self.clone(),
            child: Err(String::new()),
            faults: 0,
            games: 0,
            cpu_seconds: 0.0,
            unsent: String::new(),
            answers: Vec::new(),
        }));
        let player = |place| -> Box<dyn Player> {
            Box::new(ProgramPlayer {
                pipe: pipe.clone(),
                place,
                game: String::new(),
                is_asked: false,
                cells: Vec::new(),
                weights: Weights::default(),
                why: String::new(),
            })
        };
        (0..self.at_once).map(player).collect()
    }
}

/// The connection to a process, which plays the games of one player or of several at once.
struct Pipe {
    program: Arc<Program>,
    /// The process, or why there is none.
    child: Result<Child, String>,
    /// The number of faults since the last game without one.
    faults: usize,
    games: u64,
    /// CPU seconds of ended processes, less those that were reported.
    cpu_seconds: f64,
    /// Lines that are not sent yet.
    unsent: String,
    /// The line `open` of each game, without the first word.
    answers: Vec<Option<String>>,
}

impl Pipe {
    /// Begins a line of a game.
    fn number(&mut self, place: usize) -> &mut String {
        if self.program.at_once > 1 {
            let _ = write!(self.unsent, "{place} ");
        }
        &mut self.unsent
    }

    /// Waits for the answer of a game. If there is none, the process ends, and with it its other
    /// games.
    fn answer(&mut self, place: usize) -> Result<String, String> {
        let answer = self.try_answer(place);
        if let Err(why) = &answer {
            self.end(why);
        }
        answer
    }

    /// Ends the process.
    fn end(&mut self, why: &str) {
        if let Ok(child) = &mut self.child {
            self.cpu_seconds += child.cpu_seconds();
            self.child = Err(why.to_owned());
        }
    }

    fn try_answer(&mut self, place: usize) -> Result<String, String> {
        let child = self.child.as_mut().map_err(|why| why.clone())?;
        let is_numbered = self.program.at_once > 1;
        if !self.unsent.is_empty() {
            if is_numbered {
                self.unsent.push_str("go\n");
            }
            child.send(&take(&mut self.unsent))?;
        }
        loop {
            if let Some(open) = self.answers[place].take() {
                return Ok(open);
            }
            let line = child.line()?;
            let (number, text) = match is_numbered {
                true => line.split_once(' ').unwrap_or_default(),
                false => ("0", &*line),
            };
            let number = number.parse().unwrap_or(usize::MAX);
            match (text.strip_prefix("open "), self.answers.get_mut(number)) {
                (Some(cells), Some(answer @ None)) => *answer = Some(cells.to_owned()),
                _ => return Err(format!("it wrote `{line}`")),
            }
        }
    }

    /// Counts a fault. A program without numbers ends, because its later answers may be to earlier
    /// views.
    fn fault(&mut self, why: &str, game: &str) -> NoMove {
        self.faults += 1;
        if self.program.at_once == 1 {
            self.end(why);
        }
        let why = format!("{why} (after `{game}`)");
        let _ = self.program.fault.set(why.clone());
        if self.faults < MOST_FAULTS * self.program.at_once {
            return NoMove::TooHard(why);
        }
        let games = format!("{} games in a row are lost by faults", self.faults);
        NoMove::Broken(format!("{games}, the last one as {why}"))
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
struct ProgramPlayer {
    pipe: Arc<Mutex<Pipe>>,
    /// The index of its game among those that the process plays at once.
    place: usize,
    /// The line that announced its game.
    game: String,
    /// Whether the program has the view of the next decision.
    is_asked: bool,
    cells: Vec<Cell>,
    /// The mine probabilities that the program gives, if it does.
    weights: Weights,
    /// What the program says of its move.
    why: String,
}

impl Player for ProgramPlayer {
    /// Announces the game, and starts a process if there is none.
    fn begin(&mut self, game: &GameStart) {
        let mut pipe = lock(&self.pipe);
        if pipe.child.is_err() {
            pipe.unsent.clear();
            pipe.answers = vec![None; pipe.program.at_once];
            pipe.child = Child::start(&pipe.program);
        }
        let (board, rule) = (game.board, game.first_click.name());
        let (width, height, mines) = (board.width(), board.height(), board.mines());
        let _ = writeln!(pipe.unsent, "board {width} {height} {mines} {rule}");
        pipe.games += 1;
        self.game = format!("game {} {}", pipe.games, game.seed.value());
        let _ = writeln!(pipe.number(self.place), "{}", self.game);
    }

    fn ask(&mut self, view: &View) {
        let mut pipe = lock(&self.pipe);
        let line = pipe.number(self.place);
        line.push_str("view ");
        write_rows(view, line);
        line.push('\n');
        self.is_asked = true;
    }

    fn decide(&mut self, view: &View, _: &mut Budget) -> Result<Decision<'_>, NoMove> {
        if !self.is_asked {
            self.ask(view);
        }
        self.is_asked = false;
        let mut pipe = lock(&self.pipe);
        let answer = pipe.answer(self.place);
        let open = answer.map_err(|why| pipe.fault(&why, &self.game))?;
        let opened = read_open(&open, view).map_err(|missing| {
            pipe.fault(&format!("it wrote `open {open}`, {missing}"), &self.game)
        })?;
        self.cells = opened.cells;
        opened.why.clone_into(&mut self.why);
        let is_weighed = !opened.mine.is_empty();
        if is_weighed {
            self.weights.begin(view, 0.0, |_| false);
        }
        for (cell, &mine) in view.covered().zip(&opened.mine) {
            let mut near = view.grid().neighbors(cell);
            match near.any(|cell| view.is_open(cell)) {
                true => self.weights.put_on_boundary(cell, mine),
                false => self.weights.put(cell, mine),
            }
        }
        let reason = match view.opened() {
            [] => Reason::FirstClick,
            _ => Reason::Guess,
        };
        Ok(Decision {
            weights: is_weighed.then_some(&self.weights),
            why: &self.why,
            ..Decision::new(reason, &self.cells)
        })
    }

    fn end(&mut self, end: GameEnd) -> f64 {
        let mut pipe = lock(&self.pipe);
        let word = if end == GameEnd::Won { "won" } else { "lost" };
        let _ = writeln!(pipe.number(self.place), "end {word}");
        if end != GameEnd::TimedOut {
            pipe.faults = 0;
        }
        if self.place > 0 {
            return 0.0;
        }
        let now = pipe.child.as_mut().map_or(0.0, Child::cpu_seconds);
        now + replace(&mut pipe.cpu_seconds, -now)
    }
}
