//! The features of `guess-v2`.

use mineflow_model::Column;

const CELLS: (f64, f64) = (0.0, 65_535.0);
const SHARE: (f64, f64) = (0.0, 1.0);
const NATS: (f64, f64) = (0.0, 65_535.0);
const SCORE: (f64, f64) = (0.0, 2.0);
const EIGHT: (f64, f64) = (0.0, 8.0);

/// Defines a block of features. Each `own` feature appears twice: as the plain value, and as its
/// difference from the value of the first candidate. The `place` features come before the `own`
/// features and the `all` features after them; both appear once.
macro_rules! columns {
    (
        $(place: $place:literal, $of_place:literal, $place_range:expr, $place_says:literal;)*
        $(own: $name:literal, $unit:literal, $range:expr, $says:literal;)*
        $(all: $all:literal, $of_all:literal, $all_range:expr, $all_says:literal;)*
    ) => {
        /// The number of `own` features.
        pub(in super::super) const OWN: usize = [$($name),*].len();
        /// The number of values per row.
        pub(in super::super) const WIDTH: usize = <[&str]>::len(&[$($place),*]) + 2 * OWN + <[&str]>::len(&[$($all),*]);

        pub(in super::super) const COLUMNS: [Column; WIDTH] = [
            $(Column::float($place, $of_place, $place_range, $place_says),)*
            $(Column::float($name, $unit, $range, $says),)*
            $(Column::float(
                concat!($name, "_more"),
                $unit,
                (-$range.1, $range.1),
                concat!($says, "; less that of the first candidate")
            ),)*
            $(Column::float($all, $of_all, $all_range, $all_says),)*
        ];
    };
}

/// Features that describe the position of the guess and its candidates.
pub(super) mod now {
    use super::{CELLS, Column, EIGHT, NATS, SCORE, SHARE};

    columns! {
        place: "mine_over_least", "probability", SHARE, "of a mine in the cell, less the least of all cells";
        place: "two_step", "", SCORE, "two-step safety with its bonus";
        place: "below_best", "", (-1.0, 2.0), "the best candidate's, less this";
        place: "rank", "", (0.0, 30.0), "candidates with a better two-step safety";
        own: "mine", "probability", SHARE, "of a mine in the cell";
        own: "safety", "probability", SHARE, "two-step safety without its bonus";
        own: "certain", "probability", SHARE, "that a cell is certain then";
        own: "certain_cells", "cells", CELLS, "expected number of such cells";
        own: "entropy", "nats", NATS, "of what it shows, a mine included";
        own: "likeliest", "probability", SHARE, "of the likeliest number";
        own: "numbers", "", (0.0, 9.0), "numbers that it may show";
        own: "known", "cells", CELLS, "expected number of cells that single numbers decide then, itself included";
        own: "boundary", "", SHARE, "1 next to an open number, else 0";
        own: "neighbours", "cells", EIGHT, "on the board";
        own: "open", "cells", EIGHT, "open neighbours";
        own: "unknown_boundary", "cells", EIGHT, "unknown neighbours next to an open number";
        own: "unknown_rest", "cells", EIGHT, "other unknown neighbours";
        own: "known_mines", "cells", EIGHT, "neighbours known to be mines";
        own: "near_mines", "mines", EIGHT, "expected in the unknown neighbours";
        own: "near_doubt", "cells", EIGHT, "sum over them of the lesser of the probabilities of mine and safe";
        own: "near_least", "probability", SHARE, "least of theirs; 1 where there is none";
        own: "wide_unknown", "cells", (0.0, 24.0), "unknown cells within two steps";
        own: "wide_doubt", "cells", (0.0, 24.0), "sum over them of the lesser of the probabilities of mine and safe";
        own: "components", "", (0.0, 9.0), "components of the boundary that it is in or touches";
        own: "component_cells", "cells", CELLS, "cells in them";
        own: "component_doubt", "cells", CELLS, "sum over these of the lesser of the probabilities of mine and safe";
        own: "edge", "cells", CELLS, "steps to the nearest edge of the board";
        own: "stop_safety", "probability", SHARE, "that it and the next guess are safe, certain moves made between";
        own: "stop_won", "probability", SHARE, "that certain moves win";
        own: "stop_ln_layouts", "nats", NATS, "mean left at the next guess";
        own: "stop_unknown", "cells", CELLS, "mean unknown cells then";
        all: "unknown", "cells", CELLS, "unknown cells";
        all: "mines_left", "mines", CELLS, "mines in them";
        all: "density", "mines per cell", SHARE, "mines in them, per cell";
        all: "covered_share", "", SHARE, "unknown cells per cell of the board";
        all: "ln_layouts", "nats", NATS, "natural logarithm of the number of layouts that fit";
        all: "rest", "cells", CELLS, "unknown cells next to no open number";
        all: "rest_mine", "probability", (-1.0, 1.0), "of a mine in one of them; -1 where there is none";
        all: "boundary_cells", "cells", CELLS, "unknown cells next to an open number";
        all: "all_components", "", CELLS, "components of the boundary";
        all: "least", "probability", SHARE, "of a mine in the safest cell";
        all: "second", "probability", SHARE, "in the second safest";
        all: "third", "probability", SHARE, "in the third safest";
        all: "doubt", "cells", CELLS, "sum over the boundary of the lesser of the probabilities of mine and safe";
        all: "best_two_step", "", SCORE, "the best candidate's two-step safety with its bonus";
        all: "candidates", "", (0.0, 30.0), "that have rows";
    }
}

/// Features that describe the positions after a candidate shows its number. Most are means over the
/// numbers that the candidate may show, in which a mine counts as 0.
pub(super) mod next {
    use super::{CELLS, Column, SCORE, SHARE};

    columns! {
        own: "any_safety", "probability", SHARE, "two-step safety without its bonus, dead cells counted as living ones";
        own: "any_certain", "probability", SHARE, "that a cell, living or dead, is certain then";
        own: "any_cells", "cells", CELLS, "expected number of such cells";
        own: "next_best", "probability", SHARE, "that it and the safest living cell then are safe";
        own: "next_second", "probability", SHARE, "the same of the second safest";
        own: "two_ahead", "", SCORE, "mean score of the best guess then; where a living cell is certain, that of a certain one";
        own: "next_ln_layouts", "nats", CELLS, "natural logarithm of the layouts then";
        own: "decided", "cells", CELLS, "cells that counting decides then, itself included";
        own: "dead", "", SHARE, "1 if it tells nothing, else 0";
        own: "near_dead", "", SHARE, "share of its unknown neighbours that tell nothing";
        own: "even", "probability", SHARE, "that it is half of a 50/50, if it is safe";
    }
}

/// The number of values per row.
pub const WIDTH: usize = now::WIDTH + next::WIDTH;

/// All features: those of `now`, then those of `next`.
pub(super) const COLUMNS: [Column; WIDTH] = {
    let mut columns = [next::COLUMNS[0]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        columns[i] = if i < now::WIDTH {
            now::COLUMNS[i]
        } else {
            next::COLUMNS[i - now::WIDTH]
        };
        i += 1;
    }
    columns
};
