//! One self-contained page: style and charts within, no script, nothing from elsewhere.

use super::chart::{STYLE, Width, svg};
use super::escape::escaped;
use super::page::{Figure, Finding, Page, PageBlock, Section};
use super::table::{Align, PageTable};

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
    document.lead.iter().for_each(|block| put_block(&mut text, block));
    text += "<nav aria-label=\"Contents\">\n<ul>\n";
    for Section { id, title, .. } in &document.sections {
        text += &format!("<li><a href=\"#{}\">{}</a></li>\n", escaped(id), escaped(title));
    }
    text += "</ul>\n</nav>\n</header>\n<main>\n";
    for Section { id, title, blocks } in &document.sections {
        text += &format!("<section id=\"{}\">\n<h2>{}</h2>\n", escaped(id), escaped(title));
        blocks.iter().for_each(|block| put_block(&mut text, block));
        text += "</section>\n";
    }
    text + "</main>\n</body>\n</html>\n"
}

fn put_block(text: &mut String, block: &PageBlock) {
    match block {
        PageBlock::Text(words) => *text += &format!("<p>{}</p>\n", inline(words)),
        PageBlock::Heading(words) => *text += &format!("<h3>{}</h3>\n", inline(words)),
        PageBlock::Missing(words) => *text += &format!("<p class=\"missing\">{}</p>\n", inline(words)),
        PageBlock::Table(table) => put_table(text, table),
        PageBlock::Figure(figure) => put_figure(text, figure),
        PageBlock::Findings(findings) => put_findings(text, findings),
        PageBlock::Link { text: words, to } => {
            *text += &format!("<p><a href=\"{}\">{}</a></p>\n", escaped(to), escaped(words));
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
    *text += "<div class=\"scroll\">\n<table>\n<thead><tr>";
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
                Some((number, interval)) if !class(column).is_empty() => format!("{number} <span>({interval}</span>"),
                _ => entry,
            };
            *text += &format!("<td{}>{entry}</td>", class(column));
        }
        *text += "</tr>\n";
    }
    *text += "</tbody>\n</table>\n</div>\n";
}

fn put_figure(text: &mut String, figure: &Figure) {
    let class = if figure.findings.is_empty() { "alone" } else { "beside" };
    *text += &format!("<div class=\"{class}\">\n<figure id=\"{}\">\n", escaped(&figure.id));
    *text += &svg(&figure.chart, Width::Wide, None);
    *text += &svg(&figure.chart, Width::Narrow, None);
    *text += &format!("<figcaption>{}</figcaption>\n</figure>\n", inline(&figure.caption));
    put_findings(text, &figure.findings);
    *text += "</div>\n";
}

fn put_findings(text: &mut String, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    *text += "<dl class=\"findings\">\n";
    for Finding { paper, here, agreement } in findings {
        let verdict = agreement.name();
        *text += &format!(
            "<div class=\"{verdict}\"><dt>{}</dt><dd><strong>{verdict}</strong> {}</dd></div>\n",
            inline(paper),
            inline(here)
        );
    }
    *text += "</dl>\n";
}

/// A text with its code.
fn inline(text: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        let is_code = index % 2 == 1;
        // A number and its sign stay on one line.
        if is_code { format!("<code>{}</code>", escaped(part)) } else { escaped(part).replace(" %", "\u{a0}%") }
    };
    text.split('`').enumerate().map(part).collect()
}
