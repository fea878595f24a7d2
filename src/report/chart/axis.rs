//! Axes: the places of values, and the ticks.

use mineflow_arena::numbers::{grouped, seconds};

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<(f64, String)>,
    pub values: Values,
}

/// The kind of an axis's values, and how they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    Numbers,
    /// Ratios, written in percent.
    Ratios,
    /// Seconds, written in the unit that suits them.
    Seconds,
    /// Indices of names: 0 is the first.
    Names,
}

impl Values {
    /// A round value, as it stands beside a tick.
    fn tick(self, value: f64) -> String {
        match self {
            Self::Numbers if value >= 1000.0 => grouped(value.round() as u64),
            Self::Numbers | Self::Names => value.to_string(),
            Self::Ratios => (100.0 * value).to_string(),
            Self::Seconds => seconds(value),
        }
    }
}

/// How values are laid along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Linear,
    /// Values above 0 alone.
    Log,
}

impl Axis {
    /// An axis from `low` to `high` with round ticks, written with this number of decimals.
    pub fn linear(label: &str, low: f64, high: f64, decimals: usize) -> Self {
        let step = round_step((high - low) / 5.0);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let tick = |at: i64| (at as f64 * step, format!("{:.decimals$}", at as f64 * step));
        let ticks = (first..=last).map(tick).collect();
        Self {
            label: label.to_owned(),
            scale: Scale::Linear,
            low,
            high,
            ticks,
            values: Values::Numbers,
        }
    }

    /// As a linear axis, for ratios written in percent.
    pub fn percent(label: &str, low: f64, high: f64) -> Self {
        let mut axis = Self::linear(label, 100.0 * low, 100.0 * high, 0);
        let step = if axis.ticks.len() > 1 {
            axis.ticks[1].0 - axis.ticks[0].0
        } else {
            1.0
        };
        let decimals = if step < 0.99 { 1 } else { 0 };
        axis.ticks.iter_mut().for_each(|(at, text)| {
            *text = format!("{at:.decimals$}");
            *at /= 100.0;
        });
        Self {
            low,
            high,
            values: Values::Ratios,
            ..axis
        }
    }

    /// A logarithmic axis that holds all of these values, at least one power of ten long; a tick a power of ten.
    pub fn log(label: &str, of: impl Iterator<Item = f64>, values: Values) -> Self {
        let (low, high) = extent(of);
        let first = if low.is_finite() {
            low.log10().floor() as i32
        } else {
            0
        };
        let last = (high.max(f64::MIN_POSITIVE).log10().ceil() as i32).max(first + 1);
        let ticks = (first..=last)
            .map(|power| (10f64.powi(power), values.tick(10f64.powi(power))))
            .collect();
        Self {
            label: label.to_owned(),
            scale: Scale::Log,
            low: 10f64.powi(first),
            high: 10f64.powi(last),
            ticks,
            values,
        }
    }

    /// An axis of names, the first at 0.
    pub fn names(label: &str, names: impl Iterator<Item = String>) -> Self {
        let ticks: Vec<_> = names
            .enumerate()
            .map(|(at, name)| (at as f64, name))
            .collect();
        // The first stands on top.
        let (low, high) = (ticks.len() as f64 - 0.5, -0.5);
        Self {
            label: label.to_owned(),
            scale: Scale::Linear,
            low,
            high,
            ticks,
            values: Values::Names,
        }
    }

    /// A value in words: a name, or a number with up to two decimals or three digits.
    pub fn written(&self, value: f64) -> String {
        let name = || {
            self.ticks
                .get(value.round().max(0.0) as usize)
                .map(|(_, name)| name.clone())
        };
        match self.values {
            Values::Names => name().unwrap_or_default(),
            Values::Ratios => number(100.0 * value),
            Values::Seconds => seconds(value),
            Values::Numbers => number(value),
        }
    }

    /// The place of `value` on the axis: 0 at its low end, 1 at its high end, clamped.
    pub fn share(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => {
                (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
            }
        };
        share.clamp(0.0, 1.0)
    }
}

/// A number with two decimals, or three digits where it is small, without zeros at its end.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        size if (1e-12..0.1).contains(&size) => (2.0 - size.log10().floor()) as usize,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The least of 1, 2 and 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powi(step.max(1e-12).log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round >= step * 0.999)
        .unwrap_or(step)
}

/// The least and the greatest of `values`; infinity and minus infinity if there are none.
pub fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Ends of an axis for ratios: `values` with a margin, within 0 to 1, on whole twentieths.
pub fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = extent(values);
    let (low, high) = ((low * 20.0).floor() / 20.0, (high * 20.0).ceil() / 20.0);
    if low < high {
        (low.max(0.0), high.min(1.0))
    } else {
        (0.0, 1.0)
    }
}

/// Ends of an axis for differences of ratios: 0 and `values`, on whole fiftieths.
pub fn gain_ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = extent(values);
    (
        (low.min(0.0) * 50.0).floor() / 50.0,
        (high.max(0.02) * 50.0).ceil() / 50.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let axis = Axis::linear("", 0.05, 0.25, 2);
        let texts: Vec<_> = axis.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["0.05", "0.10", "0.15", "0.20", "0.25"]);
        let percent = Axis::percent("", 0.75, 1.0);
        let texts: Vec<_> = percent
            .ticks
            .iter()
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!(texts, ["75", "80", "85", "90", "95", "100"]);
        assert!((percent.share(0.875) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten() {
        let axis = Axis::log("", [0.003, 2.0].into_iter(), Values::Numbers);
        let texts: Vec<_> = axis.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["0.001", "0.01", "0.1", "1", "10"]);
        assert!((axis.share(0.1) - 0.5).abs() < 1e-12);
        assert_eq!(axis.share(0.0), 0.0);
    }

    #[test]
    fn values_are_written_as_sentences_have_them() {
        let [number, share] = [Axis::linear("", 0.0, 1.0, 0), Axis::percent("", 0.0, 1.0)];
        assert_eq!(
            [0.0, 12.0, 0.456, 0.012345, 77_218.0].map(|value| number.written(value)),
            ["0", "12", "0.46", "0.0123", "77218"]
        );
        assert_eq!(
            [0.05, 0.73456].map(|value| share.written(value)),
            ["5", "73.46"]
        );
        assert_eq!(
            Axis::names("", ["a", "b"].into_iter().map(str::to_owned)).written(0.8),
            "b"
        );
        assert_eq!(
            Axis::log("", [1.0].into_iter(), Values::Seconds).written(0.0123),
            "12 ms"
        );
    }

    #[test]
    fn names_run_from_top_to_bottom() {
        let axis = Axis::names("", ["a", "b"].into_iter().map(str::to_owned));
        assert!(axis.share(0.0) > axis.share(1.0));
    }
}
