//! Variables of a network.

/// A variable of one network, by its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub(super) u32);

impl Variable {
    /// The number of the variable: 0 for the first that the network was given.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who gives a variable its value, in the order of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// The policy does, before chance.
    Decision,
    /// Chance does, by its distribution.
    Chance,
    /// The hard constraints do, after chance: the fluents of the next stage.
    Outcome,
}
