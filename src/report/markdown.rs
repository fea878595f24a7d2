//! A page as Markdown, with its charts as files beside it.

use super::chart::{STYLE, Width, svg};
use super::page::{Figure, FigureSource, Finding, Page, PageBlock, RankedFinding, Section};
use mineflow_arena::{Align, PageTable};

/// A chart in a file of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureFile {
    pub name: String,
    pub svg: String,
}

/// The page, and the charts that it shows from the folder `figures`.
pub fn page(document: &Page, figures: &str) -> (String, Vec<FigureFile>) {
    let mut drawings = Vec::new();
    let mut text = format!("# {}\n\n", document.title);
    let mut put = |text: &mut String, block: &PageBlock| {
        put_block(text, block, figures);
        if let PageBlock::Figure(figure) = block {
            let svg = svg(&figure.chart, Width::Wide, Some(STYLE));
            drawings.push(FigureFile {
                name: format!("{}.svg", figure.id),
                svg,
            });
        }
    };
    if !document.summary.is_empty() {
        text += "## In a minute\n\n";
        document
            .summary
            .iter()
            .for_each(|block| put(&mut text, block));
    }
    document.lead.iter().for_each(|block| put(&mut text, block));
    for Section { title, blocks, .. } in &document.sections {
        text += &format!("## {title}\n\n");
        blocks.iter().for_each(|block| put(&mut text, block));
    }
    (text.trim_end().to_owned() + "\n", drawings)
}

fn put_block(text: &mut String, block: &PageBlock, figures: &str) {
    match block {
        PageBlock::Text(words) => *text += &format!("{}\n\n", inline(words)),
        PageBlock::Heading(words) => *text += &format!("### {}\n\n", inline(words)),
        PageBlock::Missing(words) => *text += &format!("> {}\n\n", inline(words)),
        PageBlock::Table(table) => put_table(text, table),
        PageBlock::Figure(figure) => put_figure(text, figure, figures),
        PageBlock::Findings(findings) => put_findings(text, findings),
        PageBlock::Ranked(findings) => put_ranked(text, findings),
        PageBlock::Link { text: words, to } => *text += &format!("[{words}]({to})\n\n"),
        PageBlock::Commands(lines) => *text += &format!("```sh\n{}\n```\n\n", lines.join("\n")),
    }
}

fn put_table(text: &mut String, PageTable { header, rows }: &PageTable) {
    let line = |entries: Vec<String>| format!("| {} |\n", entries.join(" | "));
    *text += &line(header.iter().map(|(name, _)| inline(name)).collect());
    let rule = |(_, align): &(String, Align)| {
        if *align == Align::Right {
            "---:"
        } else {
            "---"
        }
        .to_owned()
    };
    *text += &line(header.iter().map(rule).collect());
    for row in rows {
        *text += &line(
            row.iter()
                .map(|entry| inline(entry).replace('|', "\\|"))
                .collect(),
        );
    }
    text.push('\n');
}

fn put_figure(text: &mut String, figure: &Figure, figures: &str) {
    let Figure {
        id,
        chart,
        caption,
        findings,
        sources,
    } = figure;
    *text += &format!(
        "![{}]({figures}/{id}.svg)\n\n{}\n\n",
        chart.title,
        inline(caption)
    );
    put_sources(text, sources);
    put_findings(text, findings);
}

fn put_sources(text: &mut String, sources: &[FigureSource]) {
    for FigureSource {
        name,
        link,
        made_by,
    } in sources
    {
        let file = link
            .as_ref()
            .map_or_else(|| format!("`{name}`"), |to| format!("[{name}]({to})"));
        *text += &format!(
            "- Data: {file}{}\n",
            made_by
                .as_ref()
                .map_or_else(String::new, |by| format!(", {by}"))
        );
    }
    if !sources.is_empty() {
        text.push('\n');
    }
}

fn put_findings(text: &mut String, findings: &[Finding]) {
    for finding in findings {
        let (paper, verdict) = (&finding.paper, finding.verdict.name());
        *text += &format!(
            "- {}\n  **{verdict}:** {}\n",
            inline(paper),
            inline(&finding.here_and_why())
        );
    }
    if !findings.is_empty() {
        text.push('\n');
    }
}

fn put_ranked(text: &mut String, findings: &[RankedFinding]) {
    for (
        at,
        RankedFinding {
            section: (_, title),
            finding,
        },
    ) in (1..).zip(findings)
    {
        let apart = finding
            .apart
            .map_or(String::new(), |points| format!(", {points:.1} apart"));
        let (paper, verdict) = (inline(&finding.paper), finding.verdict.name());
        *text += &format!(
            "{at}. {title}{apart}. {paper} **{verdict}:** {}\n",
            inline(&finding.here_and_why())
        );
    }
    text.push('\n');
}

/// Escapes everything in a text but its code.
fn inline(text: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        let is_code = index % 2 == 1;
        if is_code {
            part.to_owned()
        } else {
            part.replace('*', "\\*").replace('<', "\\<")
        }
    };
    text.split('`')
        .enumerate()
        .map(part)
        .collect::<Vec<_>>()
        .join("`")
}
