//! The answers of the rules themselves about a state.

use super::visit::{Mismatch, Visit, same, sorted};
use mineflow_gdl::GameState;
use mineflow_gdl::Grounding;
use mineflow_gdl::GroundingError;
use mineflow_gdl::Interpreter;
use mineflow_gdl::Sheet;
use mineflow_gdl::TermId;

/// An interpreter, and the terms of the ground form as terms of the interpreter.
pub(super) struct FromRules<'g> {
    interpreter: Interpreter<'g>,
    fluents: Vec<TermId>,
    constants: Vec<TermId>,
    actions: Vec<Vec<TermId>>,
    /// The interpreter's current state, once it has been set.
    at: Option<GameState>,
}

impl<'g> FromRules<'g> {
    pub(super) fn new(sheet: &'g Sheet, grounding: &Grounding) -> Result<Self, GroundingError> {
        let mut interpreter = Interpreter::new(sheet)?;
        let mut translated = |terms: &mut dyn Iterator<Item = TermId>| -> Vec<TermId> {
            terms
                .map(|term| interpreter.term(&grounding.terms, term))
                .collect()
        };
        let fluents = translated(&mut grounding.fluents.iter().map(|fluent| fluent.term));
        let constants = translated(&mut grounding.constants.iter().copied());
        let actions = grounding
            .actions
            .iter()
            .map(|list| translated(&mut list.iter().copied()))
            .collect();
        Ok(Self {
            interpreter,
            fluents,
            constants,
            actions,
            at: None,
        })
    }

    pub(super) fn compare(
        &mut self,
        grounding: &Grounding,
        visit: &Visit,
    ) -> Result<Result<(), Mismatch>, GroundingError> {
        if self.at.as_ref() != Some(&visit.state) {
            let fluents = self.of_state(&visit.state);
            self.interpreter.look_at(fluents.into_iter())?;
            self.at = Some(visit.state.clone());
        }
        if let Err(mismatch) = self.compare_state(grounding, visit) {
            return Ok(Err(mismatch));
        }
        let Some(step) = &visit.step else {
            return Ok(Ok(()));
        };
        let actions: Vec<TermId> = step
            .joint
            .iter()
            .zip(&self.actions)
            .map(|(&action, list)| list[action])
            .collect();
        self.interpreter.follow(actions.into_iter())?;
        self.at = Some(step.next.clone());
        if sorted(self.interpreter.fluents().to_vec()) != sorted(self.of_state(&step.next)) {
            let (about, network) = (step.about(grounding), grounding.show_state(&step.next));
            return Ok(Err(Mismatch {
                about,
                network,
                other: shown(&self.interpreter, self.interpreter.fluents()),
            }));
        }
        Ok(Ok(()))
    }

    fn compare_state(&self, grounding: &Grounding, visit: &Visit) -> Result<(), Mismatch> {
        let interpreter = &self.interpreter;
        same(
            || "terminal".to_owned(),
            &visit.terminal,
            &interpreter.is_terminal(),
        )?;
        for (role, (legal, goals)) in visit.legal.iter().zip(&visit.goals).enumerate() {
            let actual = sorted(
                legal
                    .iter()
                    .map(|&action| self.actions[role][action])
                    .collect(),
            );
            let said = sorted(interpreter.legal(role).collect());
            if said != actual {
                let about = format!("legal actions of {}", grounding.role_name(role));
                let show = |terms: Vec<TermId>| shown(interpreter, &terms);
                return Err(Mismatch {
                    about,
                    network: show(actual),
                    other: show(said),
                });
            }
            let said: Vec<TermId> = interpreter.goals(role).collect();
            let said = sorted(
                said.into_iter()
                    .map(|goal| interpreter.show(goal))
                    .collect(),
            );
            let goals = sorted(goals.iter().map(u8::to_string).collect());
            same(
                || format!("goals of {}", grounding.role_name(role)),
                &goals,
                &said,
            )?;
        }
        Ok(())
    }

    /// Returns the fluents of a state, including the fluents that hold in every state.
    fn of_state(&self, state: &GameState) -> Vec<TermId> {
        let held = self
            .fluents
            .iter()
            .enumerate()
            .filter(|&(fluent, _)| state.holds(fluent))
            .map(|(_, &term)| term);
        held.chain(self.constants.iter().copied()).collect()
    }
}

/// Returns the texts of the terms, joined by blanks.
fn shown(interpreter: &Interpreter<'_>, terms: &[TermId]) -> String {
    let texts = terms.iter().map(|&term| interpreter.show(term));
    texts.collect::<Vec<_>>().join(" ")
}
