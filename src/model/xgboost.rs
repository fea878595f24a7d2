//! Reads and validates XGBoost's JSON models.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    error::Fault,
    forest::{BoostedTree, Forest, MAX_NODES, MAX_WIDTH, Objective, TreeNode},
    metadata::Metadata,
};

/// The note of a model that says how many of its trees are ignored.
pub const LEFT_OUT: &str = "left_out";

#[derive(Deserialize)]
struct ModelFile {
    learner: LearnerFields,
}

#[derive(Deserialize)]
struct LearnerFields {
    #[serde(default)]
    attributes: BTreeMap<String, String>,
    #[serde(default)]
    feature_names: Vec<String>,
    #[serde(default)]
    feature_types: Vec<String>,
    gradient_booster: Booster,
    learner_model_param: Parameters,
    objective: ObjectiveName,
}

#[derive(Deserialize)]
struct Booster {
    name: String,
    model: Option<BoosterModel>,
}

#[derive(Deserialize)]
struct Parameters {
    base_score: String,
    num_feature: String,
    num_class: Option<String>,
    num_target: Option<String>,
}

#[derive(Deserialize)]
struct ObjectiveName {
    name: String,
}

/// The parameters of a booster. Boosters other than `gbtree` have other fields; thus no field is
/// required before the booster's name is known.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BoosterModel {
    gbtree_model_param: BTreeMap<String, String>,
    iteration_indptr: Vec<usize>,
    tree_info: Vec<u32>,
    trees: Vec<TreeFields>,
    weight_drop: Vec<f32>,
}

#[derive(Default, Deserialize)]
pub(super) struct TreeFields {
    pub left_children: Vec<i32>,
    pub right_children: Vec<i32>,
    pub split_indices: Vec<usize>,
    pub split_conditions: Vec<f32>,
    pub default_left: Vec<Flag>,
    #[serde(default)]
    split_type: Vec<u8>,
    #[serde(default)]
    tree_param: BTreeMap<String, String>,
}

/// A flag, which is written as 0 or 1 by current versions and as false or true by older ones.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Flag {
    Word(bool),
    Number(u8),
}

/// Reads a model.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<Forest, Fault> {
    let file: ModelFile =
        serde_json::from_slice(bytes).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Fault::NotXgboost(error.to_string()),
            _ => Fault::Json(error.to_string()),
        })?;
    let learner = file.learner;
    if learner.gradient_booster.name != "gbtree" {
        let name = learner.gradient_booster.name;
        return Err(unsupported(format!("booster \"{name}\"")));
    }
    let Some(model) = learner.gradient_booster.model else {
        return Err(field("learner.gradient_booster.model", "missing"));
    };
    let objective = match learner.objective.name.as_str() {
        // The two logistic objectives differ only in how training is evaluated.
        "binary:logistic" | "reg:logistic" => Objective::Logistic,
        "reg:squarederror" => Objective::SquaredError,
        name => return Err(unsupported(format!("objective \"{name}\""))),
    };
    check_single_output(&learner.learner_model_param, &model)?;
    if learner.feature_types.iter().any(|name| name == "c") {
        return Err(unsupported("categorical features".to_owned()));
    }
    let width = width(
        &learner.learner_model_param.num_feature,
        learner.feature_names.len(),
    )?;
    let mut notes = learner.attributes;
    let used = trees_used(&model, notes.get("best_iteration"))?;
    let all = model.trees.len();
    if used < all {
        let left_out = format!(
            "{} of {all} trees, those after best_iteration; Booster.predict uses all",
            all - used
        );
        notes.insert(LEFT_OUT.to_owned(), left_out);
    }
    let mut trees = Vec::with_capacity(used);
    for (index, fields) in model.trees[..used].iter().enumerate() {
        trees.push(tree(index, fields, width)?);
    }
    Ok(Forest {
        trees,
        base: base(objective, &learner.learner_model_param.base_score)?,
        objective,
        width,
        columns: learner.feature_names,
        metadata: Metadata {
            features: notes.remove("features").unwrap_or_default(),
            notes,
        },
        extension: "json",
    })
}

/// Parses the number of columns, of which all or none have names.
pub(super) fn width(text: &str, names: usize) -> Result<usize, Fault> {
    let name = "num_feature";
    let width = number(name, text)?;
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(field(name, &format!("{width}, not 1 to {MAX_WIDTH}")));
    }
    if names != 0 && names != width {
        let problem = format!("with {names} names for {width} features");
        return Err(field("learner.feature_names", &problem));
    }
    Ok(width)
}

pub(super) fn unsupported(what: String) -> Fault {
    Fault::Unsupported { what }
}

pub(super) fn field(field: &str, problem: &str) -> Fault {
    Fault::Field {
        field: field.to_owned(),
        problem: problem.to_owned(),
    }
}

/// Parses a parameter, which XGBoost writes as a string.
pub(super) fn number(name: &str, text: &str) -> Result<usize, Fault> {
    text.parse()
        .map_err(|_| field(name, &format!("\"{text}\", which is not a whole number")))
}

fn check_single_output(parameters: &Parameters, model: &BoosterModel) -> Result<(), Fault> {
    let counts = [
        ("num_class", &parameters.num_class),
        ("num_target", &parameters.num_target),
    ];
    for (name, text) in counts {
        let count = text.as_deref().map_or(Ok(1), |text| number(name, text))?;
        if count > 1 {
            return Err(unsupported(format!("{count} outputs (`{name}`)")));
        }
    }
    if let Some(group) = model.tree_info.iter().find(|&&group| group != 0) {
        return Err(unsupported(format!("trees of output {group}")));
    }
    match model.weight_drop.iter().find(|&&weight| weight != 1.0) {
        None => Ok(()),
        Some(weight) => Err(unsupported(format!("a tree of weight {weight} (dart)"))),
    }
}

/// Returns the number of trees up to the end of the best iteration.
fn trees_used(model: &BoosterModel, best_iteration: Option<&String>) -> Result<usize, Fault> {
    let all = model.trees.len();
    let Some(best) = best_iteration else {
        return Ok(all);
    };
    let name = "learner.attributes.best_iteration";
    let best = number(name, best)?;
    let iterations = best.saturating_add(1);
    let used = if model.iteration_indptr.is_empty() {
        let each = model.gbtree_model_param.get("num_parallel_tree");
        let each = each.map_or(Ok(1), |n| number(name, n))?;
        iterations.saturating_mul(each.max(1))
    } else {
        model
            .iteration_indptr
            .get(iterations)
            .copied()
            .unwrap_or(usize::MAX)
    };
    if used > all {
        return Err(field(
            name,
            &format!("{best}, which the {all} trees don't reach"),
        ));
    }
    Ok(used)
}

/// Parses the initial value of the sum of the leaves: `5E-1`, or `[5E-1]` from version 3.1 on. For
/// logistic models it is a probability, which is converted to a logit.
fn base(objective: Objective, text: &str) -> Result<f32, Fault> {
    let name = "learner.learner_model_param.base_score";
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let score: f32 = bare
        .parse()
        .map_err(|_| field(name, &format!("\"{text}\", which is not one number")))?;
    match objective {
        Objective::SquaredError if score.is_finite() => Ok(score),
        Objective::Logistic if score > 0.0 && score < 1.0 => {
            // XGBoost computes in 32 bits. The logarithm is computed in 64 bits here, since the
            // last bit of a 32-bit logarithm differs between systems.
            Ok(-libm::log(f64::from(1.0 / score - 1.0)) as f32)
        }
        Objective::SquaredError => Err(field(name, &format!("{score}, which is not finite"))),
        Objective::Logistic => Err(field(
            name,
            &format!("{score}, which is not a probability between 0 and 1"),
        )),
    }
}

/// Converts XGBoost's arrays to a tree in the order of [`BoostedTree`]. Nodes that were pruned in
/// training remain in the arrays; only those reachable from the root are read.
pub(super) fn tree(index: usize, fields: &TreeFields, width: usize) -> Result<BoostedTree, Fault> {
    let count = fields.left_children.len();
    let lengths = [
        ("right_children", fields.right_children.len()),
        ("split_indices", fields.split_indices.len()),
        ("split_conditions", fields.split_conditions.len()),
        ("default_left", fields.default_left.len()),
    ];
    if let Some((name, length)) = lengths.into_iter().find(|&(_, length)| length != count) {
        let problem = format!("of length {length}, `left_children` has {count}");
        return Err(field(&format!("trees[{index}].{name}"), &problem));
    }
    if count == 0 {
        let name = format!("trees[{index}].left_children");
        return Err(field(&name, "of length 0: a tree has a root"));
    }
    if fields.split_type.iter().any(|&kind| kind != 0) {
        return Err(unsupported(format!("categorical splits in tree {index}")));
    }
    if let Some(size) = fields.tree_param.get("size_leaf_vector")
        && number("tree_param.size_leaf_vector", size)? > 1
    {
        return Err(unsupported(format!(
            "leaves of {size} numbers in tree {index}"
        )));
    }
    let tree = breadth_first(fields, width).map_err(|(node, problem)| Fault::Tree {
        tree: index,
        node,
        problem,
    })?;
    let nodes = tree.nodes.len();
    if nodes > MAX_NODES {
        return Err(unsupported(format!(
            "the {nodes} nodes of tree {index}, more than {MAX_NODES}"
        )));
    }
    Ok(tree)
}

/// Returns the tree in breadth-first order, or the first node that can't be read and its problem.
fn breadth_first(fields: &TreeFields, width: usize) -> Result<BoostedTree, (usize, String)> {
    let count = fields.left_children.len();
    // The old index and depth of each node, in the new order.
    let mut order = vec![(0usize, 0usize)];
    let mut nodes = Vec::with_capacity(count);
    let mut depth = 0;
    while let Some(&(old, level)) = order.get(nodes.len()) {
        let condition = fields.split_conditions[old];
        if !condition.is_finite() {
            let problem = format!("of split or leaf value {condition}, which is not finite");
            return Err((old, problem));
        }
        depth = depth.max(level);
        let sides = [fields.left_children[old], fields.right_children[old]];
        if sides == [-1, -1] {
            nodes.push(TreeNode::leaf(condition, nodes.len(), width));
            continue;
        }
        let children = sides.map(|side| usize::try_from(side).unwrap_or(usize::MAX));
        if children.iter().any(|&child| child >= count) {
            let [left, right] = sides;
            let last = count - 1;
            let problem = format!("with children {left} and {right}; there are nodes 0 to {last}");
            return Err((old, problem));
        }
        let column = fields.split_indices[old];
        if column >= width {
            return Err((old, format!("reading column {column} of {width}")));
        }
        // More nodes than the tree has mean that a node has two parents or is its own ancestor.
        if order.len() + 2 > count {
            return Err((old, "with a child that has another parent".to_owned()));
        }
        let missing_right = matches!(
            fields.default_left[old],
            Flag::Word(false) | Flag::Number(0)
        );
        nodes.push(TreeNode::new(condition, order.len(), column, missing_right));
        order.extend(children.map(|child| (child, level + 1)));
    }
    Ok(BoostedTree { nodes, depth })
}
