//! Numbers formatted for people, in sentences and in tables.

use std::time::Duration;

use super::stats::Estimate;

/// Rounds a number to this many decimals.
pub fn round(value: f64, decimals: i32) -> f64 {
    let unit = (0..decimals).fold(1.0, |unit, _| 10.0 * unit);
    (value * unit).round() / unit
}

/// Formats a ratio in percent with two decimals, without the percent sign.
pub fn percent(ratio: f64) -> String {
    format!("{:.2}", 100.0 * ratio)
}

/// Formats a score rounded to whole points.
pub fn score(value: f64) -> String {
    let sign = if value.round() < 0.0 { "-" } else { "" };
    format!("{sign}{}", grouped(value.abs().round() as u64))
}

/// Formats the ends of an interval: `1.5 to 2.0`. An infinite interval, which a single observation
/// has, is `unknown`.
pub fn ends(low: f64, high: f64, decimals: usize) -> String {
    if high - low < f64::INFINITY {
        format!("{low:.decimals$} to {high:.decimals$}")
    } else {
        "unknown".to_owned()
    }
}

/// Formats a difference of scores with its interval: `+140 (+60 to +220)`.
pub fn gain(of: Estimate) -> String {
    format!("{:+.0} ({:+.0} to {:+.0})", of.value, of.low, of.high)
}

/// Formats an integer with thousands separators: `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats seconds in a suitable unit.
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        _ if value < 1e-3 => (value * 1e6, "µs"),
        _ if value < 1.0 => (value * 1e3, "ms"),
        _ => (value, "s"),
    };
    if scaled < 9.95 {
        format!("{scaled:.1} {unit}")
    } else {
        format!("{scaled:.0} {unit}")
    }
}

/// Formats a duration in its two largest units.
pub fn humane(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

/// Formats a count with its noun in the singular or the plural: `1 game`, `12,345 games`.
pub fn counted(number: u64, thing: &str) -> String {
    format!(
        "{} {thing}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// Formats names as a list in a sentence: `a, b and c`.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => one.as_ref().to_owned(),
        [others @ .., last] => {
            let others: Vec<_> = others.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", others.join(", "), last.as_ref())
        }
    }
}
