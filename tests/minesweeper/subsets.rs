//! Tests of random subsets of the solutions, drawn by descents in the tree of DSScsp.

use mineflow_minesweeper::solver::{
    Budget, Dsscsp, Enumeration, Exhausted, Subset, System, Traversal,
};
use mineflow_minesweeper::{Board, FirstClick, Game, View};
use mineflow_rng::Seed;

use super::engines::mid_game;

#[derive(Default)]
struct Drawing {
    system: System,
    dsscsp: Dsscsp,
    found: Enumeration,
}

impl Drawing {
    fn draw(
        &mut self,
        subset: Subset,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Enumeration, Exhausted> {
        self.dsscsp.draw(
            &mut self.system,
            subset,
            &mut Seed::new(seed).rng(),
            budget,
            &mut self.found,
        )?;
        Ok(self.found.clone())
    }

    fn all(&mut self, traversal: Traversal) -> Enumeration {
        let (rng, budget) = (&mut Seed::new(9).rng(), &mut Budget::unlimited());
        self.dsscsp
            .enumerate(&mut self.system, traversal, rng, budget, &mut self.found)
            .unwrap();
        self.found.clone()
    }
}

/// Returns positions of 9x9/14 with up to 26 boundary cells.
fn positions(count: usize) -> impl Iterator<Item = View> {
    let mut rng = Seed::new(3).child("subsets", 0).rng();
    let mut game = Game::new(Board::new(9, 9, 14).unwrap(), FirstClick::Safe);
    std::iter::repeat_with(move || mid_game(&mut game, 26, &mut rng)).take(count)
}

/// The subset that version 3.5 draws (Sinha et al., section 5.1).
const VERSION_3_5: Subset = Subset {
    solutions: 100,
    depth: Some(300),
};

#[test]
fn subsets_are_distinct_solutions_and_contain_all_of_small_trees() {
    let mut drawing = Drawing::default();
    let (mut whole, mut full, mut varied) = (0, 0, 0);
    for (view, seed) in positions(400).zip(0..) {
        drawing.system.rebuild(&view, |_| false);
        let all = drawing.all(Traversal::COMPLETE);
        for subset in [
            VERSION_3_5,
            Subset {
                solutions: 7,
                depth: None,
            },
        ] {
            let budget = &mut Budget::unlimited();
            let drawn = drawing.draw(subset, seed, budget).unwrap();
            assert_eq!(
                drawn,
                drawing.draw(subset, seed, budget).unwrap(),
                "the same seed draws the same"
            );
            assert!(drawn.solutions <= subset.solutions);
            if all.solutions < subset.solutions {
                assert!(drawn.complete);
            }
            if drawn.complete {
                assert_eq!((drawn.solutions, &drawn.mines), (all.solutions, &all.mines));
                whole += 1;
                continue;
            }
            for (&mines, &of_all) in drawn.mines.iter().zip(&all.mines) {
                assert!(
                    mines <= of_all && drawn.solutions - mines <= all.solutions - of_all,
                    "no solution twice"
                );
            }
            full += u32::from(drawn.solutions == subset.solutions);
            varied +=
                u32::from(drawn.mines != drawing.draw(subset, seed + 1000, budget).unwrap().mines);
        }
        assert_eq!(
            drawing.all(Traversal::COMPLETE),
            all,
            "the system is as before"
        );
    }
    assert!(
        whole > 100 && full > 100 && varied > 100,
        "{whole} whole, {full} full, {varied} depend on the seed"
    );
}

#[test]
fn the_solutions_of_one_number_are_drawn_uniformly() {
    // Three mines in eight cells have 56 solutions. There are 56 * 200 draws of one solution each;
    // the chi-square statistic has 55 degrees of freedom.
    let view = View::from_rows(&["###", "#3#", "###"], 3).unwrap();
    let mut drawing = Drawing::default();
    drawing.system.rebuild(&view, |_| false);
    let one = Subset {
        solutions: 1,
        depth: None,
    };
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..56 * 200 {
        let drawn = drawing.draw(one, seed, &mut Budget::unlimited()).unwrap();
        assert_eq!((drawn.solutions, drawn.mines.iter().sum::<u64>()), (1, 3));
        *counts.entry(drawn.mines).or_insert(0.0) += 1.0;
    }
    assert_eq!(counts.len(), 56);
    let chi_square: f64 = counts
        .values()
        .map(|count: &f64| (count - 200.0).powi(2) / 200.0)
        .sum();
    assert!(
        chi_square < 93.2,
        "chi-square {chi_square:.1}: chance explains 93.2 once in 1,000"
    );
}

#[test]
fn descents_are_abandoned_at_the_depth_limit() {
    // Four mines in eight cells have 70 solutions, each of which is found after at least four
    // edges.
    let view = View::from_rows(&["###", "#4#", "###"], 4).unwrap();
    let mut drawing = Drawing::default();
    drawing.system.rebuild(&view, |_| false);
    let mut draw = |depth| {
        drawing
            .draw(
                Subset {
                    solutions: 50,
                    depth,
                },
                1,
                &mut Budget::unlimited(),
            )
            .unwrap()
    };
    let (none, some, all) = (draw(Some(3)), draw(Some(5)), draw(None));
    assert_eq!(
        (none.solutions, none.probability(0), none.complete),
        (0, 0.5, false)
    );
    assert!((1..50).contains(&some.solutions), "{}", some.solutions);
    assert_eq!(all.solutions, 50);
}

#[test]
fn an_exhausted_budget_is_an_error_and_leaves_the_system_unchanged() {
    let mut drawing = Drawing::default();
    let mut exhausted = 0;
    for (view, seed) in positions(100).zip(0..) {
        drawing.system.rebuild(&view, |_| false);
        let all = drawing.all(Traversal::COMPLETE);
        for nodes in [3, 20, 60] {
            let drawn = drawing.draw(VERSION_3_5, seed, &mut Budget::new(Some(nodes), None));
            exhausted += u32::from(drawn == Err(Exhausted::Nodes(nodes)));
            assert_eq!(drawing.all(Traversal::COMPLETE), all);
        }
    }
    assert!(exhausted > 100);
}
