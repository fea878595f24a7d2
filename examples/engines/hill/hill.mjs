// Hill's JavaScript solver (https://github.com/DavidNHill/JSMinesweeper) as a player, with the settings of its own bulk runs. The argument is
// the folder Minesweeper of a copy of it:
//   pipeline compare "exec:node examples/engines/hill/hill.mjs JSMinesweeper/Minesweeper" 11.0 --boards expert --games 1000
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const files = [
  "Utility/PrimeSieve", "Utility/Binomial", "Utility/Compression", "client/MinesweeperGame", "client/Tile", "client/Board",
  "client/EfficiencyHelper", "client/FiftyFiftyHelper", "client/LongTermRiskHelper", "client/SolutionCounter",
  "client/solver_probability_engine", "client/Brute_force", "client/BruteForceAnalysis", "client/solver_main",
];
console.log = console.warn = console.error; // whatever the solver prints is no answer
const { choose, newBoard } = runInThisContext(`
  ${files.map((file) => readFileSync(`${process.argv[2]}/${file}.js`, "utf8").replace('"use strict";', "")).join("\n")}
  // What the solver takes from the page.
  const BOMB = 9, analysisMode = false;
  let board;
  function showMessage() {}
  async function sleep() {}
  const binomialCache = new BinomialCache(5000, 500, new Binomial(65000, 500));
  solver(null); // prepares it
  const options = { playStyle: PLAY_STYLE_NOFLAGS, verbose: false, advancedGuessing: true, fullProbability: true, hardcore: false };
  ({
    newBoard: (width, height, mines) => (board = new Board(0, width, height, mines, 0, "safe")),
    choose: async () => (await solver(board, options)).actions.filter((action) => action.action == ACTION_CLEAR),
  })
`);

let size = [], first = 0, board;
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.split(" ");
  if (word == "mineflow") process.stdout.write("name Hill (JavaScript)\n");
  else if (word == "board") {
    size = rest.slice(0, 3).map(Number);
    first = rest[3] != "opening" ? 0 : rest[0] == 30 ? 3 : 2; // with an opening, where he and others begin
  } else if (word == "game") board = newBoard(...size);
  else if (word == "view") {
    const cells = rest[0].replaceAll("/", "");
    for (let i = 0; i < cells.length; i++)
      if (cells[i] != "#" && board.getTile(i).isCovered()) board.getTile(i).setValue(cells[i] == "." ? 0 : Number(cells[i]));
    let moves = [{ x: first, y: first, prob: 0 }];
    if (/[^#]/.test(cells)) {
      moves = await choose();
      moves = moves[0].prob == 1 ? moves.filter((move) => move.prob == 1) : moves.slice(0, 1);
    }
    process.stdout.write(`open${moves.map((move) => ` ${move.y} ${move.x}`).join("")}\n`);
  } else if (word == "quit") break;
}
