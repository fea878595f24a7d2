//! The report says what its tables say, and `pipeline calibrate` counts what happens.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use mineflow::report::{File, Inputs, NamedPlayer, Training, build};

use crate::program::{Finished, TempDir, assert_golden, command, pipeline, tempdir};
use crate::report_samegame::write_tables;

const HEADER: &str = "player,width,height,mines,mine_ratio,first_click,games,wins,losses,timeouts,win_ratio,ci_low,ci_high,\
                      guesses_per_game,cpu_seconds,wall_seconds,games_per_cpu_second\n";

/// A row as `pipeline eval` writes it, its interval made up.
fn row(
    player: &str,
    board: [u32; 3],
    [games, wins, timeouts]: [u32; 3],
    cpu_seconds: f64,
) -> String {
    let [width, height, mines] = board;
    let ratio = f64::from(wins) / f64::from(games);
    let (low, high) = ((ratio - 0.005).max(0.0), (ratio + 0.005).min(1.0));
    let losses = games - wins;
    format!(
        "{player},{width},{height},{mines},0,safe,{games},{wins},{losses},{timeouts},{ratio:.6},{low:.6},{high:.6},1,{cpu_seconds},1,1\n"
    )
}

/// Six sizes of width 10 at 10 and 20 % of mines; `wins` of a hundred games by number of cells and percentage.
fn grid(player: &str, seconds: f64, wins: impl Fn(u32, u32) -> u32) -> String {
    grid_of(100, player, seconds, wins)
}

/// The same with another number of games, and as many times the wins.
fn grid_of(games: u32, player: &str, seconds: f64, wins: impl Fn(u32, u32) -> u32) -> String {
    let mut rows = String::new();
    for height in 5..=10 {
        for percent in [10, 20] {
            let cells = 10 * height;
            rows += &row(
                player,
                [10, height, cells * percent / 100],
                [games, wins(cells, percent) * games / 100, 0],
                seconds,
            );
        }
    }
    rows
}

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a file lies in a folder"))
        .expect("the folder can be made");
    fs::write(&path, text).expect("the file can be written");
    path
}

/// Writes a table of games, its times into the table of costs beside it.
fn games(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let columns = |columns: &[usize]| {
        let line = |line: &str| {
            let entries: Vec<_> = line.split(',').collect();
            columns
                .iter()
                .filter_map(|&column| entries.get(column).copied())
                .collect::<Vec<_>>()
                .join(",")
                + "\n"
        };
        text.lines().map(line).collect::<String>()
    };
    file(
        folder,
        &name.replace(".csv", "-cost.csv"),
        &columns(&[0, 1, 2, 3, 5, 14, 15, 16]),
    );
    file(
        folder,
        name,
        &columns(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
    )
}

fn version(name: &str) -> NamedPlayer {
    NamedPlayer {
        name: name.to_owned(),
        recipe: "a+b".to_owned(),
        summary: "does it".to_owned(),
        ..NamedPlayer::default()
    }
}

/// A report of everything, small enough to be read.
pub(crate) fn tiny(folder: &TempDir) -> Inputs {
    let standard = HEADER.to_owned()
        + &row("3.0", [9, 9, 10], [1000, 820, 0], 0.1)
        + &row("4.0", [9, 9, 10], [1000, 861, 0], 0.1)
        + &row("5.0", [9, 9, 10], [1000, 850, 0], 0.1);
    let experiment = HEADER.to_owned()
        + &grid("2.0", 4.0, |cells, percent| 100 - percent - cells / 10)
        + &grid("2.5", 0.02, |cells, percent| 99 - percent - cells / 10)
        + &grid("3.0-paper", 2.0, |cells, percent| {
            100 - percent - cells / 10
        })
        + &grid("3.5", 0.02, |cells, percent| 70 - percent - cells / 10)
        + &grid("4.0", 0.02, |_, percent| 100 - 2 * percent);
    let calibration = "player,predictor,cells,bin_low,bin_high,count,mines,predicted,observed\n\
                       4.0,source,boundary,0.1,0.15,1000,120,0.12,0.12\n4.0,source,boundary,0.5,0.55,1000,300,0.5,0.3\n\
                       5.0,model,boundary,0.2,0.25,100,21,0.21,0.21\n5.0,model,elsewhere,0.2,0.25,100,23,0.23,0.23\n";
    let scores = "player,predictor,cells,count,brier_score,log_loss,calibration_error\n\
                  4.0,source,boundary,2000,0.18,0.53,0.1\n5.0,model,boundary,100,0.17,0.51,0.03\n";
    file(folder, "play/calibration-scores.csv", scores);
    let errors = "player,board,guesses,mean_error,zero_cells,zero_mines,share,ci_low,ci_high\n\
                  4.5,9x9/10,10000,0.0123,200,3,0.015,0.0051,0.0432\n4.5,2x2/1,10,,0,0,,0,1\n";
    file(folder, "play/calibration-errors.csv", errors);
    let round = |number: u32, loss: f64, held_out: f64, wins: u32| {
        format!(
            "{{\"round\":\"episode\",\"number\":{number},\"steps\":{number},\"rows\":70,\"learning_rate\":0.001,\"loss\":{loss},\
             \"validation_loss\":{held_out},\"largest_difference\":0.0,\"games\":100,\"wins\":{wins},\"win_ratio\":0.{wins},\
             \"win_low\":0.71,\"win_high\":0.87,\"rows_per_second\":1.0,\"seconds\":1.0,\"wall_time\":1.0}}\n"
        )
    };
    let network = &(round(1, 0.6, 0.58, 80) + &round(2, 0.5, 0.57, 84));
    file(folder, "classifier/metrics.jsonl", network);
    let manifest = "{\"settings\":{\"validation_boards\":[\"16x9/18\",\"28x16/87\"]},\"result\":{\"published\":\"2\",\"rows\":70000,\
                    \"validation_loss\":0.57,\"win_ratio\":0.83,\"win_low\":0.81,\"win_high\":0.85}}";
    file(folder, "classifier/manifest.json", manifest);
    let trees =
        "{\"round\":1,\"validation_log_loss\":0.62}\n{\"round\":2,\"validation_log_loss\":0.6}\n";
    file(folder, "trees/metrics.jsonl", trees);
    file(
        folder,
        "trees/importance.csv",
        "feature,share_of_gain,total_gain,gain_per_split,splits\nprobability,0.9,40,10,4\nrow,0.1,2,1,2\n",
    );
    let fit = "{\"theta\":[0.1,0.2,0.3,0.4],\"r_squared\":0.25,\"score\":\"opening\",\"boards\":2,\"games\":40,\"sha256\":\"ab\"}";
    file(folder, "alpha/alpha.json", fit);
    let sweep = "width,height,mines,mine_ratio,alpha,games,wins,win_ratio\n5,4,2,0.1,0,10,4,0.4\n5,4,2,0.1,1,10,5,0.5\n\
                 5,4,4,0.2,0,10,3,0.3\n5,4,4,0.2,1,10,1,0.1\n";
    file(folder, "alpha/sweep.csv", sweep);
    let targets = "width,height,mines,mine_ratio,alpha,sharing,best_win_ratio,worst_win_ratio,win_ratio_of_p_alone,fitted,residual\n\
                   5,4,2,0.1,1,1,0.5,0.4,0.5,0.6,0.4\n5,4,4,0.2,0,1,0.3,0.1,0.1,0.5,-0.5\n";
    file(folder, "alpha/targets.csv", targets);
    let samegame = folder.path().join("samegame");
    write_tables(&samegame);
    Inputs {
        games: vec![
            games(folder, "play/table4.csv", &standard),
            games(folder, "play/section53.csv", &experiment),
        ],
        calibration: Some(file(folder, "play/calibration.csv", calibration)),
        training: Training {
            trees: Some(folder.path().join("trees")),
            classifier: Some(folder.path().join("classifier")),
            alpha: Some(folder.path().join("alpha")),
            ..Training::default()
        },
        samegame: Some(samegame),
        page_folder: Some(folder.path().to_owned()),
        versions: ["3.0", "4.0", "5.0"].map(version).to_vec(),
        ..Inputs::default()
    }
}

pub(crate) fn text<'a>(files: &'a [File], name: &str) -> &'a str {
    &files
        .iter()
        .find(|file| file.name == name)
        .unwrap_or_else(|| panic!("there is no {name}"))
        .text
}

/// The verdict on a case of a claim.
pub(crate) fn verdict_of_case(table: &str, claim: &str, case: &str) -> String {
    let mut lines = csv::Reader::from_reader(table.as_bytes())
        .into_records()
        .map(Result::unwrap);
    let line = lines.find(|line| [&line[1], &line[2]] == [claim, case]);
    line.unwrap_or_else(|| panic!("{claim} {case} is not in\n{table}"))[9].to_owned()
}

/// The start tags of a page; panics where tags don't close each other.
fn tags(html: &str) -> Vec<&str> {
    const VOID: [&str; 2] = ["meta", "!DOCTYPE"];
    let (mut open, mut found) = (Vec::new(), Vec::new());
    // A style may hold `>`, which means nothing there.
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').expect("every tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop(),
                Some(name),
                "before {}",
                &rest[..rest.len().min(80)]
            );
            continue;
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "<{tag}>");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        found.push(tag);
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").expect("a style ends")..];
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    found
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

/// The numbers of a text: what stands between words, without the commas of thousands and the ends of sentences.
fn numbers(text: &str) -> String {
    let is_number = |word: &&str| {
        word.trim_start_matches(['(', '+', '-'])
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let words = text.split([' ', '\u{a0}', '`']).filter(is_number);
    words
        .map(|word| {
            word.trim_start_matches('(')
                .trim_end_matches(['.', ',', ';', ':', ')'])
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The points of a drawn chart: the name of the series, the values and their intervals.
fn drawn_points(svg: &str) -> String {
    let titles = svg
        .split("<title>")
        .skip(1)
        .map(|rest| rest.split("</title>").next().expect("a title ends"));
    let values = |title: &str| {
        let parts = title
            .split("; ")
            .map(|part| part.rsplit(": ").next().unwrap_or(part));
        parts.collect::<Vec<_>>().join(" ")
    };
    titles
        .map(|title| format!("  {}\n", values(title)))
        .collect()
}

/// What a report says in numbers: cells of tables, points with their intervals, and verdicts with the numbers that they rest on.
fn pinned(files: &[File]) -> String {
    let mut pins = String::new();
    for line in text(files, "report.md").lines() {
        let finding = line
            .split_once("**")
            .and_then(|(_, rest)| rest.split_once(":**"));
        if line.starts_with('#') {
            writeln!(pins, "{line}").unwrap();
        } else if let Some(drawing) = line
            .strip_prefix("![")
            .and_then(|rest| rest.split_once("](")?.1.strip_suffix(')'))
        {
            write!(pins, "{drawing}\n{}", drawn_points(text(files, drawing))).unwrap();
        } else if let Some((verdict, here)) = finding {
            writeln!(pins, "{verdict}: {}", numbers(here)).unwrap();
        } else if line.starts_with('|') && !line.starts_with("| ---") {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            if cells
                .iter()
                .any(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
            {
                writeln!(pins, "{}", cells.join(" | ")).unwrap();
            }
        }
    }
    pins
}

#[test]
fn the_numbers_and_verdicts_of_a_small_input_are_as_they_were_read() {
    let folder = tempdir();
    assert_golden("report", &pinned(&build(&tiny(&folder)).unwrap()));
}

#[test]
fn the_page_is_well_formed_and_its_links_lead_somewhere() {
    let folder = tempdir();
    let files = build(&tiny(&folder)).unwrap();
    let tags = tags(text(&files, "index.html"));
    let ids: Vec<_> = tags.iter().filter_map(|tag| attribute(tag, "id")).collect();
    assert_eq!(
        ids.iter().collect::<HashSet<_>>().len(),
        ids.len(),
        "{ids:?}"
    );
    let links: Vec<_> = tags
        .iter()
        .filter_map(|tag| attribute(tag, "href"))
        .collect();
    assert!(links.len() >= 10, "{links:?}");
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(&id), "{link} leads nowhere"),
            None => assert!(
                folder.path().join(link).is_file(),
                "{link} leads out of the page"
            ),
        }
    }
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let folder = tempdir();
    let files = build(&tiny(&folder)).unwrap();
    for file in files.iter().filter(|file| !file.name.ends_with(".md")) {
        let text = file
            .text
            .replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for foreign in [
            "<script", "<link", "<img", "<iframe", "http:", "https:", "src=", "url(", "@import",
            " on",
        ] {
            let found = text
                .find(foreign)
                .map(|at| &text[at..(at + 60).min(text.len())]);
            let is_attribute = |text: &str| {
                foreign != " on"
                    || text
                        .split('=')
                        .next()
                        .is_some_and(|name| !name[1..].contains(' '))
            };
            assert!(!found.is_some_and(is_attribute), "{}: {found:?}", file.name);
        }
    }
}

#[test]
fn every_chart_of_the_markdown_is_a_file_and_every_file_is_shown() {
    let folder = tempdir();
    let files = build(&tiny(&folder)).unwrap();
    let shown: Vec<_> = text(&files, "report.md")
        .lines()
        .filter_map(|line| {
            line.strip_prefix("![")?
                .split_once("](")?
                .1
                .strip_suffix(')')
        })
        .collect();
    let drawn: Vec<_> = files
        .iter()
        .map(|file| file.name.as_str())
        .filter(|name| name.ends_with(".svg"))
        .collect();
    assert!(drawn.len() >= 8, "{drawn:?}");
    assert_eq!(shown, drawn);
    for name in drawn {
        tags(text(&files, name));
    }
}

#[test]
fn what_is_missing_is_named_and_the_rest_is_shown() {
    let folder = tempdir();
    let mut inputs = tiny(&folder);
    inputs.games[1] = folder.path().join("play/none.csv");
    inputs.calibration = Some(folder.path().join("none.csv"));
    inputs.training.alpha = Some(folder.path().join("none"));
    let files = build(&inputs).unwrap();
    let page = text(&files, "report.md");
    for said in [
        "> Missing: `play/none.csv`.",
        "## Figure 1: versions that solve constraints\n\n> Nothing to show yet",
        "> Missing: the table of `pipeline calibrate`.",
        "> Missing: the record of the search for alpha.",
        "> Missing: the record of the training of 6.5.",
        "| 4.0 | 86.24 | 86.10 (85.60 - 86.60) |",
    ] {
        assert!(page.contains(said), "{said:?} is not in\n{page}");
    }
    assert!(build(&Inputs::default()).is_ok());
}

#[test]
fn a_wrong_line_is_named_and_nothing_is_written() {
    let good = row("3.0", [9, 9, 10], [100, 50, 0], 1.0);
    let wrong = [
        (
            good.replace("9,9,10", "9,9,ten"),
            "line 3: mines: invalid digit",
        ),
        (
            good.replace(",1,1\n", ",1\n"),
            "line 3: it has 7 entries, the header 8",
        ),
        (
            row("3.0", [9, 9, 10], [100, 50, 60], 1.0),
            "line 3: 50 wins and 60 timeouts in 100 games",
        ),
        (
            good.replace("0.500000", "0.510000"),
            "line 3: win_ratio is 0.51, and 50 of 100 games are won",
        ),
        (
            good.replace(",0.505000,", ",1.505,"),
            "line 3: ci_high is 1.505, not between 0 and 1",
        ),
        (good.replace(",100,50,50,", ",0,0,0,"), "line 3: games is 0"),
    ];
    for (line, why) in wrong {
        let folder = tempdir();
        games(&folder, "play/table4.csv", &format!("{HEADER}{good}{line}"));
        let failed = pipeline(&format!(
            "report --from {} --models models",
            folder.path().display()
        ))
        .code(2);
        let said = failed.stderr();
        assert!(
            said.contains("play/table4") && said.contains(why) && said.contains("help:"),
            "{why}: {said}"
        );
        assert!(!folder.path().join("index.html").exists());
    }
    let folder = tempdir();
    file(&folder, "play/table4.csv", &HEADER.replace("wins,", ""));
    let all = format!("{}{good}", HEADER.replace("wins,", "won,"));
    file(&folder, "play/learned.csv", &all);
    let said = pipeline(&format!("report --from {}", folder.path().display()))
        .code(2)
        .stderr();
    assert!(
        said.contains("learned.csv line 2: missing field `wins`"),
        "{said}"
    );
}

#[test]
fn wrong_training_records_are_named_with_their_line() {
    let folder = tempdir();
    let inputs = tiny(&folder);
    let wrong = [
        (
            "classifier/metrics.jsonl",
            "{\"round\":\"episode\"}\n",
            "metrics.jsonl line 1: missing field",
        ),
        (
            "trees/metrics.jsonl",
            "{\"round\":1,\"validation_log_loss\":0.6}\n{\n",
            "metrics.jsonl line 2: ",
        ),
        (
            "alpha/alpha.json",
            "{\"theta\":[1,2]}",
            "alpha.json line 1: ",
        ),
        (
            "alpha/sweep.csv",
            "width,height,mines,mine_ratio,alpha,games,wins,win_ratio\n5,4,2,0.1,0,10,11,1.1\n",
            "sweep.csv line 2: 11 wins in 10 games",
        ),
        (
            "trees/importance.csv",
            "feature,share_of_gain,total_gain,gain_per_split,splits\na,2,1,1,1\n",
            "share_of_gain is 2",
        ),
        (
            "play/calibration.csv",
            "player,predictor,cells,bin_low,bin_high,count,mines,predicted,observed\n3.0,oracle,chosen,0,0.05,1,0,0,0\n",
            "unknown variant",
        ),
        (
            "play/calibration.csv",
            "player,predictor,cells,bin_low,bin_high,count,mines,predicted,observed\n3.0,source,chosen,0,0.05,1,2,0,0\n",
            "2 mines among 1",
        ),
        (
            "play/calibration-scores.csv",
            "player,predictor,cells,count,brier_score,log_loss,calibration_error\n3.0,source,chosen,1,2,0,0\n",
            "calibration-scores.csv line 2: brier_score is 2, not between 0 and 1",
        ),
        (
            "play/calibration-errors.csv",
            "player,board,guesses,mean_error,zero_cells,zero_mines,share,ci_low,ci_high\n4.5,9x9/10,1,,1,2,,0,1\n",
            "calibration-errors.csv line 2: 2 mines among 1 cells",
        ),
    ];
    for (name, contents, why) in wrong {
        let before = fs::read(folder.path().join(name)).unwrap();
        file(&folder, name, contents);
        let said = build(&inputs).unwrap_err().to_string();
        assert!(said.contains(why), "{name}: {said}");
        fs::write(folder.path().join(name), before).unwrap();
    }
    assert!(build(&inputs).is_ok());
}

/// The word before what is found here, of the finding that begins so.
fn verdict<'a>(page: &'a str, paper: &str) -> &'a str {
    let after = page
        .split_once(&format!("- {paper}"))
        .unwrap_or_else(|| panic!("{paper:?} is not in\n{page}"))
        .1;
    after
        .split("**")
        .nth(1)
        .expect("a finding has a verdict")
        .trim_end_matches(':')
}

#[test]
fn verdicts_follow_the_numbers() {
    let folder = tempdir();
    let report = |experiment: String| {
        let games = vec![games(
            &folder,
            "play/section53.csv",
            &(HEADER.to_owned() + &experiment),
        )];
        let files = build(&Inputs {
            games,
            ..Inputs::default()
        })
        .unwrap();
        text(&files, "report.md").to_owned()
    };
    let like_the_paper = report(
        grid("2.0", 40.0, |_, percent| 50 - 2 * percent)
            + &grid("3.0", 4.0, |_, percent| 90 - 4 * percent)
            + &grid("4.0", 4.0, |_, percent| 99 - 4 * percent),
    );
    assert_eq!(verdict(&like_the_paper, "2.0 performs worst"), "agrees");
    assert_eq!(
        verdict(&like_the_paper, "4.0 wins more than 3.0: cells"),
        "agrees"
    );
    assert_eq!(
        verdict(&like_the_paper, "2.0 is much slower than 3.0"),
        "agrees"
    );
    // A hundred games of a board do not show that nothing changes, ten thousand do.
    let flat = "It does not matter to any version: the number of cells";
    assert_eq!(verdict(&like_the_paper, flat), "not shown");
    assert_eq!(
        verdict(
            &report(grid_of(10_000, "3.0", 1.0, |_, percent| 90 - percent)),
            flat
        ),
        "agrees"
    );
    // A group in the middle that differs is seen, though the first and the last are alike.
    let hump = grid_of(10_000, "3.0", 1.0, |cells, percent| {
        if cells == 70 {
            99 - percent
        } else {
            90 - percent
        }
    });
    assert_eq!(
        verdict(
            &report(hump),
            "It does not matter to any version: the ratio of the sides"
        ),
        "differs"
    );
    assert_eq!(
        verdict(
            &like_the_paper,
            "2.5, whose search is limited, is very close"
        ),
        "not run"
    );
    assert_eq!(
        verdict(
            &like_the_paper,
            "2.5, whose search is limited, is much faster"
        ),
        "not run"
    );
    let unlike = report(
        grid("2.0", 4.0, |cells, percent| 95 - percent - cells / 2)
            + &grid("3.0", 40.0, |cells, percent| 90 - percent - cells / 2)
            + &grid("4.0", 4.0, |cells, percent| 80 - percent - cells / 2),
    );
    assert_eq!(verdict(&unlike, "2.0 performs worst"), "differs");
    assert_eq!(verdict(&unlike, "4.0 wins more than 3.0: cells"), "differs");
    assert_eq!(verdict(&unlike, "2.0 is much slower than 3.0"), "differs");
    assert_eq!(verdict(&unlike, flat), "differs");
}

#[test]
fn versions_that_learn_are_held_against_each_other_version_that_a_sentence_names() {
    let folder = tempdir();
    let half = "dss+dsscsp:solutions=100:depth=300:off-boundary=half+edge:margin=0.05";
    let won = [
        ("4.0", 70),
        ("4.5", 70),
        (half, 60),
        ("5.0", 80),
        ("5.5", 75),
        ("6.0", 85),
        ("6.5", 90),
    ];
    let experiment: String = won
        .into_iter()
        .map(|(player, won)| grid_of(10_000, player, 1.0, move |_, percent| won - percent))
        .collect();
    let games = vec![games(
        &folder,
        "play/section53.csv",
        &(HEADER.to_owned() + &experiment),
    )];
    let files = build(&Inputs {
        games,
        ..Inputs::default()
    })
    .unwrap();
    let of_case =
        |claim: &str, case: &str| verdict_of_case(text(&files, "verdicts.csv"), claim, case);
    assert_eq!(
        [
            of_case("following", "5.0 over 5.5"),
            of_case("following", "5.0 over 6.0")
        ],
        ["agrees", "differs"]
    );
    assert_eq!(
        [
            of_case("following", "5.5 over 4.5"),
            of_case("following", "all")
        ],
        ["agrees", "differs"]
    );
    assert_eq!(
        [
            of_case("dense", "5.5 over half-4.5"),
            of_case("end", "half-4.5")
        ],
        ["differs", "differs"]
    );
    assert!(
        text(&files, "report.md").contains("half-4.5 40.00 ("),
        "{}",
        text(&files, "report.md")
    );
}

#[test]
fn the_page_has_the_values_of_the_committed_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let inputs = mineflow::report::inputs_in(&folder, None).unwrap();
    let files = build(&inputs).unwrap();
    let page = text(&files, "index.html");
    // Of several rows of a player the one with most games is shown, luck-corrected.
    let mut most = std::collections::BTreeMap::new();
    for file in ["play/table4.csv", "play/learned.csv"] {
        let mut table = csv::Reader::from_path(folder.join(file)).unwrap();
        for record in table
            .records()
            .map(Result::unwrap)
            .filter(|record| &record[5] == "safe" && record[0].len() < 6)
        {
            let games = |record: &csv::StringRecord| record[6].parse::<u64>().unwrap();
            if most
                .get(&record[0])
                .is_none_or(|other| games(other) < games(&record))
            {
                most.insert(record[0].to_owned(), record);
            }
        }
    }
    for record in most.values() {
        let percent =
            |column: usize| format!("{:.2}", 100.0 * record[column].parse::<f64>().unwrap());
        let shown = format!(
            "{} <span>({} - {})</span>",
            percent(14),
            percent(15),
            percent(16)
        );
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("<tr><td>{}</td>", &record[0])))
            .unwrap();
        assert!(line.contains(&shown), "{shown} is not in {line}");
    }
    assert_eq!(most.len(), 13);
    // Nothing but the data decides the bytes, and what is committed is made of what is committed.
    for file in &files {
        let committed = fs::read_to_string(folder.join(&file.name)).unwrap_or_default();
        assert!(
            committed == file.text,
            "{} is not up to date; `pipeline report` writes it",
            file.name
        );
    }
}

#[test]
fn every_command_of_a_run_s_report_gives_the_numbers_beside_it() {
    let folder = tempdir();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for (from, to) in [
        ("xgboost-logistic.json", "my trees.json"),
        ("network-table-1.safetensors", "net.safetensors"),
    ] {
        fs::copy(fixtures.join(from), folder.path().join(to)).unwrap();
    }
    let stages = "format = 1\nseed = 5\n\
        [stage.play]\ncommand = \"eval\"\nplayers = [\"1.0\", \"2.5\", \"5.0\", \"5.5\"]\ngames = 40\nnode-limit = 3000\n\
        first-click = [\"safe\", \"opening\"]\nmodel = { \"5.0\" = \"./my trees.json\" }\n\
        [stage.more]\ncommand = \"eval\"\nplayers = [\"5.5\", \"4.0\"]\nboards = [\"beginner\", \"intermediate\"]\ngames = 30\n\
        model = { \"5.5\" = \"./net.safetensors\" }\n\
        [stage.report]\ncommand = \"report\"\nruns = [\"play\", \"more\"]\n";
    file(&folder, "small.toml", stages);
    let run = |arguments: &[&str]| {
        Finished::of(command("").current_dir(folder.path()).args(arguments))
            .success()
            .stdout()
    };
    run(&[
        "models",
        "--models",
        "models",
        "import",
        "5.5",
        "net.safetensors",
    ]);
    run(&["run", "small.toml", "-q"]);
    let mut given = 0;
    for player in ["1.0", "2.5", "4.0", "5.0", "5.5"] {
        let versions =
            fs::read_to_string(folder.path().join("runs/small/report/versions.md")).unwrap();
        let (_, page) = versions.split_once(&format!("\n## {player}\n")).unwrap();
        let page = page.split("\n## ").next().unwrap();
        let mut rows: Vec<_> = page
            .lines()
            .filter(|line| line.starts_with("| 9x9") || line.starts_with("| 16x16"))
            .collect();
        let commands = page
            .split_once("```sh\n")
            .unwrap()
            .1
            .split_once("\n```")
            .unwrap()
            .0;
        for typed in commands.lines() {
            let words: Vec<_> = typed
                .split('\'')
                .enumerate()
                .flat_map(|(at, part)| match at % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                })
                .skip(1)
                .collect();
            for line in run(&[&words[..], &["--json", "-q"]].concat()).lines() {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                let [won, low, high] = ["win_ratio", "ci_low", "ci_high"]
                    .map(|name| 100.0 * row[name].as_f64().unwrap());
                let shown = format!(
                    "| {}x{}/{} | {} | {} | {won:.2} ({low:.2} - {high:.2}) |",
                    row["width"],
                    row["height"],
                    row["mines"],
                    row["first_click"].as_str().unwrap(),
                    row["games"]
                );
                let at = rows.iter().position(|line| *line == shown);
                rows.remove(
                    at.unwrap_or_else(|| panic!("{typed} gives {shown}, which is not in\n{page}")),
                );
                given += 1;
            }
        }
        assert_eq!(
            rows,
            Vec::<&str>::new(),
            "no command of {player} gives these"
        );
    }
    assert_eq!(given, 11);
}

/// The rows of a calibration without their header: player, predictor, cells, count, mines, predicted.
fn bins(csv: &str) -> Vec<(String, String, String, u64, u64, f64)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let row = |record: csv::StringRecord| {
        let text = |column: usize| record[column].to_owned();
        let number = |column: usize| record[column].parse::<f64>().unwrap();
        (
            text(0),
            text(2),
            text(3),
            number(6) as u64,
            number(7) as u64,
            number(8),
        )
    };
    reader
        .records()
        .map(|record| row(record.unwrap()))
        .collect()
}

#[test]
fn calibration_counts_every_guess_once() {
    let folder = tempdir();
    let out = folder.path().display();
    pipeline(&format!(
        "calibrate --players 4.0,5.0 --boards beginner,7x6/9 --games 130 -q --out {out}"
    ))
    .success();
    let csv = fs::read_to_string(folder.path().join("calibration.csv")).unwrap();
    // Who plays the same games without being watched guesses as often.
    let played = pipeline("eval --players 4.0,5.0 --boards beginner,7x6/9 --games 130 --json -q")
        .success()
        .stdout();
    for player in ["4.0", "5.0"] {
        let rows = played
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let guesses: f64 = rows
            .filter(|row| row["player"] == player)
            .map(|row| row["guesses_per_game"].as_f64().unwrap() * row["games"].as_f64().unwrap())
            .sum();
        let losses = pipeline(&format!(
            "eval --players {player} --boards beginner,7x6/9 --games 130 --json -q"
        ))
        .success()
        .stdout();
        let losses: u64 = losses
            .lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["losses"]
                    .as_u64()
                    .unwrap()
            })
            .sum();
        for predictor in if player == "5.0" {
            &["source", "model"][..]
        } else {
            &["source"]
        } {
            let bins = bins(&csv);
            let chosen = bins
                .iter()
                .filter(|bin| bin.0 == player && bin.1 == *predictor && bin.2 == "chosen");
            let (count, mines) =
                chosen.fold((0, 0), |(count, mines), bin| (count + bin.3, mines + bin.4));
            assert_eq!(
                (count, mines),
                (guesses.round() as u64, losses),
                "{player} {predictor}"
            );
        }
    }
}

/// The objects of a table of `pipeline calibrate --json`.
fn of_table(json: &str, table: &str) -> Vec<serde_json::Value> {
    let rows = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.filter(|row| row["table"] == table).collect()
}

#[test]
fn scores_are_of_every_prediction_and_agree_with_the_bins() {
    let folder = tempdir();
    let out = folder.path().display();
    let arguments =
        format!("calibrate --players 4.5,5.0 --boards 7x6/9 --games 200 --json -q --out {out}");
    let json = pipeline(&arguments).success().stdout();
    let (scores, bins) = (of_table(&json, "scores"), of_table(&json, "bins"));
    assert_eq!((scores.len(), of_table(&json, "errors").len()), (9, 2));
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().unwrap();
    for score in &scores {
        let same = |bin: &&serde_json::Value| {
            ["player", "predictor", "cells"]
                .iter()
                .all(|name| bin[name] == score[name])
        };
        let bins: Vec<_> = bins.iter().filter(same).collect();
        let sum =
            |of: &dyn Fn(&serde_json::Value) -> f64| bins.iter().map(|bin| of(bin)).sum::<f64>();
        let count = number(score, "count");
        assert_eq!(sum(&|bin| number(bin, "count")), count, "{score}");
        let apart = |bin: &serde_json::Value| {
            number(bin, "count") * (number(bin, "predicted") - number(bin, "observed")).abs()
                / count
        };
        assert!(
            (sum(&apart) - number(score, "calibration_error")).abs() < 2e-6,
            "{score}"
        );
        // Were every prediction the mean of its bin, the score would be this; it is farther off by the spread within bins.
        let of_means = |bin: &serde_json::Value| {
            let (p, q) = (number(bin, "predicted"), number(bin, "observed"));
            number(bin, "count") * (q * (1.0 - p).powi(2) + (1.0 - q) * p * p) / count
        };
        assert!(
            (sum(&of_means) - number(score, "brier_score")).abs() < 0.05 * 0.05,
            "{score}"
        );
        assert!((0.0..14.0).contains(&number(score, "log_loss")), "{score}");
    }
    let table = |name: &str| {
        fs::read_to_string(folder.path().join(name))
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!(
        (
            table("calibration-scores.csv"),
            table("calibration-errors.csv"),
            table("calibration.csv")
        ),
        (10, 3, bins.len() + 1)
    );
}

#[test]
fn guesses_end_with_the_game_that_reaches_them() {
    let of = "calibrate --players 4.5,5.5 --boards beginner,8x8/12 --json -q --guesses 300";
    let json = pipeline(of).success().stdout();
    let errors = of_table(&json, "errors");
    assert_eq!(errors.len(), 4);
    for row in &errors {
        let guesses = row["guesses"].as_u64().unwrap();
        assert!((300..330).contains(&guesses), "{row}");
        assert!(row["mean_error"].as_f64().unwrap() > 0.0, "{row}");
    }
    // The first number of games that has so many guesses gives the same.
    let guesses = |games: u32| {
        let json = pipeline(&format!(
            "calibrate --players 4.5 --boards 8x8/12 --json -q --games {games}"
        ))
        .success()
        .stdout();
        of_table(&json, "errors")[0].clone()
    };
    let (mut low, mut high) = (0, 300);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let enough = guesses(middle)["guesses"].as_u64().unwrap() >= 300;
        if enough { high = middle } else { low = middle }
    }
    assert_eq!(guesses(high), errors[1]);
}

#[test]
fn p_of_a_limit_that_is_never_met_has_no_error_and_exact_p_no_row() {
    let json = pipeline(
        "calibrate --players 2.0,4.0,7.0,dss+dsscsp:solutions=1000000000+min-p --boards 6x6/6 --games 60 --json -q",
    );
    let errors = of_table(&json.success().stdout(), "errors");
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (
            errors[0]["mean_error"].as_f64(),
            errors[0]["zero_cells"].as_u64()
        ),
        (Some(0.0), Some(0)),
        "{errors:?}"
    );
    assert!(
        errors[0]["guesses"].as_u64().unwrap() > 60 && errors[0]["share"].is_null(),
        "{errors:?}"
    );
}

#[test]
fn the_true_posterior_is_calibrated() {
    let folder = tempdir();
    let seven = format!(
        "calibrate --players 7.0 --boards 8x8/12 --games 1500 -q --out {}",
        folder.path().display()
    );
    pipeline(&seven).success();
    let bins = bins(&fs::read_to_string(folder.path().join("calibration.csv")).unwrap());
    let chosen: Vec<_> = bins
        .iter()
        .filter(|bin| bin.2 == "chosen" && bin.3 >= 100)
        .collect();
    assert!(chosen.len() >= 3, "{bins:?}");
    for bin in chosen {
        let (count, predicted) = (bin.3 as f64, bin.5);
        let deviation = (predicted * (1.0 - predicted) / count).sqrt();
        assert!(
            (bin.4 as f64 / count - predicted).abs() < 4.0 * deviation,
            "{bin:?}"
        );
    }
}

#[test]
fn players_that_predict_nothing_are_refused() {
    let said = command("calibrate --players agent --games 1 -q")
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2));
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("player agent doesn't weigh every cell"),
        "{said}"
    );
}

const SERIES: &str = "game,kind,player,opponent,budget,solving_share,samples_per_stage,matches,wins,draws,losses,score,\
                      deviation,low,high,mean_goal,opponent_goal,samples_per_move,opponent_samples_per_move,stages_per_move,\
                      certain_cuts_per_move,confidence_cuts_per_move,explored,opponent_explored\n";

/// A row as `pipeline ggp match` writes it: 100 matches, nothing drawn.
fn match_row(game: &str, players: [&str; 2], budget: &str, share: f64, wins: u32) -> String {
    let [player, opponent] = players;
    let (low, high) = (wins.saturating_sub(9), (wins + 9).min(100));
    let losses = 100 - wins;
    format!(
        "{game},opposed,{player},{opponent},{budget},{share},10000,100,{wins},0,{losses},{wins},5,{low},{high},{wins},,20,40,\
         3,0,0,1,2\n"
    )
}

#[test]
fn rule_sheets_have_the_papers_figures_beside_ours_and_verdicts_from_the_numbers() {
    let folder = tempdir();
    let inputs = Inputs {
        rule_sheets: Some(folder.path().join("ggp")),
        ..Inputs::default()
    };
    let empty = build(&inputs).unwrap();
    for (name, command) in [
        (
            "table3.csv",
            "pipeline run pipelines/mac-ucb.toml table-3 table-3-chinese-checkers",
        ),
        ("equality.csv", "pipeline ggp check FILE --playouts 10000"),
        ("networks.csv", "pipeline ggp check FILE --scsp"),
        (
            "figure5.csv",
            "pipeline run pipelines/mac-ucb.toml figure-5",
        ),
    ] {
        let said = format!("> Missing: `ggp/{name}`. `{command}` makes it.");
        assert!(text(&empty, "report.md").contains(&said), "{said}");
    }
    let (uct, mac, fc) = ("uct", "mac-ucb", "fc-ucb");
    let table3 = SERIES.to_owned()
        + &match_row("hex", [mac, uct], "10ms", 0.9, 70)
        + &match_row("kaseklau", [mac, uct], "10ms", 0.9, 65)
        + &match_row("connect-four", [mac, uct], "10ms", 0.9, 20)
        + &match_row("hex", [mac, fc], "10ms", 0.9, 30)
        + &match_row("kaseklau", [mac, fc], "10ms", 0.9, 52)
        + &match_row("orchard", [mac, ""], "10ms", 0.9, 68).replace(",20,40,", ",20,,");
    let costs = "game,player,opponent,budget,solving_share,matches,cpu_seconds\nhex,mac-ucb,uct,10ms,0.9,2,5\nchess,mac-ucb,uct,10ms,0.9,2,9.5\n";
    file(&folder, "ggp/match-costs.csv", costs);
    file(
        &folder,
        "ggp/ceilings.csv",
        "game,states,role,plays,others,goal\norchard,9,anna,best,best,68.40475\n",
    );
    let table4 = SERIES.to_owned()
        + &match_row("hex", [mac, uct], "10ms", 0.9, 70)
        + &match_row("hex", [mac, uct], "40ms", 0.9, 20);
    let figure6 = SERIES.to_owned()
        + &match_row("hex", [mac, uct], "10ms", 0.0, 40)
        + &match_row("hex", [mac, uct], "10ms", 0.9, 70);
    file(&folder, "ggp/table3.csv", &table3);
    file(&folder, "ggp/times.csv", &table4);
    file(&folder, "ggp/figure6.csv", &figure6);
    file(
        &folder,
        "ggp/equality.csv",
        "game,engines,playouts,states,cpu_seconds,difference\nhex,constraints,10,500,1.5,\n",
    );
    file(
        &folder,
        "ggp/networks.csv",
        "game,network,preprocessed,variables,largest_domain,constraints,tuples,cpu_seconds\nhex,stage,true,500,82,450,9000,0.1\n",
    );
    file(
        &folder,
        "ggp/figure5.csv",
        "game,player,opponent,budget,from,to,matches,wins,draws,losses,score,low,high,explored,samples_per_move\n\
         kaseklau,mac-ucb,uct,64it,1,10,100,50,0,50,50,40,60,20,64\nkaseklau,mac-ucb,uct,64it,91,100,100,80,0,20,80,71,89,95,9\n",
    );
    let files = build(&inputs).unwrap();
    let page = text(&files, "report.md");
    assert_eq!(verdict(page, "MAC-UCB dominates FC-UCB."), "differs");
    assert_eq!(
        verdict(page, "MAC-UCB's lead on UCT grows with the time"),
        "differs"
    );
    // Where most games of the paper were not played, those that were cannot show it.
    assert_eq!(
        verdict(page, "MAC-UCB outperforms UCT in all games."),
        "not shown"
    );
    assert_eq!(verdict(page, "The best share of solving"), "not shown");
    assert_eq!(
        verdict(page, "In stochastic games MAC-UCB's lead"),
        "not shown"
    );
    assert_eq!(verdict(page, "In Awale, which is deterministic"), "not run");
    assert_eq!(verdict(page, "Orchard is won in around 70 %"), "not shown");
    assert_eq!(
        verdict(page, "In Orchard MAC-UCB and UCT perform alike."),
        "not run"
    );
    let of_case = |claim, case| verdict_of_case(text(&files, "verdicts.csv"), claim, case);
    assert_eq!(
        [
            of_case("mac-ucb-uct", "hex, 10ms"),
            of_case("stochastic", "kaseklau")
        ],
        ["agrees", "agrees"]
    );
    assert_eq!(
        [of_case("share", "hex 0 %"), of_case("mac-ucb-uct", "chess")],
        ["agrees", "not run"]
    );
    assert_eq!(
        [
            of_case("orchard-optimum", "mac-ucb"),
            of_case("orchard-optimum", "uct")
        ],
        ["not shown", "not run"]
    );
    // A game that the paper has not counts for none of its claims.
    assert!(!text(&files, "verdicts.csv").contains("connect-four"));
    for said in [
        "The paper's own players in all its games: 5 of 45 cells are played here.",
        "| hex | mac-ucb, uct | 10ms | 100 | 70, 0, 30 | 70.00 (61.00 - 79.00) | 69.7 | 20, 40 | 2.5 |",
        "| chess | mac-ucb, uct | 10ms | not played | - | - | 53.8 | - | 4.8 |",
        "| chess | fc-ucb, uct | - | not played | - | - | 39.4 | - | not measured |",
        "| orchard | mac-ucb alone | 10ms | 100 | 68, 0, 32 | 68.00 (59.00 - 77.00) | 70.2 | 20 | not measured |",
        "best play wins 68.4 %",
        "At 0 the root alone is solved. A stage is left after 10,000 samples.",
        "| hex | 40ms | 100 | 20, 0, 80 | 20.00 (11.00 - 29.00) | 20, 40 |",
        "| hex | 500 | 82 | 450 | 9,000 | 0.1 | 22 | 6,561 | 27 | 91 |",
        "10 with 500 states in all: no difference.",
        "| kaseklau | mac-ucb | 64it | 91 to 100 | 100 | 80.00 (71.00 - 89.00) | 95.0 | 9 |",
    ] {
        assert!(page.contains(said), "{said:?} is not in\n{page}");
    }
    file(
        &folder,
        "ggp/table3.csv",
        &table3.replace(",70,0,30,", ",70,0,31,"),
    );
    let said = build(&inputs).unwrap_err().to_string();
    assert!(
        said.contains("table3.csv line 2: 70 wins, 0 draws and 31 losses in 100 matches"),
        "{said}"
    );
    file(&folder, "ggp/table3.csv", &table3);
    file(
        &folder,
        "ggp/figure5.csv",
        "game,player,opponent,version,opponent_version,budget,from,to,matches,wins,draws,losses,score,low,high,explored,samples_per_move\n\
         hex,mac-ucb,uct,0a1b,2c3d,64it,1,10,100,50,0,50,50,40,60,20,64\n\
         othello,mac-ucb,uct,0a1b,4e5f,64it,1,10,100,80,0,20,80,71,89,95,9\n",
    );
    let said = build(&inputs).unwrap_err().to_string();
    assert!(
        said.contains(
            "figure5.csv line 3: uct has 4e5f here and 2c3d above; put them into two tables"
        ),
        "{said}"
    );
}

/// Verdicts of cases of the rule sheets' claims with this table 3.
fn in_table_3(rows: &[String], cases: &[(&str, &str)]) -> Vec<String> {
    let folder = tempdir();
    file(
        &folder,
        "ggp/table3.csv",
        &(SERIES.to_owned() + &rows.concat()),
    );
    let inputs = Inputs {
        rule_sheets: Some(folder.path().join("ggp")),
        ..Inputs::default()
    };
    let files = build(&inputs).unwrap();
    cases
        .iter()
        .map(|(claim, case)| verdict_of_case(text(&files, "verdicts.csv"), claim, case))
        .collect()
}

#[test]
fn table_3_takes_the_papers_players_alone_and_one_of_three_for_even_at_a_third() {
    let row =
        |game: &str, player: &str, wins: u32| match_row(game, [player, "uct"], "10ms", 0.9, wins);
    let others = ["mac-ucb:samples=9", "mac-ucb:samples=9:lanes=64", "random"];
    let rows = others.map(|player| row("hex", player, 90));
    assert_eq!(
        in_table_3(&rows, &[("mac-ucb-uct", "hex"), ("mac-ucb-uct", "all")]),
        ["not run", "not run"]
    );
    // 45 of 100 is ahead of two equals, and not ahead of one.
    let three = [
        row("chinese-checkers", "mac-ucb:lanes=64:leaves=4", 45),
        row("hex", "mac-ucb", 45),
    ];
    let cases = [
        ("mac-ucb-uct", "chinese-checkers, 10ms"),
        ("mac-ucb-uct", "hex, 10ms"),
        ("short", "chinese-checkers, 10ms"),
    ];
    assert_eq!(
        in_table_3(&three, &cases),
        ["agrees", "not shown", "differs"]
    );
    // Where half of the matches are drawn, equals win a sixth: 20 won and 50 drawn are no lead.
    let drawn = row("chinese-checkers", "mac-ucb", 45).replace(",45,0,55,45,", ",20,50,30,45,");
    assert_eq!(in_table_3(&[drawn], &cases[..1]), ["not shown"]);
}

#[test]
fn a_game_counts_once_for_a_majority_however_many_series_it_has() {
    let row = |game: &str, budget: &str| match_row(game, ["fc-ucb", "uct"], budget, 0.9, 20);
    let seven = [
        "hex", "chess", "awale", "checkers", "othello", "pacman", "yahtzee",
    ]
    .map(|game| row(game, "10ms"));
    let twice = [&seven[..], &[row("hex", "40ms")]].concat();
    assert_eq!(in_table_3(&twice, &[("uct-fc-ucb", "")]), ["not shown"]);
    let eight = [&seven[..], &[row("kaseklau", "10ms")]].concat();
    assert_eq!(in_table_3(&eight, &[("uct-fc-ucb", "")]), ["agrees"]);
}

#[test]
fn a_series_that_a_test_ended_is_judged_by_its_interval() {
    let header = SERIES.replace("matches,wins", "matches,test,wins");
    let verdict = |test: &str, wins: u32| {
        let folder = tempdir();
        let row = match_row("hex", ["mac-ucb", "uct"], "10ms", 0.9, wins)
            .replace(",100,", &format!(",100,{test},"));
        file(&folder, "ggp/table3.csv", &format!("{header}{row}"));
        let inputs = Inputs {
            rule_sheets: Some(folder.path().join("ggp")),
            ..Inputs::default()
        };
        let files = build(&inputs).unwrap();
        assert!(text(&files, "report.md").contains(&format!("| 100, test {test} |")));
        verdict_of_case(text(&files, "verdicts.csv"), "mac-ucb-uct", "hex, 10ms")
    };
    // A test between 5 points behind and 5 ahead that accepts does not show a lead.
    assert_eq!(
        [verdict("accepted", 55), verdict("accepted", 70)],
        ["not shown", "agrees"]
    );
    assert_eq!(
        [verdict("rejected", 45), verdict("rejected", 30)],
        ["not shown", "differs"]
    );
}

#[test]
fn every_figure_of_the_committed_page_links_its_data_and_names_their_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    let figures: Vec<_> = page
        .split("<figure id=")
        .skip(1)
        .map(|rest| rest.split_once("</figure>").unwrap().0)
        .collect();
    assert!(figures.len() >= 20, "{}", figures.len());
    for figure in figures {
        let id = figure.split('>').next().unwrap();
        let (_, sources) = figure
            .split_once("<details class=\"sources\">")
            .unwrap_or_else(|| panic!("{id} has no data"));
        let links: Vec<_> = sources
            .split("href=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        assert!(!links.is_empty(), "{id}");
        for link in links {
            assert!(folder.join(link).is_file(), "{id}: {link}");
            let command = sources
                .split(&format!("<p>{link}: "))
                .nth(1)
                .or(sources.split("<p>").nth(1))
                .unwrap();
            assert!(
                command.contains("<code>pipeline "),
                "{id}: {link} has no command: {command}"
            );
        }
    }
}
