//! Tests of data folders: resuming, new features from old games, and one clear error for each kind
//! of damage.

use std::fs;
use std::path::Path;

use mineflow::learn::data::{DataError, ReadLimits, Split, Table, read_table};
use mineflow::minesweeper::features::{classifier_v2, guess_v2, q_v2};
use mineflow::model::FeatureSet;
use mineflow::store::StoreError;

use crate::program::{
    Finished, NEVER, PIPELINE, TempPath, assert_has, command, fails, interrupt_when, left,
    pipeline, prints, read_bytes, read_text, tempdir, unfinish, write_file,
};

const SMALL: &str = "--widths 5..9 --games-per-shard 100 --progress none";

/// Limits that allow any number of rows and never interrupt reading.
const NO_LIMITS: ReadLimits<'_> = ReadLimits {
    stop: &NEVER,
    memory: u64::MAX,
};

fn generate(arguments: &str, out: &TempPath) -> Finished {
    pipeline(format!("generate {SMALL} {arguments} --out {out}"))
}

fn made(arguments: &str) -> (TempPath, TempPath) {
    let dir = tempdir();
    let out = dir.join("rows");
    generate(arguments, &out).success();
    (dir, out)
}

fn table(folder: &Path, set: &'static FeatureSet) -> Result<Table, DataError> {
    read_table(&[folder.to_owned()], set, Split::All, NO_LIMITS)
}

#[cfg(unix)]
#[test]
fn an_interrupted_generation_is_reported_and_not_read() {
    let dir = tempdir();
    let out = dir.join("rows");
    let arguments = format!("generate {SMALL} --rows 500000000 --out {out}");
    interrupt_when(&mut command(&arguments), "-INT", |_| {
        out.join("rows/00000.parquet").exists()
    });
    assert!(
        left(&out)
            .keys()
            .all(|name| name.extension().is_none_or(|extension| extension != "tmp"))
    );
    assert!(matches!(
        table(&out, &classifier_v2::SET),
        Err(DataError::Unfinished(_))
    ));
}

#[test]
fn shards_of_several_machines_share_a_quota_of_rows() {
    let rows: usize = (1..=3)
        .map(|i| made(&format!("--rows 20000 --shard {i}/3")))
        .map(|(_dir, out)| table(&out, &classifier_v2::SET).unwrap().rows())
        .sum();
    assert!(
        (20_000..28_000).contains(&rows),
        "whole shards, {rows} rows"
    );
}

#[test]
fn rows_computed_from_old_games_equal_the_generated_ones() {
    for (kind, features, files) in [
        ("classifier", "classifier-v2", &classifier_v2::SET),
        ("q", "q-v2", &q_v2::SET),
    ] {
        let (dir, out) = made(&format!("--kind {kind} --rows 3000 --explore 0.05"));
        let again = dir.join("again");
        let featurise = |from: &TempPath, features: &str, to: &TempPath| {
            pipeline(format!(
                "data featurise {from} --features {features} --out {to}"
            ))
        };
        featurise(&out, features, &again).success();
        assert_eq!(
            table(&again, files).unwrap(),
            table(&out, files).unwrap(),
            "{features}"
        );
        pipeline(format!("data verify {again}")).success();
        // The same games also give the same rows for the other kind, whichever was generated first.
        // The exception is rows of first clicks, which are computed only from games generated for
        // Q, since only those record them.
        let (other, other_features, other_files) = match kind {
            "classifier" => ("q", "q-v2", &q_v2::SET),
            _ => ("classifier", "classifier-v2", &classifier_v2::SET),
        };
        let boards = "--mine-ratios 0.15";
        let (_first, first) = made(&format!("--kind {kind} --games 8 {boards}"));
        let (_second, second) = made(&format!("--kind {other} --games 8 {boards}"));
        let changed = dir.join("changed");
        featurise(&first, other_features, &changed).success();
        let (changed, second) = (
            table(&changed, other_files).unwrap(),
            table(&second, other_files).unwrap(),
        );
        if kind == "q" {
            assert_eq!(changed, second);
            continue;
        }
        let is_first = |row: usize| row == 0 || second.game[row - 1] != second.game[row];
        let guesses: Vec<usize> = (0..second.rows()).filter(|&row| !is_first(row)).collect();
        assert_eq!(
            changed.game,
            guesses
                .iter()
                .map(|&row| second.game[row])
                .collect::<Vec<_>>()
        );
        for (row, &of) in guesses.iter().enumerate() {
            assert_eq!(
                (changed.row(row), changed.target[row]),
                (second.row(of), second.target[of])
            );
        }
    }
}

#[test]
fn relabelled_rows_are_those_of_the_folder_with_targets_of_the_teacher() {
    let dir = tempdir();
    let of = |layouts: u32| {
        let out = dir.join(format!("layouts-{layouts}"));
        let teacher = format!("roll-outs:layouts={layouts}:unknown=1");
        pipeline(format!(
            "generate --kind guesses --boards 9x9/10 --games 40 --least-layouts 20 --teacher {teacher} --out {out}"
        ))
        .success();
        out
    };
    let (few, more) = (of(2), of(6));
    let again = dir.join("again");
    let relabel = format!("data relabel {few} --teacher roll-outs:layouts=6 --out {again}");
    prints(&relabel);
    let rows = |folder: &TempPath| table(folder, &guess_v2::SET).unwrap();
    let (few_rows, more_rows, again_rows) = (rows(&few), rows(&more), rows(&again));
    assert_eq!(again_rows.game, few_rows.game);
    // The features that begin with `stop` and the targets come from drawn layouts, whose order
    // depends on the game so far. At the first guess of a game, they are those of `generate`.
    let drawn = |name: &&str| name.starts_with("stop");
    for (column, _) in (0..)
        .zip(guess_v2::SET.names)
        .filter(|(_, name)| !drawn(name))
    {
        let of = |table: &Table| -> Vec<f32> {
            let rows = 0..table.rows();
            rows.map(|row| table.row(row)[column]).collect()
        };
        assert_eq!(of(&again_rows), of(&few_rows), "{column}");
    }
    let equal = |other: &Table| {
        let pairs = again_rows.target.iter().zip(&other.target);
        pairs.filter(|(a, b)| a == b).count()
    };
    assert!(2 * equal(&more_rows) > again_rows.rows() && 4 * equal(&few_rows) < again_rows.rows());
    assert_has(prints(format!("data show {again}")), "roll-outs:layouts=6");
    fs::remove_file(few.join("decisions/00000.parquet")).unwrap();
    let other = dir.join("other");
    let said = fails(format!(
        "data relabel {few} --teacher roll-outs:layouts=9 --out {other}"
    ));
    assert_has(&said, "lacks the positions in decisions/00000.parquet");
    let (_q, q) = made("--kind q --games 1");
    let said = fails(format!(
        "data relabel {q} --teacher roll-outs:layouts=9 --out {other}"
    ));
    assert_has(&said, "whose targets come from no teacher");
    assert!(!other.exists());
}

#[test]
fn splits_by_game_are_disjoint_and_complete() {
    let (dir, out) = made("--rows 9000");
    let whole = table(&out, &classifier_v2::SET).unwrap();
    let parts = dir.join("parts");
    pipeline(format!("data split {out} --out {parts}")).success();
    let mut rows = 0;
    for part in Split::PARTS {
        let asked = read_table(
            std::slice::from_ref(&out),
            &classifier_v2::SET,
            part,
            NO_LIMITS,
        )
        .unwrap();
        let written = table(&parts.join(part.name()), &classifier_v2::SET).unwrap();
        assert_eq!(asked, written);
        assert!(asked.game.iter().all(|&game| Split::of(game) == part));
        pipeline(format!("data verify {}", parts.join(part.name()))).success();
        rows += asked.rows();
    }
    assert_eq!(rows, whole.rows());
    let share = read_table(
        &[out.to_path_buf()],
        &classifier_v2::SET,
        Split::Train,
        NO_LIMITS,
    )
    .unwrap()
    .rows() as f64
        / rows as f64;
    assert!((0.7..0.9).contains(&share), "{share}");
}

#[test]
fn a_folder_is_not_written_into_a_finished_folder_however_it_is_spelt() {
    let (dir, out) = made("--rows 300");
    let before = left(&out);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&out, dir.join("link")).unwrap();
    let spelt = [
        "rows",
        "rows/new/x",
        "./new/../rows",
        #[cfg(unix)]
        "link",
    ];
    for command in ["split rows", "featurise rows --features q-v2"] {
        for into in spelt.map(|into| format!("{into}/below")) {
            let mut run = crate::program::command(format!("data {command} --out {into}"));
            let said = Finished::of(run.current_dir(&dir)).code(2).stderr();
            assert_has(&said, "rows is a folder of `generate`");
        }
    }
    assert!(left(&out) == before);
    assert!(!dir.join("new").exists());
}

#[test]
fn a_quota_that_games_do_not_fill_ends_with_the_reason_on_any_number_of_threads() {
    let dir = tempdir();
    for (command, reason) in [
        (
            "generate --kind q --player 7.0 --boards 2x1/1 --rows 10",
            "100000 games on 2x1/1 made 0 of 10 rows",
        ),
        (
            "generate --kind q --player 7.0 --boards 2x1/1 --rows 10 --games-per-shard 30000 --shard 2/3",
            "100000 games on 2x1/1 made 0 of 10 rows",
        ),
        (
            "guess-set --player 7.0 --kinds 9x9/1:safe=5 --games 2",
            "no game has a guess with several candidates for tune.parquet",
        ),
    ] {
        // The second run resumes from the shards of the first.
        for threads in [1, 2] {
            let out = dir.join(command.replace(['/', ' '], "-"));
            let run = format!("{command} --threads {threads} --out {out}");
            let said = fails(&run);
            assert_has(&said, reason);
            // Nothing was done there, and thus the folder takes other settings.
            let is_kept = !command.starts_with("guess-set");
            assert_eq!(out.exists(), is_kept, "{out}");
        }
    }
}

#[test]
fn data_do_not_depend_on_the_folder_of_the_players_model() {
    let dir = tempdir();
    let player = |folder: &str| {
        let model = dir.join(folder).join("trees.json");
        fs::create_dir(model.parent().unwrap()).unwrap();
        fs::copy("models/5.0/768ad20d1575.json", &model).unwrap();
        format!("--player dss+components+trees:model={model}:candidates=sampled")
    };
    let players = [player("a"), player("b")];
    let outs = players
        .each_ref()
        .map(|player| made(&format!("--games 4 {player}")));
    assert!(left(&outs[0].1) == left(&outs[1].1));
    let again = format!(
        "data featurise {} --features q-v2 --out {}",
        outs[0].1,
        dir.join("again")
    );
    let without = fails(&again);
    assert_has(&without, "trees.json");
    assert_has(&without, "give the player with --player");
    pipeline(format!("{again} {}", players[1])).success();
}

#[test]
fn featurised_and_split_folders_resume_and_changed_files_are_made_again() {
    let (dir, out) = made("--rows 9000");
    let (rows, parts) = (dir.join("q"), dir.join("parts"));
    let featurise = format!("data featurise {out} --features q-v2 --out {rows}");
    let split = format!("data split {out} --out {parts}");
    for (command, folder) in [(featurise, rows), (split, parts.join("validation"))] {
        let said = prints(&command);
        let before = left(&folder);
        let other = folder.join("rows/00001.parquet");
        assert!(other.exists(), "several shards");
        write_file(&other, "changed");
        assert_eq!(prints(&command), said);
        assert!(left(&folder) == before, "{command}");
        // Recreate the state after a kill during the writing of the second shard.
        unfinish(&folder);
        let journal = folder.join("journal.jsonl");
        let first = read_text(&journal).lines().next().unwrap().to_owned() + "\n[\"12";
        write_file(&journal, first);
        fs::remove_file(&other).unwrap();
        assert_eq!(prints(&command), said);
        assert!(left(&folder) == before, "{command}");
        write_file(
            folder.join("manifest.json"),
            read_text(out.join("manifest.json")),
        );
        assert_has(fails(&command), "was begun with other settings");
    }
}

#[test]
fn damage_is_one_clear_error_that_names_the_file() {
    let (_dir, out) = made("--rows 2000");
    let verify = || pipeline(format!("data verify {out}"));
    verify().success();
    let shard = out.join("rows/00000.parquet");
    let whole = read_bytes(&shard);

    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    write_file(&shard, &flipped);
    assert!(
        matches!(table(&out, &classifier_v2::SET), Err(DataError::Hash { path, .. }) if path == *shard)
    );
    assert_has(verify().code(1).stdout(), "rows/00000.parquet has the hash");

    // A truncated single file is detected although it has no manifest.
    write_file(&shard, &whole[..whole.len() / 2]);
    let alone = table(&shard, &classifier_v2::SET);
    assert!(matches!(alone, Err(DataError::Parquet { path, .. }) if path == *shard));
    write_file(&shard, &whole);

    assert!(matches!(
        table(&shard, &q_v2::SET),
        Err(DataError::MissingColumn {
            column: "sc_nw",
            ..
        })
    ));
    let wrong = table(&out, &q_v2::SET).unwrap_err();
    assert!(matches!(&wrong, DataError::OtherFeatures { .. }), "{wrong}");

    fs::remove_file(&shard).unwrap();
    assert!(
        matches!(table(&out, &classifier_v2::SET), Err(DataError::Store(StoreError::Io { path, .. })) if path == *shard)
    );
    write_file(&shard, &whole);

    let manifest = out.join("manifest.json");
    let text = read_text(&manifest);
    for (from, to) in [
        ("\"format\": 3", "\"format\": 1"),
        ("\"result\"", "\"resalt\""),
        ("{", ""),
    ] {
        write_file(&manifest, text.replacen(from, to, 1));
        let wrong = table(&out, &classifier_v2::SET).unwrap_err();
        assert!(
            matches!(&wrong, DataError::Store(StoreError::Record { .. })),
            "{to}: {wrong}"
        );
    }
    // Folders of format 1, from before journals were written, are rejected.
    write_file(
        &manifest,
        text.replacen("\"format\": 3", "\"format\": 1", 1),
    );
    for old in [verify(), generate("--rows 2000", &out)] {
        let said = old.code(2).stderr();
        assert_has(&said, "its format is 1");
        assert_has(&said, "make it again");
    }
    write_file(&manifest, &text);
    let journal = out.join("journal.jsonl");
    let lines = read_text(&journal);
    write_file(
        &journal,
        lines.split_inclusive('\n').skip(1).collect::<String>(),
    );
    assert_has(verify().code(2).stderr(), "totals");
    write_file(&journal, lines.replacen("\"number\":0", "\"number\":1", 1));
    assert_has(
        verify().code(2).stderr(),
        "line 1 doesn't belong here: it was changed",
    );
    write_file(&journal, lines);
    verify().success();
    fs::remove_file(&manifest).unwrap();
    assert!(matches!(
        table(&out, &classifier_v2::SET),
        Err(DataError::NoManifest(_))
    ));
}

#[test]
fn errors_of_values_that_are_not_numbers_name_column_and_row() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data");
    let read = |name: &str| table(&fixtures.join(name), &q_v2::SET);
    let shown = |name: &str| read(name).unwrap_err().to_string();
    assert!(
        shown("nan.parquet")
            .ends_with("column `sc_e` is NaN in row 2, which is not a number to learn from")
    );
    assert!(shown("null.parquet").ends_with("column `return` has no value in row 1"));
    assert!(shown("missing.parquet").ends_with("has no column `sc_se`"));
    assert!(shown("empty.parquet").ends_with("has no rows"));
    assert_has(shown("text.parquet"), "column `sc_w` holds");
    // Doubles and signed integers written by another program are accepted.
    let read = read("foreign.parquet").unwrap();
    assert_eq!(
        (read.rows(), read.row(0)[0], read.target[0]),
        (3, 0.5, -1.0)
    );
}

#[test]
fn folders_that_can_t_be_written_are_one_clear_error() {
    let dir = tempdir();
    let file = dir.join("file");
    write_file(&file, "in the way");
    let error = generate("--rows 10", &file.join("rows")).code(2).stderr();
    assert!(error.starts_with("error: can't"), "{error}");
    // A link in the place of a temporary file is not written through.
    let (out, other) = (dir.join("rows"), dir.join("other"));
    fs::create_dir(&out).unwrap();
    write_file(&other, "of somebody else");
    fs::create_dir(out.join("rows")).unwrap();
    std::os::unix::fs::symlink(&other, out.join("rows/.00000.parquet.tmp")).unwrap();
    generate("--rows 1000", &out).success();
    assert_eq!(read_text(&other), "of somebody else");
    // The shell limits the length of files, in blocks of 512 or 1024 bytes.
    let out = dir.join("limited");
    let limited = format!("ulimit -f 8; exec {PIPELINE} generate --rows 20000 --out {out}");
    let run = Finished::of(std::process::Command::new("sh").args(["-c", &limited])).code(2);
    assert!(
        run.stderr().contains("can't write") && run.stderr().contains("File too large"),
        "{}",
        run.stderr()
    );
    let names: Vec<_> = left(&out).into_keys().collect();
    assert_eq!(
        names,
        ["journal.jsonl", "manifest.json"].map(std::path::PathBuf::from),
        "nothing half-written is left"
    );
}

#[cfg(feature = "train")]
#[test]
fn data_that_is_a_file_or_given_twice_is_refused() {
    let (dir, folder) = made("--rows 300");
    for train in ["train-classifier --epochs 1", "train-trees"] {
        let refused = |data: String| {
            let out = dir.join("never");
            let line = format!("{train} --data {data} -q --out {out}");
            let said = fails(&line);
            assert!(!out.exists(), "{line}");
            said
        };
        let file = refused(format!("{folder}/rows/00000.parquet"));
        assert_has(&file, "00000.parquet is not a data folder");
        let twice = refused(format!("{folder},{folder}/."));
        assert_has(&twice, "is given twice, and its rows would count twice");
    }
}

#[test]
fn a_column_of_categories_is_named() {
    let file = "tests/fixtures/data/categories.parquet";
    for line in [
        format!("score --players 7.0 --set {file}"),
        format!("data show {file}"),
    ] {
        let said = fails(&line);
        assert!(
            said.starts_with("error: ")
                && said.contains("column `board` has categories; write it as text"),
            "{said}"
        );
    }
}
