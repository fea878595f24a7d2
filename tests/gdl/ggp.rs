//! Tests of games from their rule sheets: published counts, and unusual sheets that are accepted.

mod taken;

use std::path::PathBuf;

use crate::agreement::Agreement;
use mineflow_gdl::engine::play_out;
use mineflow_gdl::perft::perft;
use mineflow_gdl::player::GameWalk;
use mineflow_gdl::propnet::{Machine, Propnet};
use mineflow_gdl::{Grounding, GroundingLimits, Sheet};
use mineflow_rng::Seed;

use crate::files::{read_text, repository};

fn path_of(name: &str) -> PathBuf {
    repository()
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif")
}

fn text_of(name: &str) -> String {
    read_text(path_of(name))
}

struct Game {
    sheet: Sheet,
    grounding: Grounding,
    net: Propnet,
}

impl Game {
    fn of(text: &str) -> Self {
        let sheet = Sheet::read(text).expect("the sheet is sound");
        let grounding =
            Grounding::new(&sheet, &GroundingLimits::default()).expect("the sheet can be grounded");
        let net = Propnet::new(&grounding);
        Self {
            sheet,
            grounding,
            net,
        }
    }

    fn named(name: &str) -> Self {
        Self::of(&text_of(name))
    }

    /// Compares the propositional network with the interpreter on `states` states of random play.
    fn agrees_with_the_interpreter(&self, states: usize) {
        let mut agreement =
            Agreement::new(&self.grounding, &self.net, None, Some(&self.sheet), 1000).unwrap();
        let (mut rng, mut seen) = (Seed::new(1).rng(), 0);
        while seen < states {
            seen += agreement
                .playout(&mut rng)
                .unwrap_or_else(|trouble| panic!("{trouble:?}")) as usize;
        }
    }

    fn lines(&self, depth: usize) -> u64 {
        perft(&mut Machine::new(&self.net), depth).unwrap()
    }

    /// Returns the number of lines of play from the start to the end of the game.
    fn games(&self) -> u64 {
        let mut walk = GameWalk::new(&self.net, self.grounding.chance, 1000);
        walk.start();
        games(&mut walk)
    }

    /// Returns the mean goals of `count` random playouts.
    fn mean_goals(&self, count: usize) -> Vec<f64> {
        let mut engine = Machine::new(&self.net);
        let mut rng = Seed::new(3).rng();
        let mut sums = vec![0.0; self.net.roles()];
        for _ in 0..count {
            let name = |role| self.grounding.role_name(role);
            let (_, goals) = play_out(&mut engine, self.grounding.chance, name, 10_000, &mut rng)
                .expect("every state has legal moves, every end its goals");
            let all = sums.iter_mut().zip(goals);
            all.for_each(|(sum, points)| *sum += f64::from(points));
        }
        sums.iter().map(|sum| sum / count as f64).collect()
    }
}

/// Returns the number of lines of play from the walk's current state to the end of the game.
fn games(walk: &mut GameWalk<'_>) -> u64 {
    if walk.is_terminal() {
        return 1;
    }
    let state = walk.state();
    let mut joints = vec![Vec::new()];
    for role in 0..walk.roles() {
        let longer = |joint: &Vec<usize>| -> Vec<Vec<usize>> {
            let legal = walk.legal(role).iter();
            legal
                .map(|&action| [&joint[..], &[action]].concat())
                .collect()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    let play = |joint: Vec<usize>| {
        walk.look_at(&state);
        walk.step(|role| Some(joint[role]), &mut Seed::new(0).rng());
        games(walk)
    };
    joints.into_iter().map(play).sum()
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let game = Game::named("tic-tac-toe");
    assert_eq!(game.games(), 255_168);
}

#[test]
fn matching_pennies_is_won_by_one_line_in_four() {
    let game = Game::named("matching-pennies");
    assert_eq!(game.games(), 8);
    let [alice, bob, _] = game.mean_goals(40_000)[..] else {
        panic!("three roles")
    };
    assert!(alice == bob && (alice - 25.0).abs() < 1.0, "{alice} {bob}");
}

/// Returns the chess game with another initial position: pieces (FEN) and castling rights, with
/// White to move.
fn chess_from(pieces: &str, castling: &str) -> Game {
    let sheet = text_of("chess");
    let is_start = |line: &str| line.contains("(init (cell") || line.contains("(init (castle");
    let mut text: String = sheet
        .lines()
        .filter(|line| !is_start(line))
        .map(|line| format!("{line}\n"))
        .collect();
    let name = |letter: char| match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        _ => "king",
    };
    let colour = |letter: char| {
        if letter.is_uppercase() {
            "white"
        } else {
            "black"
        }
    };
    for (row, rank) in pieces.split('/').zip((1..9).rev()) {
        let mut file = 1;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty,
                None => {
                    text += &format!(
                        "(init (cell {file} {rank} {} {}))\n",
                        colour(letter),
                        name(letter)
                    );
                    file += 1;
                }
            }
        }
    }
    for letter in castling.chars() {
        text += &format!("(init (castle {} {}))\n", colour(letter), name(letter));
    }
    Game::of(&text)
}

/// The chess positions are 2, 3, 4 and 5 of the Chess Programming Wiki's perft page: castling
/// through attacks, en passant under pins, promotions, checks of every kind. In checkers, no double
/// jump is possible before the seventh ply, and thus jumps played one at a time make no difference.
#[test]
fn games_have_the_published_counts_of_lines() {
    for (game, counts) in [
        (
            Game::named("othello"),
            &[4, 12, 56, 244, 1396, 8200, 55_092][..],
        ),
        (
            Game::named("connect-four"),
            &[7, 49, 343, 2401, 16_807, 117_649, 823_536],
        ),
        (Game::named("checkers"), &[7, 49, 302, 1469, 7361, 36_768]),
        (Game::named("chess"), &[20, 400, 8902]),
        (
            chess_from(
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
                "KQkq",
            ),
            &[48, 2039],
        ),
        (
            chess_from("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", ""),
            &[14, 191, 2812, 43_238],
        ),
        (
            chess_from(
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1",
                "kq",
            ),
            &[6, 264, 9467],
        ),
        (
            chess_from("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", "KQ"),
            &[44, 1486],
        ),
    ] {
        for (&count, depth) in counts.iter().zip(1..) {
            assert_eq!(game.lines(depth), count, "depth {depth}");
        }
    }
}

#[test]
fn random_playouts_of_connect_four_favour_the_first_player() {
    // The tolerance is four standard deviations of the mean of 20,000 playouts, each with a
    // standard deviation of at most 50 points.
    let means = Game::named("connect-four").mean_goals(20_000);
    assert!((means[0] - 55.8).abs() < 1.4, "{means:?}");
}

/// Checks each limit of grounding with a sheet that exceeds it.
#[test]
fn groundings_beyond_their_limits_are_refused_with_the_rule() {
    let digits = "(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)";
    let product = format!(
        "{digits}\n(<= (p ?a ?b ?c ?d ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))"
    );
    let squares = format!("{digits}\n(<= (p ?a ?b) (d ?a) (d ?b))\n(<= (q ?a ?b) (p ?a ?b))");
    let pairs = format!("{digits}\n(<= (next (light ?a)) (true (light ?b)) (d ?a) (d ?c))");
    // The rule asks for an odd cycle in a bipartite graph: there is no solution, and the search is
    // long.
    let graph = "(l 0) (l 1) (l 2) (l 3) (l 4) (r 5) (r 6) (r 7) (r 8) (r 9) (<= (e ?a ?b) (l ?a) (r ?b)) (<= (e ?a ?b) (r ?a) (l ?b))";
    let needle = format!(
        "{graph}\n(<= (p ?a) (e ?a ?b) (e ?b ?c) (e ?c ?f) (e ?f ?g) (e ?g ?h) (e ?h ?i) (e ?i ?a))"
    );
    let sound = "(role robot) (init (light off)) (legal robot press)
        (<= (next (light on)) (does robot press)) (<= terminal (true (light on))) (goal robot 100)";
    let usual = GroundingLimits::default();
    for (rules, limits, error) in [
        (
            product,
            GroundingLimits {
                atoms: 100_000,
                ..usual
            },
            "line 4, column 1: too large: with this rule, grounding has more than 100000 instances",
        ),
        (
            squares,
            GroundingLimits {
                atoms: 150,
                ..usual
            },
            "line 5, column 1: too large: with this rule, grounding has more than 150 atoms",
        ),
        (
            pairs,
            GroundingLimits {
                literals: 50,
                ..usual
            },
            "line 4, column 1: too large: with this rule, grounding has more than 50 literals",
        ),
        (
            needle,
            GroundingLimits {
                joins: 100_000,
                ..usual
            },
            "line 4, column 1: too large: with this rule, grounding has more than 100000 atoms to hold",
        ),
    ] {
        let sheet = Sheet::read(&format!("{sound}\n{rules}\n")).unwrap();
        let said = Grounding::new(&sheet, &limits).unwrap_err().to_string();
        assert!(said.starts_with(error), "{said}");
    }
}
