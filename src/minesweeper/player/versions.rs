//! The table of players: each has a name and a recipe.

use serde::Serialize;

use super::{recipe::Recipe, spec::PlayerSpec};

/// A named player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Version {
    pub name: &'static str,
    /// The recipe; see [`Recipe`](super::Recipe) for the syntax.
    pub recipe: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The publication or document that describes the player.
    pub source: &'static str,
}

impl Version {
    /// Returns the version that plays under a name: its own, or that of a model of it, such as
    /// `my-5.0`.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        let called = |name: &str| VERSIONS.iter().find(|version| version.name == name);
        called(name).or_else(|| called(Self::of_model(name)?))
    }

    /// Returns the name of the version that a model's own name ends in, such as 5.0 of `my-5.0`.
    pub fn of_model(name: &str) -> Option<&'static str> {
        let (own, version) = name.rsplit_once('-')?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        let mut versions = PlayerSpec::asking();
        versions.find(|&of| of == version && !own.is_empty() && own.chars().all(is_word))
    }

    /// Returns whether the player evaluates guesses by playouts, which takes hundreds of times as
    /// long as the rule of player 7.0. No model is loaded.
    pub fn searches_guesses(&self) -> bool {
        Recipe::parse(self.recipe).is_ok_and(|recipe| recipe.searches_guesses())
    }
}

/// Returns all named players: those with version numbers in ascending order, then those of other
/// papers.
///
/// Players 3.0 and 4.0 count solutions component by component, which gives the same P as DSScsp in
/// less time. [`PlayerSpec::with_paper_engines`](super::PlayerSpec::with_paper_engines) selects the
/// traversal of Sinha et al. (2021).
pub fn versions() -> &'static [Version] {
    VERSIONS
}

#[rustfmt::skip]
const VERSIONS: &[Version] = &[
    version("1.0", "backtracking+min-p", "backtracking alone; lowest P", "Sinha et al., table 3"),
    version("2.0", "dss+backtracking+min-p", "DSS, then backtracking; lowest P", "Sinha et al., table 3"),
    version("2.5", "dss+backtracking:solutions=100:swaps=1000+min-p", "2.0 with limits on solutions and swaps", "Sinha et al., section 5.1, table 3"),
    version("3.0", "dss+components+min-p", "DSS, then all solutions; lowest P", "Sinha et al., section 5.1, table 3"),
    version("3.5", "dss+dsscsp:solutions=100:depth=300+min-p", "3.0 with limits on solutions and depth", "Sinha et al., section 5.1, table 3"),
    version("4.0", "dss+components+edge:margin=0.05", "3.0; among close P, the cell nearest to an edge", "Sinha et al., section 4.2.1, table 3"),
    version("4.5", "dss+dsscsp:solutions=100:depth=300+edge:margin=0.05", "4.0 with the limits of 3.5", "Sinha et al., section 4.2.1, table 3"),
    version("5.0", "corner-first+dss+dsscsp:solutions=100:depth=300+trees:margin=0.05", "4.5 from a corner; among close P, the cell that boosted trees rate safest", "Sinha et al., section 4.2.2, table 3"),
    version("5.5", "corner-first+dss+dsscsp:solutions=100:depth=300+mlp:margin=0.05", "4.5 from a corner; among close P, the cell that a network rates safest", "Sinha et al., section 4.2.2, table 3"),
    version("6.0", "dss+dsscsp:solutions=100:depth=300+q:model=6.0:margin=0.05", "4.5; among close P, the highest return by a Q-network trained iteratively", "Sinha et al., section 4.2.3, table 3"),
    version("6.5", "dss+dsscsp:solutions=100:depth=300+q:margin=0.05", "4.5; among close P, the highest return by a Q-network trained in a single pass", "Sinha et al., section 4.2.3, table 3"),
    version("7.0", "corner-first+dss+posterior+least-mine", "lowest exact mine probability; ties to the boundary, then to the fewest neighbours", "beyond the papers"),
    version("11.0-fast", "corner-first+dss+posterior+endgame:layouts=100+even-first+two-step:influence=0.9:living=yes", "the guess that is most probably safe together with the next move; optimal play once at most 100 layouts remain", "beyond the papers"),
    version("11.0", "corner-first+dss+posterior+endgame:layouts=10000:nodes=200000+even-first+ranker:model=11.0", "11.0-fast, guesses ranked by trees trained on roll-outs; optimal play once at most 10,000 layouts remain", "beyond the papers"),
    version("11.0-deep", "corner-first+dss+posterior+endgame:layouts=10000:nodes=200000+even-first+roll-outs:layouts=64:arms=8:unknown=0.94:endgame=100:looks=2:player=least-mine:model=11.0:weight=400:within=0.03", "11.0, close guesses evaluated by roll-outs", "beyond the papers"),
    version("sp-mcts", "corner-first+dss+posterior+sp-mcts:c=0.5:d=0:playouts=1000:t=0", "7.0, guesses by tree search with equation 1", "Schadd et al., section 4"),
    version("mac-ucb", "corner-first+dss+posterior+mac-ucb:playouts=1000", "7.0, guesses by MAC-UCB", "Koriche et al., section 4"),
    version("agent", "agent", "heuristics 1 to 7", "An AI Approach to Minesweeper, section 4"),
];

const fn version(
    name: &'static str,
    recipe: &'static str,
    summary: &'static str,
    source: &'static str,
) -> Version {
    Version {
        name,
        recipe,
        summary,
        source,
    }
}
