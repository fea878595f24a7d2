//! Plays one match.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::record::{CostRow, MatchRow, list};
use super::{Algorithm, Matches, Prepared};
use crate::gdl::player::{Explored, GameWalk, GdlPlayer, MacUcbPlayer, MacUcbSettings, PlayerEffort, UctPlayer};
use crate::rng::{Rng, Seed};
use crate::search::scsp::Method;
use crate::stage::series::round;

/// What every match needs.
pub(super) struct Referee<'a> {
    pub(super) matches: &'a Matches,
    pub(super) prepared: &'a Prepared,
}

/// A role that is not chance, and who plays it.
struct Seat<'a> {
    role: usize,
    algorithm: Algorithm,
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
    pub(super) fn play(&self, index: u32) -> (MatchRow, CostRow) {
        let Self { matches, prepared: Prepared { game, .. } } = *self;
        let chance = game.grounding.chance;
        let seed = Seed::new(matches.seed).child("match", u64::from(index));
        let mut rng = seed.child("chance", 0).rng();
        let roles = (0..game.net.roles()).filter(|&role| Some(role) != chance);
        let sit = |(number, role): (usize, usize)| {
            let algorithm = matches.players[(number + index as usize) % matches.players.len()];
            let rng = seed.child("player", number as u64).rng();
            Seat { role, algorithm, player: self.player(algorithm), rng, time: Duration::ZERO }
        };
        let mut seats: Vec<Seat<'_>> = roles.enumerate().map(sit).collect();
        let mut explored = Explored::new(chance, matches.most_explored);
        let mut table = GameWalk::new(&game.net, chance, matches.horizon);
        table.look_at(game.net.initial());
        let mut steps = 0;
        while !table.is_terminal() && steps < matches.horizon {
            let state = table.state();
            let mut joint = vec![None; game.net.roles()];
            for Seat { role, player, rng, time, .. } in &mut seats {
                if let Some(player) = player {
                    let clock = ThreadTime::now();
                    joint[*role] = Some(player.choose(&state, *role, matches.budget, &mut explored, rng));
                    *time += clock.elapsed();
                }
            }
            table.step(|role| joint[role], &mut rng);
            steps += 1;
        }
        let ended = table.is_terminal();
        let rewards = if ended { table.rewards().to_vec() } else { vec![0.0; game.net.roles()] };
        let of_effort = |value: fn(PlayerEffort) -> u64| list(seats.iter().map(|seat| value(seat.effort())));
        let row = MatchRow {
            index,
            players: list(seats.iter().map(|seat| seat.algorithm.name())),
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
        (row, cost)
    }

    fn player(&self, algorithm: Algorithm) -> Option<Box<dyn GdlPlayer + 'a>> {
        let Self { matches, prepared: Prepared { game, stage, solver } } = *self;
        let mac = |method| -> Box<dyn GdlPlayer + 'a> {
            let Matches { solving_share, samples_a_stage, horizon, .. } = *matches;
            let settings =
                MacUcbSettings { method, solving_share, samples_a_stage, horizon, ..MacUcbSettings::default() };
            Box::new(MacUcbPlayer::new(&game.grounding, &game.net, stage, solver.clone(), settings))
        };
        match algorithm {
            Algorithm::Random => None,
            Algorithm::Uct => {
                Some(Box::new(UctPlayer::new(&game.net, game.grounding.chance, matches.horizon, 1_000_000)))
            }
            Algorithm::MacUcb => Some(mac(Method::Mac)),
            Algorithm::FcUcb => Some(mac(Method::ForwardChecking)),
        }
    }
}
