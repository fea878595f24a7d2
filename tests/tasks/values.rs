//! Tests of settings as users write them: durations, ranges and grids of boards.

use std::time::Duration;

use mineflow_tasks::values::{Range, Steps, duration, grid, unique};

#[test]
fn durations_have_units() {
    assert_eq!(duration("5s"), Ok(Duration::from_secs(5)));
    assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
    assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
    for wrong in [
        "", "5", "s", "-1s", "0s", "5h", "nans", "infs", "1e300m", "5 s",
    ] {
        assert!(duration(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_grid_of_the_paper_has_its_sizes_and_ratios() {
    let steps: Steps = "0.05..0.25:0.01".parse().unwrap();
    assert_eq!(steps.values().count(), 21);
    assert!((steps.values().last().unwrap() - 0.25).abs() < 1e-12);
    let boards = grid("20".parse().unwrap(), "0.5..1".parse().unwrap(), steps).unwrap();
    assert_eq!(boards.len(), 11 * 21); // heights 10 to 20
    assert_eq!(boards[0].to_string(), "20x10/10");
    let odd = grid(
        "5..6".parse().unwrap(),
        "0.5..1".parse().unwrap(),
        "0.2".parse().unwrap(),
    )
    .unwrap();
    let odd: Vec<_> = odd.iter().map(ToString::to_string).collect();
    assert_eq!(
        odd,
        [
            "5x3/3", "5x4/4", "5x5/5", "6x3/4", "6x4/5", "6x5/6", "6x6/7"
        ]
    );
}

#[test]
fn boards_that_two_ratios_share_come_once() {
    let boards = grid(
        "5".parse().unwrap(),
        "0.6".parse().unwrap(),
        "0.05..0.25:0.01".parse().unwrap(),
    )
    .unwrap();
    let mines: Vec<_> = boards.iter().map(|board| board.mines()).collect();
    assert_eq!(mines, [1, 2, 3, 4]);
}

#[test]
fn a_grid_of_too_many_boards_is_refused_before_it_is_made() {
    let refused = grid(
        "1..255".parse().unwrap(),
        "0.5..1".parse().unwrap(),
        "0..1:0.00001".parse().unwrap(),
    );
    assert!(refused.unwrap_err().contains("more than 100000 boards"));
    let fine_steps = grid(
        "20".parse().unwrap(),
        "1".parse().unwrap(),
        "0..1:0.00001".parse().unwrap(),
    )
    .unwrap();
    assert_eq!(fine_steps.len(), 399);
    assert_eq!(unique(fine_steps.clone()), fine_steps);
}

#[test]
fn broken_ranges_are_refused() {
    for wrong in ["", "5..", "..5", "a", "7..5"] {
        assert!(wrong.parse::<Range<u16>>().is_err(), "{wrong}");
    }
    for wrong in [
        "0.1..0.2",
        "0.1..0.2:0",
        "0.1..0.2:-1",
        "0.1..0.2:x",
        "0.2..0.1:0.1",
        "0..1:1e-9",
        "nan",
    ] {
        assert!(wrong.parse::<Steps>().is_err(), "{wrong}");
    }
    let range = |text: &str| text.parse().unwrap();
    assert!(
        grid(
            "5".parse().unwrap(),
            range("0.5..2"),
            "0.1".parse().unwrap()
        )
        .is_err()
    );
    assert!(
        grid(
            "5".parse().unwrap(),
            range("0.5..1"),
            "1.5".parse().unwrap()
        )
        .is_err()
    );
    assert!(grid("300".parse().unwrap(), range("1"), "0.1".parse().unwrap()).is_err());
    assert!(
        grid(
            "1".parse().unwrap(),
            range("0.1..0.2"),
            "0.1".parse().unwrap()
        )
        .is_err()
    );
}
