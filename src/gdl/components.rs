//! Strongly connected components (Tarjan's algorithm). The implementation avoids recursion, because
//! rule sheets may contain chains of any length.

/// The component of each node. Components are numbered in reverse topological order: the successors
/// of a component have lower numbers.
pub(crate) struct Components {
    pub of: Vec<u32>,
    pub count: usize,
}

impl Components {
    /// Returns the nodes of each component, by component number. Successors thus come first.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        for (node, &component) in self.of.iter().enumerate() {
            members[component as usize].push(node);
        }
        members
    }
}

const UNSEEN: u32 = u32::MAX;

/// Finds the components of a graph with nodes `0..successors.len()`.
pub(crate) fn strongly_connected(successors: &[Vec<u32>]) -> Components {
    let nodes = successors.len();
    let mut of = vec![UNSEEN; nodes];
    let mut reached = vec![UNSEEN; nodes];
    let mut lowest = vec![0; nodes];
    let mut stack = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut next = 0;
    let mut count = 0;
    for root in 0..nodes as u32 {
        if reached[root as usize] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((node, edge)) = path.last_mut() {
            let at = *node as usize;
            if *edge == 0 && reached[at] == UNSEEN {
                reached[at] = next;
                lowest[at] = next;
                next += 1;
                stack.push(*node);
            }
            if let Some(&to) = successors[at].get(*edge) {
                *edge += 1;
                let to_at = to as usize;
                if reached[to_at] == UNSEEN {
                    path.push((to, 0));
                } else if of[to_at] == UNSEEN {
                    lowest[at] = lowest[at].min(reached[to_at]);
                }
                continue;
            }
            if lowest[at] == reached[at] {
                while let Some(member) = stack.pop() {
                    of[member as usize] = count;
                    if member as usize == at {
                        break;
                    }
                }
                count += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                lowest[parent as usize] = lowest[parent as usize].min(lowest[at]);
            }
        }
    }
    Components {
        of,
        count: count as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_one_component_and_successors_come_first() {
        let found = strongly_connected(&[vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]]);
        assert_eq!(found.of, [2, 1, 1, 0, 3]);
        assert_eq!(found.count, 4);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let chain: Vec<Vec<u32>> = (0..300_000)
            .map(|i| if i == 0 { vec![] } else { vec![i - 1] })
            .collect();
        assert_eq!(strongly_connected(&chain).count, 300_000);
    }
}
