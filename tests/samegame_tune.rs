//! `pipeline samegame tune`: resumable, and the same bytes whatever happens on the way.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use mineflow::arena::Ending;
use mineflow::search::cross_entropy::Parameter;
use mineflow::stage::samegame::tune::{Tune, Tuned};

use crate::program::{NEVER, pipeline, tempdir};

fn settings(out: &Path, threads: usize) -> Tune {
    Tune {
        algorithm: "sp-mcts:log=common".parse().unwrap(),
        parameters: vec![Parameter::new("c", 0.0, 10.0), Parameter::new("t", 0.0, 30.0)],
        samples: 8,
        elite: 3,
        iterations: 3,
        boards: 2,
        width: 8,
        height: 8,
        colours: 4,
        budget: "playouts=60".parse().unwrap(),
        seed: 4,
        threads,
        out: out.to_owned(),
    }
}

fn in_one_go(out: &Path, threads: usize) -> Tuned {
    let mut tuning = settings(out, threads).open(&NEVER).unwrap();
    assert_eq!(tuning.run(&AtomicBool::new(false), &mut |_| ()).unwrap(), Ending::Finished);
    tuning.finish(&NEVER).unwrap()
}

#[test]
fn tuning_interrupted_and_resumed_ends_with_the_same_bytes_as_in_one_go() {
    let (whole, torn) = (tempdir(), tempdir());
    let tuned = in_one_go(whole.path(), 2);
    assert_eq!(tuned.rows.len(), 2 * 4);
    let mut at = 0;
    loop {
        let mut tuning = settings(torn.path(), 1).open(&NEVER).unwrap();
        let (before, stop) = (at, AtomicBool::new(false));
        let ending = tuning.run(&stop, &mut |judged| {
            at = judged;
            stop.fetch_or(judged % 5 == 0, Ordering::Relaxed);
        });
        if ending.unwrap() == Ending::Finished {
            assert!(before > 0);
            assert_eq!(tuning.finish(&NEVER).unwrap(), tuned);
            break;
        }
        // A few more may be judged before the stop is seen.
        assert!(before / 5 < at / 5 && at < 24, "{before} {at}");
    }
    for file in ["distribution.csv", "manifest.json", "progress.json"] {
        let read = |folder: &Path| fs::read(folder.join(file)).unwrap();
        assert!(read(whole.path()) == read(torn.path()), "{file}");
    }
}

#[test]
fn whole_numbers_are_tuned_too() {
    let folder = tempdir();
    let tuned = in_one_go(folder.path(), 2);
    let t = tuned.rows.iter().rev().find(|row| row.parameter == "t").unwrap();
    let rounded = format!(":t={}", t.mean.round());
    assert!(tuned.algorithm.contains(&rounded) && tuned.algorithm.ends_with(":log=common"), "{}", tuned.algorithm);
}

#[test]
fn what_can_not_be_tuned_is_refused_before_a_folder_is_made() {
    let folder = tempdir();
    let out = folder.path().join("out");
    let said = |arguments: &str| {
        let ended = pipeline(&format!("samegame tune --out {} {arguments}", out.display())).code(2);
        assert!(!out.exists(), "{arguments}");
        ended.stderr()
    };
    assert!(said("--bounds q=0..1").contains("`sp-mcts` has no option `q`"));
    assert!(said("--bounds c=2..1").contains("parameter c is to lie between 2 and 1"));
    assert!(said("--bounds epsilon=0..2").contains("`epsilon` of `sp-mcts` can't be `2`"));
    assert!(said("--bounds c").contains("write KEY=LOW..HIGH"));
    assert!(said("--samples 10 --elite 10").contains("10 elite samples of 10"));
}
