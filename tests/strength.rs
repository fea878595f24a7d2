//! Strength against speed, and what ideas are worth: the charts can be read and say what the tables say.

use std::fs;
use std::path::Path;

use mineflow::document::Estimate;
use mineflow::document::chart::{
    Appearance, Axis, Chart, DataSeries, Joining, Marker, Point, PointLabel, STYLE, Stroke, Values, Width, svg,
};
use mineflow::stage::report::{Inputs, build};

use crate::program::tempdir;

/// A rectangle in units of the drawing: left, top, right, bottom.
type Rectangle = [f64; 4];

/// The number of an attribute.
fn number(tag: &str, name: &str) -> f64 {
    let from = tag.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name} in {tag}")) + name.len() + 3;
    tag[from..].split('"').next().unwrap().parse().unwrap()
}

/// The groups of a chart's points: title, label, what the label covers, the marker's or tick's places.
fn points(svg: &str) -> Vec<(String, String, Rectangle)> {
    let groups = svg.split("<g><title>").skip(1).map(|rest| rest.split_once("</g>").unwrap().0);
    groups
        .map(|group| {
            let (title, drawn) = group.split_once("</title>").unwrap();
            let (_, text) = drawn.split_once("<text").unwrap_or_else(|| panic!("{title} has no label"));
            let (tag, label) = text.split_once('>').unwrap();
            let label = label.strip_suffix("</text>").unwrap();
            let (x, y, size) = (number(tag, "x"), number(tag, "y"), number(tag, "font-size"));
            // Half of an em a character is what digits and small letters take in the mean.
            let width = label.chars().count() as f64 * size / 2.0;
            let left = match tag.split("text-anchor=\"").nth(1).unwrap().split('"').next().unwrap() {
                "start" => x,
                "end" => x - width,
                _ => x - width / 2.0,
            };
            (title.to_owned(), label.to_owned(), [left, y - size / 2.0, left + width, y + size / 2.0])
        })
        .collect()
}

fn meet(a: Rectangle, b: Rectangle) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Panics where a label is over another, over a marker or outside of the drawing.
fn assert_apart(svg: &str) {
    let points = points(svg);
    let size: Vec<f64> = svg
        .split("viewBox=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    for (at, (title, label, covers)) in points.iter().enumerate() {
        assert!(
            covers[0] >= 0.0 && covers[1] >= 0.0 && covers[2] <= size[2] && covers[3] <= size[3],
            "{title} is outside"
        );
        assert!(title.starts_with(label.as_str()), "{label} is not of {title}");
        for (other, _, over) in &points[..at] {
            assert!(!meet(*covers, *over), "the labels of {title} and {other} are over each other");
        }
        for tag in svg.split('<').filter(|tag| tag.starts_with("circle") && !tag.contains("opacity")) {
            let (x, y, r) = (number(tag, "cx"), number(tag, "cy"), number(tag, "r"));
            assert!(!meet(*covers, [x - r, y - r, x + r, y + r]), "the label of {title} is over a marker");
        }
    }
}

const fn circle(tone: u8) -> Appearance {
    Appearance { tone, stroke: Stroke::Solid, marker: Marker::Circle }
}

fn crowd(names: &[&str]) -> Chart {
    let at = |index: usize| Point::new(1400.0 + 40.0 * index as f64, 0.31 + 0.001 * (index % 3) as f64);
    let labels = names.iter().map(|name| PointLabel { text: (*name).to_owned(), title: format!("{name}: 31 %") });
    let series = DataSeries::new("ours", circle(2), Joining::Apart, (0..names.len()).map(at));
    let x = Axis::log("speed", [1.0, 20_000.0].into_iter(), Values::Numbers);
    Chart::new("A crowd", x, Axis::percent("won", 0.2, 0.45), vec![series.labelled(labels)]).tall()
}

#[test]
fn labels_of_points_that_lie_together_are_apart() {
    let names = [
        "2.5",
        "3.0",
        "3.5",
        "4.0",
        "4.5",
        "agent",
        "5.0",
        "5.5",
        "6.0",
        "6.5",
        "7.0",
        "minesweeper-solver",
        "PSEQ-D256",
    ];
    for width in [Width::Wide, Width::Narrow] {
        let drawn = svg(&crowd(&names), width, None);
        assert_eq!(points(&drawn).len(), names.len());
        assert_apart(&drawn);
        assert_eq!(drawn, svg(&crowd(&names), width, None));
    }
}

#[test]
fn what_players_are_called_is_escaped() {
    let drawn = svg(&crowd(&["<b>&\"x"]), Width::Wide, None);
    assert!(drawn.contains("<title>&lt;b&gt;&amp;&quot;x: 31 %</title>"), "{drawn}");
    assert!(drawn.contains(">&lt;b&gt;&amp;&quot;x</text>") && !drawn.contains("<b>"), "{drawn}");
}

#[test]
fn the_committed_charts_of_strength_can_be_read_on_wide_and_narrow_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports");
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    for rule in ["safe", "opening"] {
        let (_, rest) = page.split_once(&format!("<figure id=\"strength-{rule}\">")).unwrap();
        let figure = rest.split_once("</figure>").unwrap().0;
        let drawings: Vec<_> = figure.split("</svg>").filter(|part| part.contains("<svg")).collect();
        assert_eq!(drawings.len(), 2);
        for drawn in drawings {
            assert_apart(drawn);
            let shown = points(drawn);
            for player in ["7.0", "10.0-fast", "10.0", "PSEQ", "Hill (Java)"] {
                assert!(shown.iter().any(|(_, label, _)| label == player), "{player}, {rule}");
            }
        }
    }
}

#[test]
fn text_and_marks_stand_out_in_light_and_dark() {
    let palettes: Vec<_> = STYLE.split("--paper:").skip(1).collect();
    assert_eq!(palettes.len(), 2);
    for palette in palettes {
        let paper = palette.split(';').next().unwrap();
        let colour = |name: &str| &palette.split(&format!("--{name}:")).nth(1).unwrap()[..7];
        for name in ["ink", "soft", "t1", "t2", "t3", "t5"] {
            let ratio = contrast(colour("box"), colour(name));
            assert!(ratio >= 4.5, "{name} in the box: {ratio:.2}");
        }
        assert!(contrast(paper, colour("frame")) >= 2.4, "axes are seen");
        for name in ["ink", "soft", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"] {
            let ratio = contrast(paper, colour(name));
            assert!(ratio >= 4.5, "{name} on {paper}: {ratio:.2}");
        }
    }
}

/// The contrast of two colours by WCAG 2, 1 to 21.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |colour: &str| {
        let part = |at: usize| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

const EVAL: &str = "player,width,height,mines,mine_ratio,first_click,games,wins,losses,timeouts,win_ratio,ci_low,ci_high,guesses_per_game";
const COST: &str = "player,width,height,mines,first_click,cpu_seconds,wall_seconds,games_per_cpu_second\n";

/// Strength and speed of three players, one of them without luck correction, one without a speed.
fn write_tables(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let of = |player: &str, wins: u32| {
        let ratio = f64::from(wins) / 1000.0;
        format!("{player},30,16,99,0.2,safe,1000,{wins},{},0,{ratio},{},{},3", 1000 - wins, ratio - 0.03, ratio + 0.03)
    };
    let corrected = ",corrected_win_ratio,corrected_ci_low,corrected_ci_high\n";
    write(
        "strength.csv",
        format!("{EVAL}{corrected}{},0.4,0.39,0.41\n{},0.2,0.19,0.21\n", of("10.0", 410), of("7.0", 210)),
    );
    write("versions.csv", format!("{EVAL}\n{}\n{}\n", of("4.0", 280), of("10.0", 500)));
    write("speed.csv", format!("{EVAL}\n{}\n{}\n", of("10.0", 400), of("4.0", 280)));
    write("speed-cost.csv", format!("{COST}10.0,30,16,99,safe,0.5,1,1\n4.0,30,16,99,safe,0.01,1,1\n"));
    let head = "idea,a,b,first_click,games,corrected_difference,corrected_ci_low,corrected_ci_high\n";
    write(
        "worth.csv",
        format!(
            "{head}good,10.0,corner-first+dss+posterior+two-step,safe,1000,0.01,0.005,0.015\nbad,10.0,4.0,safe,900,0.01,-0.005,0.025\n"
        ),
    );
}

#[test]
fn the_report_says_what_the_tables_of_strength_say() {
    let folder = tempdir();
    write_tables(folder.path());
    let inputs = Inputs { strength: Some(folder.path().to_owned()), ..Inputs::default() };
    let files = build(&inputs).unwrap();
    let page = &files.iter().find(|file| file.name == "report.md").unwrap().text;
    for said in [
        // The luck-corrected estimate of the first table that has the player, and the games of the table of speeds.
        "| 10.0 | 40.00 (39.00 - 41.00) | 2,000 |  |  |",
        "| 7.0 | 20.00 (19.00 - 21.00) |  |  |  |",
        "| 4.0 | 28.00 (25.00 - 31.00), raw | 100,000 |  |  |",
        "nobody is both stronger and faster than 4.0, 10.0, minesolve 2 and Hill (Java).",
        "### What gains\n\n| idea | points | games | player | against |",
        "| good | +1.00 (+0.50 to +1.50) | 1,000 | 10.0: 2,000 | `...+two-step` |",
        "Below the chart: 7.0. Of those",
    ] {
        assert!(page.contains(said), "{said:?} is not in\n{page}");
    }
    let (_, rest) = page.split_once("### What is not shown to gain").unwrap();
    assert!(rest.contains("| bad | +1.00 (-0.50 to +2.50) | 900 | 10.0: 2,000 | 4.0: 100,000 |"), "{rest}");
    let chart = &files.iter().find(|file| file.name == "figures/strength-safe.svg").unwrap().text;
    assert!(chart.contains("<title>10.0: 40.00 (39.00 - 41.00) % won, 2,000 games a CPU second</title>"), "{chart}");
    assert!(!chart.contains("<title>7.0"), "7.0 has no speed here");
}

#[test]
fn wrong_tables_of_worth_are_named() {
    let folder = tempdir();
    write_tables(folder.path());
    let inputs = Inputs { strength: Some(folder.path().to_owned()), ..Inputs::default() };
    let text = fs::read_to_string(folder.path().join("worth.csv")).unwrap();
    fs::write(folder.path().join("worth.csv"), text.replace(",0.005,0.015", ",0.02,0.015")).unwrap();
    let said = build(&inputs).unwrap_err().to_string();
    assert!(said.contains("worth.csv line 2: corrected_difference is 0.01, its interval 0.02 to 0.015"), "{said}");
}

#[test]
fn the_page_has_no_colours_but_those_of_the_two_palettes() {
    let page = include_str!("../src/document/page.css");
    let rules: String = STYLE.lines().filter(|line| !line.contains(":root{")).collect();
    for style in [page, rules.as_str()] {
        assert!(!style.contains("rgb(") && !style.contains("color-mix("), "{style}");
        let hash = style.split('#').skip(1).find(|rest| rest.starts_with(|first: char| first.is_ascii_hexdigit()));
        assert_eq!(hash, None);
    }
}

/// Lines of one name each, `ends` apart.
fn lines_of(count: usize, step: f64) -> Chart {
    let line = |at: usize| {
        let points = [0.1, 0.2].map(|x| Point::along_y(x, Estimate { value: x + at as f64 * step, low: x, high: 0.9 }));
        DataSeries::new(format!("n{at}"), circle(1), Joining::Line, points)
    };
    let x = Axis::percent("mines, %", 0.1, 0.2);
    Chart::new("Lines", x, Axis::percent("won, %", 0.0, 1.0), (0..count).map(line).collect())
}

#[test]
fn every_mark_says_its_series_its_place_and_its_interval() {
    let drawn = svg(&lines_of(2, 0.1), Width::Wide, None);
    assert!(drawn.contains("<title>n1; mines, %: 20; won, %: 30 (20 to 90)</title></circle>"), "{drawn}");
    assert_eq!(drawn.matches("<title>").count(), 4);
    assert_eq!(svg(&lines_of(2, 0.1), Width::Narrow, None).matches("<title>").count(), 0);
}

#[test]
fn names_stand_at_the_ends_of_lines_where_they_fit_and_many_lines_have_panels() {
    let names = |drawn: &str| -> Vec<(f64, f64)> {
        let texts =
            drawn.split("<text").filter_map(|text| text.split_once("</text>").filter(|(text, _)| text.contains(">n")));
        texts.map(|(text, _)| (number(text, "x"), number(text, "y"))).collect()
    };
    for width in [Width::Wide, Width::Narrow] {
        let apart = names(&svg(&lines_of(3, 0.1), width, None));
        assert!(apart.windows(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 - pair[1].1 >= 48.0), "{apart:?}");
        // All ends at one place: a legend above, its names beside each other.
        let together = names(&svg(&lines_of(5, 0.0), width, None));
        assert!(together.windows(2).all(|pair| pair[0].1 == pair[1].1 && pair[0].0 < pair[1].0), "{together:?}");
        let panels = svg(&lines_of(7, 0.1), width, None);
        assert_eq!((panels.matches("class=\"o\"").count(), names(&panels).len()), (7 * 6, 7));
    }
}
