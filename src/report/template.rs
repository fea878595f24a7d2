//! Texts with places for the values of a row: `{won:interval} % of {games:grouped} games`.
//!
//! A place is the name of a value, and how it is written after a colon. A text without one of its values is no text; a part between `[[`
//! and `]]` is then left out alone, and what follows ` ?? ` stands in for the whole.

use super::row::{Entry, Row};
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{
    gain, grouped, percent, points, score, score_with_interval, seconds, with_interval,
};

/// Why nothing in a description can be wrong.
pub(super) const WELL_FORMED: &str = "the description is right: a test reads all of them";

/// The text with the values of a row, `None` where one of them is missing.
pub(super) fn fill(template: &str, row: &Row) -> Option<String> {
    if let Some((first, other)) = template.split_once(" ?? ") {
        return fill(first, row).or_else(|| fill(other, row));
    }
    let Some((before, rest)) = template.split_once("[[") else {
        return fill_all(template, row);
    };
    let (part, after) = rest.split_once("]]").expect(WELL_FORMED);
    Some(fill_all(before, row)? + &fill_all(part, row).unwrap_or_default() + &fill(after, row)?)
}

fn fill_all(template: &str, row: &Row) -> Option<String> {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_once('}').expect(WELL_FORMED);
        let (name, form) = place.split_once(':').unwrap_or((place, ""));
        text += &written(row.get(name)?, form);
        text += after;
    }
    Some(text)
}

fn written(entry: &Entry, form: &str) -> String {
    match entry {
        Entry::Text(text) if form == "code" => format!("`{text}`"),
        Entry::Text(text) if form.is_empty() => text.clone(),
        Entry::Text(text) => text
            .parse()
            .map_or_else(|_| text.clone(), |value| number(value, form)),
        Entry::Number(value) => number(*value, form),
        Entry::Estimate(of) => estimate(*of, form),
    }
}

fn estimate(of: Estimate, form: &str) -> String {
    match form {
        "interval" => with_interval(of),
        "points" => points(of),
        "bare-points" => points(of).replace(" points", ""),
        "gain" => gain(of),
        "score-interval" => score_with_interval(of),
        "low" => format!("{:.2}", of.low),
        "high" => format!("{:.2}", of.high),
        _ => number(of.value, form),
    }
}

fn number(value: f64, form: &str) -> String {
    match form {
        "" => value.to_string(),
        "grouped" => grouped(value.round() as u64),
        // One without a known interval.
        "interval" => format!("{:.1}", 100.0 * value),
        "percent" => percent(value),
        "score" => score(value),
        "seconds" => seconds(value),
        "rate" => rate(value),
        _ => {
            let digits = |form: &str| form.trim_start_matches('.').parse().expect(WELL_FORMED);
            match form.strip_prefix('+') {
                Some(form) => format!("{value:+.digits$}", digits = digits(form)),
                None => format!("{value:.digits$}", digits = digits(form)),
            }
        }
    }
}

/// Games or others a second, with a decimal where it is small.
pub(super) fn rate(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.1}")
    } else {
        grouped(value.round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_its_value_and_a_part_without_one_is_left_out() {
        let won = Estimate {
            value: 0.5,
            low: 0.25,
            high: 0.75,
        };
        let row = Row::default()
            .with("player", "7.0")
            .with("games", 1234.0)
            .with("won", won)
            .with("speed", "2.25");
        let filled = |template: &str| fill(template, &row);
        assert_eq!(
            filled("{player:code}: {games:grouped} games").unwrap(),
            "`7.0`: 1,234 games"
        );
        assert_eq!(
            filled("{won:interval}, {won:percent}").unwrap(),
            "50.00 (25.00 - 75.00), 50.00"
        );
        assert_eq!(
            filled("{player}[[ at {speed:rate}]][[, {none}]].").unwrap(),
            "7.0 at 2.2."
        );
        assert_eq!(
            (filled("{none} won"), filled("{none} ?? -").unwrap()),
            (None, "-".to_owned())
        );
        assert_eq!(
            (filled("{games:+.1}").unwrap(), filled("plain").unwrap()),
            ("+1234.0".to_owned(), "plain".to_owned())
        );
    }
}
