//! Colours of the screen. Every fact is also shown by a character, so colours can be off.

use ratatui::style::{Color, Style};

use mineflow_minesweeper::play::Shown;

/// From safe to mine in steps of a tenth, in the 256-colour palette that all but the oldest terminals have.
const HEAT: [u8; 10] = [113, 149, 185, 221, 220, 214, 208, 209, 203, 197];
const SAFE: u8 = 40;
const MINE: u8 = 160;
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// Whether there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    Colored,
    Plain,
}

impl Look {
    fn of(self, style: Style) -> Style {
        match self {
            Self::Colored => style,
            Self::Plain => Style::new(),
        }
    }

    /// A cell without a probability.
    pub(super) fn cell(self, shown: Shown) -> Style {
        let covered = Style::new().fg(Color::Indexed(250)).bg(Color::Indexed(240));
        self.of(match shown {
            Shown::Covered => covered,
            Shown::Flag => covered.fg(WHITE).bold(),
            Shown::Mine => Style::new().fg(WHITE).bg(Color::Indexed(MINE)),
            Shown::Exploded | Shown::WrongFlag => Style::new().fg(BLACK).bg(Color::Indexed(226)).bold(),
            Shown::Open(number) => Style::new().fg(match number {
                1 => Color::LightBlue,
                2 => Color::Green,
                3 => Color::LightRed,
                4 => Color::Magenta,
                5 => Color::Red,
                6 => Color::Cyan,
                7 => Color::Yellow,
                _ => Color::DarkGray,
            }),
        })
    }

    /// A covered cell that is a mine with this probability.
    pub(super) fn heat(self, p: f64) -> Style {
        let step = ((p * 10.0) as usize).min(HEAT.len() - 1);
        self.of(match p {
            0.0 => Style::new().fg(BLACK).bg(Color::Indexed(SAFE)).bold(),
            1.0 => Style::new().fg(WHITE).bg(Color::Indexed(MINE)).bold(),
            _ => Style::new().fg(BLACK).bg(Color::Indexed(HEAT[step])),
        })
    }

    /// The marks of the cell under the cursor.
    pub(super) fn cursor(self) -> Style {
        self.of(Style::new().fg(BLACK).bg(WHITE).bold())
    }

    /// The marks of the cell that the player would open.
    pub(super) fn advice(self) -> Style {
        self.of(Style::new().fg(BLACK).bg(Color::Indexed(51)).bold())
    }

    /// Row and column numbers, and the line of keys.
    pub(super) fn label(self) -> Style {
        self.of(Style::new().dim())
    }

    /// The first line.
    pub(super) fn title(self) -> Style {
        self.of(Style::new().bold())
    }
}
