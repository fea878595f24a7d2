//! Programs as players: any program that speaks the text [protocol](super::protocol).

use std::{path::PathBuf, sync::OnceLock};

use serde::Deserialize;

/// The text before the command of a program where a player is named.
pub const EXEC: &str = "exec:";

/// A program that plays. The settings of `exec:FILE.toml` are read into it.
#[derive(PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Program {
    /// The command, which `sh` reads.
    pub command: String,
    /// The name of the player; by default the name that the program gives, with [`Self::text`].
    pub name: String,
    /// The working folder; by default that of this process.
    pub folder: PathBuf,
    /// The seconds for a move; by default 10.
    pub time: Option<f64>,
    /// The player as it is typed, without [`EXEC`].
    #[serde(skip)]
    pub text: String,
    /// The SHA-256 hash of the program's files.
    #[serde(skip)]
    pub sha256: String,
    /// The file to which stderr is appended, once it is set.
    #[serde(skip)]
    pub log: OnceLock<PathBuf>,
    /// Why the program lost a game by a fault the first time.
    #[serde(skip)]
    pub fault: OnceLock<String>,
    /// The number of games that the program plays at once; above 1, lines have numbers.
    #[serde(skip)]
    pub(super) at_once: usize,
}
