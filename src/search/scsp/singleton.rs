//! Arc consistency, and singleton arc consistency of the decision part (Debruyne and Bessiere,
//! IJCAI 1997).

use super::propagation::{Consistency, Propagation};

/// Makes the propagated parts arc consistent; returns false if some domain or table becomes empty.
/// In the stochastic part, a value without support is either a value that no policy can contain, or
/// an event for which no policy is feasible.
pub(super) fn arc_consistency(state: &mut Propagation, looks_at: [bool; 2]) -> bool {
    state.look_at(Consistency::Arc, looks_at);
    state.enqueue_all();
    (0..state.domains.variables()).all(|x| state.size(x) > 0) && state.propagate()
}

/// Removes every value of `variables` whose assignment makes the network arc inconsistent, until no
/// such value is left. Returns false if the network has no solution. One descent proves many values
/// consistent at once (SAC3: Lecoutre and Cardon, "A greedy approach to establish singleton arc
/// consistency", IJCAI 2005).
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

/// Assigns an open value to one variable after the other until an assignment fails, and closes each
/// value whose assignment did not fail: a value that is arc consistent together with other
/// assignments is also arc consistent alone. Returns false if the first assignment fails.
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
