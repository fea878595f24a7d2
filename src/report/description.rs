//! Descriptions of the sections: Markdown with prose, tables whose rows have places for values, and fences of TOML that name data,
//! figures and claims.
//!
//! ```text
//! # Title of the section
//!
//! ## A part
//!
//! (fence `data`: files, and the view that makes rows of them; what follows is shown where there are rows)
//!
//! ### A heading that is shown with the data
//!
//! Prose with {places} for the data's facts.
//!
//! | game | score, % |
//! | --- | ---: |
//! | {game} | {score:interval} |
//!
//! (fence `figure`: axes and lines of the same rows; fence `claim`: what the paper says, the quantity that is tested, the comparison and
//! its margin, as `verdict.rs` has them)
//! ```

use std::collections::BTreeMap;
use std::iter::once;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::row::Row;
use super::template::WELL_FORMED;
use super::verdict::Comparison;
use mineflow_arena::Align;

/// A section as it is described.
pub(super) struct Description {
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
}

/// A block of a description.
pub(super) enum Node {
    /// The heading of a part, shown in any case.
    Part(String),
    /// A heading that is shown with the data.
    Heading(String),
    Text(String),
    Grid(Grid),
    Data(DataText),
    Figure(FigureText),
    Claim(ClaimText),
}

/// A table. Rows without a place stand once; those with places stand together for each row of the data.
pub(super) struct Grid {
    pub(super) header: Vec<(String, Align)>,
    pub(super) rows: Vec<Vec<String>>,
}

/// Which rows are meant: those in which each of these values is there, is not there, is this, or is one of these.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Conditions(BTreeMap<String, Wanted>);

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Wanted {
    IsThere(bool),
    Number(f64),
    Text(String),
    OneOf(Vec<String>),
}

/// The files behind what follows, and how rows are made of them.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataText {
    /// Files, each below a root: `play/worth.csv`.
    pub(super) from: Vec<String>,
    /// Files that need not be there.
    #[serde(default)]
    pub(super) also: Vec<String>,
    /// What messages and views call these files, if not by their names.
    #[serde(default)]
    pub(super) names: Vec<String>,
    /// One of the views; else the lines of the files as they are.
    pub(super) view: Option<String>,
    #[serde(default)]
    pub(super) with: ViewOptions,
    #[serde(default, rename = "where")]
    pub(super) only: Conditions,
    /// Whether what follows is shown for one file after the other.
    #[serde(default)]
    pub(super) each: bool,
    /// What is said of files that are not there: once with all `{stages}`, or of each with its `{name}` and `{stages}`.
    pub(super) missing: Option<String>,
    /// What is said where the files have no such rows.
    pub(super) empty: Option<String>,
}

/// The parameters of views.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ViewOptions {
    pub(super) players: Vec<String>,
    /// What players are called, if not by their names.
    pub(super) names: BTreeMap<String, String>,
    /// Players whose difference is asked for, the first less the second.
    pub(super) pairs: Vec<[String; 2]>,
    /// Of these the one with most games is what gains are measured from.
    pub(super) bases: Vec<String>,
    /// Whether all players are to share every board.
    pub(super) all: bool,
    /// What boards are grouped by, or what is looked for.
    pub(super) by: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureText {
    pub(super) id: String,
    pub(super) title: String,
    /// With `{reading}` for how many lines are to be read.
    pub(super) caption: String,
    /// The data's files that it is drawn from, if not all.
    #[serde(default)]
    pub(super) files: Vec<String>,
    pub(super) x: AxisText,
    pub(super) y: AxisText,
    pub(super) lines: Vec<LineText>,
    /// A line to compare with: a height, or the fact that says it.
    pub(super) level: Option<Level>,
    #[serde(default)]
    pub(super) diagonal: bool,
    #[serde(default)]
    pub(super) tall: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AxisText {
    #[serde(default)]
    pub(super) label: String,
    pub(super) scale: ScaleText,
    #[serde(default)]
    pub(super) ends: Ends,
    #[serde(default)]
    pub(super) decimals: usize,
    /// Of an axis of names: what a row is called.
    #[serde(default)]
    pub(super) names: String,
    /// Whether the ticks stand at the values.
    #[serde(default)]
    pub(super) ticks: bool,
    /// The axis goes on to this many times the highest value.
    pub(super) room: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ScaleText {
    Linear,
    Percent,
    Log,
    LogSeconds,
    LogPercent,
    Names,
}

/// Where an axis ends.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(untagged)]
pub(super) enum Ends {
    Fixed([f64; 2]),
    Around(Around),
    #[default]
    Values,
}

/// Ends that hold all values.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Around {
    /// From 0, or 1, to the last.
    FromZero,
    FromOne,
    /// With a little air.
    Air,
    /// On whole twentieths, within 0 to 1.
    Twentieths,
    /// On whole fiftieths, with 0.
    Fiftieths,
    /// On whole percents, the ends of intervals held too.
    Percents,
    /// On whole hundreds, likewise.
    Hundreds,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Level {
    At(f64),
    Fact(String),
}

/// Points of a figure: one series, or one for each text that `by` gives.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineText {
    #[serde(default)]
    pub(super) by: String,
    /// Its name, from its first row; where it has none, what `by` gives.
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) x: String,
    #[serde(default)]
    pub(super) y: String,
    /// Other rows of the data, by their name.
    pub(super) rows: Option<String>,
    #[serde(default, rename = "where")]
    pub(super) only: Conditions,
    #[serde(default)]
    pub(super) join: String,
    /// As [`look`](super::appearance::look) reads them, in turn; `player` for that of the player.
    #[serde(default)]
    pub(super) looks: Vec<String>,
    /// Whether points are joined in the order of `x`.
    #[serde(default)]
    pub(super) sorted: bool,
    /// From its place on an axis of names.
    #[serde(default)]
    pub(super) shift: f64,
    /// Next to a point, and the text shown where the pointer is.
    pub(super) label: Option<[String; 2]>,
}

/// What a paper says, held against a quantity of rows, the cases of the claim. A row without the quantity is a case that was not run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimText {
    /// Its name among the claims of the section.
    pub(super) id: String,
    pub(super) paper: String,
    /// What is found here: facts, values of the first case, `{cases}`, `{verdicts}` (the cases by what they show), `{tally}` (how many
    /// show what).
    pub(super) here: String,
    /// What the data say about the reason, in values of the case that is farthest off.
    pub(super) why: Option<String>,
    /// What is missing, where no case was run.
    pub(super) missing: Option<String>,
    /// Other rows of the data, by their name.
    pub(super) rows: Option<String>,
    #[serde(default, rename = "where")]
    pub(super) only: Conditions,
    /// The quantity that is tested. It has an interval.
    pub(super) of: String,
    /// Unless it is a count that is exact.
    #[serde(default)]
    pub(super) exact: bool,
    pub(super) compare: Comparison,
    /// In the quantity's unit.
    #[serde(default)]
    pub(super) margin: f64,
    /// Why the margin is so wide.
    #[serde(default)]
    pub(super) reason: String,
    /// Whether readings of the paper that the quantity rests on were chosen with these figures of the paper in view.
    #[serde(default)]
    pub(super) chosen: bool,
    /// How far the paper and we are apart: `points` beyond the margin, or a value of the cases.
    pub(super) apart: Option<String>,
    /// What a case is called.
    #[serde(default)]
    pub(super) case: String,
    /// A case in `{cases}`, if not by its name alone.
    pub(super) named: Option<String>,
}

impl Conditions {
    pub(super) fn hold(&self, row: &Row) -> bool {
        self.0.iter().all(|(name, wanted)| match wanted {
            Wanted::IsThere(is) => row.get(name).is_some() == *is,
            Wanted::Number(number) => row.number(name) == Some(*number),
            Wanted::Text(text) => row.text(name) == text,
            Wanted::OneOf(texts) => texts.iter().any(|text| row.text(name) == text),
        })
    }
}

impl Description {
    pub(super) fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let title = lines
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .expect(WELL_FORMED)
            .to_owned();
        let mut nodes = Vec::new();
        while let Some(first) = lines.next() {
            if first.is_empty() {
                continue;
            }
            nodes.push(if let Some(kind) = first.strip_prefix("```") {
                let inside: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
                fence(kind, &inside.join("\n"))
            } else if let Some(title) = first.strip_prefix("## ") {
                Node::Part(title.to_owned())
            } else if let Some(title) = first.strip_prefix("### ") {
                Node::Heading(title.to_owned())
            } else {
                let block: Vec<_> = once(first)
                    .chain(lines.by_ref().take_while(|line| !line.is_empty()))
                    .collect();
                if first.starts_with('|') {
                    Node::Grid(grid(&block))
                } else {
                    Node::Text(block.join(" "))
                }
            });
        }
        Self { title, nodes }
    }
}

fn fence(kind: &str, inside: &str) -> Node {
    match kind {
        "data" => Node::Data(toml_of(inside)),
        "figure" => Node::Figure(toml_of(inside)),
        "claim" => Node::Claim(toml_of(inside)),
        _ => panic!("a fence {kind}: {WELL_FORMED}"),
    }
}

fn toml_of<T: DeserializeOwned>(inside: &str) -> T {
    toml::from_str(inside).unwrap_or_else(|error| panic!("{error}in\n{inside}\n{WELL_FORMED}"))
}

fn grid(lines: &[&str]) -> Grid {
    let cells = |line: &str| -> Vec<String> {
        let inside = line
            .strip_prefix('|')
            .and_then(|line| line.strip_suffix('|'))
            .expect(WELL_FORMED);
        inside
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let align = |rule: String| {
        if rule.ends_with(':') {
            Align::Right
        } else {
            Align::Left
        }
    };
    let rules = cells(lines[1]).into_iter().map(align);
    Grid {
        header: cells(lines[0]).into_iter().zip(rules).collect(),
        rows: lines[2..].iter().map(|line| cells(line)).collect(),
    }
}
