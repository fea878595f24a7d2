//! Plays a sheet straight from its rules, evaluating them anew in every state: slow, without grounding and without a
//! network, and so the measure of both.

use super::check::Changes;
use super::datalog::{Database, Derived, Prepared};
use super::error::GroundingError;
use super::grounding::Sheet;
use super::rules::PredicateId;
use super::terms::TermId;

/// Ground atoms that one state may give.
const MOST_ATOMS: usize = 1_000_000;

/// What the rules say of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub terminal: bool,
    /// Of each role, its legal actions in ascending order of their text.
    pub legal: Vec<Vec<String>>,
    /// Of each role, all its goals.
    pub goals: Vec<Vec<String>>,
}

/// A sheet and one state of it.
pub struct Interpreter<'s> {
    sheet: &'s Sheet,
    database: Database,
    /// Strata that depend on the state; then those that depend on the moves too.
    of_state: Vec<Prepared>,
    of_moves: Vec<Prepared>,
    /// How many atoms hold in every state.
    always: usize,
    roles: Vec<TermId>,
    state: Vec<TermId>,
}

impl<'s> Interpreter<'s> {
    /// An interpreter in the initial state.
    ///
    /// # Errors
    /// As [`super::Grounding::new`].
    pub fn new(sheet: &'s Sheet) -> Result<Self, GroundingError> {
        let program = &sheet.program;
        let mut database = Database::new(program, MOST_ATOMS);
        for stratum in sheet.strata_that(Changes::Never) {
            let prepared = stratum.prepare(sheet, &mut database);
            database.evaluate(program, &prepared, &mut Derived)?;
        }
        let mut prepare = |changes| -> Vec<_> {
            sheet.strata_that(changes).into_iter().map(|stratum| stratum.prepare(sheet, &mut database)).collect()
        };
        let (of_state, of_moves) = (prepare(Changes::WithState), prepare(Changes::WithMoves));
        let always = database.mark();
        let arguments = |database: &Database, predicate: PredicateId| -> Vec<TermId> {
            database.atoms(predicate).iter().map(|&atom| database.terms.arguments(atom)[0]).collect()
        };
        let roles = arguments(&database, program.keywords.role);
        let state = arguments(&database, program.keywords.init);
        let mut interpreter = Self { sheet, database, of_state, of_moves, always, roles, state };
        interpreter.evaluate()?;
        Ok(interpreter)
    }

    /// The fluents that hold, in ascending order of their text.
    pub fn state(&self) -> Vec<String> {
        let mut texts: Vec<_> = self.state.iter().map(|&fluent| self.show(fluent)).collect();
        texts.sort_unstable();
        texts
    }

    /// What the rules say of the state.
    pub fn verdict(&self) -> Verdict {
        let keywords = &self.sheet.program.keywords;
        Verdict {
            terminal: !self.database.atoms(keywords.terminal).is_empty(),
            legal: self.of_each_role(keywords.legal),
            goals: self.of_each_role(keywords.goal),
        }
    }

    /// Goes on to the state that follows when each role does its action of `joint`.
    ///
    /// # Errors
    /// A state that gives more atoms than can be held.
    ///
    /// # Panics
    /// If an action isn't legal.
    pub fn step(&mut self, joint: &[&str]) -> Result<(), GroundingError> {
        let program = &self.sheet.program;
        let keywords = &program.keywords;
        for (role, &action) in self.roles.clone().into_iter().zip(joint) {
            let legal = self.database.atoms(keywords.legal).iter().copied();
            let done = legal
                .map(|legal| self.database.terms.arguments(legal))
                .find(|arguments| arguments[0] == role && self.show(arguments[1]) == action)
                .expect("the action is legal")
                .to_vec();
            self.enter(keywords.does, &done);
        }
        for prepared in &self.of_moves {
            self.database.evaluate(program, prepared, &mut Derived)?;
        }
        let next = self.database.atoms(keywords.next).iter();
        self.state = next.map(|&atom| self.database.terms.arguments(atom)[0]).collect();
        self.evaluate()
    }

    fn evaluate(&mut self) -> Result<(), GroundingError> {
        let program = &self.sheet.program;
        self.database.forget(self.always);
        for fluent in self.state.clone() {
            self.enter(program.keywords.truth, &[fluent]);
        }
        for prepared in &self.of_state {
            self.database.evaluate(program, prepared, &mut Derived)?;
        }
        Ok(())
    }

    fn enter(&mut self, predicate: PredicateId, arguments: &[TermId]) {
        let name = self.sheet.program.predicates[predicate.index()].name;
        let atom = self.database.terms.insert(name, arguments);
        self.database.derive(predicate, atom);
    }

    fn of_each_role(&self, predicate: PredicateId) -> Vec<Vec<String>> {
        let of_role = |role: TermId| {
            let atoms = self.database.atoms(predicate).iter().map(|&atom| self.database.terms.arguments(atom));
            let mut texts: Vec<_> = atoms.filter(|pair| pair[0] == role).map(|pair| self.show(pair[1])).collect();
            texts.sort_unstable();
            texts
        };
        self.roles.iter().map(|&role| of_role(role)).collect()
    }

    fn show(&self, term: TermId) -> String {
        self.database.terms.show(term).to_string()
    }
}
