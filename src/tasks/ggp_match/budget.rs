//! The budget of a move, as text: `500ms`, `1s` or `10000it`.

use std::fmt;
use std::str::FromStr;

use crate::values;
use mineflow_gdl::player::MoveBudget;

/// The budget of a move: CPU time or a number of playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveBudgetText(pub MoveBudget);

impl FromStr for MoveBudgetText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let budget = match text.strip_suffix("it") {
            Some(number) => match number.parse() {
                Ok(samples) if samples > 0 => MoveBudget::Playouts(samples),
                _ => {
                    return Err(format!(
                        "`{text}` is not a number of playouts above 0; write 10000it"
                    ));
                }
            },
            None => MoveBudget::Time(values::duration(text)?),
        };
        Ok(Self(budget))
    }
}

impl fmt::Display for MoveBudgetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
