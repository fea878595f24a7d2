//! A state of a game.

/// A state: the fluents that hold, a bit each, in the order of [`super::Grounding::fluents`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct GameState(Box<[u64]>);

impl GameState {
    /// The state in which exactly these fluents hold.
    pub fn new(fluents: usize, holds: impl Fn(usize) -> bool) -> Self {
        let word = |word: usize| {
            (64 * word..fluents.min(64 * word + 64)).fold(0, |bits, f| bits | u64::from(holds(f)) << (f % 64))
        };
        Self((0..fluents.div_ceil(64)).map(word).collect())
    }

    /// Whether a fluent holds.
    pub fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }
}
