//! Single-Player Monte-Carlo Tree Search: the program of Schadd et al. (SP-MCTS).

use super::{
    board::Board,
    found::FinishedGame,
    playout::{Policy, Strategy},
    position::Position,
    shape::Shape,
};
use mineflow_rng::Seed;
use mineflow_search::{
    Budget, Ended, Expansion, Exploration, FinalMove, GamePlan, Scope, SearchSettings,
    options::{OptionList, Options},
    solve,
};

/// The mean number of moves of a game, by which Schadd et al. divide the budget of a game to get a
/// budget per move (section 6.4).
const MOVES: f64 = 64.4;

/// The settings of SP-MCTS. The defaults are those of Schadd et al. with the exploitation setting,
/// and equation 1 as it is printed, with rewards in points. `C` then adds only a point or two to
/// means of thousands, and every setting of theirs builds nearly the same tree, a single line.
/// [`Exploration::Deviation`] with [`Expansion::AllAtOnce`] builds different trees.
/// Where their text is ambiguous, every playout adds a node, and a search per move keeps only the
/// best line of the previous search. For equal numbers of playouts, keeping the tree scored lower,
/// and adding nodes only after visits made no measurable difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpMcts {
    pub settings: SearchSettings,
    pub strategy: Strategy,
    pub plan: GamePlan,
}

impl Default for SpMcts {
    fn default() -> Self {
        let expansion = Expansion::EveryPlayout;
        let settings = SearchSettings {
            threshold: 10,
            expansion,
            ended: Ended::Once,
            ..SearchSettings::default()
        };
        Self {
            settings,
            strategy: Strategy::default(),
            plan: GamePlan::default(),
        }
    }
}

const POLICIES: [(&str, Policy); 3] = [
    ("random", Policy::Random),
    ("tabu-random", Policy::TabuRandom),
    ("tabu-color-random", Policy::TabuColorRandom),
];
const EXPLORATIONS: [(&str, Exploration); 2] = [
    ("printed", Exploration::Printed),
    ("deviation", Exploration::Deviation),
];
const EXPANSIONS: [(&str, Expansion); 3] = [
    ("after-visits", Expansion::AfterVisits),
    ("every-playout", Expansion::EveryPlayout),
    ("all-at-once", Expansion::AllAtOnce),
];
const FINAL_MOVES: [(&str, FinalMove); 3] = [
    ("top-score", FinalMove::TopScore),
    ("highest-mean", FinalMove::HighestMean),
    ("most-playouts", FinalMove::MostPlayouts),
];
const SCOPES: [(&str, Scope); 2] = [
    ("game", Scope::Game),
    ("move", Scope::Move { expected: MOVES }),
];
impl Options for SpMcts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        let Self {
            settings,
            strategy,
            plan,
        } = self;
        list.number("c", &mut settings.select.c, 0.0..=1e6);
        list.number("d", &mut settings.select.d, 0.0..=1e9);
        list.number("t", &mut settings.threshold, 0..=1_000_000);
        list.number("w", &mut settings.select.w, 0.0..=1e6);
        list.number("epsilon", &mut strategy.epsilon, 0.0..=1.0);
        list.choice("playout", &mut strategy.policy, &POLICIES);
        list.choice("explore", &mut settings.select.explore, &EXPLORATIONS);
        list.choice("expand", &mut settings.expansion, &EXPANSIONS);
        list.choice("final", &mut settings.final_move, &FINAL_MOVES);
        list.choice("per", &mut plan.scope, &SCOPES);
        list.number("searches", &mut plan.searches, 1..=1_000_000);
    }
}

impl SpMcts {
    /// Plays a game from `board`.
    ///
    /// # Panics
    /// Panics if the budget has no limit.
    pub fn solve<S: Shape>(&self, board: &Board<S>, budget: Budget, seed: Seed) -> FinishedGame {
        let root = Position::new(*board);
        let solved = solve(
            &root,
            &self.strategy,
            self.settings,
            self.plan,
            budget,
            seed,
        );
        let effort = solved.effort;
        FinishedGame {
            playouts: effort.playouts,
            nodes: effort.nodes,
            mean_depth: Some(effort.mean_depth),
            deepest: Some(effort.mean_deepest),
            selection_depth: Some(effort.selection_depth),
            ..FinishedGame::of(board, solved.line)
        }
    }
}
