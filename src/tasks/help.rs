//! Texts at the end of a command's help.

/// The exit codes of the program.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    done, and the answer is no (compare: no difference is shown on any board;
       compare --sprt: HIGH is accepted on none;
       solve: a position is malformed, contradicts itself or is too hard;
       data verify, models verify: a check fails)
  2    error: wrong usage, or a file that can't be read or written
  130  interrupted; with --out, the same command resumes";

/// Formats the end of a help text: example command lines, given without the program's name, with
/// `notes` below.
pub fn examples(lines: &[&str], notes: &str) -> String {
    let lines: String = lines
        .iter()
        .map(|line| format!("  pipeline {line}\n"))
        .collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("Examples:\n{lines}{gap}{notes}")
        .trim_end()
        .to_owned()
}
