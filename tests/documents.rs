//! Tables of figures in Markdown written by hand are held against their files, named in a comment right above a table:
//!
//! ```text
//! <!-- from play/table4.csv, play/learned.csv
//! 1 {player}
//! 2 outside
//! 3-4 first_click=#: {%win_ratio} ({%ci_low} - {%ci_high}) -->
//! ```
//!
//! Paths begin in `notebooks-free-reports`, or with `models/` or `src/`; the first file that has a row gives it. Then a
//! line for a column or several. `{player}` picks rows of the files: filled in, it is the cell. `player in a; -; b`
//! picks by the order of the table's rows; `-` leaves one out. `FILTERS: TEMPLATE` is checked. A filter is
//! `column=value` (`*` is any text, `|` is or, `#` the table's header). In a template `{x}` is a figure, `{%x}` a
//! hundred times as much, likewise `{-%x}`, `{100-x}`, `{mean %x}`, `{sd %x}`, `{%sum x / sum y}`; other text stands as
//! it is (`*` is any). `outside` is by programs outside the repository, `settings` are no results, `words` are not
//! checked. Alone, `outside`, `settings` and `commit HASH` (by that program) are for whole tables.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::files::repository;

/// A row of a file: the values of its columns.
type Row = BTreeMap<String, String>;
type Files = dyn Fn(&str) -> Result<Vec<Row>, String>;

struct Table {
    /// Where its header stands.
    line: usize,
    comment: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// What a reader sees from the heading above to the next.
    section: String,
}

fn tables(text: &str) -> Vec<Table> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let cells = |line: &&str| {
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().replace("**", ""))
            .collect()
    };
    let table = |at: usize| {
        let is_heading = |line: &&str| line.starts_with('#');
        let begin = lines[..at].iter().rposition(is_heading).unwrap_or(0);
        let end = lines[at..]
            .iter()
            .position(is_heading)
            .map_or(lines.len(), |rows| at + rows);
        let above = lines[..at - 1].join("\n");
        let comment = above
            .strip_suffix("-->")
            .and_then(|above| above.rsplit_once("<!--"));
        let section = lines[begin..end].join("\n");
        let seen = section
            .split("<!--")
            .map(|text| text.split_once("-->").map_or(text, |(_, after)| after));
        Table {
            line: at,
            comment: comment.map_or("", |(_, comment)| comment.trim()).to_owned(),
            header: cells(&lines[at - 1]),
            rows: lines[at + 1..]
                .iter()
                .map_while(|line| line.starts_with('|').then(|| cells(line)))
                .collect(),
            section: seen.collect(),
        }
    };
    (1..lines.len())
        .filter(|&at| lines[at].starts_with("|-") && lines[at - 1].starts_with('|'))
        .map(table)
        .collect()
}

/// Digits in code are no figures.
fn has_figure(cell: &str) -> bool {
    cell.split('`')
        .step_by(2)
        .any(|text| text.contains(|c: char| c.is_ascii_digit()))
}

/// The texts of a template, each with the expression that follows it; the last one may have none.
fn parts(template: &str) -> impl Iterator<Item = (&str, &str)> {
    template
        .split('}')
        .map(|part| part.split_once('{').unwrap_or((part, "")))
}

fn is_like(pattern: &str, text: &str) -> bool {
    pattern
        .split('|')
        .any(|pattern| match pattern.split_once('*') {
            None => pattern == text,
            Some((begin, rest)) => text.strip_prefix(begin).is_some_and(|text| {
                (0..=text.len())
                    .filter_map(|at| text.get(at..))
                    .any(|text| is_like(rest, text))
            }),
        })
}

fn value(expression: &str, rows: &[&Row]) -> Result<f64, String> {
    if let Some((above, below)) = expression.split_once(" / ") {
        return Ok(value(above, rows)? / value(below, rows)?);
    }
    for (name, add, times) in [("-", 0.0, -1.0), ("%", 0.0, 100.0), ("100-", 100.0, -1.0)] {
        if let Some(of) = expression.strip_prefix(name) {
            return Ok(add + times * value(of, rows)?);
        }
    }
    let Some((name, of)) = expression.split_once(' ') else {
        let [row] = rows else {
            return Err(format!("{} rows", rows.len()));
        };
        let text = row
            .get(expression)
            .ok_or_else(|| format!("no column {expression}"))?;
        return text.parse().map_err(|_| format!("{expression} is {text}"));
    };
    let values = rows
        .iter()
        .map(|row| value(of, &[row]))
        .collect::<Result<Vec<_>, _>>()?;
    let (count, sum) = (values.len() as f64, values.iter().sum::<f64>());
    let squares: f64 = values
        .iter()
        .map(|value| (value - sum / count).powi(2))
        .sum();
    match name {
        "sum" => Ok(sum),
        "mean" => Ok(sum / count),
        "sd" => Ok((squares / (count - 1.0)).sqrt()),
        _ => Err(format!("what is {name}?")),
    }
}

/// Holds a cell against rows and gives how many numbers agree. Halves may be rounded either way.
fn compare(cell: &str, template: &str, rows: &[&Row]) -> Result<usize, String> {
    let (mut rest, mut compared) = (cell, 0);
    for (text, expression) in parts(template) {
        let (begin, after) = text
            .split_once('*')
            .map_or((text, None), |(begin, after)| (begin, Some(after)));
        rest = rest
            .strip_prefix(begin)
            .ok_or_else(|| format!("`{rest}` for `{begin}`"))?;
        if let Some(after) = after {
            let end = if expression.is_empty() {
                rest.rfind(after)
            } else {
                rest.find(after)
            };
            rest =
                &rest[end.ok_or_else(|| format!("`{after}` is not in `{rest}`"))? + after.len()..];
        }
        if expression.is_empty() {
            break;
        }
        let sign = rest.len() - rest.trim_start_matches(['+', '-']).len();
        let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
        let length = rest[sign..]
            .find(|c| !is_part(c))
            .unwrap_or(rest.len() - sign);
        let shown = rest[..sign + length].trim_end_matches([',', '.']);
        let digits = shown.replace([',', '+'], "");
        let places = digits
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len() as i32);
        let exact = value(expression, rows)?;
        let number: f64 = digits
            .parse()
            .map_err(|_| format!("`{rest}` begins with no number"))?;
        if (number - exact).abs() > 0.5 * 10f64.powi(-places) + 1e-9 {
            return Err(format!("{shown} for {exact}"));
        }
        (rest, compared) = (&rest[shown.len()..], compared + 1);
    }
    if rest.is_empty() {
        Ok(compared)
    } else {
        Err(format!("`{rest}` for nothing"))
    }
}

fn fill(template: &str, row: &Row) -> String {
    parts(template)
        .map(|(text, name)| text.to_owned() + row.get(name).map_or("", String::as_str))
        .collect()
}

/// Holds a table against its files; gives how many numbers agree, and what is wrong, with its line.
fn check(table: &Table, files: &Files) -> Result<(usize, Vec<String>), String> {
    let (mut compared, mut wrong, mut covered) = (0, Vec::new(), vec![false; table.header.len()]);
    let (mut sources, mut keys) = (Vec::new(), Vec::new());
    let names = |name: &str| {
        table
            .section
            .contains(name)
            .then_some(())
            .ok_or(format!("no text names `{name}`"))
    };
    if is_like("file|files|folder|command", &table.header[0])
        || is_like("outside|settings|commit *", &table.comment)
    {
        let word = table.comment.trim_start_matches("commit ");
        return if word == "settings" {
            Ok((0, wrong))
        } else {
            names(word).map(|()| (0, wrong))
        };
    }
    for line in table.comment.lines() {
        let (columns, rest) = line
            .trim()
            .split_once(' ')
            .ok_or_else(|| format!("what is `{line}`?"))?;
        if columns == "from" {
            rest.split(", ").try_for_each(|file| {
                names(file.rsplit('/').next().unwrap().trim_end_matches(".json"))
            })?;
            (sources, keys) = (
                rest.split(", ").map(files).collect::<Result<Vec<_>, _>>()?,
                Vec::new(),
            );
            continue;
        }
        let (first, last) = columns.split_once('-').unwrap_or((columns, columns));
        let number = |text: &str| {
            text.parse()
                .ok()
                .filter(|at| (1..=table.header.len()).contains(at))
        };
        let (first, last) = number(first)
            .zip(number(last))
            .ok_or_else(|| format!("no column {columns}"))?;
        covered[first - 1..last].fill(true);
        let spaced = format!(" {rest}");
        let Some((filters, template)) = spaced.split_once(": ") else {
            match rest {
                "settings" | "words" => {}
                "outside" => names("outside")?,
                _ if rest.contains(" in ") || rest.contains('{') => keys.push((first, rest)),
                _ => return Err(format!("what is `{rest}`?")),
            }
            continue;
        };
        for (place, cells) in table.rows.iter().enumerate() {
            let nth = |values: &str| values.split("; ").nth(place).unwrap_or("?").to_owned();
            let key = |(column, line): &(usize, &str)| match line.split_once(" in ") {
                Some((name, values)) => (format!("{{{name}}}"), nth(values)),
                None => ((*line).to_owned(), cells[column - 1].replace('`', "")),
            };
            let keys: Vec<_> = keys.iter().map(key).collect();
            let is_left = keys.iter().any(|(_, text)| text == "-");
            for column in (first..=last).filter(|at| !is_left && has_figure(&cells[at - 1])) {
                let cell = cells[column - 1].replace('`', "");
                let filters = filters.replace('#', &table.header[column - 1]);
                let wanted: Vec<_> = filters
                    .split_whitespace()
                    .map(|text| text.split_once('=').unwrap_or((text, "")))
                    .collect();
                let is_wanted = |row: &&Row| {
                    keys.iter()
                        .all(|(template, text)| fill(template, row) == *text)
                        && wanted.iter().all(|(name, value)| {
                            row.get(*name).is_some_and(|has| is_like(value, has))
                        })
                };
                let mut rows = sources
                    .iter()
                    .map(|rows: &Vec<Row>| rows.iter().filter(is_wanted).collect::<Vec<_>>());
                match compare(
                    &cell,
                    template,
                    &rows.find(|rows| !rows.is_empty()).unwrap_or_default(),
                ) {
                    Ok(numbers) => compared += numbers,
                    Err(why) => wrong.push(format!("{}: `{cell}`: {why}", table.line + 2 + place)),
                }
            }
        }
    }
    for (line, cells) in (table.line + 2..).zip(&table.rows) {
        let open = (0..covered.len()).filter(|&at| !covered[at] && has_figure(&cells[at]));
        wrong.extend(open.map(|at| format!("{line}: `{}` has no source", cells[at])));
    }
    Ok((compared, wrong))
}

/// The texts and paths of documents. `report.md` and `versions.md` are made by the program.
fn documents() -> impl Iterator<Item = (String, String)> {
    let reports = [".", "ggp", "play", "samegame", "suites", "training"]
        .map(|name| format!("notebooks-free-reports/{name}"));
    let folders = [".", "data", "models", "pipelines", "python"]
        .map(str::to_owned)
        .into_iter()
        .chain(reports);
    let files = folders.flat_map(|folder| fs::read_dir(repository().join(folder)).unwrap());
    let paths = files
        .map(|file| file.unwrap().path().display().to_string())
        .filter(|path| path.ends_with(".md"));
    let by_hand = paths.filter(|path| !is_like("*/report.md|*/versions.md", path));
    by_hand.map(|path| (fs::read_to_string(&path).unwrap(), path))
}

/// The rows of a CSV, or of a JSON file its keys joined by dots, and as `file` its name.
fn rows_of(path: &str) -> Result<Vec<Row>, String> {
    let is_report = !is_like("models/*|src/*", path);
    let whole = repository()
        .join(if is_report {
            "notebooks-free-reports"
        } else {
            ""
        })
        .join(path);
    let text = fs::read_to_string(&whole).map_err(|why| format!("{path}: {why}"))?;
    if path.ends_with(".csv") {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        return Ok(reader
            .deserialize()
            .map(|row| row.expect("every row has the columns of the header"))
            .collect());
    }
    let mut row = Row::from([(
        "file".to_owned(),
        whole.file_stem().unwrap().display().to_string(),
    )]);
    let mut left = vec![(
        String::new(),
        serde_json::from_str::<Value>(&text).expect(path),
    )];
    while let Some((name, value)) = left.pop() {
        match value {
            Value::Object(of) => left.extend(
                of.into_iter()
                    .map(|(key, value)| (format!("{name}.{key}"), value)),
            ),
            Value::String(text) => drop(row.insert(name[1..].to_owned(), text)),
            other => drop(row.insert(name[1..].to_owned(), other.to_string())),
        }
    }
    Ok(vec![row])
}

#[test]
fn the_figures_of_tables_are_those_of_their_files() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for (text, path) in documents() {
        for table in tables(&text) {
            let whole = |why| (0, vec![format!("{}: {why}", table.line)]);
            let (numbers, cells) = check(&table, &rows_of).unwrap_or_else(whole);
            compared += numbers;
            wrong.extend(cells.iter().map(|why| format!("{path}:{why}")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{compared} numbers agree, but\n{}",
        wrong.join("\n")
    );
    println!("{compared} numbers agree");
    assert!(compared > 700, "only {compared} numbers were compared");
}

#[test]
fn every_file_has_a_command() {
    let root = repository();
    for folder in ["ggp", "play", "samegame", "suites", "training"]
        .map(|name| root.join("notebooks-free-reports").join(name))
    {
        let lists = tables(&fs::read_to_string(folder.join("README.md")).unwrap());
        let rows: Vec<_> = lists.iter().flat_map(|table| &table.rows).collect();
        for name in fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().display().to_string())
        {
            let stem = name
                .trim_end_matches(".csv")
                .trim_end_matches("-cost")
                .trim_end_matches("-boards");
            let is_named = |cell: &str| {
                cell.split('`')
                    .any(|word| word == name || word.trim_end_matches(".csv") == stem)
            };
            let has_command = |cell: &String| {
                cell.contains("`pipeline ")
                    || cell.contains("`python ")
                    || cell.starts_with("outside")
            };
            let is_made = rows
                .iter()
                .any(|cells| is_named(&cells[0]) && cells.iter().any(has_command));
            assert!(
                is_made || name == "README.md",
                "{}: no command makes {name}",
                folder.display()
            );
        }
    }
    for (text, path) in documents() {
        for command in text
            .split('`')
            .filter_map(|code| code.strip_prefix("pipeline run pipelines/"))
        {
            let mut words = command
                .split_whitespace()
                .take_while(|word| !word.starts_with("--"));
            let pipeline = fs::read_to_string(root.join("pipelines").join(words.next().unwrap()))
                .expect(command);
            for stage in words {
                assert!(
                    pipeline.contains(&format!("[stage.{stage}]")),
                    "{path}: no stage {stage}: {command}"
                );
            }
        }
    }
}

#[test]
fn every_dependency_has_its_row() {
    let read = |file: &str| fs::read_to_string(repository().join(file)).unwrap();
    let manifest = read("Cargo.toml");
    let (_, section) = manifest.split_once("[workspace.dependencies]\n").unwrap();
    let section = section.lines().take_while(|line| !line.starts_with('['));
    let names = section
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.to_owned());
    let mut named: Vec<_> = names
        .filter(|name| !name.starts_with("mineflow-"))
        .collect();
    let rows = tables(&read("DEPENDENCIES.md")).swap_remove(0).rows;
    let mut listed: Vec<_> = rows
        .iter()
        .flat_map(|cells| cells[0].split(", ").map(str::to_owned))
        .collect();
    named.sort();
    listed.sort();
    assert_eq!(
        named, listed,
        "Cargo.toml, and the table of DEPENDENCIES.md"
    );
}
