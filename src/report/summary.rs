//! What a person reads who has a minute: what is shown of the papers' claims, who is strongest, and where we differ most.

use super::row::Row;
use super::section::Filled;
use super::template::fill;
use crate::page::{PageBlock, PaperVerdict, RankedFinding};
use mineflow_arena::PageTable;
use mineflow_arena::numbers::{counted, list};

/// Differences that are shown.
const SHOWN: usize = 5;
/// The sections of the papers after the first, which has all others.
const PAPERS: [(&str, &str); 2] = [("rule-sheets", "MAC-UCB"), ("samegame", "SP-MCTS")];
const FIRST_PAPER: &str = "Sinha and others";
/// The column of agreements that aren't independent evidence.
const CHOSEN: &str = "agrees by a chosen reading";

/// Who wins most under a rule.
const STRONGEST: &str = "Strongest on {board} with {promised}: {player:code}, {won:interval} % won[[ at {speed:rate} games a CPU second]].\
                         [[ Not shown to be weaker: {alike}.]][[ The best published player: {published}.]]";

/// The box at the top, from everything below it; nothing where nothing is found.
pub(super) fn summary(filled: &[Filled], strongest: &[Row]) -> Vec<PageBlock> {
    let findings: Vec<RankedFinding> = filled.iter().flat_map(in_section).collect();
    let mut blocks = Vec::new();
    if !findings.is_empty() {
        blocks.push(PageBlock::Text(verdicts(&findings)));
        blocks.push(PageBlock::Table(by_paper(&findings)));
        blocks.extend(chosen(&findings).map(PageBlock::Text));
    }
    blocks.extend(
        strongest
            .iter()
            .filter_map(|row| fill(STRONGEST, row))
            .map(PageBlock::Text),
    );
    let largest = largest(findings);
    if !largest.is_empty() {
        let said = "Where we differ most from the papers, and why as far as the data show. How far apart is in points: hundredths of a win ratio or \
                    score, of SameGame in percent of the paper's figure; a claim with a margin is off by what is beyond it.";
        blocks.push(PageBlock::Text(said.to_owned()));
        blocks.push(PageBlock::Ranked(largest));
    }
    if !blocks.is_empty() {
        blocks.push(PageBlock::Text(
            "How to read the rest: a section a table or figure of a paper, then what no paper has. Beside a figure stands what the paper says in grey and \
             what we found after a verdict. Intervals are of 95 %. A claim says that a quantity is more or less than a margin, or equal within it: it \
             \"agrees\" where the whole interval lies on its side of the margin, \"differs\" where all of it lies on the other, and is \"not shown\" where \
             the interval holds both; a series that a sequential test ended is judged alike. A claim on several cases agrees where each does, and \
             differs where one does. \"Not run\" has no data, and says what is missing. A margin has its reason beside it. `verdicts.csv` beside \
             this page has every quantity with its interval and margin. Pointing at a mark shows its values; under a figure are its data and the commands that make them."
                .to_owned(),
        ));
    }
    blocks
}

fn in_section(Filled { section, .. }: &Filled) -> impl Iterator<Item = RankedFinding> {
    let of = |finding: &_| RankedFinding {
        section: (section.id.clone(), section.title.clone()),
        finding: Clone::clone(finding),
    };
    section.blocks.iter().flat_map(PageBlock::findings).map(of)
}

fn count(findings: &[&RankedFinding], verdict: PaperVerdict) -> usize {
    findings
        .iter()
        .filter(|ranked| ranked.finding.verdict == verdict)
        .count()
}

/// Whether it agrees, and isn't independent evidence.
fn agrees_by_choice(ranked: &RankedFinding) -> bool {
    ranked.finding.is_chosen && ranked.finding.verdict == PaperVerdict::Agrees
}

fn verdicts(findings: &[RankedFinding]) -> String {
    let all: Vec<_> = findings.iter().collect();
    format!(
        "Of {} of the papers that are held against our figures, {} agree, {} differ, {} are not shown either way, {} were not run.",
        counted(findings.len() as u64, "statement"),
        count(&all, PaperVerdict::Agrees),
        count(&all, PaperVerdict::Differs),
        count(&all, PaperVerdict::NotShown),
        count(&all, PaperVerdict::NotRun)
    )
}

fn by_paper(findings: &[RankedFinding]) -> PageTable {
    let paper = |ranked: &RankedFinding| {
        PAPERS
            .iter()
            .find(|(id, _)| *id == ranked.section.0)
            .map_or(FIRST_PAPER, |(_, paper)| *paper)
    };
    let papers: Vec<_> = [FIRST_PAPER]
        .into_iter()
        .chain(PAPERS.map(|(_, paper)| paper))
        .collect();
    let rows: Vec<(&str, Vec<&RankedFinding>)> = papers
        .into_iter()
        .map(|name| {
            (
                name,
                findings
                    .iter()
                    .filter(|ranked| paper(ranked) == name)
                    .collect(),
            )
        })
        .filter(|(_, of): &(_, Vec<_>)| !of.is_empty())
        .collect();
    let mut table = PageTable::new(
        ["paper"]
            .into_iter()
            .chain(PaperVerdict::ALL.map(PaperVerdict::name))
            .chain([CHOSEN]),
    );
    for (name, of) in rows {
        let chosen = of.iter().filter(|ranked| agrees_by_choice(ranked)).count();
        let counts = PaperVerdict::ALL
            .map(|verdict| count(&of, verdict))
            .into_iter()
            .chain([chosen]);
        table.rows.push(
            [name.to_owned()]
                .into_iter()
                .chain(counts.map(|count| count.to_string()))
                .collect(),
        );
    }
    table
}

/// Which agreements aren't independent evidence.
fn chosen(findings: &[RankedFinding]) -> Option<String> {
    let those: Vec<_> = findings
        .iter()
        .filter(|ranked| agrees_by_choice(ranked))
        .collect();
    let named =
        |ranked: &&RankedFinding| format!("\"{}\" ({})", ranked.finding.paper, ranked.section.1);
    let names = list(&those.iter().map(named).collect::<Vec<_>>());
    (!those.is_empty())
        .then(|| format!("Agree by readings that were chosen with the paper's figures in view, and are no independent evidence: {names}."))
}

/// What differs, the farthest apart first; what can't be measured is not among it.
fn largest(mut findings: Vec<RankedFinding>) -> Vec<RankedFinding> {
    findings.retain(|ranked| {
        ranked.finding.verdict == PaperVerdict::Differs && ranked.finding.apart.is_some()
    });
    findings.sort_by(|a, b| {
        b.finding
            .apart
            .partial_cmp(&a.finding.apart)
            .expect("differences are numbers")
    });
    findings.truncate(SHOWN);
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Finding, Section};

    #[test]
    fn the_box_counts_verdicts_and_ranks_what_differs() {
        let mut section = Section::new("samegame", "SameGame");
        let finding = |paper: &str, verdict, apart| Finding::new(paper, "", verdict).apart(apart);
        section.findings([
            Finding {
                is_chosen: true,
                ..finding("agrees", PaperVerdict::Agrees, 90.0)
            },
            finding("agrees too", PaperVerdict::Agrees, 0.0),
            finding("little", PaperVerdict::Differs, 1.0),
            Finding {
                is_chosen: true,
                ..finding("unknown", PaperVerdict::Differs, 0.0)
            },
            finding("open", PaperVerdict::NotShown, 80.0),
            finding("much", PaperVerdict::Differs, 7.5),
            finding("nothing", PaperVerdict::NotRun, 0.0),
        ]);
        let blocks = summary(
            &[Filled {
                section,
                verdicts: Vec::new(),
            }],
            &[],
        );
        let said: Vec<_> = blocks
            .iter()
            .filter_map(|block| {
                if let PageBlock::Text(text) = block {
                    Some(text)
                } else {
                    None
                }
            })
            .collect();
        assert!(
            said[0].contains("Of 7 statements")
                && said[0].contains("2 agree, 3 differ, 1 are not shown"),
            "{said:?}"
        );
        assert!(
            said[1].ends_with("evidence: \"agrees\" (SameGame)."),
            "{said:?}"
        );
        let PageBlock::Table(table) = &blocks[1] else {
            panic!("{blocks:?}")
        };
        assert_eq!(table.rows, [["SP-MCTS", "2", "3", "1", "1", "1"]]);
        let ranked = blocks.iter().find_map(|block| {
            if let PageBlock::Ranked(ranked) = block {
                Some(ranked)
            } else {
                None
            }
        });
        let names: Vec<_> = ranked
            .unwrap()
            .iter()
            .map(|ranked| ranked.finding.paper.as_str())
            .collect();
        assert_eq!(names, ["much", "little"]);
        assert_eq!(summary(&[], &[]), []);
    }
}
