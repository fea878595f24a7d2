//! Checks that a set of rules is valid (Love et al., Game Description Language specification,
//! 2008): every rule must be safe, and keywords may occur only in allowed places and depend only on
//! allowed predicates. Whether negation is stratified is a property of ground atoms, which
//! `stratify` checks.

use super::{
    components::{Components, strongly_connected},
    error::RuleError,
    rules::{BodyLiteral, PredicateId, Program, SheetRule, Term},
};

/// The order in which predicates can be evaluated, and what each predicate depends on.
#[derive(Clone, Debug)]
pub(crate) struct Strata {
    /// The stratum of each predicate. A predicate depends only on predicates of lower strata, and
    /// on predicates of its own stratum with mutual dependencies.
    pub of: Vec<u32>,
    pub count: usize,
    /// Whether the rules of some stratum negate predicates of the same stratum.
    pub negates_itself: bool,
    /// What each predicate's atoms depend on: nothing, the state, or the moves.
    pub changes: Vec<Changes>,
}

/// What the atoms of a predicate depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Changes {
    Never,
    /// The predicate depends on `true`.
    WithState,
    /// The predicate depends on `does`.
    WithMoves,
}

/// Checks all rules of a program and returns its strata.
pub(crate) fn check(program: &Program) -> Result<Strata, RuleError> {
    program.rules.iter().try_for_each(safe)?;
    let keywords = &program.keywords;
    for (what, head, predicate) in [
        ("player", "role", keywords.role),
        ("legal move", "legal", keywords.legal),
        ("terminal state", "terminal", keywords.terminal),
        ("goal", "goal", keywords.goal),
    ] {
        if !program
            .rules
            .iter()
            .any(|rule| rule.head.predicate == predicate)
        {
            return Err(RuleError::Missing { what, head });
        }
    }
    program
        .rules
        .iter()
        .try_for_each(|rule| keywords_in_place(program, rule))?;
    let (components, negates_itself) = strata(program);
    let on_truth = depending_on(program, keywords.truth);
    let on_does = depending_on(program, keywords.does);
    for (predicate, on, depends) in [
        (keywords.role, "true", &on_truth),
        (keywords.role, "does", &on_does),
        (keywords.init, "true", &on_truth),
        (keywords.init, "does", &on_does),
        (keywords.legal, "does", &on_does),
        (keywords.terminal, "does", &on_does),
        (keywords.goal, "does", &on_does),
    ] {
        let through = |rule: &&SheetRule| {
            rule.head.predicate == predicate
                && predicates(rule).any(|(used, _)| depends[used.index()])
        };
        if let Some(rule) = program.rules.iter().find(through) {
            let head = program.name(predicate).to_owned();
            return Err(RuleError::Depends {
                at: rule.at,
                head,
                on: on.to_owned(),
            });
        }
    }
    let changes = on_truth.iter().zip(&on_does).map(|pair| match pair {
        (_, true) => Changes::WithMoves,
        (true, false) => Changes::WithState,
        (false, false) => Changes::Never,
    });
    Ok(Strata {
        of: components.of,
        count: components.count,
        negates_itself,
        changes: changes.collect(),
    })
}

/// Calls `visit` with each variable of `term`.
pub(crate) fn variables(term: &Term, visit: &mut impl FnMut(u16)) {
    match term {
        Term::Variable(number) => visit(*number),
        Term::Ground(_) => {}
        Term::Compound(_, arguments) => arguments
            .iter()
            .for_each(|argument| variables(argument, visit)),
    }
}

fn safe(rule: &SheetRule) -> Result<(), RuleError> {
    let mut bound = vec![false; rule.variables.len()];
    for literal in &rule.body {
        if let BodyLiteral::Positive(atom) = literal {
            variables(&atom.term, &mut |number| bound[number as usize] = true);
        }
    }
    match bound.iter().position(|bound| !bound) {
        Some(free) => Err(RuleError::Unsafe {
            at: rule.at,
            variable: rule.variables[free].clone(),
        }),
        None => Ok(()),
    }
}

/// Returns the predicates of a rule's body, and whether each of them is negated.
fn predicates(rule: &SheetRule) -> impl Iterator<Item = (PredicateId, bool)> {
    let atoms = rule.body.iter().filter_map(BodyLiteral::atom);
    atoms.map(|(atom, negated)| (atom.predicate, negated))
}

fn keywords_in_place(program: &Program, rule: &SheetRule) -> Result<(), RuleError> {
    let keywords = &program.keywords;
    let head = rule.head.predicate;
    if head == keywords.truth || head == keywords.does {
        return Err(RuleError::Head {
            at: rule.at,
            name: program.name(head).to_owned(),
        });
    }
    match predicates(rule).find(|&(used, _)| used == keywords.init || used == keywords.next) {
        Some((used, _)) => Err(RuleError::Body {
            at: rule.at,
            name: program.name(used).to_owned(),
        }),
        None => Ok(()),
    }
}

/// Returns the strongly connected components of the predicates, and whether some component contains
/// a negation.
fn strata(program: &Program) -> (Components, bool) {
    let mut successors = vec![Vec::new(); program.predicates.len()];
    for rule in &program.rules {
        successors[rule.head.predicate.index()].extend(predicates(rule).map(|(used, _)| used.0));
    }
    let components = strongly_connected(&successors);
    let circular = |rule: &SheetRule| {
        let of = |predicate: PredicateId| components.of[predicate.index()];
        predicates(rule).any(|(used, negated)| negated && of(used) == of(rule.head.predicate))
    };
    let negates_itself = program.rules.iter().any(circular);
    (components, negates_itself)
}

/// Returns, for each predicate, whether it depends on `base` or is `base` itself.
fn depending_on(program: &Program, base: PredicateId) -> Vec<bool> {
    let mut users = vec![Vec::new(); program.predicates.len()];
    for rule in &program.rules {
        for (used, _) in predicates(rule) {
            users[used.index()].push(rule.head.predicate);
        }
    }
    let mut depends = vec![false; program.predicates.len()];
    let mut open = vec![base];
    while let Some(predicate) = open.pop() {
        if !std::mem::replace(&mut depends[predicate.index()], true) {
            open.extend(&users[predicate.index()]);
        }
    }
    depends
}
