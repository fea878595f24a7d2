//! Player recipes as text: `uct:playouts=500:explore=1`.

use std::{fmt, ops::Bound, str::FromStr, time::Duration};

use serde::{Serialize, Serializer};

use super::{
    MoveBudget,
    mac_ucb::{self, MacUcbSettings},
    uct::{self, UctSettings},
};
use mineflow_search::{
    options::{OptionError, OptionList, OptionText, Options, changes},
    scsp::Method,
};

/// The maximum number of playouts per move in a recipe.
const MOST_PLAYOUTS: u64 = 1_000_000_000;
/// The maximum number of milliseconds per move in a recipe, which is an hour.
const MOST_MILLISECONDS: f64 = 3_600_000.0;

/// An algorithm that chooses actions, with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    Uct(UctSettings),
    /// MAC-UCB or FC-UCB, depending on the method of the search.
    MacUcb(MacUcbSettings),
    Random,
}

impl Algorithm {
    const NAMES: [&'static str; 4] = ["uct", "mac-ucb", "fc-ucb", "random"];

    /// Returns the algorithm with the given name and its default settings.
    fn usual(name: &str) -> Option<Self> {
        match name {
            "uct" => Some(Self::Uct(UctSettings::default())),
            "mac-ucb" => Some(Self::MacUcb(MacUcbSettings::default())),
            "fc-ucb" => Some(Self::MacUcb(MacUcbSettings::forward_checking())),
            "random" => Some(Self::Random),
            _ => None,
        }
    }

    /// Returns the name of the algorithm, without settings.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Uct(_) => Self::NAMES[0],
            Self::MacUcb(settings) => match settings.method {
                Method::Mac => Self::NAMES[1],
                Method::ForwardChecking => Self::NAMES[2],
            },
            Self::Random => Self::NAMES[3],
        }
    }

    /// Returns the revision of the algorithm, which is raised when the same recipe chooses other
    /// actions than before. It is part of [`PlayerRecipe::version`].
    pub const fn revision(&self) -> u32 {
        match self {
            Self::Uct(_) => uct::REVISION,
            Self::MacUcb(_) => mac_ucb::REVISION,
            Self::Random => 1,
        }
    }

    /// Returns whether the algorithm queries the constraint network of the game.
    pub const fn asks_network(&self) -> bool {
        matches!(self, Self::MacUcb(_))
    }
}

/// A player: an algorithm with its own budget or the budget of the match.
///
/// ```
/// use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
/// let player: PlayerRecipe = "uct:explore=1:playouts=500".parse().unwrap();
/// assert_eq!(player.budget, Some(MoveBudget::Playouts(500)));
/// assert_eq!(player.to_string(), "uct:playouts=500:explore=1");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRecipe {
    pub algorithm: Algorithm,
    /// The budget for each move; `None` for the budget of the match.
    pub budget: Option<MoveBudget>,
}

impl PlayerRecipe {
    /// Returns the version of the player: 12 hexadecimal digits that differ whenever its shortest
    /// text or the [revision](Algorithm::revision) of its algorithm differs. It does not depend on
    /// the budget of a match.
    pub fn version(&self) -> String {
        mineflow_search::version(&self.to_string(), &[], self.algorithm.revision())
    }
}

impl From<Algorithm> for PlayerRecipe {
    /// Returns the player with the budget of the match.
    fn from(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            budget: None,
        }
    }
}

impl Options for PlayerRecipe {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        if self.algorithm == Algorithm::Random {
            return;
        }
        let (mut playouts, mut milliseconds) = match self.budget {
            None => (None, None),
            Some(MoveBudget::Playouts(playouts)) => (Some(playouts), None),
            Some(MoveBudget::Time(time)) => (None, Some(time.as_secs_f64() * 1000.0)),
        };
        list.optional("playouts", &mut playouts, 1..=MOST_PLAYOUTS);
        let bounds = (Bound::Excluded(0.0), Bound::Included(MOST_MILLISECONDS));
        list.optional("ms", &mut milliseconds, bounds);
        self.budget = match (playouts, milliseconds) {
            (Some(_), Some(_)) => return list.both("playouts", "ms"),
            (Some(playouts), None) => Some(MoveBudget::Playouts(playouts)),
            (None, Some(ms)) => Some(MoveBudget::Time(Duration::from_secs_f64(ms / 1000.0))),
            (None, None) => None,
        };
        match &mut self.algorithm {
            Algorithm::Uct(settings) => settings.list(list),
            Algorithm::MacUcb(settings) => settings.list(list),
            Algorithm::Random => {}
        }
    }
}

impl FromStr for PlayerRecipe {
    type Err = OptionError;

    fn from_str(whole: &str) -> Result<Self, OptionError> {
        let mut text = OptionText::split(whole)?;
        let unknown = || OptionError::unknown(text.name(), "is none of", &Algorithm::NAMES);
        let usual = Algorithm::usual(text.name()).ok_or_else(unknown)?;
        let mut recipe = Self::from(usual);
        text.read_into(&mut recipe)?;
        text.finish()?;
        Ok(recipe)
    }
}

/// Formats the shortest text that parses to the same recipe.
impl fmt::Display for PlayerRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.algorithm.name();
        let usual = Algorithm::usual(name).expect("every algorithm has a name");
        write!(f, "{name}{}", changes(self, &usual.into()))
    }
}

impl Serialize for PlayerRecipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
