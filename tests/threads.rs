//! Tests of `--threads N`: the number of threads used, and the error if they can't be started.

use std::fs;
use std::process::{Command, Stdio};

use crate::program::{Finished, PIPELINE, command, pipeline, tempdir};

const GENERATE: &str = "generate --widths 5..9 --games-per-shard 100 --rows 3000";

/// Runs `command` and returns its maximum number of simultaneous threads.
fn most_threads(command: &mut Command) -> usize {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let tasks = format!("/proc/{}/task", child.id());
    let mut most = 0;
    while child.try_wait().expect("its state is known").is_none() {
        most = most.max(fs::read_dir(&tasks).map_or(0, Iterator::count));
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    assert!(child.wait().expect("it has ended").success(), "{command:?}");
    most
}

#[test]
fn no_pool_has_more_threads_than_requested() {
    for threads in [1, 3] {
        let folder = tempdir();
        let place = |name: &str| folder.join(name).to_string();
        let rows = place("rows");
        for line in [
            format!("{GENERATE} --out {rows}"),
            format!("data show {rows}/rows/00000.parquet"),
            format!("data verify {rows}"),
            format!(
                "train-trees --data {rows} --rounds 20 --eval-games 0 --out {}",
                place("trees")
            ),
            format!(
                "train-classifier --data {rows} --epochs 1 --eval-games 0 --out {}",
                place("network")
            ),
            format!(
                "eval --players 3.0 --boards 9x9/10 --games 400 --out {}",
                place("games")
            ),
            "optimum 4x4/4".to_owned(),
        ] {
            let mut command = command(format!("{line} --threads {threads}"));
            // These variables make the libraries start 40 threads by default, on any machine.
            command
                .env("RAYON_NUM_THREADS", "40")
                .env("POLARS_MAX_THREADS", "40");
            let most = most_threads(&mut command);
            // The threads are the pools of rayon, of polars and of the command itself, and threads
            // that wait for signals, progress or files.
            assert!(
                (1..=3 * threads + 5).contains(&most),
                "{most} threads: {command:?}"
            );
        }
    }
}

/// Limits the address space so that it has no room for another thread: the stack of each thread
/// takes 256 MiB here.
#[test]
fn threads_that_can_not_be_started_are_an_error_with_a_remedy() {
    let folder = tempdir();
    let rows = folder.join("rows").to_string();
    pipeline(format!("{GENERATE} --out {rows}")).success();
    for (name, line) in [
        ("generate", format!("{GENERATE} --out OUT")),
        ("verify", format!("data verify {rows}")),
        (
            "eval",
            "eval --players 3.0 --boards 9x9/10 --games 50 --out OUT".to_owned(),
        ),
        (
            "trees",
            format!("train-trees --data {rows} --rounds 2 --eval-games 0 --out OUT"),
        ),
        (
            "network",
            format!("train-classifier --data {rows} --epochs 1 --eval-games 0 --out OUT"),
        ),
    ] {
        let mut refused = 0;
        for limit in (1..=24).map(|step| step * 200 * 1024) {
            let out = folder.join(format!("{name}-{limit}")).to_string();
            let script = format!(
                "ulimit -v {limit}; exec {PIPELINE} {} --threads 3",
                line.replace("OUT", &out)
            );
            let run = Finished::of(
                Command::new("sh")
                    .args(["-c", &script])
                    .env("RUST_MIN_STACK", "268435456"),
            );
            let said = run.stderr();
            assert!(
                !said.contains("internal error") && !said.contains("panicked"),
                "{script}\n{said}"
            );
            if said.contains("error:") {
                assert!(
                    said.contains("--threads") || said.contains("not enough memory"),
                    "{script}\n{said}"
                );
                refused += usize::from(said.contains("--threads"));
                run.code(2);
            } else {
                run.success();
            }
        }
        assert!(
            (1..24).contains(&refused),
            "{name}: {refused} of 24 runs lacked threads"
        );
    }
}
