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
    /// The policy chooses the value, before chance.
    Decision,
    /// Chance draws the value from the distribution of the variable.
    Chance,
    /// The hard constraints determine the value, after chance: the fluents of the next stage are
    /// such variables.
    Outcome,
}
