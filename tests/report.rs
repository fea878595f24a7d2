//! Tests that the published pages agree with their tables, and that the report of a run shows the
//! results of the run.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use mineflow::gdl::player::PlayerRecipe;
use mineflow::minesweeper::player::PlayerSpec;
use mineflow::report::results::{Cells, means};
use mineflow::samegame::Algorithm;

use crate::program::{
    Finished, assert_has, command, fails, pipeline, prints, read_text, tempdir, write_file,
};

/// Returns the current version of a player in the tables of a folder.
fn version(folder: &str, name: &str) -> Option<String> {
    Some(match folder {
        "samegame" => name.parse::<Algorithm>().ok()?.version(),
        "ggp" => name.parse::<PlayerRecipe>().ok()?.version(),
        _ => {
            let plain = name.trim_end_matches("-paper");
            let player: PlayerSpec = plain.parse().ok()?;
            if plain == name {
                player.version()
            } else {
                player.with_paper_engines().version()
            }
        }
    })
}

/// Writes a file in a folder that may not exist yet.
fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    write_file(&path, text);
}

/// Checks that `pipeline report` would write exactly the committed pages; `index.html` is not
/// committed.
#[test]
fn the_published_pages_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let stale: Vec<_> = mineflow::report::published(&root)
        .expect("the tables and pages can be read")
        .into_iter()
        .filter(|(path, text)| {
            !path.ends_with("index.html") && fs::read_to_string(path).ok().as_ref() != Some(text)
        })
        .map(|(path, _)| path)
        .collect();
    assert!(stale.is_empty(), "run `pipeline report`: {stale:?}");
}

#[test]
fn each_square_leads_to_a_claim_and_each_cell_names_its_column() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let files = mineflow::report::published(&root).expect("the tables and pages can be read");
    let (_, html) = files
        .iter()
        .find(|(path, _)| path.ends_with("index.html"))
        .expect("a page");
    let named = |before: &str| -> BTreeSet<&str> {
        let parts = html.split(before).skip(1);
        parts.filter_map(|part| part.split('"').next()).collect()
    };
    let claims = named("id=\"claim-");
    assert!(
        claims.len() > 60 && claims == named("href=\"#claim-"),
        "{claims:?}"
    );
    let cell = "<td data-of=\"paper, %\" style=\"text-align: right\">82.14</td>";
    assert!(html.contains(cell));
}

/// Checks that every row of a published table comes from the current version of its player.
#[test]
fn no_published_row_comes_from_another_player() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let columns = [
        ("player", "version"),
        ("a", "version_a"),
        ("b", "version_b"),
        ("algorithm", "version"),
        ("opponent", "opponent_version"),
    ];
    let mut stale = BTreeSet::new();
    let mut versions = HashMap::new();
    let mut checked = 0;
    for folder in ["play", "suites", "samegame", "ggp"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            // Players from other projects have no version. Tuning parameters and rows of networks
            // have no player.
            if !file.ends_with(".csv") || file == "peers.csv" {
                continue;
            }
            let mut reader = csv::Reader::from_path(&path).expect("a table");
            for row in reader.deserialize() {
                let row: HashMap<String, String> = row.expect("a row");
                for (player, version_of) in columns {
                    let Some(name) = row
                        .get(player)
                        .filter(|name| !["", "best"].contains(&&***name))
                    else {
                        continue;
                    };
                    let played = row
                        .get(version_of)
                        .unwrap_or_else(|| panic!("{file} has no versions"));
                    let known = versions.entry((folder, name.clone()));
                    let today = known.or_insert_with(|| version(folder, name));
                    // The versions of programs are hashes of their files.
                    if ["engines.csv", "hill.csv"].contains(&&*file) && today.is_none() {
                        continue;
                    }
                    checked += 1;
                    // The players of `trainings.csv` use unpublished models, and MAC-UCB's rows in
                    // figure 5 are of an earlier revision, as `deviations.md` says. Of both, only
                    // the form of the version is checked.
                    let is_current = match &*file {
                        "trainings.csv" => played.len() == 12,
                        "figure5.csv" if name == "mac-ucb" => played.len() == 12,
                        _ => today.as_ref() == Some(played),
                    };
                    if !is_current {
                        stale.insert(format!("{file}: {name} is {today:?} now"));
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
    assert!(stale.is_empty(), "play these rows again: {stale:#?}");
}

#[test]
fn a_report_of_a_run_has_its_games() {
    let folder = tempdir();
    let run = folder.join("run");
    let games = run.join("games");
    pipeline(format!("eval --players 4.0 --games 200 -q --out {games}")).success();
    let out = folder.join("page");
    let printed = prints(format!("report --runs {run} --out {out}"));
    let has_row = printed.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some("4.0") && words.next() == Some("86.24")
    });
    assert!(printed.starts_with("player") && has_row, "{printed}");
    let page = read_text(out.join("report.md"));
    assert!(
        page.contains("Played: 200 games.")
            && page.contains("| `4.0` | 9x9/10 | safe |")
            && page.contains("| 4.0 | 86.24 |"),
        "{page}"
    );
    let html = read_text(out.join("index.html"));
    assert_has(&html, "<table");
    // A chart names its format by an address that no browser requests.
    let html = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    let other_host = html.lines().find(|line| line.contains("http"));
    assert_eq!(other_host, None);
}

#[test]
fn a_report_on_several_runs_names_them_and_drops_none() {
    let place = tempdir();
    let here = |line: &str| Finished::of(command(line).current_dir(&place));
    let file = |name: &str, text: &str| write(&place, name, text);
    for (folder, seed) in [("one", 1), ("deep/two", 2)] {
        here(&format!(
            "eval --players 4.0 --games 60 --seed {seed} -q --out {folder}"
        ))
        .success();
    }
    for (folder, loss) in [("first", 0.5), ("second", 0.25)] {
        file(
            &format!("{folder}/manifest.json"),
            r#"{"settings": {"command": "train-trees"}}"#,
        );
        file(
            &format!("{folder}/metrics.jsonl"),
            &format!("{{\"round\":1,\"validation_loss\":{loss}}}\n"),
        );
        let header = "feature,share_of_gain,gain_per_split,splits";
        file(
            &format!("{folder}/importance.csv"),
            &format!("{header}\np,{loss},1,1\n"),
        );
    }
    file(
        "begun/manifest.json",
        r#"{"settings": {"command": "eval"}}"#,
    );
    let notes = here("report --runs . --out page").success().stderr();
    assert_has(&notes, "begun/eval.csv is missing, its run is left out");
    let page = read_text(place.join("page/report.md"));
    for row in [
        "| `4.0 (one)` | 9x9/10 | safe |",
        "| `4.0 (two)` | 9x9/10 | safe |",
        "| 4.0 (one) | 86.24 |",
        "| 4.0 (two) | 86.24 |",
        "| 5.0 (first) | 1 trees |  | 0.5000 |",
        "| 5.0 (second) | 1 trees |  | 0.2500 |",
        "`second`:\n\n| feature |",
    ] {
        assert!(page.contains(row), "{row}: {page}");
    }
}

#[test]
fn unusable_input_of_a_report_is_an_error() {
    let folder = tempdir();
    let file = |name: &str, text: &str| write(&folder, name, text);
    let from = folder.to_string();
    let report = |expected: &str| {
        let said = fails(format!("report --from {from}"));
        assert_has(&said, expected);
    };
    report("play/strength.csv; the README.md of its folder");
    file(
        "play/strength.csv",
        "player,version,width,height,mines,guesses_per_game\n4.0,x,9,9,10,1\n",
    );
    report("strength.csv is not a table of this kind");
    let header = "player,version,width,height,mines,mine_ratio,first_click,games,wins,losses,timeouts,win_ratio,ci_low,ci_high,guesses_per_game\n";
    file(
        "play/strength.csv",
        &format!("{header}4.0,x,9,9,10,0.1,safe,100,50,50,0,0.7,0.4,0.6,1\n"),
    );
    report("50 of 100 games won by 4.0 are no win rate of 0.7");
    let said = fails(format!("report --from {from} --runs {from} --out {from}"));
    assert_has(&said, "exclude each other");
}

#[test]
fn figures_are_averaged_by_name_if_a_run_lacks_one() {
    let cells = |texts: &[(&str, &str)]| -> Cells {
        let owned = |&(name, text): &(&str, &str)| (name.to_owned(), text.to_owned());
        texts.iter().map(owned).collect()
    };
    let key = cells(&[("depth", "2")]);
    let whole = cells(&[("test_loss", "4"), ("gain", "7"), ("rows", "10")]);
    let without_gain = cells(&[("test_loss", "6"), ("rows", "30")]);
    let (table, _) = means(&[(key.clone(), whole), (key, without_gain)]);
    let means: Vec<_> = table.rows[0]
        .iter()
        .map(|cell| cell.split(' ').next())
        .collect();
    let expected = ["2", "2", "5.0000", "7.0000", "20.0000"].map(Some);
    assert_eq!(means, expected);
}
