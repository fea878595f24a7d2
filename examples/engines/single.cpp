// A player for mineflow in C++ that plays up to 64 games at once: it opens a cell that a single number proves safe, otherwise a random one.
//   g++ -O2 -o single examples/engines/single.cpp && pipeline compare exec:./single 1.0 --games 1000
// `exec:./single first` opens the first covered cell at once, and writes its views and CPU seconds to stderr: the cost of a view is the rest.
#include <cstdio>
#include <ctime>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int width, height;
mt19937_64 draws(1);

template <class F> void around(int row, int column, F f) {
  for (int r = max(row - 1, 0); r < min(row + 2, height); r++)
    for (int c = max(column - 1, 0); c < min(column + 2, width); c++)
      if (r != row || c != column) f(r * (width + 1) + c);
}

// Returns the place to open in `view`, whose rows are joined by `/`.
size_t choose(const string& view) {
  vector<char> mine(view.size()), safe(view.size());
  for (int pass = 0; pass < 2; pass++)  // first the mines, then the cells that they make safe
    for (int row = 0; row < height; row++)
      for (int column = 0; column < width; column++) {
        char seen = view[row * (width + 1) + column];
        int number = seen == '.' ? 0 : seen - '0', covered = 0, mines = 0;
        if (seen == '#') continue;
        around(row, column, [&](int at) { covered += view[at] == '#', mines += mine[at]; });
        around(row, column, [&](int at) {
          if (view[at] == '#' && pass == 0 && covered == number) mine[at] = 1;
          if (view[at] == '#' && pass == 1 && mines == number && !mine[at]) safe[at] = 1;
        });
      }
  vector<size_t> possible;
  for (size_t at = 0; at < view.size(); at++) {
    if (safe[at]) return at;
    if (view[at] == '#' && !mine[at]) possible.push_back(at);
  }
  return possible.empty() ? view.find('#') : possible[draws() % possible.size()];
}

int main(int count, char**) {
  ios::sync_with_stdio(false);
  string line, answers;
  long views = 0;
  while (getline(cin, line) && line != "quit") {
    size_t view = line.find("view ");
    if (line == "mineflow 1") {
      cout << "batch 64\nname single numbers (C++)" << endl;
    } else if (line.rfind("board ", 0) == 0) {
      istringstream(line.substr(6)) >> width >> height;
    } else if (view != string::npos) {  // "3 view ..." is the view of game 3 of this batch
      string rows = line.substr(view + 5);
      size_t at = count > 1 ? rows.find('#') : choose(rows);
      answers += line.substr(0, view) + "open " + to_string(at / (width + 1)) + " " + to_string(at % (width + 1)) + "\n";
      views++;
    } else if (line == "go") {  // all views of this round were sent
      cout << answers << flush;
      answers.clear();
    }
  }
  if (count > 1) fprintf(stderr, "%ld views, %.2f CPU seconds\n", views, double(clock()) / CLOCKS_PER_SEC);
}
