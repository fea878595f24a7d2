//! Types of settings that have their own text form: durations, ranges, switches, grids of boards
//! and models of players.

use std::{
    collections::HashSet,
    fmt::{self, Display},
    hash::Hash,
    num::NonZeroU32,
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use anyhow::{Result, bail, ensure};

use mineflow_minesweeper::{
    Board,
    player::{PlayerSpec, versions},
};
use mineflow_search::options::{is_closed, quote, split, unquote};

/// Maximum number of games of a configuration. The journal of a configuration of this size has
/// several hundred megabytes.
pub const MOST_GAMES: u32 = 100_000_000;
/// Maximum number of boards of a grid.
const MOST_BOARDS: usize = 100_000;

/// Parses a duration such as `500ms`, `5s` or `1.5m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration above 0; write 500ms, 5s or 2m");
    let unit_at = text
        .find(|c: char| c.is_ascii_alphabetic())
        .ok_or_else(wrong)?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let duration = Duration::try_from_secs_f64(number * seconds).ok();
    let is_usual = |duration: &Duration| !duration.is_zero() && number * seconds <= 1e9;
    duration.filter(is_usual).ok_or_else(wrong)
}

/// Returns the Clap parser of a number of games.
pub fn games() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES))
}

/// Parses a whole number, such as `1000000`, `1e6`, `1_000_000` or `1,000,000`.
pub fn whole(text: &str) -> Option<u64> {
    if text.contains(['e', 'E']) {
        let number: f64 = text.parse().ok()?;
        // Whole numbers up to this one are exact.
        return ((0.0..=1e15).contains(&number) && number.fract() == 0.0).then_some(number as u64);
    }
    let groups: Vec<_> = text.split(['_', ',']).collect();
    let is_grouped = !text.contains(',') || groups[1..].iter().all(|group| group.len() == 3);
    let is_whole = is_grouped && groups.iter().all(|group| !group.is_empty());
    groups.concat().parse().ok().filter(|_| is_whole)
}

/// Returns the players that an item of a list names: `1.0..7.0` names these two and all between
/// them in the table of players, `sinha` those of Sinha et al., and `all` the whole table, without
/// the players that search guesses unless `searching` is set. Any other item names itself.
pub fn player_names(item: &str, searching: bool) -> Vec<&str> {
    let mut all = versions().iter().map(|version| version.name);
    let (low, high) = match item {
        "all" => {
            let listed = versions().iter();
            let listed = listed.filter(|version| searching || !version.searches_guesses());
            return listed.map(|version| version.name).collect();
        }
        "sinha" => ("1.0", "6.5"),
        _ => item.split_once("..").unwrap_or((item, item)),
    };
    let place = |name| {
        all.clone()
            .position(|known| known == name && known != "agent")
    };
    match (place(low), place(high)) {
        (Some(low), Some(high)) if low <= high => all.by_ref().take(high + 1).skip(low).collect(),
        _ => vec![item],
    }
}

/// The CPU time limit of a game, as `500ms`, `5s` or `1.5m`.
#[derive(Clone, Copy)]
pub struct TimeLimit(pub Duration);

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        duration(text).map(Self)
    }
}

impl Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.0.as_secs_f64() * 1000.0)
    }
}

/// A switch: `on` or `off`.
#[derive(Clone, Copy)]
pub struct Switch(pub bool);

impl FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err(format!("`{text}` is neither `on` nor `off`")),
        }
    }
}

impl Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { "on" } else { "off" })
    }
}

/// Converts a number that is known to be above 0.
pub fn above_zero(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is above 0")
}

/// Checks that a setting lies in its range.
///
/// # Errors
/// Returns an error if the value is out of range.
pub fn check_range<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<()> {
    let low = range.start();
    let high = range.end();
    ensure!(
        range.contains(&value),
        "--{name} is a number from {low} to {high}, not {value}"
    );
    Ok(())
}

/// An override of a player's model: `PLAYER=FILE`.
#[derive(Clone)]
pub struct ModelFor {
    pub player: String,
    pub file: PathBuf,
}

impl FromStr for ModelFor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The last equals sign is the separator, because recipes may contain others. A file name
        // with one needs quotes.
        let file = split(text, '=').last().unwrap_or_default();
        let player = text
            .strip_suffix(file)
            .and_then(|rest| rest.strip_suffix('='));
        match player {
            _ if !is_closed(text) => Err(format!("the double quote in `{text}` is not closed")),
            Some(player) if !player.is_empty() && !file.is_empty() => Ok(Self {
                player: player.to_owned(),
                file: unquote(file).into_owned().into(),
            }),
            _ => Err(format!(
                "`{text}` names no player and file; write PLAYER=FILE, such as 5.0=trees.json"
            )),
        }
    }
}

impl Display for ModelFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display().to_string();
        write!(f, "{}={}", self.player, quote(&file))
    }
}

/// The message about a player that is given twice.
pub fn given_twice(player: &str) -> String {
    let asks = PlayerSpec::asking().any(|name| name == player);
    let such_as = if asks {
        format!(", such as {player}:model=FILE")
    } else {
        String::new()
    };
    format!("player {player} is given twice; give it once, or another one{such_as}")
}

/// Checks that no player is named twice, before any player is loaded.
///
/// # Errors
/// Returns an error with the first name that is given again.
pub fn check_named_once(players: &[String]) -> Result<()> {
    for (index, name) in players.iter().enumerate() {
        ensure!(!players[..index].contains(name), given_twice(name));
    }
    Ok(())
}

/// Checks that no two players have the same recipe, because their choices would be identical, or
/// the same name, because tables could not tell them apart.
///
/// # Errors
/// Returns an error if two players have the same recipe or name.
pub fn check_different(players: &[PlayerSpec]) -> Result<()> {
    for (index, second) in players.iter().enumerate() {
        let mut before = players[..index].iter();
        let name = &second.name;
        ensure!(
            before.all(|first| first.name != *name || first.recipe == second.recipe),
            "two players with different models are called {name}; rename a file or its folder"
        );
        let same = |first: &&PlayerSpec| first.recipe == second.recipe;
        if let Some(first) = players[..index].iter().find(same) {
            ensure!(first.name != second.name, given_twice(&first.name));
            bail!(
                "players {} and {} are the same, {}; leave one out",
                first.name,
                second.name,
                second.recipe
            );
        }
    }
    Ok(())
}

/// An inclusive range `LOW..HIGH`, or one value.
#[derive(Clone, Copy)]
pub struct Range<T> {
    pub low: T,
    pub high: T,
}

impl<T: FromStr + PartialOrd + Copy> FromStr for Range<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let wrong = |_| format!("`{part}` is not a number; write LOW..HIGH");
            part.parse::<T>().map_err(wrong)
        };
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let low = number(low)?;
        let high = number(high)?;
        let empty = || format!("`{text}` is empty; write LOW..HIGH");
        (low <= high)
            .then_some(Self { low, high })
            .ok_or_else(empty)
    }
}

impl<T: Display + PartialEq> Display for Range<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high {
            write!(f, "{}", self.low)
        } else {
            write!(f, "{}..{}", self.low, self.high)
        }
    }
}

/// Values from low to high, both included, a fixed step apart: `LOW..HIGH:STEP`, or one value.
#[derive(Clone, Copy)]
pub struct Steps {
    range: Range<f64>,
    step: f64,
    count: u32,
}

impl Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 1 {
            self.range.fmt(f)
        } else {
            write!(f, "{}:{}", self.range, self.step)
        }
    }
}

impl Steps {
    pub fn values(self) -> impl Iterator<Item = f64> {
        (0..self.count).map(move |i| self.range.low + f64::from(i) * self.step)
    }
}

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (range, step) = text.split_once(':').unwrap_or((text, ""));
        let range: Range<f64> = range.parse()?;
        let mut step = step.parse().unwrap_or(f64::NAN);
        // The tolerance includes a last value that misses the end only by rounding.
        let mut count = (range.high - range.low) / step + 1.0 + 1e-6;
        if range.low == range.high {
            step = 0.0;
            count = 1.0;
        }
        let wrong =
            || format!("`{text}` has no usable step; write LOW..HIGH:STEP such as 0.05..0.25:0.01");
        let count = Some(count).filter(|count| (1.0..1e6).contains(count));
        Ok(Self {
            range,
            step,
            count: count.ok_or_else(wrong)? as u32,
        })
    }
}

/// Returns the heights of boards of this width, from `width * low` to `width * high`.
pub(crate) fn heights(width: usize, (low, high): (f64, f64)) -> RangeInclusive<usize> {
    // The tolerance avoids losing a height to a rounding error, such as that of 0.3 * 10.
    let low = (width as f64 * low - 1e-9).ceil() as usize;
    low.max(1)..=(width as f64 * high + 1e-9).floor() as usize
}

/// Returns the number of mines of a board with this many cells and a mine ratio of a [`grid`].
pub fn mines_at(ratio: f64, cells: usize) -> usize {
    let mines = (ratio * cells as f64).round() as usize;
    mines.min(cells.saturating_sub(1)).max(1)
}

/// Returns a grid of boards: every width, with every height from `width * low` to `width * high` of
/// the height ratio, and with every mine ratio. Boards have at least one mine, and at least one
/// safe cell if they have more than one cell. Duplicates are removed.
pub fn grid(
    widths: Range<u16>,
    height_ratio: Range<f64>,
    mine_ratios: Steps,
) -> Result<Vec<Board>, String> {
    let is_ratio = |value: f64| (0.0..=1.0).contains(&value);
    if !is_ratio(height_ratio.low) || !is_ratio(height_ratio.high) {
        return Err("--height-ratio lies between 0 and 1".to_owned());
    }
    if !mine_ratios.values().all(is_ratio) {
        return Err("--mine-ratios lie between 0 and 1".to_owned());
    }
    let mut boards: Vec<Board> = Vec::new();
    for width in widths.low..=widths.high {
        for height in heights(width.into(), (height_ratio.low, height_ratio.high)) {
            for ratio in mine_ratios.values() {
                let cells = usize::from(width) * height;
                let board = Board::new(width.into(), height, mines_at(ratio, cells))
                    .map_err(|error| error.to_string())?;
                // The ratios ascend; equal boards are thus adjacent.
                if boards.last() == Some(&board) {
                    continue;
                }
                if boards.len() == MOST_BOARDS {
                    return Err(format!(
                        "the grid has more than {MOST_BOARDS} boards; give narrower --widths or a longer step of \
                         --mine-ratios"
                    ));
                }
                boards.push(board);
            }
        }
    }
    if boards.is_empty() {
        return Err("no board lies within these --widths and this --height-ratio".to_owned());
    }
    Ok(boards)
}

/// Removes duplicates and keeps the first of each.
pub fn unique<T: Copy + Eq + Hash>(mut items: Vec<T>) -> Vec<T> {
    let mut seen = HashSet::new();
    items.retain(|&item| seen.insert(item));
    items
}
