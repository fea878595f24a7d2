//! Looks for positions that make puzzles.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

use mineflow_minesweeper::play::{Judge, Kept, open_in_order};
use mineflow_minesweeper::player::{PlayerSpec, Reason, ValueModel};
use mineflow_minesweeper::solver::{Analysis, Budget};
use mineflow_minesweeper::{Board, FirstClick, Game, View};
use mineflow_model::Registry;
use mineflow_stage::definition::Context;

use super::{Kind, Known, Maker, Puzzle, Source, Unsuited};

/// What is looked for. From a game comes the first position that suits.
pub struct Hunt {
    pub board: Board,
    pub first_click: FirstClick,
    /// Who plays the games.
    pub player: PlayerSpec,
    pub kind: Kind,
    /// Positions to find, and games to try at most.
    pub positions: u64,
    pub games: u64,
    /// How the chances are to be known; of an exact one the layouts are not read.
    pub known: Known,
    /// Layouts that fit, for exact chances; for roll-outs more than the most of them.
    pub layouts: RangeInclusive<u64>,
    /// How much less the second-best candidates win at least.
    pub gap: f64,
}

impl Hunt {
    /// The puzzles, named by their sources, in the order of the games of the context's seed; fewer if no more are found or it is asked to
    /// stop.
    ///
    /// # Errors
    /// A player or a model that can't be read.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Vec<Puzzle>> {
        let mut found = Vec::new();
        let mut tried = 0;
        context.workers().run_in_order(
            0..self.games,
            || Hunter::new(self),
            |hunter, game| match hunter {
                Ok(hunter) => hunter.of_game(context.seed, game),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            },
            |of_game| {
                if let Some(of_game) = of_game {
                    tried += 1;
                    found.extend(of_game?);
                }
                context.count("games", tried, self.games, &format!(", {} positions", found.len()));
                let is_enough = found.len() as u64 >= self.positions;
                anyhow::Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )?;
        Ok(found)
    }

    /// A puzzle to make.
    fn draft(&self, source: Source) -> Puzzle {
        let Self { board, first_click, .. } = *self;
        let Source { player, seed, game, step } = &source;
        Puzzle {
            name: format!("{board} {first_click}, game {game} of seed {seed} by {player}, step {step}"),
            shows: String::new(),
            kinds: Vec::new(),
            width: board.width(),
            height: board.height(),
            mines: board.mines(),
            rows: Vec::new(),
            first_click,
            source,
            known: self.known.clone(),
            best: Vec::new(),
            candidates: Vec::new(),
            choices: BTreeMap::new(),
        }
    }

    fn suits(&self, puzzle: &Puzzle) -> bool {
        let win = |is_best: bool| {
            let of = puzzle.candidates.iter().filter(|of| puzzle.best.contains(&of.cell) == is_best);
            of.map(|candidate| candidate.win).reduce(f64::max)
        };
        let is_apart = win(false).is_none_or(|second| win(true).is_some_and(|best| best - second >= self.gap));
        is_apart && puzzle.kinds.contains(&self.kind)
    }
}

/// Goes through games, keeping its memory.
struct Hunter<'a> {
    hunt: &'a Hunt,
    maker: Maker,
    analysis: Analysis,
    judge: Judge,
}

impl<'a> Hunter<'a> {
    fn new(hunt: &'a Hunt) -> anyhow::Result<Self> {
        // Where the chances are exact nothing asks it.
        let model = match hunt.known {
            Known::Exact { .. } => None,
            Known::RollOuts { .. } => {
                Some(ValueModel::registered(&Registry::open(None)?, hunt.board, hunt.first_click)?)
            }
        };
        Ok(Self { hunt, maker: Maker::new()?, analysis: Analysis::new(), judge: Judge::new(model) })
    }

    fn of_game(&mut self, seed: u64, number: u64) -> anyhow::Result<Option<Puzzle>> {
        let Hunt { board, first_click, ref player, .. } = *self.hunt;
        let kept = Kept::play(player, (board, first_click), (seed, number), None, &mut Budget::unlimited())?;
        let mut game = Game::on(kept.field);
        for (step, made) in kept.moves.iter().enumerate() {
            if made.reason == Reason::Guess && self.may_suit(game.view())? {
                let source = Source { player: player.name.clone(), seed, game: number, step };
                match self.maker.make_at(game.view(), &self.hunt.draft(source)) {
                    Ok(puzzle) if self.hunt.suits(&puzzle) => return Ok(Some(puzzle)),
                    Err(error) if !error.is::<Unsuited>() => return Err(error),
                    _ => {}
                }
            }
            open_in_order(&mut game, &made.cells);
        }
        Ok(None)
    }

    /// A quick look: whether as many layouts fit as are wanted, and for roll-outs whether the value model sees the gap.
    fn may_suit(&mut self, view: &View) -> anyhow::Result<bool> {
        let budget = &mut Budget::unlimited();
        self.analysis.begin(view.grid(), view.mines());
        self.analysis.update(view)?;
        let layouts = self.analysis.ln_layouts(budget)?.exp().round() as u64;
        if let Known::Exact { .. } = self.hunt.known {
            return Ok(self.hunt.layouts.contains(&layouts));
        }
        if layouts <= *self.hunt.layouts.end() {
            return Ok(false);
        }
        let wins: Vec<f64> = self.judge.judge(view, budget)?.candidates.iter().filter_map(|of| of.win).collect();
        Ok(wins.len() > 1 && wins[0] - wins[1] >= self.hunt.gap)
    }
}
