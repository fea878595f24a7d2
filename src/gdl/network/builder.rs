//! Builds the constraint network of a game's stage, one variable after the other.

use super::{
    GameNetwork, GameNetworkError, Rules,
    groups::Groups,
    loops::Loops,
    tables::{Clauses, TableBuilder, Test, any_holds, scope_of},
};
use crate::grounding::{Grounding, Meaning};
use mineflow_search::scsp::{Variable, VariableKind};

/// The maximum number of tuples in tables of three or more variables.
const MOST_TUPLES: usize = 1024;

/// A constraint network under construction.
pub(super) struct Builder<'a> {
    pub grounding: &'a Grounding,
    pub tables: TableBuilder,
    groups: Groups,
    loops: Loops,
    state: Vec<Variable>,
    pub actions: Vec<Variable>,
    /// For each role, the variables by which actions are tested. They represent parts of the
    /// action's domain if that domain is large.
    pub pieces: Vec<Vec<Variable>>,
    /// The test of each atom, once it has been built.
    tests: Vec<Option<Test>>,
    after_moves: Vec<bool>,
}

impl<'a> Builder<'a> {
    pub fn new(grounding: &'a Grounding, loops: Loops) -> Result<Self, GameNetworkError> {
        let mut tables = TableBuilder::new(MOST_TUPLES);
        let groups = Groups::new(grounding);
        let state = groups
            .members
            .iter()
            .map(|group| tables.variable(VariableKind::Decision, group.len() as u32 + 1))
            .collect();
        let mut actions = Vec::new();
        for (role, list) in grounding.actions.iter().enumerate() {
            let kind = if grounding.chance == Some(role) {
                VariableKind::Chance
            } else {
                VariableKind::Decision
            };
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

    pub fn build(
        mut self,
        components: &[Vec<usize>],
        rules: Rules,
    ) -> Result<GameNetwork, GameNetworkError> {
        let grounding = self.grounding;
        let needed = self.needed(rules);
        let mut goals = vec![Vec::new(); grounding.roles.len()];
        let mut legal = vec![Vec::new(); grounding.roles.len()];
        let mut terminal = None;
        let mut members = vec![Vec::new(); grounding.fluents.len()];
        for &atom in components.iter().flatten().filter(|&&atom| needed[atom]) {
            if let Meaning::Next(fluent) = grounding.atoms[atom].meaning {
                members[fluent] = self.clauses(atom)?;
                continue;
            }
            let x = self.test(atom)?.x;
            match grounding.atoms[atom].meaning {
                Meaning::Goal { role, points } => goals[role].push((points, x)),
                Meaning::Legal { role, action } => legal[role].push((action, x)),
                Meaning::Terminal => terminal = Some(x),
                _ => {}
            }
        }
        let mut next = Vec::new();
        if rules == Rules::Stage {
            for (role, legal) in legal.iter_mut().enumerate() {
                legal.sort_unstable();
                let legal: Vec<Variable> = legal.iter().map(|&(_, x)| x).collect();
                self.allow_legal_actions(role, &legal)?;
            }
            for group in 0..self.groups.members.len() {
                next.push(self.define_next(group, &members)?);
            }
        }
        let in_loops = self.loops.inside.iter();
        let loop_variables = in_loops.map(|&atom| self.tests[atom].map(|test| test.x));
        Ok(GameNetwork {
            network: self.tables.network,
            loop_variables: loop_variables.collect(),
            groups: self.groups,
            loops: self.loops,
            state: self.state,
            next,
            actions: self.actions,
            terminal: terminal.expect("grounding refuses sheets that can't end"),
            goals,
        })
    }

    /// Returns, for each atom, whether the requested rules depend on it.
    fn needed(&self, rules: Rules) -> Vec<bool> {
        let atoms = self.grounding.atoms.iter().enumerate();
        let roots = atoms.filter(|(_, atom)| match atom.meaning {
            Meaning::Terminal => true,
            Meaning::Goal { .. } => rules == Rules::Goals,
            Meaning::Legal { .. } | Meaning::Next(_) => rules == Rules::Stage,
            _ => false,
        });
        let mut open: Vec<usize> = roots.map(|(index, _)| index).collect();
        let mut needed = vec![false; self.grounding.atoms.len()];
        while let Some(atom) = open.pop() {
            // The values of atoms in loops are evaluated with the state, so that their dependencies
            // need no variables.
            if !std::mem::replace(&mut needed[atom], true)
                && self.loops.inside.binary_search(&atom).is_err()
            {
                open.extend(self.grounding.uses(atom));
            }
        }
        needed
    }

    /// Returns the test that decides whether an atom holds, and builds it if necessary.
    fn test(&mut self, atom: usize) -> Result<Test, GameNetworkError> {
        if let Some(test) = self.tests[atom] {
            return Ok(test);
        }
        let test = match self.grounding.atoms[atom].meaning {
            Meaning::True(fluent) => {
                let (group, value) = self.groups.of[fluent];
                Test::is(self.state[group], value)
            }
            Meaning::Does { role, action } => {
                self.after_moves[atom] = true;
                self.test_of_action(role, action)?
            }
            _ if self.loops.inside.binary_search(&atom).is_ok() => {
                self.check_loop(atom)?;
                Test::is(self.tables.variable(VariableKind::Decision, 2), 1)
            }
            _ => {
                let clauses = self.clauses(atom)?;
                let kind = if self.after_moves[atom] {
                    VariableKind::Outcome
                } else {
                    VariableKind::Decision
                };
                let x = self.tables.variable(kind, 2);
                self.tables.define(x, &clauses, kind)?;
                Test::is(x, 1)
            }
        };
        self.tests[atom] = Some(test);
        Ok(test)
    }

    /// Returns the clauses of an atom as tests.
    fn clauses(&mut self, atom: usize) -> Result<Clauses, GameNetworkError> {
        let grounding = self.grounding;
        let mut clauses = Vec::new();
        for body in grounding.clauses(atom) {
            let mut tests = Vec::with_capacity(body.len());
            for literal in body {
                let test = self.test(literal.atom())?;
                tests.push(Test {
                    negated: literal.is_negated(),
                    ..test
                });
                self.after_moves[atom] |= self.after_moves[literal.atom()];
            }
            tests.sort_unstable();
            clauses.push(tests);
        }
        clauses.sort();
        Ok(clauses)
    }

    fn check_loop(&self, atom: usize) -> Result<(), GameNetworkError> {
        let mut open = vec![atom];
        let mut seen = vec![false; self.grounding.atoms.len()];
        while let Some(at) = open.pop() {
            if matches!(self.grounding.atoms[at].meaning, Meaning::Does { .. }) {
                let atom = self.grounding.terms.show(self.grounding.atoms[atom].term);
                let atom = atom.to_string();
                return Err(GameNetworkError::LoopOverMoves { atom });
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(self.grounding.uses(at));
            }
        }
        Ok(())
    }

    /// Defines the variable of a group in the next state. If one table is small enough, it defines
    /// the variable. Otherwise each fluent gets a Boolean variable, and these define it.
    fn define_next(
        &mut self,
        group: usize,
        clauses: &[Clauses],
    ) -> Result<Variable, GameNetworkError> {
        let members = self.groups.members[group].clone();
        let target = self
            .tables
            .variable(VariableKind::Outcome, members.len() as u32 + 1);
        let all: Vec<Vec<Test>> = members
            .iter()
            .flat_map(|&fluent| clauses[fluent].iter().cloned())
            .collect();
        let inputs = scope_of(&all);
        if let [fluent] = members[..] {
            self.tables
                .define(target, &clauses[fluent], VariableKind::Outcome)?;
        } else if self.tables.fits(&inputs) {
            self.tables.tabulate(&inputs, target, |values| {
                let mut held = members
                    .iter()
                    .zip(1..)
                    .filter(|(f, _)| any_holds(&clauses[**f], &inputs, values));
                // It has been proven that two fluents of a group never hold at once in reachable
                // states.
                match (held.next(), held.next()) {
                    (None, _) => Some(0),
                    (Some((_, value)), None) => Some(value),
                    _ => None,
                }
            })?;
        } else {
            for (&fluent, value) in members.iter().zip(1..) {
                let holds = self.tables.variable(VariableKind::Outcome, 2);
                self.tables
                    .define(holds, &clauses[fluent], VariableKind::Outcome)?;
                let others = (0..=members.len() as u32).filter(|&other| other != value);
                let pairs: Vec<u32> = others
                    .flat_map(|other| [other, 0])
                    .chain([value, 1])
                    .collect();
                self.tables.network.allow(&[target, holds], &pairs)?;
            }
        }
        Ok(target)
    }
}
