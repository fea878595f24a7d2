//! Boosted trees: predictions of a model of XGBoost or LightGBM.

use super::{
    activation::Activation,
    kind::{Model, ModelScratch},
    metadata::Metadata,
};

/// Number of rows that descend a tree together, to hide the latency of fetching nodes.
const LANES: usize = 8;
/// Number of rows that pass through a tree before the next tree is evaluated. These rows and a tree
/// then stay in a fast cache of the CPU.
const ROWS: usize = 512;
/// The minimum number of rows for which pruning the trees first pays off.
const WORTH_PRUNING: usize = 16;

/// The interpretation of the sum of the leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Objective {
    /// The logit of a probability: `binary:logistic`.
    Logistic,
    /// The prediction itself: `reg:squarederror`.
    SquaredError,
}

impl Objective {
    /// Returns the name of the objective in XGBoost.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "binary:logistic",
            Self::SquaredError => "reg:squarederror",
        }
    }
}

/// A node in eight bytes. It is small because a player evaluates few rows at a time, so that most
/// of the time goes to fetching nodes. Its children are adjacent, the left one first. A leaf is its
/// own left child and compares an extra column after the last one. This column is NaN in every row
/// and never sends a row right, so that all rows can take as many steps as the tree is deep.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TreeNode {
    /// The threshold: rows with a smaller number go left. Numbers are compared as 32-bit floats, as
    /// in XGBoost. In a leaf, this is the value that the leaf adds to the prediction.
    pub split: f32,
    /// Index of the left child in the tree.
    pub left: u16,
    /// The compared column, combined with [`MISSING_RIGHT`].
    column: u16,
}

/// The bit of `column` that sends rows with a missing number (NaN) right.
const MISSING_RIGHT: u16 = 1 << 15;
/// The maximum row width: one bit of the column is a flag, and one column is reserved for the
/// leaves.
pub(super) const MAX_WIDTH: usize = (MISSING_RIGHT - 1) as usize;
/// The maximum number of nodes in a tree, which is always odd.
pub(super) const MAX_NODES: usize = u16::MAX as usize;

/// A tree in breadth-first order, the root first.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct BoostedTree {
    pub nodes: Vec<TreeNode>,
    /// Number of steps from the root to the deepest leaf.
    pub depth: usize,
}

impl TreeNode {
    /// Creates an inner node.
    pub fn new(split: f32, left: usize, column: usize, missing_right: bool) -> Self {
        let missing_right = if missing_right { MISSING_RIGHT } else { 0 };
        Self {
            split,
            left: left as u16,
            column: column as u16 | missing_right,
        }
    }

    /// Creates the leaf at index `at` of a tree for rows of `width` columns.
    pub fn leaf(value: f32, at: usize, width: usize) -> Self {
        Self::new(value, at, width, false)
    }

    fn column(self) -> usize {
        usize::from(self.column & !MISSING_RIGHT)
    }

    fn child<const MISSING: bool>(self, x: f32) -> u16 {
        let missing = MISSING & x.is_nan() & (self.column & MISSING_RIGHT != 0);
        self.left + u16::from((x >= self.split) | missing)
    }
}

impl BoostedTree {
    /// Replaces this tree by `tree` reduced to rows whose columns in `fixed` have the given values:
    /// splits on these columns are decided. The extra column of the leaves must not be fixed.
    fn prune(&mut self, tree: &Self, fixed: &[Option<f32>], kept: &mut Vec<u16>) {
        let leaf = fixed.len() - 1;
        let skip_decided = |mut at: u16| {
            while let node = &tree.nodes[usize::from(at)]
                && let Some(x) = fixed[node.column()]
            {
                at = node.child::<true>(x);
            }
            at
        };
        self.nodes.clear();
        self.depth = 0;
        kept.clear();
        kept.push(skip_decided(0));
        let mut end_of_level = 1;
        while let Some(&at) = kept.get(self.nodes.len()) {
            if self.nodes.len() == end_of_level {
                self.depth += 1;
                end_of_level = kept.len();
            }
            let node = tree.nodes[usize::from(at)];
            if node.column() == leaf {
                self.nodes
                    .push(TreeNode::leaf(node.split, self.nodes.len(), leaf));
            } else {
                self.nodes.push(TreeNode {
                    left: kept.len() as u16,
                    ..node
                });
                kept.extend([skip_decided(node.left), skip_decided(node.left + 1)]);
            }
        }
    }

    fn add<const MISSING: bool>(&self, block: &[[f32; LANES]], sums: &mut [f32; LANES]) {
        let mut at = [0u16; LANES];
        for _ in 0..self.depth {
            for lane in 0..LANES {
                let node = self.nodes[usize::from(at[lane])];
                at[lane] = node.child::<MISSING>(block[node.column()][lane]);
            }
        }
        for lane in 0..LANES {
            sums[lane] += self.nodes[usize::from(at[lane])].split;
        }
    }
}

/// An ensemble of trees, read from the JSON file that XGBoost's `save_model("trees.json")` writes or
/// from the text file of LightGBM's `save_model("trees.txt")`.
///
/// Of LightGBM, it supports numeric splits, one output and the objectives `binary`, `cross_entropy`
/// and those of regression whose prediction is the sum of the leaves. Of XGBoost, it supports
/// booster `gbtree` with numeric splits, up to 65,535 nodes per tree and one output, and the
/// objectives `binary:logistic` and `reg:squarederror`. If training stopped early
/// (attribute `best_iteration`), trees after the best iteration are ignored, as in XGBoost's
/// scikit-learn classes but not in `Booster.predict`, and a note says so. The feature set is the
/// attribute `features` (`booster.set_attr(features="classifier-v2")`); all other attributes are
/// notes. Missing numbers are NaN.
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    pub(super) trees: Vec<BoostedTree>,
    /// The value that is added to the sum of the leaves.
    pub(super) base: f32,
    pub(super) objective: Objective,
    pub(super) width: usize,
    pub(super) columns: Vec<String>,
    pub(super) metadata: Metadata,
    /// The extension of the file.
    pub(super) extension: &'static str,
}

/// Scratch memory for a batch, reused between calls.
#[derive(Default)]
struct ForestScratch {
    /// The columns of the rows, then the extra column of the leaves, block by block, with one row
    /// per lane.
    blocks: Vec<[f32; LANES]>,
    sums: Vec<[f32; LANES]>,
    /// The value of each column that is equal in all rows; `None` for all other columns, including
    /// the extra column of the leaves.
    fixed: Vec<Option<f32>>,
    pruned: BoostedTree,
    /// The nodes that pruning keeps.
    kept: Vec<u16>,
}

impl Model for Forest {
    fn width(&self) -> usize {
        self.width
    }

    /// Returns true, because more of each tree is pruned if the rows of a call have more values in
    /// common.
    fn gains_by_grouping(&self) -> bool {
        true
    }

    fn append(&self, rows: &[f32], out: &mut Vec<f32>, scratch: &mut ModelScratch) {
        let scratch: &mut ForestScratch = scratch.of();
        assert!(
            rows.len().is_multiple_of(self.width),
            "{} numbers are not rows of {}",
            rows.len(),
            self.width
        );
        for batch in rows.chunks(ROWS * self.width) {
            self.batch(batch, out, scratch);
        }
    }

    fn bound(&self, _: f64) -> f64 {
        let mut bound = f64::from(self.base.abs());
        for tree in &self.trees {
            let leaves = tree.nodes.iter().filter(|node| node.column() == self.width);
            bound += leaves.fold(0.0, |most, leaf| f64::max(most, leaf.split.abs().into()));
        }
        bound
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn extension(&self) -> &'static str {
        self.extension
    }
}

impl Forest {
    /// Returns the interpretation of the predictions.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// Returns the number of trees that are evaluated.
    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// Returns the depth of the deepest tree.
    pub fn depth(&self) -> usize {
        self.trees.iter().map(|tree| tree.depth).max().unwrap_or(0)
    }

    /// Returns the total number of nodes, including leaves.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(|tree| tree.nodes.len()).sum()
    }

    fn batch(&self, rows: &[f32], out: &mut Vec<f32>, scratch: &mut ForestScratch) {
        let count = rows.len() / self.width;
        let blocks = count.div_ceil(LANES);
        scratch.blocks.clear();
        let stride = self.width + 1;
        scratch.blocks.resize(blocks * stride, [0.0; LANES]);
        scratch
            .blocks
            .iter_mut()
            .skip(self.width)
            .step_by(stride)
            .for_each(|of_leaves| *of_leaves = [f32::NAN; LANES]);
        for (index, row) in rows.chunks_exact(self.width).enumerate() {
            let block = &mut scratch.blocks[index / LANES * stride..][..self.width];
            for (x, &value) in block.iter_mut().zip(row) {
                x[index % LANES] = value;
            }
        }
        scratch.sums.clear();
        scratch.sums.resize(blocks, [self.base; LANES]);
        let first = &rows[..self.width];
        scratch.fixed.clear();
        scratch
            .fixed
            .extend(first.iter().enumerate().map(|(column, x)| {
                let is_fixed = rows
                    .iter()
                    .skip(column)
                    .step_by(self.width)
                    .all(|y| y.to_bits() == x.to_bits());
                is_fixed.then_some(*x)
            }));
        scratch.fixed.push(None);
        if rows.iter().any(|x| x.is_nan()) {
            self.sum::<true>(count, scratch);
        } else {
            self.sum::<false>(count, scratch);
        }
        if self.objective == Objective::Logistic {
            Activation::Sigmoid.apply(scratch.sums.as_flattened_mut());
        }
        out.extend(scratch.sums.as_flattened().iter().take(count));
    }

    fn sum<const MISSING: bool>(&self, count: usize, scratch: &mut ForestScratch) {
        let prunes = count >= WORTH_PRUNING && scratch.fixed.iter().any(Option::is_some);
        for mut tree in &self.trees {
            if prunes {
                let pruned = &mut scratch.pruned;
                pruned.prune(tree, &scratch.fixed, &mut scratch.kept);
                tree = pruned;
            }
            let blocks = scratch.blocks.chunks_exact(self.width + 1);
            for (block, sums) in blocks.zip(&mut scratch.sums) {
                tree.add::<MISSING>(block, sums);
            }
        }
    }
}
