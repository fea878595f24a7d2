//! Tests that rows that don't fit into memory are read window by window in training.

use std::num::NonZeroU64;
use std::path::Path;

use mineflow::learn::data::{
    DataError, DataFolders, Drawn, ExtraMemory, Manifest, ReadLimits, Split, Windows, read_table,
};
use mineflow::minesweeper::features::classifier_v2;
use mineflow::rng::Seed;

use crate::program::{NEVER, TempPath, assert_has, fails, pipeline, read_text, tempdir};

const BESIDE: ExtraMemory = ExtraMemory {
    bytes: 4,
    held_out: 1,
};

/// Generates rows into a folder and returns the folder.
fn generate(folder: &TempPath, arguments: &str) -> TempPath {
    let data = folder.join("data");
    pipeline(format!("generate {arguments} --out {data}")).success();
    data
}

fn plan(data: &Path, asked: Option<u64>, memory: u64) -> Result<Option<Windows>, DataError> {
    let drawn = Drawn {
        seed: Seed::new(1),
        turned: false,
    };
    let folders = DataFolders::open(&[data.to_owned()], &classifier_v2::SET)?;
    let asked = asked.map(|rows| NonZeroU64::new(rows).unwrap());
    Windows::plan(&folders, asked, drawn, (memory, BESIDE))
}

/// Sorts the game numbers of rows.
fn sorted(mut games: Vec<u64>) -> Vec<u64> {
    games.sort_unstable();
    games
}

#[test]
fn a_pass_over_the_windows_has_every_training_row_once_and_never_too_many() {
    let directory = tempdir();
    let data = generate(
        &directory,
        "--boards 9x9/10,16x16/40 --games 400 --games-per-shard 37",
    );
    let limits = ReadLimits {
        stop: &NEVER,
        memory: u64::MAX,
    };
    let whole = read_table(
        std::slice::from_ref(&data),
        &classifier_v2::SET,
        Split::Train,
        limits,
    )
    .unwrap();
    let shards = Manifest::of_finished(&data).unwrap().shards;
    let largest = shards.iter().map(|shard| shard.counts.rows).max().unwrap();
    for rows in [largest, 3 * largest, 10 * largest] {
        let windows = plan(&data, Some(rows), u64::MAX).unwrap().unwrap();
        assert!(
            windows.count() > 1 && windows.count() <= shards.len(),
            "{rows}: {}",
            windows.count()
        );
        let pass = |pass| (0..windows.count()).map(move |window| (pass, window));
        let read = |(pass, window)| windows.read(pass, window, &NEVER).unwrap();
        let mut orders = Vec::new();
        for number in 0..3 {
            let tables: Vec<_> = pass(number).map(read).collect();
            assert!(
                tables
                    .iter()
                    .all(|table| (1..=rows as usize).contains(&table.rows())),
                "{rows}"
            );
            let games: Vec<u64> = tables.iter().flat_map(|table| table.game.clone()).collect();
            assert!(
                sorted(games.clone()) == sorted(whole.game.clone()),
                "{rows}, pass {number}"
            );
            orders.push(games);
        }
        assert!(read((1, 0)) == read((1, 0)));
        assert!(
            orders[0] != orders[1] && orders[1] != orders[2],
            "every pass has an order of its own"
        );
    }
    let windows = plan(&data, Some(2 * largest), u64::MAX).unwrap().unwrap();
    let held_out = windows.held_out(Split::Validation, &NEVER).unwrap();
    assert!(
        held_out
            .game
            .iter()
            .all(|&game| Split::of(game) == Split::Validation)
    );
    assert!(
        (largest / 4..2 * largest).contains(&(held_out.rows() as u64)),
        "{}",
        held_out.rows()
    );
}

#[test]
fn windows_are_used_if_rows_do_not_fit_and_the_size_in_the_error_suffices() {
    let directory = tempdir();
    let data = generate(
        &directory,
        "--boards 9x9/10 --games 20000 --games-per-shard 500",
    );
    let rows = Manifest::of_finished(&data).unwrap().totals.rows;
    assert!(rows > 1 << 16, "{rows}");
    // All rows and the buffer for reading them take 48 bytes per row each.
    assert!(plan(&data, None, 96 * rows).unwrap().is_none());
    assert!(plan(&data, None, 96 * rows - 1).unwrap().is_some());
    assert_eq!(plan(&data, None, 6 << 20).unwrap().unwrap().rows(), 1 << 16);
    let DataError::Window {
        needed,
        memory: 1000,
        ..
    } = plan(&data, None, 1000).unwrap_err()
    else {
        panic!("another error")
    };
    assert!(plan(&data, None, needed).unwrap().is_some() && plan(&data, None, needed - 1).is_err());
    let out = directory.join("out");
    let train = format!("train-trees --data {data} --eval-games 0 --out {out}");
    let said = fails(format!("{train} --memory 1MiB"));
    let least: u64 = said
        .split("takes ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(
        said.contains("rows at a time") && said.lines().count() == 2 && !out.exists(),
        "{said}"
    );
    let said = pipeline(format!("{train} --memory {least}MiB"))
        .success()
        .stderr();
    assert_has(&said, "windows of up to 65,536 rows");
    let manifest = read_text(out.join("manifest.json"));
    assert_has(&manifest, "\"window\": 65536");
    assert_has(
        fails(format!("{train} --window 9")),
        "window is 65536 there and 9 here",
    );
    // Rows that are made in memory have no windows: the limit binds before the games and, if they
    // have more rows than expected, during them.
    let no = directory.join("no");
    for (wrong, rows) in [
        ("train-trees --rows 300000 --memory 1MiB", 10_922),
        ("train-classifier --iterative --memory 1MiB", 10_922),
        ("train-q --alpha 0.3 --games 1 --memory 128KiB", 1365),
    ] {
        assert_has(
            fails(format!("{wrong} --out {no}")),
            format!("are allowed, enough for {rows} rows"),
        );
    }
}
