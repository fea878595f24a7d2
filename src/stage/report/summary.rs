//! What a person reads who has a minute: how many findings agree with the papers, who is strongest, and where we differ most.

use super::row::Row;
use super::template::fill;
use mineflow_document::numbers::counted;
use mineflow_document::{PageBlock, PageTable, PaperVerdict, RankedFinding, Section};

/// Differences that are shown.
const SHOWN: usize = 5;
/// The sections of the papers after the first, which has all others.
const PAPERS: [(&str, &str); 2] = [("rule-sheets", "MAC-UCB"), ("samegame", "SP-MCTS")];
const FIRST_PAPER: &str = "Sinha and others";

/// Who wins most under a rule.
const STRONGEST: &str = "Strongest on {board} with {promised}: {player:code}, {won:interval} % won[[ at {speed:rate} games a CPU second]].\
                         [[ Not shown to be weaker: {alike}.]][[ The best published player: {published}.]]";

/// The box at the top, from everything below it; nothing where nothing is found.
pub(super) fn summary(sections: &[Section], strongest: &[Row]) -> Vec<PageBlock> {
    let findings: Vec<RankedFinding> = sections.iter().flat_map(in_section).collect();
    let mut blocks = Vec::new();
    if !findings.is_empty() {
        blocks.push(PageBlock::Text(verdicts(&findings)));
        blocks.push(PageBlock::Table(by_paper(&findings)));
    }
    blocks.extend(strongest.iter().filter_map(|row| fill(STRONGEST, row)).map(PageBlock::Text));
    let largest = largest(findings);
    if !largest.is_empty() {
        let said = "Where we differ most from the papers, and why as far as the data show. How far apart is in points: hundredths of a win ratio or \
                    score, of times and SameGame in percent of the paper's figure; a claim that something is equal, or much more, is off by what is beyond \
                    its limit.";
        blocks.push(PageBlock::Text(said.to_owned()));
        blocks.push(PageBlock::Ranked(largest));
    }
    if !blocks.is_empty() {
        blocks.push(PageBlock::Text(
            "How to read the rest: a section a table or figure of a paper, then what no paper has. Beside a figure stands what the paper says in grey and \
             what we found after a verdict: \"agrees\", \"partly\" (in part, or no further than the intervals allow to say) or \"differs\". Intervals are \
             of 95 %. Pointing at a mark shows its values; under a figure are its data and the commands that make them."
                .to_owned(),
        ));
    }
    blocks
}

fn in_section(section: &Section) -> impl Iterator<Item = RankedFinding> {
    let of = |finding: &_| RankedFinding {
        section: (section.id.clone(), section.title.clone()),
        finding: Clone::clone(finding),
    };
    section.blocks.iter().flat_map(PageBlock::findings).map(of)
}

fn count(findings: &[&RankedFinding], verdict: PaperVerdict) -> usize {
    findings.iter().filter(|ranked| ranked.finding.agreement == verdict).count()
}

fn verdicts(findings: &[RankedFinding]) -> String {
    let all: Vec<_> = findings.iter().collect();
    format!(
        "Of {} of the papers that are held against our figures, {} agree, {} agree partly, {} differ.",
        counted(findings.len() as u64, "statement"),
        count(&all, PaperVerdict::Agrees),
        count(&all, PaperVerdict::Partly),
        count(&all, PaperVerdict::Differs)
    )
}

fn by_paper(findings: &[RankedFinding]) -> PageTable {
    let paper = |ranked: &RankedFinding| {
        PAPERS.iter().find(|(id, _)| *id == ranked.section.0).map_or(FIRST_PAPER, |(_, paper)| *paper)
    };
    let papers: Vec<_> = [FIRST_PAPER].into_iter().chain(PAPERS.map(|(_, paper)| paper)).collect();
    let rows: Vec<(&str, Vec<&RankedFinding>)> = papers
        .into_iter()
        .map(|name| (name, findings.iter().filter(|ranked| paper(ranked) == name).collect()))
        .filter(|(_, of): &(_, Vec<_>)| !of.is_empty())
        .collect();
    let verdicts = [PaperVerdict::Agrees, PaperVerdict::Partly, PaperVerdict::Differs];
    let mut table = PageTable::new(["paper"].into_iter().chain(verdicts.map(PaperVerdict::name)));
    for (name, of) in rows {
        table.rows.push(
            [name.to_owned()].into_iter().chain(verdicts.map(|verdict| count(&of, verdict).to_string())).collect(),
        );
    }
    table
}

/// What differs, in whole or in part, the farthest apart first; what can't be measured is not among it.
fn largest(mut findings: Vec<RankedFinding>) -> Vec<RankedFinding> {
    findings.retain(|ranked| ranked.finding.agreement != PaperVerdict::Agrees && ranked.finding.apart.is_some());
    findings.sort_by(|a, b| b.finding.apart.partial_cmp(&a.finding.apart).expect("differences are numbers"));
    findings.truncate(SHOWN);
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use mineflow_document::Finding;

    #[test]
    fn the_box_counts_verdicts_and_ranks_what_differs() {
        let mut section = Section::new("samegame", "SameGame");
        let finding = |paper: &str, verdict, apart| Finding::new(paper, "", verdict).apart(apart);
        section.findings([
            finding("agrees", PaperVerdict::Agrees, 90.0),
            finding("little", PaperVerdict::Partly, 1.0),
            finding("unknown", PaperVerdict::Differs, 0.0),
            finding("much", PaperVerdict::Differs, 7.5),
        ]);
        let blocks = summary(&[section], &[]);
        let PageBlock::Text(counted) = &blocks[0] else { panic!("{blocks:?}") };
        assert!(
            counted.contains("Of 4 statements") && counted.contains("1 agree, 1 agree partly, 2 differ"),
            "{counted}"
        );
        let PageBlock::Table(table) = &blocks[1] else { panic!("{blocks:?}") };
        assert_eq!(table.rows, [["SP-MCTS", "1", "1", "2"]]);
        let ranked =
            blocks.iter().find_map(|block| if let PageBlock::Ranked(ranked) = block { Some(ranked) } else { None });
        let names: Vec<_> = ranked.unwrap().iter().map(|ranked| ranked.finding.paper.as_str()).collect();
        assert_eq!(names, ["much", "little"]);
        assert_eq!(summary(&[], &[]), []);
    }
}
