//! What the terminal game draws, as text.

use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use mineflow_cli::play::{Look, Screen};
use mineflow_minesweeper::play::{Button, Command, Direction, Question, Settings, Table};
use mineflow_minesweeper::{Cell, FirstClick, Status};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Style;

use crate::files::assert_golden;
use crate::table::{NOON, press, table};

struct Drawing {
    terminal: Terminal<TestBackend>,
    screen: Screen,
}

impl Drawing {
    fn new(width: u16, height: u16, look: Look) -> Self {
        Self { terminal: Terminal::new(TestBackend::new(width, height)).unwrap(), screen: Screen::new(look) }
    }

    fn draw(&mut self, table: &Table) -> &Buffer {
        self.terminal.draw(|frame| self.screen.draw(frame, table, Duration::from_secs(83))).unwrap();
        self.terminal.backend().buffer()
    }
}

fn text(buffer: &Buffer) -> String {
    let lines = buffer.content().chunks(usize::from(buffer.area.width));
    let lines = lines.map(|line| line.iter().map(|cell| cell.symbol()).collect::<String>());
    lines.fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// A letter for each style in the order in which they come, and what they stand for; no style is a blank.
fn styles(buffer: &Buffer) -> String {
    let mut seen: Vec<Style> = Vec::new();
    let mut text = String::new();
    for line in buffer.content().chunks(usize::from(buffer.area.width)) {
        let letters = line.iter().map(|cell| {
            let style = cell.style();
            if style == ratatui::buffer::Cell::EMPTY.style() {
                return ' ';
            }
            let index = seen.iter().position(|&known| known == style).unwrap_or_else(|| {
                seen.push(style);
                seen.len() - 1
            });
            char::from(b'a' + index as u8)
        });
        text += letters.collect::<String>().trim_end();
        text.push('\n');
    }
    for (letter, style) in ('a'..).zip(seen) {
        let (fg, bg) = (style.fg.unwrap(), style.bg.unwrap());
        writeln!(text, "{letter}: {fg} on {bg} {:?}", style.add_modifier).unwrap();
    }
    text
}

/// The table after a game by 7.0 until it would guess, a flag and hints.
fn before_a_guess(board: &str) -> Table {
    let mut table = table(board);
    press(&mut table, Command::NextRule);
    press(&mut table, Command::Hints);
    press(&mut table, Command::LetPlay);
    while table.advice().is_some_and(|advice| advice.moves.len() > 1 || table.odds().unwrap().least() == Some(0.0)) {
        press(&mut table, Command::LetPlay);
    }
    assert_eq!(table.round().status(), Status::Playing);
    let mine = table.view().covered().find(|&cell| table.odds().unwrap().mine(cell) == Some(1.0)).unwrap();
    press(&mut table, Command::Click(mine, Button::Flag));
    table
}

#[test]
fn a_new_game_looks_so() {
    assert_golden("play-new", &text(Drawing::new(80, 24, Look::Colored).draw(&table("beginner"))));
}

#[test]
fn an_expert_game_with_hints_fits_80_by_24() {
    let table = before_a_guess("expert");
    let mut drawing = Drawing::new(80, 24, Look::Colored);
    let buffer = drawing.draw(&table).clone();
    assert_golden("play-expert-hints", &(text(&buffer) + &styles(&buffer)));
    let cells: HashSet<Cell> =
        buffer.area.positions().filter_map(|at| drawing.screen.cell_at(table.view().board(), at)).collect();
    assert_eq!(cells.len(), 480, "all cells are seen");
}

#[test]
fn where_there_is_room_probabilities_have_two_digits() {
    assert_golden(
        "play-intermediate-hints",
        &text(Drawing::new(80, 24, Look::Plain).draw(&before_a_guess("intermediate"))),
    );
}

#[test]
fn without_colours_the_characters_say_the_same() {
    let mut lost = table("beginner");
    press(&mut lost, Command::Click(Cell(40), Button::Open));
    for cell in (0..81).map(Cell) {
        press(&mut lost, Command::Click(cell, if cell.0 % 7 == 0 { Button::Flag } else { Button::Open }));
    }
    assert_eq!(lost.round().status(), Status::Lost);
    for table in [table("beginner"), before_a_guess("expert"), lost] {
        let plain = Drawing::new(80, 24, Look::Plain).draw(&table).clone();
        assert_eq!(text(&plain), text(Drawing::new(80, 24, Look::Colored).draw(&table)));
        assert!(plain.content().iter().all(|cell| cell.style() == ratatui::buffer::Cell::EMPTY.style()));
    }
}

#[test]
fn a_lost_game_shows_its_mines_and_wrong_flags() {
    let mut table = table("beginner");
    press(&mut table, Command::Click(Cell(40), Button::Open));
    let field = table.round().field().unwrap();
    let mine = field.mine_cells().last().unwrap();
    let safe = table.view().covered().find(|&cell| !field.is_mine(cell)).unwrap();
    let flagged = field.mine_cells().next().unwrap();
    for (cell, button) in [(safe, Button::Flag), (flagged, Button::Flag), (mine, Button::Open)] {
        press(&mut table, Command::Click(cell, button));
    }
    assert_golden("play-lost", &text(Drawing::new(80, 24, Look::Plain).draw(&table)));
    press(&mut table, Command::Undo);
    press(&mut table, Command::LetFinish);
    while table.goes_on() {
        table.step(NOON);
    }
    assert_eq!(table.round().status(), Status::Won);
    assert_golden("play-won", &text(Drawing::new(80, 24, Look::Plain).draw(&table)));
}

#[test]
fn the_help_fits_80_by_24() {
    let mut table = table("beginner");
    press(&mut table, Command::Help);
    let wide = text(Drawing::new(200, 60, Look::Plain).draw(&table));
    let narrow = text(Drawing::new(80, 24, Look::Plain).draw(&table));
    assert_eq!(narrow.trim_end(), wide.trim_end());
    assert_golden("play-help", &narrow);
}

#[test]
fn a_text_is_typed_below_the_board() {
    let mut table = table("beginner");
    press(&mut table, Command::Ask(Question::Save));
    press(&mut table, Command::Type('2'));
    let mut drawing = Drawing::new(60, 18, Look::Plain);
    assert_golden("play-typing", &text(drawing.draw(&table)));
    drawing.terminal.backend_mut().assert_cursor_position(Position::new(42, 14));
    // However much is typed, its end is seen.
    "a long name for a file that holds a game".chars().for_each(|typed| press(&mut table, Command::Type(typed)));
    assert!(text(drawing.draw(&table)).contains("that holds a game\n"));
}

#[test]
fn a_large_board_scrolls_with_the_cursor_and_the_wheel() {
    let mut table = table("120x60/900");
    let mut drawing = Drawing::new(80, 24, Look::Plain);
    drawing.draw(&table);
    press(&mut table, Command::Go(Direction::Down, 25));
    press(&mut table, Command::Go(Direction::Right, 30));
    let with_cursor = text(drawing.draw(&table));
    assert_golden("play-scrolled", &with_cursor);
    drawing.screen.scroll(-1, -3);
    let scrolled = text(drawing.draw(&table));
    assert_ne!(scrolled, with_cursor);
    drawing.screen.scroll(isize::MIN, isize::MIN);
    let corner = drawing.draw(&table).clone();
    let board = table.view().board();
    assert_eq!(corner.area.positions().find_map(|at| drawing.screen.cell_at(board, at)), Some(Cell(0)));
    // The cursor is out of sight until it moves.
    assert!(!text(&corner).contains('['));
    press(&mut table, Command::Go(Direction::Left, 1));
    assert!(text(drawing.draw(&table)).contains("[#]"));
    drawing.screen.scroll(isize::MAX, isize::MAX);
    let last = drawing.draw(&table).clone();
    assert_eq!(last.area.positions().filter_map(|at| drawing.screen.cell_at(board, at)).last(), Some(Cell(7199)));
}

#[test]
fn a_click_lands_on_the_cell_that_is_drawn_there() {
    let mut table = table("beginner");
    let mut drawing = Drawing::new(80, 24, Look::Plain);
    for cell in table.view().board().all_cells().collect::<Vec<_>>() {
        press(&mut table, Command::Click(cell, Button::Flag));
        let buffer = drawing.draw(&table).clone();
        let flag = buffer.area.positions().find(|&at| buffer[at].symbol() == "F").unwrap();
        assert_eq!(drawing.screen.cell_at(table.view().board(), flag), Some(cell));
        press(&mut table, Command::Click(cell, Button::Flag));
    }
}

#[test]
fn no_terminal_is_too_small_and_no_board_too_odd() {
    for board in ["1x1/0", "1x1/1", "1x300/20", "300x1/20", "65535x1/100", "16x16/256"] {
        let mut table = table(board);
        press(&mut table, Command::Hints);
        for (width, height) in [(1, 1), (20, 9), (21, 9), (20, 10), (80, 24), (300, 100)] {
            let mut drawing = Drawing::new(width, height, Look::Colored);
            drawing.draw(&table);
            press(&mut table, Command::Go(Direction::Right, usize::MAX));
            press(&mut table, Command::Go(Direction::Down, usize::MAX));
            drawing.draw(&table);
            drawing.screen.scroll(-2, -2);
            drawing.draw(&table);
        }
    }
}

/// In processor time, so that other work on the machine doesn't count.
#[test]
#[ignore = "a measurement: the slowest key of 18 games"]
fn a_key_reaches_the_screen_of_an_expert_game_within_20_ms() {
    let (mut slowest, mut moves) = (Duration::ZERO, 0);
    for (player, game) in ["7.0", "4.0", "5.0", "6.5", "agent", "3.5"].into_iter().cycle().take(18).zip(0..) {
        let mut table = Table::new(Settings {
            board: "expert".parse().unwrap(),
            first_click: FirstClick::Opening,
            seed: 1,
            game,
            line_up: Vec::new(),
            player: player.parse().unwrap(),
            node_limit: 1_000_000,
            value_model: |_, _| None,
        });
        let mut drawing = Drawing::new(80, 24, Look::Colored);
        press(&mut table, Command::Hints);
        drawing.draw(&table);
        while table.round().status() == Status::Playing {
            let began = ThreadTime::now();
            press(&mut table, Command::LetPlay);
            drawing.draw(&table);
            slowest = slowest.max(began.elapsed());
            moves += 1;
        }
    }
    println!("slowest of {moves} keys: {slowest:?}");
    assert!(moves > 200, "{moves}");
    assert!(slowest < Duration::from_millis(20), "{slowest:?}");
}

#[test]
fn the_candidates_of_a_guess_stand_beside_the_board_or_below_it() {
    let mut table = table("9x9/10");
    table.load(std::path::Path::new("guess.mine"), b"9x9x10\n1HHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\n").unwrap();
    press(&mut table, Command::Hints);
    let mut wide = Drawing::new(90, 24, Look::Plain);
    let beside = text(wide.draw(&table));
    let line =
        beside.lines().find(|line| line.contains("guess      mine  next  both   win")).expect("columns have names");
    assert!(line.trim_start().starts_with("0"), "beside the column numbers: {line}");
    // A far corner is the best: safe with 88.3 %, and often an opening.
    let best = beside.lines().find(|line| line.contains("11.7")).expect("candidates are listed");
    assert!(best.contains("(0, 8)") || best.contains("(8, 0)"), "{best}");
    let mut narrow = Drawing::new(40, 24, Look::Plain);
    let below = text(narrow.draw(&table));
    assert!(below.lines().any(|line| line.starts_with("guess      mine")), "{below}");
    press(&mut table, Command::Hints);
    assert!(!text(wide.draw(&table)).contains("guess      mine"));
}
