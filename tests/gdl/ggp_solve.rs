//! Exact values of small games against what is known of them, and against recursions written by hand.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use mineflow_gdl::engine::NetEngine;
use mineflow_gdl::propnet::Propnet;
use mineflow_gdl::solve::{Solution, Way, solve};
use mineflow_gdl::{Grounding, GroundingLimits, Sheet};

use crate::files::repository;
use crate::orchard::Orchard;

fn path_of(name: &str) -> PathBuf {
    repository().join("pipelines/ggp").join(name).with_extension("kif")
}

fn text_of(name: &str) -> String {
    fs::read_to_string(path_of(name)).unwrap()
}

/// Solves a sheet; `chance` is its last role, if it has such a role.
fn solved(text: &str) -> Solution {
    let grounding = Grounding::new(&Sheet::read(text).unwrap(), &GroundingLimits::default()).unwrap();
    let net = Propnet::new(&grounding);
    let name = |role: usize| grounding.role_name(role);
    let chance = (0..net.roles()).find(|&role| name(role) == "random");
    solve(&mut NetEngine::new(&net), chance, 1_000_000, &name).unwrap()
}

/// What the first two roles get when they play so.
fn goals(of: &Solution, one: Way, other: Way) -> (f64, f64) {
    let row = of.values.iter().find(|row| row.ways[..2] == [one, other]).unwrap();
    (row.goals[0], row.goals[1])
}

fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{found} is not within {within} of {expected}");
}

#[test]
fn tic_tac_toe_is_a_draw_and_random_play_has_its_known_shares() {
    let solution = solved(&text_of("tic-tac-toe"));
    assert_eq!(solution.states, 5478);
    assert_eq!(goals(&solution, Way::Best, Way::Best), (50.0, 50.0));
    // Random games: 737 of 1,260 won by x, 121 by o, 16 of 126 drawn.
    let (x, o) = goals(&solution, Way::Random, Way::Random);
    assert_near(x, 100.0 * (737.0 / 1260.0 + 0.5 * 16.0 / 126.0), 1e-9);
    assert_near(o, 100.0 - x, 1e-9);
    // The best reply to a random opponent takes risks that perfect play doesn't.
    let (best, perfect) = (goals(&solution, Way::Best, Way::Random).0, goals(&solution, Way::Perfect, Way::Random).0);
    assert!(best > perfect && perfect > 90.0 && best < 100.0, "{best} {perfect}");
}

#[test]
fn friends_who_choose_at_once_are_averaged_over() {
    let solution = solved(&text_of("matching-pennies"));
    for row in &solution.values {
        assert_eq!(row.goals[..2], [25.0, 25.0], "{:?}", row.ways);
    }
}

#[test]
fn a_small_orchard_is_won_as_often_as_a_recursion_says() {
    // Rolls of a bare tree lead back to where one was: states in a ring.
    let text = text_of("orchard");
    let small = text.replace("(init (fruits ?tree 10))", "(init (fruits ?tree 4))");
    let small = small.replace("(init (pieces 0))", "(init (pieces 5))");
    assert_ne!(small, text);
    let (best, _) = goals(&solved(&small), Way::Best, Way::Best);
    assert_near(best, 100.0 * Orchard::new(f64::max).won([4; 4], 5), 1e-9);
}

/// Kaseklau by a recursion over mouse, cat, who is in turn, and how many slices tom has more than jerry; slices behind the
/// mouse are gone.
struct Kaseklau<'p> {
    ways: [Way; 2],
    /// Best play of both, which perfect play asks; random play of both, which flat play asks.
    asked: [Option<&'p HashMap<Place, f64>>; 2],
    known: HashMap<Place, f64>,
}

type Place = (usize, usize, usize, i32);

impl<'p> Kaseklau<'p> {
    fn of(ways: [Way; 2], asked: [Option<&'p HashMap<Place, f64>>; 2]) -> (f64, HashMap<Place, f64>) {
        let mut game = Self { ways, asked, known: HashMap::new() };
        (game.tom((5, 0, 0, 0)), game.known)
    }

    /// What tom gets from a place where the dice are to be rolled, or where the game is over.
    fn tom(&mut self, place: Place) -> f64 {
        let (mouse, cat, turn, more) = place;
        if let Some(&known) = self.known.get(&place) {
            return known;
        }
        let value = if mouse < 24 && cat >= mouse {
            // Whoever moved has lost.
            if turn == 0 { 100.0 } else { 0.0 }
        } else if mouse == 24 {
            50.0 + 50.0 * f64::from(more.signum())
        } else {
            let rolls = (0..36).map(|n| (n / 6 + 1, n % 6 + 1));
            rolls.map(|(one, other)| self.choose(after(place, one, other), after(place, other, one), turn)).sum::<f64>()
                / 36.0
        };
        self.known.insert(place, value);
        value
    }

    fn choose(&mut self, one: Place, other: Place, turn: usize) -> f64 {
        let values = [self.tom(one), self.tom(other)];
        let sign = if turn == 0 { 1.0 } else { -1.0 };
        let even = (values[0] + values[1]) / 2.0;
        let asked = match self.ways[turn] {
            Way::Random => return even,
            Way::Best => return sign * f64::max(sign * values[0], sign * values[1]),
            Way::Perfect => self.asked[0].unwrap(),
            Way::Flat => self.asked[1].unwrap(),
        };
        let gain = sign * (asked[&one] - asked[&other]);
        if gain.abs() < 1e-9 { even } else { values[usize::from(gain < 0.0)] }
    }
}

fn after((mouse, cat, turn, more): Place, for_mouse: usize, for_cat: usize) -> Place {
    let mouse = 24.min(mouse + for_mouse);
    let slice = i32::from([6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23].contains(&mouse));
    (mouse, 24.min(cat + for_cat), 1 - turn, if turn == 0 { more + slice } else { more - slice })
}

#[test]
fn kaseklau_has_the_values_of_a_recursion_and_those_that_are_known() {
    let solution = solved(&text_of("kaseklau"));
    let (_, best) = Kaseklau::of([Way::Best; 2], [None; 2]);
    let (_, random) = Kaseklau::of([Way::Random; 2], [None; 2]);
    for row in &solution.values {
        let (tom, _) = Kaseklau::of([row.ways[0], row.ways[1]], [Some(&best), Some(&random)]);
        assert_near(row.goals[0], tom, 1e-6);
        assert_near(row.goals[1], 100.0 - tom, 1e-6);
    }
    // Over both seats.
    let both = |own, other| (goals(&solution, own, other).0 + goals(&solution, other, own).1) / 2.0;
    assert_near(both(Way::Perfect, Way::Random), 74.4, 0.05);
    assert_near(both(Way::Perfect, Way::Flat), 50.9, 0.05);
    assert!(both(Way::Best, Way::Random) > both(Way::Perfect, Way::Random));
}
