//! `pipeline replay`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Global, boards::write_boards, output::to_stdout, solve, terminal::draw};
use mineflow_arena::{TableOf, Text, to_csv};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Game, Minefield, View, mbf,
    play::{Adviser, Judge, SavedGame, explain_advice, open_in_order},
    player::{GameEnd, GameStart, PlayerSpec, Reason, ValueModel, board_seed},
    replay::{
        Format, JudgedGame, Judgement, Mark, Replay, Review, ReviewedMove, Verdict, end_name,
        format_of, read,
    },
    solver::Budget,
};
use mineflow_rng::Seed;
use mineflow_tasks::help::{EXIT_CODES, examples};

/// Largest accepted file, in bytes.
const LONGEST: u64 = 1 << 30;
/// Limit of search nodes for the judgement of one game.
const NODES: u64 = 50_000_000;

/// How a game is shown.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    /// Move by move, with the loss and luck of each
    Moves,
    /// A RawVF video text, one click per second
    Rawvf,
    /// The line of the file, unchanged
    Line,
}

/// Analyse the moves of a game: their loss, certainty and luck
///
/// FILE is a replay of Minesweeper Arbiter (.avf), Metasweeper (.evf), Clone (.mvf) or
/// Viennasweeper (.rmv), a RawVF text, or a file of saved games, which `eval --keep-games N`
/// writes. Without --game, saved games are listed, and --json judges each of them.
///
/// Each move has the probability of a mine, the probability of a win before it, and its loss: the
/// win probability of the best cell minus that of the chosen one, in percentage points. The best
/// cell is the one that 11.0 opens, unless roll-outs show a better one. Moves and cells are counted from 0. Mine probabilities are
/// exact. Win probabilities marked with `=` are exact and assume optimal play. Win probabilities
/// and losses with an error (half a 95 % interval) come from roll-outs of 11.0-fast on common
/// layouts; a loss counts as 0 unless they show it beyond their error, and fresh ones then estimate
/// it. Win probabilities marked with `~` are rough estimates. The
/// luck of a guess is the win probability after it minus the expected one, both by a value model,
/// as in `eval --luck-corrected`.
///
/// Marks: a blunder opened a proved mine, or guessed although a cell was proved safe. A mistake
/// loses 5 points or more, an inaccuracy 2 to 5, and both more than their error. A good guess is
/// the best although not the safest. A forced one is a 50/50, or no other loses or gains 2 points.
///
/// A guess is needless if a cell was provably safe. A 50/50 is an even guess that no play avoids: a
/// pair or square of cells that no number settles, or an even guess near the end that is as good as
/// optimal play. Far from the end, other forms of 50/50 count as ordinary guesses.
#[derive(Args)]
#[command(after_help = examples(
    &["replay game.avf", "replay games.jsonl", "replay games.jsonl --game 3 --form rawvf"],
    EXIT_CODES,
))]
pub(super) struct ReplayArgs {
    /// Read a replay or a file of saved games; `-` is standard input
    file: PathBuf,
    /// Choose the game in a file of saved games, from 0
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Choose how to show a saved game
    #[arg(long, value_name = "FORM", value_enum, default_value = "moves")]
    form: Form,
    /// Show each position of a saved game, and why its player moved as it did: the probability of a
    /// mine, the lowest one, what the player reckons, its rule, and ties
    #[arg(long, requires = "game", conflicts_with = "form")]
    explain: bool,
    /// Write the game's mines to this board file (.mbf); for saved games without --game, write a
    /// folder of board files (000000.mbf and so on) and games.csv with the result of each
    #[arg(long, value_name = "PATH")]
    mbf: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs, global: &Global) -> Result<ExitCode> {
    let name = args.file.display();
    let bytes = mineflow_store::read_up_to(&mut solve::open(&args.file)?, LONGEST)
        .with_context(|| format!("can't read {name}"))?;
    ensure!(
        !bytes.trim_ascii().is_empty(),
        "{name} is empty; give a replay or a file of saved games"
    );
    if format_of(&bytes) == Some(Format::Kept) {
        kept_games(args, bytes, global)
    } else {
        let replay = read(&bytes).with_context(|| name.to_string())?;
        ensure!(
            args.game.is_none() && args.form == Form::Moves,
            "{name} is a replay of one game; --game and --form are for files of saved games"
        );
        one_replay(args, &replay, global)
    }
}

fn one_replay(args: &ReplayArgs, replay: &Replay, global: &Global) -> Result<ExitCode> {
    let name = args.file.display();
    if replay.clicks.is_empty() {
        ensure!(
            args.mbf.is_some(),
            "{name} has no click on its board; --mbf PATH writes its mines"
        );
        write_mbf(args, &replay.field)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut judge = judge(replay.board(), replay.first_click, global)?;
    let review = replay
        .review(&mut judge, &mut Budget::new(Some(NODES), None))
        .with_context(|| name.to_string())?;
    write_mbf(args, &replay.field)?;
    let player = replay.player.as_deref().unwrap_or("player");
    let program = match replay.program.as_str() {
        "" => String::new(),
        program => format!(", {program}"),
    };
    let heading = format!("{player} on {}{program}", replay.board());
    let judged = JudgedGame::of_replay(replay, &review);
    global.print([judged], || page(&heading, &replay.field, &review))
}

/// Writes the mines of a game to the file in the arguments, if there is one.
fn write_mbf(args: &ReplayArgs, field: &Minefield) -> Result<()> {
    if let Some(path) = &args.mbf {
        mineflow_store::write(path, &mbf::write(field)?)?;
    }
    Ok(())
}

fn kept_games(args: &ReplayArgs, bytes: Vec<u8>, global: &Global) -> Result<ExitCode> {
    let text = mineflow_store::text(bytes).with_context(|| args.file.display().to_string())?;
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let read = |&(number, line): &(usize, &str)| -> Result<SavedGame> {
        line.trim()
            .parse()
            .with_context(|| format!("{}, line {number}", args.file.display()))
    };
    let Some(game) = args.game else {
        ensure!(
            args.form == Form::Moves,
            "--form is for one game; choose it with --game"
        );
        let games = lines.iter().map(read).collect::<Result<Vec<_>>>()?;
        if let Some(folder) = &args.mbf {
            keep(folder, &games)?;
        }
        if global.json {
            for kept in &games {
                one_saved(kept, global)?;
            }
        } else {
            to_stdout(&draw(&list(&games)))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    ensure!(
        game < lines.len(),
        "{} has {} games, counted from 0; there is no --game {game}",
        args.file.display(),
        lines.len()
    );
    let kept = read(&lines[game])?;
    write_mbf(args, &kept.field)?;
    let text = match args.form {
        _ if args.explain => explained(&kept, global)?,
        Form::Moves => return one_saved(&kept, global),
        Form::Rawvf => kept.rawvf(),
        Form::Line => kept.line() + "\n",
    };
    to_stdout(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn one_saved(kept: &SavedGame, global: &Global) -> Result<ExitCode> {
    let board = kept.field.board();
    let mut judge = judge(board, kept.first_click, global)?;
    let review = kept.review(&mut judge, &mut Budget::new(Some(NODES), None));
    let heading = format!(
        "{} on {board}, game {} of seed {}",
        kept.player, kept.game, kept.seed
    );
    let judged = JudgedGame::of_saved(kept, &review);
    global.print([judged], || page(&heading, &kept.field, &review))
}

/// Replays a saved game with its player, and explains each move.
fn explained(kept: &SavedGame, global: &Global) -> Result<String> {
    ensure!(
        !global.json,
        "--explain writes text; --json without it writes the judged game"
    );
    // The reasons of a program are in the file.
    let mut adviser = match kept.why[..] {
        [] => Some(adviser(kept, global)?),
        _ => None,
    };
    let mut game = Game::on(kept.field.clone());
    let mut text = String::new();
    for (number, made) in kept.moves.iter().enumerate() {
        let view = game.view();
        let why = match &mut adviser {
            Some(adviser) => reason(adviser, view, &made.cells)?,
            None => kept.why.get(number).cloned().unwrap_or_default(),
        };
        text += &format!("move {number}\n{view}\n{why}\n\n");
        open_in_order(&mut game, &made.cells);
    }
    Ok(text)
}

/// Creates the player of a saved game, at its start.
fn adviser(kept: &SavedGame, global: &Global) -> Result<Adviser> {
    let board = kept.field.board();
    let spec = PlayerSpec::with_models(&kept.player, &global.published).context(
        "--explain has the reasons of this program's players, and of programs that wrote `why`",
    )?;
    let mut adviser = Adviser::new(spec, NODES);
    let game_seed = board_seed(Seed::new(kept.seed), board).child("game", kept.game);
    adviser.begin(&GameStart {
        board,
        first_click: kept.first_click,
        seed: game_seed.child("player", 0),
    });
    Ok(adviser)
}

/// Explains a move of a player that is asked again.
fn reason(adviser: &mut Adviser, view: &View, cells: &[Cell]) -> Result<String> {
    let odds = adviser.odds(view)?;
    Ok(match adviser.go_on(view) {
        Ok(advice) if advice.moves == cells => {
            explain_advice(adviser.player(), &advice, &odds, view)
        }
        _ => format!("{} of this version moves otherwise", adviser.player().name),
    })
}

fn judge(board: Board, rule: FirstClick, global: &Global) -> Result<Judge> {
    let model = ValueModel::registered(global.published.registry()?, board, rule)
        .context("what moves lost can't be estimated")?;
    let best = PlayerSpec::with_models(Judge::BEST, &global.published)?;
    Ok(Judge::new(Some(model), &best))
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

/// Writes the board of each game and `games.csv` with the results.
fn keep(folder: &Path, games: &[SavedGame]) -> Result<()> {
    let rows: Vec<_> = write_boards(folder, 0, games.iter().map(|kept| &kept.field))?
        .into_iter()
        .zip(games)
        .map(|(file, kept)| BoardOf {
            file,
            player: kept.player.clone(),
            board: kept.field.board().to_string(),
            first_click: kept.first_click.name(),
            seed: kept.seed,
            game: kept.game,
            won: u8::from(kept.end == GameEnd::Won),
        })
        .collect();
    Ok(mineflow_store::write(
        &folder.join("games.csv"),
        &to_csv(&rows)?,
    )?)
}

fn list(games: &[SavedGame]) -> Text {
    TableOf::new(&games.iter().enumerate().collect::<Vec<_>>())
        .right("game", |(index, _)| *index)
        .left("player", |(_, kept)| &kept.player)
        .left("board", |(_, kept)| kept.field.board())
        .right("seed", |(_, kept)| kept.seed)
        .right("number", |(_, kept)| kept.game)
        .left("end", |(_, kept)| match kept.end {
            GameEnd::Won => "won",
            GameEnd::Lost => "lost",
            GameEnd::TimedOut => "out of time",
        })
        .right("moves", |(_, kept)| kept.moves.len())
        .right("guesses", |(_, kept)| {
            let guesses = kept.moves.iter();
            guesses.filter(|made| made.reason == Reason::Guess).count()
        })
        .text()
}

/// Formats the moves of a game with their losses, and the result of the game.
fn page(heading: &str, field: &Minefield, review: &Review) -> String {
    let rows = rows(&review.moves);
    let table = draw(&table(field.board(), &rows));
    let end = end_name(review.status);
    let too_hard = "too hard to judge, which the sums leave out";
    let counts: Vec<String> = Verdict::ALL
        .iter()
        .map(|&verdict| (review.count(verdict), verdict.name()))
        .chain([(review.unjudged(), too_hard)])
        .filter(|&(count, _)| count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let lines = [
        ("moves", counts.join(", ")),
        (
            "mistakes cost",
            match 100.0 * review.loss_error() {
                error @ f64::MIN_POSITIVE.. => {
                    format!("{:.1} ± {error:.1} points", 100.0 * review.loss())
                }
                _ => format!("{:.2} points", 100.0 * review.loss()),
            },
        ),
        ("luck gave", format!("{:+.2} points", 100.0 * review.luck())),
        (
            "result less luck",
            format!("{:.2} points", 100.0 * review.corrected_result()),
        ),
        (
            "all guesses safe",
            format!("{:.2} %", 100.0 * review.survival()),
        ),
    ]
    .map(|(name, value)| format!("{name:<18}{value}"));
    format!(
        "{heading}: {end}\n{table}\n{}\n{}\n",
        review.view,
        lines.join("\n")
    )
}

/// A row of the table: a move that was not proved safe, or a run of flags and of moves proved safe.
struct Row<'a> {
    numbers: String,
    made: &'a ReviewedMove,
    /// The judgement of the move; `None` for a run of flags and of moves proved safe.
    judgement: Option<&'a Judgement>,
    verdict: String,
}

fn rows(moves: &[ReviewedMove]) -> Vec<Row<'_>> {
    let is_plain = |made: &ReviewedMove| match &made.judgement {
        Some(judged) => judged.verdict == Verdict::Certain,
        None => !made.opens(),
    };
    let mut rows = Vec::new();
    let mut first = 0;
    for run in moves.chunk_by(|a, b| is_plain(a) && is_plain(b)) {
        let end = first + run.len();
        let made = &run[0];
        let opens = run.iter().filter(|made| made.judgement.is_some()).count();
        let judgement = made.judgement.as_ref().filter(|_| !is_plain(made));
        rows.push(Row {
            numbers: match run.len() {
                1 => first.to_string(),
                _ => format!("{first}-{}", end - 1),
            },
            made,
            judgement,
            verdict: match judgement {
                Some(judged) => judged.verdict.name().to_owned(),
                None if !is_plain(made) => "too hard to judge".to_owned(),
                None if opens == 0 => "flags".to_owned(),
                None => format!("{opens} certain"),
            },
        });
        first = end;
    }
    rows
}

fn table(board: Board, rows: &[Row<'_>]) -> Text {
    let percent = |p: Option<f64>| p.map_or_else(String::new, |p| format!("{:.2}", 100.0 * p));
    let of = move |row: &Row<'_>, value: fn(&Judgement) -> Option<f64>| {
        percent(row.judgement.and_then(value))
    };
    let win = |row: &Row<'_>| {
        let Some((judged, win)) = row.judgement.and_then(|of| Some((of, 100.0 * of.win?))) else {
            return String::new();
        };
        match judged.win_error {
            _ if judged.is_exact => format!("={win:.2}"),
            Some(error @ f64::MIN_POSITIVE..) => format!("{win:.0} ± {:.0}", 100.0 * error),
            _ if (7.5..92.5).contains(&win) => format!("~{}", 5.0 * (win / 5.0).round()),
            _ => format!("~{win:.0}"),
        }
    };
    let loss = move |row: &Row<'_>| match row.judgement.and_then(|of| of.loss_error) {
        None | Some(0.0) => of(row, |judged| judged.loss),
        error => {
            let loss = row.judgement.and_then(|judged| judged.loss);
            let [loss, error] = [loss, error].map(|of| 100.0 * of.unwrap_or_default());
            format!("{loss:.0} ± {error:.0}")
        }
    };
    let name = move |cell| {
        let (row, col) = board.row_col(cell);
        format!("({row}, {col})")
    };
    let mut table = TableOf::new(rows).right("move", |row| &row.numbers);
    if rows.iter().any(|row| row.made.seconds.is_some()) {
        table = table.right("seconds", |row| {
            format!("{:.2}", row.made.seconds.unwrap_or_default())
        });
    }
    table
        .left("click", |row| row.made.kind.name())
        .left("cell", move |row| name(row.made.cell))
        .left("verdict", |row| &row.verdict)
        .left("mark", |row| {
            let mark = row.judgement.and_then(|judged| judged.mark);
            mark.map_or("", Mark::name)
        })
        .right("mine %", move |row| of(row, |judged| judged.mine))
        .right("win %", win)
        .right("loss", loss)
        .right("luck", move |row| of(row, |judged| judged.luck))
        .left("best", move |row| {
            row.judgement
                .and_then(|judged| judged.best)
                .map_or_else(String::new, |(cell, _)| name(cell))
        })
        .text()
}
