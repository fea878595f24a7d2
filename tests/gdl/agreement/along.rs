//! Comparison of the engines along random playouts.

use std::collections::HashSet;

use rand::RngExt;

use super::constraints::Networks;
use super::from_rules::FromRules;
use super::visit::{Mismatch, TakenMoves, Visit, sorted};
use mineflow_gdl::GameState;
use mineflow_gdl::Grounding;
use mineflow_gdl::Sheet;
use mineflow_gdl::engine::GameEngine;
use mineflow_gdl::propnet::{Machine, Propnet};
use mineflow_gdl::{GroundingError, PlayError, SheetError};
use mineflow_rng::Rng;

/// The maximum number of visited states that are remembered. Remembered states are not compared
/// again.
const MOST_REMEMBERED: usize = 500_000;

/// Why a comparison stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Trouble {
    /// Another engine disagrees with the propositional network. The text contains the question,
    /// both answers and the state.
    Differs(String),
    /// The rule sheet itself is faulty.
    Sheet(SheetError),
}

impl<E: Into<SheetError>> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self::Sheet(error.into())
    }
}

/// A comparison of the engines along random playouts.
pub struct Agreement<'g> {
    grounding: &'g Grounding,
    machine: Machine<'g>,
    initial: &'g GameState,
    horizon: usize,
    networks: Option<Networks>,
    rules: Option<FromRules<'g>>,
    seen: HashSet<(GameState, Option<TakenMoves>)>,
}

impl<'g> Agreement<'g> {
    /// Creates a comparison of the propositional network with the constraint networks, if
    /// `networks` is given, and with the rules of `sheet`, if `sheet` is given. Each playout must
    /// end within `horizon` steps.
    ///
    /// # Errors
    /// Returns the errors of [`mineflow_gdl::Interpreter::new`].
    pub fn new(
        grounding: &'g Grounding,
        net: &'g Propnet,
        networks: Option<Networks>,
        sheet: Option<&'g Sheet>,
        horizon: usize,
    ) -> Result<Self, GroundingError> {
        Ok(Self {
            rules: sheet
                .map(|sheet| FromRules::new(sheet, grounding))
                .transpose()?,
            machine: Machine::new(net),
            initial: net.initial(),
            grounding,
            horizon,
            networks,
            seen: HashSet::new(),
        })
    }

    /// Compares the engines along one playout. Returns the number of states visited.
    ///
    /// # Errors
    /// Returns the first difference, or an error for a playout that doesn't end within the horizon
    /// or a role without a legal action.
    pub fn playout(&mut self, rng: &mut Rng) -> Result<u64, Trouble> {
        self.machine.look_at(self.initial);
        for step in 0..=self.horizon {
            let visit = self.visit(step, rng)?;
            let Visit {
                state, terminal, ..
            } = &visit;
            let key = (state.clone(), visit.step.clone());
            if !self.seen.contains(&key) {
                self.compare(&visit, step)?;
                if self.seen.len() < MOST_REMEMBERED {
                    self.seen.insert(key);
                }
            }
            if *terminal {
                return Ok(step as u64 + 1);
            }
        }
        Err(PlayError::Endless {
            steps: self.horizon,
        }
        .into())
    }

    /// Records the machine's current state and its answers, and makes a random step unless the
    /// state is terminal.
    fn visit(&mut self, step: usize, rng: &mut Rng) -> Result<Visit, PlayError> {
        let Self {
            grounding, machine, ..
        } = self;
        let roles = 0..grounding.roles.len();
        let state = machine.state();
        let terminal = machine.is_terminal();
        let legal: Vec<Vec<usize>> = roles
            .clone()
            .map(|role| {
                let mut legal = Vec::new();
                machine.legal(role, &mut legal);
                legal
            })
            .collect();
        let goals = roles.map(|role| sorted(machine.goals(role))).collect();
        if terminal {
            return Ok(Visit {
                state,
                terminal,
                legal,
                goals,
                step: None,
            });
        }
        if let Some(role) = legal.iter().position(Vec::is_empty) {
            return Err(PlayError::Stuck {
                role: grounding.role_name(role),
                steps: step,
            });
        }
        let joint: Vec<usize> = legal
            .iter()
            .map(|legal| legal[rng.random_range(0..legal.len())])
            .collect();
        machine.step(&joint);
        let next = machine.state();
        Ok(Visit {
            state,
            terminal,
            legal,
            goals,
            step: Some(TakenMoves { joint, next }),
        })
    }

    fn compare(&mut self, visit: &Visit, step: usize) -> Result<(), Trouble> {
        let Self {
            grounding,
            networks,
            rules,
            ..
        } = self;
        let grounding: &Grounding = grounding;
        let differs = |engine| {
            move |Mismatch {
                      about,
                      network,
                      other,
                  }| {
                let state = grounding.show_state(&visit.state);
                let both =
                    format!("{network} by the propositional network, {other} by the {engine}");
                Trouble::Differs(format!(
                    "{about} after {step} steps: {both}; the state: {state}"
                ))
            }
        };
        if let Some(networks) = networks {
            networks
                .compare(grounding, visit)
                .map_err(differs("constraints"))?;
        }
        if let Some(rules) = rules {
            rules
                .compare(grounding, visit)?
                .map_err(differs("interpreter"))?;
        }
        Ok(())
    }
}
