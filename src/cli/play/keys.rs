//! Turns keys and mouse events into commands.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use mineflow_minesweeper::play::{Button, Command, Direction, Mode, Question};
use mineflow_minesweeper::{Board, Cell};

/// Cells that the cursor or the window moves by at once.
const STRIDE: usize = 5;
const PAGE: usize = 10;
const WHEEL: isize = 3;

/// What an event asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Command(Command),
    /// Scrolls the board by this many cells.
    Scroll {
        down: isize,
        right: isize,
    },
    /// The size of the screen changed.
    Redraw,
    /// Ctrl-C.
    Interrupt,
}

/// What `event` asks for; `cell_at` finds the cell at a place of the screen. `None` if the event has no meaning here.
pub(super) fn asked(event: &Event, mode: &Mode, cell_at: impl Fn(Position) -> Option<Cell>) -> Option<Asked> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key, mode),
        Event::Mouse(mouse) => of_mouse(*mouse, mode, cell_at),
        Event::Resize(..) => Some(Asked::Redraw),
        _ => None,
    }
}

fn of_key(key: KeyEvent, mode: &Mode) -> Option<Asked> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && key.code == KeyCode::Char('c') {
        return Some(Asked::Interrupt);
    }
    let command = match mode {
        // Any key stops a player that plays on by itself.
        Mode::Playing => playing(key).unwrap_or(Command::Cancel),
        Mode::Help if key.code == KeyCode::Char('q') => Command::Quit,
        Mode::Help => Command::Cancel,
        Mode::Typing(_) => match key.code {
            KeyCode::Char(typed) if !control => Command::Type(typed),
            KeyCode::Backspace => Command::Erase,
            KeyCode::Enter => Command::Confirm,
            KeyCode::Esc => Command::Cancel,
            _ => return None,
        },
    };
    Some(Asked::Command(command))
}

fn playing(key: KeyEvent) -> Option<Command> {
    let is_stride = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::SHIFT);
    let steps = if is_stride { STRIDE } else { 1 };
    Some(match key.code {
        KeyCode::Up => Command::Go(Direction::Up, steps),
        KeyCode::Down => Command::Go(Direction::Down, steps),
        KeyCode::Left => Command::Go(Direction::Left, steps),
        KeyCode::Right => Command::Go(Direction::Right, steps),
        KeyCode::PageUp => Command::Go(Direction::Up, PAGE),
        KeyCode::PageDown => Command::Go(Direction::Down, PAGE),
        KeyCode::Home => Command::Go(Direction::Left, usize::MAX),
        KeyCode::End => Command::Go(Direction::Right, usize::MAX),
        KeyCode::Tab => Command::GoToAdvice,
        KeyCode::Enter | KeyCode::Char(' ') => Command::Press(Button::Open),
        KeyCode::Backspace => Command::Undo,
        KeyCode::F(1) => Command::Help,
        KeyCode::Esc => Command::Cancel,
        KeyCode::Char(_) if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => return None,
        KeyCode::Char(letter) => of_letter(letter)?,
        _ => return None,
    })
}

fn of_letter(letter: char) -> Option<Command> {
    Some(match letter {
        'f' => Command::Press(Button::Flag),
        'c' => Command::Press(Button::Chord),
        'u' => Command::Undo,
        'U' => Command::Redo,
        'r' => Command::Restart,
        'n' => Command::NewGame,
        '1' => Command::Play(board("beginner")),
        '2' => Command::Play(board("intermediate")),
        '3' => Command::Play(board("expert")),
        'b' => Command::Ask(Question::Board),
        'o' => Command::NextRule,
        's' => Command::Ask(Question::Save),
        'l' => Command::Ask(Question::Load),
        'h' => Command::Hints,
        'p' => Command::NextPlayer,
        'P' => Command::Ask(Question::Player),
        'a' => Command::LetPlay,
        'A' => Command::LetFinish,
        '?' => Command::Help,
        'q' => Command::Quit,
        _ => return None,
    })
}

fn board(name: &str) -> Board {
    name.parse().expect("the standard boards have names")
}

fn of_mouse(mouse: MouseEvent, mode: &Mode, cell_at: impl Fn(Position) -> Option<Cell>) -> Option<Asked> {
    let is_press = matches!(mouse.kind, MouseEventKind::Down(_));
    if *mode == Mode::Help && is_press {
        return Some(Asked::Command(Command::Cancel));
    } else if *mode != Mode::Playing {
        return None;
    }
    let click = |button| {
        cell_at(Position::new(mouse.column, mouse.row)).map(|cell| Asked::Command(Command::Click(cell, button)))
    };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => click(Button::Open),
        MouseEventKind::Down(MouseButton::Right) => click(Button::Flag),
        MouseEventKind::Down(MouseButton::Middle) => click(Button::Chord),
        MouseEventKind::ScrollUp if mouse.modifiers.contains(KeyModifiers::SHIFT) => scroll(0, -WHEEL),
        MouseEventKind::ScrollDown if mouse.modifiers.contains(KeyModifiers::SHIFT) => scroll(0, WHEEL),
        MouseEventKind::ScrollUp => scroll(-WHEEL, 0),
        MouseEventKind::ScrollDown => scroll(WHEEL, 0),
        MouseEventKind::ScrollLeft => scroll(0, -WHEEL),
        MouseEventKind::ScrollRight => scroll(0, WHEEL),
        _ => None,
    }
}

fn scroll(down: isize, right: isize) -> Option<Asked> {
    Some(Asked::Scroll { down, right })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers, mode: &Mode) -> Option<Asked> {
        asked(&Event::Key(KeyEvent::new(code, modifiers)), mode, |_| None)
    }

    #[test]
    fn every_letter_of_the_help_means_something_of_its_own() {
        let letters: Vec<char> = "fcuUnr123boslhpPaA?q".chars().collect();
        let commands: Vec<_> = letters.iter().map(|&letter| of_letter(letter).unwrap()).collect();
        for (index, command) in commands.iter().enumerate() {
            assert!(!commands[..index].contains(command), "{}", letters[index]);
        }
        let help = super::super::help::HELP.concat();
        assert!(letters.iter().all(|letter| *letter == '?' || help.contains(&format!(" {letter} "))));
    }

    #[test]
    fn letters_are_typed_where_a_text_is_asked_for() {
        let typing = Mode::Typing(mineflow_minesweeper::play::Prompt { question: Question::Load, text: String::new() });
        let q = |mode, modifiers| press(KeyCode::Char('q'), modifiers, mode);
        assert_eq!(q(&typing, KeyModifiers::NONE), Some(Asked::Command(Command::Type('q'))));
        assert_eq!(q(&typing, KeyModifiers::CONTROL), None);
        assert_eq!(q(&Mode::Playing, KeyModifiers::NONE), Some(Asked::Command(Command::Quit)));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL, &typing), Some(Asked::Interrupt));
        assert_eq!(press(KeyCode::F(9), KeyModifiers::NONE, &Mode::Playing), Some(Asked::Command(Command::Cancel)));
    }

    #[test]
    fn the_mouse_acts_on_the_cell_below_it() {
        let mouse = |kind, mode: &Mode| {
            let mouse = MouseEvent { kind, column: 7, row: 3, modifiers: KeyModifiers::NONE };
            asked(&Event::Mouse(mouse), mode, |at| (at == Position::new(7, 3)).then_some(Cell(5)))
        };
        let down = |button, mode| mouse(MouseEventKind::Down(button), mode);
        let click = |button| Some(Asked::Command(Command::Click(Cell(5), button)));
        assert_eq!(down(MouseButton::Left, &Mode::Playing), click(Button::Open));
        assert_eq!(down(MouseButton::Right, &Mode::Playing), click(Button::Flag));
        assert_eq!(down(MouseButton::Middle, &Mode::Playing), click(Button::Chord));
        assert_eq!(down(MouseButton::Left, &Mode::Help), Some(Asked::Command(Command::Cancel)));
        assert_eq!(mouse(MouseEventKind::Moved, &Mode::Playing), None);
        assert_eq!(mouse(MouseEventKind::ScrollUp, &Mode::Playing), scroll(-WHEEL, 0));
    }
}
