//! Sheets that other programs reject but that are accepted here.

use mineflow_gdl::{Grounding, GroundingError, GroundingLimits, Interpreter, Sheet};

use super::Game;

/// Two players guess a sum of coins. The sheet gives moves and a goal to a name that is not a role.
const WITH_A_STRANGER: &str = "(role left) (role right) (coin 1) (coin 2)
    (init (hand left 0)) (init (hand right 0))
    (<= (legal ?name (show ?n)) (true (hand ?name 0)) (coin ?n))
    (legal ghost wait) (legal ghost walk)
    (<= (next (hand ?name ?n)) (does ?name (show ?n)))
    (<= (next haunted) (does ghost walk))
    (<= terminal (true (hand left ?n)) (coin ?n))
    (<= (goal left 100) (true (hand left ?n)) (true (hand right ?n)))
    (<= (goal left 0) (true (hand left ?n)) (true (hand right ?m)) (distinct ?n ?m))
    (<= (goal right 100) (true (hand left ?n)) (true (hand right ?m)) (distinct ?n ?m))
    (<= (goal right 0) (true (hand left ?n)) (true (hand right ?n)))
    (goal nobody 50)";

#[test]
fn names_that_are_not_roles_are_ignored_with_a_note() {
    let game = Game::of(WITH_A_STRANGER);
    assert_eq!(game.net.roles(), 2);
    game.agrees_with_the_interpreter(20);
    let notes = [
        "`ghost` is not a role: (legal ghost wait) and 1 like it are ignored",
        "`nobody` is not a role: (goal nobody 50) is ignored",
    ];
    assert_eq!(game.grounding.notes(), notes);
    // An action that only the unknown role could do never occurs.
    assert!(
        game.grounding.fluents.iter().all(|fluent| game
            .grounding
            .terms
            .show(fluent.term)
            .to_string()
            != "haunted")
    );
}

/// A race of two dice in which each goal is defined by the negation of other goals, of the same or
/// the other role, with an intermediate value.
const GOALS_BY_NEGATION: &str = "(role left) (role right) (role random)
    (other left right) (other right left)
    (die 1) (die 2) (die 3) (above 2 1) (above 3 1) (above 3 2)
    (legal left wait) (legal right wait)
    (<= (legal random (roll ?a ?b)) (die ?a) (die ?b))
    (<= (next (at left ?a)) (does random (roll ?a ?b)))
    (<= (next (at right ?b)) (does random (roll ?a ?b)))
    (<= terminal (true (at left ?a)))
    (<= (goal ?r 100) (other ?r ?o) (true (at ?r ?a)) (true (at ?o ?b)) (above ?a ?b))
    (<= (goal ?r 0) (other ?r ?o) (goal ?o 100))
    (<= (goal ?r 50) (other ?r ?o) (not (goal ?r 100)) (not (goal ?o 100)))";

#[test]
fn goals_may_depend_on_the_negation_of_other_goals() {
    let game = Game::of(GOALS_BY_NEGATION);
    game.agrees_with_the_interpreter(200);
    // Left rolls higher in 3 of 9 throws, and equal in 3.
    let means = game.mean_goals(20_000);
    assert!(
        (means[0] - 50.0).abs() < 2.0 && (means[1] - 50.0).abs() < 2.0,
        "{means:?}"
    );
}

#[test]
fn the_stratum_of_static_rules_may_negate_itself_too() {
    // A cell is safe if it leads to no safe cell: a game of three steps, solved from the end.
    let sheet = "(role robot) (to 1 2) (to 2 3) (to 3 4) (cell 1) (cell 2) (cell 3) (cell 4)
        (<= (won ?x) (to ?x ?y) (not (won ?y)))
        (init start) (<= (legal robot (go ?x)) (won ?x)) (<= terminal (not (true start))) (goal robot 100)";
    let game = Game::of(sheet);
    game.agrees_with_the_interpreter(5);
    let actions = game.grounding.actions[0]
        .iter()
        .map(|&action| game.grounding.terms.show(action).to_string());
    assert_eq!(actions.collect::<Vec<_>>(), ["(go 1)", "(go 3)"]);
}

#[test]
fn atoms_that_depend_on_their_own_negation_are_refused_with_the_rule() {
    let sheet = "(role left) (role right) (other left right) (other right left)
        (init start) (legal left wait) (legal right wait) (<= terminal (not (true start)))
        (<= (goal ?r 100)
            (other ?r ?o) (true start) (not (goal ?o 100)))";
    let sheet = Sheet::read(sheet).unwrap();
    let message = "line 3, column 9: unstratified rule: `(goal left 100)` depends on the negation of `(goal right 100)`, \
                   which depends on `(goal left 100)`";
    let grounding = Grounding::new(&sheet, &GroundingLimits::default());
    assert_eq!(grounding.map(|_| ()).unwrap_err().to_string(), message);
    let interpreter = Interpreter::new(&sheet);
    assert!(matches!(
        interpreter.map(|_| ()).unwrap_err(),
        GroundingError::Unstratified { .. }
    ));
}
