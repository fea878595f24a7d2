//! Tests of series that end by a sequential test, and of such series continued without one.

use serde_json::Value;

use crate::program::{
    TempPath, assert_has, fails, lines_of, pipeline, prints, read_bytes, read_text, rows, tempdir,
};

fn row(text: &str) -> Value {
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn a_comparison_ends_as_soon_as_its_test_decides() {
    let dir = tempdir();
    let of = format!("compare 4.0 7.0 --boards 30x16/99 --games 100000 --sprt 0:0.2 --out {dir}");
    let said = pipeline(&of)
        .code(1)
        .stdout()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_has(&said, "LLR -");
    assert_has(&said, "rejected: the results speak for +0, not +0.2.");
    assert!(
        !said.contains("McNemar"),
        "its p is of a number of games that was chosen before: {said}"
    );
    let games: u64 = rows(&dir, "compare.csv")[0]["games"].parse().unwrap();
    assert!(
        games.is_multiple_of(500) && (1000..50_000).contains(&games),
        "{games}"
    );
    assert_has(pipeline(&of).code(1).stderr(), "nothing is left to play");
}

#[test]
fn each_board_of_a_comparison_has_its_own_verdict() {
    let of = "compare 7.0 4.0 --boards 9x9/10,16x16/40 --json";
    let accepted = prints(format!("{of} --games 20000 --sprt 0:1 --luck-corrected"));
    let rows: Vec<Value> = accepted.lines().map(row).collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| row["verdict"] == "accepted" && row["games"].as_u64() < Some(20_000)),
        "{accepted}"
    );
    assert!(
        rows.iter().all(|row| row["llr"].as_f64() >= Some(2.944)),
        "{accepted}"
    );
    let open = row(&pipeline(format!("{of} --games 700 --sprt 3.9:4.1"))
        .code(1)
        .stdout());
    assert_eq!(
        (&open["verdict"], &open["games"], &open["games_to_settle"]),
        (&"open".into(), &700.into(), &Value::Null)
    );
    assert!(open["llr"].as_f64().unwrap().abs() < 2.944);
    let plain = row(&pipeline(format!("{of} --games 700")).code(1).stdout());
    assert!(plain.get("llr").is_none());
}

#[test]
fn the_rule_is_a_setting_of_the_folder_and_the_most_games_may_grow() {
    let dir = tempdir();
    let (out, fresh) = (dir.join("out"), dir.join("fresh"));
    let of = |rule: &str, games: u32, out: &TempPath| {
        format!("compare 7.0 4.0 --boards 9x9/10 --games {games} {rule} --out {out}")
    };
    pipeline(of("--sprt 0:1", 700, &out)).code(1);
    let manifest = read_text(out.join("manifest.json"));
    assert_has(&manifest, "\"sprt\": \"0:1\"");
    assert_has(
        fails(of("--sprt 0:2", 700, &out)),
        "sprt is \"0:1\" there and \"0:2\" here",
    );
    assert_has(
        fails(of("", 700, &out)),
        "sprt is \"0:1\" there and missing here",
    );
    // The sequential test decides when to stop, and thus a higher limit adds no choice made after
    // seeing results.
    let said = prints(of("--sprt 0:1", 20_000, &out));
    pipeline(of("--sprt 0:1", 20_000, &fresh)).success();
    assert!(!said.contains("Extended"), "{said}");
    for file in ["compare.csv", "journal.jsonl"] {
        assert_eq!(
            read_bytes(out.join(file)),
            read_bytes(fresh.join(file)),
            "{file}"
        );
    }
}

#[test]
fn impossible_tests_are_one_error() {
    let dir = tempdir();
    let says = |arguments: &str, what: &str| {
        let run = pipeline(arguments).code(2);
        assert!(
            run.stderr().contains(what) && run.stdout().is_empty(),
            "{arguments}: {}",
            run.stderr()
        );
        assert_eq!(run.stderr().matches("error:").count(), 1, "{arguments}");
    };
    for wrong in ["1:0", "1:1", "1", "0:much"] {
        says(
            &format!("compare 7.0 4.0 --games 50 --sprt {wrong}"),
            "is not a test; write LOW:HIGH",
        );
    }
    let out = dir.join("part");
    let games = "ggp match --budget 5it --sprt 0:5 --game pipelines/ggp";
    says(
        &format!("{games}/tic-tac-toe.kif --players uct,random --shard 1/2 --out {out}"),
        "leave --shard out",
    );
    says(
        &format!("{games}/tic-tac-toe.kif --players uct"),
        "two players, not 1",
    );
    says(
        &format!("{games}/tic-tac-toe.kif --players uct,uct"),
        "uct is given twice",
    );
    says(
        &format!("{games}/tic-tac-toe.kif --players uct,random --series 2"),
        "--series is 2",
    );
    says(
        &format!("{games}/tic-tac-toe.kif --players uct,random --matches 1"),
        "give 2 or more",
    );
    let boards = "samegame eval --size 6x6 --sprt 0:50";
    says(boards, "two algorithms with one budget, not 1 with 1");
    says(
        &format!("{boards} --algorithms nrpa,greedy --budgets nodes=10,nodes=20"),
        "not 2 with 2",
    );
    assert!(!out.exists());
}

#[test]
fn boards_end_with_a_round() {
    let dir = tempdir();
    let of = "samegame eval --size 8x8 --algorithms nrpa:level=1,greedy:games=1 --count 400 --sprt -250:-50 --out";
    assert_has(
        prints(format!("{of} {dir}")),
        "accepted: the results speak for -50, not -250.",
    );
    let rows = lines_of(&dir.join("boards.csv")) - 1;
    assert!(
        rows.is_multiple_of(10) && (40..800).contains(&rows),
        "{rows}"
    );
    let table = read_text(dir.join("eval.csv"));
    let ends: Vec<_> = table
        .lines()
        .map(|line| line.rsplit(',').take(2).collect::<Vec<_>>())
        .collect();
    assert_eq!(
        (ends[0].as_slice(), &ends[1]),
        (&["llr", "verdict"][..], &ends[2])
    );
    assert_eq!(ends[1][1], "accepted");
}

#[test]
fn shards_do_not_grow_and_merged_folders_do() {
    let dir = tempdir();
    let parts = ["1/2", "2/2"].map(|part| (part, dir.join(part.replace('/', "-"))));
    let of = |games: u32| format!("eval --players 4.0 --boards 5x5/4 --games {games}");
    for (part, folder) in &parts {
        pipeline(format!("{} --shard {part} --out {folder}", of(200))).success();
        assert_has(
            fails(format!("{} --shard {part} --out {folder}", of(300))),
            "games is 200 there and 300 here",
        );
    }
    let out = dir.join("out");
    let [(_, first), (_, second)] = &parts;
    pipeline(format!("merge {out} {first} {second}")).success();
    let row = row(&prints(format!("{} --json --out {out}", of(300))));
    assert_eq!(row["games"], 300);
}
