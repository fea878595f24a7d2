//! What a person can ask for, and what then has to be done outside the table.

use std::path::PathBuf;

use crate::{Board, Cell};

/// Where the cursor goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// What is done to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Button {
    /// Opens a covered cell; a chord on an open one.
    Open,
    Flag,
    Chord,
}

/// One thing that a person asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Moves the cursor by this many cells, at most to the edge.
    Go(Direction, usize),
    /// Moves the cursor to the cell that the player would open, if hints are shown.
    GoToAdvice,
    /// Acts on the cell under the cursor.
    Press(Button),
    /// Moves the cursor and acts there.
    Click(Cell, Button),
    Undo,
    Redo,
    /// Takes all moves back: the same mines again.
    Restart,
    /// Another game on a board like this one.
    NewGame,
    /// Another game on another board.
    Play(Board),
    /// The next first-click rule, and another game.
    NextRule,
    /// Shows or hides probabilities and advice.
    Hints,
    /// Asks the next player of the line-up.
    NextPlayer,
    /// Lets the player make one move.
    LetPlay,
    /// Lets the player go on until the game is over or another command comes.
    LetFinish,
    /// Asks for a text.
    Ask(Question),
    /// A character for the text that was asked for.
    Type(char),
    /// Takes the last character of the text away.
    Erase,
    /// Ends the text.
    Confirm,
    /// Leaves the text or the help; stops a player that plays by itself.
    Cancel,
    Help,
    Quit,
}

/// What a text is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// The file to save to.
    Save,
    /// The file to load.
    Load,
    /// The player to ask.
    Player,
    /// The board to play on.
    Board,
    /// Whether a file that is there gives way to these bytes.
    Replace { path: PathBuf, bytes: Vec<u8> },
}

/// A text that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    pub question: Question,
    pub text: String,
}

/// What the keys mean at the moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    #[default]
    Playing,
    Help,
    Typing(Prompt),
}

/// What has to be done outside before the table continues; it gets the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    Nothing,
    Quit,
    /// Find the player of that name or recipe, then [`Table::seat`](super::Table::seat).
    Find(String),
    /// Read a file, then [`Table::load`](super::Table::load).
    Read(PathBuf),
    /// Write a file, then [`Table::saved`](super::Table::saved).
    Write {
        path: PathBuf,
        bytes: Vec<u8>,
        existing: Existing,
    },
}

/// What becomes of a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Existing {
    Keep,
    Replace,
}

/// How writing a file went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    Done,
    /// There is a file, and it was to be kept.
    Exists,
    Failed(String),
}
