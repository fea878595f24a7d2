//! The answers of the constraint networks about a state.

use super::visit::{Mismatch, Visit, same, sorted};
use mineflow_gdl::Grounding;
use mineflow_gdl::network::{GameNetwork, GameNetworkError, Rules};
use mineflow_search::scsp::{Method, NetworkSolver, Query, Variable};

/// The maximum number of states of a game that are compared: searches of large networks take a
/// tenth of a second.
const MOST_STATES: usize = 10;

/// The preprocessed constraint networks of a game.
pub struct Networks {
    stage: (GameNetwork, NetworkSolver),
    last: (GameNetwork, NetworkSolver),
    /// How the arms of a stage are searched.
    methods: &'static [Method],
    /// The number of states compared.
    compared: usize,
}

impl Networks {
    /// Builds the networks, and preprocesses them if `preprocesses` is set.
    ///
    /// # Errors
    /// Returns the errors of [`GameNetwork::new`].
    pub fn new(
        grounding: &Grounding,
        preprocesses: bool,
        methods: &'static [Method],
    ) -> Result<Self, GameNetworkError> {
        let build = |rules| -> Result<_, GameNetworkError> {
            let game = GameNetwork::new(grounding, rules)?;
            let mut network = game.network().clone();
            if preprocesses {
                network.preprocess();
            }
            Ok((game, NetworkSolver::new(network)))
        };
        Ok(Self {
            stage: build(Rules::Stage)?,
            last: build(Rules::Goals)?,
            methods,
            compared: 0,
        })
    }

    pub(super) fn compare(&mut self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        if self.compared == MOST_STATES {
            return Ok(());
        }
        self.compared += 1;
        self.compare_goals(grounding, visit)?;
        // In a terminal state without legal actions, the stage has no solution. A policy covers
        // every event: where chance has several moves, it does not determine the state that
        // follows.
        let is_drawn = grounding
            .chance
            .is_some_and(|role| visit.legal[role].len() > 1);
        match visit.step {
            Some(_) if !is_drawn => self.compare_stage(grounding, visit),
            _ => Ok(()),
        }
    }

    fn compare_goals(&mut self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        let (game, solver) = &mut self.last;
        let mut given = Vec::new();
        game.give(grounding, &visit.state, &mut given);
        let terminal = solutions(solver, &given, &[game.terminal()], Method::Mac);
        same(
            || "terminal".to_owned(),
            &vec![vec![u32::from(visit.terminal)]],
            &terminal,
        )?;
        for (role, goals) in visit.goals.iter().enumerate() {
            let wanted: Vec<Variable> = game.goals(role).iter().map(|&(_, x)| x).collect();
            let held = |values: Vec<u32>| {
                let points = game.goals(role).iter().map(|&(points, _)| points);
                sorted(
                    points
                        .zip(values)
                        .filter(|&(_, value)| value == 1)
                        .map(|(points, _)| points)
                        .collect(),
                )
            };
            let found: Vec<Vec<u8>> = solutions(solver, &given, &wanted, Method::Mac)
                .into_iter()
                .map(held)
                .collect();
            same(
                || format!("goals of {}", grounding.role_name(role)),
                &vec![goals.clone()],
                &found,
            )?;
        }
        Ok(())
    }

    fn compare_stage(&mut self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        let (game, solver) = &mut self.stage;
        let Some(step) = &visit.step else {
            return Ok(());
        };
        let mut given = Vec::new();
        game.give(grounding, &visit.state, &mut given);
        for (role, legal) in visit
            .legal
            .iter()
            .enumerate()
            .filter(|(role, _)| grounding.chance != Some(*role))
        {
            for &method in self.methods {
                let arms = solutions(solver, &given, &[game.action(role)], method);
                let arms = sorted(arms.into_iter().map(|values| values[0] as usize).collect());
                same(
                    || format!("legal actions of {}", grounding.role_name(role)),
                    legal,
                    &arms,
                )?;
            }
        }
        // The moves have a solution with the state that follows, and none with another value of one
        // of its variables.
        let actions = step.joint.iter().enumerate();
        given.extend(actions.map(|(role, &action)| (game.action(role), action as u32)));
        let (first, count) = (given.len(), game.next().len());
        let mut next = Vec::new();
        game.give(grounding, &step.next, &mut next);
        given.extend(
            game.next()
                .iter()
                .zip(&next)
                .map(|(&x, &(_, value))| (x, value)),
        );
        let is_possible = |solver: &mut NetworkSolver, given: &[_]| {
            !solutions(solver, given, &[], Method::Mac).is_empty()
        };
        same(
            || step.about(grounding),
            &true,
            &is_possible(solver, &given),
        )?;
        let (_, value) = &mut given[first + self.compared % count];
        *value = u32::from(*value == 0);
        self.compared += 1;
        same(
            || step.about(grounding),
            &false,
            &is_possible(solver, &given),
        )
    }
}

/// Returns the values of the wanted variables in the solutions with the given values.
fn solutions(
    solver: &mut NetworkSolver,
    given: &[(Variable, u32)],
    wanted: &[Variable],
    method: Method,
) -> Vec<Vec<u32>> {
    let query = Query {
        given,
        wanted,
        method,
        nodes: u64::MAX,
        time: None,
    };
    let mut found: Vec<Vec<u32>> = Vec::new();
    let is_complete = solver.solve(&query, |values| {
        assert!(
            found.iter().all(|other| other != values),
            "{values:?} came twice"
        );
        found.push(values.to_vec());
    });
    assert!(is_complete);
    found
}
