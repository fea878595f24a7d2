//! Reads games that were recorded by Minesweeper programs, and replays their clicks on the board.
//!
//! | format | program | clicks |
//! |---|---|---|
//! | `.avf` | Minesweeper Arbiter | yes |
//! | `.evf`, versions 0 to 4 | Metasweeper | yes |
//! | `.mvf`, up to 0.96, 0.97, 2006 and 2007 | Minesweeper Clone | yes |
//! | `.rmv`, formats 1 and 2 | Viennasweeper | yes |
//! | RawVF, a text | FreeSweeper, [`SavedGame::rawvf`](crate::play::SavedGame::rawvf) and converters of the other formats | yes |
//! | a line of JSON | the games that `pipeline eval --keep-games` writes | yes, without times |
//! | `.mbf` | many | no, only the mines |
//!
//! [`read`] recognises the format by its content, not by the file's name. Files hold the presses
//! and releases of mouse buttons; [`read`] converts these events into clicks that open, flag,
//! unflag or chord a cell. [`Replay::play`] applies the clicks to the board and lists the cells
//! that each of them opened. [`Replay::review`] judges each move: its loss relative to the best
//! cell, whether the move was proved safe, a needless guess or a 50/50, and the luck of a guess.
//!
//! Files are untrusted. A file is at most [`MAX_BYTES`] long and holds at most [`MAX_CLICKS`]
//! clicks, every read is checked, and errors name the byte or the line. Checksums are not verified,
//! as their keys are secret. A replay thus does not prove who played the game.
//!
//! The crate `ms_toollib` also reads the binary replay formats (`.avf`, `.evf`, `.mvf`, `.rmv`). It
//! is not used here, for two reasons. First, on `wasm32-unknown-unknown` its dependencies
//! `web-time` and `getrandom` need `wasm-bindgen`, which the web page does not have. Second,
//! `ms_toollib` panics on malformed files, for instance on a mine in row 0 or an unknown event
//! code. The modules here follow the published descriptions of the formats, and share no code with
//! `ms_toollib`.
//!
//! ```
//! use mineflow_minesweeper::{Status, replay};
//!
//! let text = "Program: FreeSweeper\nWidth: 3\nHeight: 1\nMines: 1\nBoard:\n00*\nEvents:\n0.000 lc (8 8)\n0.120 lr (8 8)\n";
//! let replay = replay::read(text.as_bytes()).unwrap();
//! let play = replay.play().unwrap();
//! assert_eq!((replay.clicks.len(), play.status), (1, Status::Won));
//! assert_eq!(play.moves[0].opened.len(), 2); // the zero opens its neighbour
//! ```

mod avf;
mod bytes;
mod evf;
mod json;
mod mouse;
mod mvf;
mod play;
mod rawvf;
mod review;
mod reviewer;
mod rmv;

use std::fmt;

use crate::{
    Board, BoardError, Cell, FirstClick, Minefield, mbf,
    play::{KeptError, SavedGame},
    player::GameEnd,
};
use mineflow_store::named;

use bytes::Bytes;
pub use json::{JudgedGame, end_name};
pub use play::{Move, Play};
pub use review::{Judgement, Mark, Review, ReviewedMove, Verdict};

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// The largest number of clicks in a replay.
pub const MAX_CLICKS: usize = 100_000;

/// The format of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// A replay of Minesweeper Arbiter.
    Avf,
    /// A replay of Metasweeper.
    Evf,
    /// A replay of Minesweeper Clone.
    Mvf,
    /// A replay of Viennasweeper.
    Rmv,
    /// A replay in the open text format RawVF.
    RawVf,
    /// A board file, which contains the mines but no clicks.
    Mbf,
    /// A line of a file of saved games.
    Kept,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Avf => "Arbiter replay (.avf)",
            Self::Evf => "Metasweeper replay (.evf)",
            Self::Mvf => "Minesweeper Clone replay (.mvf)",
            Self::Rmv => "Viennasweeper replay (.rmv)",
            Self::RawVf => "RawVF text",
            Self::Mbf => "board file (.mbf)",
            Self::Kept => "saved game",
        })
    }
}

/// The error returned for bytes that are not a replay, or for a replay that can't be played.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(
        "the file has {0} bytes; a replay has at most {MAX_BYTES}. Give the replay of a single game"
    )]
    TooLarge(usize),
    #[error(
        "these {0} bytes are no replay in a known format; give a file of Arbiter (.avf), Metasweeper (.evf), Minesweeper Clone (.mvf) or \
         Viennasweeper (.rmv), a RawVF text, a board file (.mbf) or a line of a file of saved games"
    )]
    Unknown(usize),
    #[error("the {format} ends at byte {at}, in the middle of {part}; save or download it again")]
    Short {
        format: Format,
        at: usize,
        part: &'static str,
    },
    #[error("the {format} is damaged at byte {at}: {found}; save or download it again")]
    Damaged {
        format: Format,
        at: usize,
        found: String,
    },
    #[error("line {line} of the RawVF text: {found}; correct it or convert the replay again")]
    Line { line: usize, found: String },
    #[error("the board of the {format}: {error}; save or download the replay again")]
    Board { format: Format, error: BoardError },
    #[error(
        "{version} of the {format} is not supported; convert the replay to RawVF with the program that wrote it"
    )]
    Version { format: Format, version: String },
    #[error(
        "the game was played by other rules ({0}), which can't be replayed here; give a game with the usual rules"
    )]
    Rules(String),
    #[error(
        "the {format} has more than {MAX_CLICKS} clicks; give the replay of a game that a person played"
    )]
    TooManyClicks { format: Format },
    #[error(
        "the file is a set of Metasweeper replays (.evfs); save one of its games as a file of its own (.evf)"
    )]
    Set,
    #[error(
        "the {format} says that the game was {}, but its clicks {}; the program that wrote it has rules that are not known here",
        if *won { "won" } else { "not won" },
        if *won { "do not open all safe cells" } else { "open all safe cells" }
    )]
    Contradiction { format: Format, won: bool },
    #[error(transparent)]
    Mbf(#[from] mbf::MbfError),
    #[error(transparent)]
    Kept(#[from] KeptError),
}

/// The effect of a click.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClickKind {
    /// Opens the cell.
    Open,
    /// Puts a flag on the cell.
    Flag,
    /// Removes the flag of the cell.
    Unflag,
    /// Opens all neighbours without a flag, if the number of flags around the open cell equals the
    /// cell's number.
    Chord,
}

named!(ClickKind, "click": Open = "open", Flag = "flag", Unflag = "unflag", Chord = "chord");

/// A click of the player on a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Click {
    /// The time since the recording began, in seconds. Saved games have no times; their clicks are
    /// set one second apart.
    pub seconds: f64,
    pub kind: ClickKind,
    pub cell: Cell,
}

/// The record of a game that somebody played.
#[derive(Clone, Debug)]
pub struct Replay {
    pub format: Format,
    /// The program that recorded the game, as the file names it.
    pub program: String,
    /// The name of the player as stated in the file, if any. The name is personal data: show it
    /// only to the user who provided the file.
    pub player: Option<String>,
    /// The minefield.
    pub field: Minefield,
    /// The first-click rule of the game. Only saved games state the rule; in other formats it is
    /// [`FirstClick::Safe`] unless the game mode implies another rule.
    pub first_click: FirstClick,
    /// The clicks in order, without those after the end of the game or off the board. Right clicks
    /// on open cells are omitted, as they can only begin a chord.
    pub clicks: Vec<Click>,
    /// Whether the game was won according to the file; `None` if the file does not state the
    /// result.
    pub won: Option<bool>,
}

impl Replay {
    /// Returns the size and number of mines.
    pub fn board(&self) -> Board {
        self.field.board()
    }

    /// Applies the clicks to the board.
    ///
    /// # Errors
    /// Returns an error if the result stated in the file differs from the result of its clicks.
    pub fn play(&self) -> Result<Play, ReplayError> {
        play::play(self)
    }
}

/// Reads a replay of any known format, which is recognised by its content.
///
/// # Errors
/// Returns an error if the bytes are not a replay, are damaged, or hold a game with other rules.
pub fn read(bytes: &[u8]) -> Result<Replay, ReplayError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReplayError::TooLarge(bytes.len()));
    }
    match format_of(bytes).ok_or(ReplayError::Unknown(bytes.len()))? {
        Format::Avf => avf::read(bytes),
        Format::Evf => evf::read(bytes),
        Format::Mvf => mvf::read(bytes),
        Format::Rmv => rmv::read(bytes),
        Format::RawVf => rawvf::read(bytes),
        Format::Mbf => Ok(Replay {
            format: Format::Mbf,
            program: "unknown".to_owned(),
            player: None,
            field: mbf::read(bytes)?,
            first_click: FirstClick::Safe,
            clicks: Vec::new(),
            won: None,
        }),
        Format::Kept => read_kept(bytes),
    }
}

/// Returns the format recognised from the content, if any. Formats with a signature are tried
/// first.
pub fn format_of(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    if bytes.starts_with(rmv::SIGNATURE) {
        Some(Format::Rmv)
    } else if mvf::is_signed(bytes) {
        Some(Format::Mvf)
    } else if text.starts_with(b"{") {
        Some(Format::Kept)
    } else if rawvf::is_text(text) {
        Some(Format::RawVf)
    } else if is_board_file(bytes) {
        Some(Format::Mbf)
    } else if mvf::is_old(bytes) {
        Some(Format::Mvf)
    } else if bytes.first().is_some_and(|&version| version < b'\t') {
        // The version is a small number; Arbiter's files start with 22 or more, and texts with a
        // tab or more.
        Some(Format::Evf)
    } else if avf::is_likely(bytes) {
        Some(Format::Avf)
    } else {
        None
    }
}

/// Returns whether the length of the file exactly matches the number of mines in its header.
fn is_board_file(bytes: &[u8]) -> bool {
    matches!(bytes, [width, height, high, low, ..]
        if *width > 0 && *height > 0 && bytes.len() == 4 + 2 * usize::from(u16::from_be_bytes([*high, *low])))
}

fn read_kept(bytes: &[u8]) -> Result<Replay, ReplayError> {
    let format = Format::Kept;
    let text = std::str::from_utf8(bytes).map_err(|error| ReplayError::Damaged {
        format,
        at: error.valid_up_to(),
        found: "it is not UTF-8".to_owned(),
    })?;
    let kept: SavedGame = text.trim_start_matches('\u{feff}').trim().parse()?;
    let opened = kept.moves.iter().flat_map(|made| &made.cells);
    let clicks: Vec<Click> = (0_u32..)
        .zip(opened.take(MAX_CLICKS + 1))
        .map(|(second, &cell)| Click {
            seconds: f64::from(second),
            kind: ClickKind::Open,
            cell,
        })
        .collect();
    if clicks.len() > MAX_CLICKS {
        return Err(ReplayError::TooManyClicks { format });
    }
    Ok(Replay {
        format,
        program: "mineflow".to_owned(),
        player: Some(kept.player),
        first_click: kept.first_click,
        field: kept.field,
        clicks,
        won: Some(kept.end == GameEnd::Won),
    })
}

/// Returns the first-click rule of the game mode with this number in an `.evf` or `.rmv` file.
///
/// # Errors
/// Returns an error if the mode has other rules or is unknown.
fn promise_of_mode(mode: u16) -> Result<FirstClick, ReplayError> {
    match mode {
        // In a UPK game the player has seen the board before.
        1 => Ok(FirstClick::Any),
        4 => Ok(FirstClick::Opening),
        0 | 2 | 3 | 5..=10 => Ok(FirstClick::Safe),
        _ => Err(ReplayError::Rules(format!("game mode {mode}"))),
    }
}

/// Decodes a name as UTF-8, or as Latin-1 if it is not UTF-8, and removes control characters.
/// Returns `None` if nothing is left. Names in another encoding, such as GB 18030, are decoded to
/// wrong letters.
fn name(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).map_or_else(
        |_| bytes.iter().copied().map(char::from).collect(),
        str::to_owned,
    );
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    Some(text.trim())
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}
