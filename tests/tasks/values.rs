//! Tests of the text forms of settings.

use std::time::Duration;

use mineflow_minesweeper::Board;
use mineflow_minesweeper::player::versions;
use mineflow_tasks::budget::{BudgetText, move_budget};
use mineflow_tasks::values::{Range, Steps, duration, grid, player_names, unique, whole};

#[test]
fn whole_numbers_have_exponents_and_groups() {
    for text in ["1000000", "1e6", "1E6", "0.001e9", "1_000_000", "1,000,000"] {
        assert_eq!(whole(text), Some(1_000_000), "{text}");
    }
    assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
    for wrong in [
        "", "-1", "1.5", "1e-1", "1e16", "nane", "1,00", "1,,000", "_1", "1_", "1,000,",
    ] {
        assert_eq!(whole(wrong), None, "{wrong}");
    }
}

#[test]
fn an_item_of_a_list_names_players_in_the_order_of_their_table() {
    assert_eq!(
        player_names("4.0..5.5", false),
        ["4.0", "4.5", "5.0", "5.5"]
    );
    assert_eq!(player_names("sinha", false).len(), 11);
    assert_eq!(player_names("1.0..7.0", false).len(), 12);
    for same in [
        "7.0",
        "7.0..1.0",
        "4.5..4.0",
        "1.0..agent",
        "1.0..no",
        "dss+components+min-p",
    ] {
        assert_eq!(player_names(same, false), [same]);
    }
    let (quick, every) = (player_names("all", false), player_names("all", true));
    assert_eq!(every.len(), versions().len());
    let searching: Vec<_> = every
        .into_iter()
        .filter(|name| !quick.contains(name))
        .collect();
    assert_eq!(searching, ["11.0-deep", "sp-mcts", "mac-ucb"]);
}

#[test]
fn budgets_of_all_games_have_one_form_beside_their_older_ones() {
    for (one, older) in [
        ("playouts=10000", "10000it"),
        ("playouts=1e4", "10000it"),
        ("time=1.5s", "1500ms"),
    ] {
        let [one, older] = [one, older].map(|text| move_budget(text).unwrap());
        assert_eq!((one, one.to_string()), (older, older.to_string()));
    }
    let [one, older] = ["time=500ms+playouts=1e4", "playouts=10000+time=0.5s"]
        .map(|text| text.parse::<BudgetText>());
    assert_eq!(one.unwrap(), older.unwrap());
    for wrong in ["playouts=0", "playouts=x", "time=5", "nodes=5"] {
        assert!(move_budget(wrong).is_err(), "{wrong}");
    }
}

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

/// Returns the grid of these widths, height ratios and mine ratios.
fn boards(widths: &str, heights: &str, mines: &str) -> Result<Vec<Board>, String> {
    grid(
        widths.parse().unwrap(),
        heights.parse().unwrap(),
        mines.parse().unwrap(),
    )
}

#[test]
fn the_grid_of_the_paper_has_its_sizes_and_ratios() {
    let steps: Steps = "0.05..0.25:0.01".parse().unwrap();
    assert_eq!(steps.values().count(), 21);
    assert!((steps.values().last().unwrap() - 0.25).abs() < 1e-12);
    let paper = boards("20", "0.5..1", "0.05..0.25:0.01").unwrap();
    assert_eq!(paper.len(), 11 * 21); // heights 10 to 20
    assert_eq!(paper[0].to_string(), "20x10/10");
    let odd = boards("5..6", "0.5..1", "0.2").unwrap();
    let odd: Vec<_> = odd.iter().map(ToString::to_string).collect();
    assert_eq!(odd.join(" "), "5x3/3 5x4/4 5x5/5 6x3/4 6x4/5 6x5/6 6x6/7");
    // Boards that two ratios share come once.
    let few = boards("5", "0.6", "0.05..0.25:0.01").unwrap();
    assert_eq!(few.len(), 4);
    let fine_steps = boards("20", "1", "0..1:0.00001").unwrap();
    assert_eq!(fine_steps.len(), 399);
    assert_eq!(unique(fine_steps.clone()), fine_steps);
}

#[test]
fn broken_ranges_and_grids_are_refused() {
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
    for (widths, heights, mines) in [
        ("5", "0.5..2", "0.1"),
        ("5", "0.5..1", "1.5"),
        ("300", "1", "0.1"),
        ("1", "0.1..0.2", "0.1"),
        ("1..255", "0.5..1", "0..1:0.00001"),
    ] {
        assert!(boards(widths, heights, mines).is_err(), "{widths}");
    }
}
