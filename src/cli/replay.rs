//! `pipeline replay`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Global;
use super::boards::write_boards;
use super::output::to_stdout;
use mineflow_arena::{TableOf, to_csv};
use mineflow_minesweeper::play::{Judge, SavedGame, open_in_order};
use mineflow_minesweeper::player::{GameEnd, Reason, ValueModel};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{FirstClick, Game, mbf};
use mineflow_model::Registry;
use mineflow_tasks::help::examples;

/// The longest file that is read.
const LONGEST: u64 = 1 << 30;
/// Nodes for the judgement of one game.
const NODES: u64 = 50_000_000;

/// How a game is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Move by move, with the risk of each guess and the chance to win
    Moves,
    /// A RawVF video text, one click a second
    Rawvf,
    /// The line as it is in the file
    Line,
}

/// Show kept games move by move, or write them for other programs
///
/// `eval --keep-games N` writes such files. Without --game, this lists the games. RawVF is the open text format of Minesweeper videos; EVF and the
/// other binary formats record mouse paths, which a program does not have.
#[derive(Args)]
#[command(after_help = examples(
    &["replay games.jsonl", "replay games.jsonl --game 3 --form rawvf", "replay games.jsonl --mbf boards"], "",
))]
pub(super) struct ReplayArgs {
    /// A file of kept games
    file: PathBuf,
    /// Number of the game in the file, counted from 0
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// How to show it
    #[arg(
        long,
        value_name = "FORM",
        value_enum,
        default_value = "moves",
        requires = "game"
    )]
    form: Form,
    /// Board file (.mbf) to write, with the mines of the game; without --game a folder of them, 000000.mbf and so on, with
    /// games.csv, which says how each ended
    #[arg(long, value_name = "PATH")]
    mbf: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let text = mineflow_store::read_input_text(&args.file, LONGEST)?;
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let read = |&(number, line): &(usize, &str)| -> anyhow::Result<SavedGame> {
        line.trim()
            .parse()
            .with_context(|| format!("{}, line {number}", args.file.display()))
    };
    let Some(game) = args.game else {
        let games = lines.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(folder) = &args.mbf {
            keep(folder, &games)?;
        }
        to_stdout(&if global.json {
            text.clone()
        } else {
            list(&games)
        })?;
        return Ok(ExitCode::SUCCESS);
    };
    ensure!(
        game < lines.len(),
        "{} has {} games, counted from 0; there is no --game {game}",
        args.file.display(),
        lines.len()
    );
    let kept = read(&lines[game])?;
    if let Some(path) = &args.mbf {
        mineflow_store::write(path, &mbf::write(&kept.field)?)?;
    }
    to_stdout(&match args.form {
        Form::Moves if !global.json => moves(&kept, global)?,
        Form::Rawvf => kept.rawvf(),
        Form::Moves | Form::Line => kept.line() + "\n",
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A row of `games.csv`.
#[derive(Serialize)]
struct BoardOf {
    file: String,
    player: String,
    board: String,
    first_click: &'static str,
    seed: u64,
    game: u64,
    won: u8,
}

/// Writes the board of each game, and what became of it.
fn keep(folder: &Path, games: &[SavedGame]) -> anyhow::Result<()> {
    let files = write_boards(folder, 0, games.iter().map(|kept| &kept.field))?;
    let row = |(file, kept): (String, &'_ SavedGame)| BoardOf {
        file,
        player: kept.player.clone(),
        board: kept.field.board().to_string(),
        first_click: kept.first_click.name(),
        seed: kept.seed,
        game: kept.game,
        won: u8::from(kept.end == GameEnd::Won),
    };
    let rows: Vec<_> = files.into_iter().zip(games).map(row).collect();
    Ok(mineflow_store::write(
        &folder.join("games.csv"),
        &to_csv(&rows)?,
    )?)
}

const fn end(kept: &SavedGame) -> &'static str {
    match kept.end {
        GameEnd::Won => "won",
        GameEnd::Lost => "lost",
        GameEnd::TimedOut => "out of time",
    }
}

fn list(games: &[SavedGame]) -> String {
    let guesses = |kept: &SavedGame| {
        kept.moves
            .iter()
            .filter(|made| made.reason == Reason::Guess)
            .count()
    };
    TableOf::new(&games.iter().enumerate().collect::<Vec<_>>())
        .right("game", |(index, _)| *index)
        .left("player", |(_, kept)| &kept.player)
        .left("board", |(_, kept)| kept.field.board())
        .right("seed", |(_, kept)| kept.seed)
        .right("number", |(_, kept)| kept.game)
        .left("end", |(_, kept)| end(kept))
        .right("moves", |(_, kept)| kept.moves.len())
        .right("guesses", |(_, kept)| guesses(kept))
        .text()
}

/// The moves of a game, each with the chance to win before the move.
fn moves(kept: &SavedGame, global: &Global) -> anyhow::Result<String> {
    let board = kept.field.board();
    let registry = Registry::open(global.models.as_deref())?;
    let mut judge = Judge::new(ValueModel::registered(&registry, board, kept.first_click).ok());
    let mut budget = Budget::new(Some(NODES), None);
    let mut game = Game::on(kept.field.clone());
    let percent = |p: Option<f64>| p.map_or_else(String::new, |p| format!("{:.2}", 100.0 * p));
    let mut rows = Vec::new();
    for (number, made) in (1_usize..).zip(&kept.moves) {
        let known = judge.judge(game.view(), &mut budget).ok();
        let promised = rows.is_empty() && kept.first_click != FirstClick::Any;
        let mine = known
            .as_ref()
            .and_then(|known| known.odds.mine(made.cells[0]))
            .filter(|_| !promised);
        let win = known.and_then(|known| known.win);
        let (row, col) = board.row_col(made.cells[0]);
        let more = if made.cells.len() > 1 {
            format!(" and {} more", made.cells.len() - 1)
        } else {
            String::new()
        };
        open_in_order(&mut game, &made.cells);
        let what = match made.reason {
            Reason::FirstClick => "begins",
            Reason::Certain => "certain",
            Reason::Guess => "guess",
        };
        rows.push((
            number,
            what,
            format!("({row}, {col}){more}"),
            mine,
            win,
            game.view().opened().len(),
        ));
    }
    let table = TableOf::new(&rows)
        .right("move", |(number, ..)| *number)
        .left("why", |(_, what, ..)| *what)
        .left("opens", |(_, _, cells, ..)| cells)
        .right("mine %", |&(.., mine, _, _)| percent(mine))
        .right("win %", |&(.., win, _)| percent(win))
        .right("open cells", |&(.., open)| open)
        .text();
    let (player, number, seed) = (&kept.player, kept.game, kept.seed);
    Ok(format!(
        "{player} on {board}, game {number} of seed {seed}: {}\n{table}\n{}\n",
        end(kept),
        game.view()
    ))
}
