//! `pipeline engine PLAYER`: plays one of our players for another program, by the protocol that
//! programs speak as players here.

use std::{io, process::ExitCode, sync::Arc};

use anyhow::{Context as _, Error, bail};

use super::{Global, output::to_stdout};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Grid, MoveError, View,
    player::{
        GameStart, Player,
        protocol::{read_rows, write_open},
    },
    solver::Budget,
};
use mineflow_rng::Seed;
use mineflow_tasks::{
    ModelArgs,
    help::{EXIT_CODES, examples},
};

/// Play a player for another program: positions on stdin, moves on stdout
///
/// The guide's page "Benchmark your own solver" describes the protocol.
#[derive(clap::Args)]
#[command(after_help = examples(&["engine 11.0", "engine 5.0 --model 5.0=trees.json"], EXIT_CODES))]
pub(super) struct EngineArgs {
    /// Choose the player, by name or recipe
    player: String,
    #[command(flatten)]
    models: ModelArgs,
}

pub(super) fn run(args: &EngineArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let spec = args.models.player(&args.player, &global.published)?;
    let mut engine = Engine {
        player: spec.build(),
        name: spec.name,
        game: None,
        asked: Vec::new(),
    };
    for line in io::stdin().lines() {
        let line = line?;
        let answer = engine.answer(&line).with_context(|| format!("`{line}`"))?;
        let Some(answer) = answer else { break };
        to_stdout(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A player and the game that it plays.
struct Engine {
    name: String,
    player: Box<dyn Player>,
    game: Option<(View, FirstClick)>,
    /// The cells of the last move.
    asked: Vec<Cell>,
}

impl Engine {
    /// Returns the answer to a line, which may be empty, or `None` to the last line.
    fn answer(&mut self, line: &str) -> anyhow::Result<Option<String>> {
        let words: Vec<_> = line.split_whitespace().collect();
        match (&words[..], &mut self.game) {
            (["quit"], _) => return Ok(None),
            (["end", _], _) => {}
            (["mineflow", "1"], _) => return Ok(Some(format!("name {}\n", self.name))),
            (["board", width, height, mines, rule], game) => {
                let board = Board::new(width.parse()?, height.parse()?, mines.parse()?)?;
                let view = View::new(Arc::new(Grid::new(board)), board.mines());
                *game = Some((view, rule.parse().map_err(Error::msg)?));
            }
            (["game", _, seed], Some((view, first_click))) => {
                *view = View::new(view.grid().clone(), view.mines());
                self.asked.clear();
                self.player.begin(&GameStart {
                    board: view.board(),
                    first_click: *first_click,
                    seed: Seed::new(seed.parse()?),
                });
            }
            (["view", rows], Some((view, _))) => {
                follow(view, &read_rows(rows, view)?, &self.asked)?;
                let decided = self.player.decide_checked(view, &mut Budget::unlimited())?;
                let decision = decided.context("the position is too hard for the player")?;
                decision.cells.clone_into(&mut self.asked);
                return Ok(Some(write_open(decision.cells, view.board())));
            }
            _ => bail!(
                "expected `mineflow 1`, `board WIDTH HEIGHT MINES RULE`, then `game NUMBER SEED`, `view ROWS`, `end RESULT` or `quit`"
            ),
        }
        Ok(Some(String::new()))
    }
}

/// Opens the cells of `seen` in the order in which the game opened them, on which moves may depend:
/// from the cells of the last move, zeros open their neighbours. Other cells follow in rows.
fn follow(view: &mut View, seen: &View, asked: &[Cell]) -> Result<(), MoveError> {
    for &cell in asked.iter().chain(seen.opened()) {
        let mut next = vec![vec![cell]];
        while let Some(cells) = next.pop() {
            for cell in cells {
                if let Some(number) = seen.number(cell).filter(|_| !view.is_open(cell)) {
                    view.open(cell, number)?;
                    if number == 0 {
                        next.push(seen.grid().neighbors(cell).collect());
                    }
                }
            }
        }
    }
    Ok(())
}
