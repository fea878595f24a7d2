//! Programs as players: `exec:COMMAND`, and `exec:FILE.toml` with more settings.

use std::{env, iter::once, path::Path, sync::atomic::AtomicBool};

use anyhow::{Context as _, Error, Result};

use crate::Context;
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
pub(crate) fn player(text: &str) -> Result<Option<PlayerSpec>> {
    let Some(command) = text.trim().strip_prefix(EXEC) else {
        return Ok(None);
    };
    let program = program(command.trim()).with_context(|| format!("player {text}"))?;
    Ok(Some(PlayerSpec {
        name: program.name.clone(),
        recipe: Recipe::Program(program.into()),
    }))
}

/// Returns the program that is typed as a command or as a file of settings.
fn program(text: &str) -> Result<Program> {
    let mut program = Program::default();
    let path = Path::new(text);
    let mut settings = text.to_owned();
    if path.extension().is_some_and(|kind| kind == "toml") {
        settings = read_input_text(path, LONGEST)?;
        program = toml::from_str(&settings)?;
        program.folder = path.with_file_name("").join(&program.folder);
    } else {
        text.clone_into(&mut program.command);
    }
    text.clone_into(&mut program.text);
    program.sha256 = hash(&program, settings)?;
    program.meet().map_err(Error::msg).context(HELP)?;
    Ok(program)
}

/// Returns the hash of the settings and of the files that the words of the command name.
fn hash(program: &Program, mut hashed: String) -> Result<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    for word in program.command.split_whitespace() {
        let word = word.trim_matches(['"', '\'']);
        let mut files = once(program.folder.clone())
            .chain(env::split_paths(&path))
            .map(|folder| folder.join(word));
        if let Some(file) = files.find(|file| file.is_file()) {
            hashed.extend(file_sha256(&file, &AtomicBool::new(false))?);
        }
    }
    Ok(sha256(hashed.as_bytes()))
}

/// Directs the stderr of programs among the players to the output folder, and warns of their first
/// faults. Call this function before and after their games.
pub(crate) fn attend<'a>(players: impl IntoIterator<Item = &'a PlayerSpec>, context: &Context<'_>) {
    for player in players {
        let Recipe::Program(program) = &player.recipe else {
            continue;
        };
        if let Some(out) = &context.out {
            program.log.get_or_init(|| out.join(LOG));
        }
        if let Some(why) = program.fault.get() {
            context.note(&format!(
                "warning: {} lost games by faults, which count as time-outs; the first: {why}",
                program.name
            ));
        }
    }
}
