//! Regression tests of decisions and outputs against golden files. A change that should not affect
//! behaviour must not change them.
//!
//! `UPDATE_GOLDEN=1 cargo test --release -- pins` rewrites the files; commit that separately with
//! the reason. The networks are trained with the vector instructions of the processor: the golden
//! hashes are those of AVX2 with FMA.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mineflow::minesweeper::player::{GameStart, PlayerSpec, Reason, versions};
use mineflow::minesweeper::solver::Budget;
use mineflow::minesweeper::{Board, FirstClick, Game, Status, View, text};
use mineflow::rng::Seed;

use crate::program::{
    assert_golden, assert_golden_or, json_of, pipeline, prints, read_bytes, tempdir,
};

/// Returns lines of `player board games won timeouts signature`.
fn signatures(arguments: &str) -> String {
    let printed = prints(format!("bench --json -q {arguments}"));
    printed.lines().fold(String::new(), |mut lines, line| {
        let row = json_of(line);
        let text = |key: &str| row[key].to_string().replace('"', "");
        let cells = ["player", "board", "games", "wins", "timeouts", "signature"].map(text);
        writeln!(lines, "{}", cells.join(" ")).unwrap();
        lines
    })
}

#[test]
fn the_decisions_of_every_player_are_unchanged() {
    // Players that search their guesses take a second per game and play two games. Those of 11.0
    // take a tenth of a second and play 30 games, because all of them would decide alike in two
    // games.
    let searches = |name: &&str| name.parse::<PlayerSpec>().unwrap().searches_guesses();
    let searching = versions()
        .iter()
        .map(|version| version.name)
        .filter(searches);
    let (tenth, second): (Vec<&str>, Vec<&str>) =
        searching.partition(|name| name.starts_with("11.0"));
    let few = |games, names: &[&str]| {
        signatures(&format!("--games {games} --players {}", names.join(",")))
    };
    let lines = signatures("") + &few(2, &second) + &few(30, &tenth);
    assert_eq!(lines.lines().count(), 3 * versions().len());
    assert_golden_or(
        "pins-signatures",
        &lines,
        "If a player is meant to choose other moves, raise REVISION of its rule, or of all in src/minesweeper/player/recipe.rs, with it: \
         tables of results then no longer pass for those of the new player.",
    );
}

/// Plays one game on the beginner board and returns it as text: every decision of the player, and
/// the final position.
fn played(name: &str) -> String {
    let spec: PlayerSpec = name.parse().unwrap();
    let board: Board = "beginner".parse().unwrap();
    let seed = Seed::new(11).child("game", 2);
    let mut game = Game::new(board, FirstClick::Safe);
    let mut player = spec.build();
    game.start(seed);
    player.begin(&GameStart {
        board,
        first_click: FirstClick::Safe,
        seed: seed.child("player", 0),
    });
    let mut budget = Budget::new(Some(1_000_000), None);
    let mut lines = format!("{name}: {}\n", spec.recipe);
    while game.status() == Status::Playing {
        let decision = player.decide(game.view(), &mut budget).unwrap();
        let (reason, moves) = (decision.reason, decision.cells);
        let place = |cell: &mineflow::minesweeper::Cell| {
            let index = cell.index();
            format!("({}, {})", index / board.width(), index % board.width())
        };
        let cells = moves.iter().map(place).collect::<Vec<_>>().join(" ");
        let weighed = decision
            .position(game.view())
            .filter(|_| reason != Reason::Certain);
        let own = weighed
            .map(|position| format!(", P = {:.6}", position.mine[moves[0].index()]))
            .unwrap_or_default();
        writeln!(lines, "{reason:?}: {cells}{own}").unwrap();
        for &cell in moves {
            if game.status() == Status::Playing && !game.view().is_open(cell) {
                game.open(cell).unwrap();
            }
        }
    }
    writeln!(lines, "{:?}\n{}", game.status(), picture(game.view())).unwrap();
    lines
}

fn picture(view: &View) -> String {
    text::write_mine(view)
}

#[test]
fn every_version_plays_this_game_move_by_move() {
    let all: Vec<_> = versions()
        .iter()
        .map(|version| played(version.name))
        .collect();
    assert_golden("pins-games", &all.join("\n"));
}

/// Returns the lines of a CSV file without these columns.
fn without(csv: &str, dropped: &[&str]) -> String {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let kept: Vec<_> = (0..header.len())
        .filter(|&at| !dropped.contains(&header[at]))
        .collect();
    let pick = |cells: &[&str]| {
        kept.iter()
            .map(|&at| cells[at])
            .collect::<Vec<_>>()
            .join(",")
            + "\n"
    };
    lines.fold(pick(&header), |text, cells| text + &pick(&cells))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The columns that contain times.
const TIMES: [&str; 3] = ["cpu_seconds", "wall_seconds", "games_per_cpu_second"];

#[test]
fn results_of_small_series_of_every_game_are_unchanged() {
    let dir = tempdir();
    let out = |name: &str| dir.join(name);
    let run = |arguments: &str, name: &str| {
        pipeline(format!("{arguments} -q --seed 5 --out {}", out(name))).success();
    };
    let mut lines = String::new();
    run(
        "eval --players 1.0,2.5,4.0,4.5,7.0,agent --boards beginner,16x16/40 --first-click safe,any --games 60",
        "eval",
    );
    run(
        "compare 7.0 4.0 --games 300 --boards beginner,expert",
        "compare",
    );
    run(
        "samegame eval --count 3 --size 8x8 --algorithms sp-mcts:c=10:d=320000,nrpa:iterations=20,greedy --budgets nodes=500",
        "samegame",
    );
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp/tic-tac-toe.kif");
    run(
        &format!(
            "ggp match --game {} --players uct,mac-ucb,fc-ucb,random --matches 6 --budget 60it",
            sheet.display()
        ),
        "match",
    );
    let game = |name: &str| sheet.with_file_name(name).display().to_string();
    let of = |games: &str, more: &str| format!("ggp match --game {games} --matches 6 {more}");
    let both = format!("{},{}", game("tic-tac-toe.kif"), game("kaseklau.kif"));
    run(
        &of(
            &both,
            "--players mac-ucb,fc-ucb --against uct,fc-ucb --budget 10it",
        ),
        "matches",
    );
    run(
        &of(
            &game("tic-tac-toe.kif"),
            "--players mac-ucb --against uct --budget 30it --series 3",
        ),
        "in-a-row",
    );
    run(
        &of(
            &game("matching-pennies.kif"),
            "--players mac-ucb,fc-ucb,uct --alone --budget 20it",
        ),
        "alone",
    );
    for (folder, name) in [
        ("eval", "eval.csv"),
        ("compare", "compare.csv"),
        ("samegame", "eval.csv"),
        ("samegame", "boards.csv"),
        ("match", "matches.csv"),
        ("matches", "standings.csv"),
        ("in-a-row", "standings.csv"),
        ("alone", "standings.csv"),
    ] {
        writeln!(
            lines,
            "{folder}/{name}\n{}",
            without(&read(&out(folder).join(name)), &TIMES)
        )
        .unwrap();
    }
    assert_golden("pins-series", &lines);
}

/// Compares hashes of the files of a pipeline run, which must be byte-identical.
#[cfg(feature = "train")]
#[test]
fn the_files_of_the_smoke_pipeline_are_unchanged() {
    let dir = tempdir();
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/smoke.toml");
    pipeline(format!("run {} -q --out {dir}", sheet.display())).success();
    let mut lines = String::new();
    for (stage, files) in [
        (
            "rows",
            &[
                "rows/00000.parquet",
                "decisions/00000.parquet",
                "rows/00002.parquet",
            ][..],
        ),
        (
            "alpha",
            &[
                "alpha.json",
                "alpha.safetensors",
                "sweep.csv",
                "targets.csv",
            ],
        ),
        ("trees", &["artifact.json", "importance.csv"]),
        (
            "classifier",
            &[
                "artifact.safetensors",
                "checkpoints.csv",
                "checkpoints/0001.safetensors",
            ],
        ),
        ("q-single", &["artifact.safetensors", "checkpoints.csv"]),
        (
            "q-iterative",
            &[
                "artifact.safetensors",
                "checkpoints.csv",
                "checkpoints/0002.safetensors",
            ],
        ),
        ("stronger", &["compare.csv"]),
        (
            "calibration",
            &["calibration.csv", "calibration-scores.csv"],
        ),
    ] {
        for file in files {
            let bytes = read_bytes(dir.join(stage).join(file));
            writeln!(lines, "{} {stage}/{file}", mineflow::store::sha256(&bytes)).unwrap();
        }
    }
    lines += &without(&read(&dir.join("play/eval.csv")), &TIMES);
    assert_golden("pins-smoke", &lines);
}

/// Compares written rows of both feature sets, with the descriptions of their columns.
#[cfg(feature = "train")]
#[test]
fn the_contents_of_rows_are_unchanged() {
    let dir = tempdir();
    let mut lines = String::new();
    for (kind, more) in [("classifier", ""), ("q", "--alpha 0.4")] {
        let out = dir.join(kind);
        pipeline(format!(
            "generate --kind {kind} {more} --rows 2000 --seed 3 -q --out {out}"
        ))
        .success();
        let rows = out.join("rows/00000.parquet");
        let shown = prints(format!("data show --head 40 --json {rows}"));
        let shown = json_of(&shown);
        for part in ["columns", "head"] {
            for line in shown[part].as_array().unwrap() {
                writeln!(lines, "{line}").unwrap();
            }
        }
        writeln!(lines, "{}", mineflow::store::sha256(&read_bytes(&rows))).unwrap();
    }
    assert_golden("pins-rows", &lines);
}
