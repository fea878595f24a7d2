//! Saved games: the mines and the moves, one line of JSON per game.
//!
//! ```json
//! {"player":"11.0","board":"9x9/10","first_click":"safe","seed":1,"game":0,"end":"won","mines":"0g2...","moves":"f0 c9,10 g44"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `player`, `board`, `first_click` | the player and the rules of its game |
//! | `seed`, `game` | the seed of the run and the game's index under it, as in `eval` and `compare` |
//! | `end` | `won`, `lost`, or `timed-out` if a limit was reached |
//! | `mines` | the minefield, five cells per character, row-major, as digits `0` to `9` and `a` to `v` |
//! | `why` | what the player, a program, says of each decision; missing if it says nothing |
//! | `moves` | the decisions in order: a letter, then the row-major indices of the cells to open, counted from 0 |
//!
//! The letter of a decision is `f` for a first click, `c` for cells proved safe, and `g` for a
//! guess.
//!
//! Opening a cell with number 0 opens its neighbours. Cells that are already open are skipped.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::mines_text;
use crate::{
    Board, Cell, FirstClick, Game, Minefield, Status,
    player::{GameEnd, GameStart, NoMove, Player, Reason, board_seed},
    solver::Budget,
};
use mineflow_rng::Seed;

/// A decision of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptMove {
    pub reason: Reason,
    pub cells: Vec<Cell>,
}

/// A game from its first click to its end.
#[derive(Clone, Debug)]
pub struct SavedGame {
    pub player: String,
    pub first_click: FirstClick,
    /// The seed of the run. `game` is the index of the game under this seed.
    pub seed: u64,
    pub game: u64,
    pub end: GameEnd,
    pub field: Minefield,
    pub moves: Vec<KeptMove>,
    /// What the player, a program, says of each move; empty if it says nothing.
    pub why: Vec<String>,
}

/// The error returned for a line that is not a saved game, or for a player that can't play a game.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    #[error("not a saved game: {0}")]
    Json(String),
    #[error("the text holds {0} saved games; give the line of one of them")]
    Several(usize),
    #[error("`board`: {0}")]
    Board(String),
    #[error("`first_click`: {0}")]
    FirstClick(String),
    #[error("`mines` has {0:?}; its characters are 0 to 9 and a to v")]
    Digit(char),
    #[error("`mines` has mines beyond the {0} cells of the board")]
    Beyond(usize),
    #[error("`mines` holds {found} mines, the board {expected}")]
    Count { found: usize, expected: usize },
    #[error("move {number} `{found}` is not one of f, c, g and the cells of the board after it")]
    Move { number: usize, found: String },
    #[error("move {number} opens nothing, or comes after the end")]
    Idle { number: usize },
    #[error("the moves end before the game, or otherwise than `end` says")]
    End,
    #[error("the player gave no move: {0}")]
    NoMove(#[from] NoMove),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedLine {
    player: String,
    board: String,
    first_click: String,
    seed: u64,
    game: u64,
    end: String,
    mines: String,
    moves: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
}

/// Returns the name of a game's end in a line of JSON.
const fn end_name(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Won => "won",
        GameEnd::Lost => "lost",
        GameEnd::TimedOut => "timed-out",
    }
}

impl SavedGame {
    /// Plays game `number` of `seed` and records it. By default the mines are drawn from the seed;
    /// `field` provides a minefield instead, and optionally the first cell to open. `budget` limits
    /// the game. `name` is kept as that of the player.
    ///
    /// # Errors
    /// Returns an error if the player makes no progress or reports a contradiction.
    pub fn play(
        (name, player): (&str, &mut dyn Player),
        (board, first_click): (Board, FirstClick),
        (seed, number): (u64, u64),
        field: Option<(&Minefield, Option<Cell>)>,
        budget: &mut Budget,
    ) -> Result<Self, KeptError> {
        let game_seed = board_seed(Seed::new(seed), board).child("game", number);
        let mut game = Game::new(board, first_click);
        match field {
            Some((field, _)) => game.start_on(field),
            None => game.start(game_seed),
        }
        player.begin(&GameStart {
            board,
            first_click,
            seed: game_seed.child("player", 0),
        });
        let mut moves = Vec::new();
        if let Some(first) = field.and_then(|(_, first)| first) {
            open_in_order(&mut game, &[first]);
            moves.push(KeptMove {
                reason: Reason::FirstClick,
                cells: vec![first],
            });
        }
        let mut why = vec![String::new(); moves.len()];
        while game.status() == Status::Playing {
            let decision = match player.decide(game.view(), budget) {
                Ok(decision) => decision,
                Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => break,
                Err(wrong) => return Err(wrong.into()),
            };
            let made = KeptMove {
                reason: decision.reason,
                cells: decision.cells.to_vec(),
            };
            why.push(decision.why.to_owned());
            if !open_in_order(&mut game, &made.cells) {
                return Err(KeptError::Idle {
                    number: moves.len() + 1,
                });
            }
            moves.push(made);
        }
        // The mines are not laid yet if no cell was opened.
        game.lay_for(Cell(0));
        let is_silent = why.iter().all(String::is_empty);
        Ok(Self {
            player: name.to_owned(),
            first_click,
            seed,
            game: number,
            end: end_of(game.status()),
            field: game.field().cloned().expect("the mines are laid"),
            moves,
            why: if is_silent { Vec::new() } else { why },
        })
    }

    /// Returns the game as a line of JSON, without a line break.
    pub fn line(&self) -> String {
        let text = |made: &KeptMove| {
            let cells = made.cells.iter().map(|cell| cell.index().to_string());
            let letter = match made.reason {
                Reason::FirstClick => 'f',
                Reason::Certain => 'c',
                Reason::Guess => 'g',
            };
            format!("{letter}{}", cells.collect::<Vec<_>>().join(","))
        };
        let line = SavedLine {
            player: self.player.clone(),
            board: self.field.board().to_string(),
            first_click: self.first_click.name().to_owned(),
            seed: self.seed,
            game: self.game,
            end: end_name(self.end).to_owned(),
            mines: mines_text::write(&self.field),
            moves: self.moves.iter().map(text).collect::<Vec<_>>().join(" "),
            why: self.why.clone(),
        };
        serde_json::to_string(&line).expect("text and numbers are JSON")
    }

    /// Returns the game as a text of the RawVF format, revision 6, which replay programs read.
    /// There is one click per second.
    pub fn rawvf(&self) -> String {
        let board = self.field.board();
        let level = match (board.width(), board.height(), board.mines()) {
            (9, 9, 10) | (8, 8, 10) => "Beginner",
            (16, 16, 40) => "Intermediate",
            (30, 16, 99) => "Expert",
            _ => "Custom",
        };
        let (events, clicks) = self.rawvf_events();
        let (status, end) = match self.end {
            GameEnd::Won => ("won", "won"),
            GameEnd::Lost => ("lost", "boom"),
            GameEnd::TimedOut => ("lost", "leave"),
        };
        let last = clicks.max(1) - 1;
        let rows = self.field.to_string().replace('.', "0");
        format!(
            "RawVF_Version: Rev6\nProgram: mineflow\nVersion: {}\nPlayer: {}\nLevel: {level}\nWidth: {}\nHeight: {}\nMines: {}\nMarks: Off\n\
             Time: {last}.000\nStatus: {status}\nBoard:\n{}\nEvents:\n{events}{last}.000 {end}\n",
            env!("CARGO_PKG_VERSION"),
            self.player,
            board.width(),
            board.height(),
            board.mines(),
            rows.trim_end(),
        )
    }

    /// Returns the events of [`SavedGame::rawvf`], and the number of clicks.
    fn rawvf_events(&self) -> (String, usize) {
        let mut events = String::new();
        let mut game = Game::on(self.field.clone());
        let mut second = 0;
        for &cell in self.moves.iter().flat_map(|made| &made.cells) {
            if game.status() != Status::Playing || game.view().is_open(cell) {
                continue;
            }
            let before = game.view().opened().len();
            let _ = game.open(cell);
            let place = |cell: Cell| {
                let (row, col) = game.board().row_col(cell);
                format!("{} {}", col + 1, row + 1)
            };
            let (row, col) = game.board().row_col(cell);
            let pixels = format!("{} ({} {})", place(cell), 16 * col + 8, 16 * row + 8);
            if second == 0 {
                events += "0.000 start\n";
            }
            events += &format!("{second}.000 lc {pixels}\n{second}.000 lr {pixels}\n");
            for &opened in &game.view().opened()[before..] {
                let number = self.field.number(opened);
                events += &format!("{second}.000 number{number} {}\n", place(opened));
            }
            if self.field.is_mine(cell) {
                events += &format!("{second}.000 blast {}\n", place(cell));
            }
            second += 1;
        }
        (events, second)
    }
}

fn end_of(status: Status) -> GameEnd {
    match status {
        Status::Won => GameEnd::Won,
        Status::Lost => GameEnd::Lost,
        Status::Playing => GameEnd::TimedOut,
    }
}

/// Opens those of `cells` that are still covered, in order, until the game ends. Returns false if
/// no cell was opened.
pub fn open_in_order(game: &mut Game, cells: &[Cell]) -> bool {
    let mut opens = false;
    for &cell in cells {
        if game.status() == Status::Playing && !game.view().is_open(cell) {
            opens |= game.open(cell).is_ok();
        }
    }
    opens
}

impl FromStr for SavedGame {
    type Err = KeptError;

    fn from_str(text: &str) -> Result<Self, KeptError> {
        let games = || text.lines().filter(|line| line.starts_with('{')).count();
        let line: SavedLine = serde_json::from_str(text).map_err(|error| match games() {
            0 | 1 => KeptError::Json(error.to_string()),
            games => KeptError::Several(games),
        })?;
        let board = line
            .board
            .parse::<Board>()
            .map_err(|error| KeptError::Board(error.to_string()))?;
        let first_click = line
            .first_click
            .parse::<FirstClick>()
            .map_err(|error| KeptError::FirstClick(error.to_string()))?;
        let field = mines_text::read(board, &line.mines)?;
        if field.mines() != board.mines() {
            return Err(KeptError::Count {
                found: field.mines(),
                expected: board.mines(),
            });
        }
        let mut game = Game::on(field.clone());
        let mut moves = Vec::new();
        for (number, text) in (1..).zip(line.moves.split_whitespace()) {
            moves.push(read_move(number, text, board)?);
        }
        for (number, made) in (1..).zip(&moves) {
            if !open_in_order(&mut game, &made.cells) {
                return Err(KeptError::Idle { number });
            }
        }
        let end = end_of(game.status());
        if line.end != end_name(end) {
            return Err(KeptError::End);
        }
        Ok(Self {
            player: line.player,
            first_click,
            seed: line.seed,
            game: line.game,
            end,
            field,
            moves,
            why: line.why,
        })
    }
}

fn read_move(number: usize, text: &str, board: Board) -> Result<KeptMove, KeptError> {
    let wrong = || KeptError::Move {
        number,
        found: text.chars().take(20).collect(),
    };
    let reason = match text.as_bytes()[0] {
        b'f' => Reason::FirstClick,
        b'c' => Reason::Certain,
        b'g' => Reason::Guess,
        _ => return Err(wrong()),
    };
    let cell = |text: &str| -> Option<Cell> {
        let index: usize = text.parse().ok()?;
        board.cell(index / board.width(), index % board.width())
    };
    let cells = text[1..]
        .split(',')
        .map(|text| cell(text).ok_or_else(wrong))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(KeptMove { reason, cells })
}
