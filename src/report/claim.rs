//! The claims of the three papers in `PAPERS`, compared with our measurements.

use anyhow::{Context as _, bail};
use mineflow_arena::Estimate;
use serde::Deserialize;

use crate::{
    cases::{Comparison, Sources},
    data::Data,
    table::{bare, interval, table},
};

/// The condition of a claim that is judged as soon as its tables have rows.
const NOT_RUN: &str = "Not run yet.";
/// The beginning of the conditions of claims for which nothing was measured.
const NOT: &str = "Not run";
/// All claims, written by hand.
const CLAIMS: &str = include_str!("claims.csv");
/// The names of the papers in `claims.csv`, each with its citation.
pub(crate) const PAPERS: [(&str, &str); 3] = [
    ("sinha", "Sinha et al."),
    ("samegame", "SP-MCTS (Schadd et al.)"),
    ("ggp", "MAC-UCB (Koriche et al.)"),
];

/// The relation between a quantity and a margin that a claim states: more than the margin, less
/// than the margin, or at most the margin from 0.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Relation {
    #[default]
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
    /// Measured under conditions other than those of the paper, whatever the result.
    NotComparable,
    /// Not measured.
    NotRun,
}

impl Verdict {
    /// The names, in the order of the verdicts.
    pub const NAMES: [&str; 5] = [
        "agrees",
        "not shown",
        "differs",
        "not comparable",
        "not run",
    ];
    /// Squares in the order of the verdicts.
    const SQUARES: [&str; 5] = ["■", "◩", "☒", "□", "▫"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Returns the verdict on a quantity. It agrees if the whole 95 % interval satisfies the relation,
/// and differs if no part of the interval does.
pub(crate) fn verdict(of: Estimate, relation: Relation, margin: f64) -> Verdict {
    let [holds, fails] = match relation {
        Relation::More => [of.low > margin, of.high <= margin],
        Relation::Less => [of.high < margin, of.low >= margin],
        Relation::Within => [
            of.low >= -margin && of.high <= margin,
            of.low > margin || of.high < -margin,
        ],
    };
    match (holds, fails) {
        (true, _) => Verdict::Agrees,
        (_, true) => Verdict::Differs,
        _ => Verdict::NotShown,
    }
}

/// Measured cases with their names.
type Cases = Vec<(String, Estimate)>;

/// A claim of a paper: the columns of `claims.csv` that say what the paper claims, and the measured
/// cases. Those of [`Comparison`] say how these are measured. A line with the id of the line above
/// adds cases to the claim above; its other columns are not read.
#[derive(Default, Deserialize)]
pub(crate) struct Claim {
    id: String,
    paper: String,
    /// The section, table or figure of the paper in which the claim is made.
    place: String,
    claim: String,
    /// The quantity that the cases measure.
    quantity: String,
    /// The factor applied before quantities are shown: 100 for percentage points of ratios.
    factor: f64,
    decimals: usize,
    unit: String,
    relation: Relation,
    margin: f64,
    /// `yes` if an interpretation of the paper was chosen with its figures in view, so that
    /// agreement is no independent evidence.
    chosen: String,
    /// The conditions that make the comparison not comparable; empty under the paper's conditions.
    conditions: String,
    remark: String,
    #[serde(skip)]
    cases: Cases,
    /// Cases by the literal reading.
    #[serde(skip)]
    literal: Cases,
    /// Whether a case has no rows yet.
    #[serde(skip)]
    is_partly_run: bool,
}

/// Returns all claims with their cases.
///
/// # Errors
/// Returns an error if a case has no rows, unless the claim has a reason.
pub(crate) fn claims(data: &Data) -> anyhow::Result<Vec<Claim>> {
    let sources = Sources::new(data)?;
    let mut reader = csv::Reader::from_reader(CLAIMS.as_bytes());
    let header = reader.headers()?.clone();
    let mut claims: Vec<Claim> = Vec::new();
    for record in reader.records() {
        let record = record?;
        let mut claim = match claims.pop_if(|claim| claim.id == record[0]) {
            Some(claim) => claim,
            None => record.deserialize(Some(&header))?,
        };
        let comparison: Comparison = record.deserialize(Some(&header))?;
        let cases = comparison.cases(&sources);
        for (name, _, of) in cases.with_context(|| format!("the claim {}", claim.id))? {
            match of {
                Some(of) if comparison.reading == "literal" => claim.literal.push((name, of)),
                Some(of) => claim.cases.push((name, of)),
                None if claim.conditions.is_empty() => {
                    bail!("no rows measure the claim {}: {name}", claim.id)
                }
                None => claim.is_partly_run = true,
            }
        }
        claims.push(claim);
    }
    for claim in &mut claims {
        if claim.conditions == NOT_RUN && !claim.cases.is_empty() {
            claim.conditions.clear();
            if claim.is_partly_run {
                claim.remark += " Not all cases have been run.";
            }
        }
    }
    Ok(claims)
}

impl Claim {
    /// Returns the verdict on a case.
    fn of_case(&self, of: Estimate) -> Verdict {
        verdict(of, self.relation, self.margin)
    }

    /// Returns the case that decides: of the cases with the worst verdict, the one farthest on the
    /// wrong side of the margin. A claim agrees only if all its cases agree.
    fn deciding<'a>(&self, cases: &'a Cases) -> Option<&'a (String, Estimate)> {
        let beyond = |of: &Estimate| match self.relation {
            Relation::More => -of.low,
            Relation::Less => of.high,
            Relation::Within => of.high.max(-of.low),
        };
        let rank = |of: &Estimate| self.of_case(*of);
        cases
            .iter()
            .max_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(beyond(a).total_cmp(&beyond(b))))
    }

    fn verdict(&self) -> Verdict {
        match self.deciding(&self.cases) {
            Some((_, of)) if self.conditions.is_empty() => {
                let least = match self.is_partly_run {
                    true => Verdict::NotShown,
                    false => Verdict::Agrees,
                };
                self.of_case(*of).max(least)
            }
            _ if self.conditions.starts_with(NOT) => Verdict::NotRun,
            _ => Verdict::NotComparable,
        }
    }

    /// Returns the deciding case with its estimate, and how many of several cases agree.
    fn shown(&self, cases: &Cases) -> String {
        let Some((name, of)) = self.deciding(cases) else {
            return String::new();
        };
        let of = of.times(self.factor);
        let shown = match of.width() {
            0.0 => bare(Some(of.value), self.decimals),
            _ => interval(of, self.decimals),
        };
        let agree = cases
            .iter()
            .filter(|(_, of)| self.of_case(*of) == Verdict::Agrees);
        let shown = match cases.len() {
            ..2 => shown,
            all => format!("{shown}; {} of {all} agree", agree.count()),
        };
        match &**name {
            "" => shown,
            name => format!("{name}: {shown}"),
        }
    }

    fn compared(&self) -> String {
        let wanted = ["> ", "< ", "0 ± "][self.relation as usize];
        let margin = bare(Some(self.factor * self.margin), self.decimals);
        match &*self.quantity {
            "" => String::new(),
            quantity => format!("{quantity}: {wanted}{margin} {}", self.unit),
        }
    }

    fn row(&self) -> String {
        let reading = match &*self.chosen {
            "yes" => "*Chosen reading.*",
            _ => "",
        };
        let mut remarks = vec![reading, &*self.conditions, &self.remark];
        remarks.retain(|text| !text.is_empty());
        let literal = match self.deciding(&self.literal) {
            Some((_, of)) => format!(
                "{}: {}",
                self.of_case(*of).name(),
                self.shown(&self.literal)
            ),
            None => String::new(),
        };
        format!(
            "<a id=\"claim-{}\"></a>{} ({}) | **{}** | {} | {literal} | {} | {}",
            self.id,
            self.claim,
            self.place,
            self.verdict().name(),
            self.shown(&self.cases),
            self.compared(),
            remarks.join(" ")
        )
    }

    /// Returns a square that links to the row.
    fn square(&self) -> String {
        let verdict = self.verdict();
        let name = verdict.name();
        format!(
            "<a href=\"#claim-{}\" class=\"{}\" title=\"{}: {name}\">{}</a>",
            self.id,
            name.replace(' ', "-"),
            self.claim,
            Verdict::SQUARES[verdict as usize]
        )
    }
}

/// Returns the claims of a paper.
fn of<'a>(claims: &'a [Claim], paper: &str) -> impl Iterator<Item = &'a Claim> {
    claims.iter().filter(move |claim| claim.paper == paper)
}

/// Returns the table of the claims of a paper.
pub(crate) fn of_paper(claims: &[Claim], paper: &str) -> String {
    table(
        "claim | verdict | ours (95 % interval) | literal reading | how compared | remark",
        of(claims, paper).map(Claim::row),
    )
}

/// Returns a line with a square for each claim of each paper.
pub(crate) fn strip(claims: &[Claim]) -> String {
    let line = |(paper, cited)| {
        let squares = of(claims, paper).map(Claim::square);
        format!("{cited}: {}", squares.collect::<Vec<_>>().join(" "))
    };
    PAPERS.map(line).join("\n\n")
}

/// Returns a table with one row per paper, which counts the paper's claims by verdict.
pub(crate) fn summary(claims: &[Claim]) -> String {
    table(
        "paper | agrees, of these by a chosen reading | differs | not shown | not comparable | not run",
        PAPERS.map(|(paper, cited)| {
            let count = |verdict, chosen: &str| {
                let is =
                    |claim: &&Claim| claim.verdict() == verdict && claim.chosen.contains(chosen);
                of(claims, paper).filter(is).count()
            };
            let others = [
                Verdict::Differs,
                Verdict::NotShown,
                Verdict::NotComparable,
                Verdict::NotRun,
            ];
            format!(
                "{cited} | {}, {} | {}",
                count(Verdict::Agrees, ""),
                count(Verdict::Agrees, "yes"),
                others.map(|of| count(of, "").to_string()).join(" | ")
            )
        }),
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
        let mut claim = Claim {
            factor: 1.0,
            is_partly_run: true,
            cases: [("one", 50.0), ("two", -30.0), ("three", 0.5)]
                .map(|(name, value)| (name.to_owned(), estimate(value, value - 1.0, value + 1.0)))
                .into(),
            ..Claim::default()
        };
        assert_eq!(
            claim.shown(&claim.cases),
            "two: -30 (-31 to -29); 1 of 3 agree"
        );
        assert_eq!(claim.verdict(), Verdict::Differs);
        claim.relation = Relation::Less;
        claim.margin = 60.0;
        assert_eq!(claim.verdict(), Verdict::NotShown, "a case is not run");
        "50 ms per move".clone_into(&mut claim.conditions);
        assert_eq!(claim.verdict(), Verdict::NotComparable);
        "Not run with 30 s.".clone_into(&mut claim.conditions);
        assert_eq!(claim.verdict(), Verdict::NotRun);
    }
}
