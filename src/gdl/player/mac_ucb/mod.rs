//! MAC-UCB and FC-UCB (Koriche and others, "General Game Playing with Stochastic CSP", section 4), which solve the constraint
//! network of a stage by MAC and by forward checking.
//!
//! A deliberation goes down lines, each from the root to a leaf. On the way the arm of a stage that has its samples is
//! fixed: the one with the highest upper bound (4.3), and chance is drawn again. At the first stage that has not, an arm is sampled
//! by UCB: played out at random. What came of it is backed up along the whole line. The threshold rises to the least
//! expected reward of the best policy at the root, and the next line starts with what the cuts leave.
//!
//! The papers leave open whose rewards UCB follows when others move: here each role follows its own.

mod cuts;
mod line;
mod player;
mod settings;
mod solving;
mod stages;
mod traps;

pub use player::MacUcbPlayer;
pub use settings::MacUcbSettings;
pub use solving::StageNetwork;

/// Raised when the same text chooses other actions. 2: MAC-UCB and FC-UCB ask the constraint network and prove nothing by themselves.
/// 3: a search of the network ends when solving has had its share of the move's time.
pub(super) const REVISION: u32 = 3;
