//! Tests of sheets that are rejected, each with one clear error.

use crate::program::{assert_has, fails, prints, tempdir, write_file};

/// A valid game of one move. Tests add rules to it to show one error each.
const SOUND: &str = "(role robot)
(init (light off))
(legal robot press)
(<= (next (light on)) (does robot press))
(<= terminal (true (light on)))
(goal robot 100)
";

/// Returns the error of `ggp check` for a sheet that it rejects.
fn refusal(sheet: &str, options: &str) -> String {
    let directory = tempdir();
    let path = directory.join("sheet.kif");
    write_file(&path, sheet);
    let stderr = fails(format!("ggp check {path} {options}"));
    let error = stderr
        .lines()
        .find(|line| line.starts_with("error: "))
        .expect("an error is told");
    let (_, message) = error
        .split_once("sheet.kif: ")
        .expect("the error names the file");
    message.to_owned()
}

#[test]
fn syntax_errors_name_line_and_column() {
    let deep = "(".repeat(100_000);
    for (sheet, error) in [
        (
            "(role a)\n  (role b",
            "line 2, column 3: this `(` is never closed",
        ),
        (
            "(role a)\n(role b))",
            "line 2, column 9: `)` closes nothing",
        ),
        ("(role \"a\")", "line 1, column 7: the character '\"'"),
        (&deep, "line 1, column 101: more than 100 lists"),
        (
            "(role a) (legal a b) (goal a 1)",
            "a rule with the head `terminal` is missing",
        ),
    ] {
        let said = refusal(sheet, "");
        assert_has(&said, error);
    }
}

/// Each row is a rule and a part of the error.
#[test]
fn rules_against_the_language_are_named() {
    let ors = format!("(<= p {})", "(or (role a) (role b)) ".repeat(13));
    for (rules, error) in [
        (
            "(<= (p ?x) (not (q ?x)))\n(q 1)",
            "7, column 1: unsafe rule: the variable ?x",
        ),
        (
            "(<= p (not q))\n(<= q p)",
            "7, column 1: unstratified rule: `p`",
        ),
        (
            "(p 1)\n(p 1 2)",
            "8, column 1: `p` takes 1 arguments and is given 2",
        ),
        (
            "(<= (true (light on)) (role robot))",
            "7, column 1: `true` can't be the head",
        ),
        (
            "(<= p (next (light on)))",
            "7, column 1: `next` can't occur in a body",
        ),
        (
            "(<= (legal robot wait) (does robot press))",
            "7, column 1: `legal` must not depend on `does`",
        ),
        (
            "(<= (sees robot ?x) (true ?x))",
            "7, column 5: `sees` belongs to games of hidden information",
        ),
        (
            "(<= p (not (or (role a) (role b))))",
            "7, column 7: `not` is for single atoms",
        ),
        (
            &ors,
            "7, column 1: written out, the `or`s of this rule give more than 4096 rules",
        ),
        (
            "(<= (next (count (s ?n))) (true (count ?n)))\n(init (count 0))",
            "7, column 1: this rule builds terms more than 64 deep",
        ),
        (
            "(goal robot much)",
            "the goal `much` of robot is not a number from 0 to 100",
        ),
    ] {
        let said = refusal(&format!("{SOUND}{rules}\n"), "");
        assert_has(&said, error);
    }
}

#[test]
fn constraint_networks_beyond_the_limit_are_refused() {
    let digits = "(h 0) (h 1) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)";
    let mut sheet = format!(
        "(role robot) {digits} (<= (n (t ?h ?a ?b ?c)) (h ?h) (d ?a) (d ?b) (d ?c))
         (<= (legal robot (go ?x)) (n ?x)) (goal robot 100) (<= terminal"
    );
    for number in 0..7 {
        sheet += &format!(" (true (at{number} ?x))");
    }
    sheet += ")\n";
    for number in 0..7 {
        sheet += &format!("(init (at{number} (t {} 0 0 0)))", number % 2);
        sheet += &format!("(<= (next (at{number} ?x)) (does robot (go ?x)))\n");
    }
    assert_eq!(
        refusal(&sheet, "--scsp"),
        "the tuples of the hard constraints hold more than 50000000 values, more than this program keeps"
    );
}

#[test]
fn unplayable_games_are_refused() {
    let endless = SOUND.replace("(light on)) (does", "(light off)) (does");
    assert_eq!(
        refusal(&endless, ""),
        "terminal can never be: no rule gives it in any state"
    );
    let endless = "(role a) (init (p 1)) (legal a b) (goal a 1) (<= terminal (true (p 2)))
        (<= (next (p 1)) (true (p 1))) (<= (next (p 2)) (true (p 2)) (not (true (p 1)))) (<= (next (p 2)) (true (p 3)))
        (<= (next (p 3)) (true (p 4))) (<= (next (p 4)) (true (p 3))) (<= (init (p ?x)) (start ?x)) (start 5)
        (<= (next (p 5)) (true (p 6))) (<= (next (p 6)) (true (p 5)))
        (<= (next (p 2)) (true (p 5)) (true (p 6)))";
    let (_directory, path) = super::taken::stored(endless);
    assert_has(
        fails(format!("ggp check {path} --horizon 500")),
        "help: GDL wants termination: every game ends after finitely many steps",
    );
    let message = refusal(endless, "--horizon 500");
    assert_eq!(
        message,
        "no terminal state within 500 steps of a random playout"
    );
    let stuck = format!("{SOUND}(init (p 1))\n").replace(
        "(legal robot press)",
        "(<= (legal robot press) (true (p 2)))",
    ) + "(<= (next (p 2)) (true (p 1)))";
    assert_eq!(
        refusal(&stuck, ""),
        "robot has no legal move in a state, 0 steps from the start, that is not terminal"
    );
    let goals = format!("{SOUND}(goal robot 50)\n");
    assert_eq!(
        refusal(&goals, ""),
        "a terminal state, 1 steps from the start, gives robot 2 goals instead of one"
    );
}

#[test]
fn a_game_can_be_played_by_hand() {
    use std::io::Write;
    use std::process::Stdio;

    let sheet = super::path_of("tic-tac-toe");
    let mut child = crate::program::command(format!("ggp play {} --as x", sheet.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    // The input is a move by its text, an invalid move, and then always the number of the first
    // move.
    stdin
        .write_all(b"(mark 2 2)\nnowhere\n1\n1\n1\n1\n")
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(
        output.status.success() && text.contains("x gets ") && text.contains("(cell 2 2 x)"),
        "{text}"
    );
    assert_has(
        &text,
        "a number from 1 to 7, or a move as it is written above: ",
    );
}

#[test]
fn a_state_is_shown_with_the_facts_that_always_hold() {
    let dir = tempdir();
    let sheet = dir.join("lamp.kif");
    let rules = "(role a)(init (table wood))(init (lamp off))(<= (next (table ?x)) (true (table ?x)))\n\
        (legal a press)(next (lamp on))(<= terminal (true (lamp on)))(goal a 100)\n";
    write_file(&sheet, rules);
    let shown = prints(format!("ggp play {sheet}"));
    assert_has(&shown, "(table wood)");
    assert_has(&shown, "(lamp on)");
}
