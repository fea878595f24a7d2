//! Magic sets: derives only the atoms that are needed, by adding to each rule the condition that
//! its head is needed (Bancilhon, Maier, Sagiv, Ullman, "Magic sets and other strange ways to
//! implement logic programs", 1986).
//!
//! ```text
//! (<= (threat ?x ?y) (file ?x) (rank ?y) ...)         all squares, in every state
//! (<= (legal ?r (to ?x ?y)) (true (at ?r ?u ?v)) (near ?u ?v ?x ?y) (not (threat ?x ?y)))
//!
//! (<= (asked ?x ?y) (true (at ?r ?u ?v)) (near ?u ?v ?x ?y))
//! (<= (threat ?x ?y) (asked ?x ?y) (file ?x) (rank ?y) ...)
//! ```
//!
//! The conditions depend only on fluents and on predicates that never change, so that negation
//! stays stratified. Rules whose heads depend on moves are unchanged.

use super::check::{Changes, check};
use super::components::strongly_connected;
use super::rewrite::{arguments_of, atom_of, renumbered, variables_of};
use super::rules::{Atom, BodyLiteral, Predicate, PredicateId, Program, SheetRule, Term};
use super::sheet::Sheet;

impl Sheet {
    /// Returns an equivalent game that derives fewer atoms per state. Legal moves, goals, terminal
    /// states and next states are unchanged.
    pub fn on_demand(&self) -> Self {
        let mut demand = Demand::new(self);
        while demand.narrow() {}
        let program = demand.program();
        match check(&program) {
            Ok(strata) => Self { program, strata },
            Err(_) => self.clone(),
        }
    }
}

struct Demand<'a> {
    sheet: &'a Sheet,
    /// The bound arguments of each predicate. The list is empty for predicates whose atoms are all
    /// derived.
    known: Vec<Vec<usize>>,
}

/// A literal that demands atoms, and the conditions on the demand.
struct Question<'a> {
    atom: &'a Atom,
    /// The body literals that share variables with the atom, directly or through each other, and
    /// that are fluents or never change.
    given: Vec<&'a Atom>,
    /// The variables bound by `given` or by the demand for the head.
    bound: Vec<u16>,
}

impl<'a> Demand<'a> {
    fn new(sheet: &'a Sheet) -> Self {
        let Sheet { program, strata } = sheet;
        let mut successors = vec![Vec::new(); program.predicates.len()];
        for rule in &program.rules {
            let used = rule
                .body
                .iter()
                .filter_map(atom_of)
                .map(|(atom, _)| atom.predicate.0);
            successors[rule.head.predicate.index()].extend(used);
        }
        let component = strongly_connected(&successors).of;
        let own = program.keywords.goal.index() + 1;
        let known = program
            .predicates
            .iter()
            .enumerate()
            .map(|(number, predicate)| {
                // A stratum that negates its own predicates is evaluated as a whole.
                let negates = |rule: &SheetRule| {
                    let inside = |p: PredicateId| component[p.index()] == component[number];
                    inside(rule.head.predicate)
                        && rule
                            .body
                            .iter()
                            .filter_map(atom_of)
                            .any(|(atom, negated)| negated && inside(atom.predicate))
                };
                let whole = number < own
                    || strata.changes[number] != Changes::WithState
                    || program.rules.iter().any(negates);
                if whole {
                    Vec::new()
                } else {
                    (0..predicate.arity).collect()
                }
            });
        Self {
            sheet,
            known: known.collect(),
        }
    }

    /// Drops demanded arguments that are not bound. Returns whether an argument was dropped.
    fn narrow(&mut self) -> bool {
        let mut narrower = self.known.clone();
        for rule in &self.sheet.program.rules {
            for Question { atom, bound, .. } in self.questions(rule) {
                let arguments = arguments_of(&self.sheet.program.terms, &atom.term);
                let is_bound = |argument: &usize| {
                    variables_of(&arguments[*argument])
                        .iter()
                        .all(|v| bound.contains(v))
                };
                narrower[atom.predicate.index()].retain(is_bound);
            }
        }
        let changed = narrower != self.known;
        self.known = narrower;
        changed
    }

    /// Returns the literals of a rule's body that demand atoms.
    fn questions(&self, rule: &'a SheetRule) -> Vec<Question<'a>> {
        let mut of_head = Vec::new();
        let head = arguments_of(&self.sheet.program.terms, &rule.head.term);
        for &argument in &self.known[rule.head.predicate.index()] {
            of_head.extend(variables_of(&head[argument]));
        }
        let asks = |(atom, _): &(&Atom, bool)| !self.known[atom.predicate.index()].is_empty();
        let question = |(atom, _): (&'a Atom, bool)| {
            // The given literals share a variable with the atom, directly or through other given
            // literals.
            let mut linked = variables_of(&atom.term);
            let mut given: Vec<&Atom> = Vec::new();
            loop {
                let next = rule
                    .body
                    .iter()
                    .filter_map(atom_of)
                    .find(|&(other, negated)| {
                        !negated
                            && self.is_given(other.predicate)
                            && !given.iter().any(|known| std::ptr::eq(*known, other))
                            && variables_of(&other.term)
                                .iter()
                                .any(|number| linked.contains(number))
                    });
                let Some((next, _)) = next else { break };
                linked.extend(variables_of(&next.term));
                given.push(next);
            }
            let mut bound = of_head.clone();
            given
                .iter()
                .for_each(|atom| bound.extend(variables_of(&atom.term)));
            Question { atom, given, bound }
        };
        rule.body
            .iter()
            .filter_map(atom_of)
            .filter(asks)
            .map(question)
            .collect()
    }

    fn is_given(&self, predicate: PredicateId) -> bool {
        let Sheet { program, strata } = self.sheet;
        predicate == program.keywords.truth || strata.changes[predicate.index()] == Changes::Never
    }

    /// Returns the program with a condition added to each demanded rule, and with the rules that
    /// derive the conditions.
    fn program(&self) -> Program {
        let mut program = self.sheet.program.clone();
        let mut asked = vec![None; self.known.len()];
        for (number, known) in self
            .known
            .iter()
            .enumerate()
            .filter(|(_, known)| !known.is_empty())
        {
            let Predicate { at, .. } = program.predicates[number];
            let name = format!("asked {}", program.name(PredicateId(number as u32)));
            let name = program.terms.symbol(&name);
            asked[number] = Some(PredicateId(program.predicates.len() as u32));
            program.predicates.push(Predicate {
                name,
                arity: known.len(),
                at,
            });
        }
        let condition = |program: &mut Program, atom: &Atom| -> Option<Atom> {
            let predicate = asked[atom.predicate.index()]?;
            let arguments = arguments_of(&program.terms, &atom.term);
            let known = self.known[atom.predicate.index()].iter();
            let known: Vec<Term> = known.map(|&argument| arguments[argument].clone()).collect();
            let name = program.predicates[predicate.index()].name;
            let ground: Option<Vec<_>> = known
                .iter()
                .map(|term| {
                    if let Term::Ground(id) = term {
                        Some(*id)
                    } else {
                        None
                    }
                })
                .collect();
            let term = match ground {
                Some(ids) => Term::Ground(program.terms.insert(name, &ids)),
                None => Term::Compound(name, known),
            };
            Some(Atom { predicate, term })
        };
        let mut rules = Vec::new();
        for rule in &self.sheet.program.rules {
            let for_head = condition(&mut program, &rule.head);
            for question in self.questions(rule) {
                let Some(head) = condition(&mut program, question.atom) else {
                    continue;
                };
                let given = question.given.into_iter().cloned();
                let body: Vec<BodyLiteral> = for_head
                    .iter()
                    .cloned()
                    .chain(given)
                    .map(BodyLiteral::Positive)
                    .collect();
                if for_head.as_ref() != Some(&head) {
                    rules.push(renumbered(SheetRule {
                        head,
                        body,
                        ..rule.clone()
                    }));
                }
            }
            let mut rule = rule.clone();
            rule.body.extend(for_head.map(BodyLiteral::Positive));
            rules.push(rule);
        }
        program.rules = rules;
        program
    }
}
