//! A game as stochastic constraint networks, one for the stage of any state (Koriche and others, "General Game Playing
//! with Stochastic CSP", sections 3.2 and 3.3).
//!
//! | the paper | here |
//! |---|---|
//! | terminal variable `g_t` | Boolean, a decision variable like all that the state alone decides |
//! | fluents `f_t`, `f_{t+1}` | a variable for each group of fluents of which at most one holds, a decision variable at `t` and an outcome at `t + 1`; value 0 is none of them |
//! | actions `a_{t,p}` | a decision variable a role, a value an action |
//! | chance `y_t` | a chance variable, uniform over the true `legal` indicators `b_{t,i}` |
//! | additional variables | Booleans for the sheet's own predicates and for parts of rules whose tables would be too large |
//! | hard constraints | each defines one variable by a table over others; and an action is taken only if its `legal` variable is true |
//! | goal | soft: what a goal atom is worth if it holds in a terminal state |
//!
//! The paper takes a variable for each atom name with all combinations of arguments as its domain; where several fluents
//! of a name hold at once, as the cells of a board do, that needs a variable a cell, which is what groups come to. Loops of
//! rules have no table: their atoms are variables whose values are given with the state.

mod groups;
mod implied;
mod loops;
mod tables;

use groups::Groups;
use loops::Loops;
use tables::{Clauses, TableBuilder, Test, any_holds, scope_of};

use super::grounding::{Grounding, Meaning};
use super::state::GameState;
use mineflow_search::scsp::{ConstraintNetwork, NetworkError, Variable, VariableKind};

/// Tables of three or more variables have at most this many tuples.
const MOST_TUPLES: usize = 1024;
/// A role with more actions gets variables for parts of its action's domain.
const MOST_ACTIONS_WHOLE: usize = 64;

/// Which of a game's rules a network holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// `legal`, `next`, `terminal`: the stage of every state but the last. In a terminal state where nobody may move it
    /// has no solution.
    Stage,
    /// `terminal` and `goal`: the last stage.
    Goals,
}

/// A sheet that has no network of tables.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GameNetworkError {
    #[error("`{atom}` depends on moves and on itself: such rules have no constraint network")]
    LoopOverMoves { atom: String },
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network of a game's stage, and what its variables stand for.
#[derive(Clone, Debug)]
pub struct GameNetwork {
    network: ConstraintNetwork,
    groups: Groups,
    loops: Loops,
    /// Of each atom in a loop, its variable if the network has one.
    loop_variables: Vec<Option<Variable>>,
    state: Vec<Variable>,
    next: Vec<Variable>,
    actions: Vec<Variable>,
    legal: Vec<Vec<Variable>>,
    terminal: Variable,
    goals: Vec<Vec<(u8, Variable)>>,
}

impl GameNetwork {
    /// Builds the network of some of a game's rules; the utilities have an entry for each role of the sheet.
    ///
    /// # Errors
    /// Rules that depend on moves and on themselves, tables beyond all bounds.
    pub fn new(grounding: &Grounding, rules: Rules) -> Result<Self, GameNetworkError> {
        let components = grounding.loops();
        let loops = Loops::new(grounding, &components);
        Builder::new(grounding, loops)?.build(&components, rules)
    }

    /// The network as it was built: [`ConstraintNetwork::preprocess`] a copy before it is solved.
    pub const fn network(&self) -> &ConstraintNetwork {
        &self.network
    }

    /// The variables that [`Self::give`] gives values.
    pub fn given(&self) -> Vec<Variable> {
        self.state.iter().copied().chain(self.loop_variables.iter().copied().flatten()).collect()
    }

    /// What a state gives: the values of the fluents and of the atoms in loops, added to `given`.
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

    /// The variable of a role's action; its values are the actions of [`Grounding::actions`].
    pub fn action(&self, role: usize) -> Variable {
        self.actions[role]
    }

    /// For each action of a role, the Boolean variable that says it is legal; none in a network without `legal`.
    pub fn legal(&self, role: usize) -> &[Variable] {
        &self.legal[role]
    }

    /// The Boolean variable that says that the state is terminal.
    pub const fn terminal(&self) -> Variable {
        self.terminal
    }

    /// The goals of a role with their Boolean variables; none in a network without `goal`.
    pub fn goals(&self, role: usize) -> &[(u8, Variable)] {
        &self.goals[role]
    }

    /// The variables of the next state, in an order for [`Self::state`].
    pub fn next(&self) -> &[Variable] {
        &self.next
    }

    /// The state in which the variables of [`Self::next`] have these values.
    pub fn state(&self, values: &[u32]) -> GameState {
        GameState::new(self.groups.of.len(), |fluent| {
            let (group, value) = self.groups.of[fluent];
            values[group] == value
        })
    }
}

struct Builder<'a> {
    grounding: &'a Grounding,
    tables: TableBuilder,
    groups: Groups,
    loops: Loops,
    state: Vec<Variable>,
    actions: Vec<Variable>,
    /// Of each role, variables for parts of a large domain that actions are tested by.
    pieces: Vec<Vec<Variable>>,
    /// The test of each atom, once there is one.
    tests: Vec<Option<Test>>,
    after_moves: Vec<bool>,
}

impl<'a> Builder<'a> {
    fn new(grounding: &'a Grounding, loops: Loops) -> Result<Self, GameNetworkError> {
        let mut tables = TableBuilder::new(grounding.roles.len(), MOST_TUPLES);
        let groups = Groups::new(grounding);
        let state = groups
            .members
            .iter()
            .map(|group| tables.variable(VariableKind::Decision, group.len() as u32 + 1))
            .collect();
        let mut actions = Vec::new();
        for (role, list) in grounding.actions.iter().enumerate() {
            let kind = if grounding.chance == Some(role) { VariableKind::Chance } else { VariableKind::Decision };
            actions.push(tables.variable(kind, list.len() as u32));
        }
        Ok(Self {
            pieces: vec![Vec::new(); actions.len()],
            tests: vec![None; grounding.atoms.len()],
            after_moves: vec![false; grounding.atoms.len()],
            grounding,
            tables,
            groups,
            loops,
            state,
            actions,
        })
    }

    fn build(mut self, components: &[Vec<usize>], rules: Rules) -> Result<GameNetwork, GameNetworkError> {
        let grounding = self.grounding;
        let needed = self.needed(rules);
        let mut goals = vec![Vec::new(); grounding.roles.len()];
        let mut legal = vec![Vec::new(); grounding.roles.len()];
        let mut terminal = None;
        let mut members = vec![Vec::new(); grounding.fluents.len()];
        for &atom in components.iter().flatten().filter(|&&atom| needed[atom]) {
            match grounding.atoms[atom].meaning {
                Meaning::Next(fluent) => {
                    members[fluent] = self.clauses(atom)?;
                    continue;
                }
                Meaning::Goal { role, points } => goals[role].push((points, self.boolean(atom)?)),
                Meaning::Legal { role, action } => legal[role].push((action, self.boolean(atom)?)),
                Meaning::Terminal => terminal = Some(self.boolean(atom)?),
                Meaning::True(_) | Meaning::Does { .. } | Meaning::Auxiliary => {}
            }
            self.test(atom)?;
        }
        let mut allowed = Vec::new();
        for (role, mut pairs) in legal.into_iter().enumerate() {
            pairs.sort_unstable_by_key(|&(action, _)| action);
            let variables: Vec<Variable> = pairs.into_iter().map(|(_, x)| x).collect();
            if rules == Rules::Stage {
                self.allow_legal_actions(role, &variables)?;
            } else if grounding.chance == Some(role) {
                let even = vec![1.0 / grounding.actions[role].len() as f64; grounding.actions[role].len()];
                self.tables.network.distribution(self.actions[role], &[], &[(&[], &even)])?;
            }
            allowed.push(variables);
        }
        let terminal = terminal.expect("grounding refuses sheets that can't end");
        let mut next = Vec::new();
        if rules == Rules::Stage {
            for group in 0..self.groups.members.len() {
                next.push(self.define_next(group, &members)?);
            }
        }
        for (role, goals) in goals.iter().enumerate() {
            for &(points, x) in goals {
                let mut gains = vec![0.0; grounding.roles.len()];
                gains[role] = f64::from(points) / 100.0;
                self.tables.network.utility(&[terminal, x], &[(&[1, 1], &gains)])?;
            }
        }
        let loop_variables = self.loops.inside.iter().map(|&atom| self.tests[atom].map(|test| test.x)).collect();
        Ok(GameNetwork {
            network: self.tables.network,
            groups: self.groups,
            loops: self.loops,
            loop_variables,
            state: self.state,
            next,
            actions: self.actions,
            legal: allowed,
            terminal,
            goals,
        })
    }

    /// The atoms that the rules wanted depend on.
    fn needed(&self, rules: Rules) -> Vec<bool> {
        let atoms = self.grounding.atoms.iter().enumerate();
        let roots = atoms.filter(|(_, atom)| match atom.meaning {
            Meaning::Terminal => true,
            Meaning::Goal { .. } => rules == Rules::Goals,
            Meaning::Legal { .. } | Meaning::Next(_) => rules == Rules::Stage,
            Meaning::True(_) | Meaning::Does { .. } | Meaning::Auxiliary => false,
        });
        let mut open: Vec<usize> = roots.map(|(index, _)| index).collect();
        let mut needed = vec![false; self.grounding.atoms.len()];
        while let Some(atom) = open.pop() {
            // What an atom in a loop depends on is worked out with the state.
            if !std::mem::replace(&mut needed[atom], true) && self.loops.inside.binary_search(&atom).is_err() {
                open.extend(self.grounding.clauses(atom).flatten().map(|literal| literal.atom()));
            }
        }
        needed
    }

    /// The test that says whether an atom holds; all that it depends on has one.
    fn test(&mut self, atom: usize) -> Result<Test, GameNetworkError> {
        if let Some(test) = self.tests[atom] {
            return Ok(test);
        }
        let in_loop = self.loops.inside.binary_search(&atom).is_ok();
        let test = match self.grounding.atoms[atom].meaning {
            Meaning::True(fluent) => {
                let (group, value) = self.groups.of[fluent];
                Test { x: self.state[group], value, negated: false }
            }
            Meaning::Does { role, action } => {
                self.after_moves[atom] = true;
                self.test_of_action(role, action)?
            }
            _ if in_loop => {
                self.check_loop(atom)?;
                Test { x: self.tables.variable(VariableKind::Decision, 2), value: 1, negated: false }
            }
            _ => {
                let clauses = self.clauses(atom)?;
                let kind = self.kind(atom);
                let x = self.tables.variable(kind, 2);
                self.tables.define(x, &clauses, kind)?;
                Test { x, value: 1, negated: false }
            }
        };
        self.tests[atom] = Some(test);
        Ok(test)
    }

    fn boolean(&mut self, atom: usize) -> Result<Variable, GameNetworkError> {
        Ok(self.test(atom)?.x)
    }

    /// The clauses of an atom as tests.
    fn clauses(&mut self, atom: usize) -> Result<Clauses, GameNetworkError> {
        let grounding = self.grounding;
        let mut clauses = Vec::new();
        for body in grounding.clauses(atom) {
            let mut tests = Vec::with_capacity(body.len());
            for literal in body {
                let test = self.test(literal.atom())?;
                tests.push(Test { negated: literal.is_negated(), ..test });
                self.after_moves[atom] |= self.after_moves[literal.atom()];
            }
            tests.sort_unstable();
            clauses.push(tests);
        }
        clauses.sort();
        Ok(clauses)
    }

    fn kind(&self, atom: usize) -> VariableKind {
        if self.after_moves[atom] { VariableKind::Outcome } else { VariableKind::Decision }
    }

    fn check_loop(&self, atom: usize) -> Result<(), GameNetworkError> {
        let mut open = vec![atom];
        let mut seen = vec![false; self.grounding.atoms.len()];
        while let Some(at) = open.pop() {
            if matches!(self.grounding.atoms[at].meaning, Meaning::Does { .. }) {
                let atom = self.grounding.terms.show(self.grounding.atoms[atom].term).to_string();
                return Err(GameNetworkError::LoopOverMoves { atom });
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(self.grounding.clauses(at).flatten().map(|literal| literal.atom()));
            }
        }
        Ok(())
    }

    /// A small variable that says whether a role does an action: its action's, or a piece of that: the place in a run
    /// of actions, or past its end for all others.
    fn test_of_action(&mut self, role: usize, action: usize) -> Result<Test, GameNetworkError> {
        if self.pieces[role].is_empty() {
            self.pieces[role] = self.pieces_of(role, VariableKind::Outcome)?;
        }
        let run = run_length(self.grounding.actions[role].len());
        Ok(Test { x: self.pieces[role][action / run], value: (action % run) as u32, negated: false })
    }

    /// The pieces of a role's action, or the action itself where it is small.
    fn pieces_of(&mut self, role: usize, kind: VariableKind) -> Result<Vec<Variable>, GameNetworkError> {
        let actions = self.grounding.actions[role].len();
        let run = run_length(actions);
        if run == actions {
            return Ok(vec![self.actions[role]]);
        }
        let mut pieces = Vec::new();
        for first in (0..actions).step_by(run) {
            let length = run.min(actions - first) as u32;
            let piece = self.tables.variable(kind, length + 1);
            self.tables.tabulate(&[self.actions[role]], piece, |values| {
                Some(values[0].checked_sub(first as u32).map_or(length, |place| place.min(length)))
            })?;
            pieces.push(piece);
        }
        Ok(pieces)
    }

    /// A player takes only actions that are legal; chance is uniform over them.
    fn allow_legal_actions(&mut self, role: usize, legal: &[Variable]) -> Result<(), GameNetworkError> {
        if self.grounding.chance == Some(role) {
            self.tables.network.uniform_over(self.actions[role], legal)?;
            return Ok(());
        }
        let run = run_length(legal.len());
        let pieces = self.pieces_of(role, VariableKind::Decision)?;
        for (action, &x) in legal.iter().enumerate() {
            let (piece, own) = (pieces[action / run], (action % run) as u32);
            let values = 0..self.tables.size(piece);
            let pairs = values.flat_map(|value| [[value, 0], [value, 1]]).filter(|&pair| pair != [own, 0]);
            let pairs: Vec<u32> = pairs.flatten().collect();
            self.tables.network.allow(&[piece, x], &pairs)?;
        }
        Ok(())
    }

    /// Defines the variable of a group in the next state: in one table if it is small enough, by a Boolean variable a
    /// fluent otherwise.
    fn define_next(&mut self, group: usize, clauses: &[Clauses]) -> Result<Variable, GameNetworkError> {
        let members = self.groups.members[group].clone();
        let target = self.tables.variable(VariableKind::Outcome, members.len() as u32 + 1);
        let all: Vec<Vec<Test>> = members.iter().flat_map(|&fluent| clauses[fluent].iter().cloned()).collect();
        let inputs = scope_of(&all);
        if let [fluent] = members[..] {
            self.tables.define(target, &clauses[fluent], VariableKind::Outcome)?;
        } else if self.tables.fits(&inputs) {
            self.tables.tabulate(&inputs, target, |values| {
                let mut held = members.iter().zip(1..).filter(|(f, _)| any_holds(&clauses[**f], &inputs, values));
                // Two at once are proven to be impossible in any state that can be reached.
                match (held.next(), held.next()) {
                    (None, _) => Some(0),
                    (Some((_, value)), None) => Some(value),
                    _ => None,
                }
            })?;
        } else {
            for (&fluent, value) in members.iter().zip(1..) {
                let holds = self.tables.variable(VariableKind::Outcome, 2);
                self.tables.define(holds, &clauses[fluent], VariableKind::Outcome)?;
                let others = (0..=members.len() as u32).filter(|&other| other != value);
                let pairs: Vec<u32> = others.flat_map(|other| [other, 0]).chain([value, 1]).collect();
                self.tables.network.allow(&[target, holds], &pairs)?;
            }
        }
        Ok(target)
    }
}

/// How many actions one piece of a role's action holds.
fn run_length(actions: usize) -> usize {
    if actions <= MOST_ACTIONS_WHOLE { actions } else { actions.isqrt() }
}
