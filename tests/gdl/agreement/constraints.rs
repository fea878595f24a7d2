//! The answers of the constraint networks about a state.

use super::visit::{Mismatch, Visit, same, sorted};
use mineflow_gdl::Grounding;
use mineflow_gdl::network::{GameNetwork, GameNetworkError, Rules};
use mineflow_search::scsp::{Evaluation, Filtering, Undetermined, Variable};

/// Indices of the rounds of values that the stage's `Evaluation` receives: first the state, then the moves.
const STATE: usize = 0;
const MOVES: usize = 1;

/// The preprocessed constraint networks of a game, which are built once and cloned for each worker.
#[derive(Clone, Debug)]
pub struct Networks {
    stage: GameNetwork,
    evaluation: Evaluation,
    last: GameNetwork,
    last_evaluation: Evaluation,
    given: Vec<(Variable, u32)>,
}

impl Networks {
    /// Builds the networks and preprocesses them with `filtering`.
    ///
    /// # Errors
    /// Returns the errors of [`GameNetwork::new`].
    pub fn new(grounding: &Grounding, filtering: Filtering) -> Result<Self, GameNetworkError> {
        let preprocessed = |stage: &GameNetwork| {
            let mut network = stage.network().clone();
            network.preprocess(filtering);
            network
        };
        let stage = GameNetwork::new(grounding, Rules::Stage)?;
        let last = GameNetwork::new(grounding, Rules::Goals)?;
        let moves = (0..grounding.roles.len())
            .map(|role| stage.action(role))
            .collect();
        Ok(Self {
            evaluation: Evaluation::new(&preprocessed(&stage), &[stage.given(), moves])?,
            last_evaluation: Evaluation::new(&preprocessed(&last), &[last.given()])?,
            stage,
            last,
            given: Vec::new(),
        })
    }

    pub(super) fn compare(&mut self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        let Self {
            stage,
            evaluation,
            last,
            last_evaluation: ended,
            given,
        } = self;
        given.clear();
        last.give(grounding, &visit.state, given);
        possible(|| "the state".to_owned(), ended.give(STATE, given))?;
        let terminal = |x| move || format!("terminal, variable {x:?}");
        same(
            terminal(last.terminal()),
            &Some(u32::from(visit.terminal)),
            &ended.value(last.terminal()),
        )?;
        for (role, goals) in visit.goals.iter().enumerate() {
            let about = || format!("goals of {}", grounding.role_name(role));
            let values = last
                .goals(role)
                .iter()
                .map(|&(points, x)| (points, ended.value(x)));
            same(about, goals, &sorted(decided(about, values)?))?;
        }
        // In a terminal state without legal actions, the stage has no solution.
        let Some(step) = &visit.step else {
            return Ok(());
        };
        given.clear();
        stage.give(grounding, &visit.state, given);
        possible(|| "the state".to_owned(), evaluation.give(STATE, given))?;
        same(
            terminal(stage.terminal()),
            &Some(0),
            &evaluation.value(stage.terminal()),
        )?;
        for (role, legal) in visit.legal.iter().enumerate() {
            let about = || format!("legal actions of {}", grounding.role_name(role));
            let values = stage
                .legal(role)
                .iter()
                .map(|&x| evaluation.value(x))
                .enumerate();
            same(about, legal, &decided(about, values)?)?;
        }
        given.clear();
        given.extend(
            step.joint
                .iter()
                .enumerate()
                .map(|(role, &action)| (stage.action(role), action as u32)),
        );
        let about = || step.about(grounding);
        possible(about, evaluation.give(MOVES, given))?;
        let values: Option<Vec<u32>> = stage.next().iter().map(|&x| evaluation.value(x)).collect();
        let next = values.map(|values| stage.state(&values));
        if next.as_ref() != Some(&step.next) {
            let other = next.map_or_else(
                || "undecided".to_owned(),
                |next| grounding.show_state(&next),
            );
            return Err(Mismatch {
                about: about(),
                network: grounding.show_state(&step.next),
                other,
            });
        }
        Ok(())
    }
}

/// Returns a mismatch if the constraints contradict the given values or leave other variables undecided.
fn possible(
    about: impl FnOnce() -> String,
    evaluated: Result<(), Undetermined>,
) -> Result<(), Mismatch> {
    evaluated.map_err(|Undetermined { variable, left }| Mismatch {
        about: about(),
        network: "possible".to_owned(),
        other: format!("{left} values of {variable:?}"),
    })
}

/// Returns the items whose Boolean variable is true, or a mismatch if some variable is undecided.
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
                return Err(Mismatch {
                    about: about(),
                    network: "decided".to_owned(),
                    other,
                });
            }
        }
    }
    Ok(held)
}
