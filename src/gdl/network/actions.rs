//! Constraints on actions: which action each role takes, and that the action is legal.

use super::{GameNetworkError, builder::Builder, tables::Test};
use mineflow_search::scsp::{Variable, VariableKind};

/// The maximum number of actions for which one variable is used directly. For a role with more
/// actions, additional variables represent parts of the action's domain.
const MOST_ACTIONS_WHOLE: usize = 64;

impl Builder<'_> {
    /// Returns a test of a small variable that decides whether a role does an action. The variable
    /// is either the role's action itself, or a piece that represents a run of consecutive actions:
    /// its value is the place in the run, or the length of the run for all other actions.
    pub fn test_of_action(&mut self, role: usize, action: usize) -> Result<Test, GameNetworkError> {
        if self.pieces[role].is_empty() {
            self.pieces[role] = self.pieces_of(role, VariableKind::Outcome)?;
        }
        let run = run_length(self.grounding.actions[role].len());
        Ok(Test::is(
            self.pieces[role][action / run],
            (action % run) as u32,
        ))
    }

    /// Returns the pieces of a role's action, or the action itself if its domain is small.
    fn pieces_of(
        &mut self,
        role: usize,
        kind: VariableKind,
    ) -> Result<Vec<Variable>, GameNetworkError> {
        let actions = self.grounding.actions[role].len();
        let run = run_length(actions);
        if run == actions {
            return Ok(vec![self.actions[role]]);
        }
        let mut pieces = Vec::new();
        for first in (0..actions).step_by(run) {
            let length = run.min(actions - first) as u32;
            let piece = self.tables.variable(kind, length + 1);
            self.tables
                .tabulate(&[self.actions[role]], piece, |values| {
                    Some(
                        values[0]
                            .checked_sub(first as u32)
                            .map_or(length, |place| place.min(length)),
                    )
                })?;
            pieces.push(piece);
        }
        Ok(pieces)
    }

    /// Restricts a player to its legal actions. For chance, makes the action uniform over the legal
    /// ones.
    pub fn allow_legal_actions(
        &mut self,
        role: usize,
        legal: &[Variable],
    ) -> Result<(), GameNetworkError> {
        if self.grounding.chance == Some(role) {
            self.tables
                .network
                .uniform_over(self.actions[role], legal)?;
            return Ok(());
        }
        let run = run_length(legal.len());
        let pieces = self.pieces_of(role, VariableKind::Decision)?;
        for (action, &x) in legal.iter().enumerate() {
            let piece = pieces[action / run];
            let own = (action % run) as u32;
            let values = 0..self.tables.size(piece);
            let pairs = values
                .flat_map(|value| [[value, 0], [value, 1]])
                .filter(|&pair| pair != [own, 0]);
            let pairs: Vec<u32> = pairs.flatten().collect();
            self.tables.network.allow(&[piece, x], &pairs)?;
        }
        Ok(())
    }
}

/// Returns the number of actions in one piece of a role's action.
fn run_length(actions: usize) -> usize {
    if actions <= MOST_ACTIONS_WHOLE {
        actions
    } else {
        actions.isqrt()
    }
}
