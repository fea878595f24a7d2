//! `pipeline ggp play`, which reads moves from stdin and writes states to stdout.

use std::{
    io::{BufRead, stdin},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Args;
use rand::Rng as _;

use super::load;
use crate::{Global, output::to_stdout};
use mineflow_rng::{Rng, Seed};
use mineflow_tasks::{ggp_fault::fault_of, ggp_game::Engines, help::examples};

#[derive(Args)]
#[command(after_help = examples(
    &[
        "ggp play pipelines/ggp/connect-four.kif",
        "ggp play pipelines/ggp/tic-tac-toe.kif --as x",
    ],
    "",
))]
pub(crate) struct PlayArgs {
    /// Read this rule sheet in KIF
    file: PathBuf,
    /// Play these roles by hand; all other roles move at random [default: every role but random]
    #[arg(long = "as", value_name = "ROLES", value_delimiter = ',')]
    by_hand: Vec<String>,
}

pub(super) fn run(args: &PlayArgs, global: &Global) -> Result<ExitCode> {
    let game = load(&args.file, global)?;
    let engines = game.engines()?;
    let by_hand = seats(&engines, &args.by_hand)?;
    let mut engine = engines.engine();
    let mut rng = Seed::new(global.seed()).child("play", 0).rng();
    let mut lines = stdin().lock().lines();
    let mut joint = vec![0; engines.roles()];
    let mut legal = Vec::new();
    for step in 1.. {
        to_stdout(&format!(
            "state {step}: {}\n",
            engines.show_state(&engine.state())
        ))?;
        let terminal = engine.is_terminal();
        if let Some(fault) = engine.fault() {
            return Err(fault_of(&args.file)(fault));
        }
        if terminal {
            break;
        }
        for role in 0..engines.roles() {
            engine.legal(role, &mut legal);
            let name = engines.role_name(role);
            joint[role] = match legal.as_slice() {
                [] => anyhow::bail!("{}: {name} has no legal move here", args.file.display()),
                &[only] => only,
                several if by_hand[role] => {
                    let Some(action) = ask(&engines, role, several, &mut lines)? else {
                        return Ok(ExitCode::SUCCESS);
                    };
                    action
                }
                several => pick(several, &mut rng),
            };
            if legal.len() > 1 && !by_hand[role] {
                to_stdout(&format!(
                    "{name} does {}\n",
                    engines.action_name(role, joint[role])
                ))?;
            }
        }
        engine.step(&joint);
    }
    for role in (0..engines.roles()).filter(|&role| Some(role) != engines.chance()) {
        let goals: Vec<String> = engine.goals(role).iter().map(u8::to_string).collect();
        to_stdout(&format!(
            "{} gets {}\n",
            engines.role_name(role),
            goals.join(" and ")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns whether each role is played by hand.
fn seats(engines: &Engines<'_>, names: &[String]) -> Result<Vec<bool>> {
    let roles: Vec<String> = (0..engines.roles())
        .map(|role| engines.role_name(role))
        .collect();
    if let Some(unknown) = names.iter().find(|name| !roles.contains(name)) {
        anyhow::bail!(
            "the sheet has no role {unknown}, it has {}",
            roles.join(", ")
        );
    }
    let by_default = |role: usize| names.is_empty() && Some(role) != engines.chance();
    Ok((0..roles.len())
        .map(|role| by_default(role) || names.contains(&roles[role]))
        .collect())
}

/// Asks for an action, which the user types as its number or as the sheet writes it. Returns `None`
/// at the end of the input.
fn ask(
    engines: &Engines<'_>,
    role: usize,
    legal: &[usize],
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
) -> Result<Option<usize>> {
    let name = |action: usize| engines.action_name(role, action);
    let mut question = String::new();
    for (place, &action) in legal.iter().enumerate() {
        question += &format!("  {:>3}  {}\n", place + 1, name(action));
    }
    question += &format!("{}: which move? ", engines.role_name(role));
    loop {
        to_stdout(&question)?;
        let Some(line) = lines.next() else {
            to_stdout("\n")?;
            return Ok(None);
        };
        let line = line.context("can't read standard input")?;
        let answer = line
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase();
        let by_number = answer
            .parse::<usize>()
            .ok()
            .and_then(|place| legal.get(place.checked_sub(1)?));
        if let Some(&action) =
            by_number.or_else(|| legal.iter().find(|&&action| name(action) == answer))
        {
            return Ok(Some(action));
        }
        question = format!(
            "a number from 1 to {}, or a move as it is written above: ",
            legal.len()
        );
    }
}

fn pick(legal: &[usize], rng: &mut Rng) -> usize {
    legal[((u128::from(rng.next_u64()) * legal.len() as u128) >> 64) as usize]
}
