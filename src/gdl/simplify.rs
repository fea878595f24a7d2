//! Grounding of a sheet: finds the clauses, evaluates the atoms of known value, and numbers the
//! remaining atoms.

use super::{
    error::GroundingError,
    grounding::Grounding,
    instances::{GroundingLimits, ground},
    numbering::Numbering,
    sheet::Sheet,
    stratify::refuse_circles,
    truth::TruthValues,
};

impl Grounding {
    /// Grounds a sheet. If its rules have too many instances, large rules are split first.
    ///
    /// # Errors
    /// Returns an error for a ground form beyond `limits`, terms without end, goals that are not
    /// numbers, or ground atoms that depend on their own negations.
    pub fn new(sheet: &Sheet, limits: &GroundingLimits) -> Result<Self, GroundingError> {
        match Self::as_written(sheet, limits) {
            Err(too_large @ GroundingError::TooLarge { .. }) => match sheet.split() {
                Some(split) => Self::as_written(&split, limits).map_err(|_| too_large),
                None => Err(too_large),
            },
            grounding => grounding,
        }
    }

    fn as_written(sheet: &Sheet, limits: &GroundingLimits) -> Result<Self, GroundingError> {
        let raw = ground(sheet, limits)?;
        let mut values = TruthValues::new(&raw);
        values.settle();
        if sheet.strata.negates_itself {
            refuse_circles(raw.program, &raw.database.terms, values.open_clauses())?;
        }
        Numbering::new(&raw, &values)?.finish()
    }
}
