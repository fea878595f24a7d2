//! The ground form of a rule sheet: fluents, actions, and Horn clauses over ground atoms.

use super::{
    components::strongly_connected,
    state::GameState,
    terms::{TermId, Terms},
};

/// A fluent: a ground term that may hold in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// The term `(cell 1 2 x)` of `(true (cell 1 2 x))`.
    pub term: TermId,
    /// Whether the fluent holds in the initial state.
    pub initially: bool,
}

/// The meaning of a ground atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The fluent (an index into [`Grounding::fluents`]) holds in the current state. Such an atom
    /// is never a head.
    True(usize),
    /// The role does the action (an index into the role's [`Grounding::actions`]). Such an atom is
    /// never a head.
    Does { role: usize, action: usize },
    /// The fluent holds in the next state.
    Next(usize),
    /// The role may do the action.
    Legal { role: usize, action: usize },
    /// The state is terminal.
    Terminal,
    /// The role gets 0 to 100 points.
    Goal { role: usize, points: u8 },
    /// A predicate defined by the sheet.
    Auxiliary,
}

/// A ground atom that occurs in at least one clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundAtom {
    /// The whole atom, such as `(true (cell 1 2 x))`.
    pub term: TermId,
    pub meaning: Meaning,
}

/// An atom (index into [`Grounding::atoms`]) or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    pub(crate) const fn new(atom: usize, negated: bool) -> Self {
        Self((atom as u32) << 1 | negated as u32)
    }

    /// Returns the index of the atom.
    pub const fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns whether the literal is a negation.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A name that is used as a role in atoms of `legal` or `goal` but is not a role. Such atoms affect
/// no player and are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRole {
    pub name: TermId,
    /// The first atom that uses the name.
    pub example: TermId,
    /// The number of atoms of the same predicate that use the name.
    pub atoms: usize,
}

/// The ground form of a sheet. An atom holds if all literals in the body of one of its clauses
/// hold. The semantics is the least model, computed stratum by stratum.
#[derive(Clone, Debug)]
pub struct Grounding {
    pub terms: Terms,
    /// The players, in the order of the sheet. Indices of roles refer to this list.
    pub roles: Vec<TermId>,
    /// The index of the role `random`, if the game has one. This role chooses uniformly among its
    /// legal actions (GDL specification, Love et al. 2008, section 2.2).
    pub chance: Option<usize>,
    /// Names that atoms of `legal` or `goal` use as roles, although they are not roles.
    pub unknown_roles: Vec<UnknownRole>,
    /// The fluents that make up a state. Fluents that never change are not included.
    pub fluents: Vec<Fluent>,
    /// Fluents that hold in every state.
    pub constants: Vec<TermId>,
    /// For each role, all actions that may be legal in some state, according to an
    /// over-approximation of the atoms that can hold.
    pub actions: Vec<Vec<TermId>>,
    /// The atoms on which `terminal`, the goals, the legal moves and the next state depend.
    pub atoms: Vec<GroundAtom>,
    /// The literals of all bodies, in the order of the clauses.
    pub(crate) literals: Vec<Literal>,
    /// For each clause, the start of its body in `literals`; the last element is the end of the
    /// last body.
    pub(crate) clause_starts: Vec<u32>,
    /// For each atom, the index of its first clause; the last element is the number of clauses.
    pub(crate) atom_starts: Vec<u32>,
}

impl Grounding {
    /// Returns the number of clauses.
    pub const fn clause_count(&self) -> usize {
        self.clause_starts.len() - 1
    }

    /// Returns the number of literals in all bodies.
    pub const fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// Returns the bodies of an atom's clauses. A clause with an empty body is a fact. An atom
    /// without clauses never holds.
    pub fn clauses(&self, atom: usize) -> impl Iterator<Item = &[Literal]> {
        let clauses = self.atom_starts[atom] as usize..self.atom_starts[atom + 1] as usize;
        clauses.map(|clause| {
            &self.literals
                [self.clause_starts[clause] as usize..self.clause_starts[clause + 1] as usize]
        })
    }

    /// Returns the atoms in the bodies of an atom's clauses.
    pub(crate) fn uses(&self, atom: usize) -> impl Iterator<Item = usize> {
        self.clauses(atom).flatten().map(|literal| literal.atom())
    }

    /// Returns all atoms, grouped by strongly connected component. A component comes after those
    /// that it depends on.
    pub(crate) fn loops(&self) -> Vec<Vec<usize>> {
        let successors = |atom| self.uses(atom).map(|used| used as u32).collect();
        let successors: Vec<Vec<u32>> = (0..self.atoms.len()).map(successors).collect();
        strongly_connected(&successors).members()
    }

    /// Returns the fluents that hold in a state as text, without the fluents that never change.
    pub fn show_state(&self, state: &GameState) -> String {
        let holding = (0..self.fluents.len()).filter(|&fluent| state.holds(fluent));
        holding
            .map(|fluent| self.terms.show(self.fluents[fluent].term).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns notes on what was left out of the sheet, one sentence each.
    pub fn notes(&self) -> Vec<String> {
        let note = |unknown: &UnknownRole| {
            let UnknownRole {
                name,
                example,
                atoms,
            } = *unknown;
            let name = self.terms.show(name);
            let example = self.terms.show(example);
            match atoms {
                1 => format!("`{name}` is not a role: {example} is ignored"),
                _ => format!(
                    "`{name}` is not a role: {example} and {} like it are ignored",
                    atoms - 1
                ),
            }
        };
        self.unknown_roles.iter().map(note).collect()
    }

    /// Returns the name of a role.
    pub fn role_name(&self, role: usize) -> String {
        self.terms.show(self.roles[role]).to_string()
    }
}
