//! How many samples a stage gets before lines go on from it.

use std::fmt;
use std::str::FromStr;

/// Samples of a stage before a line goes on to the next (English paper, section 4.3, which says 10,000 in a footnote).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SamplesAStage {
    /// So many; with one, every line adds a stage, as a search in a tree does.
    Fixed(u32),
    /// One an arm.
    Arms,
    /// Two an arm, and at least a twentieth of the move's playouts.
    Share,
}

impl Default for SamplesAStage {
    fn default() -> Self {
        Self::Fixed(1)
    }
}

impl SamplesAStage {
    /// What may be typed.
    pub(super) const EXPECTED: &'static str =
        "a number above 0, arms (one an arm) or share (two an arm, and a twentieth of the move's playouts at least)";

    /// How many samples a stage with this number of arms gets, in a move of `planned` playouts.
    pub(super) fn of(self, arms: usize, planned: u64) -> u32 {
        match self {
            Self::Fixed(samples) => samples,
            Self::Arms => arms as u32,
            Self::Share => (2 * arms as u64).max(planned / 20) as u32,
        }
    }
}

impl fmt::Display for SamplesAStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(samples) => write!(f, "{samples}"),
            Self::Arms => write!(f, "arms"),
            Self::Share => write!(f, "share"),
        }
    }
}

impl FromStr for SamplesAStage {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match (text, text.parse()) {
            ("arms", _) => Ok(Self::Arms),
            ("share", _) => Ok(Self::Share),
            (_, Ok(samples)) if samples > 0 => Ok(Self::Fixed(samples)),
            _ => Err(()),
        }
    }
}
