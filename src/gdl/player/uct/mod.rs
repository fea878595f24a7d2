//! UCT for several players: each role follows its own upper confidence bounds, and chance follows
//! its distribution (Kocsis and Szepesvari 2006; for several players: Sturtevant, "An analysis of
//! UCT in multi-player games", ICGA Journal 31, 2008).

mod player;
mod search;
mod settings;
mod tree;

pub use search::UctPlayer;
pub use settings::UctSettings;

/// The revision, which is raised when the same recipe chooses other actions than before. Revision
/// 2: the exact value of an action in the cache replaces the mean of the action's playouts.
pub(super) const REVISION: u32 = 2;
