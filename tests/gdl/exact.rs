//! Tests of exact values and of the luck of chance, by a game whose values are worked out by hand.

use mineflow_gdl::player::GameWalk;
use mineflow_gdl::propnet::{Machine, Propnet};
use mineflow_gdl::{ExactValues, Grounding, GroundingLimits, Sheet};
use mineflow_rng::Seed;

/// Chance rolls 1, 2 or 3, and Anna keeps the roll for 0, 50 or 100 points or swaps it for 40.
const ROLL: &str = "
    (role anna) (role random) (init rolling) (points 1 0) (points 2 50) (points 3 100)
    (<= (legal random (roll ?n)) (true rolling) (points ?n ?p))
    (<= (legal random noop) (not (true rolling)))
    (<= (legal anna noop) (true rolling))
    (<= (legal anna keep) (not (true rolling)))
    (<= (legal anna swap) (not (true rolling)))
    (<= (next (rolled ?n)) (does random (roll ?n)))
    (<= (next (kept ?n)) (does anna keep) (true (rolled ?n)))
    (<= (next swapped) (does anna swap))
    (<= over (true (kept ?n))) (<= over (true swapped)) (<= terminal over)
    (<= (goal anna ?p) (true (kept ?n)) (points ?n ?p))
    (<= (goal anna 40) (true swapped))
    (<= (goal random 0) over)";

fn net_of(sheet: &str) -> (Propnet, Option<usize>) {
    let sheet = Sheet::read(sheet).unwrap();
    let grounding = Grounding::new(&sheet, &GroundingLimits::default()).unwrap();
    (Propnet::new(&grounding), grounding.chance)
}

#[test]
fn subtracting_the_luck_keeps_the_mean_of_any_player() {
    let (net, chance) = net_of(ROLL);
    let mut engine = Machine::new(&net);
    let exact = ExactValues::new(&mut engine, chance, 100).unwrap();
    // The start, three rolls, three kept rolls and one swap.
    assert_eq!(exact.states(), 8);
    assert!(ExactValues::new(&mut engine, chance, 7).is_none());
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let mut table = GameWalk::new(&net, chance, 10);
    let mut rng = Seed::new(1).rng();
    // Of one player, who always keeps: the score of each roll, and the score less its luck.
    let (mut raw, mut corrected) = ([f64::NAN; 3], [f64::NAN; 3]);
    while raw.iter().any(|score| score.is_nan()) {
        let (mut luck, mut first) = (0.0, None);
        table.start();
        near(exact.value(&table.state())[0], (0.4 + 0.5 + 1.0) / 3.0);
        near(exact.advantage(&table.state())[0], 0.0);
        while !table.is_terminal() {
            let before = table.state();
            let keep = table.legal(0)[0];
            table.step(|role| (role == 0).then_some(keep), &mut rng);
            let after = table.state();
            luck += exact.luck(&mut engine, &before, table.joint(), &after)[0];
            first.get_or_insert(exact.value(&after)[0]);
        }
        let score = table.rewards()[0];
        let roll = (2.0 * score) as usize;
        near(first.unwrap(), [0.4, 0.5, 1.0][roll]);
        (raw[roll], corrected[roll]) = (score, score - luck);
    }
    // Best play expects 1.9 / 3; its luck is 0.4, 0.5 or 1 less that.
    for (roll, value) in [0.7 / 3.0, 1.9 / 3.0, 1.9 / 3.0].into_iter().enumerate() {
        near(corrected[roll], value);
    }
    near(
        corrected.iter().sum::<f64>() / 3.0,
        raw.iter().sum::<f64>() / 3.0,
    );
}
