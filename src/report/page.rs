//! Pages that people write with tables between marks, and their HTML.
//!
//! A table stands between the lines `<!-- table NAME -->` and `<!-- end -->`.

use std::fmt::Write as _;

use anyhow::{Context as _, bail, ensure};
use pulldown_cmark::{Options, Parser, html::push_html};

const START: &str = "<!-- table ";
const END: &str = "<!-- end -->";
const STYLE: &str = include_str!("page.css");

/// A table or the link of a figure, by its name.
pub(crate) type Block = (String, String);

/// The page with every block between its marks.
///
/// # Errors
/// A mark without an end, or of a block that does not exist.
pub(crate) fn filled(page: &str, blocks: &[Block]) -> anyhow::Result<String> {
    let mut text = String::with_capacity(page.len());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(name) = line
            .strip_prefix(START)
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        ensure!(
            lines.by_ref().any(|line| line == END),
            "`{line}` has no `{END}`"
        );
        let (_, block) = blocks
            .iter()
            .find(|(known, _)| known == name)
            .with_context(|| format!("`{line}` names no table of the report"))?;
        if block.is_empty() {
            bail!("`{line}`: there are no rows for this table");
        }
        let _ = write!(text, "\n{}\n\n{END}\n", block.trim_end());
    }
    Ok(text)
}

/// A page of the blocks that have content, under headings.
pub(crate) fn of_blocks(title: &str, headings: &[(&str, &[&str])], blocks: &[Block]) -> String {
    let mut page = format!("# {title}\n");
    for (heading, names) in headings {
        let here = blocks
            .iter()
            .filter(|(name, block)| names.contains(&&**name) && !block.is_empty());
        let text: String = here
            .map(|(_, block)| format!("\n{}\n", block.trim_end()))
            .collect();
        if !text.is_empty() {
            page += &format!("\n## {heading}\n{text}");
        }
    }
    page
}

/// The page as one HTML file with its figures in it.
pub(crate) fn html(page: &str, figures: &[(String, String)]) -> String {
    let mut body = String::new();
    push_html(&mut body, Parser::new_ext(page, Options::ENABLE_TABLES));
    for (name, svg) in figures {
        let image = format!("<img src=\"figures/{name}.svg\"");
        while let Some(start) = body.find(&image) {
            let end = body[start..]
                .find('>')
                .map_or(body.len(), |length| start + length + 1);
            body.replace_range(start..end, svg);
        }
    }
    let body = body
        .replace("<table>", "<div class=\"table\"><table>")
        .replace("</table>", "</table></div>");
    let mut contents = String::new();
    let mut numbered = String::with_capacity(body.len());
    for (index, part) in body.split("<h2>").enumerate() {
        if index == 0 {
            numbered += part;
            continue;
        }
        let title = part.split("</h2>").next().unwrap_or("");
        let id: String = title
            .chars()
            .map(|letter| {
                if letter.is_alphanumeric() {
                    letter.to_ascii_lowercase()
                } else {
                    '-'
                }
            })
            .collect();
        let _ = write!(contents, "<a href=\"#{id}\">{title}</a> ");
        let _ = write!(numbered, "<h2 id=\"{id}\">{part}");
    }
    for verdict in ["agrees", "differs", "not shown", "not comparable"] {
        let class = verdict.replace(' ', "-");
        numbered = numbered.replace(
            &format!("<strong>{verdict}</strong>"),
            &format!("<strong class=\"{class}\">{verdict}</strong>"),
        );
    }
    let title = page
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .unwrap_or("Report");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<nav>{contents}</nav>\n<main>\n{numbered}</main>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_replace_what_stands_between_the_marks() {
        let blocks = [
            ("one".to_owned(), "| a |\n".to_owned()),
            ("two".to_owned(), String::new()),
        ];
        let page = filled(
            "# T\n<!-- table one -->\nold\n<!-- end -->\nafter\n",
            &blocks,
        )
        .unwrap();
        assert_eq!(
            page,
            "# T\n<!-- table one -->\n\n| a |\n\n<!-- end -->\nafter\n"
        );
        assert_eq!(filled(&page, &blocks).unwrap(), page);
        for wrong in [
            "<!-- table one -->\n",
            "<!-- table three -->\n<!-- end -->\n",
            "<!-- table two -->\n<!-- end -->\n",
        ] {
            assert!(filled(wrong, &blocks).is_err(), "{wrong}");
        }
    }
}
