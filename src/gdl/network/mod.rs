//! A game as stochastic constraint networks, each of which represents the stage of any state
//! (Koriche et al. (MAC-UCB), "General Game Playing with Stochastic CSP", sections 3.2 and 3.3).
//!
//! | Koriche et al. | here |
//! |---|---|
//! | terminal variable `g_t` | a Boolean decision variable, like every variable that the state alone determines |
//! | fluents `f_t`, `f_{t+1}` | one variable per group of mutually exclusive fluents: decision at `t`, outcome at `t + 1`; 0 if none hold |
//! | actions `a_{t,p}` | one decision variable per role, with one value per action |
//! | chance `y_t` | a chance variable, uniform over the true `legal` indicators `b_{t,i}` |
//! | additional variables | Booleans for the sheet's own predicates and for parts of rules whose tables would be too large |
//! | hard constraints | each defines one variable by a table over others; an action can be taken only if its `legal` variable is true |
//! | goal | a Boolean per goal atom; its utility comes from the states that samples reach |
//!
//! Koriche et al. use one variable per atom name, whose domain consists of all combinations of
//! arguments. If several fluents of a name hold at once, as the cells of a board do, this approach
//! takes one variable per cell, which is also the result of grouping. Loops of rules cannot be
//! expressed by tables: the atoms in loops are variables whose values are given with the state.

mod actions;
mod builder;
mod groups;
mod implied;
mod loops;
mod tables;

use builder::Builder;
use groups::Groups;
use loops::Loops;

use super::{grounding::Grounding, state::GameState};
use mineflow_search::scsp::{ConstraintNetwork, NetworkError, Variable};

/// Selects which of a game's rules a network contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// The rules of `legal`, `next` and `terminal`: the stage of every state but the last. In a
    /// terminal state without legal actions, this network has no solution.
    Stage,
    /// The rules of `terminal` and `goal`: the last stage.
    Goals,
}

/// The reason why a sheet cannot be represented by a constraint network of tables.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GameNetworkError {
    #[error("`{atom}` depends on moves and on itself: such rules have no constraint network")]
    LoopOverMoves { atom: String },
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The constraint network of a game's stage, and the meaning of its variables.
#[derive(Clone, Debug)]
pub struct GameNetwork {
    network: ConstraintNetwork,
    groups: Groups,
    loops: Loops,
    /// For each atom in a loop, its variable, if the network contains one.
    loop_variables: Vec<Option<Variable>>,
    state: Vec<Variable>,
    next: Vec<Variable>,
    actions: Vec<Variable>,
    terminal: Variable,
    goals: Vec<Vec<(u8, Variable)>>,
}

impl GameNetwork {
    /// Builds the constraint network of the rules that `rules` selects.
    ///
    /// # Errors
    /// Returns an error for rules that depend on moves and on themselves, or for tables that are
    /// too large.
    pub fn new(grounding: &Grounding, rules: Rules) -> Result<Self, GameNetworkError> {
        let components = grounding.loops();
        let loops = Loops::new(grounding, &components);
        Builder::new(grounding, loops)?.build(&components, rules)
    }

    /// Returns the network as it was built. Call [`ConstraintNetwork::preprocess`] on a copy before
    /// solving it.
    pub const fn network(&self) -> &ConstraintNetwork {
        &self.network
    }

    /// Appends to `given` the values that a state determines: the values of the fluents and of the
    /// atoms in loops.
    pub fn give(&self, grounding: &Grounding, state: &GameState, given: &mut Vec<(Variable, u32)>) {
        for (members, &x) in self.groups.members.iter().zip(&self.state) {
            let held = members.iter().position(|&fluent| state.holds(fluent));
            given.push((x, held.map_or(0, |place| place as u32 + 1)));
        }
        if self.loop_variables.iter().any(Option::is_some) {
            let values = self.loops.evaluate(grounding, state);
            let known = self.loop_variables.iter().zip(values);
            given.extend(known.filter_map(|(x, value)| Some(((*x)?, u32::from(value)))));
        }
    }

    /// Returns the variable of a role's action; its values are the actions of
    /// [`Grounding::actions`].
    pub fn action(&self, role: usize) -> Variable {
        self.actions[role]
    }

    /// Returns the Boolean variable that says whether the state is terminal.
    pub const fn terminal(&self) -> Variable {
        self.terminal
    }

    /// Returns the goals of a role with their Boolean variables. The list is empty in a network
    /// without `goal`.
    pub fn goals(&self, role: usize) -> &[(u8, Variable)] {
        &self.goals[role]
    }

    /// Returns the variables of the next state, in the order in which [`Self::give`] lists those of a
    /// state.
    pub fn next(&self) -> &[Variable] {
        &self.next
    }
}
