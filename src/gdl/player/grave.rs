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
    pub(super) fn add_playout(&mut self, done: &[(usize, usize)], rewards: &[f64]) {
        for &(role, action) in done {
            let later = self.of_mut(role, action);
            later.visits += 1;
            later.sum += rewards[role];
        }
    }

    /// Says that an action was done in all of these playouts, the rewards of whose role add up to `sum`.
    pub(super) fn set(&mut self, role: usize, action: usize, visits: u32, sum: f64) {
        *self.of_mut(role, action) = Later { visits, sum };
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Counts all playouts of another table.
    pub(super) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), Vec::new());
        }
        for (actions, others) in self.0.iter_mut().zip(&other.0) {
            if actions.len() < others.len() {
                actions.resize(others.len(), Later::default());
            }
            for (later, other) in actions.iter_mut().zip(others) {
                later.visits += other.visits;
                later.sum += other.sum;
            }
        }
    }

    fn of_mut(&mut self, role: usize, action: usize) -> &mut Later {
        if self.0.len() <= role {
            self.0.resize(role + 1, Vec::new());
        }
        let actions = &mut self.0[role];
        if actions.len() <= action {
            actions.resize(action + 1, Later::default());
        }
        &mut actions[action]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_counts_once_a_playout_and_late_rewards_come_to_the_same() {
        let mut playouts = ActionTable::default();
        playouts.add_playout(&[(0, 3), (1, 2)], &[1.0, 0.0]);
        playouts.add_playout(&[(0, 3), (1, 1)], &[0.5, 0.5]);
        let (mut at_once, mut late) = (ActionTable::default(), ActionTable::default());
        let mut all = playouts.clone();
        all.set(1, 1, 2, 0.5);
        at_once.add(&all);
        let mut way = ActionTable::default();
        way.set(1, 1, 2, 0.0);
        late.add(&way);
        playouts.set(1, 1, 0, 0.5);
        late.add(&playouts);
        for (role, action, mean) in [(0, 3, 0.75), (1, 2, 0.0), (1, 1, 0.25)] {
            for table in [&at_once, &late] {
                assert_eq!(table.blend(role, action, 0.0, 0), mean);
            }
        }
        assert_eq!(at_once.blend(0, 9, 0.25, 4), 0.25);
        assert_eq!(at_once.blend(0, 9, 0.25, 0), f64::INFINITY);
    }
}
