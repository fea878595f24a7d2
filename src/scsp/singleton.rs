//! Arc consistency, and singleton arc consistency of the decision part (Debruyne and Bessiere, IJCAI 1997).

use super::propagation::{Consistency, Propagation};

/// Makes the parts looked at arc consistent; false where there is no solution. In the stochastic part, a value without
/// any support is one that no policy can hold, or an event that no policy can bear.
pub(super) fn arc_consistency(state: &mut Propagation, looks_at: [bool; 2]) -> bool {
    state.consistency = Consistency::Arc;
    state.looks_at = looks_at;
    state.enqueue_all();
    (0..state.domains.variables()).all(|x| state.size(x) > 0) && state.propagate()
}

/// Removes every value of `variables` whose assignment makes the network arc inconsistent, until none is left; false
/// where the network has no solution.
pub(super) fn singleton_arc_consistency(state: &mut Propagation, variables: &[u32]) -> bool {
    if !arc_consistency(state, [true, false]) {
        return false;
    }
    let mut values = Vec::new();
    loop {
        let mut removed = false;
        for &x in variables {
            values.clear();
            values.extend_from_slice(state.domains.values(&state.trail, x));
            values.sort_unstable();
            for &value in &values {
                if !state.contains(x, value) || state.is_fixed(x) {
                    continue;
                }
                state.push();
                let consistent = state.assign(x, value) && state.propagate();
                state.pop();
                if !consistent {
                    removed = true;
                    if !(state.remove(x, value) && state.propagate()) {
                        return false;
                    }
                }
            }
        }
        if !removed {
            return true;
        }
    }
}
