//! The report's part on SameGame says what its tables say.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mineflow::report::{Inputs, build};

use crate::program::{pipeline, tempdir};
use crate::report::verdict_of_case;

/// How much harder than others each of four boards is.
const BOARDS: [i32; 4] = [-300, -100, 100, 300];

/// Writes the three tables of a stage: algorithms with budgets, and about how many points each makes on a board.
fn stage(folder: &Path, name: &str, boards: usize, rows: &[(&str, &str, i32)]) {
    let mut table = "algorithm,budget,boards,mean,deviation,low,high,total,cleared,mean_moves,mean_playouts,mean_nodes,mean_depth,mean_deepest\n"
        .to_owned();
    let mut each =
        "algorithm,budget,board,score,cleared,moves,playouts,nodes,mean_depth,deepest\n".to_owned();
    let mut cost = "algorithm,budget,cpu_seconds_per_board,playouts_per_cpu_second\n".to_owned();
    for (index, (algorithm, budget, points)) in rows.iter().enumerate() {
        let score = |board: usize| {
            points + BOARDS[board % 4] + 10 * ((board / 4 + board + index) % 2) as i32
        };
        let scores: Vec<_> = (0..boards).map(score).collect();
        let total: i32 = scores.iter().sum();
        let (count, mean) = (boards as f64, f64::from(total) / boards as f64);
        let squares: f64 = scores
            .iter()
            .map(|&score| (f64::from(score) - mean).powi(2))
            .sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        let half = 1.96 * deviation / count.sqrt();
        let (low, high) = (mean - half, mean + half);
        writeln!(
            table,
            "{algorithm},{budget},{boards},{mean:.3},{deviation:.3},{low:.3},{high:.3},{total},{boards},60,1000,500,10,20"
        )
        .unwrap();
        writeln!(cost, "{algorithm},{budget},{}.5,1000", index + 1).unwrap();
        for (board, score) in scores.iter().enumerate() {
            writeln!(
                each,
                "{algorithm},{budget},{},{score},true,60,1000,500,10,20",
                board + 1
            )
            .unwrap();
        }
    }
    fs::create_dir_all(folder).unwrap();
    for (part, text) in [("", table), ("-boards", each), ("-cost", cost)] {
        fs::write(folder.join(format!("{name}{part}.csv")), text).unwrap();
    }
}

fn distribution(folder: &Path, name: &str) {
    let mut text = "iteration,parameter,mean,deviation,mean_fitness,best_fitness\n".to_owned();
    for iteration in 0..3 {
        let fitness = if iteration == 0 {
            ",".to_owned()
        } else {
            format!("{},{}", 1000 * iteration, 1500 * iteration)
        };
        for (parameter, mean) in [
            ("c", 5.0),
            ("d", 100.0),
            ("t", 15.0),
            ("w", 0.5),
            ("epsilon", 0.005),
        ] {
            writeln!(
                text,
                "{iteration},{parameter},{mean},{},{fitness}",
                mean / f64::from(iteration + 1)
            )
            .unwrap();
        }
    }
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(format!("{name}.csv")), text).unwrap();
}

/// Tables of every kind, small enough to be read.
pub(crate) fn write_tables(folder: &Path) {
    const NODES: &str = "nodes=100000";
    let balanced = |playout: &str| format!("sp-mcts:c=0.5:d=10000{playout}");
    let strategies = [
        balanced(":playout=random"),
        balanced(":playout=tabu-random"),
        balanced(""),
    ];
    let [random, tabu, colour] = &strategies;
    stage(
        folder,
        "table-1",
        8,
        &[(random, NODES, 1500), (tabu, NODES, 2200)],
    );
    let settings = [
        ("sp-mcts", NODES, 2400),
        (colour.as_str(), NODES, 2200),
        ("sp-mcts:c=1:d=20000", NODES, 2300),
    ];
    stage(folder, "table-2", 8, &settings);
    stage(
        folder,
        "table-2-points",
        8,
        &[("sp-mcts:unit=1", NODES, 2100)],
    );
    let searches = [1, 2, 5, 10, 20].map(|searches| match searches {
        1 => ("sp-mcts".to_owned(), 2500),
        _ => (
            format!("sp-mcts:searches={searches}"),
            2500 + 100 * searches.min(10) - 10 * searches,
        ),
    });
    let searches: Vec<_> = searches
        .iter()
        .map(|(algorithm, points)| (algorithm.as_str(), "nodes=500000", *points))
        .collect();
    stage(folder, "figure-2", 8, &searches);
    let per_move = "sp-mcts:per=move";
    let scopes = [
        ("sp-mcts", "nodes=25000", 2000),
        ("sp-mcts", NODES, 2500),
        (per_move, "nodes=25000", 2400),
        (per_move, NODES, 2400),
    ];
    stage(folder, "table-3", 8, &scopes);
    let last = [
        ("sp-mcts:final=highest-mean:per=move", NODES, 800),
        ("sp-mcts:final=most-playouts:per=move", NODES, 1000),
        (per_move, NODES, 2400),
    ];
    stage(folder, "table-4", 8, &last);
    distribution(folder, "table-5-game");
    distribution(folder, "table-5-move");
    let tuned = [
        ("sp-mcts", NODES, 2000),
        (
            "sp-mcts:c=5.96:d=67.98:t=13:w=0.49:epsilon=0.00007",
            NODES,
            2100,
        ),
        (per_move, NODES, 2400),
        ("sp-mcts:c=7.5:d=3:t=5:w=0.25:epsilon=0.0001", NODES, 2200),
        (
            "sp-mcts:c=2.5:d=3:t=5:w=0.25:epsilon=0.0001:per=move",
            NODES,
            2300,
        ),
    ];
    stage(folder, "table-6", 8, &tuned);
    let standard = [
        ("sp-mcts:searches=100", "playouts=1000", 3500),
        ("sp-mcts:searches=100", "playouts=10000", 3700),
        (per_move, "playouts=1000", 3800),
        (per_move, "playouts=10000", 3950),
    ];
    stage(folder, "table-7-form-1", 20, &standard);
    stage(
        folder,
        "table-7-rivals",
        20,
        &[
            ("nrpa:level=3", "playouts=1", 4100),
            ("greedy", "playouts=1", 3600),
        ],
    );
    let variants = [
        ("sp-mcts", NODES, 2000),
        ("sp-mcts:log=common", NODES, 2001),
        ("sp-mcts:draw=cells", NODES, 1800),
    ];
    stage(folder, "variants-game", 8, &variants);
    stage(
        folder,
        "rivals",
        8,
        &[
            ("sp-mcts", NODES, 2000),
            ("nrpa:level=3", NODES, 2800),
            ("greedy", NODES, 1500),
        ],
    );
}

/// A file of a report with these tables alone.
fn made(folder: &Path, name: &str) -> String {
    let files = build(&Inputs {
        samegame: Some(folder.to_owned()),
        ..Inputs::default()
    })
    .unwrap();
    files
        .into_iter()
        .find(|file| file.name == name)
        .unwrap()
        .text
}

fn page(folder: &Path) -> String {
    made(folder, "report.md")
}

fn verdicts(folder: &Path) -> String {
    made(folder, "verdicts.csv")
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
fn samegame_verdicts_follow_the_numbers() {
    let folder = tempdir();
    write_tables(folder.path());
    let shown = page(folder.path());
    let expected = [
        ("With 10,000,000 nodes TabuRandom", "not run"),
        ("SP-MCTS(2), a search per move, makes more", "not run"),
        ("Exploration at 1,000,000 nodes does not make", "not run"),
        ("At 100,000 nodes exploitation is best", "agrees"),
        ("At 1,000,000 nodes balanced is best", "not run"),
        ("Two searches make significantly more than one", "agrees"),
        ("A search per move is better than one per game", "differs"),
        ("The top score is by far the best", "agrees"),
        ("Most playouts are a significantly better", "agrees"),
        ("SP-MCTS(1), (2) and (3) make", "not run"),
    ];
    for (paper, wanted) in expected {
        assert_eq!(verdict(&shown, paper), wanted, "{paper}");
    }
    let of_case = |claim: &str, case: &str| verdict_of_case(&verdicts(folder.path()), claim, case);
    let tuned = || of_case("tuned", "100,000 nodes per game");
    assert_eq!(
        [tuned(), of_case("tuned", "100,000 nodes per move")],
        ["agrees", "not run"]
    );
    assert_eq!(of_case("scopes", "100,000 nodes"), "differs");
    // 20 boards at 3,950 and 5 more on average.
    assert!(
        shown.contains("| SP-MCTS per move, 10,000 playouts | 79,100 | 3,955 ("),
        "{shown}"
    );
    // Every difference is 200 but for 10 either way, which pairs alone show.
    assert!(shown.contains("| +200 (+193 to +207) |"), "{shown}");
    fs::remove_file(folder.path().join("table-6-boards.csv")).unwrap();
    assert_eq!(tuned(), "not shown");
}

#[test]
fn the_stages_of_the_papers_largest_budgets_count_where_they_are_there() {
    let folder = tempdir();
    let folder = folder.path();
    const NODES: &str = "nodes=10000000";
    let strategies = [
        ("sp-mcts:c=0.5:d=10000:playout=random", NODES, 1500),
        ("sp-mcts:c=0.5:d=10000:playout=tabu-random", NODES, 2200),
        ("sp-mcts:c=0.5:d=10000", NODES, 2300),
    ];
    stage(folder, "table-1-long", 20, &strategies);
    stage(
        folder,
        "table-2",
        8,
        &[
            ("sp-mcts", "nodes=100000", 2400),
            ("sp-mcts:c=1:d=20000", "nodes=1000000", 2400),
        ],
    );
    stage(
        folder,
        "table-7-form-1",
        20,
        &[("sp-mcts:searches=1000", "nodes=100000000", 3690)],
    );
    stage(
        folder,
        "table-7-form-2",
        20,
        &[("sp-mcts:per=move", "nodes=100000000", 3400)],
    );
    stage(
        folder,
        "table-7-form-2-restarts",
        20,
        &[("sp-mcts:per=move:searches=16", "nodes=100000000", 3810)],
    );
    let of_case = |claim: &str, case: &str| verdict_of_case(&verdicts(folder), claim, case);
    assert_eq!(
        [of_case("tabu", "20 boards"), of_case("colour", "20 boards")],
        ["agrees", "differs"]
    );
    assert_eq!(
        [
            of_case("longer", "1,000,000 nodes, 8 boards"),
            of_case("per-move", "")
        ],
        ["agrees", "agrees"]
    );
    assert_eq!(of_case("cleared", "SP-MCTS(2)"), "agrees");
    assert_eq!(
        [of_case("totals", "SP-MCTS(3)"), of_case("totals", "all")],
        ["not run", "not shown"]
    );
    // Of two sets of boards at one budget the larger one counts.
    stage(
        folder,
        "table-6",
        8,
        &[
            ("sp-mcts", "nodes=100000", 2000),
            (
                "sp-mcts:c=5.96:d=67.98:t=13:w=0.49:epsilon=0.00007",
                "nodes=100000",
                2100,
            ),
        ],
    );
    stage(
        folder,
        "table-6-long",
        16,
        &[
            ("sp-mcts", "nodes=100000", 2000),
            (
                "sp-mcts:c=5.96:d=67.98:t=13:w=0.49:epsilon=0.00007",
                "nodes=100000",
                1900,
            ),
        ],
    );
    assert_eq!(of_case("tuned", "100,000 nodes per game"), "differs");
}

#[test]
fn missing_samegame_tables_are_named_with_stages_that_exist() {
    let folder = tempdir();
    let shown = page(folder.path());
    let missing: Vec<_> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("> Missing: `pipeline run "))
        .collect();
    assert_eq!(missing.len(), 11, "{shown}");
    for line in missing {
        let mut words = line.split('`').next().unwrap().split(' ');
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(words.next().unwrap());
        let text = fs::read_to_string(file).unwrap();
        for stage in words {
            assert!(text.contains(&format!("\n[stage.{stage}]\n")), "{stage}");
        }
    }
    stage(
        folder.path(),
        "table-1-50",
        8,
        &[("sp-mcts:c=0.5:d=10000:playout=random", "nodes=1000000", 100)],
    );
    let shown = page(folder.path());
    assert!(
        shown.contains("> Missing: `pipeline run pipelines/sp-mcts.toml table-1 table-1-10 table-1-long table-2 table-2-50 table-2-10` makes what"),
        "{shown}"
    );
    assert!(shown.contains("| 1,000,000 nodes, 8 boards |"), "{shown}");
}

#[test]
fn wrong_samegame_tables_are_named() {
    let folder = tempdir();
    stage(
        folder.path(),
        "table-4",
        8,
        &[("sp-mcts:per=move", "nodes=5", 100)],
    );
    let refused = |file: &str, from: &str, to: &str, why: &str| {
        let path = folder.path().join(file);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{before}");
        fs::write(&path, before.replacen(from, to, 1)).unwrap();
        let said = build(&Inputs {
            samegame: Some(folder.path().to_owned()),
            ..Inputs::default()
        })
        .unwrap_err()
        .to_string();
        assert!(said.contains(file) && said.contains(why), "{said}");
        fs::write(path, before).unwrap();
    };
    refused("table-4.csv", ",8,", ",0,", "line 2: boards is 0");
    refused("table-4.csv", ",840,", ",850,", "line 2: mean is 105");
    refused("table-4.csv", "total", "sum", "missing field `total`");
    refused(
        "table-4-boards.csv",
        ",-200,",
        ",-201,",
        "makes 839 points on 8 boards, and 840 on 8 in table-4.csv",
    );
    refused(
        "table-4-cost.csv",
        "1.5",
        "NaN",
        "cpu_seconds_per_board is NaN",
    );
}

#[test]
fn the_tables_of_a_real_run_are_shown_as_they_are() {
    let folder = tempdir();
    let out = folder.path().join("run");
    let run = "samegame eval --count 3 --budgets nodes=60,nodes=120 --algorithms sp-mcts,sp-mcts:per=move -q";
    pipeline(&format!("{run} --out {}", out.display())).success();
    let kept = folder.path().join("kept");
    fs::create_dir_all(&kept).unwrap();
    for (from, to) in [
        ("eval", "table-3"),
        ("boards", "table-3-boards"),
        ("cost", "table-3-cost"),
    ] {
        fs::copy(
            out.join(format!("{from}.csv")),
            kept.join(format!("{to}.csv")),
        )
        .unwrap();
    }
    let shown = page(&kept);
    let mut table = csv::Reader::from_path(out.join("eval.csv")).unwrap();
    for record in table.records().map(Result::unwrap) {
        let mean: f64 = record[4].parse().unwrap();
        let digits = format!("{:.0}", mean.abs());
        let last = &digits[digits.len().saturating_sub(3)..];
        assert!(
            shown.contains(&format!("{last} (")),
            "{mean} is not in\n{shown}"
        );
    }
    let out = folder.path().join("tuned");
    let tune = "samegame tune --samples 4 --elite 2 --iterations 1 --boards 1 --size 6x6 --budget playouts=50 -q";
    pipeline(&format!("{tune} --out {}", out.display())).success();
    fs::copy(out.join("distribution.csv"), kept.join("table-5-game.csv")).unwrap();
    let shown = page(&kept);
    assert!(
        shown.contains(
            "| parameter | manual | per game, paper | per move, paper | per game, here |"
        ),
        "{shown}"
    );
}

#[test]
fn the_pipeline_of_the_sp_mcts_paper_is_understood() {
    let folder = tempdir();
    let shown = pipeline(&format!(
        "run pipelines/sp-mcts.toml --dry-run --out {}",
        folder.path().display()
    ))
    .success();
    assert_eq!(
        shown
            .stdout()
            .lines()
            .filter(|line| line.ends_with(": runs (never ran)"))
            .count(),
        23
    );
}
