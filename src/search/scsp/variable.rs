//! Variables of a network.

/// A variable of a network, identified by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub(super) u32);

impl Variable {
    /// Returns the number of the variable; the first one added to the network is 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What determines a variable's value. The kinds are in the order of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// The policy, before chance.
    Decision,
    /// Chance, by its distribution.
    Chance,
    /// The hard constraints, after chance: the fluents of the next stage.
    Outcome,
}
