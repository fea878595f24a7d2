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
/// where the network has no solution. One descent shows many values consistent at once (SAC3: Lecoutre and Cardon, "A
/// greedy approach to establish singleton arc consistency", IJCAI 2005).
pub(super) fn singleton_arc_consistency(state: &mut Propagation, variables: &[u32]) -> bool {
    if !arc_consistency(state, [true, false]) {
        return false;
    }
    loop {
        let values = |&x: &u32| state.domains.values(&state.trail, x).to_vec();
        let mut open: Vec<Vec<u32>> = variables.iter().map(values).collect();
        let mut removed = false;
        for (first, &x) in variables.iter().enumerate() {
            while let Some(&value) = open[first].last() {
                if !state.contains(x, value) {
                    open[first].pop();
                } else if !descend(state, &variables[first..], &mut open[first..]) {
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

/// Assigns to one variable after the other an open value that is left to it, until that fails, and closes each value
/// that didn't: arc consistent beside others, it is so alone. False where the first fails.
fn descend(state: &mut Propagation, variables: &[u32], open: &mut [Vec<u32>]) -> bool {
    let mut assigned = 0;
    state.push();
    for (&x, open) in variables.iter().zip(open) {
        let Some(place) = open.iter().rposition(|&value| state.contains(x, value)) else {
            continue;
        };
        if !(state.assign(x, open[place]) && state.propagate()) {
            break;
        }
        open.remove(place);
        assigned += 1;
    }
    state.pop();
    assigned > 0
}
