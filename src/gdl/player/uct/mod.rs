//! UCT for several players: each role follows its own upper confidence bounds, chance its distribution (Kocsis and
//! Szepesvari 2006; for several players Sturtevant, "An analysis of UCT in multi-player games", ICGA Journal 31, 2008).

mod bounds;
mod player;
mod proof;
mod search;
mod settings;
mod tree;

pub use search::UctPlayer;
pub use settings::UctSettings;
