//! Tests of the arena: fair games, correct counts, published statistics, folders that survive any
//! interruption.

use std::time::Duration;

use mineflow_arena::{
    Arena, CandidateRow, Configuration, Ending, GuessToScore, Paired, Part, Plan, mcnemar_exact,
};
use mineflow_arena::{Confidence, Estimate};
use mineflow_minesweeper::ahead::LineValue;
use mineflow_minesweeper::player::{
    Decision, Fault, GameEnd, GameStart, Limits, NoMove, Player, Reason, Seat,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Cell, FirstClick, MoveError, View};
use mineflow_rng::Seed;
use mineflow_store::{Folder, Purpose, StoreError};
use std::sync::atomic::AtomicBool;

use crate::files::{NEVER, assert_has, read_text, tempdir, write_file};

/// A player whose decisions come from a function.
struct Scripted<F>(F, Vec<Cell>);

impl<F: FnMut(&View, &mut Budget, &mut Vec<Cell>) -> Result<Reason, NoMove> + Send> Player
    for Scripted<F>
{
    fn begin(&mut self, _: &GameStart) {}

    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove> {
        self.1.clear();
        let reason = self.0(view, budget, &mut self.1)?;
        Ok(Decision::new(reason, &self.1))
    }
}

fn seat<F>(board: &str, first_click: FirstClick, limits: Limits, script: F) -> Seat
where
    F: FnMut(&View, &mut Budget, &mut Vec<Cell>) -> Result<Reason, NoMove> + Send + 'static,
{
    Seat::new(
        Box::new(Scripted(script, Vec::new())),
        board.parse().unwrap(),
        first_click,
        limits,
    )
}

fn open_in_order(
    view: &View,
    budget: &mut Budget,
    moves: &mut Vec<Cell>,
) -> Result<Reason, NoMove> {
    budget.spend(1)?;
    moves.extend(view.covered().next());
    Ok(if view.opened().is_empty() {
        Reason::FirstClick
    } else {
        Reason::Guess
    })
}

fn close(value: f64, published: f64, places: i32) -> bool {
    (value - published).abs() <= 0.500_001 * 10f64.powi(-places)
}

#[test]
fn wilson_intervals_equal_those_of_newcombe_1998() {
    // Newcombe 1998, table I, method 3.
    for (wins, games, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let interval = Estimate::of_wins(wins, games);
        assert!(
            close(interval.low, low, 4) && close(interval.high, high, 4),
            "{wins} of {games}: {interval:?}"
        );
        let mirrored = Estimate::of_wins(games - wins, games);
        assert!(
            close(mirrored.low, 1.0 - high, 4) && close(mirrored.high, 1.0 - low, 4),
            "{mirrored:?}"
        );
    }
}

#[test]
fn mcnemars_exact_test_gives_published_values() {
    // Approval of a prime minister (Agresti, Categorical Data Analysis): 86 and 150 respondents
    // changed their minds.
    assert!((mcnemar_exact(86, 150) - 3.716e-5).abs() < 5e-9);
    assert_eq!(mcnemar_exact(86, 150), mcnemar_exact(150, 86));
    // Small counts by hand: 2 * (1 + 12 + 66) / 2^12 and 2 / 2^9.
    assert!((mcnemar_exact(10, 2) - 158.0 / 4096.0).abs() < 1e-12);
    assert!((mcnemar_exact(0, 9) - 2.0 / 512.0).abs() < 1e-12);
    assert_eq!((mcnemar_exact(0, 0), mcnemar_exact(7, 7)), (1.0, 1.0));
}

#[test]
fn mcnemars_exact_test_agrees_with_summing_the_binomial() {
    for n in [1u64, 31, 32, 33, 60, 200] {
        for k in 0..=n / 2 {
            let mut term = 0.5f64.powi(n as i32);
            let mut sum = term;
            for i in 1..=k {
                term *= (n - i + 1) as f64 / i as f64;
                sum += term;
            }
            let (p, expected) = (mcnemar_exact(k, n - k), (2.0 * sum).min(1.0));
            assert!(
                (p / expected - 1.0).abs() < 1e-9,
                "{k} of {n}: {p} instead of {expected}"
            );
        }
    }
}

/// The games that both players won, that only the first or the second won, and that neither won.
fn paired([both, only_a, only_b, neither]: [u64; 4]) -> Paired {
    Paired {
        both,
        only_a,
        only_b,
        neither,
    }
}

#[test]
fn the_paired_interval_is_tangos() {
    // The ends were computed by maximising the likelihood numerically. The last example is that of
    // Tango 1998.
    for (counts, low, high) in [
        ([14, 5, 0, 3], 0.044_832_654, 0.434_399_532),
        ([212, 144, 256, 707], -0.114_371_372, -0.055_535_975),
        ([43, 0, 1, 0], -0.118_077_097, 0.059_393_232),
    ] {
        let of = paired(counts).interval(Confidence::default());
        assert!(
            (of.low - low).abs() < 1e-8 && (of.high - high).abs() < 1e-8,
            "{of:?}"
        );
    }
    assert!(paired([0, 0, 1, 0]).interval(Confidence::default()).width() > 1.0);
}

#[test]
fn for_many_games_the_paired_interval_is_the_normal_one() {
    let paired = paired([5_000_000, 1_500_000, 1_000_000, 2_500_000]);
    let (n, a, b) = (1e7, 1.5e6, 1e6);
    let half = 1.959_964 * f64::sqrt(a + b - (a - b) * (a - b) / n) / n;
    let interval = paired.interval(Confidence::default());
    assert!((interval.low - (0.05 - half)).abs() < 2e-7, "{interval:?}");
    assert!((interval.high - (0.05 + half)).abs() < 2e-7, "{interval:?}");
}

#[test]
fn the_paired_interval_stays_in_range_and_contains_the_difference() {
    for code in 1..6u64.pow(4) {
        let paired = paired([0, 1, 2, 3].map(|place| code / 6u64.pow(place) % 6));
        let (interval, difference) = (paired.interval(Confidence::default()), paired.difference());
        assert!(
            -1.0 <= interval.low && interval.high <= 1.0,
            "{paired:?}: {interval:?}"
        );
        assert!(
            interval.low <= difference && difference <= interval.high,
            "{paired:?}: {interval:?}"
        );
    }
}

#[test]
fn the_estimated_number_of_games_suffices_for_a_verdict() {
    let paired = paired([800, 55, 45, 100]);
    let games = paired.games_to_settle(Confidence::default()).unwrap();
    // (1.95996 * sqrt(0.1) + 0.84162 * sqrt(0.1 - 0.0001))^2 / 0.0001
    assert_eq!(games, 7847);
    let scale = |n: u64| n * games / paired.games();
    assert!(paired.p_value() > 0.05);
    assert!(mcnemar_exact(scale(55), scale(45)) < 0.05);
    assert_eq!(
        Paired {
            only_a: 3,
            only_b: 3,
            ..paired
        }
        .games_to_settle(Confidence::default()),
        None
    );
}

#[test]
fn the_first_click_is_a_guess_only_without_a_promise() {
    for (rule, extra) in [(FirstClick::Safe, 0), (FirstClick::Any, 1)] {
        // No cell of this board can be a zero, and therefore every decision opens one cell.
        let mut seat = seat("2x2/2", rule, Limits::default(), open_in_order);
        for game in 0..50 {
            let outcome = seat.play(Seed::new(game)).unwrap();
            let made = seat.view().opened().len() as u32 + u32::from(outcome.end == GameEnd::Lost);
            assert_eq!(outcome.guesses, made - 1 + extra, "{rule} {game}");
        }
    }
}

#[test]
fn a_game_out_of_nodes_or_time_is_a_time_out() {
    let one_node = Limits {
        nodes: Some(1),
        time: None,
    };
    let mut out_of_nodes = seat("9x9/40", FirstClick::Safe, one_node, open_in_order);
    let ends: Vec<_> = (0..20)
        .map(|game| out_of_nodes.play(Seed::new(game)).unwrap().end)
        .collect();
    assert_eq!(ends, [GameEnd::TimedOut; 20]);

    let one_millisecond = Limits {
        nodes: None,
        time: Some(Duration::from_millis(1)),
    };
    let mut slow = seat(
        "9x9/10",
        FirstClick::Safe,
        one_millisecond,
        |view, budget, moves| {
            let clock = cpu_time::ThreadTime::now();
            while clock.elapsed() < Duration::from_millis(2) {}
            open_in_order(view, budget, moves)
        },
    );
    assert_eq!(slow.play(Seed::new(1)).unwrap().end, GameEnd::TimedOut);
    assert!(
        slow.view().opened().is_empty(),
        "a move that came too late was made"
    );

    let mut hard = seat("9x9/10", FirstClick::Safe, Limits::default(), |_, _, _| {
        Err(NoMove::TooHard("so".into()))
    });
    assert_eq!(hard.play(Seed::new(1)).unwrap().end, GameEnd::TimedOut);
}

#[test]
fn an_invalid_player_is_an_error_and_not_a_loss() {
    let fault = |script: fn(&View, &mut Budget, &mut Vec<Cell>) -> Result<Reason, NoMove>| {
        seat("4x4/8", FirstClick::Safe, Limits::default(), script)
            .play(Seed::new(3))
            .unwrap_err()
    };
    assert_eq!(fault(|_, _, _| Ok(Reason::Certain)), Fault::NoCell);
    assert_eq!(
        fault(|_, _, _| Err(NoMove::Contradiction)),
        Fault::Contradiction(NoMove::Contradiction)
    );
    let off_board = fault(|_, _, moves| {
        moves.push(Cell(16));
        Ok(Reason::Guess)
    });
    assert_eq!(off_board, Fault::Illegal(MoveError::OffBoard(16)));
    let again = fault(|_, _, moves| {
        moves.push(Cell(0));
        Ok(Reason::Guess)
    });
    assert_eq!(again, Fault::Illegal(MoveError::AlreadyOpen(0)));
    let all_safe = fault(|view, _, moves| {
        moves.extend(view.covered());
        Ok(Reason::Certain)
    });
    assert!(matches!(all_safe, Fault::FalseProof(_)));
}

#[test]
fn an_invalid_choice_has_no_score() {
    let row = CandidateRow {
        guess: 7,
        board: "3x1/1",
        first_click: "safe",
        position: "1##",
        unknown: 1.0,
        weight: 1.0,
        seed: 1,
        exact: true,
        layouts: 0,
        row: 0,
        column: 1,
        chosen: true,
        value: LineValue::exact(&[], Cell(1)),
    };
    let guess = &GuessToScore::of_rows(&[row]).unwrap()[0];
    for (moves, expected) in [
        (vec![], Err(Fault::NoCell)),
        (vec![Cell(3)], Err(MoveError::OffBoard(3).into())),
        (vec![Cell(0)], Err(MoveError::AlreadyOpen(0).into())),
        (vec![Cell(2)], Ok(Some(Cell(2)))),
    ] {
        let script = move |_: &View, _: &mut Budget, given: &mut Vec<Cell>| {
            given.extend(&moves);
            Ok(Reason::Guess)
        };
        let mut player = Scripted(script, Vec::new());
        assert_eq!(guess.choice_of(&mut player, None), expected);
    }
}

#[test]
fn a_broken_line_in_a_journal_is_named() {
    let directory = tempdir();
    let path = &directory;
    let configuration = |board: &str| Configuration {
        player: "3.0".parse().unwrap(),
        board: board.parse().unwrap(),
        first_click: FirstClick::Safe,
        value_model: None,
    };
    let plan = || {
        let (configurations, limits) = (
            ["4x4/2", "5x5/4"].map(configuration).to_vec(),
            Limits::default(),
        );
        Plan {
            configurations,
            games: 300,
            part: Part::WHOLE,
            seed: Seed::new(9),
            limits,
            sprt: None,
            threads: 1,
        }
    };
    let open = || {
        Arena::open(
            plan(),
            Some(Folder::open(path, &Purpose::default(), &NEVER)?),
        )
    };
    assert_eq!(
        open()
            .unwrap()
            .play(&AtomicBool::new(true), &mut |_| {})
            .unwrap(),
        Ending::Stopped
    );
    assert_eq!(
        open().unwrap().play(&NEVER, &mut |_| {}).unwrap(),
        Ending::Finished
    );
    let journal = read_text(path.join("journal.jsonl"));
    let lines: Vec<_> = journal.lines().collect();
    let changed = |from: &str, to: &str| {
        let record = lines[1][12..lines[1].len() - 1].replace(from, to);
        format!(
            "[\"{}\",{record}]",
            &mineflow_store::sha256(record.as_bytes())[..8]
        )
    };
    for (wrong, why) in [
        ("[\"01234567\",{\"configuration\":0", "not a line"),
        ("", "not a line"),
        (lines[0], "twice"),
        (
            &lines[1].replace("\"games\":64", "\"games\":63"),
            "changed after it was written",
        ),
        (
            &changed("\"configuration\":0", "\"configuration\":2"),
            "configuration 2",
        ),
        (&changed("\"won\":\"", "\"won\":\"g"), "hexadecimal"),
        (
            &changed("\"timeouts\":0", "\"timeouts\":4294967295"),
            "time-outs",
        ),
    ] {
        let mut broken = lines.clone();
        broken[1] = wrong;
        write_file(path.join("journal.jsonl"), broken.join("\n") + "\n");
        let error = open().err().unwrap();
        assert!(
            matches!(&error, StoreError::Line { line: 2, .. }),
            "{error}"
        );
        assert_has(error.to_string(), why);
    }
}
