//! Two-step safety as a rule, which keeps what it chose in openings.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::{Chooser, OPENING, Opening};
use super::rule::ChoosingRule;
use crate::Cell;
use crate::ahead::TwoStep;
use crate::features::Position;
use mineflow_rng::Rng;

/// Most positions whose choice is kept.
const MOST_OPENINGS: usize = 1 << 14;

impl ChoosingRule for TwoStep {
    const NAME: &'static str = "two-step";
    const HELP: &'static str = "the safest guess and next move together; needs posterior; [:bonus=0.1] [:cut=0.9] \
                                [:depth=1|2] [:candidates=covered|boundary|sampled]";
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let Self { bonus, cut, depth } = Self::default();
        Ok(Self {
            bonus: part.take_share("bonus")?.unwrap_or(bonus),
            cut: part.take_share("cut")?.unwrap_or(cut),
            depth: part.take_number("depth", "1 or 2", 1..=2)?.unwrap_or(depth),
        })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, _: &mut Rng) -> Option<Cell> {
        // Candidates drawn at random make another choice every time.
        let is_kept = position.view.opened().len() <= OPENING && std::ptr::eq(mine, position.mine);
        let Chooser { parent, looking, deeper, openings, .. } = chooser;
        if !is_kept {
            return self.best(parent, mine, looking, deeper);
        }
        let mut opening: Opening = [(u16::MAX, 0); OPENING];
        let shown = |&cell: &Cell| (cell.0, position.view.number(cell).expect("opened cells have a number"));
        position.view.opened().iter().map(shown).zip(&mut opening).for_each(|(shown, place)| *place = shown);
        opening.sort_unstable();
        if let Some(&known) = openings.get(&opening) {
            return Some(known);
        }
        let found = self.best(parent, mine, looking, deeper)?;
        if openings.len() < MOST_OPENINGS {
            openings.insert(opening, found);
        }
        Some(found)
    }
}

impl fmt::Display for TwoStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)?;
        let Self { bonus, cut, depth } = Self::default();
        if self.bonus != bonus {
            write!(f, ":bonus={}", self.bonus)?;
        }
        if self.cut != cut {
            write!(f, ":cut={}", self.cut)?;
        }
        if self.depth != depth {
            write!(f, ":depth={}", self.depth)?;
        }
        Ok(())
    }
}
