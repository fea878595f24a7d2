//! Programs as players: `exec:COMMAND`, and `exec:FILE.toml` with more settings.

use std::env;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, anyhow, ensure};

use crate::Context;
use mineflow_arena::numbers::counted;
use mineflow_minesweeper::player::{EXEC, PlayerSpec, Program, Recipe};
use mineflow_store::{LONGEST, file_sha256, read_input_text, sha256};

/// The file with the stderr of programs, in the output folder.
const LOG: &str = "programs.log";
/// What a program must do.
const HELP: &str = "`exec:COMMAND` is a program that answers `mineflow 1` with `name NAME`; the guide's page on your own solver describes the protocol";

/// Returns the player that a program is, if `text` names one. The program is started once.
///
/// # Errors
/// Returns an error if the settings can't be read or the program doesn't speak the protocol.
pub(crate) fn player(text: &str) -> anyhow::Result<Option<PlayerSpec>> {
    let Some(command) = text.trim().strip_prefix(EXEC).map(str::trim) else {
        return Ok(None);
    };
    let program = program(command).with_context(|| format!("player {text}: {HELP}"))?;
    Ok(Some(PlayerSpec {
        name: program.name.clone(),
        recipe: Recipe::Program(program.into()),
    }))
}

/// Returns the program that is typed as a command or as a file of settings.
fn program(text: &str) -> anyhow::Result<Program> {
    let path = Path::new(text);
    let is_file = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let mut program = Program::default();
    if is_file {
        program =
            toml::from_str(&read_input_text(path, LONGEST)?).with_context(|| text.to_owned())?;
        program.folder = path.with_file_name("").join(&program.folder);
    } else {
        text.clone_into(&mut program.command);
    }
    ensure!(!program.command.is_empty(), "there is no command");
    ensure!(
        program.processes > 0 && program.time > 0.0 && program.time < 1e6,
        "{text}: `processes` is at least 1, and `time` is a number of seconds above 0"
    );
    text.clone_into(&mut program.text);
    program.sha256 = hash(&program, is_file.then_some(path))?;
    program.meet().map_err(|why| anyhow!(why))?;
    Ok(program)
}

/// Returns the hash of the files that the words of a command name, and of the file of settings.
fn hash(program: &Program, settings: Option<&Path>) -> anyhow::Result<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut hashes = String::new();
    let mut add = |file: &Path| {
        let hash = file
            .is_file()
            .then(|| file_sha256(file, &AtomicBool::new(false)));
        let hash = hash
            .transpose()
            .map(|hash| hash.flatten().unwrap_or_default());
        hash.map(|hash| hashes += &hash)
    };
    settings.map_or(Ok(()), &mut add)?;
    for (index, word) in program.command.split_whitespace().enumerate() {
        let word = word.trim_matches(['"', '\'']);
        let mut file = program.folder.join(word);
        if index == 0 && !word.contains('/') {
            let mut found = env::split_paths(&path).map(|folder| folder.join(word));
            file = found.find(|file| file.is_file()).unwrap_or(file);
        }
        add(&file)?;
    }
    Ok(sha256(hashes.as_bytes()))
}

/// Returns the context in which programs among the players play: their stderr goes to the output
/// folder, and there are no more threads than processes.
pub(crate) fn prepare<'a>(players: &[PlayerSpec], context: &Context<'a>) -> Context<'a> {
    let mut context = context.clone();
    for program in players.iter().filter_map(PlayerSpec::program) {
        context.threads = context.threads.min(program.processes);
        if let Some(out) = &context.out {
            program.log.get_or_init(|| out.join(LOG));
        }
        context.note(&format!(
            "note: {} is a program: another run with the same seed plays the same boards, but may give other results",
            program.name
        ));
    }
    context
}

/// Notes how many games programs have lost by faults.
pub(crate) fn note_faults<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    context: &Context<'_>,
) {
    for program in players.into_iter().filter_map(PlayerSpec::program) {
        if let (count @ 1.., why) = program.faults() {
            let games = counted(count, "game");
            context.note(&format!(
                "warning: {} lost {games} by faults, which count as time-outs; the first: {why}",
                program.name
            ));
        }
    }
}
