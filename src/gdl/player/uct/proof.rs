//! Proven values in the tree (Winands, Bjornsson, Saito: Monte-Carlo Tree Search Solver, CG 2008), as bounds on what best
//! play is worth (Cazenave, Saffidine: Score Bounded Monte-Carlo Tree Search, CG 2010): a win is a lower bound of 1, a loss
//! an upper bound of 0, and draws and expected values over chance are proven alike.
//!
//! The bounds are those of the first of two players, whose loss is the other's gain: with more players, or with goals that
//! don't have one sum, nobody can be held to the move that is worst for another. The sum is that of the first end seen; an
//! end with another one takes back every proof.

use super::bounds::{Bounds, Proofs};
use super::tree::{NodeId, Tree, WayStep};

/// Whether and how values are proven.
pub(super) struct Prover {
    players: [usize; 2],
    /// The sum of both players' rewards, once an end was seen.
    sum: Option<f64>,
    holds: bool,
}

impl Prover {
    /// None unless there are two players.
    pub(super) fn new(roles: usize, chance: Option<usize>) -> Option<Self> {
        let players: Vec<usize> = (0..roles).filter(|&role| Some(role) != chance).collect();
        Some(Self { players: players.try_into().ok()?, sum: None, holds: true })
    }

    /// Takes note of the rewards at an end of the tree.
    pub(super) fn end(&mut self, tree: &mut Tree, node: NodeId) {
        let Some(end) = &tree.nodes[node as usize].end else { return };
        let [first, second] = self.players.map(|player| end.rewards[player]);
        let sum = *self.sum.get_or_insert(first + second);
        if (first + second - sum).abs() > 1e-9 {
            self.holds = false;
            for node in &mut tree.nodes {
                (node.bounds, node.proofs) = (Bounds::OPEN, None);
            }
        }
        if self.holds {
            tree.nodes[node as usize].bounds = Bounds { low: first, high: first };
        }
    }

    /// The rewards of both players and of chance in a state that is proven.
    pub(super) fn proven(&self, bounds: Bounds, roles: usize) -> Option<Box<[f64]>> {
        let sum = self.sum.filter(|_| self.holds && bounds.is_exact())?;
        let mut rewards = vec![0.0; roles];
        rewards[self.players[0]] = bounds.low;
        rewards[self.players[1]] = sum - bounds.low;
        Some(rewards.into())
    }

    /// Backs up what is known at the end of the way, as far as it changes anything.
    pub(super) fn back_up(&self, tree: &mut Tree, way: &[WayStep], chance: Option<usize>) {
        if let Some(sum) = self.sum.filter(|_| self.holds) {
            way.iter().rev().all(|step| self.narrow(tree, step.node, sum, chance));
        }
    }

    /// Bounds of a state from those that follow it; whether they are narrower than before.
    fn narrow(&self, tree: &mut Tree, id: NodeId, sum: f64, chance: Option<usize>) -> bool {
        let node = &tree.nodes[id as usize];
        let mut choosers = self.players.into_iter().filter(|&role| node.arms[role].len() > 1);
        let chooser = match (choosers.next(), choosers.next()) {
            (chooser, None) => chooser.unwrap_or(self.players[0]),
            _ => return false,
        };
        let rolls = chance.map_or(1, |chance| node.arms[chance].len());
        let mut places = vec![0; node.arms.len()];
        let mut bounds = Vec::with_capacity(node.arms[chooser].len());
        for place in 0..node.arms[chooser].len() {
            places[chooser] = place as u32;
            let mut total = Bounds { low: 0.0, high: 0.0 };
            for roll in 0..rolls {
                if let Some(chance) = chance {
                    places[chance] = roll as u32;
                }
                let next = node.next(&places).map_or(Bounds::OPEN, |next| tree.nodes[next as usize].bounds);
                total = Bounds { low: total.low + next.low, high: total.high + next.high };
            }
            let mean = Bounds { low: total.low / rolls as f64, high: total.high / rolls as f64 };
            bounds.push(if chooser == self.players[0] {
                mean
            } else {
                Bounds { low: sum - mean.high, high: sum - mean.low }
            });
        }
        let order = |at: usize| (bounds[at].low, bounds[at].high);
        let best = (0..bounds.len()).fold(0, |best, at| if order(at) > order(best) { at } else { best });
        let own = Bounds {
            low: bounds[best].low,
            high: bounds.iter().map(|bounds| bounds.high).fold(f64::NEG_INFINITY, f64::max),
        };
        let of_first =
            if chooser == self.players[0] { own } else { Bounds { low: sum - own.high, high: sum - own.low } };
        let node = &mut tree.nodes[id as usize];
        let narrower = node.bounds != of_first;
        node.bounds = of_first;
        node.proofs = Some(Box::new(Proofs { role: chooser, bounds, best }));
        narrower
    }
}
