//! Steps a batch of boards: fills the result arrays, which are divided among threads.

use mineflow_minesweeper::Cell;

use crate::env::{Env, Rewards, Rules, Scratch, Stepped};

/// The time at which the next game of a board begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    NextStep,
    SameStep,
    Disabled,
}

/// A range of boards from index `first` on, their actions, and their parts of the result arrays.
pub struct Part<'a> {
    pub envs: &'a mut [Env],
    pub first: usize,
    pub actions: &'a [i64],
    pub stepped: Stepping<'a>,
}

pub struct Stepping<'a> {
    pub seen: &'a mut [i8],
    pub mask: &'a mut [i8],
    pub reward: &'a mut [f64],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub won: &'a mut [bool],
    pub regret: &'a mut [f64],
    pub last: &'a mut [i8],
    pub last_mine: &'a mut [f64],
}

/// Steps the boards of a part. Returns whether a final observation was stored, and the first failure.
pub fn play(
    part: Part<'_>,
    rules: &Rules,
    rewards: &Rewards,
    autoreset: Autoreset,
    scratch: &mut Scratch,
) -> (bool, Option<(usize, String)>) {
    let Part {
        envs,
        first,
        actions,
        stepped: to,
    } = part;
    let cells = rules.board.cells();
    let (mut any_last, mut failed) = (false, None);
    for (i, (env, &action)) in envs.iter_mut().zip(actions).enumerate() {
        let row = i * cells..(i + 1) * cells;
        let (seen, mask) = (&mut to.seen[row.clone()], &mut to.mask[row.clone()]);
        if env.over {
            env.begin();
            env.show(seen, mask);
            continue;
        }
        let stepped = match env.step(Cell(action as u16), rules, rewards, scratch) {
            Ok(stepped) => stepped,
            Err(why) => {
                failed = failed.or(Some((first + i, why)));
                Stepped::default()
            }
        };
        (to.reward[i], to.terminated[i], to.truncated[i]) =
            (stepped.reward, stepped.terminated, stepped.truncated);
        to.won[i] = stepped.won;
        if rules.counts {
            to.regret[i] = stepped.regret;
        }
        if env.over && autoreset == Autoreset::SameStep {
            env.show(&mut to.last[row.clone()], mask);
            if !to.last_mine.is_empty() {
                to.last_mine[row].copy_from_slice(&env.mine);
            }
            any_last = true;
            env.begin();
        }
        env.show(seen, mask);
    }
    (any_last, failed)
}

/// Splits a part into pieces of `length` boards.
pub fn split<'a>(part: Part<'a>, length: usize, rules: &Rules) -> Vec<Part<'a>> {
    let cells = length * rules.board.cells();
    let Part {
        envs,
        first,
        actions,
        stepped,
    } = part;
    let Stepping {
        seen,
        mask,
        reward,
        terminated,
        truncated,
        won,
        regret,
        last,
        last_mine,
    } = stepped;
    let (mut regret, mut last) = (regret.chunks_mut(length), last.chunks_mut(cells));
    let mut last_mine = last_mine.chunks_mut(cells);
    let rows = seen
        .chunks_mut(cells)
        .zip(mask.chunks_mut(cells))
        .zip(reward.chunks_mut(length));
    let ends = terminated
        .chunks_mut(length)
        .zip(truncated.chunks_mut(length))
        .zip(won.chunks_mut(length));
    let boards = envs.chunks_mut(length).zip(actions.chunks(length));
    let parts = boards.zip(rows).zip(ends).enumerate();
    let part =
        |(index, (((envs, actions), ((seen, mask), reward)), ((terminated, truncated), won)))| {
            Part {
                envs,
                first: first + index * length,
                actions,
                stepped: Stepping {
                    seen,
                    mask,
                    reward,
                    terminated,
                    truncated,
                    won,
                    regret: regret.next().unwrap_or_default(),
                    last: last.next().unwrap_or_default(),
                    last_mine: last_mine.next().unwrap_or_default(),
                },
            }
        };
    parts.map(part).collect()
}
