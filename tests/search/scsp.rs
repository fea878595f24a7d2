//! Tests of stochastic constraint networks: the examples of Koriche et al., and random networks
//! compared with brute force.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use mineflow_rng::{Rng, Seed};
use mineflow_search::Deadline;
use mineflow_search::scsp::{
    ConstraintNetwork, Method, NetworkSize, NetworkSolver, Query, Variable, VariableKind,
};
use rand::RngExt;

use crate::naive_tables::{Csp, arc_consistent, singleton_arc_consistent};

const METHODS: [Method; 2] = [Method::Mac, Method::ForwardChecking];
const NO_LIMIT: u64 = u64::MAX;

fn decisions(network: &ConstraintNetwork) -> Vec<Variable> {
    network.of_kind(VariableKind::Decision).collect()
}

/// Returns a query by MAC without limits.
fn all_of(wanted: &[Variable]) -> Query<'_> {
    Query {
        given: &[],
        wanted,
        method: Method::Mac,
        nodes: NO_LIMIT,
        time: None,
    }
}

/// Returns the assignments of `wanted` that the solver visits. Asserts that each is visited only
/// once.
fn solutions(
    solver: &mut NetworkSolver,
    given: &[(Variable, u32)],
    wanted: &[Variable],
    method: Method,
) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let query = Query {
        given,
        method,
        ..all_of(wanted)
    };
    let is_complete = solver.solve(&query, |values| {
        assert!(
            found.insert(values.to_vec()),
            "{values:?} was visited twice"
        );
    });
    assert!(is_complete);
    found
}

/// Returns the feasible policies of a network. Asserts that both methods find the same policies.
fn policies(network: &ConstraintNetwork) -> Vec<Vec<u32>> {
    let mut solver = NetworkSolver::new(network.clone());
    let wanted = decisions(network);
    let [mac, forward] = METHODS.map(|method| solutions(&mut solver, &[], &wanted, method));
    assert_eq!(mac, forward);
    mac.into_iter().collect()
}

/// Allows the pairs for which `holds` is true.
fn allow_pairs(
    network: &mut ConstraintNetwork,
    x: Variable,
    y: Variable,
    holds: impl Fn(u32, u32) -> bool,
) {
    let pairs: Vec<u32> = network
        .domain(x)
        .flat_map(|a| network.domain(y).map(move |b| [a, b]))
        .filter(|&[a, b]| holds(a, b))
        .flatten()
        .collect();
    network.allow(&[x, y], &pairs).unwrap();
}

/// Checks example 2 of Koriche et al. (*Résolution de SCSP avec borne de confiance*): forward
/// checking finds (2, 2) and (3, 2) with satisfaction 1, and MAC leaves (2, 2).
#[test]
fn the_french_papers_stage_has_one_solution_of_two_feasible_policies() {
    let mut network = ConstraintNetwork::default();
    let x = network.variable(VariableKind::Decision, 4);
    let y = network.variable(VariableKind::Chance, 3);
    let z = network.variable(VariableKind::Decision, 3);
    network.allow(&[x], &[1, 2, 3]).unwrap();
    allow_pairs(&mut network, x, y, |x, y| x + y > 1);
    allow_pairs(&mut network, y, z, |y, z| y + z > 1);
    assert_eq!(policies(&network), [[2, 2], [3, 2]]);
    allow_pairs(&mut network, x, z, |x, z| x == z);
    assert_eq!(policies(&network), [[2, 2]]);
}

/// Checks the hard constraints of example 2 of Koriche et al. (English paper): no player can change
/// her coin in the second round. The variable y1 has one value.
#[test]
fn matching_pennies_has_four_policies() {
    let mut network = ConstraintNetwork::default();
    let [x1a, x1b] = [(); 2].map(|()| network.variable(VariableKind::Decision, 2));
    network.variable(VariableKind::Chance, 1);
    let [x2a, x2b] = [(); 2].map(|()| network.variable(VariableKind::Decision, 2));
    network.variable(VariableKind::Chance, 2);
    allow_pairs(&mut network, x1a, x2a, |a, b| a == b);
    allow_pairs(&mut network, x1b, x2b, |a, b| a == b);
    assert_eq!(
        policies(&network),
        [[0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0], [1, 1, 1, 1]]
    );
}

/// Checks the hard constraints of example 3 of Koriche et al. (English paper). Our copy of the
/// paper lacks figure 4, and thus we chose the constraints: with the printed domains, the first
/// step gives the printed values of x1, and the second the printed result.
#[test]
fn the_english_papers_stage_has_one_solution() {
    let mut network = ConstraintNetwork::default();
    let x1 = network.variable(VariableKind::Decision, 4);
    let x2 = network.variable(VariableKind::Decision, 3);
    let y = network.variable(VariableKind::Chance, 3);
    network.allow(&[x1], &[1, 2, 3]).unwrap();
    allow_pairs(&mut network, x1, y, |x, y| (2..=4).contains(&(x + y)));
    assert_eq!(policies(&network), [[2, 0], [2, 1], [2, 2]]);
    allow_pairs(&mut network, x1, x2, |a, b| a == b);
    assert_eq!(policies(&network), [[2, 2]]);
}

/// A random network in a form that brute force can use.
struct Random {
    network: ConstraintNetwork,
    kinds: Vec<VariableKind>,
    sizes: Vec<u32>,
    hard: Vec<(Vec<usize>, BTreeSet<Vec<u32>>)>,
    /// For each chance variable with indicators, its number and its indicators.
    indicators: Vec<(usize, Vec<usize>)>,
}

fn pick_scope(rng: &mut Rng, from: &[usize], most: usize) -> Vec<usize> {
    let mut scope: Vec<usize> = Vec::new();
    for _ in 0..rng.random_range(1..=most) {
        let x = from[rng.random_range(0..from.len())];
        if !scope.contains(&x) {
            scope.push(x);
        }
    }
    scope
}

fn tuples_of(scope: &[usize], sizes: &[u32]) -> Vec<Vec<u32>> {
    scope.iter().fold(vec![vec![]], |tuples, &x| {
        let longer = |tuple: &Vec<u32>, v| tuple.iter().copied().chain([v]).collect::<Vec<u32>>();
        tuples
            .iter()
            .flat_map(|tuple| (0..sizes[x]).map(move |v| longer(tuple, v)))
            .collect()
    })
}

fn random_network(rng: &mut Rng, chance: usize, looseness: f64) -> Random {
    let counts = [
        rng.random_range(2..=4),
        chance,
        if chance > 0 {
            rng.random_range(0..=2)
        } else {
            0
        },
    ];
    let mut network = ConstraintNetwork::default();
    let (mut kinds, mut sizes, mut variables) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, count) in [
        VariableKind::Decision,
        VariableKind::Chance,
        VariableKind::Outcome,
    ]
    .into_iter()
    .zip(counts)
    {
        for _ in 0..count {
            let size = match kind {
                VariableKind::Decision => [2, 2, 3, 4][rng.random_range(0..4)],
                _ => rng.random_range(2..=3),
            };
            variables.push(network.variable(kind, size));
            kinds.push(kind);
            sizes.push(size);
        }
    }
    let of = |wanted: &[VariableKind]| {
        (0..kinds.len())
            .filter(|&x| wanted.contains(&kinds[x]))
            .collect::<Vec<_>>()
    };
    let named = |scope: &[usize]| scope.iter().map(|&x| variables[x]).collect::<Vec<_>>();
    let all = of(&[
        VariableKind::Decision,
        VariableKind::Chance,
        VariableKind::Outcome,
    ]);
    let mut hard = Vec::new();
    for _ in 0..rng.random_range(2..=5) {
        let scope = pick_scope(rng, &all, 3);
        let mut kept: Vec<Vec<u32>> = tuples_of(&scope, &sizes);
        kept.retain(|_| rng.random_bool(looseness));
        network.allow(&named(&scope), &kept.concat()).unwrap();
        hard.push((scope, BTreeSet::from_iter(kept)));
    }
    let mut indicators = Vec::new();
    for y in of(&[VariableKind::Chance]) {
        let flags: Vec<usize> = of(&[VariableKind::Decision])
            .into_iter()
            .filter(|&x| sizes[x] == 2)
            .take(sizes[y] as usize)
            .collect();
        if flags.len() == sizes[y] as usize && rng.random_bool(0.7) {
            network.uniform_over(variables[y], &named(&flags)).unwrap();
            indicators.push((y, flags));
        }
    }
    Random {
        network,
        kinds,
        sizes,
        hard,
        indicators,
    }
}

impl Random {
    fn holds(&self, values: &[u32]) -> bool {
        self.hard.iter().all(|(scope, allowed)| {
            allowed.contains(&scope.iter().map(|&x| values[x]).collect::<Vec<_>>())
        })
    }

    fn of(&self, kind: VariableKind) -> Vec<usize> {
        (0..self.kinds.len())
            .filter(|&x| self.kinds[x] == kind)
            .collect()
    }

    /// Applies definition 2 literally: some event is possible, and every possible event can be
    /// completed.
    fn feasible(&self, decisions: &[u32]) -> bool {
        let [chance, outcomes] =
            [VariableKind::Chance, VariableKind::Outcome].map(|kind| self.of(kind));
        let mut values = vec![0; self.kinds.len()];
        values[..decisions.len()].copy_from_slice(decisions);
        let mut some = false;
        for event in tuples_of(&chance, &self.sizes) {
            chance
                .iter()
                .zip(&event)
                .for_each(|(&y, &value)| values[y] = value);
            let is_possible =
                |(y, flags): &(usize, Vec<usize>)| values[flags[values[*y] as usize]] == 1;
            if !self.indicators.iter().all(is_possible) {
                continue;
            }
            some = true;
            let completed = tuples_of(&outcomes, &self.sizes).iter().any(|outcome| {
                outcomes
                    .iter()
                    .zip(outcome)
                    .for_each(|(&x, &value)| values[x] = value);
                self.holds(&values)
            });
            if !completed {
                return false;
            }
        }
        some
    }

    fn policies(&self) -> BTreeSet<Vec<u32>> {
        let all = tuples_of(&self.of(VariableKind::Decision), &self.sizes);
        all.into_iter()
            .filter(|values| self.feasible(values))
            .collect()
    }
}

#[test]
fn solvers_find_the_feasible_policies_that_brute_force_finds() {
    let mut rng = Seed::new(4).child("policies", 0).rng();
    let (mut some, mut none) = (0, 0);
    for round in 0..400 {
        let looseness = rng.random_range(0.5..1.0);
        let random = random_network(&mut rng, round % 3, looseness);
        let expected = random.policies();
        if expected.is_empty() {
            none += 1
        } else {
            some += 1
        }
        let all = decisions(&random.network);
        let wanted: Vec<Variable> = all
            .iter()
            .copied()
            .filter(|_| rng.random_bool(0.6))
            .collect();
        let given_place = rng.random_range(0..all.len());
        let given = [(
            all[given_place],
            rng.random_range(0..random.sizes[given_place]),
        )];
        for preprocesses in [false, true] {
            let mut network = random.network.clone();
            if preprocesses {
                network.preprocess();
            }
            let mut solver = NetworkSolver::new(network);
            for method in METHODS {
                assert_eq!(
                    solutions(&mut solver, &[], &all, method),
                    expected,
                    "round {round} {method:?}"
                );
                let projected = expected
                    .iter()
                    .map(|values| wanted.iter().map(|x| values[x.index()]).collect())
                    .collect();
                assert_eq!(
                    solutions(&mut solver, &[], &wanted, method),
                    projected,
                    "round {round}"
                );
                let under = expected
                    .iter()
                    .filter(|values| values[given_place] == given[0].1)
                    .cloned()
                    .collect();
                assert_eq!(
                    solutions(&mut solver, &given, &all, method),
                    under,
                    "round {round}"
                );
            }
        }
    }
    assert!(
        some > 100 && none > 50,
        "the networks are too alike: {some} with policies, {none} without"
    );
}

#[test]
fn the_limits_end_a_search() {
    let network = queens(8).network();
    let wanted = decisions(&network);
    let mut solver = NetworkSolver::new(network);
    let query = all_of(&wanted);
    let mut count = |query: Query| {
        let mut count = 0;
        (solver.solve(&query, |_| count += 1), count)
    };
    assert!(!count(Query { nodes: 20, ..query }).0);
    let mut within = |seconds| {
        READINGS.set(0);
        let time = Some(Deadline::after(Duration::from_secs(seconds), ticking));
        (count(Query { time, ..query }), READINGS.get())
    };
    let (whole, readings) = within(u64::MAX);
    assert_eq!(whole, (true, 92));
    assert!(readings > 100, "{readings}");
    // The deadline is set at the first reading. Propagation finds it passed 10 readings later, and
    // reads no more.
    let ((is_complete, found), readings) = within(10);
    assert!(!is_complete && found < 92, "{found}");
    assert_eq!(readings, 11);
    assert_eq!(count(query), (true, 92));
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that moves on by a second at each reading.
fn ticking() -> Duration {
    READINGS.set(READINGS.get() + 1);
    Duration::from_secs(READINGS.get())
}

/// Returns a network of decisions only, with distinct scopes of two or three variables.
fn random_csp(
    rng: &mut Rng,
    variables: usize,
    size: u32,
    constraints: usize,
    looseness: f64,
) -> Csp {
    let sizes = vec![size; variables];
    let mut csp = Csp {
        sizes: sizes.clone(),
        relations: Vec::new(),
    };
    while csp.relations.len() < constraints {
        let mut scope = pick_scope(rng, &Vec::from_iter(0..variables), 4);
        scope.sort_unstable();
        if !(2..=3).contains(&scope.len()) || csp.relations.iter().any(|(other, _)| *other == scope)
        {
            continue;
        }
        let mut tuples = tuples_of(&scope, &sizes);
        tuples.retain(|_| rng.random_bool(looseness));
        csp.relations.push((scope, tuples));
    }
    csp
}

/// Preprocessing may remove more than filtering alone: a variable with one value left is universal,
/// so that several constraints may get the same scope and are merged. Removed values are in no
/// solution, and the remaining domains are consistent.
#[test]
fn preprocessing_leaves_consistent_domains_and_every_solution() {
    let mut rng = Seed::new(4).child("sac", 0).rng();
    let (mut pruned, mut deeper, mut empty) = (0, 0, 0);
    for _ in 0..300 {
        let looseness = rng.random_range(0.1..0.5);
        let csp = random_csp(&mut rng, 6, 4, 7, looseness);
        let solutions = csp.solutions();
        let arc = arc_consistent(&csp, csp.full());
        let singleton = singleton_arc_consistent(&csp, csp.full());
        let mut network = csp.network();
        network.preprocess();
        assert_eq!(policies(&network), solutions);
        if let Some(defined) = &singleton {
            let left: Vec<Vec<u32>> = decisions(&network)
                .iter()
                .map(|&x| network.domain(x).collect())
                .collect();
            assert!(
                left.iter()
                    .zip(defined)
                    .all(|(left, defined)| left.iter().all(|v| defined.contains(v)))
            );
            let relation = |c| {
                let scope: Vec<usize> = network.constraint(c).0.map(Variable::index).collect();
                let tuples = network.constraint(c).1.chunks_exact(scope.len());
                let tuples = tuples.map(<[u32]>::to_vec).collect();
                (scope, tuples)
            };
            let rewritten = Csp {
                sizes: csp.sizes.clone(),
                relations: (0..network.constraints()).map(relation).collect(),
            };
            let again = singleton_arc_consistent(&rewritten, left.clone());
            let refuted = rewritten
                .relations
                .iter()
                .any(|(_, tuples)| tuples.is_empty());
            assert!(
                refuted && solutions.is_empty() || again.as_ref() == Some(&left),
                "{left:?}"
            );
        } else {
            assert!((0..network.constraints()).any(|c| network.constraint(c).1.is_empty()));
        }
        pruned += usize::from(arc.as_ref().is_some_and(|domains| *domains != csp.full()));
        deeper += usize::from(arc.is_some() && arc != singleton);
        empty += usize::from(arc.is_none());
    }
    assert!(
        pruned > 50 && deeper > 30 && empty > 10,
        "{pruned} pruned, {deeper} deeper, {empty} empty"
    );
}

#[test]
fn preprocessing_merges_constraints_and_drops_unary_ones_and_universal_variables() {
    let mut network = ConstraintNetwork::default();
    let [a, b, c] = [3, 3, 2].map(|size| network.variable(VariableKind::Decision, size));
    allow_pairs(&mut network, a, b, |a, b| a <= b);
    allow_pairs(&mut network, b, a, |b, a| a != b);
    network.allow(&[c], &[0, 1]).unwrap();
    // c is universal, and thus the third constraint reduces to a second copy of a <= b.
    let with_c: Vec<u32> = (0..18)
        .map(|i| [i / 6, i / 2 % 3, i % 2])
        .filter(|t| t[0] <= t[1])
        .flatten()
        .collect();
    network.allow(&[a, b, c], &with_c).unwrap();
    network.preprocess();
    let figures = NetworkSize::of(&network);
    assert_eq!(
        (figures.constraints, figures.tuples, figures.values),
        (1, 3, 6)
    );
    let (scope, tuples) = network.constraint(0);
    assert_eq!(
        (scope.collect(), tuples),
        (vec![a, b], &[0, 1, 0, 2, 1, 2][..])
    );
}

#[test]
fn invalid_networks_are_refused() {
    let mut network = ConstraintNetwork::default();
    let [x, y, o] = [
        VariableKind::Decision,
        VariableKind::Chance,
        VariableKind::Outcome,
    ]
    .map(|kind| network.variable(kind, 2));
    assert!(
        network.allow(&[x, x], &[0, 0]).is_err()
            && network.allow(&[x, y], &[0, 0, 1]).is_err()
            && network.allow(&[x], &[2]).is_err()
            && network.uniform_over(x, &[x, o]).is_err()
            && network.uniform_over(y, &[x, o]).is_err()
            && network.uniform_over(y, &[x]).is_err()
    );
}

fn queens(n: u32) -> Csp {
    let mut csp = Csp {
        sizes: vec![n; n as usize],
        relations: Vec::new(),
    };
    for i in 0..n {
        for j in i + 1..n {
            let apart = |&[a, b]: &[u32; 2]| a != b && a.abs_diff(b) != j - i;
            let pairs = (0..n * n)
                .map(|k| [k / n, k % n])
                .filter(apart)
                .map(Vec::from)
                .collect();
            csp.relations.push((vec![i as usize, j as usize], pairs));
        }
    }
    csp
}

/// Returns the number of solutions that MAC finds, and the number of nodes of its tree, which is the
/// least limit of nodes with which the search is complete.
fn tree(csp: &Csp) -> (u64, u64) {
    let network = csp.network();
    let wanted = decisions(&network);
    let mut solver = NetworkSolver::new(network);
    let mut nodes = 0;
    loop {
        let mut solutions = 0;
        let query = Query {
            nodes,
            ..all_of(&wanted)
        };
        if solver.solve(&query, |_| solutions += 1) {
            return (solutions, nodes);
        }
        nodes += 1;
    }
}

/// Checks that the trees are as large as those of simple tabular reduction (Ullmann 2007), i.e.
/// that every node is filtered equally well.
#[test]
fn maintained_arc_consistency_grows_trees_of_known_sizes() {
    assert_eq!(tree(&queens(7)), (40, 74));
    let mut rng = Seed::new(5).child("trees", 0).rng();
    let trees = (0..40).map(|_| tree(&random_csp(&mut rng, 8, 4, 12, 0.45)));
    let sum = trees.fold((0, 0), |sum, tree| (sum.0 + tree.0, sum.1 + tree.1));
    assert_eq!(sum, (253, 299));
}
