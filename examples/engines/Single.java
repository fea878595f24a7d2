// A player for mineflow in Java: it opens a cell beside a zero or a satisfied number, otherwise a random covered cell.
//   pipeline compare "exec:java examples/engines/Single.java" 1.0 --games 1000
import java.util.*;

public class Single {
  static String[] rows;

  static List<int[]> around(int row, int column) {
    List<int[]> cells = new ArrayList<>();
    for (int r = Math.max(row - 1, 0); r < Math.min(row + 2, rows.length); r++)
      for (int c = Math.max(column - 1, 0); c < Math.min(column + 2, rows[0].length()); c++)
        if (r != row || c != column) cells.add(new int[] {r, c});
    return cells;
  }

  /** Returns the row and the column of the cell to open. */
  static int[] choose(Random draws) {
    List<int[]> covered = new ArrayList<>(), safe = new ArrayList<>();
    boolean[][] mine = new boolean[rows.length][rows[0].length()];
    for (boolean finds : new boolean[] {false, true}) // first the mines, then the cells that they make safe
      for (int r = 0; r < rows.length; r++)
        for (int c = 0; c < rows[0].length(); c++) {
          char seen = rows[r].charAt(c);
          if (seen == '#') continue;
          int number = seen == '.' ? 0 : seen - '0';
          List<int[]> near = around(r, c);
          near.removeIf(cell -> rows[cell[0]].charAt(cell[1]) != '#');
          if (near.size() == number) for (int[] cell : near) mine[cell[0]][cell[1]] = true;
          near.removeIf(cell -> mine[cell[0]][cell[1]]);
          if (finds && around(r, c).stream().filter(cell -> mine[cell[0]][cell[1]]).count() == number) safe.addAll(near);
        }
    for (int r = 0; r < rows.length; r++)
      for (int c = 0; c < rows[0].length(); c++) if (rows[r].charAt(c) == '#' && !mine[r][c]) covered.add(new int[] {r, c});
    List<int[]> from = safe.isEmpty() ? covered : safe;
    return from.get(draws.nextInt(from.size()));
  }

  public static void main(String[] arguments) {
    Scanner lines = new Scanner(System.in);
    Random draws = new Random();
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ");
      switch (words[0]) {
        case "mineflow" -> System.out.println("name single numbers (Java)");
        case "game" -> draws.setSeed(Long.parseUnsignedLong(words[2]));
        case "view" -> {
          rows = words[1].split("/");
          int[] cell = choose(draws);
          System.out.println("open " + cell[0] + " " + cell[1]);
        }
        case "quit" -> { return; }
      }
    }
  }
}
