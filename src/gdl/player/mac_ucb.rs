//! MAC-UCB and FC-UCB (Koriche and others, "General Game Playing with Stochastic CSP", section 4).
//!
//! A deliberation goes down lines, each from the root to a leaf. On the way the arm of a stage that has its samples is
//! fixed: the one with the highest upper bound (4.3), and chance is drawn anew. At the first stage that has not, an arm is sampled
//! by UCB: played out at random. What came of it is backed up along the whole line. The threshold rises to the least
//! expected reward of the best policy at the root, and the next line starts with what the cuts leave.
//!
//! The papers leave open whose rewards UCB follows when others move: here each role follows its own.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::explored::Explored;
use super::samples::SamplesAStage;
use super::solving::{ArmSource, StageNetwork, StageSolver};
use super::stages::{Arm, Choice, NodeId, Stages, Turn, count_drawn};
use super::walk::GameWalk;
use super::{GdlPlayer, MoveBudget, PlayerEffort};
use crate::gdl::grounding::Grounding;
use crate::gdl::network::GameNetwork;
use crate::gdl::propnet::Propnet;
use crate::gdl::state::GameState;
use crate::rng::Rng;
use crate::search::bandit::{ArmValue, any_of_best, arm_to_take};
use crate::search::scsp::{Method, NetworkSolver};
use crate::search::{Spending, Ucb1};

/// How MAC-UCB spends its time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacUcbSettings {
    pub method: Method,
    pub arms: ArmSource,
    /// The share of CPU time that solving may take of a stage's solving and sampling; 0.9 in the paper.
    pub solving_share: f64,
    /// A line goes on from a stage that has this many samples. 10,000 in the paper (section 4.3).
    pub samples_a_stage: SamplesAStage,
    /// A search of a stage stops after this many branchings.
    pub most_nodes: u64,
    /// So many states are kept.
    pub most_stages: usize,
    pub horizon: usize,
}

impl Default for MacUcbSettings {
    fn default() -> Self {
        Self {
            method: Method::Mac,
            arms: ArmSource::TwoStages,
            solving_share: 0.9,
            samples_a_stage: SamplesAStage::default(),
            most_nodes: 1_000_000,
            most_stages: 1_000_000,
            horizon: 10_000,
        }
    }
}

/// A player that solves stages and samples their arms.
pub struct MacUcbPlayer<'n> {
    pub(super) solver: StageSolver<'n>,
    pub(super) settings: MacUcbSettings,
    pub(super) walk: GameWalk<'n>,
    pub(super) stages: Stages,
    pub(super) effort: PlayerEffort,
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
        let walk = GameWalk::new(net, grounding.chance, settings.horizon);
        let network = StageNetwork::new(grounding, network, solver, settings.method, settings.most_nodes);
        Self {
            stages: Stages::new(walk.roles(), settings.most_stages),
            walk,
            solver: StageSolver::new(net, network),
            settings,
            effort: PlayerEffort::default(),
        }
    }

    /// How many states it keeps.
    pub fn states(&self) -> usize {
        self.stages.count()
    }

    /// Solves the stage of a node, at which the walk is.
    fn solve(&mut self, id: NodeId, context: &mut Context<'_>) {
        let clock = ThreadTime::now();
        let in_time = context.spending.elapsed().is_none_or(|all| {
            let solving = (self.effort.solving - context.solved_before).as_secs_f64();
            solving <= self.settings.solving_share * all.as_secs_f64()
        });
        let source = if in_time { self.settings.arms } else { ArmSource::Legal };
        let Self { solver, walk, stages, .. } = self;
        let turn = solver.solve(&walk.state(), source, walk, stages, context.explored);
        stages.solved(id, turn);
        stages.value(id, &[], context.explored);
        self.effort.stages_solved += 1;
        self.effort.solving += clock.elapsed();
    }

    /// One line from `root`.
    fn line(&mut self, root: NodeId, state: &GameState, context: &mut Context<'_>) {
        self.walk.look_at(state);
        let mut line: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        let mut id = root;
        loop {
            let node = self.stages.node(id);
            if self.walk.is_terminal() || node.known && id != root || line.len() >= self.settings.horizon {
                break;
            }
            if node.stage.is_none() {
                if self.stages.is_full() && id != root {
                    break;
                }
                self.solve(id, context);
                if self.stages.node(id).known && id != root {
                    break;
                }
            }
            let stage = self.stages.node(id).stage.as_ref().expect("it was solved");
            let least = self.settings.samples_a_stage.of(stage.turn.arms(), context.planned());
            let new = stage.samples < least;
            if context.threshold > 0.0 {
                self.cut(id, context.threshold);
            }
            let picked = self.pick(id, context.rng);
            self.walk.step(|role| picked.iter().find(|(of, ..)| *of == role).map(|(.., action)| *action), context.rng);
            let next = self.stages.of(&self.walk.state(), context.explored);
            let beside = self.enter(id, &picked, next);
            line.push((id, beside));
            id = next;
            if new && self.stages.node(next).stage.is_none() {
                break;
            }
        }
        let ended = self.walk.is_terminal();
        let rewards: Box<[f64]> = if self.stages.node(id).known {
            self.stages.node(id).value.clone()
        } else {
            self.walk.playout(context.explored, context.rng).into()
        };
        if ended {
            self.stages.settle(id, &rewards);
        }
        context.spending.add_playout();
        self.effort.samples += 1;
        self.stages.add_sample(id, &rewards, context.explored);
        self.stages.value(id, &rewards, context.explored);
        for (id, beside) in line.into_iter().rev() {
            for arm in beside {
                self.stages.add_sample(arm, &rewards, context.explored);
            }
            let node = self.stages.node_mut(id);
            node.visits += 1;
            self.stages.value(id, &rewards, context.explored);
        }
        self.raise_threshold(root, context);
    }

    /// The arm that each role with a choice takes: role, place and action.
    fn pick(&self, id: NodeId, rng: &mut Rng) -> Vec<(usize, usize, usize)> {
        let stage = self.stages.node(id).stage.as_ref().expect("it was solved");
        let choices = match &stage.turn {
            Turn::Choice(choice) => std::slice::from_ref(choice),
            Turn::Draw { .. } => &[],
            Turn::Mixed(choices) => choices,
        };
        choices
            .iter()
            .map(|choice| {
                let place = self.to_sample(choice, rng);
                (choice.role, place, choice.arms[place].action)
            })
            .collect()
    }

    fn to_sample(&self, Choice { role, arms }: &Choice, rng: &mut Rng) -> usize {
        let values: Vec<(f64, u32, bool)> = arms.iter().map(|arm| self.stages.of_arm(arm, *role)).collect();
        let all = values.iter().map(|(_, visits, _)| visits).sum();
        let bound = |(arm, &(value, visits, known)): (&Arm, &(f64, u32, bool))| {
            let out = known || arm.cut_at == self.effort.moves;
            if out { f64::NEG_INFINITY } else { Ucb1::upper_bound(value, visits, all) }
        };
        any_of_best(arms.iter().zip(&values).map(bound), rng)
    }

    /// Notes what the picked arms lead to; gives the nodes of arms that do not lead to one state.
    fn enter(&mut self, id: NodeId, picked: &[(usize, usize, usize)], next: NodeId) -> Vec<NodeId> {
        let mut stage = self.stages.node_mut(id).stage.take().expect("it was solved");
        stage.samples += 1;
        let mut beside = Vec::new();
        match &mut stage.turn {
            Turn::Choice(choice) => {
                let arm = &mut choice.arms[picked[0].1];
                arm.visits += 1;
                arm.child = Some(next);
            }
            Turn::Draw { whole: true, .. } => {}
            Turn::Draw { drawn, .. } => count_drawn(drawn, next),
            Turn::Mixed(choices) => {
                for (choice, &(_, place, _)) in choices.iter_mut().zip(picked) {
                    let arm = &mut choice.arms[place];
                    beside.push(*arm.child.get_or_insert_with(|| self.stages.add(None)));
                }
            }
        }
        self.stages.node_mut(id).stage = Some(stage);
        beside
    }

    /// The place of the arm to take.
    pub(super) fn best(&self, Choice { role, arms }: &Choice, rng: &mut Rng) -> usize {
        let value = |arm: &Arm| {
            let (value, visits, known) = self.stages.of_arm(arm, *role);
            ArmValue { mean: if visits == 0 && !known { f64::NEG_INFINITY } else { value }, visits }
        };
        arm_to_take(arms.iter().map(value), rng)
    }
}

/// What one deliberation carries along.
pub(super) struct Context<'a> {
    pub(super) threshold: f64,
    /// The budget, if it is one of samples.
    samples: Option<u64>,
    spending: Spending,
    solved_before: Duration,
    pub(super) explored: &'a mut Explored,
    pub(super) rng: &'a mut Rng,
}

impl Context<'_> {
    /// The samples of the whole deliberation, or those so far where only time is limited.
    fn planned(&self) -> u64 {
        self.samples.unwrap_or_else(|| self.spending.playouts())
    }
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
        if self.stages.is_full() {
            self.stages.clear();
        }
        let solved_before = self.effort.solving;
        let spending = Spending::new(budget.into());
        let root = self.stages.of(state, explored);
        let samples = match budget {
            MoveBudget::Samples(samples) => Some(samples),
            MoveBudget::Time(_) => None,
        };
        let mut context = Context { threshold: 0.0, samples, spending, solved_before, explored, rng };
        while !context.spending.is_over() && !self.stages.node(root).known {
            self.line(root, state, &mut context);
        }
        if self.stages.node(root).known
            && let Some(action) = self.hopeful(root, state, role, &mut context)
        {
            return action;
        }
        if let Some(best) = self.walk.explored_action(state, role, context.explored) {
            return best;
        }
        let stage = self.stages.node(root).stage.as_ref();
        let choice = stage.and_then(|stage| match &stage.turn {
            Turn::Choice(choice) => Some(choice),
            Turn::Draw { .. } => None,
            Turn::Mixed(choices) => choices.iter().find(|choice| choice.role == role),
        });
        match choice {
            Some(choice) => choice.arms[self.best(choice, context.rng)].action,
            None => self.walk.any_action(role, context.rng),
        }
    }

    fn effort(&self) -> PlayerEffort {
        PlayerEffort { explored: self.walk.met_explored(), unsolved: self.solver.unsolved, ..self.effort }
    }
}
