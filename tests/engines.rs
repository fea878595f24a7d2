//! Tests of programs as players: the players in `examples/engines`, our own players through
//! `pipeline engine`, and programs that fail.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::program::{
    Finished, PIPELINE, TempPath, assert_has, command, fails, interrupt_when, json_of, lines_of,
    prints, read_text, rows, tempdir, write_file,
};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/engines");

/// Returns a command with players, which may contain blanks.
fn with_players(line: &str, players: &[&str]) -> Command {
    let mut command = command(line);
    command.args(players);
    command
}

/// Plays games of one player and returns the row of the table.
fn eval(player: &str, more: &str) -> Value {
    let line = format!("eval --json --threads 2 {more} --players");
    let run = Finished::of(&mut with_players(&line, &[player])).success();
    json_of(run.stdout())
}

#[test]
fn a_game_through_an_engine_equals_the_game_without() {
    let dir = tempdir();
    let engine = format!("exec:{PIPELINE} engine 11.0");
    let games = |player: &str, name: &str| {
        let out = dir.join(name);
        eval(
            player,
            &format!("--boards 16x16/40 --games 5 --keep-games 5 --out {out}"),
        );
        let moves = |game: &str| {
            let game = json_of(game);
            let moves = game["moves"]
                .as_str()
                .unwrap()
                .replace(char::is_alphabetic, "");
            (moves, game["mines"].clone(), game["end"].clone())
        };
        let games = read_text(out.join("games.jsonl"));
        games.lines().map(moves).collect::<Vec<_>>()
    };
    assert_eq!(games("11.0", "own"), games(&engine, "engine"));
    // Both play the same boards, whatever plays before and beside them.
    let line = "compare --json --luck-corrected --games 200";
    let row = json_of(
        Finished::of(&mut with_players(line, &[&engine, "11.0"]))
            .code(1)
            .stdout(),
    );
    assert_eq!(
        (&row["only_a_won"], &row["only_b_won"]),
        (&0.into(), &0.into()),
        "{row}"
    );
    assert_eq!(row["timeouts_a"], Value::Null, "{row}");
}

/// A program that opens the first covered cell, except in every second game, in which it runs
/// `fault`.
fn failing(dir: &TempPath, fault: &str) -> String {
    let file = dir.join("player.sh");
    let script = r##"while read -r word rest; do case $word in
        mineflow) i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done
            echo "to stderr" >&2; echo "name failing" ;;
        game) number=${rest% *} ;;
        view) rows=${rest%%/*}; open=${rows%%#*}
            if [ $((number % 2)) = 0 ]; then FAULT; else case $rows in
                *"#"*) echo "open 0 ${#open}" ;;
                *) echo "open 1 0" ;;
            esac; fi ;;
        quit) exit ;;
    esac; done"##;
    write_file(&file, script.replace("FAULT", fault));
    write_file(
        dir.join("player.toml"),
        format!("command = \"sh {file}\"\ntime = 2"),
    );
    format!("exec:{}", dir.join("player.toml"))
}

#[test]
fn games_with_faults_are_lost_with_their_reason() {
    for (fault, reason) in [
        ("echo open 7 7", "and not rows and columns of covered cells"),
        ("echo open x", "it wrote `open x`"),
        ("echo open 1", "it wrote `open 1`"),
        ("echo nonsense", "it wrote `nonsense`"),
        ("sleep 100", "it took too long"),
        ("while :; do :; done", "it took too long"),
        ("exit 1", "it ended with exit status: 1"),
        ("tr '\\0' x </dev/zero", "it wrote a line of"),
    ] {
        let dir = tempdir();
        let out = dir.join("out");
        let player = failing(&dir, fault);
        let line = format!(
            "eval --json --boards 2x2/3 --first-click any --games 6 --threads 1 --out {out} --players"
        );
        let run = Finished::of(&mut with_players(&line, &[&player])).success();
        let row = json_of(run.stdout());
        assert_eq!(row["timeouts"], 3, "{fault}: {row}");
        assert_has(run.stderr(), "lost games by faults");
        assert_has(run.stderr(), reason);
        assert_has(read_text(out.join("programs.log")), "to stderr");
        let cost = rows(&out, "cost.csv").remove(0);
        let seconds: f64 = cost["cpu_seconds"].parse().unwrap();
        assert!(
            seconds > 0.02,
            "{fault}: the time of ended programs is counted: {cost:?}"
        );
    }
    let dir = tempdir();
    let player = failing(&dir, "exit 1")
        .replace("player.toml", "player.sh")
        .replace("exec:", "exec:sh ");
    write_file(
        dir.join("player.sh"),
        read_text(dir.join("player.sh")).replace("number % 2", "0"),
    );
    let broken = Finished::of(&mut with_players("eval --games 50 --players", &[&player])).code(2);
    assert_has(
        broken.stderr(),
        "10 games in a row are lost by faults, the last one as it ended",
    );
    for (wrong, why) in [
        (
            "exec:",
            "it ended with exit status: 0 before it wrote `name NAME`",
        ),
        (
            "exec:no-such-program",
            "it ended with exit status: 127 before it wrote `name NAME`",
        ),
        ("exec:echo hello", "it wrote `hello`, and not `name NAME`"),
        ("exec:missing.toml", "missing.toml"),
    ] {
        let refused = Finished::of(&mut with_players("eval --players", &[wrong])).code(2);
        assert_has(refused.stderr(), why);
    }
}

/// Its later answers would be read as those to the next views, in all games that follow.
#[test]
fn an_answer_too_many_costs_one_game() {
    let dir = tempdir();
    let player = dir.join("player.py");
    let script = r##"
import os, sys
answers = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "mineflow":
        print("name twice", flush=True)
    if word == "view":
        rows = rest[0].split("/")
        cell = next((r, c) for r, row in enumerate(rows) for c, shown in enumerate(row) if shown == "#")
        answers += 1
        for _ in range(2 if answers == 50 and not os.path.exists("FLAG") else 1):
            print("open", *cell, "why the", "first", answers, flush=True)
        if answers == 50:
            open("FLAG", "w").close()
"##;
    write_file(
        &player,
        script.replace("FLAG", &dir.join("flag").to_string()),
    );
    let out = dir.join("out");
    let player = format!("exec:python3 {player}");
    let row = eval(
        &player,
        &format!("--boards 9x9/1 --games 40 --keep-games 3 --out {out}"),
    );
    assert!(row["timeouts"].as_u64() <= Some(2), "{row}");
    assert!(row["wins"].as_u64() > Some(20), "{row}");
    let games = out.join("games.jsonl");
    assert_has(
        prints(format!("replay {games} --game 0 --explain")),
        "the first 1",
    );
}

#[test]
fn settings_of_a_program_are_checked() {
    let dir = tempdir();
    for (settings, announced, why) in [
        (
            "time = 0.0",
            "name x",
            "`time` must be a number of seconds above 0",
        ),
        (
            "time = -1.5",
            "name x",
            "`time` must be a number of seconds above 0",
        ),
        ("time = \"x\"", "name x", "expected f64"),
        ("", "batch 1", "`batch N`, N from 2 to 64"),
        ("", "batch 65", "`batch N`, N from 2 to 64"),
    ] {
        let file = dir.join("player.toml");
        write_file(
            &file,
            format!("command = \"echo {announced}\"\n{settings}\n"),
        );
        assert_has(fails(format!("eval --players exec:{file}")), why);
    }
}

#[test]
fn an_interruption_ends_all_processes_of_a_program() {
    let dir = tempdir();
    let started = dir.join("started");
    let player = dir.join("player.sh");
    write_file(
        &player,
        format!("sleep 1000 & echo $! >>{started}; exec sh {EXAMPLES}/random.sh"),
    );
    let player = format!("exec:sh {player}");
    let line = "eval --games 1000000 --threads 1 --players";
    interrupt_when(&mut with_players(line, &[&player]), "-INT", |_| {
        started.exists() && lines_of(&started) > 1
    });
    // A process that was killed exists until the system has collected it.
    for process in read_text(&started).lines() {
        let is_alive = |_: &i32| {
            let checked = Command::new("kill").args(["-0", process]).output();
            sleep(Duration::from_millis(10));
            checked.unwrap().status.success()
        };
        let times = (0..1000).take_while(is_alive).count();
        assert!(times < 1000, "{process} is alive");
    }
}

#[test]
fn a_stage_is_outdated_when_the_file_of_its_program_changes() {
    let dir = tempdir();
    let player = dir.join("player.sh");
    let script = read_text(format!("{EXAMPLES}/random.sh"));
    write_file(&player, &script);
    let stage = "format = 1\n[stage.play]\ncommand = \"eval\"\ngames = 3\n";
    write_file(
        dir.join("p.toml"),
        format!("{stage}players = \"exec:sh {player}\"\n"),
    );
    let run = || {
        let run = Finished::of(command("run p.toml").current_dir(&dir)).success();
        run.stdout() + &run.stderr()
    };
    run();
    assert_has(run(), "play: up to date");
    write_file(&player, script + "# changed\n");
    let again = run();
    assert_has(&again, "play: player exec:sh");
    assert_has(&again, "changed");
}

/// Returns whether this machine has a program.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

#[test]
fn probabilities_of_a_program_are_compared_with_the_mines() {
    if !has("python3") {
        eprintln!("not run: Python is not installed");
        return;
    }
    let dir = tempdir();
    let program = "import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == 'mineflow':
        print('name quarter', flush=True)
    if words[0] == 'view':
        rows = words[1].split('/')
        cells = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == '#']
        print('open', *cells[0], 'p', *[0.25] * (len(cells) - MISSING), flush=True)
";
    let of = |missing: &str| {
        let file = dir.join(format!("quarter{missing}.py"));
        write_file(&file, program.replace("MISSING", missing));
        let line = "calibrate --boards 4x2/2 --games 40 --players";
        let run = &mut with_players(line, &[&format!("exec:python3 {file}")]);
        Finished::of(run)
    };
    let table = of("0").success().stdout();
    let first = table.lines().find(|row| row.contains("boundary   0.25"));
    assert_has(first.expect("a bin at a quarter"), "0.2500");
    assert_has(of("1").code(2).stderr(), "lost by faults");
}

#[test]
fn the_example_players_play() {
    let dir = tempdir();
    let single = dir.join("single");
    let cpp = format!("exec:{single}");
    let examples = [
        ("sh", "random", format!("exec:sh {EXAMPLES}/random.sh")),
        (
            "python3",
            "single numbers (Python)",
            format!("exec:python3 {EXAMPLES}/single.py"),
        ),
        (
            "java",
            "single numbers (Java)",
            format!("exec:java {EXAMPLES}/Single.java"),
        ),
        ("g++", "single numbers (C++)", cpp),
    ];
    for (language, name, player) in examples {
        if language != "sh" && !has(language) {
            eprintln!("not run: {name}, because there is no {language}");
            continue;
        }
        if language == "g++" {
            let arguments = [
                "-O2",
                "-o",
                &single.to_string(),
                &format!("{EXAMPLES}/single.cpp"),
            ];
            assert!(
                Command::new("g++")
                    .args(arguments)
                    .status()
                    .unwrap()
                    .success()
            );
        }
        let row = eval(&player, "--boards 9x9/4 --first-click opening --games 40");
        assert_has(row["player"].as_str().unwrap(), name);
        assert_eq!(row["timeouts"], 0, "{row}");
        // Most of these games are won by proofs from single numbers; a random player loses most.
        let wins = row["wins"].as_u64().unwrap();
        assert_eq!(wins > 20, name != "random", "{row}");
    }
    let toollib = format!("{EXAMPLES}/ms_toollib_player.py");
    let has_toollib = Command::new("python3")
        .args(["-c", "import ms_toollib"])
        .output();
    if has_toollib.is_ok_and(|output| output.status.success()) {
        let row = eval(&format!("exec:python3 {toollib}"), "--games 5");
        assert_eq!(row["timeouts"], 0, "{row}");
    } else {
        eprintln!("not run: ms_toollib, which is not installed");
    }
}
