//! Tests that printed output fits into 100 columns.

use crate::program::{Finished, command, tempdir};

/// A recipe that is longer than a line.
const LONG: &str = "corner-first+dss+posterior+endgame:layouts=5000:nodes=20000+even-first+two-step:influence=0.8:living=yes";

#[test]
fn no_line_of_a_table_is_longer_than_a_hundred_characters() {
    let folder = tempdir();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (rows, games) = (place("rows"), place("games"));
    let eval = format!("eval --players 3.0,{LONG} --boards 9x9/10,30x16/99 --games 60");
    for line in [
        format!("generate --player {LONG} --widths 5..9 --rows 3000 --games-per-shard 300 --out {rows}"),
        format!("data show {rows}"),
        format!("data show {rows}/rows/00000.parquet"),
        format!("data show {rows}/decisions/00000.parquet"),
        format!("data split {rows}"),
        format!("data verify {rows}"),
        format!("train-trees --data {rows} --rounds 3 --eval-games 60 --out {}", place("trees")),
        format!("train-classifier --data {rows} --epochs 1 --eval-games 60 --out {}", place("classifier")),
        format!("models show {}/artifact.json", place("trees")),
        "models show 11.0".to_owned(),
        "models show 5.5".to_owned(),
        "models list".to_owned(),
        "models verify".to_owned(),
        "players".to_owned(),
        "players --recipes".to_owned(),
        format!("{eval} --keep-games 2 --out {games}"),
        format!("{eval} --luck-corrected"),
        format!("replay {games}/games.jsonl"),
        format!("replay {games}/games.jsonl --game 0"),
        format!("compare 3.0 {LONG} --boards 9x9/10,30x16/99 --games 60"),
        format!("calibrate --players 2.5,{LONG} --boards 9x9/10,30x16/99 --games 60"),
        format!("fit-alpha --widths 4..6 --alphas 4 --games 5 --mine-ratios 0.1..0.2:0.1 --out {}", place("alpha")),
        format!("bench --games 1 --players 3.0,{LONG}"),
        format!("optimum 3x3/2 2x4/2 --first-click safe,opening --all --players 3.0,{LONG}"),
        "boards --no-guess 9x9/10 --first 4,4 --count 1".to_owned(),
        "run pipelines/sp-mcts.toml --dry-run".to_owned(),
        "run pipelines/smoke.toml --dry-run".to_owned(),
        "samegame eval --count 2 --size 8x8 --algorithms sp-mcts,nrpa:iterations=20 --budgets nodes=100".to_owned(),
        format!(
            "samegame tune --samples 4 --elite 2 --iterations 1 --boards 1 --size 6x6 --budget playouts=50 --out {}",
            place("tune")
        ),
        "ggp check pipelines/ggp/tic-tac-toe.kif".to_owned(),
        "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,mac-ucb --matches 2 --budget 20it".to_owned(),
    ] {
        let run = Finished::of(&mut command(&line));
        let printed = run.stdout();
        // A single long word, such as the algorithm that tuning found, is not broken, so that it can be copied.
        let is_wide = |line: &&str| line.chars().count() > 100 && line.contains(' ');
        let wide: Vec<_> = printed.lines().filter(is_wide).collect();
        assert!(wide.is_empty(), "{line}\n{}", wide.join("\n"));
        assert!(!printed.is_empty(), "{line}\n{}", run.stderr());
    }
}
