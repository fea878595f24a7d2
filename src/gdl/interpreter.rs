//! An engine that plays a sheet directly from its rules, which are evaluated again in every state.
//! The interpreter is slow, but it needs neither grounding nor a network and therefore serves as
//! the reference for both.

use super::{
    check::Changes,
    database::Database,
    datalog::PreparedStratum,
    error::GroundingError,
    rules::PredicateId,
    sheet::Sheet,
    terms::{TermId, Terms},
};

/// The maximum number of ground atoms per state.
const MOST_ATOMS: usize = 2_500_000;
/// The number of steps of the walk that measures the sizes of the relations.
const SURVEYED: usize = 6;

/// An engine that interprets the rules of a sheet, with its current state.
pub struct Interpreter<'s> {
    sheet: &'s Sheet,
    database: Database,
    /// The strata that depend on the state but not on the moves.
    of_state: Vec<PreparedStratum>,
    /// The strata that depend on the moves.
    of_moves: Vec<PreparedStratum>,
    /// The number of atoms that hold in every state.
    always: usize,
    roles: Vec<TermId>,
    state: Vec<TermId>,
}

impl<'s> Interpreter<'s> {
    /// Creates an interpreter in the initial state.
    ///
    /// # Errors
    /// Returns the errors of [`super::Grounding::new`].
    pub fn new(sheet: &'s Sheet) -> Result<Self, GroundingError> {
        // The joins are planned twice, because the sizes of the relations are only known after a
        // walk.
        let sizes = Self::planned(sheet, &[])?.survey()?;
        Self::planned(sheet, &sizes)
    }

    /// Creates an interpreter whose joins are planned for the expected numbers of atoms per
    /// predicate.
    fn planned(sheet: &'s Sheet, expected: &[usize]) -> Result<Self, GroundingError> {
        let program = &sheet.program;
        let mut database = Database::new(program, MOST_ATOMS);
        for stratum in sheet.strata_that(Changes::Never) {
            let prepared = stratum.prepare(sheet, &mut database, &[]);
            database.settle(program, &prepared)?;
        }
        let mut prepare = |changes| -> Vec<_> {
            let strata = sheet.strata_that(changes).into_iter();
            strata
                .map(|stratum| stratum.prepare(sheet, &mut database, expected))
                .collect()
        };
        let of_state = prepare(Changes::WithState);
        let of_moves = prepare(Changes::WithMoves);
        let always = database.mark();
        let arguments = |database: &Database, predicate: PredicateId| -> Vec<TermId> {
            database
                .atoms(predicate)
                .iter()
                .map(|&atom| database.terms.arguments(atom)[0])
                .collect()
        };
        let roles = arguments(&database, program.keywords.role);
        let state = arguments(&database, program.keywords.init);
        let mut interpreter = Self {
            sheet,
            database,
            of_state,
            of_moves,
            always,
            roles,
            state,
        };
        interpreter.evaluate()?;
        Ok(interpreter)
    }

    /// Returns the largest number of atoms of each predicate on a short walk, which serves as the
    /// expected number for all states.
    fn survey(mut self) -> Result<Vec<usize>, GroundingError> {
        let predicates = (0..self.sheet.program.predicates.len() as u32).map(PredicateId);
        let mut sizes = vec![0; predicates.len()];
        for step in 0..SURVEYED {
            let legal = |role| -> Vec<TermId> { self.legal(role).collect() };
            let options: Vec<Vec<TermId>> = (0..self.roles.len()).map(legal).collect();
            let stuck = self.is_terminal() || options.iter().any(Vec::is_empty);
            if !stuck {
                // Any action is suitable, provided that the choice is deterministic.
                self.consider(
                    options
                        .iter()
                        .map(|actions| actions[(7 * step + 3) % actions.len()]),
                )?;
            }
            for (size, predicate) in sizes.iter_mut().zip(predicates.clone()) {
                *size = (*size).max(self.database.atoms(predicate).len());
            }
            if stuck {
                break;
            }
            self.take_next();
            self.evaluate()?;
        }
        Ok(sizes)
    }

    /// Returns the names of the roles.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// Translates a term of another store into the store that [`Self::fluents`], [`Self::legal`]
    /// and [`Self::goals`] use.
    pub fn term(&mut self, terms: &Terms, term: TermId) -> TermId {
        let arguments: Vec<TermId> = terms.arguments(term).to_vec();
        let arguments: Vec<TermId> = arguments
            .into_iter()
            .map(|argument| self.term(terms, argument))
            .collect();
        let functor = self.database.terms.symbol(terms.name(terms.functor(term)));
        self.database.terms.insert(functor, &arguments)
    }

    /// Returns the fluents that hold in the current state.
    pub fn fluents(&self) -> &[TermId] {
        &self.state
    }

    /// Returns whether the current state is terminal.
    pub fn is_terminal(&self) -> bool {
        !self
            .database
            .atoms(self.sheet.program.keywords.terminal)
            .is_empty()
    }

    /// Returns the legal actions of a role, in unspecified order.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = TermId> {
        self.seconds(self.sheet.program.keywords.legal, self.roles[role])
    }

    /// Returns the goals of a role, in unspecified order.
    pub fn goals(&self, role: usize) -> impl Iterator<Item = TermId> {
        self.seconds(self.sheet.program.keywords.goal, self.roles[role])
    }

    /// Moves to the state in which exactly the given fluents hold.
    ///
    /// # Errors
    /// Returns an error if the state derives more atoms than the database can hold.
    pub fn look_at(&mut self, fluents: impl Iterator<Item = TermId>) -> Result<(), GroundingError> {
        self.state.clear();
        self.state.extend(fluents);
        self.evaluate()
    }

    /// Moves to the state that follows when each role takes its action in `joint`. All of these
    /// actions must be legal.
    ///
    /// # Errors
    /// Returns an error if the state derives more atoms than the database can hold.
    pub fn follow(&mut self, joint: impl Iterator<Item = TermId>) -> Result<(), GroundingError> {
        self.consider(joint)?;
        self.take_next();
        self.evaluate()
    }

    /// Derives the consequences of the given actions.
    fn consider(&mut self, joint: impl Iterator<Item = TermId>) -> Result<(), GroundingError> {
        let program = &self.sheet.program;
        let keywords = &program.keywords;
        for (place, action) in joint.enumerate() {
            self.enter(keywords.does, &[self.roles[place], action]);
        }
        for prepared in &self.of_moves {
            self.database.settle(program, prepared)?;
        }
        Ok(())
    }

    /// Makes the derived next state the current state.
    fn take_next(&mut self) {
        let next = self.database.atoms(self.sheet.program.keywords.next).iter();
        self.state = next
            .map(|&atom| self.database.terms.arguments(atom)[0])
            .collect();
    }

    fn evaluate(&mut self) -> Result<(), GroundingError> {
        let program = &self.sheet.program;
        self.database.forget(self.always);
        for fluent in self.state.clone() {
            self.enter(program.keywords.truth, &[fluent]);
        }
        for prepared in &self.of_state {
            self.database.settle(program, prepared)?;
        }
        Ok(())
    }

    fn enter(&mut self, predicate: PredicateId, arguments: &[TermId]) {
        let name = self.sheet.program.predicates[predicate.index()].name;
        let atom = self.database.terms.insert(name, arguments);
        self.database.derive(predicate, atom);
    }

    /// Returns the second arguments of the predicate's atoms whose first argument is `first`.
    fn seconds(&self, predicate: PredicateId, first: TermId) -> impl Iterator<Item = TermId> {
        let pairs = self
            .database
            .atoms(predicate)
            .iter()
            .map(|&atom| self.database.terms.arguments(atom));
        pairs
            .filter(move |pair| pair[0] == first)
            .map(|pair| pair[1])
    }

    /// Returns the text of a term.
    pub fn show(&self, term: TermId) -> String {
        self.database.terms.show(term).to_string()
    }
}
