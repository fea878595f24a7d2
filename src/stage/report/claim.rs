//! From the description of a claim and its rows to a finding.

use super::description::ClaimText;
use super::row::{Entry, Row};
use super::template::fill;
use super::verdict::of_cases;
use mineflow_document::numbers::list;
use mineflow_document::{Estimate, Finding, PaperVerdict};

/// A row with the quantity that is tested in it.
type Case<'a> = (&'a Row, Estimate);

/// What is found by the rows: nothing where none of them has the quantity, or a value that the texts need.
pub(super) fn findings(claim: &ClaimText, rows: &[Row], facts: &Row) -> Vec<Finding> {
    let cases = rows.iter().filter(|row| claim.only.hold(row));
    let cases: Vec<Case<'_>> = cases.filter_map(|row| Some((row, quantity(row, &claim.of)?))).collect();
    match claim.each {
        true => cases.iter().filter_map(|case| finding(claim, &[*case], facts)).collect(),
        false => finding(claim, &cases, facts).into_iter().collect(),
    }
}

fn quantity(row: &Row, name: &str) -> Option<Estimate> {
    match row.get(name)? {
        Entry::Estimate(of) => Some(*of),
        _ => row.number(name).map(|value| Estimate { value, low: value, high: value }),
    }
}

fn finding(claim: &ClaimText, cases: &[Case<'_>], facts: &Row) -> Option<Finding> {
    let (first, _) = cases.first()?;
    let verdicts: Vec<_> = cases.iter().map(|(_, of)| claim.test.verdict(*of)).collect();
    let values = facts.clone().and(first).and(&lists(claim, cases, &verdicts));
    let finding = Finding::new(fill(&claim.paper, &values)?, fill(&claim.here, &values)?, of_cases(&verdicts));
    let off = cases.iter().filter_map(|case| Some((apart(claim, case)?, case.0)));
    let farthest = off.max_by(|a, b| a.0.total_cmp(&b.0));
    let (apart, row) = farthest.unwrap_or((0.0, first));
    let why = claim.why.as_ref().and_then(|why| fill(why, &facts.clone().and(row)));
    Some(finding.apart(apart).because(why.unwrap_or_default()))
}

/// How far a case is from what the paper says.
fn apart(claim: &ClaimText, (row, of): &Case<'_>) -> Option<f64> {
    let beyond = || claim.test.beyond(of.value);
    match claim.apart.as_deref()? {
        "points" => beyond().map(|(beyond, _)| 100.0 * beyond),
        "percent" => beyond().map(|(beyond, limit)| 100.0 * beyond / limit),
        name => row.number(name),
    }
}

/// The cases in words.
fn lists(claim: &ClaimText, cases: &[Case<'_>], verdicts: &[PaperVerdict]) -> Row {
    let those = |is: &dyn Fn(Estimate) -> bool| -> Vec<String> {
        let those = cases.iter().filter(|(_, of)| is(*of));
        those.filter_map(|(row, _)| fill(&claim.case, row)).collect()
    };
    let above = those(&Estimate::is_above_zero);
    let below = those(&Estimate::is_below_zero);
    let inside = those(&|of| !of.is_above_zero() && !of.is_below_zero());
    let sides = [("above", &above), ("below", &below), ("within the interval", &inside)];
    let sides = sides.iter().filter(|(_, names)| !names.is_empty());
    let sides: Vec<_> = sides.map(|(place, names)| format!("{place} at {}", list(names))).collect();
    Row::default()
        .with("cases", list(&those(&|_| true)))
        .with("above", list(&above))
        .with("below", list(&below))
        .with("inside", list(&inside))
        .with("sides", sides.join("; "))
        .with("agreeing", verdicts.iter().filter(|verdict| **verdict == PaperVerdict::Agrees).count())
        .with("count", cases.len())
}
