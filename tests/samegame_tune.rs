//! `pipeline samegame tune`: resumable, and the same bytes whatever happens on the way.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use mineflow::arena::Part;
use mineflow::tasks::samegame::tune::SamegameTune;
use mineflow::tasks::{Context, Observer, Outcome, Progress, Stage};

use crate::program::{pipeline, tempdir};

/// Looks on, and stops the work after the fifth, tenth and fifteenth sample.
#[derive(Default)]
struct StopsAtFives {
    stop: AtomicBool,
    begun_at: Option<u64>,
    judged: AtomicU64,
}

impl Observer for StopsAtFives {
    fn progress(&self, progress: Progress<'_>) {
        self.judged.store(progress.done, Ordering::Relaxed);
        let is_new = self.begun_at.is_some_and(|begun| progress.done > begun);
        let is_fifth = is_new && progress.done < 20 && progress.done.is_multiple_of(5);
        self.stop.fetch_or(is_fifth, Ordering::Relaxed);
    }

    fn line(&self, _: &str) {}

    fn note(&self, _: &str) {}

    fn detail(&self, _: &str) {}
}

/// What a search in this folder prints; `None` if it was stopped.
fn tune(out: &Path, threads: usize, observer: &StopsAtFives) -> Option<String> {
    let settings = SamegameTune {
        algorithm: "sp-mcts:log=common".parse().unwrap(),
        bounds: vec!["c=0..10".parse().unwrap(), "t=0..30".parse().unwrap()],
        samples: 8,
        elite: 3,
        iterations: 3,
        boards: 2,
        size: "8x8".parse().unwrap(),
        colours: 4,
        budget: "playouts=60".parse().unwrap(),
    };
    let context = Context {
        out: Some(out.to_owned()),
        seed: 4,
        part: Part::WHOLE,
        threads,
        memory: u64::MAX,
        stop: &observer.stop,
        observer,
    };
    match settings.run(&context).unwrap() {
        Outcome::Done(tuned) => Some(tuned.json().unwrap()),
        Outcome::Interrupted(_) => None,
    }
}

fn in_one_go(out: &Path, threads: usize) -> serde_json::Value {
    serde_json::from_str(&tune(out, threads, &StopsAtFives::default()).unwrap()).unwrap()
}

#[test]
fn tuning_interrupted_and_resumed_ends_with_the_same_bytes_as_in_one_go() {
    let (whole, torn) = (tempdir(), tempdir());
    let tuned = in_one_go(whole.path(), 2);
    assert_eq!(tuned["rows"].as_array().unwrap().len(), 2 * 4);
    let mut at = 0;
    loop {
        let observer = StopsAtFives { begun_at: Some(at), ..StopsAtFives::default() };
        let ended = tune(torn.path(), 1, &observer);
        let before = std::mem::replace(&mut at, observer.judged.into_inner());
        if let Some(ended) = ended {
            assert!(before > 0);
            assert_eq!(serde_json::from_str::<serde_json::Value>(&ended).unwrap(), tuned);
            break;
        }
        // A few more may be judged before the stop is seen.
        assert!(before / 5 < at / 5 && at < 24, "{before} {at}");
    }
    for file in ["distribution.csv", "manifest.json", "journal.jsonl"] {
        let read = |folder: &Path| fs::read(folder.join(file)).unwrap();
        assert!(read(whole.path()) == read(torn.path()), "{file}");
    }
}

#[test]
fn whole_numbers_are_tuned_too() {
    let folder = tempdir();
    let tuned = in_one_go(folder.path(), 2);
    let t = tuned["rows"].as_array().unwrap().iter().rev().find(|row| row["parameter"] == "t").unwrap();
    let rounded = format!(":t={}", t["mean"].as_f64().unwrap().round());
    let algorithm = tuned["algorithm"].as_str().unwrap();
    assert!(algorithm.contains(&rounded) && algorithm.ends_with(":log=common"), "{algorithm}");
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
