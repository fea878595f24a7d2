//! The two parts of a one-stage network: the decision part and the stochastic part.

use super::{network::ConstraintNetwork, variable::VariableKind};

/// A part of a network (Koriche et al. (MAC-UCB), section 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum NetworkPart {
    /// The classical network N', whose variables do not depend on chance.
    Decision,
    /// The stochastic network N''.
    Stochastic,
}

/// The assignment of each hard constraint to a part, and lists of the variables that the stochastic
/// part reads.
///
/// An outcome variable depends on chance if it shares a constraint with a chance variable, or with
/// another outcome variable that depends on chance. All constraints of such variables are
/// stochastic. The decisions alone determine the remaining outcome variables.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    of: Vec<NetworkPart>,
    /// The chance variables.
    pub chance: Vec<u32>,
    /// The outcome variables that depend on chance.
    pub late_outcomes: Vec<u32>,
    /// All variables that do not depend on chance.
    pub early: Vec<u32>,
    /// The decision variables that stochastic constraints and indicators of chance read.
    pub read_by_chance: Vec<u32>,
}

impl Partition {
    pub fn new(network: &ConstraintNetwork) -> Self {
        let all = || 0..network.variables();
        let is = |x: u32, kind| network.kind(x) == kind;
        let mut late: Vec<bool> = all().map(|x| is(x, VariableKind::Chance)).collect();
        let mut of = vec![NetworkPart::Decision; network.constraints()];
        loop {
            let mut grown = false;
            for (constraint, part) in of.iter_mut().enumerate() {
                let scope = network.scope(constraint);
                if *part == NetworkPart::Stochastic || !scope.iter().any(|&x| late[x as usize]) {
                    continue;
                }
                *part = NetworkPart::Stochastic;
                for &x in scope {
                    grown |= is(x, VariableKind::Outcome)
                        && !std::mem::replace(&mut late[x as usize], true);
                }
            }
            if !grown {
                break;
            }
        }
        let chance: Vec<u32> = all().filter(|&x| is(x, VariableKind::Chance)).collect();
        let stochastic = (0..of.len()).filter(|&c| of[c] == NetworkPart::Stochastic);
        let mut read_by_chance: Vec<u32> = stochastic
            .flat_map(|constraint| network.scope(constraint))
            .chain(chance.iter().flat_map(|&y| network.indicators(y)))
            .copied()
            .filter(|&x| is(x, VariableKind::Decision))
            .collect();
        read_by_chance.sort_unstable();
        read_by_chance.dedup();
        Self {
            late_outcomes: all()
                .filter(|&x| is(x, VariableKind::Outcome) && late[x as usize])
                .collect(),
            early: all().filter(|&x| !late[x as usize]).collect(),
            of,
            chance,
            read_by_chance,
        }
    }

    pub fn of(&self, constraint: usize) -> NetworkPart {
        self.of[constraint]
    }
}
