//! Learning rate schedules.

use std::{
    fmt::{self, Display, Formatter},
    iter::repeat_with,
    str::FromStr,
};

use burn::lr_scheduler::{
    LrSchedulerConfig::{self, Constant},
    cosine::CosineAnnealingLrSchedulerConfig,
    linear::LinearLrSchedulerConfig,
    sequential::SequentialLrSchedulerConfig,
    step::StepLrSchedulerConfig,
};
use mineflow_store::named;

use super::error::TrainError;

/// A learning rate with its course over the training run: parts that count steps, or a rate that is
/// constant and then, over the last rounds, decays linearly to 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// The highest learning rate.
    pub learning_rate: f64,
    /// The number of rounds of the whole training run.
    pub rounds: u64,
    /// The share of the rounds, 0 to 1, over which the rate decays, rounded up to whole rounds: 0
    /// for no decay, 1 for decay from the first step on.
    pub decay: f64,
    /// The parts that take the place of the decay.
    pub parts: Option<Parts>,
}

/// Parts of a schedule, one after the other. Each starts at the full learning rate, except the
/// warm-up. Parts without a number of steps share the rest of the training run equally, and after
/// the last part the rate stays. The text form is `warm-up 500, cosine`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts(Vec<(Shape, Option<usize>)>);

/// The shape of a part of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Rises linearly from near 0.
    WarmUp,
    Constant,
    /// Falls linearly to 0.
    Linear,
    /// Falls to 0 along half a period of the cosine.
    Cosine,
    /// Falls to a tenth after each third.
    Step,
}

named!(Shape, "part of a schedule": WarmUp = "warm-up", Constant = "constant", Linear = "linear", Cosine = "cosine", Step = "step");

impl Shape {
    /// Returns the schedule of the factor of the learning rate over this many steps, and the factor
    /// after them.
    fn config(self, steps: usize) -> (LrSchedulerConfig, f64) {
        match self {
            Self::WarmUp => {
                let rise = (steps - 1).max(1);
                let config = LinearLrSchedulerConfig::new(1.0 / steps as f64, 1.0, rise);
                (config.into(), 1.0)
            }
            Self::Constant => (Constant(1.0), 1.0),
            Self::Linear => (LinearLrSchedulerConfig::new(1.0, 0.0, steps).into(), 0.0),
            Self::Cosine => (
                CosineAnnealingLrSchedulerConfig::new(1.0, steps).into(),
                0.0,
            ),
            Self::Step => {
                let config = StepLrSchedulerConfig::new(1.0, steps.div_ceil(3));
                (config.into(), 0.01)
            }
        }
    }
}

impl Display for Parts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = |&(shape, steps): &(Shape, Option<usize>)| {
            let steps = steps.map_or_else(String::new, |steps| format!(" {steps}"));
            format!("{shape}{steps}")
        };
        f.write_str(&self.0.iter().map(part).collect::<Vec<_>>().join(", "))
    }
}

impl FromStr for Parts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |text: &str| {
            let text = text.trim();
            let at = text.find(|c: char| c.is_ascii_digit());
            let (shape, steps) = text.split_at(at.unwrap_or(text.len()));
            let shape: Shape = shape.trim().parse()?;
            let number = at.map(|_| steps.parse().ok().filter(|&number| number > 0));
            if number == Some(None) || number.is_none() && shape == Shape::WarmUp {
                return Err(format!(
                    "`{text}`: write its number of steps, from 1 on, such as `{shape} 500`"
                ));
            }
            Ok((shape, number.flatten()))
        };
        Ok(Self(text.split(',').map(part).collect::<Result<_, _>>()?))
    }
}

impl Parts {
    /// Checks that a training run of at most `steps` steps has room for every part.
    ///
    /// # Errors
    /// Returns an error if it has not.
    pub fn check(&self, steps: usize) -> Result<(), TrainError> {
        self.factors(steps).map(drop)
    }

    /// Returns the factors of the learning rate of all steps of a training run of `steps` steps,
    /// and of further steps.
    fn factors(&self, steps: usize) -> Result<impl Iterator<Item = f64> + use<>, TrainError> {
        let counted: usize = self.0.iter().filter_map(|&(_, steps)| steps).sum();
        let mut sharing = self.0.iter().filter(|(_, steps)| steps.is_none()).count();
        let least = counted + sharing;
        if least > steps {
            return Err(TrainError::Schedule {
                schedule: self.to_string(),
                least,
                steps,
            });
        }
        let mut left = steps - counted;
        let (mut configs, mut ends) = (Vec::new(), Vec::new());
        let (mut end, mut last) = (0, 1.0);
        for &(shape, steps) in &self.0 {
            let steps = steps.unwrap_or_else(|| {
                let share = left / sharing;
                left -= share;
                sharing -= 1;
                share
            });
            end += steps;
            ends.push(end);
            let (config, factor) = shape.config(steps);
            configs.push(config);
            last = factor;
        }
        configs.push(Constant(last));
        let mut scheduler = SequentialLrSchedulerConfig::new(configs, ends)
            .init()
            .expect("every part has a step, and no factor is above 1");
        Ok(repeat_with(move || scheduler.step().base()))
    }
}

impl Schedule {
    /// Returns the learning rates of the batches of a round, which has at least one batch. `steps`
    /// is the number of earlier steps, and `planned` that of the whole training run.
    ///
    /// # Errors
    /// Returns an error if the parts of the schedule take more steps than are planned.
    pub fn of_round(
        &self,
        round: u64,
        batches: usize,
        (steps, planned): (usize, usize),
    ) -> Result<Box<dyn Iterator<Item = f64>>, TrainError> {
        let rate = self.learning_rate;
        // Burn's schedulers, which accept no rate above 1, compute the factor of the rate.
        if let Some(parts) = &self.parts {
            let factors = parts.factors(planned)?.skip(steps);
            return Ok(Box::new(factors.map(move |factor| rate * factor)));
        }
        let round = round.min(self.rounds.saturating_sub(1));
        let mut scheduler = LinearLrSchedulerConfig::new(
            self.factor(round),
            self.factor(round + 1),
            batches,
        )
        .init()
        .expect(
            "no factor is above 1, that of a round's beginning is above 0, and a round has a batch",
        );
        let rates = repeat_with(move || rate * scheduler.step().base());
        Ok(Box::new(rates))
    }

    /// Returns the factor of the learning rate at the start of a round.
    fn factor(&self, round: u64) -> f64 {
        let falling = (self.decay * self.rounds as f64).ceil();
        let left = self.rounds.saturating_sub(round) as f64;
        if left < falling { left / falling } else { 1.0 }
    }
}
