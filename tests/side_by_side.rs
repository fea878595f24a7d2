//! Stages that run together, and what a plan says of them: the same bytes on any number of threads, and after any interruption.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{command, pipeline, tempdir};
use crate::trust::left;

/// Three stages that need nothing, one that trains, one that needs two of them.
const STAGES: &str = "format = 1
[stage.rows]
command = \"generate\"
rows = 30_000
games-per-shard = 64
[stage.long]
command = \"eval\"
players = [\"4.0\", \"7.0\"]
games = 6_000
[stage.no]
command = \"compare\"
a = \"4.0\"
b = \"3.5\"
games = 20
[stage.trees]
command = \"train-trees\"
data = \"rows\"
rounds = 4
eval-games = 50
[stage.last]
command = \"eval\"
players = \"5.0\"
model = { \"5.0\" = \"trees\" }
games = 300
";

fn file(dir: &Path) -> PathBuf {
    let file = dir.join("p.toml");
    fs::write(&file, STAGES).unwrap();
    file
}

fn run(file: &Path, out: &Path, options: &str) -> String {
    // Manifests hold the paths of models: all runs are in a folder of the same name.
    fs::create_dir_all(out).unwrap();
    let mut command = command(&format!("run {} --out run {options}", file.display()));
    let ended = command.current_dir(out).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap() + &String::from_utf8(ended.stderr).unwrap()
}

#[cfg(feature = "train")]
#[test]
fn stages_that_run_together_leave_the_bytes_of_one_after_the_other_and_speak_in_order() {
    let dir = tempdir();
    let file = file(dir.path());
    let (one, many) = (dir.path().join("one"), dir.path().join("many"));
    let spoken = |said: String| -> Vec<String> {
        said.lines().filter(|line| line.ends_with("(never ran)")).map(str::to_owned).collect()
    };
    let alone = spoken(run(&file, &one, "--threads 1 -q"));
    assert_eq!(alone.len(), 5, "{alone:?}");
    assert_eq!(spoken(run(&file, &many, "--threads 5 -q")), alone);
    assert!(left(&one) == left(&many));
    // Each knows its CPU time, also of those that ran beside others, and together they took no more and no less.
    let cpu_seconds = |out: &Path| -> f64 {
        let of = |stage| {
            let cost = fs::read_to_string(out.join("run").join(stage).join("cost.json")).unwrap();
            let cost: serde_json::Value = serde_json::from_str(&cost).unwrap();
            let seconds = cost["cpu_seconds"].as_f64().unwrap();
            assert!(seconds > 0.0, "{stage}: {cost}");
            seconds
        };
        ["rows", "long", "no", "trees", "last"].map(of).iter().sum()
    };
    let (one_after_the_other, together) = (cpu_seconds(&one), cpu_seconds(&many));
    assert!((0.5..2.0).contains(&(together / one_after_the_other)), "{together} and {one_after_the_other}");
    let again = run(&file, &many, "--threads 3");
    assert!(again.contains("0 stages ran, 5 up to date"), "{again}");
    let forced = run(&file, &many, "no --force --threads 2");
    assert!(forced.contains("note: stage 1 of 1, no: forced") && forced.contains("stage 1 of 1, no, took"), "{forced}");
}

#[cfg(all(unix, feature = "train"))]
#[test]
fn an_interruption_ends_all_stages_and_the_same_command_resumes() {
    let dir = tempdir();
    let file = file(dir.path());
    let (one, killed) = (dir.path().join("one"), dir.path().join("killed"));
    run(&file, &one, "--threads 1 -q");
    fs::create_dir_all(&killed).unwrap();
    let mut interrupted = 0;
    for wait in [60, 150, 300, 600] {
        let mut command = command(&format!("run {} --out run --threads 4 --progress none", file.display()));
        let child = command.current_dir(&killed).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let ended = child.wait_with_output().unwrap();
        assert!(
            matches!(ended.status.code(), Some(0 | 130)) || ended.status.code().is_none(),
            "{:?}: {}",
            ended.status,
            String::from_utf8_lossy(&ended.stderr)
        );
        interrupted += usize::from(ended.status.code() == Some(130));
    }
    assert!(interrupted > 0, "it ended before it was interrupted");
    run(&file, &killed, "--threads 4 -q");
    assert!(left(&one) == left(&killed));
}

#[test]
fn a_stage_that_fails_ends_the_others_and_what_they_did_is_kept() {
    let dir = tempdir();
    let file = dir.path().join("p.toml");
    let text = "format = 1\n[stage.long]\ncommand = \"eval\"\nplayers = [\"7.0\"]\ngames = 2_000_000\n\
                [stage.wrong]\ncommand = \"calibrate\"\nplayers = \"agent\"\ngames = 5\n";
    fs::write(&file, text).unwrap();
    let out = dir.path().join("run");
    let said = pipeline(&format!("run {} --threads 2 --out {}", file.display(), out.display())).code(2).stderr();
    assert!(said.contains("doesn't weigh every cell"), "{said}");
    let kept = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(kept.into_iter().any(|name| name.starts_with("long.unfinished-")));
}

#[test]
fn what_was_measured_is_told_at_once_until_a_setting_changes() {
    let dir = tempdir();
    let file = dir.path().join("p.toml");
    let text = "format = 1\n[stage.play]\ncommand = \"eval\"\nplayers = \"4.0\"\ngames = 3_000_000\n\
                [stage.no]\ncommand = \"compare\"\na = \"4.0\"\nb = \"3.5\"\ngames = 20\n";
    fs::write(&file, text).unwrap();
    let out = dir.path().join("run");
    let plan = |options: &str| {
        pipeline(&format!("plan {} --out {} --threads 2 {options}", file.display(), out.display())).success()
    };
    assert!(plan("").stdout().contains("the cost of 2 stages is not known; --measure finds out"));
    let measured = plan("--measure");
    assert!(measured.stderr().contains("note: trying play\nnote: trying no\n"), "{}", measured.stderr());
    assert!(measured.stdout().contains("of CPU time") && measured.stdout().contains("with 2 threads"));
    assert!(!out.join("cost.measure").exists() && !out.join("play").exists());
    let again = plan("--measure");
    assert_eq!((again.stderr().as_str(), again.stdout()), ("", measured.stdout()));
    let rows = |text: String| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let known = rows(plan("--json").stdout());
    // Three million games take many times what a second of them does.
    assert!(known[0]["cpu_seconds"].as_f64().unwrap() > 3.0, "{known:?}");
    assert!(known[0]["memory_bytes"].as_u64().unwrap() > 1 << 20 && known[0]["took"].is_null(), "{known:?}");
    let changed = rows(plan("--json --set play.games=10").stdout());
    assert!(changed[0]["cpu_seconds"].is_null() && !changed[1]["cpu_seconds"].is_null(), "{changed:?}");
    pipeline(&format!("run {} no --threads 1 --out {}", file.display(), out.display())).success();
    let ran = rows(plan("--json").stdout());
    assert!(ran[1]["took"]["cpu_seconds"].as_f64().unwrap() > 0.0, "{ran:?}");
    // An answer that is no is an answer: a scheduler goes on.
    pipeline(&format!("run {} no --join 1 --set no.games=21 --out {}", file.display(), out.display())).success();
}
