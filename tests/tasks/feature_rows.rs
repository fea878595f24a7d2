//! Tests of rows of transformed boards, and of rows of first clicks.

use mineflow_learn::data::Table;
use mineflow_minesweeper::features::{
    ClassifierV2, LocationScore, Position, PositionFeatures, QV2, RowSettings, classifier_v2, q_v2,
};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::{Cell, CellSet, View};
use mineflow_model::{FeatureSet, Symmetry};
use mineflow_rng::Seed;
use mineflow_tasks::generate::{
    Amount, Boards, FirstCell, Labels, QSettings, RowKind, SelfPlay, rows_in_memory,
};

use crate::generate::{constant_alpha, context};

const ROWS: [&str; 3] = ["0123", "##4#", "####"];

/// Returns the rows of every covered cell on the board transformed by `symmetry`, in the order of
/// the cells on the original board.
fn rows_turned_by(symmetry: Symmetry) -> Vec<([f32; 9], [f32; 9])> {
    let (height, width) = (ROWS.len(), ROWS[0].len());
    let (turned_height, turned_width) = if symmetry.transposes() {
        (width, height)
    } else {
        (height, width)
    };
    let cells = (0..height).flat_map(|row| (0..width).map(move |col| (row, col)));
    let mut text = vec![vec!['?'; turned_width]; turned_height];
    let mut mine = vec![f64::NAN; width * height];
    let mut boundary = CellSet::new(width * height);
    let mut covered = Vec::new();
    for (number, (row, col)) in cells.enumerate() {
        let (to_row, to_col) = symmetry.place((row, col), (height, width));
        let to = Cell((to_row * turned_width + to_col) as u16);
        let shown = ROWS[row].as_bytes()[col] as char;
        text[to_row][to_col] = shown;
        if shown == '#' {
            mine[to.index()] = 0.05 * number as f64;
            covered.push(to);
            if row == 1 {
                boundary.insert(to);
            }
        }
    }
    let text: Vec<String> = text.iter().map(|row| row.iter().collect()).collect();
    let view = View::from_rows(&text.iter().map(String::as_str).collect::<Vec<_>>(), 3).unwrap();
    let position = Position {
        view: &view,
        mine: &mine,
        boundary: &boundary,
        mines_found: 0,
    };
    let settings = RowSettings {
        alpha: 0.4,
        score: LocationScore::Opening,
        off_board: q_v2::OFF_BOARD,
    };
    let row = |features: &dyn PositionFeatures, cell| {
        <[f32; 9]>::try_from(features.rows(&position, &settings, &[cell])).unwrap()
    };
    covered
        .into_iter()
        .map(|cell| (row(&ClassifierV2, cell), row(&QV2, cell)))
        .collect()
}

fn turned(features: &FeatureSet, row: &[f32; 9], symmetry: Symmetry) -> [f32; 9] {
    let mut turned = *row;
    (features.turn)(&mut turned, symmetry);
    turned
}

#[test]
fn turned_rows_are_those_of_the_turned_board() {
    let upright = rows_turned_by(Symmetry::of(0));
    for symmetry in Symmetry::all() {
        for ((classifier, q), (expected_classifier, expected_q)) in
            upright.iter().zip(rows_turned_by(symmetry))
        {
            assert_eq!(
                turned(&classifier_v2::SET, classifier, symmetry),
                expected_classifier,
                "{symmetry:?}"
            );
            assert_eq!(turned(&q_v2::SET, q, symmetry), expected_q, "{symmetry:?}");
        }
    }
}

#[test]
fn a_table_is_turned_row_by_row_and_by_all_symmetries() {
    let (classifier, _) = rows_turned_by(Symmetry::of(0))[0];
    let mut table = Table::new(classifier_v2::WIDTH);
    table.features = classifier.repeat(400);
    table.turn(&classifier_v2::SET, Seed::new(3));
    for expected in
        Symmetry::all().map(|symmetry| turned(&classifier_v2::SET, &classifier, symmetry))
    {
        assert!(
            table
                .features
                .chunks_exact(classifier_v2::WIDTH)
                .filter(|row| **row == expected)
                .count()
                > 20
        );
    }
}

fn games(board: &str, first_cell: FirstCell) -> SelfPlay {
    SelfPlay {
        first_cell,
        ..SelfPlay::on(Boards::exactly(&[board.parse().unwrap()]), Seed::new(12))
    }
}

#[test]
fn the_four_corners_differ_in_their_sub_states() {
    let player: PlayerSpec = "4.0".parse().unwrap();
    let kind = RowKind {
        features: &QV2,
        labels: Labels::Return(QSettings {
            alpha: constant_alpha(0.3),
            score: LocationScore::Opening,
            off_board: q_v2::OFF_BOARD,
        }),
    };
    let (games, amount) = (games("6x5/3", FirstCell::Corner), Amount::Passes(60));
    let build = || player.build();
    let table = rows_in_memory(&games, amount, &kind, &build, &context(1)).unwrap();
    let first = (0..table.rows()).filter(|&row| row == 0 || table.game[row] != table.game[row - 1]);
    let corners: std::collections::BTreeSet<Vec<bool>> = first
        .map(|row| {
            table
                .row(row)
                .iter()
                .map(|&value| value == q_v2::OFF_BOARD)
                .collect()
        })
        .collect();
    assert_eq!(corners.len(), 4);
    assert!(
        corners
            .iter()
            .all(|corner| corner.iter().filter(|&&off| off).count() == 5)
    );
}
