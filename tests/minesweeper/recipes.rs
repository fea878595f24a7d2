//! Tests of the recipe language, the table of players, and the decision rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use mineflow_minesweeper::features::{LocationScore, Position};
use mineflow_minesweeper::player::choose::{Candidates, Choice, Guess, Rule};
use mineflow_minesweeper::player::{
    Deduction, Engine, FirstMove, Limits, OffBoundary, PlayerSpec, Recipe, Seat, Source, Steps,
    TreeSearch, versions,
};
use mineflow_minesweeper::solver::{Analysis, Budget, EndgameLimits, Subset, TIE, Traversal};
use mineflow_minesweeper::{Board, Cell, CellSet, FirstClick, Grid, View};
use mineflow_rng::Seed;
use mineflow_search::options::{quote, split};
use proptest::prelude::*;

use crate::files::{assert_has, read_bytes, repository, tempdir, write_file};
use crate::tiny_models;

fn recipe(text: &str) -> Recipe {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_version_prints_its_row_of_the_table() {
    for version in versions() {
        let spec = tiny_models::player(version.name);
        assert_eq!(spec.name, version.name);
        // The recipe of a player also contains the model that it uses, which is left out of the
        // comparison.
        let said = |recipe: &str| {
            let is_model =
                |option: &&str| option.starts_with("model=") || option.starts_with("sha256=");
            recipe
                .split(':')
                .filter(|option| !is_model(option))
                .collect::<Vec<_>>()
                .join(":")
        };
        assert_eq!(said(&spec.recipe.to_string()), said(version.recipe));
    }
}

/// Players that count by components get the tree search of Sinha et al. instead, and the suffix of
/// their name says so.
#[test]
fn versions_are_those_of_table_3() {
    for (name, said) in [
        ("1.0", "backtracking+min-p"),
        ("2.0", "dss+backtracking+min-p"),
        ("2.5", "dss+backtracking:solutions=100:swaps=1000+min-p"),
        ("3.0", "dss+dsscsp+min-p"),
        ("3.5", "dss+dsscsp:solutions=100:depth=300+min-p"),
        ("4.0", "dss+dsscsp+edge:margin=0.05"),
        ("4.5", "dss+dsscsp:solutions=100:depth=300+edge:margin=0.05"),
    ] {
        let spec = name.parse::<PlayerSpec>().unwrap().with_paper_engines();
        let is_changed = matches!(name, "3.0" | "4.0");
        assert_eq!(spec.recipe, recipe(said));
        assert_eq!(spec.name == format!("{name}-paper"), is_changed);
        assert_eq!(spec.name == name, !is_changed);
    }
}

#[test]
fn a_typed_recipe_is_named_by_its_text() {
    let spec: PlayerSpec = " min-p + components ".parse().unwrap();
    assert_eq!(spec.name, "components+min-p");
    assert_eq!(spec.with_paper_engines().name, "dsscsp+min-p");
    let named: PlayerSpec = "3.0".parse().unwrap();
    assert_eq!(named.with_paper_engines().name, "3.0-paper");
    let unchanged: PlayerSpec = "7.0".parse().unwrap();
    assert_eq!(unchanged.clone().with_paper_engines(), unchanged);
}

#[test]
fn a_version_depends_on_the_recipe_and_its_model_and_not_on_the_name() {
    let spec = |text: &str| text.parse::<PlayerSpec>().unwrap();
    for version in versions() {
        let named = spec(version.name);
        assert_eq!(
            named.version(),
            spec(version.recipe).version(),
            "{}",
            version.name
        );
        assert_eq!(
            named.version(),
            spec(&named.recipe.to_string()).version(),
            "{}",
            version.name
        );
        let paper = named.clone().with_paper_engines();
        assert_eq!(
            paper.version() == named.version(),
            paper.recipe == named.recipe,
            "{}",
            version.name
        );
    }
    let distinct: BTreeSet<String> = versions()
        .iter()
        .map(|of| spec(of.name).version())
        .collect();
    assert_eq!(distinct.len(), versions().len());
    assert!(distinct.iter().all(|version| version.len() == 12));
    // The version is the hash of the canonical text: `printf 'dss+components+min-p\nrevision 1\n' |
    // sha256sum`.
    assert_eq!(spec("3.0").version(), "df63b9e64f60");
    // A player with another model has another version, but a copy of the model does not change the
    // version.
    let published = repository().join("models/5.0");
    let file = std::fs::read_dir(published)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let bytes = read_bytes(&file);
    let dir = tempdir();
    let copied = dir.join("copy:of+5.0.json");
    write_file(&copied, &bytes);
    let with_model = |path: &Path| PlayerSpec::with_model_file("5.0", path).unwrap();
    assert_eq!(with_model(&copied).version(), spec("5.0").version());
    write_file(&copied, [&bytes[..], b"\n"].concat());
    assert_ne!(with_model(&copied).version(), spec("5.0").version());
}

#[test]
fn options_have_the_defaults_that_the_help_names() {
    for (with, without, is_default) in [
        (
            "components:off-boundary=density+min-p:candidates=covered",
            "components+min-p",
            true,
        ),
        ("components+edge:margin=0.05", "components+edge", true),
        (
            "components:off-boundary=half+min-p",
            "components+min-p",
            false,
        ),
        (
            "dsscsp:depth=8:solutions=9+min-p",
            "dsscsp:solutions=9:depth=8+min-p",
            true,
        ),
        (
            "components+min-p:candidates=sampled",
            "components+min-p",
            false,
        ),
    ] {
        assert_eq!(recipe(with) == recipe(without), is_default, "{with}");
    }
}

#[test]
fn errors_name_the_invalid_part_and_valid_ones() {
    for (text, wrong, remedy) in [
        ("", "empty", "players are 1.0"),
        ("3.1", "`3.1` is not a player; the players are", "agent"),
        (
            "10.0-deep",
            "`10.0-deep` is not a player",
            "did you mean `11.0-deep`?",
        ),
        (
            "dss+posterier+min-p",
            "`posterier` is not a part",
            "did you mean `posterior`?",
        ),
        ("dss++min-p", "has an empty part", "components"),
        (
            "dss+dsscsp:swaps=3+min-p",
            "has no option `swaps`",
            "it has solutions, depth",
        ),
        (
            "posterior:off-boundary=half+min-p",
            "has no option `off-boundary`",
            "it has none",
        ),
        (
            "components+edge:magrin=1",
            "has no option `magrin`",
            "did you mean `margin`?",
        ),
        (
            "dss+components+edge:margin=nan",
            "can't be `nan`",
            "a number from 0 to 1",
        ),
        (
            "dsscsp:depth=9+min-p",
            "`dsscsp` needs `solutions`",
            "a whole number",
        ),
        (
            "dsscsp:depth+min-p",
            "`depth` after `dsscsp` is not an option",
            "option=value",
        ),
        ("dsscsp:depth=1:depth=2+min-p", "is given `depth` twice", ""),
        (
            "min-p+edge+components",
            "both say which cell to choose",
            "one part",
        ),
        ("posterior+components+min-p", "both say where", "one part"),
        (
            "dss+min-p",
            "says where probabilities come from",
            "backtracking, dsscsp",
        ),
        (
            "dss+posterior",
            "says which cell to choose",
            "min-p, edge, least-mine",
        ),
        ("agent+dss", "`agent` is a whole player", "`dss`"),
        (
            "components+two-step",
            "`two-step` needs the true posterior",
            "`posterior` where",
        ),
        (
            "components+endgame+min-p",
            "`endgame` needs the true posterior",
            "`posterior` where",
        ),
        (
            "components+even-first+min-p",
            "`even-first` needs the true posterior",
            "",
        ),
        (
            "posterior+endgame:layouts=1+min-p",
            "can't be `1`",
            "from 2 to 60000",
        ),
        (
            "components+min-p:candidates=all",
            "can't be `all`",
            "covered or sampled",
        ),
    ] {
        let message = text.parse::<PlayerSpec>().expect_err(text).to_string();
        assert_has(&message, wrong);
        assert_has(&message, remedy);
    }
}

fn any_recipe() -> impl Strategy<Value = Recipe> {
    let limits = || {
        (proptest::option::of(1u64..), proptest::option::of(1u64..)).prop_map(
            |(max_solutions, max_edges)| Traversal {
                max_solutions,
                max_edges,
            },
        )
    };
    let engine = prop_oneof![
        limits().prop_map(|limits| Engine::Tree(TreeSearch::Backtracking(limits))),
        Just(Engine::Tree(TreeSearch::Dsscsp)),
        (1u64.., proptest::option::of(1u64..)).prop_map(|(solutions, depth)| Engine::Tree(
            TreeSearch::Descents(Subset { solutions, depth })
        )),
        Just(Engine::Components),
    ];
    let off_boundary = prop_oneof![Just(OffBoundary::Density), Just(OffBoundary::Half)];
    let source = prop_oneof![
        3 => (engine, off_boundary).prop_map(|(engine, off_boundary)| Source::Solutions { engine, off_boundary }),
        1 => Just(Source::Posterior),
    ];
    let rule = prop_oneof![
        Just(Rule::MinP),
        Just(Rule::LeastMine),
        (
            (0.0..=1.0),
            prop_oneof![Just(LocationScore::Printed), Just(LocationScore::Opening)]
        )
            .prop_map(|(alpha, score)| Rule::EdgeScore { alpha, score }),
        (0.0..=1.0).prop_map(|margin| Rule::Edge { margin }),
    ];
    let candidates = prop_oneof![Just(Candidates::Covered), Just(Candidates::Sampled)];
    let choice = (rule, candidates).prop_map(|(rule, candidates)| Choice { rule, candidates });
    let first_move = prop_oneof![
        Just(FirstMove::AsChosen),
        Just(FirstMove::Corner),
        (0..=255usize, 0..=255usize).prop_map(|(row, column)| FirstMove::At { row, column }),
    ];
    let deduction = prop_oneof![Just(Deduction::Nothing), Just(Deduction::Dss)];
    let endgame = proptest::option::of(
        (2..=60_000u32, 1u32..).prop_map(|(layouts, nodes)| EndgameLimits { layouts, nodes }),
    );
    let steps = (
        first_move,
        deduction,
        source,
        endgame,
        any::<bool>(),
        choice,
    )
        .prop_map(
            |(first_move, deduction, source, endgame, even_first, choice)| {
                let endgame = endgame.filter(|_| source == Source::Posterior);
                let even_first = even_first && source == Source::Posterior;
                Steps {
                    first_move,
                    deduction,
                    source,
                    endgame,
                    even_first,
                    choice,
                }
            },
        );
    prop_oneof![1 => Just(Recipe::Agent), 9 => steps.prop_map(Recipe::Steps)]
}

proptest! {
    #[test]
    fn recipes_round_trip(expected in any_recipe()) {
        prop_assert_eq!(recipe(&expected.to_string()), expected);
    }

    #[test]
    fn any_path_of_a_model_can_be_written(name in "[a:+,=\"' é\\\\-]{1,9}") {
        let (place, model) = (tempdir(), tiny_models::trees_file("quoted.json", "classifier-v2"));
        let path = place.join(name);
        std::fs::copy(model, &path).unwrap();
        let text = format!("posterior+trees:model={}", quote(path.to_str().unwrap()));
        let printed = recipe(&text).to_string();
        prop_assert_eq!(&recipe(&printed).to_string(), &printed);
        let list = format!("4.0,{printed},7.0");
        prop_assert_eq!(split(&list, ',').nth(1), Some(&*printed));
    }

    #[test]
    fn the_order_of_the_parts_is_free(expected in any_recipe(), turn in 0usize..4) {
        let text = expected.to_string();
        let mut parts: Vec<&str> = text.split('+').collect();
        let turn = turn % parts.len();
        parts.rotate_left(turn);
        prop_assert_eq!(recipe(&parts.join("+")), expected);
    }

    #[test]
    fn no_text_panics(text in r"[+:=.a-z0-9é-]{0,40}|(dss|agent|edge|min-p|components|\+|:|=|margin|é|9){0,9}") {
        if let Err(error) = text.parse::<PlayerSpec>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn rules_choose_by_their_definition(case in any_case()) {
        let chosen = case.distinct_choices(64);
        let allowed = case.allowed();
        prop_assert!(chosen.keys().all(|cell| allowed.contains(cell)), "{:?} not in {:?}", chosen, allowed);
        prop_assert_eq!(chosen.is_empty(), allowed.is_empty());
    }
}

/// A position on a board, and a decision rule.
#[derive(Debug, Clone)]
struct Case {
    board: Board,
    mine: Vec<f64>,
    boundary: CellSet,
    choice: Choice,
}

fn any_case() -> impl Strategy<Value = Case> {
    // The probabilities have few distinct levels, so that ties are common. Some differ by less than
    // TIE, some are certain mines, and some belong to cells that must not be chosen.
    let levels = [
        0.1,
        0.1 + TIE / 4.0,
        0.12,
        0.14,
        0.151,
        0.3,
        0.96,
        0.97,
        1.0,
        f64::NAN,
    ];
    let size = (1usize..22, 1usize..22);
    (size, any_recipe(), 0..levels.len()).prop_flat_map(move |((width, height), recipe, from)| {
        let cells = width * height;
        let mine =
            proptest::collection::vec((from..levels.len()).prop_map(move |i| levels[i]), cells);
        let boundary = proptest::collection::vec(proptest::bool::weighted(0.4), cells);
        (mine, boundary).prop_map(move |(mine, on_boundary)| {
            let board = Board::new(width, height, 0).unwrap();
            let mut boundary = CellSet::new(cells);
            boundary.extend(board.all_cells().filter(|cell| on_boundary[cell.index()]));
            let rule = match recipe.clone() {
                Recipe::Steps(steps) => steps.choice.rule,
                _ => Rule::MinP,
            };
            let choice = Choice {
                rule,
                candidates: Candidates::Covered,
            };
            Case {
                board,
                mine,
                boundary,
                choice,
            }
        })
    })
}

impl Case {
    /// Returns the number of times that each cell is chosen in `draws` choices.
    fn distinct_choices(&self, draws: u64) -> BTreeMap<Cell, u64> {
        let view = View::new(Arc::new(Grid::new(self.board)), 0);
        let mut chooser = self.choice.chooser(view.grid());
        let position = Position {
            view: &view,
            mine: &self.mine,
            boundary: &self.boundary,
            mines_found: 0,
        };
        let mut rng = Seed::new(5).rng();
        let mut counts = BTreeMap::new();
        for _ in 0..draws {
            let (analysis, budget) = (&mut Analysis::new(), &mut Budget::unlimited());
            let guess = Guess {
                position: &position,
                analysis,
                budget,
                rng: &mut rng,
            };
            if let Some(cell) = chooser.choose(guess).unwrap() {
                *counts.entry(cell).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the cells that the rule's definition allows, found by filtering a list by one
    /// condition after the other.
    fn allowed(&self) -> Vec<Cell> {
        let p = |cell: &Cell| self.mine[cell.index()];
        let mut cells: Vec<Cell> = self
            .board
            .all_cells()
            .filter(|cell| !p(cell).is_nan())
            .collect();
        if cells.iter().any(|cell| p(cell) < 1.0) {
            cells.retain(|cell| p(cell) < 1.0);
        }
        let least = |cells: &[Cell], key: &dyn Fn(&Cell) -> f64| {
            cells.iter().map(key).fold(f64::INFINITY, f64::min)
        };
        let keep = |cells: &mut Vec<Cell>, margin: f64, key: &dyn Fn(&Cell) -> f64| {
            let limit = least(cells, key) + margin;
            cells.retain(|cell| key(cell) <= limit);
        };
        let distance = |&cell: &Cell| {
            let (row, col) = self.board.row_col(cell);
            let (down, right) = (self.board.height() - 1 - row, self.board.width() - 1 - col);
            row.min(col).min(down).min(right) as f64
        };
        match &self.choice.rule {
            Rule::MinP => keep(&mut cells, TIE, &p),
            Rule::Edge { margin } => {
                keep(&mut cells, margin + TIE, &p);
                keep(&mut cells, 0.0, &distance);
                keep(&mut cells, TIE, &p);
            }
            Rule::EdgeScore { alpha, score } => {
                // Without mines, every location has the value 1 under either score; `Opening` takes
                // 1 minus this value.
                let place = if *score == LocationScore::Printed {
                    1.0
                } else {
                    0.0
                };
                let sc = |cell: &Cell| alpha * p(cell) + (1.0 - alpha) * place;
                keep(&mut cells, 0.05 + TIE, &sc);
                keep(&mut cells, 0.0, &distance);
                keep(&mut cells, TIE, &sc);
            }
            Rule::LeastMine => {
                keep(&mut cells, TIE, &p);
                keep(&mut cells, 0.0, &|&cell| {
                    if self.boundary.contains(cell) {
                        0.0
                    } else {
                        1.0
                    }
                });
                let grid = Grid::new(self.board);
                keep(&mut cells, 0.0, &|&cell| grid.neighbor_count(cell) as f64);
                cells.truncate(1);
            }
            other => panic!("{other:?} is not a rule of these cases"),
        }
        cells
    }
}

#[test]
fn random_ties_are_uniform() {
    let board = Board::new(13, 7, 0).unwrap();
    let mut mine = vec![0.2; 91];
    mine[40..80].fill(0.3);
    let choice = Choice {
        rule: Rule::MinP,
        candidates: Candidates::Covered,
    };
    let case = Case {
        board,
        mine,
        boundary: CellSet::new(91),
        choice,
    };
    let (draws, cells) = (51_000, 51);
    let counts = case.distinct_choices(draws);
    assert_eq!(counts.len(), cells);
    // The chi-squared statistic with 50 degrees of freedom has the mean 50 and the standard
    // deviation 10.
    let expected = draws as f64 / cells as f64;
    let chi: f64 = counts
        .values()
        .map(|&n| (n as f64 - expected).powi(2) / expected)
        .sum();
    assert!((15.0..100.0).contains(&chi), "chi-squared {chi}");
}

#[test]
fn corner_players_start_inside_if_an_opening_is_promised() {
    let cases = [
        ("9x9/10", FirstClick::Safe, (0, 0)),
        ("9x9/10", FirstClick::Any, (0, 0)),
        ("9x9/10", FirstClick::Opening, (2, 2)),
        ("16x16/40", FirstClick::Opening, (2, 2)),
        ("30x16/99", FirstClick::Safe, (0, 0)),
        ("30x16/99", FirstClick::Opening, (3, 3)),
        ("16x30/99", FirstClick::Opening, (3, 3)),
        ("3x30/9", FirstClick::Opening, (2, 1)),
        ("2x1/1", FirstClick::Opening, (0, 0)),
        ("1x1/0", FirstClick::Safe, (0, 0)),
    ];
    for (board, rule, (row, col)) in cases {
        let board: Board = board.parse().unwrap();
        assert_eq!(
            FirstMove::Corner.cell(board, rule),
            board.cell(row, col),
            "{board} {rule}"
        );
        assert_eq!(FirstMove::AsChosen.cell(board, rule), None);
    }
}

#[test]
fn a_typed_first_cell_is_clicked_first_or_the_last_on_smaller_boards() {
    let player: PlayerSpec = "first-cell:row=3:column=5+components+min-p"
        .parse()
        .unwrap();
    for (board, (row, col)) in [("30x16/99", (3, 5)), ("5x3/2", (2, 4)), ("1x1/0", (0, 0))] {
        let board: Board = board.parse().unwrap();
        let mut seat = Seat::new(player.build(), board, FirstClick::Safe, Limits::default());
        let cell = seat.first_cell(Seed::new(1)).unwrap();
        assert_eq!(cell, board.cell(row, col), "{board}");
    }
}

#[test]
fn sampled_candidates_are_the_boundary_and_three_others() {
    let board = Board::new(8, 8, 0).unwrap();
    let mut mine = vec![0.2; 64];
    let mut boundary = CellSet::new(64);
    boundary.extend((0..5).map(Cell));
    mine[5] = 0.1;
    mine[6] = 1.0;
    let choice = Choice {
        rule: Rule::MinP,
        candidates: Candidates::Sampled,
    };
    let case = Case {
        board,
        mine,
        boundary,
        choice,
    };
    let (draws, others) = (20_000, 58.0);
    let counts = case.distinct_choices(draws);
    // The best cell is off the boundary. It is chosen if it is one of the three drawn from the 58
    // cells there.
    let drawn = counts[&Cell(5)] as f64 / draws as f64;
    assert!((drawn - 3.0 / others).abs() < 0.006, "{drawn}");
    // Otherwise one of the five boundary cells and the three drawn cells is chosen uniformly.
    let on_boundary: u64 = (0..5).map(|cell| counts[&Cell(cell)]).sum();
    assert!((on_boundary as f64 / draws as f64 - (1.0 - 3.0 / others) * 5.0 / 8.0).abs() < 0.02);
    assert_eq!(counts.len(), 63);
}
