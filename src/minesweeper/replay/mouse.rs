//! Converts mouse events into clicks.

use super::play::Referee;
use super::{Click, ClickKind, Format, MAX_CLICKS, ReplayError};
use crate::{Cell, CellSet, CellView, Minefield, Status};

/// A button of the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Button {
    Left,
    Right,
    /// The middle button, which acts as left and right together if pressed alone.
    Middle,
}

/// A recorded event. Movements are omitted, as they have no effect on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
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

/// The state of the left button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    pub(super) fn new(format: Format, field: &Minefield, square: u8, marks: bool) -> Self {
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
    pub(super) fn with_left_down(self) -> Self {
        Self {
            left: Left::Down,
            ..self
        }
    }

    pub(super) fn into_clicks(self) -> Vec<Click> {
        self.clicks
    }

    /// Processes an event at this time and pixel. Pixels are counted from the top left corner of
    /// the board.
    pub(super) fn event(
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

    /// Processes an event at this time on `cell`, which is `None` off the board.
    pub(super) fn event_at(
        &mut self,
        seconds: f64,
        event: Event,
        cell: Option<Cell>,
    ) -> Result<(), ReplayError> {
        let event = match event {
            Event::Switch(button) if self.is_down(button) => Event::Release(button),
            Event::Switch(button) => Event::Press(button),
            event => event,
        };
        let kind = match event {
            Event::SwitchMarks => {
                self.marks = !self.marks;
                None
            }
            Event::Preflag => cell
                .filter(|&cell| self.referee.at(cell) == CellView::Covered)
                .map(|_| ClickKind::Flag),
            Event::PressOther => {
                (self.left, self.right) = (Left::Down, true);
                None
            }
            Event::ShiftPress => {
                (self.left, self.shift) = (Left::Down, true);
                None
            }
            Event::Press(Button::Left) => {
                if self.left == Left::Up {
                    self.left = Left::Down;
                }
                None
            }
            Event::Press(Button::Right) => {
                let begins = !self.right && self.left == Left::Up;
                self.right = true;
                if begins { self.right_click(cell) } else { None }
            }
            Event::Press(Button::Middle) => {
                self.middle = true;
                None
            }
            Event::Release(Button::Left) => {
                let left = std::mem::replace(&mut self.left, Left::Up);
                let shift = std::mem::take(&mut self.shift);
                match left {
                    Left::Up => None,
                    _ if self.right || shift => Some(ClickKind::Chord),
                    Left::Down => Some(ClickKind::Open),
                    Left::Spent => None,
                }
            }
            Event::Release(Button::Right) => {
                let chords = self.right && self.left != Left::Up;
                self.right = false;
                if chords {
                    self.left = Left::Spent;
                }
                chords.then_some(ClickKind::Chord)
            }
            Event::Release(Button::Middle) => {
                std::mem::take(&mut self.middle).then_some(ClickKind::Chord)
            }
            // `Switch` was converted to a press or a release above.
            Event::Switch(_) => None,
        };
        let Some((kind, cell)) = kind.zip(cell) else {
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

    fn is_down(&self, button: Button) -> bool {
        match button {
            Button::Left => self.left != Left::Up,
            Button::Right => self.right,
            Button::Middle => self.middle,
        }
    }

    /// Returns the effect of a right click, or `None` if it changes no flag. The states of a
    /// covered cell cycle through covered, flag, and question mark if enabled.
    fn right_click(&mut self, cell: Option<Cell>) -> Option<ClickKind> {
        let cell = cell?;
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
