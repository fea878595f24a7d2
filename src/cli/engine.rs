//! `pipeline engine PLAYER`: plays one of our players for another program, by the protocol that
//! programs speak as players here.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};

use super::Global;
use mineflow_minesweeper::player::{Decision, GREETING, GameStart, Player};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Grid, View, text};
use mineflow_rng::Seed;
use mineflow_tasks::ModelArgs;

/// Play a player for another program: positions on stdin, moves on stdout
///
/// The guide's page "Benchmark your own solver" describes the protocol. The player announces `p`:
/// before a guess, it may write the mine probability of every cell.
#[derive(clap::Args)]
pub(super) struct EngineArgs {
    /// Choose the player, by name or recipe
    player: String,
    #[command(flatten)]
    models: ModelArgs,
}

pub(super) fn run(args: &EngineArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let spec = args.models.player(&args.player, &global.published)?;
    let mut engine = Engine {
        name: spec.name.clone(),
        player: spec.build(),
        game: None,
        asked: Vec::new(),
    };
    let mut stdout = io::stdout().lock();
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let line = line?;
        if line.trim() == "quit" {
            break;
        }
        let answer = engine.answer(line.trim());
        stdout.write_all(
            answer
                .with_context(|| format!("line {number}: `{line}`"))?
                .as_bytes(),
        )?;
        stdout.flush()?;
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
    /// Returns the lines that answer a line.
    fn answer(&mut self, line: &str) -> anyhow::Result<String> {
        let words: Vec<_> = line.split_whitespace().collect();
        match (&words[..], &mut self.game) {
            ([] | ["end", _], _) => {}
            _ if line == GREETING => return Ok(format!("p\nname {}\n", self.name)),
            (["board", width, height, mines, rule], game) => {
                let board = Board::new(width.parse()?, height.parse()?, mines.parse()?)?;
                let view = View::new(Arc::new(Grid::new(board)), board.mines());
                *game = Some((view, rule.parse().map_err(anyhow::Error::msg)?));
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
                let rows = rows.replace('.', "0");
                let rows: Vec<_> = rows.split('/').collect();
                let seen = text::view_on(view.grid().clone(), view.mines(), &rows)?;
                follow(view, &seen, &self.asked)?;
                let decided = self.player.decide_checked(view, &mut Budget::unlimited())?;
                let decision = decided.context("the position is too hard for the player")?;
                self.asked = decision.cells.to_vec();
                return Ok(written(&decision, view));
            }
            _ => bail!(
                "expected `{GREETING}`, `board WIDTH HEIGHT MINES RULE`, then `game NUMBER SEED`, `view ROWS`, `end RESULT` or `quit`"
            ),
        }
        Ok(String::new())
    }
}

/// Opens the cells of `seen` in the order in which the game opened them, on which moves may depend:
/// from the cells of the last move, zeros open their neighbours. Other cells follow in rows.
fn follow(view: &mut View, seen: &View, asked: &[Cell]) -> anyhow::Result<()> {
    for &cell in asked.iter().chain(seen.opened()) {
        let mut next = vec![cell];
        while let Some(zero) = next.pop() {
            let cells: Vec<Cell> = match view.number(zero) {
                None => vec![zero],
                Some(0) => seen.grid().neighbors(zero).collect(),
                Some(_) => Vec::new(),
            };
            for cell in cells {
                if let Some(number) = seen.number(cell).filter(|_| !view.is_open(cell)) {
                    view.open(cell, number)?;
                    next.extend((number == 0).then_some(cell));
                }
            }
        }
    }
    Ok(())
}

/// Writes the probabilities of a guess, and the cells to open.
fn written(decision: &Decision<'_>, view: &View) -> String {
    let mut text = String::new();
    if let Some(position) = decision.position(view) {
        let mine = position.mine.iter().map(ToString::to_string);
        text = format!("p {}\n", mine.collect::<Vec<_>>().join(" "));
    }
    text.push_str("open");
    for &cell in decision.cells {
        let (row, column) = view.board().row_col(cell);
        let _ = write!(text, " {row} {column}");
    }
    text + "\n"
}
