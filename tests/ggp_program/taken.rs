//! Tests of sheets that other programs reject, or that are too large to be grounded, but that are
//! accepted here.

use crate::program::{
    TempPath, assert_has, fails, pipeline, prints, read_text, tempdir, write_file,
};

/// Stores a sheet in a temporary folder.
pub fn stored(sheet: &str) -> (TempPath, TempPath) {
    let directory = tempdir();
    let path = directory.join("sheet.kif");
    write_file(&path, sheet);
    (directory, path)
}

#[test]
fn ignored_parts_of_a_sheet_are_reported() {
    let sheet = "(role robot) (init start) (legal robot go) (legal ghost wait) (legal ghost walk)
        (<= terminal (not (true start))) (goal robot 100) (goal nobody 50)";
    let (_directory, path) = stored(sheet);
    let stderr = pipeline(format!("ggp check {path}")).success().stderr();
    for note in [
        "`ghost` is not a role: (legal ghost wait) and 1 like it are ignored",
        "`nobody` is not a role: (goal nobody 50) is ignored",
    ] {
        assert_has(&stderr, format!("note: {note}"));
    }
}

/// Returns a game with seven wheels, all of which turn in each step. The rule of the action `read`
/// has 10,000,000 ground instances, one of which holds in each state.
fn wheels() -> String {
    let each = |text: fn(u32) -> String| (1..8).map(text).collect::<Vec<_>>().join(" ");
    let mut sheet =
        "(role robot) (role random) (legal random turn) (legal random wait)\n".to_owned();
    for digit in 0..9 {
        sheet += &format!("(after {digit} {}) ", digit + 1);
    }
    sheet += &each(|wheel| format!("(init (wheel{wheel} 0))"));
    sheet += &each(|wheel| {
        format!(
            "(<= (next (wheel{wheel} ?y)) (true (wheel{wheel} ?x)) (after ?x ?y))
             (<= (next (wheel{wheel} 0)) (true (wheel{wheel} 9)))\n"
        )
    });
    let names = each(|wheel| format!("?{wheel}"));
    sheet += &format!(
        "(<= (legal robot (read {names})) {})\n",
        each(|wheel| format!("(true (wheel{wheel} ?{wheel}))"))
    );
    sheet += "(<= (legal robot guess) (true (wheel1 ?x)))
        (<= (next right) (does robot guess))
        (<= terminal (true (wheel1 9))) (<= (goal robot 100) (true right)) (<= (goal robot 0) (not (true right)))";
    sheet
}

#[test]
fn the_interpreter_plays_a_sheet_that_is_too_large_to_be_grounded() {
    let (_directory, path) = stored(&wheels());
    let checked = pipeline(format!("ggp check {path}")).success();
    assert_has(
        checked.stderr(),
        "the interpreter plays it by its rules, slowly",
    );
    assert_has(checked.stdout(), "random playouts   9.00 steps on average");
    let counted = prints(format!("ggp perft {path} --depth 2"));
    assert_eq!(counted, "  1  4\n  2  16\n");
    let game = format!("ggp match --game {path} --matches 3 --budget 40it --players");
    assert_has(
        prints(format!("{game} uct --threads 2 --json")),
        "\"mean_goal\":100.0",
    );
    let refused = fails(format!("{game} uct,mac-ucb"));
    let message = "mac-ucb needs the game's rules as a circuit, and there is none; uct and random play without";
    assert_has(&refused, message);
    assert_has(&refused, "too large");
}

#[test]
fn constraint_networks_are_built_only_for_players_that_solve_them() {
    // Whether a lamp is lit depends on the moves and on other lamps, recursively; such rules have
    // no constraint network.
    let sheet = "(role robot) (init (step 1)) (lamp a) (lamp b) (wired a b) (wired b a) (after 1 2) (after 2 3)
        (<= (legal robot (light ?x)) (lamp ?x))
        (<= (lit ?x) (does robot (light ?x))) (<= (lit ?y) (lit ?x) (wired ?x ?y))
        (<= (next (bright ?x)) (lit ?x)) (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= terminal (true (step 3))) (goal robot 100)";
    let (_directory, path) = stored(sheet);
    pipeline(format!(
        "ggp match --game {path} --matches 2 --budget 10it --players uct,random"
    ))
    .success();
    let refused = fails(format!(
        "ggp match --game {path} --matches 2 --players fc-ucb"
    ));
    assert_has(&refused, "fc-ucb needs the game's constraint network");
    assert_has(&refused, "depends on moves and on itself");
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_refused_at_a_size_limit() {
    assert_has(
        fails("ggp check /dev/zero"),
        "error: /dev/zero: more than 8 MiB, and rule sheets have some kilobytes",
    );
    let (_directory, path) = stored("");
    write_file(&path, b"(role \xff)");
    assert_has(
        fails(format!("ggp check {path}")),
        "sheet.kif: byte 6 is not text in UTF-8",
    );
}

/// Returns whether a process has used a fifth of a second of CPU time.
#[cfg(target_os = "linux")]
fn is_in_a_move(id: u32) -> bool {
    let stat = read_text(format!("/proc/{id}/stat"));
    let ticks = stat
        .rsplit(") ")
        .next()
        .unwrap()
        .split(' ')
        .nth(11)
        .unwrap();
    ticks.parse::<u64>().unwrap() >= 20
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_takes_effect_during_a_move_and_reports_the_kept_matches() {
    use crate::program::{command, interrupt_when};
    let (directory, path) = stored(&wheels());
    let out = directory.join("matches");
    // With this budget, a single move takes days.
    let matches =
        format!("ggp match --game {path} --players uct --matches 4 --budget 1000000000000it");
    let said = interrupt_when(
        &mut command(format!("{matches} --out {}", out.display())),
        "-INT",
        is_in_a_move,
    );
    let kept = "interrupted: 0 matches are kept in ";
    assert_has(&said, kept);
    assert_has(&said, "the same command resumes");
    let said = interrupt_when(&mut command(&matches), "-INT", is_in_a_move);
    assert_has(&said, "nothing is kept; --out DIR would have kept it");
}
