//! Tests that the propositional network, the constraint networks and the interpreter agree on every
//! game, and that engines of two different sheets disagree.

use std::fs;
use std::path::PathBuf;

use crate::agreement::{Agreement, Networks, Trouble};
use mineflow_gdl::propnet::Propnet;
use mineflow_gdl::{Grounding, GroundingLimits, Sheet};
use mineflow_rng::Seed;
use mineflow_search::scsp::Method;

use crate::files::{assert_has, read_text, repository};

fn folder() -> PathBuf {
    repository().join("pipelines/ggp")
}

fn sheet_of(name: &str) -> Sheet {
    Sheet::read(&read_text(folder().join(name).with_extension("kif"))).unwrap()
}

fn grounded(sheet: &Sheet) -> (Grounding, Propnet) {
    let grounding = Grounding::new(sheet, &GroundingLimits::default()).unwrap();
    let net = Propnet::new(&grounding);
    (grounding, net)
}

/// The number of playouts of each game.
const PLAYOUTS: [(&str, u64); 17] = [
    ("awale", 1),
    ("backgammon", 1),
    ("bomberman", 10),
    ("cant-stop", 1),
    ("checkers", 1),
    ("chess", 1),
    ("chinese-checkers", 1),
    ("connect-four", 5),
    ("hex", 1),
    ("kaseklau", 10),
    ("matching-pennies", 20),
    ("orchard", 5),
    ("othello", 1),
    ("pacman", 1),
    ("pickomino", 1),
    ("tic-tac-toe", 50),
    ("yahtzee", 1),
];

#[test]
fn engines_agree_on_every_game() {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, PLAYOUTS.map(|(name, _)| format!("{name}.kif")));
    for (name, playouts) in PLAYOUTS {
        let sheet = sheet_of(name);
        let (grounding, net) = grounded(&sheet);
        let is_small = ["matching-pennies", "tic-tac-toe"].contains(&name);
        let methods: &[Method] = if is_small {
            &[Method::Mac, Method::ForwardChecking]
        } else {
            &[Method::Mac]
        };
        let networks = Networks::new(&grounding, is_small, methods).unwrap();
        let mut agreement =
            Agreement::new(&grounding, &net, Some(networks), Some(&sheet), 100).unwrap();
        for index in 0..playouts {
            match agreement.playout(&mut Seed::new(7).child("play-out", index).rng()) {
                Ok(states) => assert!(states > 2),
                // Long games are cut off at the horizon.
                Err(Trouble::Sheet(error)) => assert_has(error.to_string(), "no terminal state"),
                Err(Trouble::Differs(difference)) => panic!("{name}: {difference}"),
            }
        }
    }
}

/// A lamp that lights after two steps; other sheets change one part of it.
const LAMP: &str = "(role robot) (init (count 0)) (after 0 1) (after 1 2)
    (legal robot wait) (<= (legal robot press) (true (count 1)))
    (<= (next (count ?n)) (true (count ?m)) (after ?m ?n))
    (<= terminal (true (count 2)))
    (<= (goal robot 100) (true (count 2))) (<= (goal robot 0) (not (true (count 2))))";

#[test]
fn a_difference_in_any_answer_is_found() {
    let others = [
        (
            "goals of robot",
            LAMP.replace("(goal robot 100)", "(goal robot 50)"),
        ),
        (
            "legal actions of robot",
            LAMP.replace("press) (true (count 1))", "press) (true (count 0))"),
        ),
        (
            "the state that follows",
            LAMP.replace("(after 0 1)", "(after 0 0) (after 0 1)"),
        ),
        (
            "terminal",
            LAMP.replace("terminal (true (count 2))", "terminal (true (count 1))"),
        ),
    ];
    let sheet = Sheet::read(LAMP).unwrap();
    let (grounding, net) = grounded(&sheet);
    let difference = |networks: Option<Networks>, sheet: Option<&Sheet>| -> Option<String> {
        let mut agreement = Agreement::new(&grounding, &net, networks, sheet, 100).unwrap();
        match agreement.playout(&mut Seed::new(1).rng()) {
            Ok(_) => None,
            Err(Trouble::Differs(difference)) => Some(difference),
            Err(Trouble::Sheet(error)) => panic!("{error}"),
        }
    };
    let networks =
        |grounding: &Grounding| Some(Networks::new(grounding, false, &[Method::Mac]).unwrap());
    assert_eq!(difference(networks(&grounding), Some(&sheet)), None);
    for (about, text) in others {
        let other = Sheet::read(&text).unwrap();
        let found = difference(None, Some(&other)).unwrap();
        assert!(
            found.starts_with(about) && found.contains(" by the interpreter; "),
            "{about}: {found}"
        );
        // The networks identify fluents and actions by their indices in the ground form, which are
        // equal in these sheets.
        let found = difference(networks(&grounded(&other).0), None).unwrap();
        assert_has(&found, " by the constraints; ");
    }
}
