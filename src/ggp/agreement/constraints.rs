//! What the constraint networks say of a state.

use super::{Mismatch, Visit, same, sorted};
use crate::ggp::grounding::Grounding;
use crate::ggp::scsp::{Rules, StageError, StageNetwork};
use crate::scsp::{Filtering, Inference, Solver, Variable};

/// The constraint networks of a game, preprocessed: made once, copied for every worker.
#[derive(Clone, Debug)]
pub struct Networks {
    stage: StageNetwork,
    solver: Solver,
    last: StageNetwork,
    last_solver: Solver,
    given: Vec<(Variable, u32)>,
}

impl Networks {
    /// The networks, filtered so far.
    ///
    /// # Errors
    /// As [`StageNetwork::new`].
    pub fn new(grounding: &Grounding, filtering: Filtering) -> Result<Self, StageError> {
        let solver_of = |stage: &StageNetwork| -> Result<Solver, StageError> {
            let mut network = stage.network().clone();
            network.preprocess(filtering)?;
            Ok(Solver::new(network)?)
        };
        let stage = StageNetwork::new(grounding, Rules::Stage)?;
        let last = StageNetwork::new(grounding, Rules::Goals)?;
        Ok(Self { solver: solver_of(&stage)?, last_solver: solver_of(&last)?, stage, last, given: Vec::new() })
    }

    pub(super) fn compare(&mut self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        let Self { stage, solver, last, last_solver, given } = self;
        let mut ended = last_solver.infer();
        give_state((last, grounding), visit, &mut ended, given)?;
        let terminal = |x| move || format!("terminal, variable {x:?}");
        same(terminal(last.terminal()), &Some(u32::from(visit.terminal)), &ended.value(last.terminal()))?;
        for (role, goals) in visit.goals.iter().enumerate() {
            let about = || format!("goals of {}", grounding.role_name(role));
            let values = last.goals(role).iter().map(|&(points, x)| (points, ended.value(x)));
            same(about, goals, &sorted(decided(about, values)?))?;
        }
        drop(ended);
        // The stage of a terminal state in which nobody may move has no solution.
        let Some(step) = &visit.step else { return Ok(()) };
        let mut inference = solver.infer();
        give_state((stage, grounding), visit, &mut inference, given)?;
        same(terminal(stage.terminal()), &Some(0), &inference.value(stage.terminal()))?;
        for (role, legal) in visit.legal.iter().enumerate() {
            let about = || format!("legal actions of {}", grounding.role_name(role));
            let values = stage.legal(role).iter().map(|&x| inference.value(x)).enumerate();
            same(about, legal, &decided(about, values)?)?;
        }
        given.clear();
        given.extend(step.joint.iter().enumerate().map(|(role, &action)| (stage.action(role), action as u32)));
        let about = || step.about(grounding);
        same(about, &"some state", &if inference.give(given) { "some state" } else { "a contradiction" })?;
        let values: Option<Vec<u32>> = stage.next().iter().map(|&x| inference.value(x)).collect();
        let next = values.map(|values| stage.state(&values));
        if next.as_ref() != Some(&step.next) {
            let other = next.map_or_else(|| "undecided".to_owned(), |next| grounding.show_state(&next));
            return Err(Mismatch { about: about(), network: grounding.show_state(&step.next), other });
        }
        Ok(())
    }
}

fn give_state(
    (stage, grounding): (&StageNetwork, &Grounding),
    visit: &Visit,
    inference: &mut Inference<'_>,
    given: &mut Vec<(Variable, u32)>,
) -> Result<(), Mismatch> {
    given.clear();
    stage.give(grounding, &visit.state, given);
    let said = if inference.give(given) { "possible" } else { "a contradiction" };
    same(|| "the state".to_owned(), &"possible", &said)
}

/// Those of the items whose Boolean variable is true; a mismatch where one is undecided.
fn decided<T: std::fmt::Debug>(
    about: impl FnOnce() -> String,
    items: impl Iterator<Item = (T, Option<u32>)>,
) -> Result<Vec<T>, Mismatch> {
    let mut held = Vec::new();
    for (item, value) in items {
        match value {
            Some(0) => {}
            Some(_) => held.push(item),
            None => {
                let other = format!("{item:?} undecided");
                return Err(Mismatch { about: about(), network: "decided".to_owned(), other });
            }
        }
    }
    Ok(held)
}
