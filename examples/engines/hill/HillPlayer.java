// Hill's Java solver (https://github.com/DavidNHill/Minesweeper) as a player, with the settings of its own bulk runs. In a copy of it:
//   javac -d /tmp/hill -sourcepath MineSweeperSolver/src:MinesweeperGameState/src:Asynchronous/src examples/engines/hill/HillPlayer.java
//   pipeline compare "exec:java -cp /tmp/hill HillPlayer" 11.0 --boards expert --games 1000
// JAVA_TOOL_OPTIONS="-XX:+UseSerialGC -Xmn1g" makes long runs about twice as fast.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import minesweeper.gamestate.GameStateModel;
import minesweeper.settings.GameSettings;
import minesweeper.solver.Solver;
import minesweeper.solver.settings.PlayStyle;
import minesweeper.solver.settings.SettingsFactory;
import minesweeper.solver.utility.BinomialCache;
import minesweeper.structure.Action;
import minesweeper.structure.Location;

public class HillPlayer {
  /** A game of which only the view is known. */
  static class Seen extends GameStateModel {
    final int[][] numbers;
    final String[] seen;
    final boolean isSafe;

    Seen(GameSettings settings, boolean isSafe) {
      super(settings);
      this.isSafe = isSafe;
      numbers = new int[settings.width][settings.height];
      seen = new String[settings.height];
    }

    void update(String[] rows) {
      for (int y = 0; y < rows.length; y++) {
        if (rows[y].equals(seen[y])) continue;
        seen[y] = rows[y];
        for (int x = 0; x < rows[y].length(); x++)
          if (rows[y].charAt(x) != '#') {
            if (getGameState() == NOT_STARTED) start(new Location(x, y));
            numbers[x][y] = rows[y].charAt(x) == '.' ? 0 : rows[y].charAt(x) - '0';
            setRevealed(x, y);
          }
      }
    }

    @Override protected int queryHandle(int x, int y) { return numbers[x][y]; }
    @Override public boolean safeOpening() { return isSafe; }
    @Override protected void startHandle(Location at) {}
    @Override protected void placeFlagHandle(Location at) {}
    @Override protected boolean clearSquareHitMine(Location at) { return false; }
    @Override protected boolean clearSurroundHandle(Location at) { return false; }
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    java.io.PrintStream answers = System.out;
    System.setOut(System.err); // whatever the solver prints is no answer
    BinomialCache binomials = new BinomialCache(5000, Solver.BINOMIAL_CACHE_LIMIT, Solver.binomialEngine);
    GameSettings settings = null;
    boolean isSafe = true;
    Location start = null; // with an opening, where he and others begin
    Seen game = null;
    Solver solver = null;
    for (String line; (line = lines.readLine()) != null; ) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "mineflow" -> answers.println("name Hill (Java)");
        case "board" -> {
          settings = GameSettings.create(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
          isSafe = !words[4].equals("any");
          int inner = settings.width == 30 ? 3 : 2;
          start = words[4].equals("opening") ? new Location(inner, inner) : null;
        }
        case "game" -> {
          game = new Seen(settings, isSafe);
          solver = new Solver(game, SettingsFactory.GetSettings(SettingsFactory.Setting.SMALL_ANALYSIS).setStartLocation(start), false);
          solver.setPlayStyle(PlayStyle.NO_FLAG);
          solver.setBinomialCache(binomials);
        }
        case "view" -> {
          game.update(words[1].split("/"));
          solver.start();
          StringBuilder safe = new StringBuilder(), first = new StringBuilder();
          for (Action move : solver.getResult()) {
            if (move.getAction() != Action.CLEAR || game.query(move) != GameStateModel.HIDDEN) continue;
            String at = " " + move.y + " " + move.x;
            if (move.isCertainty()) safe.append(at);
            if (first.isEmpty()) first.append(at);
          }
          answers.println("open" + (safe.isEmpty() ? first : safe));
        }
        case "quit" -> System.exit(0);
      }
    }
  }
}
