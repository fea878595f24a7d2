//! Tests of the program as users and scripts run it: output, folders, exit codes.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use mineflow::minesweeper::player::PlayerSpec;

#[cfg(unix)]
use crate::program::interrupt_when;
use crate::program::{Finished, PIPELINE, command, pipeline, tempdir, unfinish};

/// Reads a CSV file without its last three columns, which contain times.
fn without_times(file: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(file)
        .unwrap();
    let row = |row: csv::StringRecord| row.iter().take(15).map(str::to_owned).collect();
    reader
        .records()
        .map(|record| row(record.unwrap()))
        .collect()
}

#[test]
fn eval_writes_the_columns_that_the_documentation_names() {
    let directory = tempdir();
    let out = directory.path().join("new/folder");
    let run = format!(
        "eval --players 3.0,4.0 --boards 5x5/4,4x4/2 --first-click safe,opening --games 70 --out {}",
        out.display()
    );
    let table = pipeline(&run).success().stdout();
    assert_eq!(
        table
            .lines()
            .filter(|line| line.starts_with(['3', '4']))
            .count(),
        8,
        "{table}"
    );

    let text = fs::read_to_string(out.join("eval.csv")).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        "player,version,width,height,mines,mine_ratio,first_click,games,wins,losses,timeouts,win_ratio,ci_low,ci_high,\
         guesses_per_game,seed"
    );
    let costs = fs::read_to_string(out.join("cost.csv")).unwrap();
    let header = "player,version,width,height,mines,first_click,cpu_seconds,wall_seconds,games_per_cpu_second,nodes_per_game";
    assert_eq!(
        (costs.lines().next().unwrap(), costs.lines().count()),
        (header, 9)
    );
    let rows = without_times(&out.join("eval.csv"));
    assert_eq!(rows.len(), 9);
    let version = |player: &str| player.parse::<PlayerSpec>().unwrap().version();
    let (three, four) = (version("3.0"), version("4.0"));
    assert_eq!(
        rows[1][..8],
        ["3.0", three.as_str(), "5", "5", "4", "0.16", "safe", "70"]
    );
    assert!(rows[8][..2] == ["4.0", four.as_str()] && costs.contains(&format!("\n4.0,{four},5,")));
    for row in &rows[1..] {
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        assert_eq!(number(8) + number(9), 70.0, "wins and losses are all games");
        assert!(number(12) <= number(11) && number(11) <= number(13));
    }
    let json = pipeline(&format!("{run} --json")).success().stdout();
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        ["player", "version"].map(|name| first[name].as_str().unwrap()),
        ["3.0", &three]
    );
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["settings"]["players"][1]["name"], "4.0");
    assert_ne!(manifest["settings"]["players"][1]["recipe"], "");
}

/// Returns whether the journal of `folder` has records yet.
#[cfg(unix)]
fn has_records(folder: &Path) -> bool {
    fs::metadata(folder.join("journal.jsonl")).is_ok_and(|file| file.len() > 0)
}

#[test]
fn a_resumed_series_prints_how_many_games_are_done() {
    let directory = tempdir();
    let run = |games: u32| {
        let out = directory.path().display();
        pipeline(&format!(
            "eval --players 4.0 --boards 5x5/4 --games {games} --out {out}"
        ))
        .success()
    };
    run(100);
    let more = run(1000);
    assert!(
        more.stderr().contains("after 100 of 1,000 games"),
        "{}",
        more.stderr()
    );
    let again = run(1000);
    assert!(
        again.stderr().contains("nothing is left to play"),
        "{}",
        again.stderr()
    );
    assert_eq!(again.stdout().lines().count(), 2);
}

#[test]
fn other_settings_in_the_same_folder_are_an_error() {
    let directory = tempdir();
    let out = directory.path().display();
    pipeline(&format!(
        "eval --players 4.0 --boards 4x4/2 --games 10 --out {out}"
    ))
    .success();
    let wrong = pipeline(&format!(
        "eval --players 4.0 --boards 4x4/2 --games 10 --seed 2 --out {out}"
    ))
    .code(2);
    let message = wrong.stderr();
    assert!(
        message.contains("seed is 1 there and 2 here") && message.contains("help:"),
        "{message}"
    );
    let other = pipeline(&format!(
        "compare 4.0 3.0 --boards 4x4/2 --games 10 --out {out}"
    ))
    .code(2)
    .stderr();
    assert!(other.contains("is a folder of `eval`"), "{other}");
    assert_eq!(wrong.stdout(), "");
}

#[test]
fn a_corrupt_journal_is_an_error_that_names_the_line_or_is_played_again() {
    let directory = tempdir();
    let run = format!(
        "eval --players 4.0,3.0 --boards 4x4/2 --games 300 --out {}",
        directory.path().display()
    );
    pipeline(&run).success();
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let (journal, table) = (read("journal.jsonl"), read("eval.csv"));
    let damage = || {
        fs::write(
            directory.path().join("journal.jsonl"),
            journal.replace("\"games\":300", "\"games\":299"),
        )
        .unwrap()
    };
    damage();
    let again = pipeline(&run).success().stderr();
    assert!(
        again.contains("journal.jsonl is damaged; it is made again"),
        "{again}"
    );
    assert_eq!(
        (read("journal.jsonl"), read("eval.csv")),
        (journal.clone(), table)
    );
    unfinish(directory.path());
    damage();
    let message = pipeline(&run).code(2).stderr();
    assert!(
        message.contains("journal.jsonl line") && message.contains("help: delete that line"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_series_ends_with_130_and_says_how_to_resume() {
    let directory = tempdir();
    for signal in ["-INT", "-TERM"] {
        let out = directory.path().join(signal);
        let line = format!(
            "eval --players 7.0 --boards 9x9/10 --games 10000000 --out {}",
            out.display()
        );
        let message = interrupt_when(&mut command(&line), signal, |_| {
            has_records(&out) && {
                let busy = pipeline(&line).code(2).stderr();
                assert!(busy.contains("another process is working"), "{busy}");
                true
            }
        });
        assert!(message.contains("the same command resumes"), "{message}");
        assert!(!out.join("eval.csv").exists());
    }
}

#[test]
fn a_game_out_of_nodes_counts_as_lost() {
    let run =
        pipeline("eval --players 1.0 --boards 9x9/10 --games 50 --node-limit 1 --json").success();
    let row: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(
        row["losses"].as_u64().unwrap() + row["wins"].as_u64().unwrap(),
        50
    );
    assert!(row["timeouts"].as_u64().unwrap() > 0);
    assert!(row["timeouts"].as_u64() <= row["losses"].as_u64());
    let run = pipeline("compare 1.0 7.0 --boards 9x9/10 --games 50 --node-limit 1 --json");
    assert!(run.stdout().contains("\"timeouts_a\":50,\"timeouts_b\":"));
    let run = pipeline("compare 1.0 7.0 --boards 9x9/10 --games 50 --json");
    assert!(!run.stdout().contains("timeouts"));
}

#[test]
fn compare_answers_with_its_exit_code() {
    let same = pipeline("compare 3.0 4.0 --boards 5x5/4 --games 50").code(1);
    assert!(
        same.stdout().contains("No difference is shown"),
        "{}",
        same.stdout()
    );
    let directory = tempdir();
    let run = format!(
        "compare 1.0 7.0 --boards 8x8/10 --games 400 --node-limit 20000 --json --out {}",
        directory.path().display()
    );
    let differs = pipeline(&run).success();
    let row: serde_json::Value = serde_json::from_str(&differs.stdout()).unwrap();
    assert_eq!(row["verdict"], "b_stronger");
    let count = |name: &str| row[name].as_u64().unwrap();
    assert_eq!(
        count("both_won") + count("only_a_won") + count("only_b_won") + count("neither_won"),
        400
    );
    assert!(directory.path().join("compare.csv").exists());
    assert_eq!(
        pipeline(&run).success().stdout(),
        differs.stdout(),
        "a finished comparison is told again"
    );
}

#[test]
fn the_confidence_of_a_comparison_is_a_setting_of_its_folder() {
    let directory = tempdir();
    let of = "compare 4.0 3.0 --boards 9x9/10 --games 300 --json";
    let row = |options: &str| -> serde_json::Value {
        serde_json::from_str(&Finished::of(&mut command(&format!("{of} {options}"))).stdout())
            .unwrap()
    };
    let usual = row("");
    let p = usual["p_value"].as_f64().unwrap();
    assert!((0.12..0.13).contains(&p), "{p}");
    assert_eq!(
        (&usual, &row("--confidence 88")["verdict"]),
        (&row("--confidence 95"), &"no_difference_shown".into())
    );
    let sure = row("--confidence 87");
    assert_eq!(sure["verdict"], "a_stronger");
    let end = |row: &serde_json::Value, name: &str| row[name].as_f64().unwrap();
    assert!(
        end(&sure, "ci_low") > end(&usual, "ci_low")
            && end(&sure, "ci_high") < end(&usual, "ci_high")
    );
    assert_eq!(
        ["p_value", "difference"].map(|name| &sure[name]),
        ["p_value", "difference"].map(|name| &usual[name])
    );

    let kept = |confidence: u32| {
        format!(
            "{of} --confidence {confidence} --out {}",
            directory.path().display()
        )
    };
    pipeline(&kept(87)).success();
    assert!(
        fs::read_to_string(directory.path().join("manifest.json"))
            .unwrap()
            .contains("\"confidence\": \"87\"")
    );
    let other = pipeline(&kept(99)).code(2).stderr();
    assert!(
        other.contains("confidence is \"87\" there and \"99\" here"),
        "{other}"
    );
    assert!(
        pipeline(&format!("{of} --confidence 0.95"))
            .code(2)
            .stderr()
            .contains("is not a confidence")
    );
}

#[test]
fn bench_signatures_depend_on_the_seed() {
    let signature = |seed: u32| {
        let run = format!("bench --players 7.0 --games 20 --json --seed {seed}");
        let rows = pipeline(&run).success().stdout();
        serde_json::from_str::<serde_json::Value>(rows.lines().next().unwrap()).unwrap()["signature"].to_string()
    };
    assert_ne!(signature(1), signature(2));
}

#[test]
fn a_grid_has_every_width_height_and_ratio() {
    let run =
        pipeline("eval --players 4.0 --widths 5..6 --mine-ratios 0.1..0.2:0.1 --games 2 --json")
            .success();
    assert_eq!(run.stdout().lines().count(), 2 * (3 + 4));
}

#[test]
fn without_arguments_it_says_what_to_type_first() {
    let first = pipeline("").success().stdout();
    let commands = first.matches("  pipeline ").count() + first.matches("| pipeline ").count();
    assert_eq!(commands, 6, "{first}");
}

#[test]
fn invalid_arguments_end_with_exit_code_2() {
    for wrong in [
        "nonsense",
        "models",
        "data",
        "eval --games 5.5",
        "eval --games 1,00",
        "eval --players no-such-player",
        "eval --players 3.0,3.0",
        "eval --players 3.0,dss+components+min-p",
        "eval --players dss+components+min-p,dss+dsscsp+min-p --engine paper",
        "compare 7.0 7.0",
        "eval --players 3.0 --boards 9x9",
        "eval --players 3.0 --boards 2x2/5",
        "eval --players 3.0 --games 0",
        "eval --players 3.0 --games 100000001",
        "eval --players 3.0 --widths 1..255 --mine-ratios 0..1:0.00001",
        "eval --players 3.0 --threads 0",
        "eval --players 3.0 --first-click maybe",
        "eval --players 3.0 --time-limit 5",
        "eval --players 3.0 --boards 9x9/10 --widths 5..6 --mine-ratios 0.1",
        "eval --players 3.0 --widths 5..6",
        "eval --players 3.0 --widths 5..6 --mine-ratios 0.1..0.2",
        "compare 3.0",
        "bench --players x",
        "completions csh-like",
        "-q -v players",
        "players --memory 5",
    ] {
        let run = pipeline(wrong).code(2);
        assert_eq!(run.stdout(), "", "{wrong}");
        assert!(!run.stderr().is_empty(), "{wrong}");
        let is_help = ["models", "data"].contains(&wrong);
        assert_eq!(run.stderr().contains("error:"), !is_help, "{wrong}");
    }
}

#[test]
fn bare_commands_write_to_a_folder_of_their_name() {
    let place = tempdir();
    let here = |line: &str| Finished::of(command(line).current_dir(place.path()));
    let mut commands = vec![("eval", "--seed 2", "seed")];
    if cfg!(feature = "train") {
        commands.push(("generate --rows 60", "--explore 0.5", "explore"));
        let tiny = "train-q --iterative --episodes 1 --games 1 --eval-games 0";
        commands.push((tiny, "--explore 0.5", "explore"));
    }
    for (line, other, differs) in commands {
        let folder = format!("runs/{}", line.split(' ').next().unwrap());
        let first = here(line).success();
        assert!(
            first
                .stderr()
                .starts_with(&format!("note: results go to {folder};")),
            "{}",
            first.stderr()
        );
        assert!(place.path().join(&folder).join("manifest.json").exists());
        here(line).success();
        let refused = here(&format!("{line} {other}")).code(2).stderr();
        assert!(refused.contains(differs), "{refused}");
    }
    let table = fs::read_to_string(place.path().join("runs/eval/eval.csv")).unwrap();
    let players: Vec<_> = table
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').next())
        .collect();
    assert_eq!((players[0], players[11], players.len()), ("1.0", "7.0", 12));
    // With a setting, the table is only printed.
    fs::remove_dir_all(place.path().join("runs")).unwrap();
    here("eval --games 2").success();
    assert!(!place.path().join("runs").exists());
}

#[test]
fn numbers_and_players_have_short_forms_on_the_command_line_and_in_a_pipeline() {
    let place = tempdir();
    let file = place.path().join("p.toml");
    let toml = "format = 1\n[stage.a]\ncommand = \"eval\"\nplayers = \"4.0..5.0\"\ngames = \"1e1\"\nboards = \"4x4/2\"\n";
    fs::write(&file, toml).unwrap();
    let out = place.path().join("out");
    pipeline(&format!(
        "run {} -q --out {}",
        file.display(),
        out.display()
    ))
    .success();
    let of_stage = fs::read_to_string(out.join("a/eval.csv")).unwrap();
    for (players, games) in [
        ("4.0..5.0", "1_0"),
        ("4.0,4.5..5.0", "1e1"),
        ("4.0,4.5,5.0", "10"),
    ] {
        let alone = place.path().join(format!("alone-{games}"));
        let line = format!(
            "eval --players {players} --games={games} --boards 4x4/2 -q --out {}",
            alone.display()
        );
        pipeline(&line).success();
        assert_eq!(
            fs::read_to_string(alone.join("eval.csv")).unwrap(),
            of_stage
        );
    }
    let all = pipeline("eval --players all --boards 2x2/1 --games 1,0,0")
        .code(2)
        .stderr();
    assert!(all.contains("'1,0,0' for '--games <N>'"), "{all}");
}

#[test]
fn a_long_table_is_cut_if_its_folder_has_all_rows_and_names_the_asked_ratio() {
    let place = tempdir();
    let grid = "eval --players 4.0 --widths 5..9 --mine-ratios 0.1..0.3:0.05 --games 1";
    let all = pipeline(grid).success().stdout().lines().count();
    let out = place.path().join("grid");
    let cut = pipeline(&format!("{grid} --out {}", out.display()))
        .success()
        .stdout();
    assert_eq!(cut.lines().count(), 41);
    assert!(
        cut.ends_with(&format!("... and {} more lines\n", all - 40)),
        "{cut}"
    );
    let table = fs::read_to_string(out.join("eval.csv")).unwrap();
    assert!(table.contains(",seed,asked_mine_ratio\n"), "{table}");
    // 2 of 15 cells are the nearest number to a ratio of 0.15.
    assert!(
        table.contains(",5,3,2,0.133333,") && table.contains(",1,0.15\n"),
        "{table}"
    );
}

#[test]
fn players_and_completions_are_listed() {
    let table = pipeline("players").success().stdout();
    assert!(table.lines().any(|line| line.starts_with("7.0")), "{table}");
    for line in pipeline("players --json").success().stdout().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["recipe"].is_string() && row["source"].is_string());
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            pipeline(&format!("completions {shell}"))
                .success()
                .stdout()
                .contains("compare")
        );
    }
    assert!(
        pipeline("--help")
            .success()
            .stdout()
            .contains("Exit codes:")
    );
    let help = pipeline("eval --help").success().stdout();
    // The help text is wrapped, and thus its lines are joined first.
    let engines = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        engines.contains("components (each counted")
            && engines.contains("the whole system at once"),
        "{engines}"
    );
}

#[test]
fn recipes_are_explained_in_text_output_only() {
    // Entries may span several lines, and thus all whitespace is removed.
    let joined = |text: &str| text.split_whitespace().collect::<String>();
    let table = joined(&pipeline("players --recipes").success().stdout());
    for (name, help) in mineflow::minesweeper::player::parts() {
        assert!(
            table.contains(&joined(&format!("{name} {help}"))),
            "{name} is missing in {table}"
        );
    }
    for version in mineflow::minesweeper::player::versions() {
        assert!(
            table.contains(&joined(&format!("{} {}", version.name, version.recipe))),
            "{}",
            version.name
        );
    }
    assert_eq!(
        pipeline("players --json")
            .success()
            .stdout()
            .lines()
            .count(),
        mineflow::minesweeper::player::versions().len()
    );
}

#[test]
fn identical_players_are_named() {
    let message = |arguments: &str| pipeline(arguments).code(2).stderr();
    assert!(message("compare 7.0 7.0").contains("player 7.0 is given twice"));
    let same = message("eval --players 1.0,3.0,dss+dsscsp+min-p --engine paper");
    assert!(
        same.contains("players 3.0-paper and dss+dsscsp+min-p are the same, dss+dsscsp+min-p"),
        "{same}"
    );
}

#[test]
fn a_table_names_the_engine_of_its_players() {
    let run =
        pipeline("eval --players 1.0,3.0 --boards 4x4/2 --games 5 --json --engine paper").success();
    let name =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["player"].to_string();
    assert_eq!(
        run.stdout().lines().map(name).collect::<Vec<_>>(),
        ["\"1.0\"", "\"3.0-paper\""]
    );
}

#[test]
fn a_count_of_one_is_printed_in_the_singular() {
    let run = pipeline("-v eval --players 4.0 --boards 4x4/2 --games 1 --threads 1").success();
    assert!(
        run.stderr()
            .contains("1 game of each player on one kind of board, 1 thread, seed 1"),
        "{}",
        run.stderr()
    );
}

/// Runs `pipeline solve` on a text with these arguments.
fn solve(arguments: &str, text: &str) -> Finished {
    let directory = tempdir();
    let file = directory.path().join("position");
    fs::write(&file, text).unwrap();
    pipeline(&format!("solve {} {arguments}", file.display()))
}

#[test]
fn solve_ends_with_1_if_a_position_has_no_answer_and_with_2_without_a_position() {
    let wide_open = format!("9x3x9\n{}\n1HHHHHHH1\n{}\n", "H".repeat(9), "H".repeat(9));
    let rows = format!("{}\n{}\n", "H".repeat(19), "H4".repeat(9) + "H").repeat(9);
    let lattice = format!("19x19x180\n{rows}{}\n", "H".repeat(19));
    for (arguments, position, why) in [
        ("", "2x1x1\n0H\n", "contradict"),
        ("", "2x1x1\n9H\n", "is not a cell"),
        ("", "0x1x1\n", "is empty"),
        ("", "\n", "no board"),
        ("--mines 9", "1H\n", "don't fit"),
        ("--node-limit 1", &wide_open, "--node-limit N allows more"),
        ("--memory 0KiB", &lattice, "--memory SIZE allows more"),
    ] {
        let run = solve(arguments, position).code(1);
        assert_eq!(run.stdout(), "");
        assert!(
            run.stderr().starts_with("error: ") && run.stderr().contains(why),
            "{}",
            run.stderr()
        );
    }
    let lines = solve(
        "--json",
        "{\"width\":2,\"height\":1,\"mines\":1,\"rows\":[\"0H\"]}\n?\n",
    )
    .code(1);
    assert_eq!(
        lines
            .stdout()
            .lines()
            .filter(|line| line.contains("\"error\""))
            .count(),
        2
    );
    solve("", "2x1x1\n1H\n").success();
    solve("--mines 1", "1H\n").success();

    for (arguments, position, why) in [
        ("", "1H\n", "rows alone don't say how many mines there are"),
        (
            "--mines 2",
            "2x1x1\n1H\n",
            "line 1 says 1 mines, but 2 are asked for",
        ),
        (
            "--nonsense",
            "2x1x1\n1H\n",
            "unexpected argument '--nonsense' found",
        ),
    ] {
        let message = solve(arguments, position).code(2).stderr();
        assert!(message.contains(why), "{message}");
    }
    assert!(
        solve("", "{\"id\":1}\n")
            .code(2)
            .stderr()
            .contains("JSON Lines are read with --json")
    );
    let missing = pipeline("solve no/such/file").code(2).stderr();
    assert!(
        missing.starts_with("error: can't open no/such/file"),
        "{missing}"
    );
}

#[test]
fn a_folder_with_a_foreign_table_is_left_unchanged() {
    let directory = tempdir();
    let table = directory.path().join("eval.csv");
    fs::write(&table, "mine").unwrap();
    let run = format!(
        "eval --players 4.0 --boards 4x4/2 --games 10 --out {}",
        directory.path().display()
    );
    let message = pipeline(&run).code(2).stderr();
    assert!(
        message.contains("has a file eval.csv and no manifest.json"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&table).unwrap(), "mine");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_grown_series_keeps_no_table_of_fewer_games_and_cannot_shrink() {
    let directory = tempdir();
    let out = directory.path();
    let run = |games: u32| {
        format!(
            "eval --players 7.0 --boards 9x9/10 --games {games} --out {}",
            out.display()
        )
    };
    pipeline(&run(100)).success();
    assert!(out.join("eval.csv").exists());
    let before = fs::metadata(out.join("journal.jsonl")).unwrap().len();
    let has_more = |_: u32| fs::metadata(out.join("journal.jsonl")).unwrap().len() > before;
    interrupt_when(&mut command(&run(10_000_000)), "-INT", has_more);
    assert!(
        !out.join("eval.csv").exists(),
        "100 games beside a manifest of 10,000,000"
    );
    let message = pipeline(&run(100)).code(2).stderr();
    assert!(
        message.contains("begun for 10000000 games") && message.contains("can grow and not shrink"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn a_quiet_series_is_interrupted_without_a_word() {
    let directory = tempdir();
    let arguments = format!(
        "eval -q --players 7.0 --boards 9x9/10 --games 10000000 --out {}",
        directory.path().display()
    );
    assert_eq!(
        interrupt_when(&mut command(&arguments), "-INT", |_| has_records(
            directory.path()
        )),
        ""
    );
}

#[cfg(unix)]
#[test]
fn a_benchmark_prints_each_row_when_it_is_known() {
    use std::io::{BufRead, BufReader};
    let mut command = command("bench --players 7.0,3.0,1.0");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let (header, first) = (lines.next().unwrap(), lines.next().unwrap());
    // The run is still going: the rows of players 3.0 and 1.0 have not been printed yet.
    assert_eq!(child.try_wait().unwrap(), None);
    let signal = ["-INT".to_owned(), child.id().to_string()];
    std::process::Command::new("kill")
        .args(signal)
        .status()
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(
        said.ends_with("interrupted: the rows above are complete\n"),
        "{said}"
    );
    assert!(first.starts_with("7.0     9x9/10"), "{first}");
    assert_eq!(
        first.find("20,000").map(|at| at + 6),
        header.find("games").map(|at| at + 5),
        "{header}\n{first}"
    );
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let coloured = |arguments: &str, variables: &[(&str, &str)]| {
        let run = Finished::of(command(arguments).envs(variables.iter().copied())).success();
        run.stdout().contains('\u{1b}')
    };
    assert!(!coloured("players", &[]), "stdout is not a terminal");
    assert!(coloured("players", &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        "players",
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    assert!(coloured("players --color always", &[("NO_COLOR", "1")]));
    assert!(!coloured(
        "players --color never",
        &[("CLICOLOR_FORCE", "1")]
    ));
}

#[test]
fn progress_is_on_stderr_and_can_be_turned_off() {
    let slow = "eval --players 7.0 --boards 9x9/10 --games 80000 --threads 1";
    let shown = pipeline(&format!("{slow} --progress plain")).success();
    assert!(
        shown.stderr().contains("of 80,000 games") && shown.stderr().contains("% won"),
        "{}",
        shown.stderr()
    );
    // The first progress line appears before the first game has ended.
    let shown =
        pipeline("samegame eval --count 1 --budgets playouts=200000 --progress plain").success();
    assert!(
        shown.stderr().starts_with("0 of 1 games\n"),
        "{}",
        shown.stderr()
    );
    for off in ["--progress none", "--quiet"] {
        let run = pipeline(&format!(
            "eval --players 4.0 --boards 5x5/4 --games 100 {off}"
        ))
        .success();
        assert_eq!(run.stderr(), "");
    }
}

#[test]
fn a_closed_output_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(PIPELINE);
    let output = command
        .arg("players")
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn a_player_without_limits_on_a_large_board_warns_first() {
    let said = |rest: &str| {
        pipeline(&format!("eval --games 1 --progress none {rest}"))
            .success()
            .stderr()
    };
    let warned = said("--players 1.0,3.0 --boards 13x12/2,9x9/10");
    assert!(
        warned.starts_with(
            "warning: 1.0 walks every solution of a position, which on 13x12/2 can take hours"
        ),
        "{warned}"
    );
    for quiet in [
        "--players 1.0 --boards 9x9/10",
        "--players 3.0,3.5 --boards 13x12/2",
        "--players 1.0 --boards 13x12/2 --node-limit 100",
    ] {
        assert_eq!(said(quiet), "", "{quiet}");
    }
}
