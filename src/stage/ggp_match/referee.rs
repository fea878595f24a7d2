//! Plays one match.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::record::{CostRow, MatchRow, list};
use super::{Matches, Stage};
use crate::gdl::PlayError;
use crate::gdl::player::{
    Algorithm, Explored, GameWalk, GdlPlayer, MacUcbPlayer, MacUcbSettings, PlayerEffort, PlayerRecipe, UctPlayer,
};
use crate::rng::{Rng, Seed};
use crate::search::scsp::Method;
use crate::stage::ggp_fault::fault_of;
use crate::stage::ggp_game::{Compiled, Engines, Game};
use crate::stage::series::round;

/// What every match needs.
pub(super) struct Referee<'a> {
    pub(super) matches: &'a Matches,
    pub(super) game: &'a Game,
    /// For players that solve.
    pub(super) stage: Option<&'a Stage>,
}

/// A role that is not chance, and who plays it.
struct Seat<'a> {
    role: usize,
    recipe: &'a PlayerRecipe,
    /// None for one that moves at random.
    player: Option<Box<dyn GdlPlayer + 'a>>,
    rng: Rng,
    time: Duration,
}

impl Seat<'_> {
    fn effort(&self) -> PlayerEffort {
        self.player.as_ref().map_or_else(PlayerEffort::default, |player| player.effort())
    }
}

impl<'a> Referee<'a> {
    pub(super) fn play(&self, index: u32) -> anyhow::Result<(MatchRow, CostRow)> {
        let matches = self.matches;
        let engines = self.game.engines()?;
        let (all_roles, chance) = (engines.roles(), engines.chance());
        let seed = Seed::new(matches.seed).child("match", u64::from(index));
        let mut rng = seed.child("chance", 0).rng();
        let roles = (0..all_roles).filter(|&role| Some(role) != chance);
        let sit = |(number, role): (usize, usize)| {
            let recipe = &matches.players[(number + index as usize) % matches.players.len()];
            let rng = seed.child("player", number as u64).rng();
            Seat { role, recipe, player: self.player(&recipe.algorithm, &engines), rng, time: Duration::ZERO }
        };
        let mut seats: Vec<Seat<'_>> = roles.enumerate().map(sit).collect();
        let mut explored = Explored::new(chance, matches.most_explored);
        let mut table = GameWalk::over(engines.engine(), chance, matches.horizon);
        table.start();
        let mut steps = 0;
        while !table.is_terminal() && steps < matches.horizon {
            let state = table.state();
            let mut joint = vec![None; all_roles];
            for Seat { role, recipe, player, rng, time } in &mut seats {
                if let Some(player) = player {
                    let clock = ThreadTime::now();
                    let budget = recipe.budget.unwrap_or(matches.budget);
                    joint[*role] = Some(player.choose(&state, *role, budget, &mut explored, rng));
                    *time += clock.elapsed();
                }
            }
            table.step(|role| joint[role], &mut rng);
            steps += 1;
        }
        if let Some(fault) = table.fault() {
            return Err(fault_of(&matches.sheet)(fault));
        }
        if let Some(role) = table.stuck() {
            return Err(fault_of(&matches.sheet)(PlayError::Stuck { role: engines.role_name(role), steps }));
        }
        let ended = table.is_terminal();
        let rewards = if ended { table.rewards().to_vec() } else { vec![0.0; all_roles] };
        let of_effort = |value: fn(PlayerEffort) -> u64| list(seats.iter().map(|seat| value(seat.effort())));
        let row = MatchRow {
            index,
            players: list(seats.iter().map(|seat| seat.recipe)),
            goals: list(seats.iter().map(|seat| (100.0 * rewards[seat.role]).round())),
            steps,
            ended,
            moves: of_effort(|effort| effort.moves),
            samples: of_effort(|effort| effort.samples),
            explored: of_effort(|effort| effort.explored),
            stages: of_effort(|effort| effort.stages_solved),
            certain_cuts: of_effort(|effort| effort.certain_cuts),
            confidence_cuts: of_effort(|effort| effort.confidence_cuts),
        };
        let seconds = |time: Duration| round(time.as_secs_f64(), 4);
        let cost = CostRow {
            index,
            cpu_seconds: list(seats.iter().map(|seat| seconds(seat.time))),
            solving_seconds: list(seats.iter().map(|seat| seconds(seat.effort().solving))),
        };
        Ok((row, cost))
    }

    fn player(&self, algorithm: &Algorithm, engines: &Engines<'a>) -> Option<Box<dyn GdlPlayer + 'a>> {
        let matches = self.matches;
        let mac = |method| -> Box<dyn GdlPlayer + 'a> {
            let Stage { network, solver } = self.stage.expect("it is made for players that solve");
            let Engines::Net(Compiled { grounding, net }) = engines else {
                unreachable!("a stage is made of a ground form")
            };
            let Matches { solving_share, samples_a_stage, horizon, .. } = *matches;
            let settings =
                MacUcbSettings { method, solving_share, samples_a_stage, horizon, ..MacUcbSettings::default() };
            Box::new(MacUcbPlayer::new(grounding, net, network, solver.clone(), settings))
        };
        match algorithm {
            Algorithm::Random => None,
            Algorithm::Uct(settings) => {
                let walk = GameWalk::over(engines.engine(), engines.chance(), matches.horizon);
                Some(Box::new(UctPlayer::over(walk, settings.clone())))
            }
            Algorithm::MacUcb => Some(mac(Method::Mac)),
            Algorithm::FcUcb => Some(mac(Method::ForwardChecking)),
        }
    }
}
