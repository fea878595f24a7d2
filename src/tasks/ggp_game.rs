//! A rule sheet with its engine: a propositional network, or an interpreter of the rules if the
//! ground form is too large.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};

use super::ggp_fault::fault_of;
use mineflow_gdl::{
    GameState, Grounding, GroundingError, GroundingLimits, RuleTable, Sheet,
    engine::GameEngine,
    propnet::{Machine, Propnet},
};

/// The largest accepted rule sheet, in bytes. Sheets of the public GGP repository have less than
/// 100,000 bytes.
const LARGEST_SHEET: u64 = 8 << 20;

/// A sheet with its engine.
pub struct Game {
    pub sheet: Sheet,
    path: PathBuf,
    simplified: Vec<String>,
    /// The ground form, or why there is none and an interpreter plays the game.
    compiled: Result<Compiled, GroundingError>,
}

/// The ground form of a sheet and its propositional network.
pub struct Compiled {
    pub grounding: Grounding,
    pub net: Propnet,
}

impl Game {
    /// Reads, checks, grounds and compiles a sheet. If its ground form is too large, an interpreter
    /// of its rules plays the game.
    pub fn load(path: &Path) -> Result<Self> {
        let text = read(path)?;
        let sheet = Sheet::read(&text).map_err(fault_of(path))?;
        let compiled = match Grounding::new(&sheet, &GroundingLimits::default()) {
            Ok(grounding) => Ok(Compiled {
                net: Propnet::new(&grounding),
                grounding,
            }),
            Err(why @ GroundingError::TooLarge { .. }) => Err(why),
            Err(error) => return Err(fault_of(path)(error)),
        };
        Ok(Self {
            sheet,
            path: path.to_owned(),
            simplified: simplified(&text),
            compiled,
        })
    }

    /// Returns the sheet's own notes on how it simplifies the usual game.
    pub fn simplified(&self) -> &[String] {
        &self.simplified
    }

    /// Returns the ground form and the propositional network.
    ///
    /// # Errors
    /// Returns an error if an interpreter plays the game; the error gives the reason.
    pub fn compiled(&self) -> Result<&Compiled> {
        self.compiled
            .as_ref()
            .map_err(|why| fault_of(&self.path)(why.clone()))
    }

    /// Returns notes on the sheet for people: its ignored parts, and the engine if it is not the
    /// propositional network.
    pub fn notes(&self) -> Vec<String> {
        match &self.compiled {
            Ok(Compiled { grounding, .. }) => grounding.notes(),
            Err(why) => vec![format!(
                "{why}; the interpreter plays it by its rules, slowly"
            )],
        }
    }

    /// Returns a factory of engines of the game, which all number states and actions identically.
    ///
    /// # Errors
    /// Returns an error if the rules can't be evaluated.
    pub fn engines(&self) -> Result<Engines<'_>> {
        Ok(match &self.compiled {
            Ok(compiled) => Engines::Net(compiled),
            Err(_) => Engines::Rules(RuleTable::new(&self.sheet).map_err(fault_of(&self.path))?),
        })
    }
}

/// A factory of engines of one game, and the names of its numbered actions and fluents.
pub enum Engines<'g> {
    Net(&'g Compiled),
    Rules(RuleTable<'g>),
}

impl<'g> Engines<'g> {
    /// Creates an engine in the initial state.
    pub fn engine(&self) -> Box<dyn GameEngine + 'g> {
        match self {
            Self::Net(compiled) => Box::new(Machine::new(&compiled.net)),
            Self::Rules(table) => Box::new(table.engine()),
        }
    }

    pub fn roles(&self) -> usize {
        match self {
            Self::Net(compiled) => compiled.net.roles(),
            Self::Rules(table) => table.roles(),
        }
    }

    /// Returns the index of the role `random`, if there is one.
    pub fn chance(&self) -> Option<usize> {
        (0..self.roles()).find(|&role| self.role_name(role) == "random")
    }

    pub fn role_name(&self, role: usize) -> String {
        match self {
            Self::Net(compiled) => compiled.grounding.role_name(role),
            Self::Rules(table) => table.role_name(role),
        }
    }

    /// Returns an action as the sheet writes it.
    pub fn action_name(&self, role: usize, action: usize) -> String {
        match self {
            Self::Net(Compiled { grounding, .. }) => grounding
                .terms
                .show(grounding.actions[role][action])
                .to_string(),
            Self::Rules(table) => table.action_name(role, action),
        }
    }

    /// Returns the fluents that hold in a state, with those that hold in every state.
    pub fn show_state(&self, state: &GameState) -> String {
        match self {
            Self::Net(compiled) => {
                let grounding = &compiled.grounding;
                let always = grounding.constants.iter();
                let always = always.map(|&term| grounding.terms.show(term).to_string());
                let mut shown = vec![grounding.show_state(state)];
                shown.retain(|text| !text.is_empty());
                shown.extend(always);
                shown.join(" ")
            }
            Self::Rules(table) => table.show_state(state),
        }
    }
}

/// The prefix of a one-line comment in which a sheet says how it simplifies the game.
const SIMPLIFIED: &str = "simplified:";

fn simplified(text: &str) -> Vec<String> {
    let comments = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(';'));
    comments
        .filter_map(|comment| comment.trim().strip_prefix(SIMPLIFIED))
        .map(|what| what.trim().to_owned())
        .collect()
}

/// Reads the text of a sheet, and rejects files that are too large or not in UTF-8.
fn read(path: &Path) -> Result<String> {
    let reading = || format!("can't read {}", path.display());
    let file = File::open(path).with_context(reading)?;
    let mut bytes = Vec::new();
    file.take(LARGEST_SHEET + 1)
        .read_to_end(&mut bytes)
        .with_context(reading)?;
    if bytes.len() as u64 > LARGEST_SHEET {
        bail!(
            "{}: more than {} MiB, and rule sheets have some kilobytes; give the file of a rule sheet",
            path.display(),
            LARGEST_SHEET >> 20
        );
    }
    mineflow_store::text(bytes).map_err(|error| {
        let at = error.valid_up_to();
        anyhow!(
            "{}: byte {at} is not text in UTF-8; give the file of a rule sheet",
            path.display()
        )
    })
}
