//! A complete single-player game: one search or one search per move, with or without restarts
//! (Schadd et al. (SP-MCTS), sections 4.2 and 4.3).

use super::{
    budget::Budget,
    monte_carlo::{Search, SearchEffort, SearchSettings},
    rollout::Rollout,
    state::State,
};
use mineflow_rng::Seed;

/// The scope of the budget.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Scope {
    /// One search, from the start of the game.
    #[default]
    Game,
    /// One search per move, each with the budget divided by the expected number of moves.
    Move { expected: f64 },
}

/// How the budget is spent on a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GamePlan {
    pub scope: Scope,
    /// The number of searches with different seeds that share the budget of the game or of each
    /// move. With several searches per move, final-move rules other than `TopScore` use only the
    /// first search.
    pub searches: u32,
}

impl Default for GamePlan {
    fn default() -> Self {
        Self {
            scope: Scope::Game,
            searches: 1,
        }
    }
}

/// A game played to its end, with its reward and the statistics of its searches.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved<M> {
    pub line: Vec<M>,
    pub reward: f64,
    pub effort: TotalEffort,
}

/// Statistics of all searches of a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TotalEffort {
    pub playouts: u64,
    /// The number of nodes created.
    pub nodes: u64,
    /// The mean depth of a node, averaged over the searches.
    pub mean_depth: f64,
    /// The depth of the deepest node, averaged over the searches.
    pub mean_deepest: f64,
    /// The mean over playouts of the depth at which selection ended, averaged over the searches.
    pub selection_depth: f64,
    pub searches: u32,
}

/// Plays a single-player game without chance to its end.
///
/// # Panics
/// Panics if the budget has no limit.
pub fn solve<S: State, R: Rollout<S> + Clone>(
    root: &S,
    rollout: &R,
    settings: SearchSettings,
    plan: GamePlan,
    budget: Budget,
    seed: Seed,
) -> Solved<S::Move> {
    assert!(budget.is_limited(), "a search needs a limit");
    let mut game = GameRun {
        root,
        rollout,
        settings,
        plan,
        seed,
        total: TotalEffort::default(),
        begun: 0,
    };
    let (line, reward) = match plan.scope {
        Scope::Game => game.search_once(budget),
        Scope::Move { expected } => game.search_each_move(budget.part(expected.max(1.0))),
    };
    Solved {
        line,
        reward,
        effort: game.total.averaged(),
    }
}

struct GameRun<'a, S, R> {
    root: &'a S,
    rollout: &'a R,
    settings: SearchSettings,
    plan: GamePlan,
    seed: Seed,
    /// With sums over the searches in place of means.
    total: TotalEffort,
    /// The number of searches begun, each with its own seed.
    begun: u32,
}

impl<S: State, R: Rollout<S> + Clone> GameRun<'_, S, R> {
    fn begin(&mut self, root: S) -> Search<S, R> {
        let seed = self.seed.child("search", u64::from(self.begun));
        self.begun += 1;
        Search::new(root, self.rollout.clone(), self.settings, seed)
    }

    /// Returns the best line found by any search from the root.
    fn search_once(&mut self, budget: Budget) -> (Vec<S::Move>, f64) {
        let part = budget.part(f64::from(self.plan.searches.max(1)));
        let mut best: Option<(Vec<S::Move>, f64)> = None;
        for _ in 0..self.plan.searches.max(1) {
            let mut search = self.begin(self.root.clone());
            search.run(part);
            self.total.add(search.effort());
            if let Some((line, reward)) = search.best()
                && best.as_ref().is_none_or(|&(_, best)| reward > best)
            {
                best = Some((line.to_vec(), reward));
            }
        }
        best.unwrap_or_else(|| (Vec::new(), self.root.reward()))
    }

    fn search_each_move(&mut self, budget: Budget) -> (Vec<S::Move>, f64) {
        let mut rng = self.seed.child("game", u64::from(self.begun)).rng();
        let mut state = self.root.clone();
        let mut played = Vec::new();
        let mut search = self.begin(state.clone());
        while let Some(a_move) = self.one_move(&mut search, &state, budget) {
            state.play(a_move, &mut rng);
            played.push(a_move);
            // The search for the next move keeps only the best line.
            let rest = search
                .best()
                .filter(|(line, _)| line.first() == Some(&a_move));
            let rest = rest.map(|(line, reward)| (line[1..].to_vec(), reward));
            search = self.begin(state.clone());
            if let Some((line, reward)) = rest {
                search.offer(&line, reward);
            }
        }
        (played, state.reward())
    }

    /// Searches for one move, or returns `None` if the game is over.
    fn one_move(
        &mut self,
        search: &mut Search<S, R>,
        state: &S,
        budget: Budget,
    ) -> Option<S::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let first = *moves.first()?;
        let before = search.effort();
        let part = budget.part(f64::from(self.plan.searches.max(1)));
        search.run(part.beyond(before.nodes));
        self.total.add(search.effort().since(before));
        for _ in 1..self.plan.searches {
            let mut other = self.begin(state.clone());
            other.run(part);
            self.total.add(other.effort());
            if let Some((line, reward)) = other.best() {
                search.offer(line, reward);
            }
        }
        search.final_move().or(Some(first))
    }
}

impl TotalEffort {
    /// Adds a search, where the means are sums until [`averaged`](Self::averaged).
    fn add(&mut self, effort: SearchEffort) {
        self.playouts += effort.playouts;
        self.nodes += effort.nodes;
        self.mean_depth += effort.mean_depth;
        self.mean_deepest += f64::from(effort.deepest);
        self.selection_depth += effort.selection_depth;
        self.searches += 1;
    }

    /// Divides the sums over the searches by their number.
    fn averaged(mut self) -> Self {
        let searches = f64::from(self.searches.max(1));
        self.mean_depth /= searches;
        self.mean_deepest /= searches;
        self.selection_depth /= searches;
        self
    }
}
