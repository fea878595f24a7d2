//! The screen: a title, the board, three lines of status, the keys.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::board::Window;
use super::help::HELP;
use super::look::Look;
use mineflow_minesweeper::play::{Mode, Prompt, Question, Table};
use mineflow_minesweeper::{Board, Cell, Status};

/// Lines below the board: the cell, the player, a message, the keys.
const LINES_BELOW: u16 = 4;
/// The smallest terminal that has room for a board.
const SMALLEST: (u16, u16) = (20, 9);

/// The part of the board that is shown.
#[derive(Clone, Debug)]
pub struct Screen {
    look: Look,
    window: Window,
    /// Board, area and cursor when the window last followed the cursor.
    followed: Option<(Board, Rect, Cell)>,
}

impl Screen {
    /// A screen that was not drawn yet.
    pub fn new(look: Look) -> Self {
        Self { look, window: Window::default(), followed: None }
    }

    /// The cell at a place of the screen as last drawn.
    pub fn cell_at(&self, board: Board, at: Position) -> Option<Cell> {
        self.followed.filter(|&(known, ..)| known == board).and_then(|_| self.window.cell_at(board, at))
    }

    /// Scrolls a board that doesn't fit; the cursor stays.
    pub fn scroll(&mut self, down: isize, right: isize) {
        if let Some((board, ..)) = self.followed {
            self.window = self.window.scrolled(board, down, right);
        }
    }

    /// Draws the screen at time `now`.
    pub fn draw(&mut self, frame: &mut Frame<'_>, table: &Table, now: Duration) {
        let area = frame.area();
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let (width, height) = SMALLEST;
            put(frame, area, 0, &format!("needs {width}x{height}"), Style::new());
        } else if *table.mode() == Mode::Help {
            for (line, text) in HELP.iter().enumerate() {
                put(frame, area, line as u16, text, Style::new());
            }
        } else {
            self.draw_table(frame, area, table, now);
        }
    }

    fn draw_table(&mut self, frame: &mut Frame<'_>, area: Rect, table: &Table, now: Duration) {
        let board = table.view().board();
        let look = self.look;
        put(frame, area, 0, &title(table, now), look.title());
        let room = Rect { y: area.y + 1, height: area.height - 1 - LINES_BELOW, ..area };
        self.window = self.window.fitted(board, room);
        let follow = Some((board, area, table.cursor()));
        if self.followed != follow {
            self.window = self.window.showing(board, table.cursor());
            self.followed = follow;
        }
        let candidates = table.candidate_lines();
        let beside =
            candidates.iter().map(String::len).max().and_then(|width| self.window.make_room(board, room, width as u16));
        self.window.draw(frame.buffer_mut(), table, look);
        if let Some(beside) = beside {
            for (line, text) in (0..beside.height).zip(&candidates) {
                put(frame, beside, line, text, if line == 0 { look.label() } else { Style::new() });
            }
        }

        let spare = room.height - self.window.lines();
        let below = 1 + self.window.lines() + spare.min(1);
        put(frame, area, below, &table.cell_line(), Style::new());
        put(frame, area, below + 1, &table.advice_line(), Style::new());
        match table.mode() {
            Mode::Typing(prompt) => self.draw_prompt(frame, area, below + 2, prompt),
            _ => {
                put(frame, area, below + 2, table.message(), look.title());
                let last = area.height.saturating_sub(2);
                for (line, text) in (below + 4..last).zip(candidates.iter().filter(|_| beside.is_none())) {
                    put(frame, area, line, text, look.label());
                }
                put(frame, area, area.height - 1, &keys(table), look.label());
                if let Some(place) = self.window.place_of(board, table.cursor()) {
                    frame.set_cursor_position(place);
                }
            }
        }
    }

    fn draw_prompt(&self, frame: &mut Frame<'_>, area: Rect, line: u16, prompt: &Prompt) {
        let question = match &prompt.question {
            Question::Save => "save to (.mbf: the mines alone): ".to_owned(),
            Question::Load => "load: ".to_owned(),
            Question::Player => "player, by name or recipe: ".to_owned(),
            Question::Board => "board, such as 20x10/35: ".to_owned(),
            Question::Replace { path, .. } => format!("{} exists; replace it? y or n: ", path.display()),
        };
        // The end is where the user types: cut the start instead.
        let text = question + &prompt.text;
        let hidden = (text.chars().count() + 1).saturating_sub(usize::from(area.width));
        let seen: String = text.chars().skip(hidden).collect();
        put(frame, area, line, &seen, self.look.title());
        put(frame, area, area.height - 1, "Enter done   Esc cancel", self.look.label());
        let end = area.x + seen.chars().count() as u16;
        frame.set_cursor_position(Position::new(end.min(area.right() - 1), area.y + line));
    }
}

/// Writes a text on a line, cut to the room there is.
fn put(frame: &mut Frame<'_>, area: Rect, line: u16, text: &str, style: Style) {
    if line < area.height {
        frame.buffer_mut().set_stringn(area.x, area.y + line, text, usize::from(area.width), style);
    }
}

fn title(table: &Table, now: Duration) -> String {
    let round = table.round();
    let seconds = table.time(now).as_secs();
    let state = match round.status() {
        Status::Playing => "",
        Status::Won => "   WON",
        Status::Lost => "   LOST",
    };
    format!(
        "{}   mines {}   time {}:{:02}{state}   first click {}   {}",
        round.board(),
        round.mines_left(),
        seconds / 60,
        seconds % 60,
        round.first_click(),
        table.origin()
    )
}

fn keys(table: &Table) -> String {
    let hints = if table.shows_hints() { "h hide" } else { "h hints" };
    match table.round().status() {
        _ if table.goes_on() => "any key stops the player".to_owned(),
        Status::Playing => {
            format!("space open  f flag  {hints}  p player  a {} moves  u undo  ? help  q quit", name(table))
        }
        _ => "u undo  n new game  r same again  b board  s save  l load  ? help  q quit".to_owned(),
    }
}

/// A short name of the player.
fn name(table: &Table) -> &str {
    let name = table.player().name.as_str();
    if name.len() <= 6 { name } else { "player" }
}
