//! Playouts: a simple policy plays from a board to the end of the game (Schadd et al. (SP-MCTS),
//! section 4.1).

use rand::Rng as _;

use super::{
    bits::Bits,
    groups::{Links, remove},
    rules::{COLOURS, Move},
};
use mineflow_rng::{Rng, below};

/// The rule that determines which groups a playout may remove.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// Any group.
    Random,
    /// Any group except those of a tabu colour, which is drawn at the start. Groups of the tabu
    /// colour are removed only if there are no other groups.
    TabuRandom,
    /// Any group except those of a tabu colour, which is the most frequent colour at the start.
    /// Groups of the tabu colour are removed only if there are no other groups.
    #[default]
    TabuColorRandom,
}

/// A playout strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strategy {
    pub policy: Policy,
    /// The probability, for each move, that the policy is ignored and any group may be removed; in
    /// 0..=1.
    pub epsilon: f64,
}

impl Default for Strategy {
    /// Returns TabuColorRandom with the epsilon of Schadd et al., 0.003.
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            epsilon: 0.003,
        }
    }
}

impl Strategy {
    /// Returns a policy with the settings of Schadd et al.
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }
}

/// A board in `PLANES` bit planes, which together contain a code for the colour of each cell. Code
/// 0 is an empty cell. Where every cell must be examined, three or four bit planes cost less than a
/// bitboard for each of five to eight colours.
struct Planes<B, const PLANES: usize> {
    planes: [B; PLANES],
    occupied: B,
    /// The colours in the order of their codes 1, 2, ... The last colour has the code whose bits
    /// are all ones.
    order: [usize; COLOURS],
}

impl<B: Bits, const PLANES: usize> Planes<B, PLANES> {
    /// The number of colours that have a code.
    const CODED: usize = if PLANES == 3 { 7 } else { COLOURS };

    const fn code(index: usize) -> usize {
        if index + 1 == Self::CODED {
            (1 << PLANES) - 1
        } else {
            index + 1
        }
    }

    /// Encodes the colours. The code of `tabu` is all ones.
    #[inline(always)]
    fn new(colours: &[B::Words; COLOURS], tabu: usize) -> Self {
        let mut order = std::array::from_fn(|colour| colour);
        order.swap(tabu, Self::CODED - 1);
        let mut planes = [B::empty(); PLANES];
        for index in 0..Self::CODED {
            let cells = B::load(&colours[order[index]]);
            for (plane, set) in planes.iter_mut().enumerate() {
                if Self::code(index) >> plane & 1 == 1 {
                    *set = set.or(cells);
                }
            }
        }
        let occupied = planes.iter().fold(B::empty(), |all, &plane| all.or(plane));
        Self {
            planes,
            occupied,
            order,
        }
    }

    #[inline(always)]
    fn links(&self) -> Links<B> {
        let mut other_below = B::empty();
        let mut other_left = B::empty();
        for plane in self.planes {
            other_below = other_below.or(plane.xor(plane.up()));
            other_left = other_left.or(plane.xor(plane.right()));
        }
        Links {
            vertical: self.occupied.without(other_below),
            horizontal: self.occupied.without(other_left),
        }
    }

    /// Returns the cells of the colour whose code is all ones.
    #[inline(always)]
    fn tabu(&self) -> B {
        self.planes
            .iter()
            .skip(1)
            .fold(self.planes[0], |all, &plane| all.and(plane))
    }

    /// Returns the cells of the colour `order[index]`.
    #[inline(always)]
    fn cells(&self, index: usize) -> B {
        let mut cells = self.occupied;
        for (plane, &set) in self.planes.iter().enumerate() {
            cells = if Self::code(index) >> plane & 1 == 1 {
                cells.and(set)
            } else {
                cells.without(set)
            };
        }
        cells
    }

    #[inline(always)]
    fn store(&self, colours: &mut [B::Words; COLOURS]) {
        for index in 0..Self::CODED {
            colours[self.order[index]] = self.cells(index).words();
        }
    }
}

/// Plays to the end of the game and appends the moves to `line`. Returns the points for the groups
/// removed. Boards with at most seven colours need three planes.
#[inline(always)]
pub(super) fn playout<B: Bits>(
    colours: &mut [B::Words; COLOURS],
    strategy: &Strategy,
    line: &mut Vec<Move>,
    rng: &mut Rng,
) -> i32 {
    if B::load(&colours[COLOURS - 1]).is_empty() {
        playout_in::<B, 3>(colours, strategy, line, rng)
    } else {
        playout_in::<B, 4>(colours, strategy, line, rng)
    }
}

#[inline(always)]
fn playout_in<B: Bits, const PLANES: usize>(
    colours: &mut [B::Words; COLOURS],
    strategy: &Strategy,
    line: &mut Vec<Move>,
    rng: &mut Rng,
) -> i32 {
    let tabu = tabu_colour::<B>(colours, strategy.policy, rng);
    let epsilon = (strategy.epsilon * (1u64 << 32) as f64) as u64;
    let mut board = Planes::<B, PLANES>::new(colours, tabu.unwrap_or(0));
    let mut points = 0;
    loop {
        let links = board.links();
        let mut starts = links.starts();
        // The upper half selects the group, and the lower half decides whether the policy applies.
        let mut random = rng.next_u64();
        if tabu.is_some() && (random & u64::from(u32::MAX)) >= epsilon {
            let allowed = starts.without(board.tabu());
            if !allowed.is_empty() {
                starts = allowed;
            }
        }
        let (bit, group) = loop {
            let Some(bit) = starts.pick((random >> 32) as u32) else {
                board.store(colours);
                return points;
            };
            let group = links.group(bit);
            // Each group counts only by its lowest start, so that all groups are equally likely.
            if !group.and(starts).holds_below(bit) {
                break (bit, group);
            }
            starts = starts.without(B::cell(bit));
            random = rng.next_u64();
        };
        line.push(Move::at(bit, B::LANE));
        let beyond_two = group.count() as i32 - 2;
        points += beyond_two * beyond_two;
        board.occupied = remove(&mut board.planes, group);
    }
}

/// Returns the tabu colour of a playout by this policy, if it has one.
#[inline(always)]
fn tabu_colour<B: Bits>(
    colours: &[B::Words; COLOURS],
    policy: Policy,
    rng: &mut Rng,
) -> Option<usize> {
    if policy == Policy::Random {
        return None;
    }
    let mut counts = [0; COLOURS];
    for (count, cells) in counts.iter_mut().zip(colours) {
        *count = B::load(cells).count();
    }
    Some(if policy == Policy::TabuRandom {
        let present = counts.iter().filter(|&&count| count > 0).count();
        (0..COLOURS)
            .filter(|&colour| counts[colour] > 0)
            .nth(below(rng, present))
            .unwrap_or(0)
    } else {
        let most = counts.iter().copied().max().unwrap_or(0);
        counts.iter().position(|&count| count == most).unwrap_or(0)
    })
}
