//! Translation of expressions to Horn clauses: predicates, variables, negation, and expansion of
//! `or` into several rules. The module `check` checks the set of rules as a whole.

use std::collections::HashMap;

use super::{
    error::RuleError,
    kif::{Expression, TextPosition},
    terms::{Symbol, TermId, Terms},
};

/// The maximum number of rules to which one rule with `or` may be expanded.
const MOST_ALTERNATIVES: usize = 4096;

/// A term that may contain variables.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Variable(u16),
    Ground(TermId),
    Compound(Symbol, Vec<Term>),
}

/// The number of a predicate, which is identified by a name and an arity.
#[derive(Clone, Copy, PartialEq, Debug, PartialOrd)]
pub(crate) struct PredicateId(pub(crate) u32);

impl PredicateId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate applied to terms. As a ground term, the atom has the predicate's name as its
/// functor.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub predicate: PredicateId,
    pub term: Term,
}

/// A literal in the body of a rule.
#[derive(Clone, Debug)]
pub(crate) enum BodyLiteral {
    Positive(Atom),
    Negative(Atom),
    Distinct(Term, Term),
}

impl BodyLiteral {
    /// Returns the atom of the literal, and whether it is negated. Returns `None` for `distinct`.
    pub const fn atom(&self) -> Option<(&Atom, bool)> {
        match self {
            Self::Positive(atom) => Some((atom, false)),
            Self::Negative(atom) => Some((atom, true)),
            Self::Distinct(..) => None,
        }
    }
}

/// A rule `head <= body`. A fact is a rule with an empty body.
#[derive(Clone, Debug)]
pub(crate) struct SheetRule {
    pub head: Atom,
    pub body: Vec<BodyLiteral>,
    /// The names of the variables, in the order of their numbers.
    pub variables: Vec<String>,
    pub at: TextPosition,
}

#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub name: Symbol,
    pub arity: usize,
    /// The position of the first occurrence of the predicate.
    pub at: TextPosition,
}

/// The predicates with a predefined meaning in the language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keywords {
    pub role: PredicateId,
    pub init: PredicateId,
    pub truth: PredicateId,
    pub next: PredicateId,
    pub legal: PredicateId,
    pub does: PredicateId,
    pub terminal: PredicateId,
    pub goal: PredicateId,
}

const KEYWORDS: [(&str, usize); 8] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("next", 1),
    ("legal", 2),
    ("does", 2),
    ("terminal", 0),
    ("goal", 2),
];

/// All rules of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub terms: Terms,
    pub predicates: Vec<Predicate>,
    pub rules: Vec<SheetRule>,
    pub keywords: Keywords,
}

impl Program {
    /// Translates expressions to rules.
    pub fn new(expressions: &[Expression]) -> Result<Self, RuleError> {
        let mut reader = RuleReader::new();
        for expression in expressions {
            reader.rule(expression)?;
        }
        let [role, init, truth, next, legal, does, terminal, goal] =
            std::array::from_fn(|index| PredicateId(index as u32));
        Ok(Self {
            terms: reader.terms,
            predicates: reader.predicates,
            rules: reader.rules,
            keywords: Keywords {
                role,
                init,
                truth,
                next,
                legal,
                does,
                terminal,
                goal,
            },
        })
    }

    /// Returns the name of a predicate.
    pub fn name(&self, predicate: PredicateId) -> &str {
        self.terms.name(self.predicates[predicate.index()].name)
    }
}

struct RuleReader {
    terms: Terms,
    predicates: Vec<Predicate>,
    by_name: HashMap<Symbol, PredicateId>,
    rules: Vec<SheetRule>,
}

impl RuleReader {
    fn new() -> Self {
        let mut reader = Self {
            terms: Terms::default(),
            predicates: Vec::new(),
            by_name: HashMap::new(),
            rules: Vec::new(),
        };
        for (name, arity) in KEYWORDS {
            let name = reader.terms.symbol(name);
            reader
                .by_name
                .insert(name, PredicateId(reader.predicates.len() as u32));
            reader.predicates.push(Predicate {
                name,
                arity,
                at: TextPosition::default(),
            });
        }
        reader
    }

    fn rule(&mut self, expression: &Expression) -> Result<(), RuleError> {
        let at = expression.at();
        let (head, body) = match expression {
            Expression::List { items, .. } if begins(items, "<=") => {
                let [_, head, body @ ..] = items.as_slice() else {
                    return Err(RuleError::NoHead { at });
                };
                (head, body)
            }
            fact => (fact, [].as_slice()),
        };
        if matches!(name_of(head), Some("base" | "input")) {
            return Ok(()); // `base` and `input` list what grounding finds by itself.
        }
        for alternative in alternatives(body, at)? {
            let mut variables = Variables::default();
            let head = self.atom(head, &mut variables)?;
            let body = alternative
                .into_iter()
                .map(|literal| self.literal(literal, &mut variables))
                .collect::<Result<Vec<_>, _>>()?;
            self.rules.push(SheetRule {
                head,
                body,
                variables: variables.names,
                at,
            });
        }
        Ok(())
    }

    fn literal(
        &mut self,
        expression: &Expression,
        variables: &mut Variables,
    ) -> Result<BodyLiteral, RuleError> {
        let at = expression.at();
        let Expression::List { items, .. } = expression else {
            return Ok(BodyLiteral::Positive(self.atom(expression, variables)?));
        };
        match (items.first().and_then(symbol), items.as_slice()) {
            (Some("not"), [_, inner])
                if matches!(name_of(inner), Some("not" | "or" | "and" | "distinct")) =>
            {
                Err(RuleError::NegatedFormula { at })
            }
            (Some("not"), [_, inner]) => Ok(BodyLiteral::Negative(self.atom(inner, variables)?)),
            (Some("distinct"), [_, left, right]) => Ok(BodyLiteral::Distinct(
                self.term(left, variables)?,
                self.term(right, variables)?,
            )),
            (Some(name @ ("not" | "distinct")), _) => {
                let wanted = if name == "not" { 1 } else { 2 };
                Err(RuleError::Arity {
                    at,
                    name: name.to_owned(),
                    wanted,
                    found: items.len() - 1,
                })
            }
            _ => Ok(BodyLiteral::Positive(self.atom(expression, variables)?)),
        }
    }

    fn atom(
        &mut self,
        expression: &Expression,
        variables: &mut Variables,
    ) -> Result<Atom, RuleError> {
        let at = expression.at();
        let name = name_of(expression).ok_or(RuleError::NoPredicate { at })?;
        if name == "sees" {
            return Err(RuleError::Sees { at });
        }
        if name.starts_with('?') || matches!(name, "not" | "or" | "and" | "distinct" | "<=") {
            return Err(RuleError::NoPredicate { at });
        }
        let arguments = match expression {
            Expression::Symbol { .. } => [].as_slice(),
            Expression::List { items, .. } => &items[1..],
        };
        let symbol = self.terms.symbol(name);
        let predicate = *self.by_name.entry(symbol).or_insert_with(|| {
            self.predicates.push(Predicate {
                name: symbol,
                arity: arguments.len(),
                at,
            });
            PredicateId(self.predicates.len() as u32 - 1)
        });
        let wanted = self.predicates[predicate.index()].arity;
        if wanted != arguments.len() {
            return Err(RuleError::Arity {
                at,
                name: name.to_owned(),
                wanted,
                found: arguments.len(),
            });
        }
        Ok(Atom {
            predicate,
            term: self.compound(symbol, arguments, variables)?,
        })
    }

    fn term(
        &mut self,
        expression: &Expression,
        variables: &mut Variables,
    ) -> Result<Term, RuleError> {
        match expression {
            Expression::Symbol { name, at } if name.starts_with('?') => variables.number(name, *at),
            Expression::Symbol { name, .. } => {
                let symbol = self.terms.symbol(name);
                Ok(Term::Ground(self.terms.insert(symbol, &[])))
            }
            Expression::List { items, at } => {
                let name = name_of(expression).filter(|name| !name.starts_with('?'));
                let symbol = self
                    .terms
                    .symbol(name.ok_or(RuleError::NoFunctor { at: *at })?);
                self.compound(symbol, &items[1..], variables)
            }
        }
    }

    fn compound(
        &mut self,
        functor: Symbol,
        arguments: &[Expression],
        variables: &mut Variables,
    ) -> Result<Term, RuleError> {
        let arguments = arguments
            .iter()
            .map(|argument| self.term(argument, variables))
            .collect::<Result<Vec<_>, _>>()?;
        let ground = arguments.iter().map(|term| match term {
            Term::Ground(id) => Some(*id),
            _ => None,
        });
        Ok(match ground.collect::<Option<Vec<_>>>() {
            Some(ids) => Term::Ground(self.terms.insert(functor, &ids)),
            None => Term::Compound(functor, arguments),
        })
    }
}

/// The variables of one rule, numbered in the order of their first occurrence.
#[derive(Default)]
struct Variables {
    names: Vec<String>,
}

impl Variables {
    fn number(&mut self, name: &str, at: TextPosition) -> Result<Term, RuleError> {
        let known = self.names.iter().position(|other| other == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u16::try_from(index)
            .map(Term::Variable)
            .map_err(|_| RuleError::TooManyVariables { at })
    }
}

/// Expands a body into alternatives without `or` and `and`.
fn alternatives(body: &[Expression], at: TextPosition) -> Result<Vec<Vec<&Expression>>, RuleError> {
    let mut all: Vec<Vec<&Expression>> = vec![Vec::new()];
    for literal in body {
        let choices = match literal {
            Expression::List { items, .. } if begins(items, "or") => {
                let mut choices = Vec::new();
                for item in &items[1..] {
                    choices.extend(alternatives(std::slice::from_ref(item), at)?);
                }
                choices
            }
            Expression::List { items, .. } if begins(items, "and") => {
                alternatives(&items[1..], at)?
            }
            _ => {
                all.iter_mut()
                    .for_each(|alternative| alternative.push(literal));
                continue;
            }
        };
        if all.len() * choices.len() > MOST_ALTERNATIVES {
            return Err(RuleError::TooManyAlternatives {
                at,
                limit: MOST_ALTERNATIVES,
            });
        }
        all = all
            .iter()
            .flat_map(|left| {
                choices
                    .iter()
                    .map(move |right| left.iter().chain(right).copied().collect())
            })
            .collect();
    }
    Ok(all)
}

fn symbol(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Symbol { name, .. } => Some(name),
        Expression::List { .. } => None,
    }
}

fn begins(items: &[Expression], name: &str) -> bool {
    items.first().and_then(symbol) == Some(name)
}

/// Returns the name of an atom or term: the symbol itself, or the first symbol of the list.
fn name_of(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Symbol { name, .. } => Some(name),
        Expression::List { items, .. } => items.first().and_then(symbol),
    }
}
