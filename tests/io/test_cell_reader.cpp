// Files of cells: what is read, and what is refused with its line.

#include <atomic>

#include "gssl/io/cell_reader.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("cells are read with or without a header, with more fields or none", "[cells]") {
  const TemporaryDirectory dir;
  const CellFile ratings = read_cells(dir.file(
      "r.csv", "userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,7,3,5\n31,7,1e1,6\n"));
  CHECK(ratings.rows.size() == 2);
  CHECK(ratings.columns.size() == 2);
  CHECK(ratings.value == std::vector<double>{2.5, 3.0, 10.0});
  CHECK(ratings.rows.name(ratings.row[2]) == "31");
  CHECK(ratings.columns.name(ratings.column[2]) == "7");
  CHECK(ratings.stats.lines == 4);
  const CellFile blanks = read_cells(dir.file("b", "# cells\nann \"film one\" -1\nann x 2\n"));
  CHECK(blanks.columns.name(0) == "film one");
  CHECK(blanks.value == std::vector<double>{-1.0, 2.0});
  CHECK(read_cells(dir.file("e", "")).value.empty());
}

TEST_CASE("a cell given twice is counted, or refused where the values differ", "[cells]") {
  const TemporaryDirectory dir;
  const CellFile twice = read_cells(dir.file("a", "u i 1\nv i 3\nu i 1\nu j 2\nu i 1\n"));
  CHECK(twice.duplicates_merged == 2);
  CHECK(twice.row == std::vector<VertexId>{0, 1, 0});
  CHECK(twice.column == std::vector<VertexId>{0, 0, 1});
  CHECK(twice.value == std::vector<double>{1.0, 3.0, 2.0});
  const auto error = error_of([&] { read_cells(dir.file("b", "u i 1\nv i 1\nu i 2\n")); });
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK(std::string(error->what())
            .find("b:3: the cell of row u and column i has another value "
                  "on line 1") != std::string::npos);
}

TEST_CASE("of cells with two values the first in the file is named", "[cells]") {
  const TemporaryDirectory dir;
  const auto error = error_of(
      [&] { read_cells(dir.file("c", "u i 1\nv i 1\nw i 1\nw i 1\nw i 2\nu i 3\nv i 4\n")); });
  CHECK(std::string(error->what()).find("c:5: the cell of row w") != std::string::npos);
}

TEST_CASE("a cancelled run stops reading cells", "[cells]") {
  const TemporaryDirectory dir;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + " i 1\n";
  const std::string path = dir.file("c", text);
  const std::atomic<bool> cancel = true;
  RunContext run;
  run.cancel = &cancel;
  CHECK(error_of([&] { read_cells(path, run); })->code() == ErrorCode::cancelled);
  CHECK(read_cells(path).value.size() == 5000);
}

TEST_CASE("lines that are no cells are refused", "[cells]") {
  const TemporaryDirectory dir;
  for (const char* text : {"u i\n", "u i 1\nu j x\n", "u i nan\nu j nan\n", "u i 1\nu j inf\n"}) {
    INFO(text);
    CHECK(error_of([&] { read_cells(dir.file("c", text)); })->code() == ErrorCode::bad_data);
  }
  CHECK(error_of([&] { read_cells("/nowhere/cells"); })->code() == ErrorCode::cannot_open);
}

TEST_CASE("cells that are asked for must be of known rows and columns", "[cells]") {
  const TemporaryDirectory dir;
  const CellFile cells = read_cells(dir.file("c", "u i 1\nv j 2\n"));
  const auto asked = [&](const char* text) {
    return read_cell_pairs(dir.file("a", text), cells.rows, cells.columns);
  };
  CHECK(asked("row column\nv i\n").row == std::vector<VertexId>{1});
  CHECK(asked("u j 7\n").column == std::vector<VertexId>{1});
  CHECK(error_of([&] { asked("u i\nw i\n"); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { asked("u k\n"); })->code() == ErrorCode::bad_data);
}
