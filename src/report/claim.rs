//! The claims of the three papers in `PAPERS`, compared with our measurements.

use anyhow::{Context as _, bail};
use mineflow_arena::Estimate;
use serde::Deserialize;

use crate::data::embedded;
use crate::table::table;

/// All claims, written by hand.
const CLAIMS: &str = include_str!("claims.csv");
/// The names of the papers in `claims.csv`, each with its citation.
pub(crate) const PAPERS: [(&str, &str); 3] = [
    ("sinha", "Sinha et al."),
    ("samegame", "SP-MCTS (Schadd et al.)"),
    ("ggp", "MAC-UCB (Koriche et al.)"),
];

/// The relation between a quantity and a margin that a claim states: more than the margin, less than the margin, or at most the
/// margin from 0.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Relation {
    More,
    Less,
    Within,
}

/// The verdict on a case, in increasing order of weight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verdict {
    Agrees,
    NotShown,
    Differs,
    /// Not measured, or measured under conditions other than those of the paper, whatever the result.
    NotComparable,
}

impl Verdict {
    fn name(self) -> &'static str {
        ["agrees", "not shown", "differs", "not comparable"][self as usize]
    }
}

/// Returns the verdict on a quantity. It agrees if the whole 95 % interval satisfies the relation, and differs if no part of the
/// interval does.
pub(crate) fn verdict(of: Estimate, relation: Relation, margin: f64) -> Verdict {
    let (holds, fails) = match relation {
        Relation::More => (of.low > margin, of.high <= margin),
        Relation::Less => (of.high < margin, of.low >= margin),
        Relation::Within => (
            of.low >= -margin && of.high <= margin,
            of.low > margin || of.high < -margin,
        ),
    };
    if holds {
        Verdict::Agrees
    } else if fails {
        Verdict::Differs
    } else {
        Verdict::NotShown
    }
}

/// A named quantity of a claim, with its estimate. A claim may have several cases.
pub(crate) type Case = (String, Estimate);

/// A row of `claims.csv`: a claim of a paper, and how it is compared with our measurements.
#[derive(Deserialize)]
pub(crate) struct Claim {
    id: String,
    paper: String,
    /// The section, table or figure of the paper in which the claim is made.
    place: String,
    claim: String,
    /// The quantity that the cases measure.
    quantity: String,
    /// The factor applied before quantities are shown: 100 for percentage points of ratios. `decimals` is the number of decimals
    /// shown.
    factor: f64,
    decimals: usize,
    unit: String,
    relation: Relation,
    margin: f64,
    /// `yes` if an interpretation of the paper was chosen with its figures in view, so that agreement is no independent evidence.
    chosen: String,
    /// The conditions that make the comparison not comparable; empty under the paper's conditions.
    conditions: String,
    remark: String,
    #[serde(skip)]
    cases: Vec<Case>,
}

/// Returns all claims with their cases.
///
/// # Errors
/// Returns an error if cases belong to no claim, or a claim has neither cases nor a reason.
pub(crate) fn claims(measured: Vec<(&str, Vec<Case>)>) -> anyhow::Result<Vec<Claim>> {
    let mut claims: Vec<Claim> = embedded(CLAIMS)?;
    for (id, cases) in measured {
        let claim = claims.iter_mut().find(|claim| claim.id == id);
        claim
            .with_context(|| format!("claims.csv has no {id}"))?
            .cases = cases;
    }
    let unmeasured = claims
        .iter()
        .find(|claim| claim.cases.is_empty() && claim.conditions.is_empty());
    if let Some(Claim { id, .. }) = unmeasured {
        bail!("no rows measure the claim {id}, and claims.csv has no reason why");
    }
    Ok(claims)
}

impl Claim {
    /// Returns the case that decides: of the cases with the worst verdict, the one farthest on the wrong side of the margin. A
    /// claim agrees only if all its cases agree.
    fn deciding(&self) -> Option<&Case> {
        let beyond = |of: &Estimate| match self.relation {
            Relation::More => -of.low,
            Relation::Less => of.high,
            Relation::Within => of.high.max(-of.low),
        };
        let rank = |of: &Estimate| verdict(*of, self.relation, self.margin);
        self.cases
            .iter()
            .max_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(beyond(a).total_cmp(&beyond(b))))
    }

    fn verdict(&self) -> Verdict {
        match self.deciding() {
            Some((_, of)) if self.conditions.is_empty() => verdict(*of, self.relation, self.margin),
            _ => Verdict::NotComparable,
        }
    }

    fn row(&self) -> String {
        let Self {
            factor, decimals, ..
        } = *self;
        let number = |value: f64| format!("{:.decimals$}", factor * value);
        let wanted = ["> ", "< ", "0 ± "][self.relation as usize];
        let mut compared = match &*self.quantity {
            "" => String::new(),
            quantity => format!("{quantity}: {wanted}{} {}", number(self.margin), self.unit),
        };
        if self.cases.len() > 1 {
            compared = format!("{}; worst of {}", compared.trim_end(), self.cases.len());
        }
        let ours = self.deciding().map_or(String::new(), |(case, of)| {
            let case = if case.is_empty() {
                String::new()
            } else {
                format!("{case}: ")
            };
            let exact = of.low == of.high;
            let interval = if exact {
                String::new()
            } else {
                format!(" ({} to {})", number(of.low), number(of.high))
            };
            format!("{case}{}{interval}", number(of.value))
        });
        let reading = if self.chosen == "yes" {
            "Chosen reading."
        } else {
            ""
        };
        let remarks = [&*self.conditions, &self.remark, reading];
        let remarks: Vec<&str> = remarks
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        let (claim, place, verdict) = (&self.claim, &self.place, self.verdict().name());
        format!(
            "{claim} ({place}) | **{verdict}** | {ours} | {compared} | {}",
            remarks.join(" ")
        )
    }
}

/// Returns the table of the claims of a paper.
pub(crate) fn of_paper(claims: &[Claim], paper: &str) -> String {
    let of = claims.iter().filter(|claim| claim.paper == paper);
    table(
        "claim | verdict | ours (95 % interval) | how compared | remark",
        of.map(Claim::row),
    )
}

/// Returns a table with one row per paper, which counts the paper's claims by verdict.
pub(crate) fn summary(claims: &[Claim]) -> String {
    let row = |(paper, cited): (&str, &str)| {
        let of: Vec<&Claim> = claims.iter().filter(|claim| claim.paper == paper).collect();
        let count = |verdict| of.iter().filter(|claim| claim.verdict() == verdict).count();
        let chosen = of
            .iter()
            .filter(|claim| claim.chosen == "yes" && claim.verdict() == Verdict::Agrees)
            .count();
        let others = [Verdict::Differs, Verdict::NotShown, Verdict::NotComparable]
            .map(|one| count(one).to_string());
        format!(
            "{cited} | {} ({chosen} by a chosen reading) | {}",
            count(Verdict::Agrees),
            others.join(" | ")
        )
    };
    table(
        "paper | agrees | differs | not shown | not comparable",
        PAPERS.map(row),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::estimate;

    #[test]
    fn a_verdict_needs_the_whole_interval() {
        use Relation::{Less, More, Within};
        let of = estimate(0.02, 0.01, 0.03);
        let said = [
            (More, 0.0),
            (More, 0.02),
            (Less, 0.01),
            (Within, 0.03),
            (Within, 0.005),
        ];
        let names = said.map(|(relation, margin)| verdict(of, relation, margin).name());
        assert_eq!(
            names,
            ["agrees", "not shown", "differs", "agrees", "differs"]
        );
    }

    #[test]
    fn the_worst_case_decides_and_other_conditions_are_not_comparable() {
        let case =
            |name: &str, value: f64| (name.to_owned(), estimate(value, value - 1.0, value + 1.0));
        let mut claims: Vec<Claim> = embedded(CLAIMS).unwrap();
        let mut of = |id: &str| {
            let claim = claims.iter_mut().find(|claim| claim.id == id).unwrap();
            claim.cases = vec![case("one", 50.0), case("two", -30.0), case("three", 0.5)];
            (
                claim.deciding().map(|(name, _)| name.clone()),
                claim.verdict().name(),
            )
        };
        assert_eq!(of("edge"), (Some("two".to_owned()), "differs"));
        assert_eq!(of("outperforms").1, "not comparable");
        assert!(
            super::claims(Vec::new()).is_err(),
            "a claim needs rows or a reason"
        );
    }
}
