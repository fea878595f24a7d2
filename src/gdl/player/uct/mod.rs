//! UCT for several players: each role follows its own upper confidence bounds, chance its distribution (Kocsis and
//! Szepesvari 2006; for several players Sturtevant, "An analysis of UCT in multi-player games", ICGA Journal 31, 2008).

mod player;
mod search;
mod settings;
mod tree;

pub use search::UctPlayer;
pub use settings::UctSettings;

/// Raised when the same text chooses other actions. 2: the value of an action that the cache knows is that value, not the mean of its
/// playouts.
pub(super) const REVISION: u32 = 2;
