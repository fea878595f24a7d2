//! Tests of stochastic constraint networks: the examples of Koriche et al., and random networks
//! compared with brute force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use mineflow_rng::{Rng, Seed};
use mineflow_search::scsp::{
    ConstraintNetwork, End, Filtering, Method, NetworkSize, NetworkSolver, Query, Variable,
    VariableKind,
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
        threshold: &[],
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
    threshold: &[f64],
    method: Method,
) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let query = Query {
        given,
        threshold,
        method,
        ..all_of(wanted)
    };
    let effort = solver.solve(&query, |values| {
        assert!(
            found.insert(values.to_vec()),
            "{values:?} was visited twice"
        );
        ControlFlow::Continue(())
    });
    assert_eq!(effort.end, End::Complete);
    found
}

/// Returns the feasible policies of a network whose expected utility reaches `threshold`. Asserts
/// that both methods find the same policies.
fn policies(network: &ConstraintNetwork, threshold: &[f64]) -> Vec<Vec<u32>> {
    let mut solver = NetworkSolver::new(network.clone()).unwrap();
    let wanted = decisions(network);
    let [mac, forward] =
        METHODS.map(|method| solutions(&mut solver, &[], &wanted, threshold, method));
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

fn reward_pairs(
    network: &mut ConstraintNetwork,
    x: Variable,
    y: Variable,
    holds: impl Fn(u32, u32) -> bool,
) {
    let pairs: Vec<[u32; 2]> = network
        .domain(x)
        .flat_map(|a| network.domain(y).map(move |b| [a, b]))
        .filter(|&[a, b]| holds(a, b))
        .collect();
    let rows: Vec<(&[u32], &[f64])> = pairs.iter().map(|pair| (&pair[..], &[1.0][..])).collect();
    network.utility(&[x, y], &rows).unwrap();
}

fn uniform(network: &mut ConstraintNetwork, y: Variable) {
    let size = network.domain(y).count();
    network
        .distribution(y, &[], &[(&[], &vec![1.0 / size as f64; size])])
        .unwrap();
}

/// Checks example 1 of Koriche et al. (*Résolution de SCSP avec borne de confiance*): the policy x1
/// = x2 = 0 has the expected utility 2/3.
#[test]
fn the_french_papers_first_policy_is_worth_two_thirds() {
    let mut network = ConstraintNetwork::new(1);
    let [x1, x2] = [(); 2].map(|()| network.variable(VariableKind::Decision, 3));
    let y = network.variable(VariableKind::Chance, 3);
    uniform(&mut network, y);
    allow_pairs(&mut network, x1, x2, |a, b| a == b);
    reward_pairs(&mut network, x1, y, |a, b| a + b >= 1);
    let value = network.expected_utility(&[0, 0, 0]).unwrap()[0];
    assert!((value - 2.0 / 3.0).abs() < 1e-12, "{value}");
    assert_eq!(policies(&network, &[0.5]), [[0, 0], [1, 1], [2, 2]]);
    assert_eq!(policies(&network, &[0.7]), [[1, 1], [2, 2]]);
}

/// Checks example 2 of Koriche et al. (*Résolution de SCSP avec borne de confiance*): forward
/// checking finds (2, 2) and (3, 2) with satisfaction 1, and MAC leaves (2, 2).
#[test]
fn the_french_papers_stage_has_one_solution_of_two_feasible_policies() {
    let mut network = ConstraintNetwork::new(1);
    let x = network.variable(VariableKind::Decision, 4);
    let y = network.variable(VariableKind::Chance, 3);
    let z = network.variable(VariableKind::Decision, 3);
    network.allow(&[x], &[1, 2, 3]).unwrap();
    uniform(&mut network, y);
    allow_pairs(&mut network, x, y, |x, y| x + y > 1);
    allow_pairs(&mut network, y, z, |y, z| y + z > 1);
    assert_eq!(policies(&network, &[]), [[2, 2], [3, 2]]);
    allow_pairs(&mut network, x, z, |x, z| x == z);
    let mut solver = NetworkSolver::new(network.clone()).unwrap();
    let mut found = Vec::new();
    let effort = solver.solve(&all_of(&[x, z]), |values| {
        found.push(values.to_vec());
        ControlFlow::Continue(())
    });
    // The decision part is made arc consistent first, and thus only (2, 2) of the two policies is
    // left to find.
    assert_eq!((found, effort.feasible), (vec![vec![2, 2]], Some(1)));
    assert_eq!(policies(&network, &[]), [[2, 2]]);
}

/// Checks example 2 of Koriche et al. (English paper): no player can change her coin in the second
/// round. With the threshold 1/2, a policy wins if both coins show the same side. Both players
/// score; y1 has one value.
#[test]
fn matching_pennies_is_worth_one_half() {
    let mut network = ConstraintNetwork::new(2);
    let [x1a, x1b] = [(); 2].map(|()| network.variable(VariableKind::Decision, 2));
    let y1 = network.variable(VariableKind::Chance, 1);
    let [x2a, x2b] = [(); 2].map(|()| network.variable(VariableKind::Decision, 2));
    let y2 = network.variable(VariableKind::Chance, 2);
    uniform(&mut network, y1);
    uniform(&mut network, y2);
    allow_pairs(&mut network, x1a, x2a, |a, b| a == b);
    allow_pairs(&mut network, x1b, x2b, |a, b| a == b);
    let win: &[f64] = &[1.0, 1.0];
    network
        .utility(&[x2a, x2b, y2], &[(&[0, 0, 0], win), (&[1, 1, 1], win)])
        .unwrap();
    assert_eq!(
        network.expected_utility(&[1, 1, 0, 1, 1, 0]),
        Some(vec![0.5, 0.5])
    );
    assert_eq!(policies(&network, &[]).len(), 4);
    assert_eq!(
        policies(&network, &[0.5, 0.5]),
        [[0, 0, 0, 0], [1, 1, 1, 1]]
    );
    assert_eq!(policies(&network, &[0.51, 0.5]), [[0; 4]; 0]);
}

/// Checks example 3 of Koriche et al. (English paper). Our copy of the paper lacks figure 4, and
/// thus we chose the constraints: with the printed domains, distribution and threshold, each step
/// gives the printed result.
#[test]
fn the_english_papers_stage_has_one_solution_of_two_feasible_policies() {
    let mut network = ConstraintNetwork::new(1);
    let x1 = network.variable(VariableKind::Decision, 4);
    let x2 = network.variable(VariableKind::Decision, 3);
    let y = network.variable(VariableKind::Chance, 3);
    network.allow(&[x1], &[1, 2, 3]).unwrap();
    uniform(&mut network, y);
    allow_pairs(&mut network, x1, y, |x, y| (2..=4).contains(&(x + y)));
    reward_pairs(&mut network, x2, y, |x, y| x + y >= 1);
    assert_eq!(policies(&network, &[0.75]), [[2, 1], [2, 2]]);
    allow_pairs(&mut network, x1, x2, |a, b| a == b);
    assert_eq!(policies(&network, &[0.75]), [[2, 2]]);
}

/// A random network in a form that brute force can use.
struct Random {
    network: ConstraintNetwork,
    kinds: Vec<VariableKind>,
    sizes: Vec<u32>,
    hard: Vec<(Vec<usize>, BTreeSet<Vec<u32>>)>,
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
    let mut network = ConstraintNetwork::new(2);
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
            let size = rng.random_range(2..=if kind == VariableKind::Decision { 4 } else { 3 });
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
    for y in of(&[VariableKind::Chance]) {
        if rng.random_bool(0.3) && sizes[y] <= 2 {
            let flags: Vec<usize> = of(&[VariableKind::Decision])
                .into_iter()
                .filter(|&x| sizes[x] == 2)
                .take(2)
                .collect();
            if flags.len() == 2 && sizes[y] == 2 {
                network.uniform_over(variables[y], &named(&flags)).unwrap();
                continue;
            }
        }
        let scope = if rng.random_bool(0.5) {
            pick_scope(rng, &of(&[VariableKind::Decision]), 2)
        } else {
            vec![]
        };
        let keys = tuples_of(&scope, &sizes);
        let weights: Vec<Vec<f64>> = keys
            .iter()
            .map(|_| {
                let mut weights: Vec<f64> = (0..sizes[y])
                    .map(|_| f64::from(rng.random_range(0..3_u32)))
                    .collect();
                weights[0] += 1.0;
                let sum: f64 = weights.iter().sum();
                weights.iter().map(|w| w / sum).collect()
            })
            .collect();
        let rows: Vec<(&[u32], &[f64])> = keys
            .iter()
            .zip(&weights)
            .map(|(key, row)| (&key[..], &row[..]))
            .collect();
        network
            .distribution(variables[y], &named(&scope), &rows)
            .unwrap();
    }
    for _ in 0..2 {
        let scope = pick_scope(rng, &of(&[VariableKind::Decision, VariableKind::Chance]), 3);
        let keys = tuples_of(&scope, &sizes);
        let gains: Vec<[f64; 2]> = keys.iter().map(|_| [rng.random(), rng.random()]).collect();
        let rows: Vec<(&[u32], &[f64])> = keys
            .iter()
            .zip(&gains)
            .map(|(key, row)| (&key[..], &row[..]))
            .collect();
        network.utility(&named(&scope), &rows).unwrap();
    }
    Random {
        network,
        kinds,
        sizes,
        hard,
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

    /// Applies definition 2 literally: every path of positive probability can be completed, and the
    /// utility reaches the threshold.
    fn feasible(&self, decisions: &[u32], threshold: &[f64]) -> bool {
        let [chance, outcomes] =
            [VariableKind::Chance, VariableKind::Outcome].map(|kind| self.of(kind));
        let mut values = vec![0; self.kinds.len()];
        values[..decisions.len()].copy_from_slice(decisions);
        let ys: Vec<Variable> = self.network.of_kind(VariableKind::Chance).collect();
        let Some(tables) = ys
            .iter()
            .map(|&y| self.network.probabilities(y, &values))
            .collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        for event in tuples_of(&chance, &self.sizes) {
            if event
                .iter()
                .zip(&tables)
                .any(|(&value, table)| table[value as usize] == 0.0)
            {
                continue;
            }
            chance
                .iter()
                .zip(&event)
                .for_each(|(&y, &value)| values[y] = value);
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
        let reached = self.network.expected_utility(&values).unwrap();
        threshold
            .iter()
            .zip(reached)
            .all(|(least, value)| value + 1e-9 >= *least)
    }

    fn policies(&self, threshold: &[f64]) -> BTreeSet<Vec<u32>> {
        let all = tuples_of(&self.of(VariableKind::Decision), &self.sizes);
        all.into_iter()
            .filter(|values| self.feasible(values, threshold))
            .collect()
    }
}

/// Compares the expected utility with its definition, a sum over all events.
#[test]
fn expected_utility_is_the_sum_over_all_events() {
    let mut rng = Seed::new(4).child("utility", 0).rng();
    for _ in 0..200 {
        let random = random_network(&mut rng, 2, 0.9);
        let decisions: Vec<u32> = random
            .of(VariableKind::Decision)
            .iter()
            .map(|&x| rng.random_range(0..random.sizes[x]))
            .collect();
        let mut values = vec![0; random.kinds.len()];
        values[..decisions.len()].copy_from_slice(&decisions);
        let Some(value) = random.network.expected_utility(&values) else {
            continue;
        };
        // The utility of an event is that of the same network in which one-value distributions fix
        // the chance variables.
        let ys: Vec<Variable> = random.network.of_kind(VariableKind::Chance).collect();
        let tables: Option<Vec<Vec<f64>>> = ys
            .iter()
            .map(|&y| random.network.probabilities(y, &values))
            .collect();
        let Some(tables) = tables else { continue };
        let mut sum = [0.0; 2];
        for event in tuples_of(&random.of(VariableKind::Chance), &random.sizes) {
            let probability: f64 = event
                .iter()
                .zip(&tables)
                .map(|(&v, table)| table[v as usize])
                .product();
            let mut fixed = random.network.clone();
            for (&y, &v) in ys.iter().zip(&event) {
                let row: Vec<f64> = (0..random.sizes[y.index()])
                    .map(|i| f64::from(u8::from(i == v)))
                    .collect();
                fixed.distribution(y, &[], &[(&[], &row)]).unwrap();
            }
            let utility = fixed.expected_utility(&values).unwrap();
            sum.iter_mut()
                .zip(&utility)
                .for_each(|(sum, u)| *sum += probability * u);
        }
        assert!(
            sum.iter().zip(&value).all(|(a, b)| (a - b).abs() < 1e-9),
            "{sum:?} {value:?}"
        );
    }
}

#[test]
fn solvers_find_the_feasible_policies_that_brute_force_finds() {
    let mut rng = Seed::new(4).child("policies", 0).rng();
    let (mut some, mut none) = (0, 0);
    for round in 0..400 {
        let looseness = rng.random_range(0.5..1.0);
        let random = random_network(&mut rng, round % 3, looseness);
        let threshold = if round % 2 == 0 {
            vec![]
        } else {
            vec![rng.random_range(0.0..1.2), rng.random_range(0.0..1.2)]
        };
        let expected = random.policies(&threshold);
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
        for filtering in [None, Some(Filtering::Arc), Some(Filtering::SingletonArc)] {
            let mut network = random.network.clone();
            if let Some(filtering) = filtering {
                network.preprocess(filtering);
            }
            let mut solver = NetworkSolver::new(network).unwrap();
            for method in METHODS {
                assert_eq!(
                    solutions(&mut solver, &[], &all, &threshold, method),
                    expected,
                    "round {round} {method:?}"
                );
                let projected = expected
                    .iter()
                    .map(|values| wanted.iter().map(|x| values[x.index()]).collect())
                    .collect();
                assert_eq!(
                    solutions(&mut solver, &[], &wanted, &threshold, method),
                    projected,
                    "round {round}"
                );
                let under = expected
                    .iter()
                    .filter(|values| values[given_place] == given[0].1)
                    .cloned()
                    .collect();
                assert_eq!(
                    solutions(&mut solver, &given, &all, &threshold, method),
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
fn a_rebuilt_solver_answers_like_a_new_one() {
    let mut rng = Seed::new(4).child("rebuild", 0).rng();
    let mut solver = NetworkSolver::new(ConstraintNetwork::new(2)).unwrap();
    for round in 0..60 {
        let random = random_network(&mut rng, round % 3, 0.8);
        solver
            .rebuild(|network| {
                *network = random.network.clone();
                Ok(())
            })
            .unwrap();
        let all = decisions(&random.network);
        assert_eq!(
            solutions(&mut solver, &[], &all, &[], Method::Mac),
            random.policies(&[])
        );
    }
}

#[test]
fn the_node_limit_and_the_visitor_end_a_search() {
    let csp = queens(8);
    let mut solver = NetworkSolver::new(csp.network()).unwrap();
    let wanted = decisions(solver.network());
    let query = all_of(&wanted);
    let few = Query { nodes: 20, ..query };
    let effort = solver.solve(&few, |_| ControlFlow::Continue(()));
    assert_eq!((effort.end, effort.nodes), (End::Limit, 20));
    let no_time = Query {
        time: Some(Duration::ZERO),
        ..query
    };
    assert_eq!(
        solver.solve(&no_time, |_| ControlFlow::Continue(())).end,
        End::Limit
    );
    let enough = Query {
        time: Some(Duration::MAX),
        ..query
    };
    assert_eq!(
        solver.solve(&enough, |_| ControlFlow::Break(())).end,
        End::Stopped
    );
    let mut count = 0;
    let effort = solver.solve(&query, |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((effort.end, count), (End::Complete, 92));
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
        for (filtering, defined) in [
            (Filtering::Arc, &arc),
            (Filtering::SingletonArc, &singleton),
        ] {
            let mut network = csp.network();
            network.preprocess(filtering);
            let wanted = decisions(&network);
            assert_eq!(policies(&network, &[]), solutions);
            let left: Vec<Vec<u32>> = wanted
                .iter()
                .map(|&x| network.domain(x).collect())
                .collect();
            let Some(defined) = defined else {
                assert!((0..network.constraints()).any(|c| network.constraint(c).1.is_empty()));
                continue;
            };
            assert!(
                left.iter()
                    .zip(defined)
                    .all(|(left, defined)| left.iter().all(|v| defined.contains(v)))
            );
            let rewritten = Csp {
                sizes: csp.sizes.clone(),
                relations: (0..network.constraints())
                    .map(|c| {
                        let scope: Vec<usize> =
                            network.constraint(c).0.map(Variable::index).collect();
                        let tuples = network
                            .constraint(c)
                            .1
                            .chunks_exact(scope.len())
                            .map(<[u32]>::to_vec)
                            .collect();
                        (scope, tuples)
                    })
                    .collect(),
            };
            let again = match filtering {
                Filtering::Arc => arc_consistent(&rewritten, left.clone()),
                Filtering::SingletonArc => singleton_arc_consistent(&rewritten, left.clone()),
            };
            let refuted = rewritten
                .relations
                .iter()
                .any(|(_, tuples)| tuples.is_empty());
            assert!(
                refuted && solutions.is_empty() || again.as_ref() == Some(&left),
                "{filtering:?}: {left:?}"
            );
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
    let mut network = ConstraintNetwork::new(1);
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
    network.preprocess(Filtering::Arc);
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
    let mut network = ConstraintNetwork::new(1);
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
            && network.distribution(x, &[], &[]).is_err()
            && network.distribution(y, &[], &[(&[], &[0.5, 0.4])]).is_err()
            && network.distribution(y, &[o], &[]).is_err()
            && network.utility(&[x], &[(&[0], &[2.0])]).is_err()
            && network.utility(&[o], &[]).is_err()
            && network.uniform_over(y, &[x]).is_err()
            && NetworkSolver::new(network).is_err()
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

/// Returns the number of solutions that MAC finds, and the number of nodes of its tree.
fn tree(csp: &Csp) -> (u64, u64) {
    let mut solver = NetworkSolver::new(csp.network()).unwrap();
    let wanted = decisions(solver.network());
    let mut solutions = 0;
    let effort = solver.solve(&all_of(&wanted), |_| {
        solutions += 1;
        ControlFlow::Continue(())
    });
    (solutions, effort.nodes)
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
