//! A state of a game.

/// A state: one bit per fluent, in the order of [`super::Grounding::fluents`] or of a
/// [`super::RuleTable`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct GameState(Box<[u64]>);

impl GameState {
    /// Returns the state of `fluents` bits in which exactly the fluents that satisfy `holds` hold.
    pub fn new(fluents: usize, holds: impl Fn(usize) -> bool) -> Self {
        let word = |word: usize| {
            (64 * word..fluents.min(64 * word + 64))
                .fold(0, |bits, f| bits | u64::from(holds(f)) << (f % 64))
        };
        Self((0..fluents.div_ceil(64)).map(word).collect())
    }

    /// Returns the state in which exactly the given fluents hold, with the smallest possible
    /// length.
    pub(super) fn of(fluents: impl Iterator<Item = usize>) -> Self {
        let mut words = Vec::new();
        for fluent in fluents {
            if words.len() <= fluent / 64 {
                words.resize(fluent / 64 + 1, 0);
            }
            words[fluent / 64] |= 1 << (fluent % 64);
        }
        Self(words.into())
    }

    /// Returns the fluents that hold, in ascending order.
    pub(super) fn holding(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let place = 64 * index + word.trailing_zeros() as usize;
                    word &= word - 1;
                    place
                })
            })
        })
    }

    /// Returns whether a fluent holds.
    pub fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }
}
