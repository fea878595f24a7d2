//! An engine over the interpreter, for sheets whose ground form is too large. States and actions
//! are numbered in the order of discovery.

use std::{
    cell::{Ref, RefCell},
    hash::Hash,
    rc::Rc,
};

use rustc_hash::FxHashMap;

use super::{
    engine::GameEngine,
    error::{GroundingError, SheetError},
    interpreter::Interpreter,
    sheet::Sheet,
    state::GameState,
    terms::TermId,
};

/// A numbering of items in the order of discovery.
struct Numbering<T> {
    things: Vec<T>,
    numbers: FxHashMap<T, usize>,
}

impl<T: Copy + Eq + Hash> Numbering<T> {
    fn new() -> Self {
        Self {
            things: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    fn number(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with(|| {
            self.things.push(thing);
            self.things.len() - 1
        })
    }
}

/// The interpreter of a game, and the numbering that all engines over it share.
struct Shared<'s> {
    interpreter: Interpreter<'s>,
    fluents: Numbering<TermId>,
    actions: Vec<Numbering<TermId>>,
    initial: GameState,
    /// The interpreter's current state.
    at: GameState,
    fault: Option<SheetError>,
}

impl Shared<'_> {
    fn go_to(&mut self, state: &GameState) {
        if self.fault.is_some() || self.at == *state {
            return;
        }
        let fluents: Vec<TermId> = state
            .holding()
            .map(|fluent| self.fluents.things[fluent])
            .collect();
        let gone = self.interpreter.look_at(fluents.into_iter());
        self.at = state.clone();
        self.note(gone);
    }

    fn note(&mut self, done: Result<(), GroundingError>) {
        if let Err(error) = done {
            self.fault = Some(error.into());
        }
    }

    /// Returns the interpreter's current state in numbered form.
    fn number_state(&mut self) -> GameState {
        let terms = self.interpreter.fluents().to_vec();
        GameState::of(terms.into_iter().map(|fluent| self.fluents.number(fluent)))
    }
}

/// A game that is played by its rules alone. The table numbers the states and actions, and all
/// engines of the table share these numbers.
#[derive(Clone)]
pub struct RuleTable<'s>(Rc<RefCell<Shared<'s>>>);

impl<'s> RuleTable<'s> {
    /// Builds the table of a sheet's game.
    ///
    /// # Errors
    /// Returns the errors of [`Interpreter::new`].
    pub fn new(sheet: &'s Sheet) -> Result<Self, GroundingError> {
        let interpreter = Interpreter::new(sheet)?;
        let actions = (0..interpreter.roles().len())
            .map(|_| Numbering::new())
            .collect();
        let initial = GameState::of(std::iter::empty());
        let fluents = Numbering::new();
        let mut shared = Shared {
            interpreter,
            fluents,
            actions,
            at: initial.clone(),
            initial,
            fault: None,
        };
        shared.initial = shared.number_state();
        shared.at = shared.initial.clone();
        Ok(Self(Rc::new(RefCell::new(shared))))
    }

    /// Returns an engine whose current state is the initial state.
    pub fn engine(&self) -> RuleEngine<'s> {
        RuleEngine {
            state: self.shared().initial.clone(),
            table: self.clone(),
        }
    }

    /// Returns the number of roles.
    pub fn roles(&self) -> usize {
        self.shared().actions.len()
    }

    /// Returns the name of a role.
    pub fn role_name(&self, role: usize) -> String {
        let shared = self.shared();
        shared.interpreter.show(shared.interpreter.roles()[role])
    }

    /// Returns an action as written in the sheet.
    pub fn action_name(&self, role: usize, action: usize) -> String {
        let shared = self.shared();
        shared.interpreter.show(shared.actions[role].things[action])
    }

    /// Returns the fluents that hold in a state, as text.
    pub fn show_state(&self, state: &GameState) -> String {
        let shared = self.shared();
        let show = |fluent| shared.interpreter.show(shared.fluents.things[fluent]);
        state.holding().map(show).collect::<Vec<_>>().join(" ")
    }

    fn shared(&self) -> Ref<'_, Shared<'s>> {
        self.0.borrow()
    }
}

/// An engine that plays by the rules. If another engine of the same table has moved to another
/// state since the last query, the next query costs an evaluation of all rules.
pub struct RuleEngine<'s> {
    table: RuleTable<'s>,
    state: GameState,
}

impl GameEngine for RuleEngine<'_> {
    fn roles(&self) -> usize {
        self.table.roles()
    }

    fn initial(&self) -> GameState {
        self.table.shared().initial.clone()
    }

    fn look_at(&mut self, state: &GameState) {
        self.state.clone_from(state);
    }

    fn state(&self) -> GameState {
        self.state.clone()
    }

    fn is_terminal(&mut self) -> bool {
        let mut shared = self.table.0.borrow_mut();
        shared.go_to(&self.state);
        shared.fault.is_some() || shared.interpreter.is_terminal()
    }

    fn legal(&mut self, role: usize, actions: &mut Vec<usize>) {
        actions.clear();
        let mut shared = self.table.0.borrow_mut();
        shared.go_to(&self.state);
        if shared.fault.is_some() {
            return;
        }
        let Shared {
            interpreter,
            actions: numbers,
            ..
        } = &mut *shared;
        actions.extend(
            interpreter
                .legal(role)
                .map(|action| numbers[role].number(action)),
        );
        actions.sort_unstable();
    }

    fn goals(&mut self, role: usize) -> Vec<u8> {
        let mut shared = self.table.0.borrow_mut();
        shared.go_to(&self.state);
        if shared.fault.is_some() {
            return Vec::new();
        }
        let interpreter = &shared.interpreter;
        let values: Vec<String> = interpreter
            .goals(role)
            .map(|goal| interpreter.show(goal))
            .collect();
        let points = |value: &String| value.parse().ok().filter(|points| *points <= 100);
        let wrong = values.iter().find(|value| points(value).is_none());
        if let Some(value) = wrong {
            let role = interpreter.show(interpreter.roles()[role]);
            let value = value.clone();
            shared.fault = Some(GroundingError::Goal { role, value }.into());
            return Vec::new();
        }
        values.iter().filter_map(points).collect()
    }

    fn step(&mut self, joint: &[usize]) {
        let mut shared = self.table.0.borrow_mut();
        shared.go_to(&self.state);
        if shared.fault.is_some() {
            return;
        }
        let Shared {
            interpreter,
            actions,
            ..
        } = &mut *shared;
        let terms = joint
            .iter()
            .zip(actions)
            .map(|(&action, numbers)| numbers.things[action]);
        let stepped = interpreter.follow(terms);
        shared.note(stepped);
        self.state = shared.number_state();
        shared.at = self.state.clone();
    }

    fn fault(&self) -> Option<SheetError> {
        self.table.shared().fault.clone()
    }
}
