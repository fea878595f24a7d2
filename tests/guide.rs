//! Tests that the guide is up to date: the commands in `console` blocks print what the page shows.
//!
//! A line that starts with `$ ` is a shell command, which continues on the next line after a `\`;
//! the lines below it are its output. `[..]` matches any text within a line. A block marked
//! `LANGUAGE,file=NAME` is written to a file that the commands read. The commands of a page run one
//! after the other in a temporary folder. `GUIDE=write` replaces the shown output by the real one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;

use crate::program::{PIPELINE, read_text, tempdir, write_file};

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let entries = fs::read_dir(folder).expect("the guide has a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

/// Returns what a shell prints for a command in `folder`, in which `pipeline` is the program under
/// test.
fn printed(command: &str, folder: &Path) -> String {
    let program = Path::new(PIPELINE).parent().expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env_remove("MINEFLOW_MODELS")
        .output()
        .expect("bash starts");
    // Exit code 1 is a valid answer, for example that two players do not differ.
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{command}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Returns whether `text` matches `pattern`, in which `[..]` matches anything within a line.
fn fits(pattern: &str, text: &str) -> bool {
    let (patterns, lines) = (pattern.lines(), text.lines());
    patterns.clone().count() == lines.clone().count()
        && patterns.zip(lines).all(|(pattern, line)| {
            let mut parts = pattern.split("[..]");
            let first = parts.next().unwrap_or_default();
            let Some(mut rest) = line.strip_prefix(first) else {
                return false;
            };
            let parts: Vec<&str> = parts.collect();
            let Some((last, middle)) = parts.split_last() else {
                return rest.is_empty();
            };
            for part in middle {
                let Some(at) = rest.find(part) else {
                    return false;
                };
                rest = &rest[at + part.len()..];
            }
            rest.ends_with(last)
        })
}

/// Returns the page with the real output of its commands wherever the shown output does not match.
fn rewritten(page: &str) -> String {
    let folder = tempdir();
    let mut lines = page.lines().peekable();
    let mut out = Vec::new();
    let mut is_console = false;
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        if line.starts_with("```") {
            is_console = line == "```console";
        }
        if let Some((_, name)) = line.split_once(",file=") {
            let inside: Vec<&str> =
                std::iter::from_fn(|| lines.next_if(|next| !next.starts_with("```"))).collect();
            write_file(folder.join(name), inside.join("\n"));
            out.extend(inside.iter().map(|&line| line.to_owned()));
        }
        let Some(first) = line.strip_prefix("$ ").filter(|_| is_console) else {
            continue;
        };
        let mut command = first.to_owned();
        while let Some(before) = command.strip_suffix('\\') {
            let next = lines.next().expect("a command goes on after a backslash");
            out.push(next.to_owned());
            command = format!("{before}{}", next.trim_start());
        }
        let mut shown = Vec::new();
        while let Some(next) =
            lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```"))
        {
            shown.push(next);
        }
        let (shown, found) = (shown.join("\n"), printed(&command, &folder));
        let kept = if fits(shown.trim_end(), &found) {
            shown
        } else {
            found
        };
        out.extend(kept.lines().map(str::to_owned));
    }
    out.join("\n") + "\n"
}

#[test]
fn commands_of_the_guide_print_what_it_shows() {
    let writes = std::env::var("GUIDE").is_ok_and(|how| how == "write");
    let wrong: Vec<String> = pages()
        .par_iter()
        .filter_map(|path| {
            let page = read_text(path);
            let found = rewritten(&page);
            if writes {
                write_file(path, &found);
            }
            let differs = page.lines().zip(found.lines()).find(|(a, b)| a != b);
            let (shown, printed) = differs.or((page != found).then_some(("", "")))?;
            Some(format!(
                "{}: shows {shown:?}, prints {printed:?}",
                path.display()
            ))
        })
        .collect();
    assert!(writes || wrong.is_empty(), "{}", wrong.join("\n"));
}
