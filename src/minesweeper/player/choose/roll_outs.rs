//! Roll-outs as a rule.

use std::fmt;
use std::str::FromStr;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::minesweeper::Cell;
use crate::minesweeper::ahead::{Arm, RollOuts, TwoStep};
use crate::minesweeper::features::Position;
use crate::rng::Rng;

impl ChoosingRule for RollOuts {
    const NAME: &'static str = "roll-outs";
    const HELP: &'static str = "the best guesses of two-step, played to the end on layouts that fit; needs posterior; \
                                [:layouts=48] [:arms=6] [:unknown=0.5] [:endgame=100] [:player=least-mine|two-step] \
                                [:candidates=covered|boundary|sampled]";
    const DRAWS_LAYOUTS: bool = true;
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let usual = Self::default();
        Ok(Self {
            layouts: part
                .take_number("layouts", "a whole number from 1 to 100000", 1..=100_000)?
                .unwrap_or(usual.layouts),
            arms: part.take_number("arms", "a whole number from 2 to 30", 2..=30)?.unwrap_or(usual.arms),
            unknown: part.take_share("unknown")?.unwrap_or(usual.unknown),
            endgame: part
                .take_number("endgame", "a whole number from 1 to 60000", 1..=60_000)?
                .unwrap_or(usual.endgame),
            guesser: part
                .take("player", "least-mine or two-step", |value| value.parse().ok())?
                .unwrap_or(usual.guesser),
        })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let cells = position.view.board().cells();
        let unknown = chooser.parent.unknown();
        if unknown as f64 > self.unknown * cells as f64 {
            return TwoStep::default().choose(position, mine, chooser, rng);
        }
        let Chooser { parent, looking, layouts, roll_out, .. } = chooser;
        TwoStep::default().look(parent, mine, self.arms, looking);
        let arm = |cell: Cell| Arm::new(cell, 1.0 - mine[cell.index()]);
        let arms = looking.scored.iter().map(|best| arm(best.cell)).collect();
        self.best((parent, layouts), arms, roll_out, rng)
    }
}

impl fmt::Display for RollOuts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layouts, arms, unknown, endgame, guesser } = self;
        write!(f, "{}:layouts={layouts}:arms={arms}:unknown={unknown}", Self::NAME)?;
        write!(f, ":endgame={endgame}:player={guesser}")
    }
}

impl FromStr for RollOuts {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut part = PartText::split(text, None)?;
        if part.name() != Self::NAME {
            return Err(RecipeError::UnknownPart { part: part.name().to_owned(), parts: vec![Self::NAME] });
        }
        let read = Self::read(&mut part)?;
        part.finish()?;
        Ok(read)
    }
}
