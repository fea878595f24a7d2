//! From the description of a claim and its rows to a finding, and to the lines that its verdict can be computed from again.

use serde::Serialize;

use super::description::ClaimText;
use super::row::{Entry, Row};
use super::template::fill;
use super::verdict::of_cases;
use crate::page::{Finding, PaperVerdict};
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{list, round};

/// The case that stands for all of a claim's.
const ALL: &str = "all";
/// Decimals of a tested quantity.
const DECIMALS: i32 = 6;
const NO_DATA: &str = "The data for it are missing.";

/// A line of `verdicts.csv`: a case of a claim, or under `all` the claim.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct VerdictRow {
    section: String,
    claim: String,
    case: String,
    quantity: String,
    /// Empty where the case was not run, and of the claim as a whole.
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// Of a claim as a whole: `each`.
    comparison: String,
    margin: Option<f64>,
    verdict: &'static str,
    paper: String,
}

/// A row that a claim is about: the quantity that is tested, unless it was not run, and what it shows.
struct Case<'a> {
    row: &'a Row,
    of: Option<Estimate>,
    verdict: PaperVerdict,
}

/// What is found by the rows: not run where there are none, or none has the quantity with an interval.
pub(super) fn finding(
    section: &str,
    claim: &ClaimText,
    rows: &[Row],
    facts: &Row,
) -> (Finding, Vec<VerdictRow>) {
    let cases: Vec<_> = rows
        .iter()
        .filter(|row| claim.only.hold(row))
        .map(|row| case(claim, row))
        .collect();
    let verdict = of_cases(&cases.iter().map(|case| case.verdict).collect::<Vec<_>>());
    let first = cases
        .iter()
        .find(|case| case.of.is_some())
        .map(|case| case.row.clone())
        .unwrap_or_default();
    let values = facts.clone().and(&first).and(&lists(claim, &cases));
    let here = match verdict {
        PaperVerdict::NotRun => claim.missing.clone().unwrap_or_else(|| NO_DATA.to_owned()),
        _ => fill(&claim.here, &values)
            .or_else(|| fill("{verdicts}.", &values))
            .unwrap_or_default(),
    };
    let here = [here.as_str(), claim.reason.as_str()]
        .join(" ")
        .trim_end()
        .to_owned();
    let off = cases
        .iter()
        .filter_map(|case| Some((apart(claim, case)?, case.row)));
    let farthest = off.max_by(|a, b| a.0.total_cmp(&b.0));
    let why = claim
        .why
        .as_ref()
        .zip(farthest)
        .and_then(|(why, (_, row))| fill(why, &facts.clone().and(row)));
    let mut found =
        Finding::new(claim.paper.as_str(), here, verdict).because(why.unwrap_or_default());
    found = found.apart(farthest.map_or(0.0, |(apart, _)| apart));
    found.is_chosen = claim.chosen;
    (found, lines(section, claim, &cases, verdict))
}

fn case<'a>(claim: &ClaimText, row: &'a Row) -> Case<'a> {
    let of = match row.get(&claim.of) {
        Some(Entry::Estimate(of)) => Some(*of),
        // A number without an interval shows nothing, unless it is an exact count.
        Some(_) if claim.exact => row.number(&claim.of).map(|value| Estimate {
            value,
            low: value,
            high: value,
        }),
        _ => None,
    };
    // As the line of the verdict has it.
    let of = of.map(|Estimate { value, low, high }| {
        let [value, low, high] = [value, low, high].map(|number| round(number, DECIMALS));
        Estimate { value, low, high }
    });
    let verdict = of.map_or(PaperVerdict::NotRun, |of| {
        claim.compare.verdict(of, claim.margin)
    });
    Case { row, of, verdict }
}

/// How far a case is from what the paper says.
fn apart(claim: &ClaimText, case: &Case<'_>) -> Option<f64> {
    let of = case.of?;
    match claim.apart.as_deref()? {
        "points" => Some(100.0 * claim.compare.beyond(of.value, claim.margin)),
        name => case.row.number(name),
    }
}

/// What a case is called; nothing where it is the only one.
fn name(claim: &ClaimText, row: &Row) -> String {
    fill(&claim.case, row).unwrap_or_default()
}

/// The cases in words.
fn lists(claim: &ClaimText, cases: &[Case<'_>]) -> Row {
    let those = |is: &dyn Fn(&Case<'_>) -> bool| -> Vec<String> {
        cases
            .iter()
            .filter(|case| is(case))
            .map(|case| name(claim, case.row))
            .collect()
    };
    let with_values = |case: &&Case<'_>| case.of.is_some();
    let named = |case: &Case<'_>| fill(claim.named.as_ref().unwrap_or(&claim.case), case.row);
    let all: Vec<_> = cases.iter().filter(with_values).filter_map(named).collect();
    let (mut said, mut tally) = (Vec::new(), Vec::new());
    for verdict in PaperVerdict::ALL {
        let names = those(&|case| case.verdict == verdict);
        if !names.is_empty() {
            said.push(format!("{}: {}", verdict.name(), list(&names)));
            tally.push(format!("{}: {}", verdict.name(), names.len()));
        }
    }
    Row::default()
        .with("cases", list(&all))
        .with("verdicts", said.join("; "))
        .with("tally", tally.join("; "))
}

fn lines(
    section: &str,
    claim: &ClaimText,
    cases: &[Case<'_>],
    verdict: PaperVerdict,
) -> Vec<VerdictRow> {
    let line = |case: String, of: Option<Estimate>, verdict: PaperVerdict| VerdictRow {
        section: section.to_owned(),
        claim: claim.id.clone(),
        case,
        quantity: claim.of.clone(),
        value: of.map(|of| of.value),
        low: of.map(|of| of.low),
        high: of.map(|of| of.high),
        comparison: claim.compare.to_string(),
        margin: Some(claim.margin),
        verdict: verdict.name(),
        paper: claim.paper.clone(),
    };
    let of_cases = cases
        .iter()
        .map(|case| line(name(claim, case.row), case.of, case.verdict));
    let all = VerdictRow {
        comparison: "each".to_owned(),
        margin: None,
        ..line(ALL.to_owned(), None, verdict)
    };
    of_cases.chain([all]).collect()
}
