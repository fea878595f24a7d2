//! The help screen; fits 80 x 24.

/// The lines of the help.
pub(super) const HELP: &[&str] = &[
    "  Open every cell without a mine. A number says how many of the eight cells",
    "  around it are mines.",
    "",
    "  arrows        move; with Ctrl or Shift by five; Home End PgUp PgDn",
    "  space Enter   open; on an open number with all its flags, a chord: the rest",
    "  f   c         flag a cell or take the flag away; chord",
    "  mouse         left: open or chord  right: flag  middle: chord  wheel: scroll",
    "  u   U         take a move back, a lost one too; make it again",
    "  n   r         new game; the same game from its start",
    "  1 2 3   b     beginner, intermediate, expert; a board WIDTHxHEIGHT/MINES",
    "  o             the first click: safe, an opening, promised nothing; new game",
    "  s   l         save, load; .mbf holds the mines alone, text the state of play",
    "",
    "  h             how likely each cell is a mine, all layouts that fit counting:",
    "                + safe, * mine, 17 percent or .2 tenths; and the cell ( ) that",
    "                the player would open, with the reason",
    "  Tab           go to that cell",
    "  p   P         the next player; a player by name or recipe",
    "  a   A         the player makes a move; goes on to the end, any key stops it",
    "",
    "  # covered   F flag   * mine   @ the mine that was opened   X wrong flag",
    "  [ ] the cursor   { } the cursor on the player's cell",
    "",
    "  q   Ctrl-C    quit; any other key leaves this help",
];
