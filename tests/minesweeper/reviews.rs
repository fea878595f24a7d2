//! Tests of reviewed games: verdicts on positions counted by hand, and the luck of whole games.

use mineflow_minesweeper::play::{Judge, SavedGame, open_in_order};
use mineflow_minesweeper::player::{Luck, PlayerSpec, Reason, ValueModel};
use mineflow_minesweeper::replay::{
    self, Click, ClickKind, Format, Judgement, Mark, Replay, Review, Verdict,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Game};
use mineflow_model::Registry;

use ClickKind::{Chord, Flag, Open};

fn model(board: Board, rule: FirstClick) -> ValueModel {
    ValueModel::registered(&Registry::open(None).unwrap(), board, rule).unwrap()
}

/// Reviews these clicks on the mines of `rows`, without a first-click rule.
fn review(rows: &str, clicks: &[(ClickKind, u16)]) -> Review {
    let replay = Replay {
        format: Format::RawVf,
        program: String::new(),
        player: None,
        field: rows.parse().unwrap(),
        first_click: FirstClick::Any,
        clicks: clicks
            .iter()
            .map(|&(kind, cell)| Click {
                seconds: 0.0,
                kind,
                cell: Cell(cell),
            })
            .collect(),
        won: None,
    };
    let mut judge = Judge::new(
        Some(model(replay.board(), replay.first_click)),
        &"11.0".parse().unwrap(),
    );
    replay.review(&mut judge, &mut Budget::unlimited()).unwrap()
}

fn judgement(review: &Review, index: usize) -> &Judgement {
    review.moves[index].judgement.as_ref().unwrap()
}

#[track_caller]
fn assert_near(found: Option<f64>, expected: f64) {
    assert!(
        found.is_some_and(|found| (found - expected).abs() < 1e-9),
        "{found:?} is not {expected}"
    );
}

#[test]
fn a_50_50_loses_nothing_and_its_value_is_exact() {
    let review = review("...*\n....", &[(Open, 0), (Open, 7)]);
    assert_near(judgement(&review, 0).mine, 0.125);
    let guess = judgement(&review, 1);
    assert_eq!((guess.verdict, guess.is_exact), (Verdict::FiftyFifty, true));
    assert_near(guess.mine, 0.5);
    assert_near(guess.win, 0.5);
    assert_near(guess.after, 0.5);
    assert_near(guess.loss, 0.0);
    assert_near(Some(review.survival()), 0.875 * 0.5);
}

#[test]
fn a_guess_is_needless_while_a_cell_is_safe() {
    // After cell 3 is opened, cell 4 is safe, and one of the three cells beyond it is a mine.
    let needless = review("..*...*.", &[(Open, 0), (Open, 3), (Open, 5)]);
    let verdicts = [0, 1, 2].map(|index| judgement(&needless, index).verdict);
    assert_eq!(
        verdicts,
        [Verdict::FirstClick, Verdict::Guess, Verdict::Needless]
    );
    let guess = judgement(&needless, 2);
    assert_near(guess.mine, 1.0 / 3.0);
    assert_eq!(guess.best.unwrap().0, Cell(4));
    assert!(guess.loss.unwrap() > 0.0, "{guess:?}");
    let known = review("..*...*.", &[(Open, 0), (Open, 2)]);
    let mine = judgement(&known, 1);
    assert_eq!((mine.verdict, mine.luck), (Verdict::KnownMine, None));
    assert_eq!(mine.loss, mine.win);
    assert_eq!(known.moves[1].hit, Some(Cell(2)));
}

#[test]
fn a_chord_is_judged_as_one_decision() {
    // The chord on cell 0 opens cells 3 and 4. Cell 1, which is flagged, or one of these two is the
    // mine. Where the mine is affects only the luck.
    let reviews = [".*.\n...\n...", "...\n*..\n...", "...\n.*.\n..."]
        .map(|rows| review(rows, &[(Open, 0), (Flag, 1), (Chord, 0)]));
    let mut luck = 0.0;
    for wrong in &reviews {
        assert_eq!((wrong.moves.len(), wrong.moves[1].opens()), (3, false));
        let chord = judgement(wrong, 2);
        assert_eq!(chord.verdict, Verdict::Needless);
        assert_near(chord.mine, 2.0 / 3.0);
        assert_eq!(
            (chord.after, chord.loss),
            (
                judgement(&reviews[0], 2).after,
                judgement(&reviews[0], 2).loss
            )
        );
        luck += chord.luck.unwrap();
    }
    assert_near(Some(luck), 0.0);
    // A chord that hits a mine also opens its safe cell.
    assert_eq!(
        (
            reviews[1].moves[2].opened.as_slice(),
            reviews[1].moves[2].hit
        ),
        (&[Cell(4)][..], Some(Cell(3)))
    );
    let certain = review(".*..\n....\n....", &[(Open, 8), (Flag, 1), (Chord, 4)]);
    assert_eq!(judgement(&certain, 2).verdict, Verdict::Certain);
    assert_eq!((certain.count(Verdict::Certain), certain.loss()), (1, 0.0));
}

#[test]
fn an_even_guess_between_two_layouts_is_a_50_50_in_any_form() {
    // After cell 2 is opened, the other mine is in cell 0 or cell 1, which no number distinguishes,
    // and cell 3 is known.
    let clicks = [(Open, 2), (Open, 1)];
    assert_eq!(
        judgement(&review("*..*", &clicks), 1).verdict,
        Verdict::FiftyFifty
    );
}

#[test]
fn moves_beyond_the_budget_count_as_unjudged() {
    let replay = replay::read(b"Width: 4\nHeight: 1\nMines: 2\nBoard:\n*00*\nEvents:\n0 lc (40 8)\n0 lr (40 8)\n1 lc (24 8)\n1 lr (24 8)\n");
    let mut judge = Judge::new(None, &"11.0".parse().unwrap());
    let budget = &mut Budget::new(Some(0), None);
    let review = replay.unwrap().review(&mut judge, budget).unwrap();
    assert_eq!((review.moves.len(), review.unjudged()), (2, 1));
}

#[test]
fn a_first_click_on_a_mine_had_no_promise() {
    let replay = Replay {
        first_click: FirstClick::Safe,
        ..replay::read(b"Width: 3\nHeight: 3\nMines: 1\nBoard:\n*00\n000\n000\nEvents:\n0 lc (8 8)\n0 lr (8 8)\n").unwrap()
    };
    let mut judge = Judge::new(
        Some(model(replay.board(), replay.first_click)),
        &"11.0".parse().unwrap(),
    );
    let review = replay.review(&mut judge, &mut Budget::unlimited()).unwrap();
    assert_near(Some(review.survival()), 8.0 / 9.0);
}

/// Returns the luck of a game, computed as in `eval --luck-corrected`.
fn luck(kept: &SavedGame, luck: &mut Luck) -> f64 {
    luck.begin();
    let mut game = Game::on(kept.field.clone());
    for made in &kept.moves {
        if made.reason == Reason::Certain {
            open_in_order(&mut game, &made.cells);
        } else {
            luck.before(game.view(), made.cells[0], kept.first_click);
            open_in_order(&mut game, &made.cells);
            luck.after(game.view().number(made.cells[0]));
        }
    }
    luck.sum()
}

#[test]
fn luck_equals_that_of_luck_corrected_tables() {
    let spec: PlayerSpec = "7.0".parse().unwrap();
    for rule in [FirstClick::Safe, FirstClick::Opening, FirstClick::Any] {
        let board: Board = "9x9/14".parse().unwrap();
        let model = model(board, rule);
        let mut judge = Judge::new(Some(model.clone()), &"11.0".parse().unwrap());
        let mut of_tables = Luck::new(model);
        for number in 0..20 {
            let budget = &mut Budget::unlimited();
            let kept = SavedGame::play(
                (&spec.name, &mut *spec.build()),
                (board, rule),
                (1, number),
                None,
                budget,
            )
            .unwrap();
            let review = kept.review(&mut judge, budget);
            assert_near(Some(review.luck()), luck(&kept, &mut of_tables));
            // The same game is also reviewed as a replay, click by click.
            let replay = replay::read(kept.line().as_bytes()).unwrap();
            let clicks = replay.review(&mut judge, budget).unwrap();
            assert_near(Some(clicks.luck()), review.luck());
            assert_near(Some(clicks.survival()), review.survival());
            assert_eq!(clicks.count(Verdict::Needless), 0, "7.0 guesses needlessly");
        }
    }
}

/// Reviews some games of a player on expert boards and passes each judged guess to `check`.
fn judged_guesses(
    player: &str,
    games: std::ops::Range<u64>,
    mut check: impl FnMut(&SavedGame, usize, &Judgement),
) {
    let (board, rule): (Board, _) = ("30x16/99".parse().unwrap(), FirstClick::Opening);
    let spec: PlayerSpec = player.parse().unwrap();
    let mut judge = Judge::new(Some(model(board, rule)), &Judge::BEST.parse().unwrap());
    for number in games {
        let budget = &mut Budget::unlimited();
        let kept = SavedGame::play(
            (&spec.name, &mut *spec.build()),
            (board, rule),
            (99, number),
            None,
            budget,
        )
        .unwrap();
        for (at, made) in kept.review(&mut judge, budget).moves.iter().enumerate() {
            if let Some(judged) = &made.judgement
                && matches!(judged.verdict, Verdict::Guess | Verdict::FiftyFifty)
            {
                check(&kept, at, judged);
            }
        }
    }
}

#[test]
fn the_player_that_decides_what_is_best_is_never_blamed() {
    let mut guesses = [0, 0];
    judged_guesses(Judge::BEST, 0..40, |kept, at, judged| {
        assert_eq!(judged.loss, Some(0.0), "game {}, move {at}", kept.game);
        assert!(matches!(
            judged.mark,
            None | Some(Mark::Good | Mark::Forced)
        ));
        guesses[usize::from(judged.is_exact)] += 1;
    });
    assert!(guesses.iter().all(|&guesses| guesses > 10), "{guesses:?}");
}

#[test]
fn a_closed_pair_bounds_the_win_probability() {
    // The cells (14, 6) and (15, 6) hold one mine, and nothing else tells which has it.
    let mut found = None;
    judged_guesses(Judge::BEST, 315..316, |_, at, judged| {
        assert!(judged.win <= Some(0.5), "{judged:?}");
        found = (at == 28).then(|| judged.clone()).or(found.take());
    });
    let judged = found.unwrap();
    assert_eq!(
        (judged.is_exact, judged.best.unwrap().0),
        (true, Cell(14 * 30 + 6))
    );
    assert_near(judged.win, 281.0 / 702.0);
}

#[test]
fn a_loss_is_told_only_beyond_its_error() {
    let mut marks = 0;
    judged_guesses("7.0", 1..6, |kept, at, judged| {
        let [loss, error] = [judged.loss, judged.loss_error].map(Option::unwrap);
        let case = format!("game {}, move {at}: {judged:?}", kept.game);
        assert!(judged.win.unwrap() >= judged.after.unwrap(), "{case}");
        if matches!(judged.mark, Some(Mark::Mistake | Mark::Inaccuracy)) {
            assert!(loss > error && loss >= 0.02, "{case}");
            marks += 1;
        }
    });
    assert!(marks > 0);
}
