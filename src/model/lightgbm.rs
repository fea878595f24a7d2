//! Reads and validates LightGBM's text models.

use std::{collections::BTreeMap, str::FromStr};

use super::{
    error::Fault,
    forest::{Forest, Objective},
    metadata::Metadata,
    xgboost::{Flag, TreeFields, field, number, tree, unsupported, width},
};

/// The first line of a model.
pub(super) const START: &[u8] = b"tree";
/// The line after the last tree.
const END: &str = "end of trees";
/// The bits of `decision_type`: a categorical split, the default direction, and the kind of missing
/// values, of which `ZERO_MISSING` is one.
const CATEGORICAL: u8 = 1;
const DEFAULT_LEFT: u8 = 2;
const MISSING: u8 = 12;
const ZERO_MISSING: u8 = 4;
const NAN_MISSING: u8 = 8;

/// Lines `key=value`.
type Lines<'a> = BTreeMap<&'a str, &'a str>;

fn lines(text: &str) -> Lines<'_> {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .collect()
}

/// Returns the value of a key of a section, which is the header or a tree.
fn value<'a>(lines: &Lines<'a>, section: &str, key: &str) -> Result<&'a str, Fault> {
    let missing = || field(&format!("{section}{key}"), "missing");
    lines.get(key).copied().ok_or_else(missing)
}

/// Reads a model.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<Forest, Fault> {
    let text = str::from_utf8(bytes).map_err(|error| field("text", &error.to_string()))?;
    let cut_off = || field(END, "missing: the file is cut off");
    let (text, _) = text.split_once(END).ok_or_else(cut_off)?;
    let mut sections = text.split("\nTree=");
    let header = sections.next().unwrap_or_default();
    if header.lines().any(|line| line == "average_output") {
        return Err(unsupported("an average of trees (boosting rf)".to_owned()));
    }
    let header = lines(header);
    let version = value(&header, "", "version")?;
    if !["v3", "v4"].contains(&version) {
        return Err(unsupported(format!("the version {version}")));
    }
    let key = "num_tree_per_iteration";
    let count = number(key, value(&header, "", key)?)?;
    if count != 1 {
        return Err(unsupported(format!("{count} outputs (`{key}`)")));
    }
    let (objective, factor) = objective(value(&header, "", "objective")?)?;
    let names = value(&header, "", "feature_names")?;
    let mut columns: Vec<_> = names.split_whitespace().map(str::to_owned).collect();
    let width = width(&columns.len().to_string(), columns.len())?;
    // LightGBM names columns without names.
    if columns.iter().all(|name| name.starts_with("Column_")) {
        columns.clear();
    }
    let trees = sections.enumerate().map(|(index, section)| {
        let fields = tree_fields(index, &lines(section), factor)?;
        tree(index, &fields, width)
    });
    Ok(Forest {
        trees: trees.collect::<Result<_, _>>()?,
        base: 0.0,
        objective,
        width,
        columns,
        metadata: Metadata::new(""),
        extension: "txt",
    })
}

/// Returns what the sum of the leaves means, and the factor of the leaves.
fn objective(text: &str) -> Result<(Objective, f64), Fault> {
    let sigmoid = text.strip_prefix("binary sigmoid:");
    match (text, sigmoid.and_then(|factor| factor.parse().ok())) {
        (_, Some(factor)) => Ok((Objective::Logistic, factor)),
        ("cross_entropy", _) => Ok((Objective::Logistic, 1.0)),
        ("regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape", _) => {
            Ok((Objective::SquaredError, 1.0))
        }
        _ => Err(unsupported(format!("objective \"{text}\""))),
    }
}

/// Converts the arrays of a tree to those of XGBoost, in which the leaves follow the inner nodes.
fn tree_fields(index: usize, lines: &Lines<'_>, factor: f64) -> Result<TreeFields, Fault> {
    let section = &format!("Tree={index} ");
    let leaves = number("num_leaves", value(lines, section, "num_leaves")?)?;
    let inner = leaves.saturating_sub(1);
    if lines.get("is_linear").is_some_and(|&linear| linear != "0") {
        return Err(unsupported(format!("linear leaves in tree {index}")));
    }
    let mut of = TreeFields::default();
    if inner > 0 {
        let child = |&child: &i32| {
            if child < 0 {
                (inner as i32).wrapping_add(!child)
            } else {
                child
            }
        };
        let left = numbers::<i32>(lines, section, "left_child", inner)?;
        let right = numbers::<i32>(lines, section, "right_child", inner)?;
        let thresholds = numbers::<f64>(lines, section, "threshold", inner)?;
        let kinds = numbers::<u8>(lines, section, "decision_type", inner)?;
        of.left_children = left.iter().map(child).collect();
        of.right_children = right.iter().map(child).collect();
        of.split_indices = numbers(lines, section, "split_feature", inner)?;
        for (bits, kind, name) in [
            (CATEGORICAL, CATEGORICAL, "categorical splits"),
            (MISSING, ZERO_MISSING, "zero_as_missing"),
        ] {
            if kinds.iter().any(|found| found & bits == kind) {
                return Err(unsupported(format!("{name} in tree {index}")));
            }
        }
        let splits = thresholds.iter().zip(&kinds);
        let default_left = splits.map(|(&threshold, kind)| {
            Flag::Word(match kind & MISSING {
                NAN_MISSING => kind & DEFAULT_LEFT != 0,
                // A missing number is read as 0.
                _ => threshold >= 0.0,
            })
        });
        of.default_left = default_left.collect();
        of.split_conditions = thresholds.into_iter().map(least_above).collect();
    }
    let values = numbers::<f64>(lines, section, "leaf_value", leaves)?;
    of.split_conditions
        .extend(values.iter().map(|value| (value * factor) as f32));
    of.left_children.resize(inner + leaves, -1);
    of.right_children.resize(inner + leaves, -1);
    of.split_indices.resize(inner + leaves, 0);
    of.default_left
        .resize_with(inner + leaves, || Flag::Word(true));
    Ok(of)
}

/// Returns the least 32-bit number above a threshold: LightGBM sends a number left if it is at most
/// the threshold, and [`Forest`] if it is below the split.
fn least_above(threshold: f64) -> f32 {
    let near = threshold as f32;
    let above = if f64::from(near) > threshold {
        near
    } else {
        near.next_up()
    };
    above.min(f32::MAX)
}

/// Reads `count` numbers that are separated by blanks.
fn numbers<T: FromStr>(
    lines: &Lines<'_>,
    section: &str,
    key: &str,
    count: usize,
) -> Result<Vec<T>, Fault> {
    let words: Vec<_> = value(lines, section, key)?.split_whitespace().collect();
    let name = format!("{section}{key}");
    if words.len() != count {
        let problem = format!("of length {}, not {count}", words.len());
        return Err(field(&name, &problem));
    }
    let read = |word: &&str| {
        let wrong = |_| field(&name, &format!("with `{word}`, which is not such a number"));
        word.parse().map_err(wrong)
    };
    words.iter().map(read).collect()
}
