//! Tests of the program as users and scripts run it: output, folders, exit codes.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Stdio;

use mineflow::minesweeper::player::PlayerSpec;

#[cfg(unix)]
use crate::program::interrupt_when;
use crate::program::{
    Finished, PIPELINE, assert_has, command, fails, json_of, pipeline, prints, read_bytes,
    read_text, tempdir, write_file,
};

#[test]
fn eval_names_the_version_of_each_player_and_writes_its_costs() {
    let directory = tempdir();
    let out = directory.join("new/folder");
    let run = format!("eval --players 3.0,4.0 --boards 5x5/4,4x4/2 --games 70 --json --out {out}");
    let json = prints(&run);
    let first = json_of(json.lines().next().unwrap());
    let version = "3.0".parse::<PlayerSpec>().unwrap().version();
    assert_eq!(
        ["player", "version"].map(|name| first[name].as_str().unwrap()),
        ["3.0", &version]
    );
    let costs = read_text(out.join("cost.csv"));
    let header = "player,version,width,height,mines,first_click,cpu_seconds,wall_seconds,games_per_cpu_second,nodes_per_game";
    assert_eq!(
        (costs.lines().next().unwrap(), costs.lines().count()),
        (header, 5)
    );
    let manifest = json_of(read_bytes(out.join("manifest.json")));
    assert_eq!(manifest["settings"]["players"][1]["name"], "4.0");
    assert_ne!(manifest["settings"]["players"][1]["recipe"], "");
}

/// Returns whether the journal of `folder` has records yet.
#[cfg(unix)]
fn has_records(folder: &Path) -> bool {
    fs::metadata(folder.join("journal.jsonl")).is_ok_and(|file| file.len() > 0)
}

#[cfg(unix)]
#[test]
fn an_interrupted_series_ends_with_130_and_says_how_to_resume() {
    let directory = tempdir();
    for signal in ["-INT", "-TERM"] {
        let out = directory.join(signal);
        let line = format!("eval --players 7.0 --boards 9x9/10 --games 10000000 --out {out}");
        let message = interrupt_when(&mut command(&line), signal, |_| {
            has_records(&out) && {
                assert_has(fails(&line), "another process is working");
                true
            }
        });
        assert_has(&message, "the same command resumes");
        assert!(!out.join("eval.csv").exists());
    }
}

#[test]
fn a_game_out_of_nodes_counts_as_lost() {
    let run =
        pipeline("eval --players 1.0 --boards 9x9/10 --games 50 --node-limit 1 --json").success();
    let row = json_of(run.stdout());
    assert_eq!(
        row["losses"].as_u64().unwrap() + row["wins"].as_u64().unwrap(),
        50
    );
    assert!(row["timeouts"].as_u64().unwrap() > 0);
    assert!(row["timeouts"].as_u64() <= row["losses"].as_u64());
    let run = pipeline("compare 1.0 7.0 --boards 9x9/10 --games 50 --node-limit 1 --json");
    assert_has(run.stdout(), "\"timeouts_a\":50,\"timeouts_b\":");
    let run = pipeline("compare 1.0 7.0 --boards 9x9/10 --games 50 --json");
    assert!(!run.stdout().contains("timeouts"));
}

#[test]
fn compare_answers_with_its_exit_code() {
    let same = pipeline("compare 3.0 4.0 --boards 5x5/4 --games 50").code(1);
    assert_has(same.stdout(), "No difference is shown");
    let directory = tempdir();
    let run = format!(
        "compare 1.0 7.0 --boards 8x8/10 --games 400 --node-limit 20000 --json --out {directory}"
    );
    let differs = pipeline(&run).success();
    let row = json_of(differs.stdout());
    assert_eq!(row["verdict"], "b_stronger");
    let count = |name: &str| row[name].as_u64().unwrap();
    assert_eq!(
        count("both_won") + count("only_a_won") + count("only_b_won") + count("neither_won"),
        400
    );
    assert!(directory.join("compare.csv").exists());
    assert_eq!(
        prints(&run),
        differs.stdout(),
        "a finished comparison is told again"
    );
}

#[test]
fn the_confidence_of_a_comparison_is_a_setting_of_its_folder() {
    let directory = tempdir();
    let of = "compare 4.0 3.0 --boards 9x9/10 --games 300 --json";
    let row = |options: &str| -> serde_json::Value {
        serde_json::from_str(&pipeline(format!("{of} {options}")).stdout()).unwrap()
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

    let kept = |confidence: u32| format!("{of} --confidence {confidence} --out {directory}");
    pipeline(kept(87)).success();
    assert!(read_text(directory.join("manifest.json")).contains("\"confidence\": \"87\""));
    assert_has(
        fails(kept(99)),
        "confidence is \"87\" there and \"99\" here",
    );
    assert_has(
        fails(format!("{of} --confidence 0.95")),
        "is not a confidence",
    );
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
    let here = |line: &str| Finished::of(command(line).current_dir(&place));
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
        assert!(place.join(&folder).join("manifest.json").exists());
        here(line).success();
        let refused = here(&format!("{line} {other}")).code(2).stderr();
        assert_has(&refused, differs);
    }
    let table = read_text(place.join("runs/eval/eval.csv"));
    let players: Vec<_> = table
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').next())
        .collect();
    assert_eq!((players[0], players[11], players.len()), ("1.0", "7.0", 12));
    // With a setting, the table is only printed.
    fs::remove_dir_all(place.join("runs")).unwrap();
    here("eval --games 2").success();
    assert!(!place.join("runs").exists());
}

#[test]
fn a_long_table_is_cut_if_its_folder_has_all_rows_and_names_the_asked_ratio() {
    let place = tempdir();
    let grid = "eval --players 4.0 --widths 5..9 --mine-ratios 0.1..0.3:0.05 --games 1";
    let all = prints(grid).lines().count();
    let out = place.join("grid");
    let cut = prints(format!("{grid} --out {out}"));
    assert_eq!(cut.lines().count(), 41);
    assert!(
        cut.ends_with(&format!("... and {} more lines\n", all - 40)),
        "{cut}"
    );
    let table = read_text(out.join("eval.csv"));
    assert_has(&table, ",seed,asked_mine_ratio\n");
    // 2 of 15 cells are the nearest number to a ratio of 0.15.
    assert_has(&table, ",5,3,2,0.133333,");
    assert_has(&table, ",1,0.15\n");
}

/// Runs `pipeline solve` on a text with these arguments.
fn solve(arguments: &str, text: &str) -> Finished {
    let directory = tempdir();
    let file = directory.join("position");
    write_file(&file, text);
    pipeline(format!("solve {file} {arguments}"))
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
        ("", "{\"id\":1}\n", "--json"),
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
        assert_has(&message, why);
    }
    pipeline("solve no/such/file").code(2);
}

#[test]
fn a_folder_with_a_foreign_table_is_left_unchanged() {
    let directory = tempdir();
    let table = directory.join("eval.csv");
    write_file(&table, "mine");
    let run = format!("eval --players 4.0 --boards 4x4/2 --games 10 --out {directory}");
    assert_has(fails(&run), "has a file eval.csv and no manifest.json");
    assert_eq!(read_text(&table), "mine");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_grown_series_keeps_no_table_of_fewer_games_and_cannot_shrink() {
    let directory = tempdir();
    let out = &directory;
    let run =
        |games: u32| format!("eval --players 7.0 --boards 9x9/10 --games {games} --out {out}");
    pipeline(run(100)).success();
    assert!(out.join("eval.csv").exists());
    let before = fs::metadata(out.join("journal.jsonl")).unwrap().len();
    let has_more = |_: u32| fs::metadata(out.join("journal.jsonl")).unwrap().len() > before;
    interrupt_when(&mut command(run(10_000_000)), "-INT", has_more);
    assert!(
        !out.join("eval.csv").exists(),
        "100 games beside a manifest of 10,000,000"
    );
    let message = fails(run(100));
    assert_has(&message, "begun for 10000000 games");
    assert_has(&message, "can grow and not shrink");
}

#[cfg(unix)]
#[test]
fn a_benchmark_prints_each_row_when_it_is_known() {
    use std::io::{BufRead, BufReader};
    let mut command = command("bench --players 7.0,3.0,1.0");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let first = lines.nth(1).unwrap();
    // The run is still going: the rows of players 3.0 and 1.0 have not been printed yet.
    assert_eq!(child.try_wait().unwrap(), None);
    let signal = ["-INT".to_owned(), child.id().to_string()];
    std::process::Command::new("kill")
        .args(signal)
        .status()
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert!(first.starts_with("7.0     9x9/10"), "{first}");
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
    let shown = pipeline(format!("{slow} --progress plain")).success();
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
        let run = pipeline(format!(
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
        pipeline(format!("eval --games 1 --progress none {rest}"))
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
