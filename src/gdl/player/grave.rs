//! GRAVE (Cazenave: Generalized Rapid Action Value Estimation, IJCAI 2015): an action is valued by its own playouts and by
//! all playouts through an ancestor in which it was done later; the ancestor is the nearest with enough playouts.

/// States that are kept if each has a table.
pub(super) const MOST_NODES_WITH_TABLES: usize = 50_000;

/// How fast an action's own playouts outweigh the others; as in the paper's section 4.
const BIAS: f64 = 1e-10;

/// The playouts through a state in which an action was done there or later.
#[derive(Clone, Copy, Default, Debug)]
struct Later {
    visits: u32,
    /// Of the rewards of the role that does it.
    sum: f64,
}

/// Of each role, of each of its actions.
#[derive(Clone, Default, Debug)]
pub(super) struct ActionTable(Vec<Vec<Later>>);

impl ActionTable {
    /// Counts a playout in which these actions, each by its role, were done from here on.
    pub(super) fn add(&mut self, done: &[(usize, usize)], rewards: &[f64]) {
        if self.0.is_empty() {
            self.0.resize(rewards.len(), Vec::new());
        }
        for &(role, action) in done {
            let actions = &mut self.0[role];
            if actions.len() <= action {
                actions.resize(action + 1, Later::default());
            }
            actions[action].visits += 1;
            actions[action].sum += rewards[role];
        }
    }

    /// The mean `own` of an action's own playouts, `visits` in number, and that of the playouts in which it was done later;
    /// infinite without any.
    pub(super) fn blend(&self, role: usize, action: usize, own: f64, visits: u32) -> f64 {
        let later = self.0.get(role).and_then(|actions| actions.get(action)).copied().unwrap_or_default();
        let (here, there) = (f64::from(visits), f64::from(later.visits));
        match (visits, later.visits) {
            (0, 0) => f64::INFINITY,
            (0, _) => later.sum / there,
            (_, 0) => own,
            _ => {
                let share = there / (there + here + BIAS * there * here);
                (1.0 - share) * own + share * later.sum / there
            }
        }
    }
}
