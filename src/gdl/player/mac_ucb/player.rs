//! The MAC-UCB player: how long it samples, and which action it takes.

use std::time::Duration;

use super::{
    settings::MacUcbSettings,
    solving::StageNetwork,
    stages::{ArmEstimate, Choice, NodeId, Stages},
};
use crate::{
    player::{GdlPlayer, MoveBudget, PlayerEffort, explored::Explored, walk::GameWalk},
    propnet::Propnet,
    state::GameState,
};
use mineflow_rng::Rng;
use mineflow_search::{Clock, Deadline, Spending, bandit::any_of_best, thread_time};

/// A player that solves stages and samples their arms.
pub struct MacUcbPlayer<'n> {
    pub(super) network: StageNetwork<'n>,
    pub(super) settings: MacUcbSettings,
    pub(super) horizon: usize,
    pub(super) walk: GameWalk<'n>,
    pub(super) stages: Stages,
    pub(super) effort: PlayerEffort,
    /// The clock of time limits.
    clock: Clock,
}

impl<'n> MacUcbPlayer<'n> {
    /// Builds a player for a game.
    pub fn new(
        net: &'n Propnet,
        chance: Option<usize>,
        network: StageNetwork<'n>,
        settings: MacUcbSettings,
    ) -> Self {
        let horizon = settings.horizon.unwrap_or(MacUcbSettings::HORIZON);
        let walk = GameWalk::new(net, chance, horizon);
        Self {
            horizon,
            stages: Stages::new(walk.roles(), settings.most_stages),
            walk,
            network,
            settings,
            effort: PlayerEffort::default(),
            clock: thread_time,
        }
    }

    /// Returns the player with another clock for its time limits than the CPU time of the thread.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Returns the number of nodes that the player stores.
    pub fn states(&self) -> usize {
        self.stages.count()
    }

    /// Solves the stage of a node within the remaining share of the time for solving, and within the
    /// remaining time of the move. The walk must be in the node's state.
    pub(super) fn solve(&mut self, id: NodeId, context: &mut Context<'_>) {
        let begun = (self.clock)();
        let share = self.settings.solving_share;
        let solving = self.effort.solving - context.solved_before;
        let times = context
            .spending
            .elapsed()
            .zip(context.spending.limit().time);
        let in_time =
            times.is_none_or(|(spent, _)| solving.as_secs_f64() <= share * spent.as_secs_f64());
        let time = times.map(|(spent, all)| {
            let left = all.mul_f64(share).saturating_sub(solving);
            Deadline::after(left.min(all.saturating_sub(spent)), self.clock)
        });
        let turn = self.turn(in_time, time);
        self.stages.solved(id, turn);
        self.stages.value(id, context.explored);
        self.effort.stages_solved += 1;
        self.effort.solving += (self.clock)().saturating_sub(begun);
    }

    /// Returns the index of the arm to play: the argmax of the mean among the arms with samples or
    /// an exact value.
    pub(super) fn best(&self, choice: &Choice, rng: &mut Rng) -> usize {
        let estimates = self.stages.estimates(choice).into_iter();
        let value = |arm: ArmEstimate| match arm.visits {
            0 if !arm.known => (f64::NEG_INFINITY, 0),
            visits => (arm.value, visits),
        };
        any_of_best(estimates.map(value), rng)
    }
}

/// The state of one deliberation.
pub(super) struct Context<'a> {
    /// The state in which the player chooses, and its node.
    pub state: &'a GameState,
    pub root: NodeId,
    pub threshold: f64,
    pub spending: Spending,
    solved_before: Duration,
    pub explored: &'a mut Explored,
    pub rng: &'a mut Rng,
}

impl GdlPlayer for MacUcbPlayer<'_> {
    fn choose(
        &mut self,
        state: &GameState,
        role: usize,
        budget: MoveBudget,
        explored: &mut Explored,
        rng: &mut Rng,
    ) -> usize {
        if let Some(only) = self.walk.only_action(state, role) {
            return only;
        }
        let spending = Spending::by(self.clock, budget.into());
        self.effort.moves += 1;
        if self.stages.is_full() {
            self.stages.clear();
        }
        let root = self.stages.of(state, explored);
        let mut context = Context {
            state,
            root,
            threshold: 0.0,
            spending,
            solved_before: self.effort.solving,
            explored,
            rng,
        };
        while !context.spending.is_over() && !self.stages.node(root).known {
            self.line(&mut context);
        }
        if let Some(best) = self.walk.explored_action(state, role, context.explored) {
            return best;
        }
        let stage = self.stages.node(root).stage.iter();
        let mut choices = stage.flat_map(|stage| stage.turn.choices());
        match choices.find(|choice| choice.role == role) {
            Some(choice) => choice.arms[self.best(choice, context.rng)].action,
            None => self.walk.any_action(role, context.rng),
        }
    }

    fn effort(&self) -> PlayerEffort {
        PlayerEffort {
            explored: self.walk.met_explored(),
            ..self.effort
        }
    }
}
