//! MAC-UCB and FC-UCB (Koriche and others, "General Game Playing with Stochastic CSP", section 4).
//!
//! A deliberation goes down lines of stages. At each stage the network of the state is solved for the actions that feasible
//! policies contain, these arms are sampled by UCB, each sample being a random playout, the best arm is fixed, and the
//! line goes on from a state that follows. Samples count for every arm fixed on the line. At its end the threshold rises to
//! the least expected reward of the best policy at the first stage, and the next line starts with what the cuts leave.
//!
//! The papers leave open whose rewards UCB follows when others move: here it is the role that has the choice, and the
//! player's own where several have one at once.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::arms::{ActionArm, to_sample, to_take};
use super::explored::Explored;
use super::walk::GameWalk;
use super::{GdlPlayer, MoveBudget, PlayerEffort};
use crate::gdl::grounding::Grounding;
use crate::gdl::network::GameNetwork;
use crate::gdl::propnet::Propnet;
use crate::gdl::state::GameState;
use crate::rng::Rng;
use crate::search::Spending;
use crate::search::scsp::{End, Method, NetworkSolver, Query, Variable};
use cpu_time::ThreadTime;

/// How MAC-UCB spends its time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacUcbSettings {
    pub method: Method,
    /// The share of CPU time that solving may take of a stage's solving and sampling; 0.9 in the paper.
    pub solving_share: f64,
    /// A stage is sampled until it has this many samples; where a line comes by again it takes one more. 10,000 in the paper
    /// (section 4.3). A budget of time adds those that sampling's share of the time leaves room for.
    pub samples_a_stage: u32,
    /// A search of a stage stops after this many branchings.
    pub most_nodes: u64,
    /// So many stages are kept.
    pub most_stages: usize,
    pub horizon: usize,
}

impl Default for MacUcbSettings {
    fn default() -> Self {
        Self {
            method: Method::Mac,
            solving_share: 0.9,
            samples_a_stage: 10_000,
            most_nodes: 1_000_000,
            most_stages: 1_000_000,
            horizon: 10_000,
        }
    }
}

/// A solved stage: its arms, those that are cut apart.
struct Stage {
    role: usize,
    arms: Vec<ActionArm>,
    /// The role's legal actions, and how many each role has.
    legal: Vec<usize>,
    counts: Vec<usize>,
}

/// A player that solves stages and samples their arms.
pub struct MacUcbPlayer<'n> {
    grounding: &'n Grounding,
    network: &'n GameNetwork,
    solver: NetworkSolver,
    settings: MacUcbSettings,
    walk: GameWalk<'n>,
    stages: HashMap<GameState, Stage>,
    given: Vec<(Variable, u32)>,
    effort: PlayerEffort,
}

impl<'n> MacUcbPlayer<'n> {
    /// A player for a game. `solver` answers for the network's preprocessed copy.
    pub fn new(
        grounding: &'n Grounding,
        net: &'n Propnet,
        network: &'n GameNetwork,
        solver: NetworkSolver,
        settings: MacUcbSettings,
    ) -> Self {
        Self {
            walk: GameWalk::new(net, grounding.chance, settings.horizon),
            grounding,
            network,
            solver,
            settings,
            stages: HashMap::new(),
            given: Vec::new(),
            effort: PlayerEffort::default(),
        }
    }

    /// The actions of `role` that a feasible policy of the state contains, rising.
    fn solve(&mut self, state: &GameState, role: usize) -> Vec<usize> {
        let clock = ThreadTime::now();
        self.given.clear();
        self.network.give(self.grounding, state, &mut self.given);
        let wanted = [self.network.action(role)];
        let Self { solver, settings, given, .. } = self;
        let query =
            Query { given, wanted: &wanted, threshold: &[], method: settings.method, nodes: settings.most_nodes };
        let mut actions = Vec::new();
        let effort = solver.solve(&query, |values| {
            actions.push(values[0] as usize);
            ControlFlow::Continue(())
        });
        if effort.end == End::NodeLimit {
            self.effort.unsolved += 1;
            actions = self.walk.legal(role).to_vec();
        }
        actions.sort_unstable();
        self.effort.stages_solved += 1;
        self.effort.solving += clock.elapsed();
        actions
    }

    /// One line of stages from `root`; whether anything was sampled on it.
    fn line(&mut self, root: &GameState, context: &mut Context<'_>) -> bool {
        self.effort.lines += 1;
        let mut fixed: Vec<(GameState, usize)> = Vec::new();
        let mut state = root.clone();
        let mut sampled = false;
        for _ in 0..self.settings.horizon {
            self.walk.look_at(&state);
            let at_root = state == *root;
            if self.walk.is_terminal() || !at_root && context.explored.value(&state).is_some() {
                break;
            }
            let mut choosers = self.walk.choosers();
            let role = match (choosers.next(), choosers.next()) {
                (None, _) => None,
                (Some(role), None) => Some(role),
                (Some(_), Some(_)) => Some(context.role),
            };
            drop(choosers);
            let Some(role) = role else {
                self.walk.step(|_| None, context.rng);
                state = self.walk.state();
                continue;
            };
            if !self.stages.contains_key(&state) {
                let actions = self.solve(&state, role);
                let roles = self.walk.roles();
                let arms = actions.into_iter().map(|action| ActionArm::new(action, roles)).collect();
                let counts = (0..roles).map(|role| self.walk.legal(role).len()).collect();
                let legal = self.walk.legal(role).to_vec();
                self.stages.insert(state.clone(), Stage { role, arms, legal, counts });
            }
            sampled |= self.sample(&state, &fixed, context);
            let stage = &self.stages[&state];
            // A cut could have taken all arms but the best; a stage without arms would contradict the rules.
            let best = to_take(&stage.arms, stage.role, context.rng);
            let action = stage.arms[best].action;
            fixed.push((state.clone(), action));
            self.walk.look_at(&state);
            self.walk.step(|other| (other == role).then_some(action), context.rng);
            state = self.walk.state();
            if context.spending.is_over() {
                break;
            }
        }
        self.raise_threshold(root, context);
        sampled
    }

    /// Samples the arms of a stage by UCB.
    fn sample(&mut self, state: &GameState, fixed: &[(GameState, usize)], context: &mut Context<'_>) -> bool {
        let arms = &self.stages[state].arms;
        let had: u64 = arms.iter().map(|arm| u64::from(arm.visits)).sum();
        let least = u64::from(self.settings.samples_a_stage).saturating_sub(had).max(1);
        let mut taken = 0;
        while !context.spending.is_over() && (taken < least || self.owes_samples(context)) {
            let stage = &self.stages[state];
            let (role, place) = (stage.role, to_sample(&stage.arms, stage.role, context.rng));
            let action = stage.arms[place].action;
            self.walk.look_at(state);
            self.walk.step(|other| (other == role).then_some(action), context.rng);
            let rewards = self.walk.playout(context.explored, context.rng);
            self.stages.get_mut(state).expect("it was solved").arms[place].add(rewards);
            for (earlier, action) in fixed {
                let stage = self.stages.get_mut(earlier).expect("the line leads through stages");
                if let Some(arm) = stage.arms.iter_mut().find(|arm| arm.action == *action) {
                    arm.add(rewards);
                }
            }
            taken += 1;
            context.spending.add_playout();
            self.effort.samples += 1;
            if context.explored.value(state).is_some() {
                break;
            }
        }
        self.cut(state, context);
        taken > 0
    }

    /// Whether sampling has had less than its share of the time so far.
    fn owes_samples(&self, context: &Context<'_>) -> bool {
        let Some(all) = context.spending.elapsed() else { return false };
        let solving = (self.effort.solving - context.solved_before).as_secs_f64();
        solving > self.settings.solving_share * all.as_secs_f64()
    }

    /// Drops arms below the threshold: those whose sub-trees are explored, and those whose upper bound is below.
    fn cut(&mut self, state: &GameState, context: &Context<'_>) {
        if context.threshold <= 0.0 {
            return;
        }
        let stage = self.stages.get_mut(state).expect("it was solved");
        let all = stage.arms.iter().map(|arm| arm.visits).sum();
        let Stage { role, arms, legal, counts } = stage;
        let role = *role;
        let best = arms.iter().map(|arm| arm.mean(role)).fold(f64::NEG_INFINITY, f64::max);
        arms.retain(|arm| {
            let place = legal.binary_search(&arm.action).expect("arms are legal actions");
            let exact = context.explored.value_of_action(state, counts, role, place);
            let certain = exact.is_some_and(|value| value < context.threshold);
            let unlikely = arm.upper_bound(role, all) < context.threshold;
            // The best stays, so that a stage always has a policy.
            let cut = (certain || unlikely) && arm.mean(role) < best;
            self.effort.certain_cuts += u64::from(cut && certain);
            self.effort.confidence_cuts += u64::from(cut && !certain);
            !cut
        });
    }

    fn raise_threshold(&mut self, root: &GameState, context: &mut Context<'_>) {
        let Some(stage) = self.stages.get(root) else { return };
        let best = &stage.arms[to_take(&stage.arms, stage.role, context.rng)];
        let players = (0..self.walk.roles()).filter(|&role| Some(role) != self.grounding.chance);
        let least = players.map(|role| best.mean(role)).fold(f64::INFINITY, f64::min);
        context.threshold = context.threshold.max(least);
    }
}

/// What one deliberation carries along.
struct Context<'a> {
    role: usize,
    threshold: f64,
    spending: Spending,
    solved_before: Duration,
    explored: &'a mut Explored,
    rng: &'a mut Rng,
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
        self.effort.moves += 1;
        // Arms that were cut were cut for another threshold.
        self.stages.clear();
        let solved_before = self.effort.solving;
        let spending = Spending::new(budget.into());
        let mut context = Context { role, threshold: 0.0, spending, solved_before, explored, rng };
        while !context.spending.is_over() && context.explored.value(state).is_none() {
            if !self.line(state, &mut context) {
                break;
            }
        }
        if let Some(best) = self.walk.explored_action(state, role, context.explored) {
            return best;
        }
        if !self.stages.contains_key(state) {
            return self.walk.any_action(role, context.rng);
        }
        let stage = self.stages.get(state).expect("it was just found");
        stage.arms[to_take(&stage.arms, stage.role, context.rng)].action
    }

    fn effort(&self) -> PlayerEffort {
        PlayerEffort { explored: self.walk.met_explored(), ..self.effort }
    }
}
