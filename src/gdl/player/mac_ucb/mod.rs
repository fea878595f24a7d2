//! MAC-UCB and FC-UCB (Koriche et al. (MAC-UCB), "General Game Playing with Stochastic CSP",
//! section 4). They solve the constraint network of a stage by MAC (maintaining arc consistency)
//! and by forward checking, respectively.
//!
//! A deliberation runs lines, each from the root to a leaf. At a stage that has enough samples, the
//! line takes the arm with the highest upper bound (section 4.3), and chance is drawn again. At the
//! first stage that needs more samples, UCB selects an arm and a random playout samples it. The
//! result is backed up along the whole line. The threshold rises to the smallest expected reward of
//! any player under the best policy at the root. Later lines use only the arms that have not been
//! cut.
//!
//! Koriche et al. do not specify whose rewards UCB maximises when other roles move. Here each role
//! maximises its own rewards.

mod cuts;
mod line;
mod player;
mod settings;
mod solving;
mod stages;
mod values;

pub use player::MacUcbPlayer;
pub use settings::MacUcbSettings;
pub use solving::StageNetwork;

/// The revision, which is raised when the same recipe chooses other actions than before. Revision
/// 2: MAC-UCB and FC-UCB query the constraint network and prove nothing by themselves. Revision 3:
/// a search of the network ends when solving has used its share of the move's time. Revision 4:
/// among actions of equal exact value, the cache of explored leaves decides, as for UCT, and
/// propagation ends with the time for solving too, which all roles of a stage share.
pub(super) const REVISION: u32 = 4;
