//! Every verdict of the report can be computed again from its line of `verdicts.csv`.

use std::fs;
use std::path::Path;

use mineflow::report::build;

use crate::program::tempdir;
use crate::report::{text, tiny};

/// The columns of the table.
const HEADER: &str = "section,claim,case,quantity,value,low,high,comparison,margin,verdict,paper";
/// Quantities that are exact counts.
const COUNTS: [&str; 1] = ["uncleared"];

/// The lines of the table without its header.
fn lines(table: &str) -> Vec<csv::StringRecord> {
    assert_eq!(table.lines().next(), Some(HEADER));
    csv::Reader::from_reader(table.as_bytes()).into_records().map(Result::unwrap).collect()
}

/// The verdict on a case of a claim.
pub(crate) fn verdict_of_case(table: &str, claim: &str, case: &str) -> String {
    let lines = lines(table);
    let line = lines.iter().find(|line| [&line[1], &line[2]] == [claim, case]);
    line.unwrap_or_else(|| panic!("{claim} {case} is not in\n{table}"))[9].to_owned()
}

/// What an interval shows by the words of the report alone.
fn again(comparison: &str, margin: f64, [low, high]: [f64; 2]) -> &'static str {
    let inside = |from: f64, to: f64| from <= low && high <= to;
    let (holds, fails) = match comparison {
        "more" => (low > margin, high < margin),
        "less" => (high < margin, low > margin),
        "equal" => (inside(-margin, margin), low > margin || high < -margin),
        _ => panic!("a comparison {comparison}"),
    };
    if holds {
        "agrees"
    } else if fails {
        "differs"
    } else {
        "not shown"
    }
}

/// Checks a table, whose intervals have a width unless it is made up, and counts its claims by verdict.
fn check(table: &str, is_made_up: bool) -> [usize; 4] {
    let verdicts = ["agrees", "differs", "not shown", "not run"];
    let (mut counts, mut cases): ([usize; 4], Vec<String>) = ([0; 4], Vec::new());
    for line in lines(table) {
        let number = |column: usize| line[column].parse::<f64>().ok();
        if &line[7] == "each" {
            let is_all = |verdict: &str| cases.iter().all(|case| case == verdict);
            let expected = match () {
                () if is_all("not run") => "not run",
                () if is_all("agrees") => "agrees",
                () if cases.iter().any(|case| case == "differs") => "differs",
                () => "not shown",
            };
            assert_eq!((&line[2], &line[9]), ("all", expected), "{line:?}");
            counts[verdicts.iter().position(|verdict| *verdict == expected).unwrap()] += 1;
            cases.clear();
            continue;
        }
        let expected = match [number(4), number(5), number(6)] {
            [Some(value), Some(low), Some(high)] => {
                let is_exact = is_made_up || COUNTS.contains(&&line[3]);
                let is_interval = low <= value && value <= high && (low < high || is_exact);
                assert!(is_interval, "{line:?}");
                again(&line[7], number(8).unwrap(), [low, high])
            }
            none => {
                assert_eq!(none, [None; 3], "{line:?}");
                "not run"
            }
        };
        assert_eq!(&line[9], expected, "{line:?}");
        cases.push(expected.to_owned());
    }
    counts
}

#[test]
fn every_verdict_follows_from_its_line() {
    let folder = tempdir();
    let made = check(text(&build(&tiny(&folder)).unwrap(), "verdicts.csv"), true);
    assert!(made.iter().all(|count| *count > 0), "{made:?}");
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let counts = check(&fs::read_to_string(published.join("verdicts.csv")).unwrap(), false);
    let [agree, differ, open, none] = counts;
    let said = format!(
        "Of {} statements of the papers that are held against our figures, {agree} agree, {differ} differ, {open} are not shown either way, \
         {none} were not run.",
        counts.iter().sum::<usize>()
    );
    assert!(fs::read_to_string(published.join("report.md")).unwrap().contains(&said), "{said}");
}

#[test]
fn a_claim_has_one_name_and_its_lines_stand_together() {
    let folder = tempdir();
    let files = build(&tiny(&folder)).unwrap();
    let lines = lines(text(&files, "verdicts.csv"));
    let claims: Vec<_> = lines.chunk_by(|a, b| [&a[0], &a[1]] == [&b[0], &b[1]]).collect();
    for (at, claim) in claims.iter().enumerate() {
        let key = |line: &csv::StringRecord| [line[0].to_owned(), line[1].to_owned()];
        assert!(!claims[..at].iter().any(|other| key(&other[0]) == key(&claim[0])), "{:?}", claim[0]);
        let cases: Vec<_> = claim.iter().map(|line| &line[2]).collect();
        let is_once = |case: &&str| cases.iter().filter(|other| *other == case).count() == 1;
        assert!(cases.iter().all(is_once) && cases.last() == Some(&"all"), "{cases:?}");
    }
}
