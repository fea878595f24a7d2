//! Tests of the search on small games that can be solved by hand or by brute force.

use std::collections::HashMap;

use mineflow_rng::{Rng, Seed};
use mineflow_samegame::{Position, Puzzle, Small};
use mineflow_search::*;

/// A game of three steps to the left or right. The path, read as a binary number, is the index of
/// the reward in a table.
#[derive(Clone, Debug, PartialEq)]
struct Path {
    steps: u32,
    place: usize,
}

const PATH_REWARDS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 60.0, 7.0, 8.0];

fn path() -> Path {
    Path { steps: 0, place: 0 }
}

impl State for Path {
    type Move = u8;

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.steps < 3 {
            moves.extend([0, 1]);
        }
    }

    fn play(&mut self, a_move: u8, _: &mut Rng) -> u32 {
        self.steps += 1;
        self.place = 2 * self.place + usize::from(a_move);
        0
    }

    fn reward(&self) -> f64 {
        PATH_REWARDS[self.place]
    }
}

/// A game in which the player chooses a door, and then a lamp shows which of two buttons pays;
/// pressing the other button costs points. Behind door 0 the lamp is honest; behind door 1 it is
/// broken and never lit.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lamps {
    pays: u8,
    door: Option<u8>,
    pressed: Option<u8>,
}

impl State for Lamps {
    type Move = u8;
    const CHANCE: bool = true;

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.pressed.is_none() {
            moves.extend([0, 1]);
        }
    }

    fn play(&mut self, a_move: u8, _: &mut Rng) -> u32 {
        match self.door {
            None => {
                self.door = Some(a_move);
                u32::from(a_move == 0 && self.pays == 1)
            }
            Some(_) => {
                self.pressed = Some(a_move);
                0
            }
        }
    }

    fn reward(&self) -> f64 {
        f64::from(self.pressed == Some(self.pays))
    }

    fn restart(&mut self, root: &Self, rng: &mut Rng) {
        self.clone_from(root);
        if self.door.is_none() {
            self.pays = (rand::Rng::next_u32(rng) >> 31) as u8;
        }
    }
}

/// Checks the properties of a game on which the search relies.
fn conforms<S: State + PartialEq + std::fmt::Debug>(root: &S) {
    let mut rng = Seed::new(1).child("conformance", 0).rng();
    for _ in 0..50 {
        let mut state = root.clone();
        state.restart(root, &mut rng);
        for _ in 0..1_000 {
            let (mut moves, mut again) = (Vec::new(), Vec::new());
            state.moves(&mut moves);
            state.moves(&mut again);
            assert_eq!(moves, again, "moves depend on the position alone");
            let Some(&a_move) =
                moves.get(rand::Rng::next_u32(&mut rng) as usize % moves.len().max(1))
            else {
                break;
            };
            let mut sorted = moves.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), moves.len(), "no move comes twice");
            let before = state.clone();
            state.play(a_move, &mut rng);
            assert_ne!(state, before, "a move changes the position");
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert!(moves.is_empty(), "games end");
        assert!(state.reward().is_finite());
        let (mut played, mut line) = (root.clone(), Vec::new());
        UniformRollout::default().playout(&mut played, &mut line, &mut rng);
        played.moves(&mut moves);
        assert!(moves.is_empty() && !line.is_empty());
    }
}

#[test]
fn every_game_conforms() {
    conforms(&path());
    conforms(&Lamps::default());
    conforms(&position(15, 5, 1));
}

fn position(size: usize, colours: usize, seed: u64) -> Position<Small> {
    let puzzle = Puzzle::random(size, size, colours, Seed::new(seed));
    Position::new(puzzle.unwrap().board())
}

fn statistics(rewards: &[f64]) -> Statistics {
    let mut statistics = Statistics::default();
    rewards.iter().for_each(|&reward| statistics.add(reward));
    statistics
}

fn close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-9,
        "{value} and not {expected}"
    );
}

#[test]
fn a_count_of_visits_at_its_limit_keeps_the_mean() {
    let mut full = Statistics {
        visits: u32::MAX - 1,
        sum: 2.0 * f64::from(u32::MAX - 1),
        ..Statistics::default()
    };
    (0..3).for_each(|_| full.add(9.0));
    assert_eq!((full.visits, full.best), (u32::MAX, 9.0));
    assert!((full.mean() - 2.0).abs() < 1e-6);
}

#[test]
fn equation_1_equals_a_calculation_by_hand() {
    // The rewards 2, 4 and 6 have the mean 4 and the sum of squares 56; 56 - 3 * 16 = 8.
    let child = statistics(&[2.0, 4.0, 6.0]);
    let rule = SpUct {
        explore: Exploration::Printed,
        c: 0.5,
        d: 10.0,
        w: 0.02,
    };
    close(
        value(rule, &child, 20),
        4.0 + 0.5 * (2.995732273553991f64 / 3.0).sqrt() + (18.0f64 / 3.0).sqrt() + 0.12,
    );
    let as_computed = SpUct {
        explore: Exploration::Deviation,
        ..rule
    };
    close(
        value(as_computed, &child, 20),
        4.0 + 0.5 * (20.0f64.sqrt() / 3.0).sqrt() * (18.0f64 / 4.0).sqrt() + 0.12,
    );
}

fn value(rule: SpUct, child: &Statistics, parent_visits: u32) -> f64 {
    let ValueTerms { own, exploration } = rule.terms(child);
    own + exploration * rule.parent(parent_visits)
}

#[test]
fn equal_rewards_give_no_negative_square_root() {
    let child = statistics(&[0.1; 1000]);
    assert!(value(exploring(0.0), &child, 1000).is_finite());
}

/// The rule without the constant `D` and without the top score.
fn exploring(c: f64) -> SpUct {
    SpUct {
        explore: Exploration::Printed,
        c,
        d: 0.0,
        w: 0.0,
    }
}

fn settings(select: SpUct, threshold: u32) -> SearchSettings {
    SearchSettings {
        select,
        threshold,
        expansion: Expansion::AfterVisits,
        final_move: FinalMove::TopScore,
        ended: Ended::Once,
    }
}

fn search<S: State>(root: S, settings: SearchSettings) -> Search<S, UniformRollout<S::Move>> {
    Search::new(root, UniformRollout::default(), settings, Seed::new(1))
}

#[test]
fn a_search_of_all_games_ends_by_itself_with_the_best_line() {
    for threshold in [0, 1, 3] {
        for expansion in [
            Expansion::AfterVisits,
            Expansion::EveryPlayout,
            Expansion::AllAtOnce,
        ] {
            let mut search = search(
                path(),
                SearchSettings {
                    expansion,
                    ..settings(exploring(1.0), threshold)
                },
            );
            search.run(Budget::nodes(1_000_000));
            assert_eq!(search.best(), Some((&[1, 0, 1][..], 60.0)));
            assert_eq!(search.final_move(), Some(1));
            let effort = search.effort();
            assert_eq!(
                (effort.nodes, effort.deepest),
                (15, 3),
                "1 + 2 + 4 + 8 positions"
            );
            assert!((effort.mean_depth - (2.0 + 8.0 + 24.0) / 15.0).abs() < 1e-12);
        }
    }
}

#[test]
fn every_playout_adds_at_most_one_node_and_none_before_the_threshold() {
    let root = position(6, 3, 5);
    let mut all = search(
        root,
        SearchSettings {
            expansion: Expansion::EveryPlayout,
            ..settings(SpUct::default(), 10)
        },
    );
    let mut ripe = search(root, settings(SpUct::default(), 10));
    for playouts in 1..=300 {
        all.run(Budget::playouts(1));
        ripe.run(Budget::playouts(1));
        assert!(
            all.effort().nodes <= 1 + playouts
                && ripe.effort().nodes <= 1 + playouts.saturating_sub(10)
        );
    }
    assert!(all.effort().nodes > 200 && ripe.effort().nodes > 10);
}

#[test]
fn all_moves_of_a_node_become_nodes_at_its_threshold() {
    let root = position(6, 3, 5);
    let mut moves = Vec::new();
    root.moves(&mut moves);
    let at_once = SearchSettings {
        expansion: Expansion::AllAtOnce,
        ..settings(SpUct::default(), 2)
    };
    let mut search = search(root, at_once);
    search.run(Budget::playouts(2));
    assert!(search.effort().nodes <= 3);
    search.run(Budget::playouts(1));
    assert!(search.effort().nodes > 1 + moves.len() as u64);
}

#[test]
fn statistics_of_the_root_moves_add_up() {
    let mut search = search(
        path(),
        SearchSettings {
            ended: Ended::Again,
            ..settings(exploring(1000.0), 0)
        },
    );
    search.run(Budget::playouts(500));
    let visits: u32 = search
        .moves()
        .map(|(_, statistics)| statistics.visits)
        .sum();
    assert_eq!(visits, 500);
    for (a_move, statistics) in search.moves() {
        let rewards = &PATH_REWARDS[4 * usize::from(a_move)..][..4];
        let best = rewards.iter().copied().fold(0.0, f64::max);
        assert_eq!(statistics.best, best);
        assert!(
            statistics.mean() <= best
                && statistics.sum_squares >= statistics.sum * statistics.mean()
        );
    }
}

#[test]
fn outcomes_of_chance_are_kept_apart() {
    let rules = SearchSettings {
        final_move: FinalMove::HighestMean,
        ended: Ended::Again,
        ..settings(exploring(5.0), 1)
    };
    let mut search = search(Lamps::default(), rules);
    search.run(Budget::playouts(5_000));
    let means: HashMap<_, _> = search
        .moves()
        .map(|(door, statistics)| (door, statistics.mean()))
        .collect();
    assert_eq!(search.final_move(), Some(0));
    assert!(
        means[&0] > means[&1] + 0.2 && (means[&1] - 0.5).abs() < 0.06,
        "{means:?}"
    );
}

#[test]
fn budgets_are_respected() {
    let root = position(15, 5, 3);
    let mut nodes = search(root, settings(SpUct::default(), 10));
    nodes.run(Budget::nodes(321));
    assert_eq!(nodes.effort().nodes, 321);
    let mut playouts = search(root, settings(SpUct::default(), 10));
    playouts.run(Budget::playouts(321));
    assert_eq!(playouts.effort().playouts, 321);
    let mut time = search(root, settings(SpUct::default(), 10));
    time.run(Budget::time(std::time::Duration::from_millis(20)));
    assert!(time.effort().playouts < 100_000, "it ends");
    assert_eq!(Budget::nodes(100).part(64.4), Budget::nodes(2));
}

#[test]
fn plans_play_legal_games_and_the_same_ones_for_the_same_seed() {
    let root = position(10, 4, 4);
    let rollout = UniformRollout::default();
    let mut scores = Vec::new();
    for scope in [Scope::Game, Scope::Move { expected: 20.0 }] {
        for searches in [1, 3] {
            let plan = GamePlan { scope, searches };
            let once = || {
                solve(
                    &root,
                    &rollout,
                    settings(SpUct::default(), 5),
                    plan,
                    Budget::playouts(2_000),
                    Seed::new(9),
                )
            };
            let solved = once();
            assert_eq!(solved, once());
            let mut played = root;
            played.replay(&solved.line).unwrap();
            let mut moves = Vec::new();
            played.moves(&mut moves);
            assert!(moves.is_empty(), "the game is played to its end");
            assert_eq!(f64::from(played.score()), solved.reward);
            assert!(solved.effort.searches >= searches && solved.effort.nodes > 0);
            scores.push(solved.reward);
        }
    }
    assert!(
        scores.iter().any(|&score| score != scores[0]),
        "plans differ"
    );
}

#[test]
fn the_best_line_kept_is_never_played_worse() {
    let root = position(10, 4, 6);
    let plan = GamePlan {
        scope: Scope::Move { expected: 20.0 },
        searches: 1,
    };
    let rules = settings(SpUct::default(), 5);
    let per_move = solve(
        &root,
        &UniformRollout::default(),
        rules,
        plan,
        Budget::playouts(2_000),
        Seed::new(9),
    );
    let first = GamePlan {
        scope: Scope::Game,
        ..plan
    };
    let first = solve(
        &root,
        &UniformRollout::default(),
        rules,
        first,
        Budget::playouts(100),
        Seed::new(9),
    );
    assert!(
        per_move.reward >= first.reward,
        "the first move's search is the same"
    );
}

#[test]
fn final_moves_follow_their_rule() {
    let chosen = |final_move| {
        let rules = SearchSettings {
            final_move,
            ended: Ended::Again,
            ..settings(exploring(1000.0), 0)
        };
        let mut search = search(path(), rules);
        search.run(Budget::playouts(400));
        let moves: Vec<_> = search
            .moves()
            .map(|(a_move, statistics)| (a_move, *statistics))
            .collect();
        (search.final_move().unwrap(), moves)
    };
    let (by_mean, moves) = chosen(FinalMove::HighestMean);
    assert!(
        moves
            .iter()
            .all(|(_, other)| other.mean()
                <= moves.iter().find(|m| m.0 == by_mean).unwrap().1.mean())
    );
    let (by_visits, moves) = chosen(FinalMove::MostPlayouts);
    assert!(moves.iter().all(
        |(_, other)| other.visits <= moves.iter().find(|m| m.0 == by_visits).unwrap().1.visits
    ));
    assert_eq!(chosen(FinalMove::TopScore).0, 1);
}
