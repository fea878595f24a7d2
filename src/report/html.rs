//! One self-contained HTML page: it includes its style and charts, has no script, and loads nothing.

use super::chart::{STYLE, Width, svg};
use super::escape::escaped;
use super::page::{Figure, FigureSource, Finding, Page, PageBlock, RankedFinding, Section};
use mineflow_arena::{Align, PageTable};

const PAGE_STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(document: &Page) -> String {
    let title = escaped(&document.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
    );
    if !document.summary.is_empty() {
        text += "<section id=\"summary\" class=\"summary\">\n<h2>In a minute</h2>\n";
        document
            .summary
            .iter()
            .for_each(|block| put_block(&mut text, block));
        text += "</section>\n";
    }
    document
        .lead
        .iter()
        .for_each(|block| put_block(&mut text, block));
    text += "<nav aria-label=\"Contents\">\n<ul>\n";
    for Section { id, title, .. } in &document.sections {
        text += &format!(
            "<li><a href=\"#{}\">{}</a></li>\n",
            escaped(id),
            escaped(title)
        );
    }
    text += "</ul>\n</nav>\n</header>\n<main>\n";
    for Section { id, title, blocks } in &document.sections {
        text += &format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n",
            escaped(id),
            escaped(title)
        );
        blocks.iter().for_each(|block| put_block(&mut text, block));
        text += "</section>\n";
    }
    text + "</main>\n</body>\n</html>\n"
}

fn put_block(text: &mut String, block: &PageBlock) {
    match block {
        PageBlock::Text(words) => *text += &format!("<p>{}</p>\n", inline(words)),
        PageBlock::Heading(words) => *text += &format!("<h3>{}</h3>\n", inline(words)),
        PageBlock::Missing(words) => {
            *text += &format!("<p class=\"missing\">{}</p>\n", inline(words))
        }
        PageBlock::Table(table) => put_table(text, table),
        PageBlock::Figure(figure) => put_figure(text, figure),
        PageBlock::Findings(findings) => put_findings(text, findings),
        PageBlock::Ranked(findings) => put_ranked(text, findings),
        PageBlock::Link { text: words, to } => {
            *text += &format!(
                "<p><a href=\"{}\">{}</a></p>\n",
                escaped(to),
                escaped(words)
            );
        }
        PageBlock::Commands(lines) => {
            let lines: Vec<_> = lines.iter().map(|line| escaped(line)).collect();
            *text += &format!("<pre><code>{}</code></pre>\n", lines.join("\n"));
        }
    }
}

fn put_table(text: &mut String, table: &PageTable) {
    let class = |column: usize| match table.header[column].1 {
        Align::Left => "",
        Align::Right => " class=\"r\"",
    };
    let is_narrow = fits_phone(table);
    let style = if is_narrow { "" } else { " class=\"cards\"" };
    *text += &format!("<div class=\"scroll\">\n<table{style}>\n<thead><tr>");
    for (column, (name, _)) in table.header.iter().enumerate() {
        *text += &format!("<th{} scope=\"col\">{}</th>", class(column), inline(name));
    }
    *text += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        *text += "<tr>";
        for (column, entry) in row.iter().enumerate() {
            let entry = inline(entry);
            // A phone has no room for an interval beside its number.
            let entry = match entry.split_once(" (") {
                Some((number, interval)) if !class(column).is_empty() => {
                    format!("{number} <span>({interval}</span>")
                }
                _ => entry,
            };
            let name = match is_narrow || column == 0 {
                true => String::new(),
                false => format!(
                    " data-name=\"{}\"",
                    escaped(&table.header[column].0.replace('`', ""))
                ),
            };
            *text += &format!("<td{}{name}>{entry}</td>", class(column));
        }
        *text += "</tr>\n";
    }
    *text += "</tbody>\n</table>\n</div>\n";
}

fn put_figure(text: &mut String, figure: &Figure) {
    let class = if figure.findings.is_empty() {
        "alone"
    } else {
        "beside"
    };
    *text += &format!(
        "<div class=\"{class}\">\n<figure id=\"{}\">\n",
        escaped(&figure.id)
    );
    *text += &svg(&figure.chart, Width::Wide, None);
    *text += &svg(&figure.chart, Width::Narrow, None);
    *text += &format!("<figcaption>{}</figcaption>\n", inline(&figure.caption));
    put_sources(text, &figure.sources);
    *text += "</figure>\n";
    put_findings(text, &figure.findings);
    *text += "</div>\n";
}

/// The files behind a figure, and, when opened, how each was made.
fn put_sources(text: &mut String, sources: &[FigureSource]) {
    if sources.is_empty() {
        return;
    }
    let link = |source: &FigureSource| match &source.link {
        Some(to) => format!("<a href=\"{}\">{}</a>", escaped(to), escaped(&source.name)),
        None => format!("<code>{}</code>", escaped(&source.name)),
    };
    let links: Vec<_> = sources.iter().map(link).collect();
    *text += &format!(
        "<details class=\"sources\">\n<summary>Data: {}; how to make it</summary>\n",
        links.join(", ")
    );
    for source in sources {
        if let Some(command) = &source.made_by {
            *text += &format!("<p>{}: {}</p>\n", escaped(&source.name), inline(command));
        }
    }
    *text += "</details>\n";
}

fn put_ranked(text: &mut String, findings: &[RankedFinding]) {
    *text += "<ol>\n";
    for RankedFinding {
        section: (id, title),
        finding,
    } in findings
    {
        *text += &format!(
            "<li><a href=\"#{}\">{}</a>{} {} <strong>{}</strong> {}</li>\n",
            escaped(id),
            escaped(title),
            finding
                .apart
                .map_or(".".to_owned(), |points| format!(", {points:.1} apart.")),
            inline(&finding.paper),
            finding.verdict.name(),
            inline(&finding.here_and_why())
        );
    }
    *text += "</ol>\n";
}

fn put_findings(text: &mut String, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    *text += "<dl class=\"findings\">\n";
    for finding in findings {
        let (paper, verdict) = (&finding.paper, finding.verdict.name());
        *text += &format!(
            "<div class=\"{}\"><dt>{}</dt><dd><strong>{verdict}</strong> {}</dd></div>\n",
            verdict.replace(' ', "-"),
            inline(paper),
            inline(&finding.here_and_why())
        );
    }
    *text += "</dl>\n";
}

/// A text with its code.
fn inline(text: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        let is_code = index % 2 == 1;
        // A number and its sign stay on one line.
        if is_code {
            format!("<code>{}</code>", escaped(part))
        } else {
            escaped(part).replace(" %", "\u{a0}%")
        }
    };
    text.split('`').enumerate().map(part).collect()
}

/// Characters of a table's line on a page 500 pixels wide.
const PHONE: usize = 58;
/// The gap between columns, in characters.
const GAP: usize = 2;
/// Code may break anywhere, but this many characters stay together.
const CODE: usize = 12;

/// Characters of the longest part of a text that stays on one line: a word, or an interval in brackets.
fn unbroken(text: &str) -> usize {
    let word = |word: &str| word.chars().count();
    let plain = |text: &str| match text.split_once(" (") {
        Some((number, interval)) => word(number).max(word(interval) + 1),
        None => text.split_whitespace().map(word).max().unwrap_or(0),
    };
    let part = |(index, part): (usize, &str)| {
        if index % 2 == 1 {
            CODE.min(word(part))
        } else {
            plain(part)
        }
    };
    text.split('`').enumerate().map(part).max().unwrap_or(0)
}

/// Whether the columns of a table fit beside each other on a page 500 pixels wide.
fn fits_phone(table: &PageTable) -> bool {
    let needed = |column: usize| {
        let entries = table.rows.iter().map(|row| row[column].as_str());
        entries
            .chain([table.header[column].0.as_str()])
            .map(unbroken)
            .max()
            .unwrap_or(0)
            + GAP
    };
    (0..table.header.len()).map(needed).sum::<usize>() <= PHONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_a_phone_by_what_can_not_be_broken() {
        let of = |entry: &str, columns: usize| {
            let mut table = PageTable::new(std::iter::repeat_n("name", columns));
            table.rows.push(vec![entry.to_owned(); columns]);
            fits_phone(&table)
        };
        assert!(of("words that go on and on and on and on and on", 4));
        // A number over its interval takes 15 characters.
        assert!(of("81.17 (80.62 - 81.71)", 3) && !of("81.17 (80.62 - 81.71)", 4));
        let recipe = "dss+dsscsp:solutions=100:depth=300+edge:margin=0.05";
        assert!(!of(recipe, 2) && of(&format!("`{recipe}`"), 2));
    }
}
