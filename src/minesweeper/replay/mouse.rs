//! Converts mouse events into clicks.

use super::{Click, ClickKind, Format, MAX_CLICKS, ReplayError, play::Referee};
use crate::{Cell, CellSet, CellView, Minefield, Status};

/// A button of the mouse.
#[derive(Clone, Copy)]
pub(super) enum Button {
    Left,
    Right,
    /// The middle button, which acts as left and right together if pressed alone.
    Middle,
}

/// A recorded event.
#[derive(Clone, Copy)]
pub(super) enum Event {
    /// A movement, which has no effect on the board.
    Move,
    Press(Button),
    Release(Button),
    /// A press if the button is up, a release if it is down.
    Switch(Button),
    /// A press of the left button while the shift key is held, which makes a chord.
    ShiftPress,
    /// A press that completes the pair of left and right buttons; the file does not say which of
    /// the two was pressed.
    PressOther,
    /// A flag that was set before the recording began.
    Preflag,
    /// A toggle of the option for question marks.
    SwitchMarks,
}

impl Event {
    /// Returns the event with a number from 1 to 7 in the files of Metasweeper and Viennasweeper,
    /// or `None` for another number.
    pub fn numbered(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Move,
            2 => Self::Press(Button::Left),
            3 => Self::Release(Button::Left),
            4 => Self::Press(Button::Right),
            5 => Self::Release(Button::Right),
            6 => Self::Press(Button::Middle),
            7 => Self::Release(Button::Middle),
            _ => return None,
        })
    }
}

/// The state of the left button.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Up,
    Down,
    /// The button is still down after a chord whose right button was released first. Releasing it
    /// has no effect unless the right button is pressed again.
    Spent,
}

/// Tracks the buttons and the board, and records the clicks.
///
/// Releasing the left button opens a cell. Pressing the right button while the left one is up flags
/// a cell. While both are down, releasing either makes a chord.
pub(super) struct Recorder {
    format: Format,
    referee: Referee,
    /// The side of a cell in pixels, above 0.
    square: i32,
    /// Whether a right click on a flag changes it to a question mark.
    marks: bool,
    questions: CellSet,
    left: Left,
    shift: bool,
    right: bool,
    middle: bool,
    clicks: Vec<Click>,
}

impl Recorder {
    pub fn new(format: Format, field: &Minefield, square: u8, marks: bool) -> Self {
        Self {
            format,
            square: i32::from(square).max(1),
            marks,
            questions: CellSet::new(field.board().cells()),
            referee: Referee::new(field.clone()),
            left: Left::Up,
            shift: false,
            right: false,
            middle: false,
            clicks: Vec::new(),
        }
    }

    /// Starts the recording with the left button down.
    pub fn with_left_down(self) -> Self {
        Self {
            left: Left::Down,
            ..self
        }
    }

    pub fn into_clicks(self) -> Vec<Click> {
        self.clicks
    }

    /// Processes an event at this time and pixel. Pixels are counted from the top left corner of
    /// the board.
    pub fn event(
        &mut self,
        seconds: f64,
        event: Event,
        (x, y): (i32, i32),
    ) -> Result<(), ReplayError> {
        let place = |pixel: i32| usize::try_from(pixel.div_euclid(self.square)).ok();
        let cell = place(y)
            .zip(place(x))
            .and_then(|(row, col)| self.referee.cell(row, col));
        self.event_at(seconds, event, cell)
    }

    /// Processes the presses, then the releases that lead to the given state of the left, right and
    /// middle buttons: true if the button is down.
    pub fn buttons(
        &mut self,
        seconds: f64,
        down: [bool; 3],
        pixel: (i32, i32),
    ) -> Result<(), ReplayError> {
        for presses in [true, false] {
            for (button, down) in [Button::Left, Button::Right, Button::Middle]
                .into_iter()
                .zip(down)
            {
                if down == presses && self.is_down(button) != down {
                    self.event(seconds, Event::Switch(button), pixel)?;
                }
            }
        }
        Ok(())
    }

    /// Processes an event at this time on `cell`, which is `None` off the board.
    pub fn event_at(
        &mut self,
        seconds: f64,
        event: Event,
        cell: Option<Cell>,
    ) -> Result<(), ReplayError> {
        let Some((kind, cell)) = self.effect(event, cell).zip(cell) else {
            return Ok(());
        };
        if self.referee.status() != Status::Playing {
            return Ok(());
        }
        if self.clicks.len() == MAX_CLICKS {
            return Err(ReplayError::TooManyClicks {
                format: self.format,
            });
        }
        let click = Click {
            seconds,
            kind,
            cell,
        };
        self.referee.apply(click);
        self.clicks.push(click);
        Ok(())
    }

    /// Tracks the buttons and options; returns the click that the event makes on `cell`, if any.
    fn effect(&mut self, event: Event, cell: Option<Cell>) -> Option<ClickKind> {
        match event {
            Event::Move => {}
            Event::Switch(button) if self.is_down(button) => {
                return self.effect(Event::Release(button), cell);
            }
            Event::Switch(button) => return self.effect(Event::Press(button), cell),
            Event::SwitchMarks => self.marks = !self.marks,
            Event::Preflag => {
                return cell
                    .filter(|&cell| self.referee.is_covered(cell))
                    .map(|_| ClickKind::Flag);
            }
            Event::PressOther => (self.left, self.right) = (Left::Down, true),
            Event::ShiftPress => (self.left, self.shift) = (Left::Down, true),
            Event::Press(Button::Left) => {
                if self.left == Left::Up {
                    self.left = Left::Down;
                }
            }
            Event::Press(Button::Right) => {
                if !std::mem::replace(&mut self.right, true) && self.left == Left::Up {
                    return self.right_click(cell?);
                }
            }
            Event::Press(Button::Middle) => self.middle = true,
            Event::Release(Button::Left) => {
                let shift = std::mem::take(&mut self.shift);
                return match std::mem::replace(&mut self.left, Left::Up) {
                    Left::Up => None,
                    _ if self.right || shift => Some(ClickKind::Chord),
                    Left::Down => Some(ClickKind::Open),
                    Left::Spent => None,
                };
            }
            Event::Release(Button::Right) => {
                if std::mem::take(&mut self.right) && self.left != Left::Up {
                    self.left = Left::Spent;
                    return Some(ClickKind::Chord);
                }
            }
            Event::Release(Button::Middle) => {
                return std::mem::take(&mut self.middle).then_some(ClickKind::Chord);
            }
        }
        None
    }

    fn is_down(&self, button: Button) -> bool {
        match button {
            Button::Left => self.left != Left::Up,
            Button::Right => self.right,
            Button::Middle => self.middle,
        }
    }

    /// Returns the effect of a right click, or `None` if it changes no flag. The states of a
    /// covered cell cycle through covered, flag, and question mark if enabled.
    fn right_click(&mut self, cell: Cell) -> Option<ClickKind> {
        match self.referee.at(cell) {
            CellView::Open(_) => None,
            CellView::Flagged => {
                if self.marks {
                    self.questions.insert(cell);
                }
                Some(ClickKind::Unflag)
            }
            CellView::Covered if self.questions.remove(cell) => None,
            CellView::Covered => Some(ClickKind::Flag),
        }
    }
}
