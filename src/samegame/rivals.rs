//! The options of the searches beside SP-MCTS, by key.

use super::beam::Beam;
use super::greedy::Greedy;
use super::ida_star::IdaStar;
use super::nested::{Layers, Nested};
use super::nrpa::Nrpa;
use super::options::{OptionError, Options, choice, name, number};
use super::play_out::Draw;

const DRAWS: [(&str, Draw); 2] = [("groups", Draw::Groups), ("cells", Draw::Cells)];

const LAYERS: [(&str, Layers); 3] = [("moves", Layers::Moves), ("cells", Layers::Cells), ("in-turn", Layers::InTurn)];

impl Options for IdaStar {
    const NAME: &'static str = "ida-star";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![("positions", self.positions.to_string())]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        self.positions = number(key, value, (1, 1_000_000_000_000))?;
        Ok(())
    }
}

impl Options for Greedy {
    const NAME: &'static str = "greedy";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![("games", self.games.to_string())]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        self.games = number(key, value, (1, 1_000_000_000_000))?;
        Ok(())
    }
}

impl Options for Nested {
    const NAME: &'static str = "nested";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("level", self.level.to_string()),
            ("width", self.width.to_string()),
            ("samples", self.samples.to_string()),
            ("same-score", self.same_score.to_string()),
            ("layers", name(&self.layers, &LAYERS)),
            ("searches", self.searches.to_string()),
            ("informed", self.informed.to_string()),
            ("epsilon", self.strategy.epsilon.to_string()),
            ("draw", name(&self.strategy.draw, &DRAWS)),
        ]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        match key {
            "level" => self.level = number(key, value, (0, 9))?,
            "width" => self.width = number(key, value, (1, 10_000_000))?,
            "samples" => self.samples = number(key, value, (1, 1_000_000))?,
            "same-score" => self.same_score = number(key, value, (1, 10_000_000))?,
            "layers" => self.layers = choice(key, value, &LAYERS)?,
            "searches" => self.searches = number(key, value, (1, 1_000_000))?,
            "informed" => self.informed = number(key, value, (0, 1_000_000))?,
            "epsilon" => self.strategy.epsilon = number(key, value, (0.0, 1.0))?,
            _ => self.strategy.draw = choice(key, value, &DRAWS)?,
        }
        Ok(())
    }
}

impl Options for Nrpa {
    const NAME: &'static str = "nrpa";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("level", self.level.to_string()),
            ("iterations", self.iterations.to_string()),
            ("play-outs", self.play_outs.to_string()),
            ("step", self.step.to_string()),
            ("bias", self.bias.to_string()),
            ("bias-limit", self.bias_limit.to_string()),
        ]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        match key {
            "level" => self.level = number(key, value, (1, 9))?,
            "iterations" => self.iterations = number(key, value, (1, 1_000_000))?,
            "play-outs" => self.play_outs = number(key, value, (1, 1_000_000))?,
            "step" => self.step = number(key, value, (0.0, 100.0))?,
            "bias" => self.bias = number(key, value, (-10.0, 10.0))?,
            // With a bias of 10, `exp` stays finite.
            _ => self.bias_limit = number(key, value, (0, 8))?,
        }
        Ok(())
    }
}

impl Options for Beam {
    const NAME: &'static str = "beam";

    fn pairs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("width", self.width.to_string()),
            ("tabu", self.worth.tabu.to_string()),
            ("group", self.worth.group.to_string()),
            ("single", self.worth.single.to_string()),
        ]
    }

    fn set(&mut self, key: &'static str, value: &str) -> Result<(), OptionError> {
        match key {
            "width" => self.width = number(key, value, (1, 10_000_000))?,
            "tabu" => self.worth.tabu = number(key, value, (0.0, 10.0))?,
            "group" => self.worth.group = number(key, value, (-1e4, 1e4))?,
            _ => self.worth.single = number(key, value, (-1e4, 1e4))?,
        }
        Ok(())
    }
}
