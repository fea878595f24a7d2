//! The learning curve of a training run, as a picture in its folder.

use mineflow_arena::Estimate;
use mineflow_store::{Folder, StoreError};

use crate::{
    network::tensorboard::Event,
    plot::{Axis, Point, Scale, Series, draw},
};

pub(crate) const CURVE: &str = "curve.svg";

/// Draws the training loss, if it is known, and the validation loss after every round.
pub(crate) fn draw_curve(folder: &Folder, rounds: &[Event]) -> Result<(), StoreError> {
    let of = |name: &str, tag: &str| {
        let point = |(number, figures): &Event| {
            let &(_, value) = figures.iter().find(|(other, _)| *other == tag)?;
            Some(Point::new(*number as f64, Estimate::exactly(value)))
        };
        Series::new(name, rounds.iter().filter_map(point))
    };
    let series = [of("validation", "validation_loss"), of("training", "loss")];
    let x = Axis::new("rounds", Scale::Linear, 0.0, rounds.len().max(1) as f64);
    let y = Axis::fitted("loss", Scale::Linear);
    match draw(&x, &y, &series, false) {
        Some(svg) => folder.write(CURVE, svg.as_bytes()),
        None => Ok(()),
    }
}
