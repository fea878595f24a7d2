//! Pages written by hand with generated tables between marks, and their HTML.
//!
//! A generated table is between the lines `<!-- table MARK -->` and `<!-- end -->`; `command.rs`
//! defines the marks.

use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use pulldown_cmark::{Options, Parser, html::push_html};

use crate::claim::Verdict;
use mineflow_tasks::plot::Figure;

const START: &str = "<!-- table ";
const END: &str = "<!-- end -->";
const STYLE: &str = include_str!("page.css");

/// Returns the page with each mark's table replaced by the result of `block`.
///
/// # Errors
/// Returns an error if a mark has no end or no contents.
pub(crate) fn filled(
    page: &str,
    block: impl Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let mut text = String::with_capacity(page.len());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        let Some(mark) = line
            .strip_prefix(START)
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let end = lines
            .by_ref()
            .find(|line| *line == END || line.starts_with(START));
        ensure!(end == Some(END), "`{line}` has no `{END}`");
        let block = block(mark).with_context(|| format!("`{line}`"))?;
        ensure!(!block.is_empty(), "`{line}`: there are no rows for it");
        let _ = write!(text, "{}\n\n{END}\n", block.trim_end());
    }
    Ok(text)
}

/// Converts the page to one HTML file with embedded figures.
pub(crate) fn html(page: &str, figures: &[Figure]) -> String {
    let mut body = String::new();
    push_html(&mut body, Parser::new_ext(page, Options::ENABLE_TABLES));
    for (name, svg) in figures {
        let image = format!("<img src=\"figures/{name}.svg\"");
        let Some(svg) = svg else { continue };
        while let Some(start) = body.find(&image) {
            let length = body[start..].find('>').map_or(image.len(), |end| end + 1);
            body.replace_range(start..start + length, svg);
        }
    }
    body = with_headers(&body);
    for verdict in Verdict::NAMES {
        let class = verdict.replace(' ', "-");
        body = body.replace(
            &format!("<strong>{verdict}</strong>"),
            &format!("<strong class=\"{class}\">{verdict}</strong>"),
        );
    }
    let (contents, body) = with_contents(&body);
    let title = page
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .unwrap_or("Report");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<nav>{contents}</nav>\n<main>\n{body}</main>\n</html>\n"
    )
}

/// Puts tables into elements that scroll, and the header of its column into each cell, for narrow
/// pages.
fn with_headers(body: &str) -> String {
    let mut tables = body.split("<table>");
    let mut text = tables.next().unwrap_or("").to_owned();
    for part in tables {
        let (table, rest) = part.split_once("</table>").unwrap_or((part, ""));
        let (head, _) = table.split_once("</thead>").unwrap_or((table, ""));
        let header = head.split("</th>").filter_map(|cell| cell.rsplit_once('>'));
        let header: Vec<&str> = header.map(|(_, text)| text).collect();
        text += "<div class=\"table\"><table>";
        for (cell, html) in table.split("<td").enumerate() {
            // Behind the last cell of the header stands the end of its row.
            if let Some(at) = cell.checked_sub(1) {
                let _ = write!(text, "<td data-of=\"{}\"", header[at % (header.len() - 1)]);
            }
            text += html;
        }
        let _ = write!(text, "</table></div>{rest}");
    }
    text
}

/// Returns links to all sections of the page, and the page with their anchors.
fn with_contents(body: &str) -> (String, String) {
    let mut sections = body.split("<h2>");
    let mut contents = String::new();
    let mut anchored = sections.next().unwrap_or("").to_owned();
    for section in sections {
        let title = section.split("</h2>").next().unwrap_or("");
        let id = title
            .to_ascii_lowercase()
            .replace(|letter: char| !letter.is_alphanumeric(), "-");
        contents += &format!("<a href=\"#{id}\">{title}</a> ");
        anchored += &format!("<h2 id=\"{id}\">{section}");
    }
    (contents, anchored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_replace_what_stands_between_the_marks() {
        let block = |mark: &str| match mark {
            "one" => Ok("| a |\n".to_owned()),
            "none" => Ok(String::new()),
            _ => anyhow::bail!("unknown"),
        };
        let page = filled("# T\n<!-- table one -->\nold\n<!-- end -->\nafter\n", block).unwrap();
        assert_eq!(
            page,
            "# T\n<!-- table one -->\n| a |\n\n<!-- end -->\nafter\n"
        );
        assert_eq!(filled(&page, block).unwrap(), page);
        for wrong in [
            "one -->\n",
            "one -->\ntext\n<!-- table one -->\n<!-- end -->\n",
            "three -->\n<!-- end -->\n",
            "none -->\n<!-- end -->\n",
        ] {
            assert!(
                filled(&format!("{START}{wrong}"), block).is_err(),
                "{wrong}"
            );
        }
    }
}
