//! The two parts of a one-stage network: the decision part and the stochastic part.

use super::network::ConstraintNetwork;
use super::variable::VariableKind;

/// A part of a network (Koriche et al. (MAC-UCB), section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    of: Vec<NetworkPart>,
    /// For each variable, whether its value depends on chance.
    late: Vec<bool>,
    /// The chance variables.
    pub(super) chance: Vec<u32>,
    /// The outcome variables that depend on chance.
    pub(super) late_outcomes: Vec<u32>,
    /// All variables that do not depend on chance.
    pub(super) early: Vec<u32>,
    /// The decision variables that hard stochastic constraints and chance tables read.
    pub(super) read_by_chance: Vec<u32>,
    /// The decision variables that hard stochastic constraints, chance tables or utilities read.
    pub(super) read_by_value: Vec<u32>,
}

impl Partition {
    pub(super) fn rebuild(&mut self, network: &ConstraintNetwork) {
        self.late.clear();
        self.late
            .extend((0..network.variables()).map(|x| network.kind(x) == VariableKind::Chance));
        self.of.clear();
        self.of.resize(network.constraints(), NetworkPart::Decision);
        loop {
            let mut grown = false;
            for constraint in 0..network.constraints() {
                let scope = network.scope(constraint);
                if self.of[constraint] == NetworkPart::Stochastic
                    || !scope.iter().any(|&x| self.late[x as usize])
                {
                    continue;
                }
                self.of[constraint] = NetworkPart::Stochastic;
                for &x in scope {
                    grown |= network.kind(x) == VariableKind::Outcome
                        && !std::mem::replace(&mut self.late[x as usize], true);
                }
            }
            if !grown {
                break;
            }
        }
        let all = || 0..network.variables();
        fill(
            &mut self.chance,
            all().filter(|&x| network.kind(x) == VariableKind::Chance),
        );
        fill(
            &mut self.late_outcomes,
            all().filter(|&x| network.kind(x) == VariableKind::Outcome && self.late[x as usize]),
        );
        fill(&mut self.early, all().filter(|&x| !self.late[x as usize]));
        self.collect_read(network);
    }

    pub(super) fn of(&self, constraint: usize) -> NetworkPart {
        self.of[constraint]
    }

    fn collect_read(&mut self, network: &ConstraintNetwork) {
        let stochastic =
            (0..network.constraints()).filter(|&c| self.of[c] == NetworkPart::Stochastic);
        let tables = self.chance.iter().filter_map(|&y| network.of_chance(y));
        let hard = stochastic
            .flat_map(|c| network.scope(c))
            .chain(tables.flat_map(|table| table.scope()));
        let decisions = |x: &&u32| network.kind(**x) == VariableKind::Decision;
        fill(&mut self.read_by_chance, hard.filter(decisions).copied());
        let soft = network
            .utilities()
            .iter()
            .flat_map(|utility| &utility.scope)
            .filter(decisions);
        self.read_by_value.clear();
        self.read_by_value
            .extend(self.read_by_chance.iter().chain(soft));
        for list in [&mut self.read_by_chance, &mut self.read_by_value] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

fn fill(list: &mut Vec<u32>, items: impl Iterator<Item = u32>) {
    list.clear();
    list.extend(items);
}
