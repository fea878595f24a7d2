//! Roll-outs and what is learnt from them: against all layouts, and from end to end.

use std::collections::HashMap;

use mineflow::learn::data::{Split, read_table};
use mineflow::minesweeper::ahead::{Arm, Guesser, LayoutPlayout, RollOuts, safest};
use mineflow::minesweeper::features::guess_v1;
use mineflow::minesweeper::solver::{Analysis, Budget, Layouts, Weighting};
use mineflow::minesweeper::{Cell, CellSet, Grid};
use mineflow::rng::Seed;

use crate::look_ahead::{LIMITS, best_policy, guesses, parts, shown};
use crate::models::fixture;
use crate::program::{pipeline, tempdir};

fn set(mines: u32) -> CellSet {
    let mut set = CellSet::new(32);
    set.extend((0..32).filter(|cell| mines >> cell & 1 == 1).map(Cell));
    set
}

#[test]
fn lines_that_end_in_perfect_play_are_worth_what_the_best_policy_wins() {
    let mut seen = 0;
    guesses("4x4/5", 3000, |seed, view, analysis, layouts| {
        if view.covered_count() > 11 || layouts.len() < 3 {
            return;
        }
        let open: u32 = view.opened().iter().map(|cell| 1 << cell.0).sum();
        let cell = safest(analysis);
        let won: usize = parts(view.grid(), cell, layouts)
            .iter()
            .map(|part| {
                let all = (1u32 << view.grid().off_board()) - 1;
                let open = open | 1 << cell.0;
                let (over, left): (Vec<u32>, _) = part.iter().partition(|&mines| mines | open == all);
                over.len() + best_policy(view.grid(), open, &left, &mut HashMap::new())
            })
            .sum();
        let mut roll_out = LayoutPlayout::default();
        let policy = (Guesser::LeastMine, LIMITS);
        let safe = layouts.iter().filter(|&&mines| mines >> cell.0 & 1 == 0);
        let value =
            |&mines: &u32| roll_out.value(analysis, cell, &set(mines), policy, &mut Seed::new(1).rng()).unwrap();
        let sum: f64 = safe.map(value).sum();
        assert!((sum - won as f64).abs() < 1e-9, "seed {seed}: {sum}, not {won}");
        seen += 1;
    });
    assert!(seen > 100, "{seen}");
}

/// Whether opening `cell`, then always what is certain, else the safest, wins on a layout.
fn wins(analysis: &Analysis, grid: &Grid, cell: Cell, mines: u32) -> bool {
    let number = |cell: Cell| shown(grid, cell, mines).expect("it is safe") as u8;
    let mut at = analysis.clone();
    at.suppose(cell, number(cell)).unwrap();
    loop {
        at.open_certain(number).unwrap();
        if at.unknown() == 0 {
            return true;
        }
        at.probabilities(Weighting::Posterior, &mut Budget::unlimited()).unwrap();
        if at.safe().is_empty() && at.unknown() > 0 {
            let guess = safest(&at);
            if mines >> guess.0 & 1 == 1 {
                return false;
            }
            at.suppose(guess, number(guess)).unwrap();
        }
    }
}

#[test]
fn roll_outs_have_the_mean_of_playing_on() {
    // Perfect play is left out: an end of one layout is certain anyway.
    let rule = RollOuts { layouts: 200, endgame: 1, ..RollOuts::default() };
    let (mut differences, mut squares, mut seen) = (0.0, 0.0, 0.0);
    guesses("5x4/5", 1000, |seed, view, analysis, layouts| {
        if layouts.len() < 30 {
            return;
        }
        let cell = safest(analysis);
        let won = layouts.iter().filter(|&&mines| mines >> cell.0 & 1 == 0 && wins(analysis, view.grid(), cell, mines));
        let exact = won.count() as f64 / layouts.len() as f64;
        let mut drawn = Layouts::default();
        analysis.layouts(&mut drawn, &mut Budget::unlimited()).unwrap();
        analysis.probabilities(Weighting::Posterior, &mut Budget::unlimited()).unwrap();
        let mut arms = [Arm::new(cell, 1.0 - analysis.counted().mine[cell.index()])];
        rule.try_all((analysis, &drawn), &mut arms, 200, &mut LayoutPlayout::default(), &mut Seed::new(seed).rng());
        let difference = arms[0].value() - exact;
        assert!(difference.abs() < 0.2, "seed {seed}: {} for {exact}", arms[0].value());
        differences += difference;
        squares += difference * difference;
        seen += 1.0;
    });
    assert!(seen > 40.0, "{seen}");
    let (mean, error) = (differences / seen, (squares / seen / seen).sqrt());
    assert!(mean.abs() < 4.0 * error, "{mean} +- {error}");
}

#[test]
fn guesses_become_rows_a_ranker_and_a_player() {
    let folder = tempdir();
    let path = |name: &str| folder.path().join(name);
    let generate = |name: &str, threads: u32| {
        let of = "generate --kind guesses --player 8.0-fast --boards 16x16/40 --rows 1500 --least-layouts 50";
        let teacher = "--teacher roll-outs:layouts=4:unknown=0.9 --games-per-shard 200 --seed 3";
        let out = path(name);
        pipeline(&format!("{of} {teacher} --threads {threads} --out {}", out.display())).success();
    };
    generate("one", 1);
    generate("two", 2);
    for file in ["manifest.json", "rows-00000.parquet", "decisions-00000.parquet"] {
        assert!(
            std::fs::read(path("one").join(file)).unwrap() == std::fs::read(path("two").join(file)).unwrap(),
            "{file}"
        );
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    let limits = mineflow::learn::data::ReadLimits { stop: &stop, memory: 1 << 30 };
    let table = read_table(&[path("one")], &guess_v1::SET, Split::All, limits).unwrap();
    assert_eq!(table.rows(), 1500);
    let is_first = |row: usize| table.row(row)[guess_v1::RANK] == 0.0;
    let mut guess = Vec::new();
    for row in 0..table.rows() {
        if is_first(row) && !guess.is_empty() {
            let gains: Vec<f32> = std::mem::take(&mut guess);
            assert!((2..=guess_v1::CANDIDATES).contains(&gains.len()), "{gains:?}");
            assert!(gains.iter().sum::<f32>().abs() < 1e-5, "{gains:?}");
        }
        guess.push(table.target[row]);
    }
    let train = |data: &str, out: &str| {
        let data = data.split(',').map(|name| path(name).display().to_string()).collect::<Vec<_>>().join(",");
        format!("train-ranker --data {data} --rounds 20 --leaf-weight 20 --out {}", path(out).display())
    };
    pipeline(&train("one", "ranker")).success();
    pipeline(&train("one,two", "ranker-2")).success();
    let listwise = format!("{} --loss listwise --temperature 0.05", train("one", "ranker-3"));
    assert!(pipeline(&format!("{listwise} --json")).success().stdout().contains("test_loss"));
    assert!(pipeline(&listwise.replace("0.05", "0")).code(2).stderr().contains("above 0"));
    let artifact = path("ranker").join("artifact.json");
    let recipe = |model: &std::path::Path| format!("dss+posterior+ranker:model={}:unknown=0.9", model.display());
    let play = |threads: u32| {
        let player = recipe(&artifact);
        pipeline(&format!("eval --players {player} --boards 16x16/40 --games 60 --seed 5 --threads {threads} --json"))
            .success()
            .stdout()
    };
    assert_eq!(play(1), play(2));
    let network = |out: &str, threads: u32| {
        let of = format!("train-ranker-network --data {} --epochs 2", path("one").display());
        let trained = pipeline(&format!("{of} --threads {threads} --out {}", path(out).display())).success();
        assert!(trained.stderr().contains("points a guess over two-step safety"), "{}", trained.stderr());
        std::fs::read(path(out).join("artifact.safetensors")).unwrap()
    };
    assert!(network("network", 1) == network("network-2", 2));
    let player = recipe(&path("network").join("artifact.safetensors"));
    pipeline(&format!("eval --players {player} --boards 16x16/40 --games 20 --seed 5")).success();
    let wrong = recipe(fixture("xgboost-logistic.json").as_ref());
    assert!(pipeline(&format!("eval --players {wrong} --games 1")).code(2).stderr().contains("guess-v1"));
    let bad = "generate --kind guesses --rows 10 --teacher uct";
    assert!(pipeline(bad).code(2).stderr().contains("roll-outs"));
}
