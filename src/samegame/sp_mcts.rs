//! Single-Player Monte-Carlo Tree Search: the paper's program.

use super::algorithm::Outcome;
use super::board::Board;
use super::options::{OptionError, Options, choice, name, number};
use super::play_out::{Draw, Policy, Strategy, TabuFor};
use super::position::Position;
use super::shape::Shape;
use crate::rng::Seed;
use crate::search::{
    Budget, Ended, Expansion, FinalMove, Keep, Logarithm, Plan, Scope, Settings, SpUct, Transpositions, solve,
};

/// The average number of moves of a game, by which the paper divides a budget per move (section 6.4).
const MOVES: f64 = 64.4;

/// Everything that can be set; by default as in the paper, with the exploitation setting. Where its text leaves a choice,
/// the default is what was better at equal play-outs: a node for every play-out, and each move searched for anew with
/// the best line so far kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpMcts {
    pub settings: Settings<SpUct>,
    /// The points that are a reward of 1, above 0; `C` and `D` are meant for such rewards.
    pub unit: f64,
    pub strategy: Strategy,
    pub plan: Plan,
}

/// The paper seems to say that rewards are points (section 4.1). But then `C` adds a point or two to averages of thousands, `D`
/// less than the scores' own deviation, and all of its settings make the same trees, single lines of mean depth 55. With
/// rewards in hundreds of points its three settings make trees as different as its own, scores near its own and in its
/// order, and what it tuned is better than what it set by hand. Table 2 of the report has both.
const UNIT: f64 = 100.0;

impl Default for SpMcts {
    fn default() -> Self {
        let expansion = Expansion::EveryPlayOut;
        let settings = Settings { threshold: 10, expansion, ended: Ended::Once, ..Settings::default() };
        Self { settings, unit: UNIT, strategy: Strategy::default(), plan: Plan { keep: Keep::Line, ..Plan::default() } }
    }
}

const POLICIES: [(&str, Policy); 4] = [
    ("random", Policy::Random),
    ("tabu-random", Policy::TabuRandom),
    ("tabu-color-random", Policy::TabuColorRandom),
    ("roulette-wheel", Policy::RouletteWheel),
];
const TABU_FOR: [(&str, TabuFor); 2] = [("play-out", TabuFor::PlayOut), ("move", TabuFor::Move)];
const DRAWS: [(&str, Draw); 2] = [("groups", Draw::Groups), ("cells", Draw::Cells)];
const LOGARITHMS: [(&str, Logarithm); 2] = [("natural", Logarithm::Natural), ("common", Logarithm::Common)];
const EXPANSIONS: [(&str, Expansion); 2] =
    [("after-visits", Expansion::AfterVisits), ("every-play-out", Expansion::EveryPlayOut)];
const FINAL_MOVES: [(&str, FinalMove); 3] = [
    ("top-score", FinalMove::TopScore),
    ("highest-mean", FinalMove::HighestMean),
    ("most-play-outs", FinalMove::MostPlayOuts),
];
const SCOPES: [(&str, Scope); 2] = [("game", Scope::Game), ("move", Scope::Move { expected: MOVES })];
const KEEPS: [(&str, Keep); 3] = [("tree", Keep::Tree), ("line", Keep::Line), ("nothing", Keep::Nothing)];
const TRANSPOSITIONS: [(&str, Transpositions); 2] =
    [("apart", Transpositions::Apart), ("shared", Transpositions::Shared)];

const ENDED: [(&str, Ended); 2] = [("once", Ended::Once), ("again", Ended::Again)];

impl Options for SpMcts {
    const NAME: &'static str = "sp-mcts";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        let Self { settings, unit, strategy, plan } = self;
        vec![
            ("c", settings.select.c.to_string()),
            ("d", settings.select.d.to_string()),
            ("t", settings.threshold.to_string()),
            ("w", settings.select.w.to_string()),
            ("epsilon", strategy.epsilon.to_string()),
            ("unit", unit.to_string()),
            ("log", name(&settings.select.logarithm, &LOGARITHMS)),
            ("play-out", name(&strategy.policy, &POLICIES)),
            ("tabu-for", name(&strategy.tabu_for, &TABU_FOR)),
            ("draw", name(&strategy.draw, &DRAWS)),
            ("expand", name(&settings.expansion, &EXPANSIONS)),
            ("final", name(&settings.final_move, &FINAL_MOVES)),
            ("per", name(&plan.scope, &SCOPES)),
            ("searches", plan.searches.to_string()),
            ("games", plan.games.to_string()),
            ("keep", name(&plan.keep, &KEEPS)),
            ("ended", name(&settings.ended, &ENDED)),
            ("transpositions", name(&settings.transpositions, &TRANSPOSITIONS)),
        ]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        let Self { settings, unit, strategy, plan } = self;
        match key {
            "c" => settings.select.c = number(key, value, (0.0, 1e6))?,
            "d" => settings.select.d = number(key, value, (0.0, 1e9))?,
            "t" => settings.threshold = number(key, value, (0, 1_000_000))?,
            "w" => settings.select.w = number(key, value, (0.0, 1e6))?,
            "epsilon" => strategy.epsilon = number(key, value, (0.0, 1.0))?,
            "unit" => *unit = number(key, value, (1e-6, 1e6))?,
            "log" => settings.select.logarithm = choice(key, value, &LOGARITHMS)?,
            "play-out" => strategy.policy = choice(key, value, &POLICIES)?,
            "tabu-for" => strategy.tabu_for = choice(key, value, &TABU_FOR)?,
            "draw" => strategy.draw = choice(key, value, &DRAWS)?,
            "expand" => settings.expansion = choice(key, value, &EXPANSIONS)?,
            "final" => settings.final_move = choice(key, value, &FINAL_MOVES)?,
            "per" => plan.scope = choice(key, value, &SCOPES)?,
            "searches" => plan.searches = number(key, value, (1, 1_000_000))?,
            "games" => plan.games = number(key, value, (1, 1_000_000))?,
            "keep" => plan.keep = choice(key, value, &KEEPS)?,
            "ended" => settings.ended = choice(key, value, &ENDED)?,
            _ => settings.transpositions = choice(key, value, &TRANSPOSITIONS)?,
        }
        Ok(())
    }
}

impl SpMcts {
    /// Plays a game from `board`.
    ///
    /// # Panics
    /// If the budget has no limit.
    pub fn solve<S: Shape>(&self, board: &Board<S>, budget: Budget, seed: Seed) -> Outcome {
        let root = Position::new(*board);
        let select = SpUct {
            c: self.settings.select.c * self.unit,
            d: self.settings.select.d * self.unit.powi(2),
            ..self.settings.select
        };
        let settings = Settings { select, ..self.settings };
        let solved = solve(&root, &self.strategy, settings, self.plan, budget, seed);
        let effort = solved.effort;
        Outcome {
            play_outs: effort.play_outs,
            nodes: effort.nodes,
            mean_depth: Some(effort.mean_depth),
            deepest: Some(effort.mean_deepest),
            ..Outcome::of(board, solved.line)
        }
    }
}
